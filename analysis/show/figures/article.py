"""The article's Figure 1, from these results."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from matplotlib.axes import Axes

from jitcost.backends import workloads
from jitcost.questions.answers import Answer
from jitcost.questions.groups import by_benchmark
from jitcost.questions.times import Row
from jitcost.show.figures.labels import Label, label_lines
from jitcost.show.figures.layout import Drawing, Panel
from jitcost.show.figures.style import bars, log_axis, plot

__all__ = ["KINDS", "article"]

# The lines of the article's figure and what it says of each, by workload; ours besides are thinner.
_ARTICLE = {
    "elementwise": {"numpy": "", "jax_eager": "", "jax_jit": ""},
    "recursion": {
        "python": "\n(floats)",
        "numpy": "\n(scalars)",
        "jax_eager": "\n(loop)",
        "jax_jit": "\n(scan)",
    },
}
_BESIDES = ("numba", "julia")
_FIRST_CALL = {"elementwise": "jax_jit"}

# What the question of the times has to be asked for.
KINDS = ("SteadyState", "FirstCall")

# One backend's points of one kind, by n.
Line = Sequence[Row]


def article(answer: Answer[Row]) -> Drawing:
    """Redraw the article's Figure 1.

    Parameters
    ----------
    answer : Answer of Row
        The times at one origin, of both `KINDS`.

    Returns
    -------
    Drawing
        A panel for each of the two workloads that was measured.
    """
    chosen = {workload: list(_lines(answer, workload)) for workload in _ARTICLE}
    drawn = [row for lines in chosen.values() for line in lines for row in line]
    panels = [_panel(workload, lines) for workload, lines in chosen.items() if lines]
    return Drawing("The article's Figure 1, redrawn", panels, _caption(drawn))


def _lines(answer: Answer[Row], workload: str) -> Iterator[Line]:
    """Yield what is drawn of a workload."""
    wanted = [("SteadyState", name) for name in (*_ARTICLE[workload], *_BESIDES)]
    if workload in _FIRST_CALL:
        wanted.append(("FirstCall", _FIRST_CALL[workload]))
    for kind, backend in wanted:
        yield from by_benchmark(
            row
            for row in answer
            if row.of.spec is not None
            if (row.of.workload, row.kind, row.backend) == (workload, kind, backend) and row.n > 0
        )


def _panel(workload: str, lines: list[Line]) -> Panel:
    spec = workloads.get(workload)
    draw = partial(_draw, workload=workload, lines=lines)
    return Panel(f"{workload}: time per call", spec.summary, draw)


def _draw(axes: Axes, *, workload: str, lines: list[Line]) -> None:
    said: Mapping[str, str] = _ARTICLE[workload]
    labels = []
    for line in lines:
        backend, first = line[0].backend, line[0].kind == "FirstCall"
        points = [(row.n, row.time) for row in line]
        prominent = backend in said
        style: dict[str, Any] = (
            {"linestyle": (0, (2, 2)), "markerfacecolor": "white"} if first else {}
        )
        text = f"{backend},\nfirst call" if first else f"{backend}{said.get(backend, '')}"
        plot(axes, backend, points, prominent=prominent, label=text, **style)
        bars(axes, backend, line)
        labels.append(Label(text, backend, *points[-1], prominent=prominent))
    log_axis(axes, "x")
    log_axis(axes, "y", "s")
    axes.set_xlabel(f"n ({workloads.get(workload).n_counts})")
    axes.set_ylabel("time per call")
    label_lines(axes, labels)


def _caption(rows: Sequence[Row]) -> str:
    kinds = {row.interval for row in rows}
    of_samples = "the median of all samples with asv's interval, since the processes are not known"
    statistic = (
        "the median of each process's fastest sample, with the interval of the processes (the article "
        "took the smallest of all)"
    )
    if "of samples" in kinds:
        statistic = of_samples if len(kinds) == 1 else f"{statistic}; or {of_samples}"
    return (
        f"Each point is a time per call: {statistic}; in float64, until the whole result is ready. "
        "Filled: steady state, compiled and warm; hollow: first call of a freshly made kernel, with "
        "tracing and compiling. Bold: the article's lines; thin: other backends."
    )
