"""People's files for tests: written into a folder, scouted in this process, or measured by workers."""

import sys
import tempfile
import textwrap
from dataclasses import dataclass, field

from jitcost.measured.files import Options, measure_file
from jitcost.measuring.own_files import of_file
from jitcost.measuring.own_lines import lines_of
from jitcost.own import worker
from jitcost.own.errors import OwnFileError
from jitcost.own.jobs import Job, SizeJob

VECTOR = """
import numpy as np

def inputs(n, rng):
    return (rng.normal(size=n),)
"""


def write(folder, text, name="mine.py", head=VECTOR):
    """Write a file of kernels; return its path."""
    path = folder / name
    path.write_text(head + textwrap.dedent(text), encoding="utf-8")
    return path


@dataclass
class Scouted:
    """What a scout has told of one kernel, by size."""

    ok: dict = field(default_factory=dict)
    failed: dict = field(default_factory=dict)
    left_out: dict = field(default_factory=dict)
    unusable: str = ""

    @property
    def remarks(self):
        return set().union(*(told["remarks"] for told in self.ok.values()))

    @property
    def reason(self):
        """The one reason of all failures."""
        (reason,) = set(self.failed.values())
        return reason


def scout(path, sizes=(10, 100), limit=1.0):
    """Scout a file's kernels in this process: the gate, without the cost of processes.

    Returns what was told, by problem and kernel: `mine numba__parallel`.
    """
    shared = tempfile.mkdtemp(dir=path.parent)
    entries, _ = of_file(path)
    found = {}
    # The reference comes first, as in a measurement.
    for entry in sorted(entries, key=lambda one: one.kernel.name not in ("numpy", "python")):
        kernel = entry.kernel
        job = Job(
            task="scout",
            source=entry.source,
            kernel=kernel,
            sizes=tuple(map(SizeJob, sizes)),
            shared=shared,
            limit=limit,
        )
        found[entry.label] = _scouted(job, path.stem)
    return found


def _scouted(job, stem):
    found = Scouted()

    def tell(what, **about):
        size = about.get("size")
        if what == "scouted":
            found.ok[size] = about
        elif what in ("failed", "left_out"):
            getattr(found, what)[size] = about["reason"]

    path = list(sys.path)
    try:
        worker.Worker(job, tell).run()
    except OwnFileError as error:
        found.unusable = str(error)
    finally:
        sys.path[:] = path
        for name in {stem, f"_own_{stem}"} & sys.modules.keys():
            if getattr(sys.modules[name], "__file__", None) == job.source.path:
                del sys.modules[name]
    return found


def fine(found):
    """Return what passes at every size, without a remark."""
    return {name for name, told in found.items() if told.ok and not (told.failed or told.remarks)}


class Watch:
    """Keeps what a measurement says."""

    def __init__(self):
        self.said = []
        self.done = []

    def say(self, line):
        self.said.append(line)

    def doing(self, what, left):
        self.done.append(what)

    def __getattr__(self, name):
        return lambda *about: None


def measured(path, **options):
    """Measure a file with real workers; return what was measured, and the lines that were said."""
    watch = Watch()
    asked = {"sizes": (10, 100), "processes": 1, "budget": 10.0, "machine": "m", **options}
    found = measure_file(path, Options(**asked), watch)
    return found, [*watch.said, *lines_of(found.outcome)]
