"""What is compared: a commit in an environment, whose processes asv's own runner starts.

`asv run` measures whole commits, and takes seconds to begin. To measure two commits cell by cell in
turns this calls what `asv run` calls to start one process for one cell.
"""

from __future__ import annotations

import itertools
import math
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from asv import runner, util

from jitcost.measuring.at_work import INTERRUPTS
from jitcost.measuring.in_turns import SKIPPED, CannotRunError, Process
from jitcost.measuring.installing import Source

__all__ = ["Installed", "Place", "Side", "last_line"]

# A benchmark, and the texts of its parameters.
Place = tuple[str, tuple[str, ...]]

# Samples of a process, and after how many seconds there are no more of a slow call.
SAMPLES, LONGEST = 4, 10.0

# asv calls a benchmark with a setup once for each sample. Of a call below `SHORT` seconds one is no
# measurement: the fastest of as many as make a sample of asv's own, up to `MOST`, is.
SHORT, MOST = 0.001, 200
SAMPLE_SECONDS = 0.01

# For these further samples, seconds: a setup may take longer than its call.
FURTHER = 1.0


@dataclass(frozen=True)
class Side:
    """What is to be compared.

    Attributes
    ----------
    name : str
        What a person calls it.
    commit : str
        The full hash.
    requirements : mapping of str to str, or None
        The versions of its environment; None: the project's own.
    sources : mapping of str to Source
        Where some of them come from, by requirement.
    """

    name: str
    commit: str
    requirements: Mapping[str, str] | None = None
    sources: Mapping[str, Source] = field(default_factory=dict)


@dataclass
class Installed:
    """A side whose environment stands.

    Attributes
    ----------
    side : Side
    distributions : mapping of str to str
        The versions of what is installed there, Python's among them.
    benchmarks : mapping
        What asv has discovered there, by name: its type, parameters, rounds, timeout.
    """

    side: Side
    distributions: Mapping[str, str]
    benchmarks: Mapping[str, dict[str, Any]]
    _environment: Any
    _spawner: Any
    _timeout: float
    _repeats: dict[Place, Any] = field(default_factory=dict)
    _caches: dict[str, str | CannotRunError] = field(default_factory=dict)

    def take(self, place: Place) -> Process:
        """Measure a cell in a process of its own.

        Raises
        ------
        CannotRunError
            If the benchmark is not there, fails, or skips the cell.
        """
        process, calls = self._run(place, self._repeats.get(place, [1, SAMPLES, LONGEST]))
        forced = not self.benchmarks[place[0]].get("number") and calls == 1
        if forced and min(process.samples) < SHORT and place not in self._repeats:
            wanted = math.ceil(SAMPLES * SAMPLE_SECONDS / min(process.samples))
            self._repeats[place] = [SAMPLES, min(MOST, wanted), FURTHER]
            return self.take(place)  # all processes have about as many samples as this one
        return process

    def _run(self, place: Place, repeat: Sequence[float]) -> tuple[Process, int]:
        """Run a process; return it, and the number of calls in a sample.

        Parameters
        ----------
        place : Place
        repeat : sequence of float
            Least and most samples, and after how many seconds those between are enough.
        """
        about, number = self._found(place)
        cache = self._cache(about)
        start = time.perf_counter()
        try:
            found = runner.run_benchmark(
                {**about, "timeout": about.get("timeout") or self._timeout},
                self._spawner,
                profile=False,
                selected_idx={number},
                extra_params={"repeat": repeat, "rounds": 1},
                cwd=cache,
            )
        except util.UserError:  # asv's word for an interrupt
            raise KeyboardInterrupt from None
        INTERRUPTS.check()
        seconds = time.perf_counter() - start
        value, samples = found.result[number], found.samples[number]
        if isinstance(value, float) and math.isnan(value):
            raise CannotRunError(SKIPPED)
        if not samples:
            raise CannotRunError(last_line(found.stderr) or f"it ended with {found.errcode}")
        if min(samples) <= 0:
            raise CannotRunError("it is too fast for its timer")
        return Process(tuple(samples), seconds), found.number[number]

    def _found(self, place: Place) -> tuple[dict[str, Any], int]:
        """Return what asv knows of a benchmark here, and the place of a set of its parameters.

        Commits may differ in what they offer, and asv is told no more than a number.
        """
        name, texts = place
        if name not in self.benchmarks:
            raise CannotRunError("there is no such benchmark")
        about = self.benchmarks[name]
        grid = list(itertools.product(*about["params"])) or [()]
        if texts not in grid:
            raise CannotRunError(f"there is no {name}({', '.join(texts)})")
        return about, grid.index(texts)

    def _cache(self, about: Mapping[str, Any]) -> str | None:
        """Return the folder that a benchmark's setup_cache has filled; None where it has none."""
        key = about.get("setup_cache_key")
        if key is None:
            return None
        if key not in self._caches:
            timeout = about.get("setup_cache_timeout") or about.get("timeout") or self._timeout
            folder, said = self._spawner.create_setup_cache(about["name"], timeout, "{}")
            self._caches[key] = folder or CannotRunError(last_line(said))
        found = self._caches[key]
        if isinstance(found, CannotRunError):
            raise found
        return found

    @property
    def single_calls(self) -> frozenset[Place]:
        """The cells of which a sample is one short call, asv's own cost in it."""
        return frozenset(self._repeats)

    def run(self, args: Sequence[str], folder: str) -> str:
        """Call the environment's Python with arguments, in a folder; return what it writes."""
        said: str = self._environment.run([*args], cwd=folder, timeout=300, dots=False)
        return said

    def close(self) -> None:
        """Remove what setup_cache has written."""
        for folder in self._caches.values():
            if isinstance(folder, str):
                util.long_path_rmtree(folder, True)


def last_line(text: str) -> str:
    """Return what a traceback ends with, without what only a terminal understands."""
    plain = re.sub(r"\x1b\[[0-9;]*m|[\x00-\x08\x0b-\x1f]", "", text)
    lines = [line.strip() for line in plain.splitlines() if line.strip()]
    return lines[-1] if lines else ""
