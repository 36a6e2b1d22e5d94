"""What `history` and `changes` share: options, and the cells of all releases and commits."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from jitcost.commands import _common
from jitcost.errors import NothingFoundError
from jitcost.questions import releases
from jitcost.questions.choosing import Chosen
from jitcost.show.answers.history import unpinned_text
from jitcost.store import results

__all__ = ["add_arguments", "cells_of", "nothing_found"]

_COMMIT = "the releases that were measured at this one; default: {}, and all commits"


def add_arguments(parser: argparse.ArgumentParser, releases_of: str) -> None:
    """Declare the options.

    Parameters
    ----------
    parser : argparse.ArgumentParser
    releases_of : str
        Whose releases are taken unasked.
    """
    parser.add_argument(
        "--over", metavar="WHAT", help="a library, or commits; default: all that there is"
    )
    _common.add_result_options(parser, commit=_COMMIT.format(releases_of))
    _common.add_choosing_options(parser)
    _common.add_format_options(parser)


def cells_of(args: argparse.Namespace) -> Chosen:
    """Return the cells that are meant, with all backends: those not named serve as baselines."""
    everything = results.read(args.results or results.default_folder())
    of_machine = results.of_machine(everything, args.machine)
    found = _common.chosen(of_machine, args, alone=True, all_backends=True)
    for library, environments in releases.unpinned(found.cells).items():
        if args.over in (None, library):
            print(f"jitcost: {unpinned_text(library, environments)}", file=sys.stderr)
    return found


def nothing_found(missing: Sequence[str]) -> NothingFoundError:
    """Return the error of results without a series."""
    said = "these results hold no two releases or commits to compare"
    return NothingFoundError("; ".join([said, *missing]))
