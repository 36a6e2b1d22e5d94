"""The `jitcost` command."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from analysis.errors import BadCallError, JitcostError

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; return 0, or 2 for a bad call, or 1 where it was right and has failed."""
    args = _parser().parse_args(argv)
    try:
        return int(args.run(args))
    except ModuleNotFoundError as error:
        extra = "bench" if args.command == "bench" else "analysis"
        return _complain(f"{error.name} is missing; python -m pip install 'jitcost[{extra}]'", 2)
    except JitcostError as error:
        return _complain(str(error), error.status)
    except KeyboardInterrupt:
        return _complain("interrupted; what had finished is kept", 130)


def _complain(message: str, status: int) -> int:
    print(f"jitcost: {message}", file=sys.stderr)
    return status


class _Parser(argparse.ArgumentParser):
    """argparse, with a bad call answered in one line."""

    def error(self, message: str) -> None:  # type: ignore[override]
        self.exit(2, f"{self.prog}: {message}; see {self.prog} --help\n")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="jitcost",
        description="Where the time goes in numerical Python, measured.",
        epilog="example: jitcost bench recursion --backend numpy --backend numba --n 1000",
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    bench = commands.add_parser(
        "bench",
        help="measure HEAD with asv, publish the pages, show the tables",
        description="Measure the checked-out commit with asv in an environment of its own, keep "
        "every step that finished, publish the history pages and show who wins where.",
        epilog="example: jitcost bench elementwise --backend jax_jit --backend numpy",
    )
    bench.add_argument("workloads", nargs="*", metavar="WORKLOAD", help="default: all")
    bench.add_argument(
        "--backend", action="append", metavar="NAME", help="default: all; repeatable"
    )
    bench.add_argument("--n", action="append", metavar="N", help="a size of the ladder; repeatable")
    bench.add_argument("--full", action="store_true", help="every size, with the samples recorded")
    bench.add_argument(
        "--ignore-changes",
        action="store_true",
        help="measure HEAD although the working tree has changes that it does not",
    )
    bench.set_defaults(run=_bench)
    return parser


def _bench(args: argparse.Namespace) -> int:
    from analysis.bench import Selection, bench

    selection = Selection(
        workloads=args.workloads or None,
        backends=args.backend,
        sizes=None if args.n is None else list(map(_whole_number, args.n)),
        full=args.full,
    )
    return bench(selection, ignore_changes=args.ignore_changes)


def _whole_number(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise BadCallError(f"n = {text!r} is not a whole number; give one of at least 1") from None


if __name__ == "__main__":
    sys.exit(main())
