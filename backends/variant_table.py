"""The variants that there are: which backend, or which other variant, under which changed setting."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["VARIANTS", "Variant", "base_of", "is_floor", "process_settings"]


@dataclass(frozen=True)
class Variant:
    """One changed setting.

    Attributes
    ----------
    name : str
        Of the variant, and of its module.
    base : str
        The backend or variant that it is but for the setting.
    setting : str
        What is changed.
    isolates : str
        What the difference to the base's time is.
    computes : str
        What it computes in the place of a workload: a floor its bound, and one that changes the
        inputs the workload on those (`backends.workloads.STAND_INS`); otherwise empty.
    process_wide : bool
        Whether loading it changes the process for whatever else runs there (an environment variable
        that is read once, a library's configuration, the allocator), and not its own kernels alone.
    """

    name: str
    base: str
    setting: str
    isolates: str
    computes: str = ""
    process_wide: bool = False


_TABLE = (
    Variant(
        "numpy_out",
        "numpy",
        "operations write into buffers that are kept",
        "allocation and page faults",
    ),
    Variant(
        "numpy_blocked",
        "numpy_out",
        "all operations on 4,096 elements, then on the next 4,096",
        "memory passes: what does not fit into the caches",
    ),
    Variant(
        "numpy_sorted",
        "numpy_out",
        "the same inputs, sorted",
        "branches that the processor mispredicts",
        computes="elementwise_sorted",
    ),
    Variant(
        "numpy_heap",
        "numpy",
        "malloc keeps freed memory (glibc's mmap and trim thresholds raised)",
        "page faults alone: the allocations are still made",
        process_wide=True,
    ),
    Variant(
        "jax_jit_sync",
        "jax_jit",
        "jax_cpu_enable_async_dispatch = False",
        "the hand-off to another thread",
        process_wide=True,
    ),
    Variant(
        "jax_jit_1thread",
        "jax_jit_sync",
        "NPROC = 1: XLA has one thread",
        "threads",
        process_wide=True,
    ),
    Variant(
        "jax_jit_fused",
        "jax_jit_1thread",
        "XLA's library fusions and tree reduction off: one loop of its own",
        "library kernels, with their vectorised functions; below 4,096 elements the tree reduction",
    ),
    Variant(
        "jax_jit_unfused",
        "jax_jit_fused",
        "XLA's fusion passes off: a kernel for each operation",
        "fusion, and the arrays between operations that it does without",
    ),
    Variant(
        "jax_jit_one_loop",
        "jax_jit",
        "XLA's tree reduction and library fusions off: one loop, no temporary array",
        "windowed reductions and library kernels",
    ),
    Variant(
        "jax_jit_no_library",
        "jax_jit",
        "XLA's fusions into library (YNN) kernels off",
        "library kernels",
    ),
    Variant(
        "jax_scan_unroll4",
        "jax_jit",
        "lax.scan(unroll=4)",
        "the loop around each step",
    ),
    Variant(
        "jax_scan_unroll8",
        "jax_jit",
        "lax.scan(unroll=8)",
        "the loop around each step",
    ),
    Variant(
        "jax_scan_hoisted",
        "jax_jit",
        "xla_cpu_small_while_loop_byte_threshold = 10^9: every loop is one kernel",
        "running a loop operation by operation",
        process_wide=True,
    ),
    Variant(
        "jax_scan_by_operation",
        "jax_jit",
        "xla_cpu_small_while_loop_byte_threshold = 0: no loop is one kernel",
        "what compiling a small loop into one kernel saves",
        process_wide=True,
    ),
    Variant(
        "jax_fori_loop",
        "jax_jit",
        "lax.fori_loop, which writes into a carried array",
        "how a loop's results are stored",
    ),
    Variant(
        "numba_fastmath",
        "numba",
        "fastmath=True: LLVM may reorder sums",
        "the order of floating-point operations",
    ),
    Variant(
        "numba_parallel",
        "numba",
        "parallel=True and prange",
        "threads",
    ),
    Variant(
        "julia_numpy",
        "julia",
        "inputs are NumPy arrays, converted in each call",
        "crossing into Julia",
    ),
    Variant(
        "floor_math_numpy",
        "numpy_blocked",
        "one exp, one cos and one tanh for each element, by NumPy",
        "the least time: functions",
        computes="floor_math",
    ),
    Variant(
        "floor_math_xla",
        "jax_jit_sync",
        "one exp, one cos and one tanh for each element, by XLA",
        "the least time: functions",
        computes="floor_math",
    ),
)

VARIANTS = {variant.name: variant for variant in _TABLE}


def base_of(name: str) -> str:
    """Return the backend that a variant comes from, by however many changes; a backend's own name."""
    while name in VARIANTS:
        name = VARIANTS[name].base
    return name


def process_settings(name: str) -> tuple[str, ...]:
    """Return the variants, from the base on, whose process-wide settings a variant runs under."""
    settings = []
    while name in VARIANTS:
        if VARIANTS[name].process_wide:
            settings.append(name)
        name = VARIANTS[name].base
    return tuple(reversed(settings))


def is_floor(name: str) -> bool:
    """Tell whether a variant is a bound, for every backend, and no way to do the work."""
    return name.startswith("floor_")
