"""What the planner on the page computes with: the measured times, and the fits between them."""

from __future__ import annotations

import json
from typing import Any

import polars as pl
from markupsafe import Markup

from jitcost.commands.breakeven import steady_and_first
from jitcost.questions.groups import backend_order, interval, k_of
from jitcost.stats.model import fit

__all__ = ["planner_data", "script_json"]


def planner_data(cells: pl.DataFrame) -> list[dict[str, Any]]:
    """Return, for each workload with first calls, what `planner.js` plans with.

    The rule is that of `jitcost.commands.plan`; only the arithmetic is done again on the page.

    Parameters
    ----------
    cells : polars.DataFrame
        Of one place.

    Returns
    -------
    list of dict
        workload, params, sizes (at which some backend has both times, increasing) and backends:
        each with its name and, for `first` and `steady`, points [n, time, low, high], bends, pieces
        [call cost, element cost, misfit, Student's t, the costs' covariance] (see
        `jitcost.stats.model.Line.interval`) and why there is no fit. Seconds.
    """
    workloads = []
    for head, steady, first in steady_and_first(cells):
        workloads.append(
            {
                "workload": head["workload"],
                "params": head["params"],
                "sizes": _planned_without_fit(steady, first),
                "backends": [
                    {
                        "backend": backend,
                        "first": _times(first.filter(backend=backend), k_of(head)),
                        "steady": _times(steady.filter(backend=backend), k_of(head)),
                    }
                    for backend in backend_order(steady)
                ],
            }
        )
    return workloads


def _planned_without_fit(steady: pl.DataFrame, first: pl.DataFrame) -> list[float]:
    both = steady.join(first, on=["backend", "n"], how="semi")
    sizes: list[float] = both["n"].unique().sort().to_list()
    return sizes


def _times(group: pl.DataFrame, k: int) -> dict[str, Any]:
    found = fit(group["n"].to_list(), group["value"].to_list(), k)
    return {
        "points": [
            [cell["n"], cell["value"], *interval(cell)] for cell in group.iter_rows(named=True)
        ],
        "bends": list(found.bends),
        "pieces": [
            [p.call_cost, p.element_cost, p.misfit, p.quantile, *(p.k**2 * v for v in p.covariance)]
            for p in found.pieces
        ],
        "reason": found.reason,
    }


def script_json(data: Any) -> Markup:
    """Return strict JSON that no text in it can end the `script` element of."""
    text = json.dumps(data, allow_nan=False, separators=(",", ":"))
    for letter in "<>&":
        text = text.replace(letter, f"\\u{ord(letter):04x}")
    return Markup(text)
