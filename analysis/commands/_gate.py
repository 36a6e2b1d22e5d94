"""What `check` and `bisect` have in common: which sides, which cells, how long."""

from __future__ import annotations

import argparse
from pathlib import Path

from jitcost.commands import _common
from jitcost.errors import BadCallError
from jitcost.files import write_atomically
from jitcost.measuring.checking import Wanted
from jitcost.measuring.selection import Selection

__all__ = ["add_sides_options", "add_wanted_options", "duration", "share", "wanted", "write"]


def share(text: str, option: str) -> float:
    """Return an option's value as a share, written like 5% or 0.05.

    >>> share("5%", "--threshold"), share("0.05", "--threshold")
    (0.05, 0.05)
    """
    try:
        number = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        number = -1.0
    if not 0 <= number < 10:
        raise BadCallError(f"{option} {text}: give a share, such as 5% or 0.05")
    return number


def duration(text: str, option: str) -> float:
    """Return an option's value in seconds, written like 90, 90s, 10m or 2h.

    >>> [duration(text, "--time") for text in ("90", "90s", "1.5m", "2h")]
    [90.0, 90.0, 90.0, 7200.0]
    """
    units = {"s": 1, "m": 60, "h": 3600}
    plain = text[:-1] if text[-1:] in units else text
    try:
        number = float(plain) * units.get(text[-1:], 1)
    except ValueError:
        number = 0.0
    if not 0 < number < 1e6:
        raise BadCallError(f"{option} {text}: give a time, such as 90s, 10m or 2h")
    return number


def write(path: Path, text: str) -> None:
    """Write a file that a person has asked for; `BadCallError` where that cannot be."""
    try:
        write_atomically(path, text)
    except OSError as error:
        raise BadCallError(f"cannot write {path}: {error.strerror}") from None


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
        help="what measuring may take, besides making environments; default: 10m",
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


def wanted(args: argparse.Namespace, own: tuple[str, ...] = ()) -> Wanted:
    """Return what these options want of a suite."""
    sizes = None if args.n is None else [_common.whole_number(text) for text in args.n]
    selection = Selection(args.workload, args.backend, sizes, full=True, own=own)
    return Wanted(args.bench, selection, duration(args.time, "--time"))
