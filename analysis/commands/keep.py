"""Put results into analysis/history, small enough to be committed: samples are rounded. `jitcost site`
publishes what is there. Only results of commits that HEAD leads back to by first parents are kept,
since asv draws no others. Then commit the folder.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from jitcost.errors import NothingFoundError
from jitcost.measuring.checkout import HISTORY, checkout, drawn_commits
from jitcost.store import keeping, results

__all__ = ["add_arguments", "run"]

EXAMPLE = "jitcost keep --machine vm"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "--results",
        type=Path,
        metavar="DIR",
        help="an asv results folder; default: the one that asv.conf.json names",
    )
    parser.add_argument("--machine", metavar="NAME", help="default: all")
    parser.add_argument(
        "--commit", metavar="HASH", action="append", help="default: all; repeatable"
    )


def run(args: argparse.Namespace) -> int:
    """Copy what can be kept; print what cannot, and where the rest is."""
    root, _ = checkout(ignore_changes=True)
    folder = args.results or results.default_folder()
    history = root / HISTORY
    kept = keeping.keep(
        folder,
        history,
        root / ".asv" / "replaced",
        drawn_commits(),
        machine=args.machine,
        commits=args.commit,
    )
    for path, file in kept.left_out:
        print(f"left out: {path.name}: HEAD does not lead back to {file.commit[:8]}")
    if not kept.files:
        raise NothingFoundError(f"{folder} holds no results that can be kept")
    kinds = {".json", ".processes"}
    size = sum(path.stat().st_size for path in history.rglob("*") if path.suffix in kinds)
    print(
        f"{kept.files} result files are in {os.path.relpath(history)}, {size / 1e6:.1f} MB in all"
    )
    return 0
