"""Write what the kept results say, beside them: FINDINGS.md and ACCOUNT.md, with their figures. Every
table, and every number in a sentence, is generated. Where a sentence no longer holds it is named, and
nothing is written: it is to be written anew, in the page's template.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from jitcost.errors import BadCallError
from jitcost.files import write_atomically
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
    """Write the files, and print their paths, a line each."""
    folder = args.results or checkout(ignore_changes=True)[0] / HISTORY
    if not folder.is_dir():
        raise BadCallError(f"no results folder {folder}; keep some with `jitcost keep`")
    cells = results.read(folder)
    from jitcost.show.notes import pages

    try:
        for name, text in pages(cells, folder).items():
            write_atomically(folder / name, text)
            print(os.path.relpath(folder / name))
        if not args.no_figures:
            from jitcost.show.figures.layout import save
            from jitcost.show.notes.figures import figures

            for name, drawn in figures(cells, folder):
                save(drawn, folder / name)
                print(os.path.relpath(folder / name))
    except OSError as error:
        raise BadCallError(f"cannot write to {folder}: {error.strerror}") from None
    return 0
