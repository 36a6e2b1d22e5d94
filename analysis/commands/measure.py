"""Measure your own functions on every backend that your file has them for, and compare them: which is
faster, from which n on, is compiling worth it, and how sure is that. In any folder; no configuration.

    def inputs(n, rng): return (rng.normal(size=n),)     what kernels get, an argument for each item
    def kernel(x, xp): return xp.tanh(x).sum()           numpy, jax_eager and jax_jit
    def kernel_numba(x): ...                             a backend of its own, by the end of its name

Results are kept in .jitcost beside the file: compare, fit, breakeven, plan, history answer from there.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from jitcost.commands import _values
from jitcost.errors import BadCallError
from jitcost.files import write_atomically
from jitcost.measured.files import Comparison, Options, compare_states, measure_file
from jitcost.measured.functions import watched
from jitcost.measured.result import Measured
from jitcost.own.errors import OwnFileError
from jitcost.own.sizes import parse_sizes

__all__ = ["add_arguments", "run"]

EXAMPLE = "jitcost measure rbf.py --sizes 10:1e4 --backends numpy,jax_jit,numba"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("file", type=Path, metavar="FILE.py")
    parser.add_argument(
        "--sizes", metavar="SIZES", help="10:1e6 (decades), 10:1e6:3, or 10,100,1000"
    )
    parser.add_argument("--backends", metavar="NAMES", help="with commas between; default: all")
    parser.add_argument(
        *("--only", "--workload"),
        action="append",
        metavar="PROBLEM",
        help="default: all; repeatable",
    )
    parser.add_argument("--processes", default="5", metavar="N", help="of each kernel; default: 5")
    parser.add_argument(
        "--time", default="60", metavar="SECONDS", help="of the whole, about; default: 60"
    )
    parser.add_argument(
        "--timeout",
        default="30",
        metavar="SECONDS",
        help="of the check or the timing of one size; default: 30",
    )
    parser.add_argument("--name", metavar="NAME", help="of the problem; default: the file's")
    parser.add_argument(
        "--machine", metavar="NAME", help="to keep results under; default: the host's"
    )
    parser.add_argument(
        "--against",
        metavar="WHAT",
        help="an earlier state to compare with: last, git:REF, or another file",
    )
    parser.add_argument("--json", action="store_true", help="print strict JSON, not tables")
    parser.add_argument("--csv", action="store_true", help="print the comparison as CSV")
    parser.add_argument("--html", type=Path, metavar="FILE", help="write a page as well")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw the times as well")


def run(args: argparse.Namespace) -> int:
    """Measure; return the exit status."""
    options = _options(args)
    if args.against and (args.csv or args.html or args.plot):
        raise BadCallError("--against prints verdicts, and takes none of --csv, --html, --plot")
    with watched() as watch:
        if args.against:
            compared = compare_states(args.file, args.against, options, watch)
        else:
            found = measure_file(args.file, options, watch)
    if args.against:
        _print(compared, args.json)
        return 0
    if args.csv:
        from jitcost.show.answers.compare import tables
        from jitcost.show.plain import as_csv

        print(as_csv(tables(found.compare())), end="")
    else:
        _print(found, args.json)
    if args.html:
        _write(args.html, found.page())
    if args.plot:
        found.draw(args.plot)
    return 0


def _print(found: Measured | Comparison, as_json: bool) -> None:
    if as_json:
        print(json.dumps(found.objects(), indent=1, allow_nan=False))
    else:
        from jitcost.show.terminal import print_all

        print_all(found.parts())


def _options(args: argparse.Namespace) -> Options:
    try:
        sizes = parse_sizes(args.sizes) if args.sizes else None
    except OwnFileError as error:
        raise BadCallError(f"--{error}") from None
    processes = _values.whole_number(args.processes, "--processes")
    return Options(
        sizes=sizes,
        backends=tuple(filter(None, (args.backends or "").split(","))),
        only=tuple(args.only or ()),
        processes=processes,
        budget=_values.seconds(args.time, "--time"),
        timeout=_values.seconds(args.timeout, "--timeout"),
        name=args.name,
        machine=args.machine,
    )


def _write(path: Path, text: str) -> None:
    try:
        write_atomically(path, text)
    except OSError as error:
        raise BadCallError(f"cannot write {path}: {error.strerror}") from None
