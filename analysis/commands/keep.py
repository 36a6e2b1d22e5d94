"""Put results into analysis/history, small enough to be committed: samples are rounded. `jitcost site`
publishes what is there. Only results of commits that HEAD leads back to by first parents are kept,
since asv draws no others. They are added to what is there, or (--replace) take the place of all that is
there of their machines, if every result of these can be kept. Then commit the folder.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from jitcost.errors import BadCallError, NothingFoundError
from jitcost.measuring.checkout import HISTORY, checkout, drawn_commits
from jitcost.measuring.lock import alone
from jitcost.store import keeping, results
from jitcost.store.noise import keep_noise

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
    parser.add_argument(
        "--replace",
        action="store_true",
        help="set aside in .asv/replaced what else is kept of the machines whose results these are",
    )
    parser.add_argument(
        "--noise",
        type=Path,
        metavar="FILE",
        help="keep no results, but what `jitcost check --json` has said of an unchanged pair",
    )


def run(args: argparse.Namespace) -> int:
    """Copy what can be kept; print what cannot, and where the rest is."""
    if args.noise is not None and (args.results or args.commit or args.replace):
        raise BadCallError("--noise keeps no results; of the other options, --machine goes with it")
    root, _ = checkout(ignore_changes=True)
    work = root / ".asv"
    work.mkdir(exist_ok=True)
    # Who measures writes into the results, and who publishes reads what is kept.
    with alone(work / "lock"):
        if args.noise is None:
            _keep_results(args, root / HISTORY, work / "replaced")
        else:
            noise = keep_noise(args.noise, root / HISTORY, args.machine)
            print(f"the noise is in {os.path.relpath(noise)}")
    return 0


def _keep_results(args: argparse.Namespace, history: Path, replaced: Path) -> None:
    folder = args.results or results.default_folder()
    kept = keeping.keep(
        folder,
        history,
        replaced,
        drawn_commits(),
        machine=args.machine,
        commits=args.commit,
        replace=args.replace,
    )
    for path, file in kept.left_out:
        print(f"left out: {path.name}: HEAD does not lead back to {file.commit[:8]}")
    if not kept.files:
        raise NothingFoundError(f"{folder} holds no results that can be kept")
    if kept.set_aside:
        print(f"{len(kept.set_aside)} that were kept are now in {os.path.relpath(replaced)}")
    kinds = {".json", ".processes"}
    size = sum(path.stat().st_size for path in history.rglob("*") if path.suffix in kinds)
    print(
        f"{kept.files} result files are in {os.path.relpath(history)}, {size / 1e6:.1f} MB in all"
    )
