"""Measure how long results take to be read, and how much memory, by asv's own loader and by ours.

    python tests/measure_reading.py              # 2,000 files of 10^6 values, and 18,000 of 9 x 10^6
    python tests/measure_reading.py 500 3        # 500 files, three times

Each reading is a process of its own, and they take turns: the page cache and the clock are the same for
all. A process begins with its imports done. Peak memory is the whole process's, of Python and of
Polars.
"""

import json
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# What is measured: code that leaves the number of cells in `cells`, and what has to be imported for it.
WAYS = {
    "asv, everything": ("import asv.results", "cells = reading.read_by_asv(asv.results, folder)"),
    "jitcost, everything": (
        "from jitcost.store import results",
        "cells = len(results.read(folder))",
    ),
    "jitcost, one benchmark": (
        "from jitcost.store import results",
        "cells = len(results.read(folder, benchmark='SteadyState0'))",
    ),
    "jitcost, the newest commit": (
        "from jitcost.store import results",
        "cells = len(results.read(folder, commit='newest'))",
    ),
}

PROCESS = """
import json, resource, sys, time
from benchmarks import reading
{imports}
folder = sys.argv[1]
start = time.perf_counter()
{code}
seconds = time.perf_counter() - start
unit = 1 if sys.platform == "darwin" else 1024
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
print(json.dumps([seconds, peak, cells]))
"""


def measured(way: str, folder: str) -> tuple[float, float, int]:
    """Return the seconds, the bytes at the peak and the cells of one reading."""
    imports, code = WAYS[way]
    done = subprocess.run(
        [sys.executable, "-c", PROCESS.format(imports=imports, code=code), folder],
        env={"PYTHONPATH": f"{ROOT / '.import'}:{ROOT}"},
        capture_output=True,
        text=True,
        check=True,
    )
    seconds, peak, cells = json.loads(done.stdout)
    return seconds, peak, cells


def compare(files: int, turns: int) -> None:
    """Print a line for each way to read a set of so many files."""
    from benchmarks import reading

    with tempfile.TemporaryDirectory() as folder:
        reading.write_results(folder, files=files)
        rows: dict[str, list[tuple[float, float, int]]] = {way: [] for way in WAYS}
        for _ in range(turns):
            for way, found in rows.items():
                found.append(measured(way, folder))
    print(f"{files:,} files of {files * reading.CELLS:,} values, the medians of {turns}:")
    for way, found in rows.items():
        seconds, peak, cells = map(statistics.median, zip(*found, strict=True))
        print(f"  {way:28} {cells:12,} cells {seconds:8.2f} s {peak / 1e9:8.2f} GB", flush=True)


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    asked = list(map(int, sys.argv[1:]))
    for number in asked[:1] or (2_000, 18_000):
        compare(number, asked[1] if len(asked) > 1 else 3)
