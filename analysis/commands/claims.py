"""Which of the article's quantitative claims hold on this machine? Each with its figure, the one
measured here with its interval, and a verdict: a claim holds where the interval lies within its range,
does not hold where it lies wholly outside, and where it reaches across an end, or there is none, we
cannot tell. What the article leaves open is supported by an experiment, or not, by the same rule.

The range of a time, and of a ratio, is a factor of two around the article's figure, which is another
machine's; a claim that something is slower holds above 1; the others name theirs (holds if, in --json
`means`). Of each machine the results are shown that have most of the claims, of such the newest, and
likewise of what the article leaves open.
"""

from __future__ import annotations

import argparse
import sys

from jitcost.commands import _common
from jitcost.questions import claims
from jitcost.questions.newest import by_age
from jitcost.show.answers.claims import tables
from jitcost.show.answers.titles import left_out

__all__ = ["add_arguments", "run"]

EXAMPLE = "jitcost claims --json"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options: there are none but those that select results."""
    _common.add_question_options(parser)


def run(args: argparse.Namespace) -> int:
    """Answer; return the exit status."""
    cells = _common.asked(args).cells
    answer = claims.ask(cells)
    if not args.all_origins:
        chosen = claims.most_measured(answer, cells)
        every, shown = ({repr(row.origin) for row in rows} for rows in (answer, chosen))
        by_name = [(repr(origin), origin) for origin, _ in by_age(cells)]
        if others := [origin for name, origin in by_name if name in every - shown]:
            those = [origin for name, origin in by_name if name in shown]
            said = left_out(others, those, "the newest with most claims")
            print(f"jitcost: {said}", file=sys.stderr)
        answer = chosen
    return _common.show(answer, tables, args.format)
