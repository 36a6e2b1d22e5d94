"""The machine's own noise: what differs where nothing has changed."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl
from scipy import stats

from jitcost.errors import BadCallError
from jitcost.questions.groups import benchmark_groups, title_of
from jitcost.questions.releases import Axis
from jitcost.questions.runs import unaffected
from jitcost.questions.timed import is_time, time_of
from jitcost.show.notes.words import code
from jitcost.store.noise import NOISE, read_noise
from jitcost.units import size_text

__all__ = [
    "DETECTION",
    "Alarms",
    "Detection",
    "Spread",
    "UnchangedPair",
    "alarms",
    "detection",
    "spread",
    "unchanged_pair",
]

# Beside what `jitcost check ... --json` said of two equal sides, a file for each machine: how small a
# slowdown the gate finds, as a table.
DETECTION = "detection.csv"


@dataclass(frozen=True)
class UnchangedPair:
    """What the gate said of two sides in which nothing differs.

    Attributes
    ----------
    cells : int
        With a ratio of both sides.
    slower, faster : int
        Of these: false alarms.
    middle : float
        The median distance of a ratio from one, as a share.
    farthest : float
        The ratio, later / earlier, that is farthest from one.
    of : str
        The cell that it is of.
    fewest, most : int
        Processes of a side.
    """

    cells: int
    slower: int
    faster: int
    middle: float
    farthest: float
    of: str
    fewest: int
    most: int


def unchanged_pair(folder: Path, machine: str) -> UnchangedPair | None:
    """Return what is kept of an unchanged pair on a machine; None where there is no such file.

    Raises
    ------
    BadCallError
        If the file is not what `jitcost check --json` prints.
    """
    cells = read_noise(folder, machine)
    if not cells:
        return None
    farthest = max(cells, key=lambda cell: abs(math.log(cell.ratio)))
    verdicts = [cell.verdict for cell in cells]
    counts = [cell.processes for cell in cells]
    return UnchangedPair(
        len(cells),
        verdicts.count("slower"),
        verdicts.count("faster"),
        statistics.median(math.expm1(abs(math.log(cell.ratio))) for cell in cells),
        farthest.ratio,
        _cell_text(
            title_of(farthest.benchmark, farthest.workload, farthest.params),
            farthest.backend,
            farthest.n,
        ),
        min(counts),
        max(counts),
    )


@dataclass(frozen=True)
class Spread:
    """How far the times of cells are apart that what varies along an axis cannot change.

    Attributes
    ----------
    over : str
        What varies: a library.
    runs : int
        How many environments.
    backends : tuple of str
        Those that do not use it.
    cells : int
    middle, largest : float
        By how much the longest time is above the shortest, as a share: the median, and the most.
    of : str
        The cell that this is of.
    """

    over: str
    runs: int
    backends: tuple[str, ...]
    cells: int
    middle: float
    largest: float
    of: str


def spread(cells: pl.DataFrame, axis: Axis) -> Spread | None:
    """Return how far unaffected times differ along an axis; None where there are none."""
    unconcerned = unaffected(cells, axis)
    found: dict[tuple[str, str, float], list[float]] = {}
    for of, group in benchmark_groups(cells, "SteadyState"):
        for cell in group.filter(pl.col("backend").is_in(list(unconcerned))).iter_rows(named=True):
            key = (of.title, cell["backend"], float(cell["n"]))
            if is_time(time := time_of(cell)):
                found.setdefault(key, []).append(time.value)
    apart = {key: max(its) / min(its) - 1 for key, its in found.items() if len(its) > 1}
    if not apart:
        return None
    farthest = max(apart, key=apart.__getitem__)
    timed = {backend for _, backend, _ in apart}
    return Spread(
        axis.over,
        len(axis.labels),
        tuple(sorted(timed)),
        len(apart),
        statistics.median(apart.values()),
        apart[farthest],
        _cell_text(*farthest),
    )


def _cell_text(title: str, backend: str | None, n: float | None) -> str:
    size = "" if n is None else f", n = {size_text(n)}"
    return f"{code(title)}{f' on {backend}' if backend else ''}{size}"


@dataclass(frozen=True)
class Detection:
    """How often the gate finds a kernel slower that is given more to do.

    Attributes
    ----------
    kernel : str
    work : int
        How many per cent more.
    slower_by : float
        What that comes to, in per cent of the time.
    gate, t_test : int
        In how many pairs the gate, and a t test of all samples, says slower.
    gate_processes : float
        How many processes the gate took, on average.
    pairs : int
        How many there were.
    spread : float
        By how much the 95th percentile of unchanged processes' times exceeds the fifth, as a share.
    where : str
        The machine and the libraries.
    """

    kernel: str
    work: int
    slower_by: float
    gate: int
    gate_processes: float
    t_test: int
    pairs: int
    spread: float
    where: str


@dataclass(frozen=True)
class Alarms:
    """How often unchanged kernels were called slower.

    Attributes
    ----------
    gate, t_test : int
        By the gate, and by a t test of all samples.
    pairs : int
        Of so many.
    """

    gate: int
    t_test: int
    pairs: int

    @property
    def apart(self) -> bool:
        """Whether the t test's rate is the higher one, by 95 % intervals (Clopper and Pearson 1934)."""
        (_, gate), (t_test, _) = (
            stats.binomtest(count, self.pairs).proportion_ci(0.95, "exact")
            for count in (self.gate, self.t_test)
        )
        return bool(t_test > gate)


def alarms(rows: Iterable[Detection]) -> Alarms | None:
    """Return the false alarms of all kernels together; None where no unchanged pair was judged."""
    unchanged = [row for row in rows if row.work == 0]
    if not unchanged:
        return None
    counts = ((row.gate, row.t_test, row.pairs) for row in unchanged)
    return Alarms(*map(sum, zip(*counts, strict=True)))


def detection(folder: Path) -> Sequence[Detection]:
    """Return what is kept of how small a slowdown the gate finds; nothing where no table is.

    Raises
    ------
    BadCallError
        If the table cannot be read, or has other columns.
    """
    path = folder / NOISE / DETECTION
    if not path.is_file():
        return ()
    try:
        return tuple(Detection(**row) for row in pl.read_csv(path).iter_rows(named=True))
    except OSError as error:
        raise BadCallError(f"cannot read {path}: {error.strerror or error}") from None
    except (TypeError, pl.exceptions.PolarsError) as error:
        raise BadCallError(f"{path} is no table of tests/measure_detection.py: {error}") from None
