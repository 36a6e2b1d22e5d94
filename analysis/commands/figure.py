"""Draw figures: the article's Figure 1 from these results, or one for a question. A file in each format
for each machine, environment and commit; they are not compared with one another.
"""

from __future__ import annotations

import argparse
import itertools
import re
import sys
from collections.abc import Iterable
from pathlib import Path

from jitcost.commands import _common
from jitcost.errors import BadCallError, NothingFoundError
from jitcost.show.figures import DRAWINGS, figure
from jitcost.show.figures.layout import FORMATS, Drawing, save
from jitcost.show.terminal import tracked
from jitcost.store import results
from jitcost.store.origins import Provenance, provenances

__all__ = ["add_arguments", "run"]

EXAMPLE = "jitcost figure article compare -o figures --format svg"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help=f"{', '.join(DRAWINGS)}; default: article"
    )
    parser.add_argument(
        "-o", dest="folder", type=Path, default=Path(), metavar="DIR", help="default: here"
    )
    parser.add_argument(
        "--format",
        default=",".join(FORMATS),
        metavar="FORMAT",
        help=f"one of {', '.join(FORMATS)}, or several with commas between; default: all",
    )
    _common.add_result_options(parser)
    _common.add_choosing_options(parser)


def run(args: argparse.Namespace) -> int:
    """Write the files and print their paths, a line each."""
    names, formats = args.names or ["article"], args.format.split(",")
    _refuse_unknown("figure", names, list(DRAWINGS))
    _refuse_unknown("format", formats, list(FORMATS))
    cells = _common.asked(args, alone=True).cells
    found = list(provenances(cells, args.results or results.default_folder()))
    endings = _endings([origin for origin, _ in found])
    todo = list(itertools.product(dict.fromkeys(names), zip(found, endings, strict=True)))
    written: dict[str, list[Path]] = {name: [] for name in names}
    try:
        args.folder.mkdir(parents=True, exist_ok=True)
        for name, ((place, of_place), ending) in tracked(todo, "Drawing figures"):
            drawing = DRAWINGS[name](of_place)
            if drawing.panels:
                paths = [args.folder / f"{name}{ending}.{form}" for form in dict.fromkeys(formats)]
                _write(drawing, place, paths)
                written[name] += paths
    except OSError as error:
        raise BadCallError(f"cannot write to {args.folder}: {error.strerror}") from None
    for name, paths in written.items():
        for path in paths:
            print(path)
        if not paths:
            print(f"jitcost: these results hold nothing to draw for {name}", file=sys.stderr)
    if not any(written.values()):
        raise NothingFoundError("no figure was drawn")
    return 0


def _write(drawing: Drawing, place: Provenance, paths: Iterable[Path]) -> None:
    drawn = figure(drawing.panels, f"{drawing.caption} {place.sentence()}")
    for path in paths:
        save(drawn, path)


def _refuse_unknown(what: str, given: list[str], known: list[str]) -> None:
    for name in given:
        if name not in known:
            raise BadCallError(f"no {what} {name!r}; there are {', '.join(known)}")


def _endings(found: list[Provenance]) -> list[str]:
    """Return what tells the origins' files apart: nothing for a single one, else its names."""
    if len(found) == 1:
        return [""]
    endings: list[str] = []
    for place in found:
        parts = (place.machine, place.environment, place.commit[:8])
        ending = "".join(f"-{re.sub(r'[^A-Za-z0-9.]+', '_', part)}" for part in parts)
        while ending in endings:
            ending += "_"
        endings.append(ending)
    return endings
