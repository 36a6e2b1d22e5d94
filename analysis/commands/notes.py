"""Write what the kept results say, beside them: FINDINGS.md and ACCOUNT.md, with their figures. Every
table, and every number in a sentence, is generated. Where a sentence no longer holds it is named, and
nothing is written: it is to be written anew, in the page's template. A page or figure of earlier
results for which these hold nothing is removed.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from jitcost.errors import BadCallError
from jitcost.files import replacing
from jitcost.measuring.checkout import HISTORY, checkout
from jitcost.store import results

__all__ = ["add_arguments", "run"]

EXAMPLE = "jitcost notes --no-figures"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "--results", type=Path, metavar="DIR", help=f"default: {HISTORY} of this checkout"
    )
    parser.add_argument("--no-figures", action="store_true", help="the pages alone")


def run(args: argparse.Namespace) -> int:
    """Write the files, and print their paths, a line each; those of earlier results are removed."""
    folder = args.results or checkout(ignore_changes=True)[0] / HISTORY
    if not folder.is_dir():
        raise BadCallError(f"no results folder {folder}; keep some with `jitcost keep`")
    cells = results.read(folder)
    from jitcost.show.notes import PAGES, pages

    contents = {name: text.encode() for name, text in pages(cells, folder).items()}
    names = set(PAGES)
    if not args.no_figures:
        from jitcost.show.figures.layout import encoded, figure
        from jitcost.show.notes.figures import FIGURES, drawings

        names.update(FIGURES)
        for name, drawing in drawings(cells, folder):
            contents[name] = encoded(figure(drawing.panels, drawing.caption), "png")
    for name, content in contents.items():
        _write(folder / name, content)
        print(os.path.relpath(folder / name))
    for name in sorted(names - contents.keys()):
        if _remove(folder / name):
            path = os.path.relpath(folder / name)
            print(f"removed {path}: the results hold nothing for it", file=sys.stderr)
    return 0


def _write(path: Path, content: bytes) -> None:
    try:
        with replacing(path) as temporary:
            temporary.write_bytes(content)
    except OSError as error:
        raise BadCallError(f"cannot write {path}: {error.strerror or error}") from None


def _remove(path: Path) -> bool:
    """Remove a file; tell whether it was there."""
    try:
        path.unlink()
    except FileNotFoundError:
        return False
    except OSError as error:
        raise BadCallError(f"cannot remove {path}: {error.strerror or error}") from None
    return True
