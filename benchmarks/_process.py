"""What a process tells of itself beside the samples that asv takes from it: a line of JSON.

Processes differ more than samples do, and by more than the kernel: by what else the machine does, for
one. So each process that has measured a cell adds a line to the file that JITCOST_PROCESSES names, when
it ends and nothing is timed any more; without that variable nothing is written. What asv's own file
lacks is here, too: m, the calls in a sample, and how far the kernel's result was from the reference.
"""

import atexit
import datetime
import json
import os
import pathlib
import re
import sys
import time

try:
    import resource
except ImportError:  # not on Windows
    resource = None

FILE = os.environ.get("JITCOST_PROCESSES")
STAT = pathlib.Path("/proc/stat")

_facts = {}


def note(**facts):
    """Keep facts of this process for its line; it has one as soon as there are any."""
    if FILE and not _facts:
        atexit.register(_write)
    if FILE:
        _facts.update(facts)


def load_average():
    """Return how many processes ran or waited to, over the last minute; None where nobody counts."""
    return os.getloadavg()[0] if hasattr(os, "getloadavg") else None


def cpu_times():
    """Return all of the CPUs' time and what other virtual machines took of it, in ticks, or None."""
    try:
        ticks = list(map(int, STAT.read_text().splitlines()[0].split()[1:9]))
        return sum(ticks), ticks[7]
    except (OSError, ValueError, IndexError):
        return None


def stolen(before, after):
    """Return the share of the time between two `cpu_times` that was stolen, or None."""
    if before is None or after is None or after[0] <= before[0]:
        return None
    return (after[1] - before[1]) / (after[0] - before[0])


_BEGINNING = (
    datetime.datetime.now(datetime.UTC).isoformat(timespec="milliseconds"),
    time.perf_counter(),
    load_average(),
    cpu_times(),
)


def record(name, facts):
    """Return what the process tells of a benchmark; `facts` are what it knows of the cell."""
    started, start, load, ticks = _BEGINNING
    about = {
        "benchmark": name,
        "params": [],
        "backend": None,
        "n": None,
        "m": 1,
        "started": started,
        "seconds": time.perf_counter() - start,
        "load_start": load,
        "load_end": load_average(),
        "steal": stolen(ticks, cpu_times()),
        "switches": resource and resource.getrusage(resource.RUSAGE_SELF).ru_nivcsw,
        "error": None,
        "tolerance": None,
        **facts,
    }
    if ".time_" not in name:  # it takes no samples
        about["m"] = None
    return {k: float(f"{v:.3g}") if isinstance(v, float) else v for k, v in about.items()}


def _write():
    """Add the line if asv has got a result: it waits for one in the file that it names last."""
    _, _, _, name, *_, result = sys.argv  # benchmark.py run FOLDER NAME-NUMBER … RESULT
    if os.path.getsize(result):
        about = record(re.sub(r"-\d+$", "", name), _facts)
        text = json.dumps(about, separators=(",", ":")) + "\n"
        # At once and at the end: a process that was to measure beside this one would do no harm.
        file = os.open(FILE, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
        os.write(file, text.encode())
        os.close(file)
