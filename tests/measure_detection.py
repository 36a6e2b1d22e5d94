"""How small a slowdown the gate finds: `python tests/measure_detection.py [KERNEL]`.

Each process times one kernel at four amounts of work: as it is, and 2, 5 and 10 % more. Of thirty
processes one after the other a pair is made, its sides in turns, as `jitcost check` starts them: so
every number of a pair is of another process. The gate gets them one by one, as it asks for them. A t
test of all samples at 5 % is what `pyperf compare_to` does.

With a kernel's name it measures 1,200 processes (NumPy ten minutes, the others half an hour) and puts
them into `detection.parquet`; without, it writes the table that `jitcost notes` puts into FINDINGS.md.
"""

import json
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

import numpy as np
import polars as pl
from scipy import stats

from detection_process import KERNELS, LEVELS
from jitcost.measuring.in_turns import Process, look
from jitcost.questions.cell_verdicts import rows_of
from jitcost.show.notes.noise import DETECTION, Detection
from jitcost.store.noise import NOISE

KEPT = Path(__file__).with_name("detection.parquet")
TABLE = Path(__file__).parent.parent / "analysis" / "history" / NOISE / DETECTION
WORKER = Path(__file__).with_name("detection_process.py")
PAIRS, OF_PAIR = 40, 30
# Where the kept processes were measured; who measures a kernel elsewhere measures all of them there.
WHERE = "two shared cores of an AMD EPYC, Python 3.11, JAX 0.10.2, Numba 0.68.1, NumPy 2.4.6"
NAMES = {"numpy": "NumPy", "numba": "Numba", "jit": "jit, two threads"}


def measure(kernel):
    """Measure as many processes as all pairs take; keep them pair by pair."""
    others = [pl.read_parquet(KEPT).filter(pl.col("kernel") != kernel)] if KEPT.exists() else []
    rows = []
    for process in range(PAIRS * OF_PAIR):
        done = subprocess.run([sys.executable, WORKER, kernel], capture_output=True, check=True)
        samples = json.loads(done.stdout)
        rows += [(kernel, process, level, samples[str(level)]) for level in LEVELS]
        if process % OF_PAIR == OF_PAIR - 1:
            pl.concat([*others, frame(rows)]).write_parquet(KEPT, compression_level=19)


def frame(rows):
    types = {"kernel": pl.String, "process": pl.Int32, "level": pl.Int32}
    return pl.DataFrame(rows, {**types, "samples": pl.List(pl.Float32)}, orient="row")


def pairs(kept, kernel):
    """Yield the processes of each pair: by level the samples of each."""
    samples = {
        level: kept.filter(kernel=kernel, level=level).sort("process")["samples"].to_list()
        for level in LEVELS
    }
    for start in range(0, PAIRS * OF_PAIR, OF_PAIR):
        yield {level: its[start : start + OF_PAIR] for level, its in samples.items()}


class Quiet:
    """Nobody is told how far it is."""

    def __getattr__(self, name):
        return lambda *_: None


def gate_says(pair, level):
    """Return the gate's verdict, and how many processes it has taken."""
    taken = iter(range(-2, OF_PAIR))  # its first two of all warm the disk, and count for nothing

    def take(side, key):
        process = max(0, next(taken))
        return Process(tuple(pair[level if side else 0][process]), 1.0)

    looks = look([("b.time_kernel", ())], take, 1000, Quiet(), clock=lambda: 0.0)
    (row,) = rows_of(looks.first, looks.fresh, looks.suspicious, {}, {})
    return row.verdict, next(taken, OF_PAIR)


def t_test_says(pair, level):
    """Return what a t test of all samples of all thirty processes says, at 5 %."""
    later = [process % 4 in (1, 2) for process in range(OF_PAIR)]
    sides = [
        [s for process in range(OF_PAIR) if later[process] is side for s in pair[its][process]]
        for side, its in ((True, level), (False, 0))
    ]
    found = stats.ttest_ind(*sides)
    if found.pvalue >= 0.05:
        return "not significantly different"
    return "slower" if found.statistic > 0 else "faster"


def table(kept):
    """Yield a row for each kernel and level: how often each says slower, and in how many processes."""
    for kernel in KERNELS:
        base = kept.filter(kernel=kernel, level=0)["samples"].list.min()
        for level in LEVELS:
            slowed = kept.filter(kernel=kernel, level=level)["samples"].list.min()
            gate = [gate_says(pair, level) for pair in pairs(kept, kernel)]
            t_test = [t_test_says(pair, level) for pair in pairs(kept, kernel)]
            yield Detection(
                kernel=NAMES[kernel],
                work=level,
                slower_by=round(100 * (slowed.median() / base.median() - 1), 5),
                gate=sum(verdict == "slower" for verdict, _ in gate),
                gate_processes=float(np.mean([taken for _, taken in gate])),
                t_test=sum(verdict == "slower" for verdict in t_test),
                pairs=PAIRS,
                spread=round(noise(kept, kernel), 4),
                where=WHERE,
            )


def noise(kept, kernel):
    """Return how far processes of one kernel are apart: the middle nine tenths, as a share."""
    base = kept.filter(kernel=kernel, level=0)["samples"].list.min()
    return base.quantile(0.95) / base.quantile(0.05) - 1


def main():
    match sys.argv[1:]:
        case [kernel]:
            measure(kernel)
        case _:
            TABLE.parent.mkdir(exist_ok=True)
            rows = pl.DataFrame(map(asdict, table(pl.read_parquet(KEPT))))
            rows.write_csv(TABLE)
            print(rows)


if __name__ == "__main__":
    main()
