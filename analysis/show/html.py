"""A table as HTML, and how the pages are made."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import jinja2
from markupsafe import Markup

from jitcost.show.table import Table

__all__ = ["TEMPLATES", "Link", "as_html", "fragment", "rendered"]

TEMPLATES = Path(__file__).parent / "report"


class Link(NamedTuple):
    """A page, what it is called where one leads to it, and whether it is the one that is read."""

    text: str
    href: str
    current: bool = False


_TABLES = """\
{% from "parts.html" import show %}
{% for table in tables %}
{{ show(table) }}
{% endfor %}
"""


def as_html(tables: Iterable[Table]) -> Markup:
    """Return tables as a part of a page: every text is escaped, and no style is set."""
    return Markup(_environment().from_string(_TABLES).render(tables=list(tables)))


_FRAGMENT = """\
{% from "parts.html" import show %}
<style>{{ css }}</style>
<div class="jitcost">
{% for part in parts %}
{% if part is string %}<p>{{ part }}</p>{% else %}{{ show(part) }}{% endif %}

{% endfor %}
</div>
"""


def fragment(parts: Iterable[Table | str]) -> str:
    """Return tables and lines of text as a part of somebody else's page, with a style of its own."""
    css = (TEMPLATES / "fragment.css").read_text(encoding="utf-8")
    return str(_environment().from_string(_FRAGMENT).render(parts=list(parts), css=Markup(css)))


def rendered(template: str, **content: object) -> str:
    """Return a page made from one of `TEMPLATES`, which are given the style sheet as `css`."""
    css = (TEMPLATES / "page.css").read_text(encoding="utf-8")
    return _environment().get_template(template).render(css=css, **content)


def _environment() -> jinja2.Environment:
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
