"""A figure as part of an HTML page."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from markupsafe import Markup
from matplotlib.figure import Figure

from jitcost.show.figures.layout import encoded

__all__ = ["inline"]

_SVG = "http://www.w3.org/2000/svg"
_XLINK = "http://www.w3.org/1999/xlink"


def inline(drawn: Figure, title: str, name: str) -> Markup:
    """Return the figure as an `svg` element that can stand beside others on one page.

    Parameters
    ----------
    drawn : matplotlib.figure.Figure
    title : str
        What it shows, for those who do not see it.
    name : str
        Unique on the page: matplotlib numbers the parts of every figure alike.
    """
    root = ElementTree.fromstring(encoded(drawn, "svg", salt=name))
    for parent in list(root.iter()):
        for child in list(parent):
            # Metadata is of no use here, and a style sheet would hold for the whole page.
            if child.tag in (f"{{{_SVG}}}metadata", f"{{{_SVG}}}style"):
                parent.remove(child)
    for element in root.iter():
        for key, value in element.attrib.items():
            if key == "id":
                element.set(key, f"{name}-{value}")
            elif key == f"{{{_XLINK}}}href":
                element.set(key, value.replace("#", f"#{name}-", 1))
            elif "url(#" in value:
                element.set(key, re.sub(r"url\(#", f"url(#{name}-", value))
    said = ElementTree.Element(f"{{{_SVG}}}title", {"id": f"{name}-title"})
    said.text = title
    root.insert(0, said)
    root.set("role", "img")
    root.set("aria-labelledby", f"{name}-title")
    root.set("style", "stroke-linejoin: round; stroke-linecap: butt")
    del root.attrib["width"], root.attrib["height"]  # the page decides
    ElementTree.register_namespace("", _SVG)
    ElementTree.register_namespace("xlink", _XLINK)
    return Markup(ElementTree.tostring(root, encoding="unicode"))
