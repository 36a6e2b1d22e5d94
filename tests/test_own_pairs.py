"""Two states' numbers side by side: of as many samples, and of the same processes at all sizes."""

import pytest

from jitcost.measuring import against
from jitcost.measuring.entries import Entry, Outcome, Process, Request
from jitcost.measuring.own_run import Run
from jitcost.own.jobs import Source
from jitcost.own.names import Kernel
from own_files import Watch

KERNEL = Kernel("kernel", "mine", "numpy", "", xp=False)
OLD, NEW = (Entry(Source(f"{side}.py", "mine", "inputs"), KERNEL, side) for side in ("old", "new"))


def process(number, *samples):
    return Process(samples, None, {}, number)


def pairs(cells):
    """Return the numbers of old and new by n."""
    outcome = Outcome(cells=cells, n={("mine", 1): 1.0, ("mine", 100): 100.0})
    found = against._pairs(outcome, [(OLD, NEW)], cells)
    return {n: its for (_, _, n), its in found.items()}


def test_a_process_gives_the_fastest_of_as_many_samples_as_every_other():
    cells = {
        (OLD, 1): [process(0, 3.0, 2.0), process(1, 4.0, 5.0, 1.0, 1.0)],
        (NEW, 1): [process(0, 6.0, 3.0, 1.0, 1.0)],
    }
    assert pairs(cells) == {1.0: ([2.0, 4.0], [3.0])}


def test_over_all_sizes_are_the_processes_that_have_measured_all():
    cells = {
        # The process of round 0 has failed at one size, and that of round 2 at the other.
        (OLD, 1): [process(1, 4.0), process(2, 7.0), process(3, 1.0)],
        (OLD, 100): [process(0, 5.0), process(1, 9.0), process(3, 16.0)],
        (NEW, 1): [process(0, 2.0), process(1, 3.0)],
        (NEW, 100): [process(0, 8.0), process(1, 12.0)],
    }
    old, new = pairs(cells)[None]
    assert old == pytest.approx([6.0, 4.0])  # the roots of 4 x 9 and of 1 x 16
    assert new == pytest.approx([4.0, 6.0])


def test_nothing_is_said_over_all_sizes_where_no_process_has_measured_all():
    cells = {
        (OLD, 1): [process(0, 1.0)],
        (OLD, 100): [process(1, 1.0)],
        (NEW, 1): [process(0, 1.0)],
        (NEW, 100): [process(0, 1.0)],
    }
    assert set(pairs(cells)) == {1.0, 100.0}


@pytest.mark.parametrize(
    ("old", "new", "samples"), [(0.11, 0.09, 2), (0.09, 0.11, 2), (0.09, 0.08, 4)]
)
def test_both_states_take_as_many_samples(tmp_path, old, new, samples):
    run = Run(Request((NEW, OLD)), Watch(), str(tmp_path))
    run.calls = {(OLD, 10): old, (NEW, 10): new, (OLD, 1): 1e-6, (NEW, 1): 1e-6}
    for entry in (OLD, NEW):
        repeats = {job.size: job.repeat for job in run.jobs_of(entry, [1, 10], 0)}
        assert repeats == {1: 4, 10: samples}
