"""A table as HTML, and how the pages are made."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import jinja2
from markupsafe import Markup

from jitcost.show.table import Table

__all__ = ["TEMPLATES", "as_html", "rendered"]

TEMPLATES = Path(__file__).parent / "report"

_TABLES = """\
{% from "parts.html" import show %}
{% for table in tables %}
{{ show(table) }}
{% endfor %}
"""


def as_html(tables: Iterable[Table]) -> Markup:
    """Return tables as a part of a page: every text is escaped, and no style is set."""
    return Markup(_environment().from_string(_TABLES).render(tables=list(tables)))


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
