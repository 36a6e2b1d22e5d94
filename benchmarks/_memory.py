"""How much memory a call takes beyond what its process holds: fusion shows as memory, too."""

import ctypes
import gc
import pathlib

from . import _suite

# An array of this size is mapped by itself and goes back when it is freed. Below 32 MB the allocators
# keep what earlier calls have freed: at n = 10^6 JAX's chain of 32 operations, warm, reads 0 bytes.
SIZES = [10_000_000]

STATUS = pathlib.Path("/proc/self/status")
CLEAR = pathlib.Path("/proc/self/clear_refs")


def bytes_of(field):
    """Return a field of the process's status: VmRSS, what it holds, or VmHWM, the most it has held."""
    for line in STATUS.read_text().splitlines():
        if line.startswith(f"{field}:"):
            return 1024 * int(line.split()[1])
    raise NotImplementedError(f"{STATUS} has no {field}")


def increase(call):
    """Return the bytes that a call adds to what the process holds, at its worst.

    asv's own peakmem counts from the start of the process, and with it the imports. What the
    allocator has kept of earlier calls would hide this one's need, and goes back first.
    """
    gc.collect()
    if hasattr(libc := ctypes.CDLL(None), "malloc_trim"):
        libc.malloc_trim(0)
    CLEAR.write_text("5")  # sets the high-water mark back to what the process holds now
    before = bytes_of("VmHWM")
    call()
    return bytes_of("VmHWM") - before


class PeakMemory(_suite.Suite):
    """Bytes above what the process held before the call, with the kernel compiled and warm."""

    unit = "bytes"

    def track_increase(self, *values):
        if not CLEAR.exists():
            raise NotImplementedError("needs Linux: /proc/self/clear_refs")
        return increase(_suite.steady_state(self.workload, **self.cell(*values)).call)
