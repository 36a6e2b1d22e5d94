"""Results of one's own functions in asv's format: what every question reads.

A problem has two benchmarks, `own.<problem>.SteadyState.time_call` and `.FirstCall.time_first_call`,
over n and backend. What stands for a commit is the state of the file: a hash of its text and of what
it imports from its folder. Measuring the same state again adds processes to those that there are.
"""

from __future__ import annotations

import importlib.metadata
import itertools
import json
import math
import platform
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from asv.machine import Machine
from asv.results import Results
from asv.runner import BenchmarkResult

from jitcost.backends.__main__ import describe
from jitcost.files import write_atomically
from jitcost.measuring.entries import Entry, Outcome, State
from jitcost.measuring.machine import state as state_of_machine
from jitcost.own.problem import SEED
from jitcost.store import asv_files, records
from jitcost.store.benchmark_files import load_benchmarks

__all__ = ["save"]

# The distributions whose versions tell one environment from another.
_LIBRARIES = ("numpy", "jax", "numba", "juliacall")

_STEADY, _FIRST = "SteadyState.time_call", "FirstCall.time_first_call"

# One process of a cell: its samples, and what it told of itself.
_Process = tuple[list[float], dict[str, Any]]

# By benchmark, and by the texts of n and backend.
_Cells = dict[str, dict[tuple[str, ...], list[_Process]]]


