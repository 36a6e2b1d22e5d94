"""How long the analysis takes to read a large results folder, against asv's own loader."""

import functools
import importlib
import json
import pathlib
import random
import statistics
import tempfile
import time

FILES = 2_000
BENCHMARKS = 5
SIZES = [str(n) for n in range(10, 210, 10)]
BACKENDS = ["'a'", "'b'", "'c'", "'d'", "'e'"]
CELLS = BENCHMARKS * len(SIZES) * len(BACKENDS)  # of one file: 10^6 in all

COLUMNS = ["result", "params", "version", "started_at", "duration", "stats_ci_99_a"]
COLUMNS += ["stats_ci_99_b", "stats_q_25", "stats_q_75", "stats_number", "stats_repeat"]


def write_results(folder, files=FILES):
    """Write a results folder as asv does: one machine, a file for each commit."""
    here = pathlib.Path(folder, "m")
    here.mkdir(parents=True)
    (here / "machine.json").write_text('{"machine": "m", "version": 1}')
    draw = random.Random(0).random
    size = len(SIZES) * len(BACKENDS)
    rows = {
        f"made.SteadyState{number}.time_call": [
            [draw() for _ in range(size)],
            [SIZES, BACKENDS],
            "1",
            1_700_000_000_000,
            1.0,
            *([round(draw(), 5) for _ in range(size)] for _ in range(4)),
            [1] * size,
            [10] * size,
        ]
        for number in range(BENCHMARKS)
    }
    for number in range(files):
        commit = f"{number:040x}"
        content = {
            "commit_hash": commit,
            "env_name": "virtualenv-py3.11-numpy",
            "date": 1_700_000_000_000 + 1_000 * number,
            "params": {"machine": "m"},
            "python": "3.11",
            "requirements": {"numpy": ""},
            "env_vars": {},
            "result_columns": COLUMNS,
            "results": rows,
            "durations": {},
            "version": 2,
        }
        # Each file has numbers of its own: a commit's times differ from another's.
        for row in rows.values():
            row[0] = [value * (1 + 1e-3 * draw()) for value in row[0]]
        path = here / f"{commit[:8]}-{number}.json"
        path.write_text(json.dumps(content, separators=(",", ":")))


@functools.cache
def folder():
    """Return the folder, made once in a process and removed when it ends."""
    made = tempfile.TemporaryDirectory()
    write_results(made.name)
    return made


def read_by_asv(results, where):
    """Load all values and statistics as asv does for its own tables."""
    cells = 0
    for result in results.iter_results(where):
        for name in result.get_all_result_keys():
            params = result.get_result_params(name)
            cells += len(result.get_result_value(name, params))
            result.get_result_stats(name, params)
    return cells


class Reading:
    """Reading 2,000 files with 10^6 values, where the analysis and asv can be imported."""

    number = 1
    rounds = 2
    repeat = 2
    warmup_time = 0.0
    timeout = 300
    version = "1"

    def setup(self):
        """Skip where there is nothing to read with: asv's own environments have no polars."""
        try:
            self.results = importlib.import_module("jitcost.store.results")
            self.asv_results = importlib.import_module("asv.results")
        except ImportError as error:
            raise NotImplementedError(f"nothing to read with: {error}") from error
        self.folder = folder().name

    def time_read(self):
        self.results.read(pathlib.Path(self.folder))

    def track_ratio_to_asv(self):
        """Return the time of `jitcost.store.results.read` over that of asv's loader, in turns."""
        ratios = []
        for _ in range(3):
            start = time.perf_counter()
            cells = self.results.read(pathlib.Path(self.folder))
            middle = time.perf_counter()
            by_asv = read_by_asv(self.asv_results, self.folder)
            end = time.perf_counter()
            if not len(cells) == by_asv == FILES * CELLS:
                raise AssertionError(f"{len(cells)} cells, and {by_asv} by asv")
            ratios.append((middle - start) / (end - middle))
        return statistics.median(ratios)

    track_ratio_to_asv.unit = "ratio"
