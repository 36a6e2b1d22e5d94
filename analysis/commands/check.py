"""Has a change made something slower? Measures two commits of an asv suite in turns, or two versions
of a library at one commit, or two environments on record: as many cells as fit into the time. What looks
suspicious is measured again, and only these fresh processes decide. Ends with 1 if a cell is slower by
the threshold or more, or fails; with 0 if none is; with 3 if too many could not be told; with 2 after a
bad call.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from jitcost.commands import _common, _gate, _values
from jitcost.errors import BadCallError
from jitcost.measuring import comparing
from jitcost.measuring.checking import Measured, check
from jitcost.measuring.sides import Side
from jitcost.measuring.suite import AsvSuite, find_suite
from jitcost.questions import check as question
from jitcost.questions.answers import objects_of
from jitcost.show.answers.check import as_comment, as_junit, tables
from jitcost.show.terminal import PipeConsole

__all__ = ["add_arguments", "run"]

EXAMPLE = "jitcost check main --time 5m --threshold 5%"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("base", nargs="?", metavar="BASE", help="the earlier commit")
    parser.add_argument("head", nargs="?", metavar="HEAD", help="the later; default: HEAD")
    _gate.add_sides_options(parser)
    _gate.add_wanted_options(parser)
    parser.add_argument(
        "--threshold", default="5%", metavar="SHARE", help="slower from here on; default: 5%%"
    )
    parser.add_argument(
        "--cannot-tell",
        default="20%",
        metavar="SHARE",
        help="of the cells may remain without a verdict; default: 20%%",
    )
    parser.add_argument("--json", action="store_true", help="print strict JSON, not a table")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="write a comment, too")
    parser.add_argument("--junit", type=Path, metavar="FILE", help="write JUnit's XML, too")


def run(args: argparse.Namespace) -> int:
    """Measure, judge, and show; return the exit status."""
    options = question.Options(
        _values.share(args.threshold, "--threshold"),
        _values.share(args.cannot_tell, "--cannot-tell"),
    )
    _gate.require_writable(args.markdown, args.junit)
    with _gate.own_faults():
        suite = find_suite(args.config, ignore_changes=args.ignore_changes)
        wanted = _gate.wanted(args, suite)
        sides = _sides(suite, args)
        measured = check(PipeConsole(stderr=args.json), suite, sides, wanted)
        found = _judged(sides, measured, options)
        _show(found, args)
    return found.status


def _judged(
    sides: tuple[Side, Side], measured: Measured, options: question.Options
) -> question.Check:
    looks = measured.looks
    earlier, later = (
        question.Side(side.name, side.commit, versions)
        for side, versions in zip(sides, measured.distributions, strict=True)
    )
    return question.ask(
        (earlier, later),
        looks.first,
        looks.fresh,
        looks.suspicious,
        benchmarks=measured.benchmarks,
        failed=looks.failed,
        single_calls=measured.single_calls,
        left_out=looks.left_out,
        finished=looks.finished,
        options=options,
    )


def _sides(suite: AsvSuite, args: argparse.Namespace) -> tuple[Side, Side]:
    ways = [args.base is not None, bool(args.versions), args.env is not None]
    if sum(ways) != 1:
        raise BadCallError(
            'give a commit, or --with "jax==0.9.2" --against "jax==0.12", or --env A --against B'
        )
    if args.base is not None and args.against:
        raise BadCallError("--against goes with --with or --env; BASE and HEAD are two commits")
    if args.base is not None:
        return comparing.of_commits(suite, args.base, args.head)
    if args.env is None:
        return comparing.of_versions(
            suite, args.against, args.versions, index_urls=args.index_urls, pre=args.pre
        )
    if len(args.against) != 1:
        raise BadCallError("--env A needs --against B, another environment on record")
    return comparing.of_environments(suite, args.against[0], args.env)


def _show(found: question.Check, args: argparse.Namespace) -> None:
    form = "json" if args.json else "table"
    _common.print_as(form, lambda: objects_of(found), lambda: tables(found))
    if args.markdown is not None:
        _gate.write(args.markdown, as_comment(found))
    if args.junit is not None:
        _gate.write(args.junit, as_junit(found))
