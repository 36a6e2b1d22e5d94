"""What `check` and `bisect` have in common: which sides, which cells, how long."""

from __future__ import annotations

import argparse
import contextlib
import traceback
from collections.abc import Iterator
from pathlib import Path

from jitcost.commands import _common, _values
from jitcost.errors import AsvError, BadCallError, JitcostError
from jitcost.files import write_atomically
from jitcost.measuring.checking import Wanted
from jitcost.measuring.selection import Selection
from jitcost.measuring.suite import AsvSuite

__all__ = [
    "add_sides_options",
    "add_wanted_options",
    "own_faults",
    "require_writable",
    "wanted",
    "write",
]


def require_writable(*paths: Path | None) -> None:
    """Refuse a file that could not be written: not after minutes of measuring."""
    for path in paths:
        if path is not None and (path.is_dir() or not path.absolute().parent.is_dir()):
            raise BadCallError(f"cannot write {path}: its folder is not there, or it is one")


def write(path: Path, text: str) -> None:
    """Write a file that a person has asked for; `BadCallError` where that cannot be."""
    try:
        write_atomically(path, text)
    except OSError as error:
        raise BadCallError(f"cannot write {path}: {error.strerror}") from None


@contextlib.contextmanager
def own_faults() -> Iterator[None]:
    """End with 2 where nothing could be compared: 1 is what says that a commit is slower."""
    try:
        yield
    except AsvError as error:
        raise BadCallError(str(error)) from None
    except (JitcostError, BrokenPipeError):
        raise
    except Exception as error:
        traceback.print_exc()
        raise BadCallError(
            f"{type(error).__name__}: a fault of jitcost itself; see above"
        ) from None


def add_sides_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that say what is compared where it is not two commits."""
    _common.add_source_options(parser, "the later side has this version")
    parser.add_argument(
        "--env", metavar="NAME", help="the later side is this environment on record"
    )
    parser.add_argument(
        "--against",
        action="append",
        default=[],
        metavar="WHAT",
        help="the earlier side's version, or environment; default: the project's own versions",
    )


def add_wanted_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that say what of an asv suite is measured, and for how long."""
    parser.add_argument(
        "--time",
        default="10m",
        metavar="TIME",
        help="for measuring, environments not counted (bisect: the ends alone); default: 10m",
    )
    parser.add_argument("--bench", metavar="REGEX", help="the benchmarks and cells that it matches")
    parser.add_argument("--workload", action="append", metavar="NAME", help="repeatable")
    parser.add_argument("--backend", action="append", metavar="NAME", help="repeatable")
    parser.add_argument("--n", action="append", metavar="N", help="a size; repeatable")
    parser.add_argument(
        "--config", type=Path, metavar="FILE", help="asv's; default: the nearest asv.conf.json"
    )
    parser.add_argument(
        "--ignore-changes",
        action="store_true",
        help="go on although the working tree differs from the commit",
    )


def wanted(args: argparse.Namespace, suite: AsvSuite) -> Wanted:
    """Return what these options want of a suite."""
    chosen = args.workload or args.backend or args.n
    if chosen and not (suite.own or suite.has_backends):
        raise BadCallError(
            "this suite has no workloads and backends; --bench takes a regular expression"
        )
    sizes = None if args.n is None else [_values.whole_number(text) for text in args.n]
    selection = Selection(args.workload, args.backend, sizes, full=True, own=suite.own)
    return Wanted(args.bench, selection, _values.seconds(args.time, "--time"))
