"""What is alike in two outputs of the same call: everything but the numbers, and what noise decides.

A measurement prints other numbers each time, another backend may have the star, and remarks on what has
disturbed it come and go. Titles, columns, rows, units and footnotes stay.
"""

import re

_UNIT = r"(?:ns|µs|ms|s)\b"
_REPLACED = (
    (rf"\[-?[\d.,]+, -?[\d.,]+\](?: {_UNIT})?", " INTERVAL "),
    # Break-even numbers: where they are none, words stand there, and an interval has no end.
    (r"[\d,]+ to (?:[\d,]+|never)", " "),
    (r"cannot tell|never", " NUMBER "),
    (rf"-?[\d.,]+ {_UNIT}", " TIME "),
    (r"\b[\d.,]+x", " RATIO "),
)
_WORDS = r"\b(?:two|three|four|five|six|seven|eight|nine|ten)\b"

_NOTE = re.compile(r"(\*|\w[\w ]*:) ")
_REMARK = re.compile(r"  (?:  )?\S")


def shape(text, sizes):
    """Return, by title, the tables in what a command prints: columns, rows and footnote.

    Parameters
    ----------
    text : str
        What it has printed. Paragraphs that hold no table are remarks.
    sizes : collection of str
        The sizes that were asked for, as they are printed: these numbers are the same each time.

    Returns
    -------
    dict
        By the table's title, a tuple of the words of its heads, the words of each row, and the footnote.
        Words are sorted, since a column's width decides on which line they stand.
    """
    return dict(_table(part, sizes) for part in tables(text))


def tables(text):
    """Return the paragraphs that hold a table; the others are remarks on what has disturbed it."""
    return [part for part in text.strip().split("\n\n") if "───" in part]


def _table(paragraph, sizes):
    lines = paragraph.splitlines()
    rule = next(i for i, line in enumerate(lines) if line.startswith("───"))
    title, *heads = lines[:rule]
    rows, note = [], []
    for line in lines[rule + 1 :]:
        if note or _NOTE.match(line):
            if not _REMARK.match(line):
                note.append(line)
        elif line[:1].strip() or not rows or re.match(r"\s*[\d,]+\s", line):
            rows.append(_words(line, sizes))
        else:
            rows[-1] += _words(line, sizes)
    said = re.sub(rf"{_WORDS}|\d+", "NUMBER", " ".join(" ".join(note).split()))
    return title, (sorted(" ".join(heads).split()), sorted(map(sorted, rows)), said)


def _words(line, sizes):
    line = re.sub(r"[*~]+(?=\d)", "", line)
    for pattern, instead in _REPLACED:
        line = re.sub(pattern, instead, line)
    return [
        "NUMBER" if re.fullmatch(r"[\d.,]+", word) and word not in sizes else word
        for word in line.split()
    ]
