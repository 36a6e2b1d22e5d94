"""How a note is made from its template: what the template may call, guarded sentences, lines."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from pathlib import Path

import jinja2

from jitcost.errors import JitcostError
from jitcost.show.notes.words import FILTERS, counted
from jitcost.show.plain import as_markdown
from jitcost.show.table import Table

__all__ = ["WIDTH", "SentenceError", "rendered", "wrapped"]

# Letters in a line of the Markdown.
WIDTH = 120

_TEMPLATES = Path(__file__).parent

# Lines that mean something by themselves: headings, tables, figures. Others are joined to paragraphs.
_BY_ITSELF = re.compile(r"[|#!]")
_ITEM = re.compile(r"- ")

# Spaces at which no line ends: between a number and its unit, and around the sign of n = 10.
_TOGETHER = re.compile(r"(?<=[\d\]]) (?=(?:%|ns|µs|ms|s|min|h)(?!\w))|(?<=\bn) (?==)|(?<=\bn =) ")
_NO_BREAK = "\N{NO-BREAK SPACE}"


class SentenceError(JitcostError):
    """A sentence of a template that the kept results do not carry; says which, and what to do."""


def rendered(template: str, **values: object) -> str:
    """Return the note of a template.

    Parameters
    ----------
    template : str
        The file's name, beside this module.
    **values
        What the template's expressions are about.

    Raises
    ------
    SentenceError
        If the values do not carry a sentence that the template says of them whatever they are.
    jinja2.UndefinedError
        If the template names what is not there.
    """

    def holds(condition: object, sentence: str) -> str:
        if not condition:
            raise SentenceError(
                f"the kept results do not carry the sentence {sentence!r}; rewrite it in "
                f"{template} of jitcost.show.notes"
            )
        return sentence

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_TEMPLATES),
        autoescape=False,  # Markdown
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= FILTERS
    environment.globals |= {"counted": counted, "holds": holds, "table": _table}
    return wrapped(environment.get_template(template).render(**values))


def _table(table: Table) -> str:
    return as_markdown([table])


def wrapped(text: str, width: int = WIDTH) -> str:
    r"""Return Markdown with its paragraphs and items in lines of this width; tables stay as they are.

    >>> print(wrapped("One\ntwo three.\n- an\nitem\n| a | b |", 9), end="")
    One two
    three.
    - an item
    | a | b |
    """
    made: list[str] = []
    for block in _blocks(text):
        if not block or _BY_ITSELF.match(block):
            if block or (made and made[-1]):  # one empty line is as good as three
                made.append(block)
        else:
            indent = "  " if _ITEM.match(block) else ""
            made += textwrap.wrap(
                _TOGETHER.sub(_NO_BREAK, block),
                width,
                subsequent_indent=indent,
                break_long_words=False,
                break_on_hyphens=False,
            )
    return "\n".join(made).replace(_NO_BREAK, " ").strip("\n") + "\n"


def _blocks(text: str) -> Iterator[str]:
    """Yield each paragraph and item in one line, and all other lines by themselves."""
    open_block = ""
    for line in map(str.strip, text.split("\n")):
        alone = not line or bool(_BY_ITSELF.match(line))
        if open_block and (alone or _ITEM.match(line)):
            yield open_block
            open_block = ""
        if alone:
            yield line
        else:
            open_block = f"{open_block} {line}" if open_block else line
    if open_block:
        yield open_block
