"""The article's Figure 1, from these results."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

import polars as pl
from matplotlib.axes import Axes

from jitcost.backends import workloads
from jitcost.questions.groups import benchmark_groups
from jitcost.show.figures.layout import Drawing, Panel
from jitcost.show.figures.style import Label, label_lines, log_axis, plot

__all__ = ["article"]

# The lines of the article's figure and what it says of each, by workload; ours besides are thinner.
_ARTICLE = {
    "elementwise": {"numpy": "", "jax_eager": "", "jax_jit": ""},
    "recursion": {
        "python": " (floats)",
        "numpy": " (scalars)",
        "jax_eager": " (loop)",
        "jax_jit": " (scan)",
    },
}
_BESIDES = ("numba", "julia")
_FIRST_CALL = {"elementwise": "jax_jit"}

# Kind, backend and cells.
Line = tuple[str, str, pl.DataFrame]


def article(cells: pl.DataFrame) -> Drawing:
    """Redraw the article's Figure 1.

    Parameters
    ----------
    cells : polars.DataFrame
        Of one place.

    Returns
    -------
    Drawing
        A panel for each of the two workloads that was measured.
    """
    chosen = {workload: list(_lines(cells, workload)) for workload in _ARTICLE}
    # One statistic for all: a minimum beside a median would look like a difference.
    drawn = [group for lines in chosen.values() for _, _, group in lines]
    minimum = bool(drawn) and all(
        samples is not None and len(samples) for group in drawn for samples in group["samples"]
    )
    panels = [
        _panel(workload, lines, minimum=minimum) for workload, lines in chosen.items() if lines
    ]
    return Drawing("The article's Figure 1, redrawn", panels, _caption(minimum=minimum))


def _lines(cells: pl.DataFrame, workload: str) -> Iterator[Line]:
    """Yield what is drawn of a workload."""
    wanted = [("SteadyState", name) for name in (*_ARTICLE[workload], *_BESIDES)]
    if workload in _FIRST_CALL:
        wanted.append(("FirstCall", _FIRST_CALL[workload]))
    of_workload = cells.filter(pl.col("workload") == workload)
    for kind, backend in wanted:
        for _, group in benchmark_groups(of_workload, kind):
            its = group.filter((pl.col("backend") == backend) & (pl.col("n") > 0))
            if len(its):
                yield kind, backend, its


def _panel(workload: str, lines: list[Line], *, minimum: bool) -> Panel:
    spec = workloads.get(workload)
    draw = partial(_draw, workload=workload, lines=lines, minimum=minimum)
    return Panel(f"{workload}: time per call", spec.summary, draw)


def _draw(axes: Axes, *, workload: str, lines: list[Line], minimum: bool) -> None:
    said: Mapping[str, str] = _ARTICLE[workload]
    labels = []
    for kind, backend, group in lines:
        points = [(cell["n"], _time(cell, minimum)) for cell in group.iter_rows(named=True)]
        first = kind == "FirstCall"
        prominent = backend in said
        style: dict[str, Any] = {"linestyle": "--", "markerfacecolor": "white"} if first else {}
        text = f"{backend}, first call" if first else f"{backend}{said.get(backend, '')}"
        plot(axes, backend, points, prominent=prominent, label=text, **style)
        labels.append(Label(text, backend, *points[-1], prominent=prominent))
    log_axis(axes, "x")
    log_axis(axes, "y", "s")
    axes.set_xlabel(f"n ({workloads.get(workload).n_counts})")
    axes.set_ylabel("time per call")
    label_lines(axes, labels)


def _time(cell: dict[str, Any], minimum: bool) -> float:
    return float(min(cell["samples"]) if minimum else cell["value"])


def _caption(*, minimum: bool) -> str:
    statistic = (
        "the smallest time per call over the samples, as in the article"
        if minimum
        else "the median time per call (the article took the smallest; samples were not recorded)"
    )
    return (
        f"Each point is {statistic}, in float64, until the whole result is ready. Solid: steady "
        "state, compiled and warm; dashed: first call of a freshly made kernel, with tracing and "
        "compiling. Bold: the article's lines; thin: other backends."
    )
