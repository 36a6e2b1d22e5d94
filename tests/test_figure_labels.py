"""Labels at the ends of lines: none on another, none cut off, and letters that a phone shows."""

import itertools
import math
import re

import polars as pl
import pytest
from matplotlib.transforms import Bbox

from jitcost.backends import workloads
from jitcost.questions import changes, history
from jitcost.show.figures import DRAWINGS, Panel, figure
from jitcost.show.figures.history import history as history_figure
from jitcost.show.figures.labels import EndLabel, Label, apart, label_lines
from jitcost.show.figures.layout import encoded
from making_cells import cells, steady
from making_histories import over_commits

SIZES = [10, 100, 1_000, 10_000, 100_000, 1_000_000]
COSTS = {  # a call's and an element's: some lines end together, and one ends early
    "python": (1e-6, 2.5e-7),
    "numpy": (7e-6, 2.2e-8),
    "jax_eager": (1.1e-4, 1e-8),
    "jax_jit": (6e-6, 3e-9),
    "numba": (4e-7, 2.3e-8),
    "julia": (9e-7, 2.25e-8),
}


def noisy(seconds):
    """Return the numbers of five processes around a time."""
    return tuple(seconds * factor for factor in (0.98, 1.0, 0.99, 1.03, 1.01))


def everything():
    """Return cells of both workloads of the article by all backends, with five processes each."""
    rows = []
    for workload, most in (("elementwise", 100_000), ("recursion", 1_000)):
        early = {"elementwise": "python", "recursion": "jax_eager"}[workload]
        for name, (call, element) in COSTS.items():
            sizes = [n for n in SIZES if name != early or n <= most]
            times = {n: noisy(call + element * n) for n in sizes}
            rows += steady(name, times, workload=workload)
            firsts = {n: noisy(0.05 + 1e-8 * n) for n in sizes}
            rows += steady(name, firsts, workload=workload, kind="FirstCall")
    return cells(*rows)


def many_series():
    """Return cells of twelve series that end within a few per cent of one another."""
    numbers = [0.9, 1.1, 1.0, 1.05, 0.95, 1.02, 1.0, 0.98]
    times = dict.fromkeys(COSTS, numbers)
    both = [over_commits(times, workload=name) for name in ("elementwise", "recursion")]
    return pl.concat(both)


def drawn(panels):
    """Yield the axes of each panel, drawn by itself, as a page does."""
    for panel in panels:
        its = figure([panel])
        yield from its.axes


def overlapping(boxes):
    return [
        (one, other)
        for (one, a), (other, b) in itertools.combinations(boxes.items(), 2)
        if Bbox.intersection(a, b) is not None
    ]


def boxes_of(axes):
    """Return the rendered boxes, in pixels, of labels, of the title and of what is below it."""
    texts = [*axes.texts, axes._left_title]
    return {text: text.get_window_extent() for text in texts if text.get_text()}


def panels_of(name):
    if name == "history":
        answer = history.ask(many_series())
        return history_figure(answer, changes.ask(many_series())).panels
    return DRAWINGS[name](everything()).panels


FIGURES = ["article", "compare", "fit", "breakeven", "crossover", "predict", "history"]


@pytest.mark.parametrize("name", FIGURES)
def test_no_label_is_on_another_or_cut_off(name):
    panels = panels_of(name)
    assert panels
    labels = 0
    for axes in drawn(panels):
        labels += sum(isinstance(text, EndLabel) for text in axes.texts)
        boxes = boxes_of(axes)
        assert [(a.get_text(), b.get_text()) for a, b in overlapping(boxes)] == []
        whole = axes.get_figure().bbox
        for text, box in boxes.items():
            assert whole.x0 <= box.x0 < box.x1 <= whole.x1, text.get_text()
            assert whole.y0 <= box.y0 < box.y1 <= whole.y1, text.get_text()
    assert labels >= 5


@pytest.mark.parametrize("name", [name for name in FIGURES if name != "history"])
def test_n_is_on_a_logarithmic_axis(name):
    for axes in drawn(panels_of(name)):
        assert axes.get_xlabel().startswith("n (")
        assert axes.get_xscale() == "log"


@pytest.mark.parametrize("name", FIGURES)
def test_letters_are_ten_pixels_on_a_page_400_pixels_wide(name):
    """A page keeps 12.8 pixels free at each side, its CSS says."""
    for panel in panels_of(name):
        text = encoded(figure([panel]), "svg").decode()
        (width,) = re.findall(r'viewBox="0 0 ([\d.]+) ', text)
        sizes = [float(size) for size in re.findall(r"font(?:-size)?: [^;]*?([\d.]+)px", text)]
        assert sizes
        assert min(sizes) * (400 - 2 * 12.8) / float(width) >= 10


def test_many_backends_with_long_names_leave_the_axes_their_room():
    names = [f"numba__{'very_' * i}long" for i in range(12)]
    rows = [row for name in names for row in steady(name, {10: 1e-6, 1000: 2e-6})]
    (axes,) = drawn(DRAWINGS["compare"](cells(*rows)).panels)
    assert overlapping(boxes_of(axes)) == []
    assert axes.bbox.width > 0.3 * axes.get_figure().bbox.width
    assert max(box.x1 for box in boxes_of(axes).values()) <= axes.get_figure().bbox.x1


def test_a_label_of_a_line_that_ends_early_is_near_its_end_and_on_no_line():
    def draw(axes):
        axes.plot([0, 0.5], [0.5, 0.5])
        axes.plot([0, 1], [0.62, 0.62])
        axes.plot([0, 1], [0.38, 0.38])
        axes.set(xlim=(0, 1), ylim=(0, 1))
        label_lines(axes, [Label("numpy", "numpy", 0.5, 0.5)])

    (axes,) = figure([Panel("a title", "", draw)]).axes
    (label,) = [text for text in axes.texts if isinstance(text, EndLabel)]
    box = label.get_window_extent()
    (low, high) = (axes.transData.transform((0, y))[1] for y in (0.38, 0.62))
    assert low < box.y0 < box.y1 < high
    x, y = axes.transData.transform((0.5, 0.5))
    assert math.hypot(max(box.x0 - x, 0, x - box.x1), max(box.y0 - y, 0, y - box.y1)) < 15


def test_things_that_have_no_room_together_touch_and_the_rest_stays():
    assert apart([], [], 10) == []
    assert apart([5], [2], 10) == [5]
    assert apart([0, 10], [2, 2], 10) == [1, 9]
    assert apart([4, 5, 6], [3, 3, 3], 10) == [2, 5, 8]
    assert apart([2, 2, 8], [2, 4, 2], 10) == pytest.approx([1, 4, 8])  # from 0 on, not below


def test_the_workloads_summaries_are_shown_whole():
    for spec in workloads.WORKLOADS.values():
        its = figure([Panel("a title", spec.summary, lambda axes: axes.plot([1], [1]))])
        (said,) = [text for text in its.axes[0].texts if text.get_text()]
        assert said.get_window_extent().x1 <= its.bbox.x1, spec.summary
