"""glibc's malloc, told to keep what is freed."""

from __future__ import annotations

import ctypes

from backends import BackendUnavailable

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
