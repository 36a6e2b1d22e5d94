"""A table as HTML, and how the pages are made."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import jinja2
from markupsafe import Markup

from jitcost.show.table import Table

__all__ = ["TEMPLATES", "Draft", "Link", "as_html", "fragment"]

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


@dataclass(frozen=True)
class Draft:
    """A page but for what leads to the other pages, which is known when all are drafted.

    Attributes
    ----------
    template : str
        The name of one of `TEMPLATES`.
    content : mapping of str to object
        What it shows.
    """

    template: str
    content: Mapping[str, object]

    def page(self, links: Sequence[Link] = ()) -> str:
        """Return the page, in the style that all have: HTML that loads nothing.

        Parameters
        ----------
        links : sequence of Link
            The pages of the site that it is a part of, it among them.
        """
        css = (TEMPLATES / "page.css").read_text(encoding="utf-8")
        return (
            _environment().get_template(self.template).render(css=css, links=links, **self.content)
        )


def _environment() -> jinja2.Environment:
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
