"""What shows a setting's effect: what a call allocates and runs on, and what XLA has compiled."""

from __future__ import annotations

import resource
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

from jitcost.backends import Array, BackendUnavailable, Call, Kernel, hlo, workloads

TASKS = Path("/proc/self/task")


def inputs(workload: str, n: int, to_native: Callable[[Array], Any]) -> tuple[Any, ...]:
    """Return the workload's inputs of size n in a backend's own form."""
    return tuple(map(to_native, workloads.get(workload).inputs(n)))


def program_text(kernel: Kernel, inputs: tuple[Any, ...]) -> str:
    """Return what XLA makes of a jitted kernel for these inputs."""
    jitted: Any = kernel
    text: str = jitted.lower(*inputs).compile().as_text()
    return text


def program(kernel: Kernel, inputs: tuple[Any, ...]) -> hlo.Program:
    """Return the same, read."""
    return hlo.read(program_text(kernel, inputs))


def allocated(call: Call) -> int:
    """Return the most bytes that a call holds at once; of what Python and NumPy allocate."""
    tracemalloc.start()
    try:
        call()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def page_faults(call: Call) -> int:
    """Return how many pages a call, the third, touches that the process did not hold."""
    call()
    call()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    call()
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before


def threads_used(call: Call, seconds: float = 0.3) -> int:
    """Return how many threads of the process do a twentieth or more of the work of many calls.

    Raises
    ------
    BackendUnavailable
        Where there is no /proc that would say: only Linux has one.
    """
    if not TASKS.exists():
        raise BackendUnavailable(f"which threads work cannot be seen without {TASKS}")
    call()
    before, start = _running_times(), time.perf_counter()
    while time.perf_counter() - start < seconds:
        call()
    after = _running_times()
    worked = [spent - before.get(task, 0) for task, spent in after.items()]
    return sum(spent > sum(worked) / 20 for spent in worked)


def _running_times() -> dict[str, int]:
    """Return each thread's time on a processor so far, in ns."""
    times = {}
    for task in TASKS.iterdir():
        try:
            times[task.name] = int((task / "schedstat").read_text().split()[0])
        except OSError:  # the thread has ended
            continue
    return times
