"""NumPy on memory that malloc keeps: freed arrays do not go back, and no page is faulted in anew."""

from __future__ import annotations

from backends.numpy import details, fresh_kernel, is_ready, make_call, to_native, to_numpy
from backends.variants import InertSettingError
from backends.variants._evidence import inputs, page_faults
from backends.variants._malloc import keep_freed_memory

__all__ = ["details", "fresh_kernel", "is_ready", "make_call", "to_native", "to_numpy"]

keep_freed_memory()


def refuse_inert(workload: str) -> None:  # noqa: ARG001
    call = make_call(fresh_kernel("elementwise"), inputs("elementwise", 300_000, to_native))
    if (faults := page_faults(call)) > 100:  # one array has 586 pages of 4 kB
        raise InertSettingError(
            f"numpy_heap faults {faults} pages in, in a call of 300,000 elements"
        )
