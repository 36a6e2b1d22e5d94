"""NumPy on memory that malloc keeps: freed arrays do not go back, and no page is faulted in anew."""

from __future__ import annotations

import ctypes

from jitcost.backends import BackendUnavailable
from jitcost.backends.numpy import details, fresh_kernel, is_ready, make_call, to_native, to_numpy
from jitcost.backends.variants import NoEffectError
from jitcost.backends.variants._evidence import inputs, page_faults

__all__ = ["details", "fresh_kernel", "is_ready", "make_call", "to_native", "to_numpy"]

# The names and values of malloc.h. Left alone, malloc maps what is larger than a threshold by itself,
# and returns the end of the heap when more than a threshold of it is free: the next call faults every
# page in anew.
M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3
LARGEST = 2**30


def keep_freed_memory() -> None:
    """Raise both thresholds, for the rest of the process."""
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is None:
        raise BackendUnavailable(
            "this C library's malloc cannot be told to keep memory; glibc's can"
        )
    if not (mallopt(M_MMAP_THRESHOLD, LARGEST) and mallopt(M_TRIM_THRESHOLD, LARGEST)):
        raise BackendUnavailable(f"this malloc takes no threshold of {LARGEST} bytes")


keep_freed_memory()


def verify_effect(workload: str) -> None:  # noqa: ARG001
    call = make_call(fresh_kernel("elementwise"), inputs("elementwise", 300_000, to_native))
    if (faults := page_faults(call)) > 100:  # one array has 586 pages of 4 kB
        raise NoEffectError(f"numpy_heap faults {faults} pages in, in a call of 300,000 elements")
