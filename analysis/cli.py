"""The `jitcost` command: one module of `jitcost.commands` for each word after it."""

from __future__ import annotations

import argparse
import errno
import importlib
import sys
from collections.abc import Sequence
from typing import Any

import jitcost
from jitcost import streams
from jitcost.errors import JitcostError

__all__ = ["main"]

# In the order in which a person would want them. A command is the module of its name: add_arguments
# declares its options, and either run(args) carries it out and returns the exit status, or it is a
# question: answer(cells, args) returns JSON-ready objects, render(rows) what a person reads.
COMMANDS = {
    "measure": "your own functions, in one file: which backend is faster, and is compiling worth it",
    "demo": "the same of an example, written into this folder: a file to begin with",
    "init": "an asv suite of your own functions in your repository: their times over its commits",
    "bench": "measure the checked-out commit with asv, publish the pages, show the tables",
    "workloads": "what there is to measure, on which backend, and what is left out for which reason",
    "compare": "which backend wins where",
    "fit": "what a call and an element cost, and whether the model holds",
    "breakeven": "after how many calls compiling has paid",
    "crossover": "at which n another backend becomes the faster one",
    "account": "where a call's time goes, part by part, and why the curves bend",
    "plan": "which backend for M calls at size N, and how long they take",
    "claims": "which of the article's claims hold on this machine",
    "hlo": "what jit makes of a workload: kernels, fusions, temporaries, counted flops",
    "predict": "how good predictions by the model are",
    "figure": "draw the article's figure, or one for each question",
    "report": "one page with the tables, the figures and a planner",
    "check": "has a commit, a version or an environment made something slower: a gate for CI",
    "bisect": "which commit, or which release of a library, has changed it",
    "history": "what has changed over releases of the libraries, and over commits",
    "changes": "where a history has changed for good, by how much, at which release or commit",
    "backfill": "measure what the history lacks: releases of JAX, NumPy and Numba, or commits",
    "keep": "put results into analysis/history, to be committed",
    "notes": "write what the kept results say beside them: pages and their figures",
    "site": "publish asv's pages from the results in analysis/history",
    "results": "every measured cell, as a table, CSV, JSON or Parquet",
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; return 0, or 2 for a bad call, or 1 where it was right and has failed."""
    streams.tolerate_encodings()
    try:
        try:
            return _status([*map(streams.as_typed, sys.argv[1:] if argv is None else argv)])
        finally:
            # Here, and not at the interpreter's end, where nobody answers for a pipe that has closed.
            if sys.stdout is not None:
                sys.stdout.flush()
    except BrokenPipeError:  # the reader has seen enough
        streams.discard_output()
        return 0
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT):
            raise
        status = _complain(f"cannot write: {error.strerror}", 1)
        streams.discard_output()
        return status


def _status(argv: Sequence[str]) -> int:
    name, *rest = _first_word(argv)
    try:
        command = importlib.import_module(f"jitcost.commands.{name}")
        args = _parser(name, command).parse_args(rest)
        return int(command.run(args))
    except ModuleNotFoundError as error:
        return _complain(_how_to_get(error.name or str(error)), 2)
    except JitcostError as error:
        return _complain(str(error), error.status)
    except KeyboardInterrupt:
        return _complain("interrupted; what had finished is kept", 130)


# By module: the extra of this project that brings it. Everything else comes with the project itself.
_EXTRAS = {"jax": "jax", "jaxlib": "jax", "numba": "numba", "llvmlite": "numba"}
_EXTRAS |= dict.fromkeys(("juliacall", "juliapkg"), "julia")


def _how_to_get(module: str) -> str:
    name = module.partition(".")[0]
    wanted = f"'jitcost[{_EXTRAS[name]}]'" if name in _EXTRAS else "--upgrade jitcost"
    return f"{module} is missing; python -m pip install {wanted}"


def _complain(message: str, status: int) -> int:
    print(f"jitcost: {message}", file=sys.stderr)
    return status


class _Parser(argparse.ArgumentParser):
    """argparse, with a bad call answered in one line."""

    def error(self, message: str) -> None:  # type: ignore[override]
        self.exit(2, f"jitcost: {message}; see {self.prog} --help\n")


class _Version(argparse.Action):
    """--version: asked for the version only then, since reading a distribution's takes a moment."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings, nargs=0, default=argparse.SUPPRESS)

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        from importlib.metadata import version

        print(f"jitcost {getattr(jitcost, '__version__', None) or version('jitcost')}")
        parser.exit()


def _first_word(argv: Sequence[str]) -> Sequence[str]:
    """Return the arguments if they begin with a command, else explain or complain, and exit."""
    width = max(map(len, COMMANDS))
    parser = _Parser(
        prog="jitcost",
        description="Where the time goes in numerical Python, measured.",
        epilog="commands:\n"
        + "\n".join(f"  {name:{width}}  {summary}" for name, summary in COMMANDS.items())
        + "\n\njitcost COMMAND --help explains a command, with an example.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action=_Version, help="print it, and exit")
    parser.add_argument("command", choices=COMMANDS, metavar="COMMAND")
    parser.parse_args(argv[:1])
    return argv


def _parser(name: str, command: Any) -> argparse.ArgumentParser:
    parser = _Parser(
        prog=f"jitcost {name}",
        description=command.__doc__,
        epilog=f"example: {command.EXAMPLE}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.add_arguments(parser)
    return parser


if __name__ == "__main__":
    sys.exit(main())
