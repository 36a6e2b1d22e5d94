"""Pages as a browser reads them: their elements, their tables, and what their scripts make of them."""

import itertools
import re
import shutil
import subprocess
from html.parser import HTMLParser

import pytest

LOADING = {"src", "srcset", "href", "xlink:href", "data", "poster", "action", "background"}


class Page(HTMLParser):
    """A page's elements, and its tables by caption."""

    def __init__(self, text):
        super().__init__()
        self.elements = []
        self.tables = {}
        self.said = []
        self.scripts = []
        self.open = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))
        self.open.append(tag)
        if tag == "table":
            self.caption, self.rows = "", []
        elif tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append("")
        elif tag == "script":
            self.scripts.append("")

    def handle_endtag(self, tag):
        while self.open and self.open.pop() != tag:
            pass
        if tag == "table":
            self.tables[self.caption.strip()] = self.rows

    def handle_data(self, data):
        self.said.append(data)
        if "script" in self.open:
            self.scripts[-1] += data
        elif {"td", "th"} & set(self.open):
            self.rows[-1][-1] += ("|" if self.open[-1] == "span" else "") + data.strip()
        elif self.open and self.open[-1] == "caption":
            self.caption += data


def loads_nothing(text, pages=()):
    """Assert that a page names no address but parts of itself, data, and these pages beside it."""
    for tag, attributes in Page(text).elements:
        for name in LOADING & attributes.keys():
            address = attributes[name]
            beside = tag == "a" and address.partition("#")[0] in pages
            assert beside or address.startswith(("#", "data:,")), (tag, name, address)
        assert tag not in ("iframe", "object", "embed", "base")
    assert not re.search(r"@import|url\((?!#)", text)
    assert not re.search(r"\b(fetch|XMLHttpRequest|import)\s*\(", text)
    without_names = re.sub(r'xmlns(:\w+)?="[^"]+"', "", text)
    assert "http:" not in without_names
    assert "https:" not in without_names


def can_be_read_without_seeing(text):
    """Assert that headings, names of parts, figures and tables are as screen readers need them."""
    parsed = Page(text)
    levels = [int(tag[1]) for tag, _ in parsed.elements if re.fullmatch("h[1-6]", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in itertools.pairwise(levels))
    identifiers = [a["id"] for _, a in parsed.elements if "id" in a]
    assert len(identifiers) == len(set(identifiers))
    targets = {a["href"][1:] for tag, a in parsed.elements if a.get("href", "").startswith("#")}
    targets |= {a["aria-labelledby"] for _, a in parsed.elements if "aria-labelledby" in a}
    assert targets <= set(identifiers)
    assert all(a["role"] == "img" for tag, a in parsed.elements if tag == "svg")
    headers = [a for tag, a in parsed.elements if tag == "th"]
    assert all(a["scope"] in ("col", "row") for a in headers)
    for _, a in parsed.elements:
        if a.get("class") == "scroll":  # what scrolls is reached by the keyboard, and has a name
            assert a["tabindex"] == "0"
            assert a["role"] == "region"
            assert a["aria-label"]
    order = [tag for tag, _ in parsed.elements]
    for place, tag in enumerate(order):
        if tag in ("input", "select"):
            assert order[place - 1] == "label"


CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
NO_NETWORK = "--host-resolver-rules=MAP * ~NOTFOUND"
needs_browser = pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")


def in_browser(file, tmp_path, *options):
    """Return what a page has become when its scripts have run, and what they wrote to the console."""
    quiet = "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run"
    quiet += " --disable-background-networking --disable-component-update --disable-sync"
    quiet += " --enable-logging=stderr --v=0"
    profile = f"--user-data-dir={tmp_path / 'profile'}"
    done = subprocess.run(
        [CHROMIUM, *quiet.split(), NO_NETWORK, profile, *options, "--dump-dom", file],
        capture_output=True,
        text=True,
        timeout=120,
    )
    return done.stdout, [line for line in done.stderr.splitlines() if "CONSOLE" in line]
