"""Draw figures: the article's Figure 1 from these results, or one for a question. A file in each format
for each machine, from the newest of its results that have it; machines are not compared.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import polars as pl

from jitcost.commands import _common
from jitcost.errors import BadCallError, NothingFoundError
from jitcost.questions.newest import by_age
from jitcost.show.answers.titles import left_out
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
    parser.add_argument("--all-origins", action="store_true", help=_common.ALL_ORIGINS)


def run(args: argparse.Namespace) -> int:
    """Write the files and print their paths, a line each."""
    names, formats = args.names or ["article"], args.format.split(",")
    _refuse_unknown("figure", names, list(DRAWINGS))
    _refuse_unknown("format", formats, list(FORMATS))
    aged = list(by_age(_common.asked(args, alone=True).cells))
    together = pl.concat(its for _, its in aged)
    places = list(provenances(together, args.results or results.default_folder()))
    drawn = list(_drawn(dict.fromkeys(names), places, every=args.all_origins))
    used = sorted({number for _, number, _ in drawn})
    endings = dict(zip(used, _endings([places[number][0] for number in used]), strict=True))
    try:
        args.folder.mkdir(parents=True, exist_ok=True)
        for name, number, drawing in tracked(drawn, "Drawing figures"):
            stem = f"{name}{endings[number]}"
            paths = [args.folder / f"{stem}.{form}" for form in dict.fromkeys(formats)]
            _write(drawing, places[number][0], paths)
            print(*paths, sep="\n")
    except OSError as error:
        raise BadCallError(f"cannot write to {args.folder}: {error.strerror}") from None
    for name in names:
        if name not in {one for one, _, _ in drawn}:
            print(f"jitcost: these results hold nothing to draw for {name}", file=sys.stderr)
    if not drawn:
        raise NothingFoundError("no figure was drawn")
    others = [origin for number, (origin, _) in enumerate(aged) if number not in used]
    if others and not args.all_origins:
        said = left_out(others, [aged[number][0] for number in used])
        print(f"jitcost: {said}", file=sys.stderr)
    return 0


def _drawn(
    names: Iterable[str], places: Sequence[tuple[Provenance, pl.DataFrame]], *, every: bool
) -> Iterator[tuple[str, int, Drawing]]:
    """Yield each figure with the number of its place: of each machine the first that has one, or all."""
    for name in names:
        machines: set[str] = set()
        for number, (place, its) in enumerate(places):
            if every or place.machine not in machines:
                drawing = DRAWINGS[name](its)
                if drawing.panels:
                    machines.add(place.machine)
                    yield name, number, drawing


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