def save(
    folder: Path, outcome: Outcome, entries: Sequence[Entry], state: State, machine: str
) -> Path:
    """Write what was measured into a results folder, beside what is there of this state.

    Parameters
    ----------
    folder : Path
        What asv calls `results_dir`; made if need be.
    outcome : Outcome
    entries : sequence of Entry
        Those that are of this state.
    state : State
    machine : str

    Returns
    -------
    Path
        The file.
    """
    versions = dict(_versions())
    python = ".".join(platform.python_version_tuple()[:2])
    # The file, too: questions answer from the newest state in each environment, and so of each file.
    parts = [state.file, f"py{python}", *(f"{name}{v}" for name, v in versions.items())]
    environment = "-".join(filter(None, parts))
    about = {**Machine.get_defaults(), "machine": machine}
    path = folder / machine / f"{state.commit[:8]}-{environment}.json"
    cells = _there(path)
    failed = _add(cells, outcome, entries)
    results = Results(
        {**about, "python": python, **versions},
        versions,
        state.commit,
        int(state.date.timestamp() * 1000),
        python,
        environment,
        {},
    )
    benchmarks = {name: _benchmark(name, its, state, outcome) for name, its in cells.items()}
    for name, its in cells.items():
        found = _result(benchmarks[name], its, failed)
        results.add_result(benchmarks[name], found, record_samples=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as beside:
        results.save(beside)
        text = Path(beside, machine, path.name).read_text(encoding="utf-8")
    backends = {name: {"available": True, **told} for name, told in outcome.details.items()}
    described = {**describe(backends), "state": state_of_machine(), "seed": SEED}
    lines = "".join(f"{json.dumps(record)}\n" for record in _records(cells))
    # The samples last: a reader in between counts no process that has none.
    write_atomically(path.with_suffix(".provenance"), json.dumps(described, indent=1))
    write_atomically(path.parent / "machine.json", json.dumps({**about, "version": 1}, indent=1))
    known = load_benchmarks(folder / "benchmarks.json") | benchmarks
    write_atomically(folder / "benchmarks.json", json.dumps({**known, "version": 2}, indent=1))
    write_atomically(records.beside(path), lines)
    write_atomically(path, text)
    return path


def _versions() -> Iterator[tuple[str, str]]:
    for name in _LIBRARIES:
        try:
            yield name, importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue


def _there(path: Path) -> _Cells:
    """Return the processes that a file has: none where there is no file."""
    if not path.is_file():
        return {}
    try:
        file = asv_files.load(path)
    except asv_files.BROKEN as error:
        asv_files.warn(path, error)
        return {}
    told: dict[records.Cell, list[dict[str, Any]]] = {}
    for record in records.lines(records.beside(path)):
        told.setdefault(record.cell, []).append(json.loads(record.text))
    cells: _Cells = {}
    columns = (file.columns.get(name, ()) for name in ("params", "samples"))
    for name, params, samples in zip(file.benchmarks, *columns, strict=True):
        its = cells.setdefault(name, {})
        for texts, values in zip(itertools.product(*params), samples or (), strict=False):
            processes = told.get((name, texts), [])
            if values and processes and len(values) % len(processes) == 0:
                each = len(values) // len(processes)
                its[texts] = [
                    (values[i * each : (i + 1) * each], one) for i, one in enumerate(processes)
                ]
    return cells


def _add(cells: _Cells, outcome: Outcome, entries: Sequence[Entry]) -> set[records.Cell]:
    """Add what was measured; return the cells that have failed."""
    failed: set[records.Cell] = set()
    for entry in entries:
        problem = entry.kernel.problem
        for size in outcome.sizes_of(problem):
            n = outcome.n[problem, size]
            texts: tuple[str, ...] = repr(int(n) if n.is_integer() else n), repr(entry.kernel.name)
            about = {"params": list(texts), "backend": entry.kernel.name, "n": n}
            for process in outcome.cells.get((entry, size), ()):
                taken = {_STEADY: list(process.samples)}
                if process.first is not None:
                    taken[_FIRST] = [process.first]
                for which, samples in taken.items():
                    name = f"own.{problem}.{which}"
                    record = {**process.record, **about, "benchmark": name}
                    cells.setdefault(name, {}).setdefault(texts, []).append((samples, record))
            if any(one.entry == entry and one.size in (size, None) for one in outcome.failures):
                failed.add((f"own.{problem}.{_STEADY}", texts))
    for its in cells.values():
        for texts, processes in its.items():
            its[texts] = _of_one_length(processes)
    return failed


def _of_one_length(processes: list[_Process]) -> list[_Process]:
    """Return as many samples of each process: asv has one list of all of a cell's."""
    fewest = min(len(samples) for samples, _ in processes)
    return [(samples[:fewest], record) for samples, record in processes]


def _benchmark(
    name: str, its: Mapping[tuple[str, ...], Any], state: State, outcome: Outcome
) -> dict[str, Any]:
    """Return what asv's benchmarks.json says of a benchmark."""
    problem = name.split(".")[1]
    sizes, backends = (list(dict.fromkeys(texts)) for texts in zip(*its, strict=True))
    about = {
        "code": "",
        "name": name,
        "param_names": ["n", "backend"],
        "params": [sorted(sizes, key=float), backends],
        "number": 1,
        "timeout": 300,
        "type": "time",
        "unit": "seconds",
        "version": state.inputs.get(problem, "1"),
    }
    grows = outcome.grows.get(problem)
    return about if grows is None else {**about, "grows": grows}


def _result(
    benchmark: dict[str, Any],
    its: Mapping[tuple[str, ...], list[_Process]],
    failed: set[records.Cell],
) -> BenchmarkResult:
    values: list[float | None] = []
    samples: list[list[float] | None] = []
    for texts in itertools.product(*benchmark["params"]):
        taken = [value for process, _ in its.get(texts, ()) for value in process]
        # Null is asv's word for failed, NaN for not measured; the value itself is made of the samples.
        nothing = None if (benchmark["name"], texts) in failed else math.nan
        values.append(1.0 if taken else nothing)
        samples.append(taken or None)
    numbers = [1 if taken else None for taken in samples]
    return BenchmarkResult(values, samples, numbers, 0, "", None)


def _records(cells: _Cells) -> Iterator[dict[str, Any]]:
    for its in cells.values():
        for processes in its.values():
            for _, record in processes:
                yield record if "FirstCall" not in record["benchmark"] else {**record, "m": 1}
