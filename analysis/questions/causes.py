"""What the curves over n are known to bend for, and the variants that take each cause away."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["CAUSES", "CURVES", "Cause", "causes_of"]


@dataclass(frozen=True)
class Cause:
    """Something that a curve is known to bend for.

    Attributes
    ----------
    workload, curve : str
        Whose time it is about.
    name, text : str
        What it is called, and what happens.
    low, high : float
        Up to `low` it is not felt (or still is), from `high` on it is (or no longer is).
    without : tuple of str
        The variants that do not have it.
    present : str
        The variant with it that is nearest to those without: the curve itself where it is empty.
    rises : bool or None
        Whether it makes larger sizes slower, or faster; None where either may be.
    """

    workload: str
    curve: str
    name: str
    text: str
    low: float
    high: float
    without: tuple[str, ...]
    present: str = ""
    rises: bool | None = True


CAUSES = (
    Cause(
        "elementwise",
        "jax_jit",
        "hand-off",
        "async dispatch: JAX's CPU client runs a program on another thread than the caller's once XLA's "
        "cost analysis counts 1,000 flops or more in it (from n = 141 on)",
        140,
        141,
        ("jax_jit_sync",),
    ),
    Cause(
        "elementwise",
        "jax_jit",
        "library kernels",
        "from 4,096 elements on XLA hands the sum, and with it what it can of the expression, to a "
        "library with vectorised functions; below, and for what the library lacks, it has its own loops",
        4_095,
        4_096,
        ("jax_jit_no_library",),
        rises=None,
    ),
    Cause(
        "elementwise",
        "jax_jit",
        "windowed reduction",
        "XLA rewrites a sum that it keeps into a tree of windows, with a temporary array",
        1,
        1_000,
        ("jax_jit_fused",),
        present="jax_jit_1thread",  # without the hand-off, which is larger than what is looked for
    ),
    Cause(
        "elementwise",
        "jax_jit",
        "threads",
        "large loops are divided into tasks for several threads",
        1_000,
        1_000_000,
        ("jax_jit_1thread",),
        present="jax_jit_sync",
        rises=None,
    ),
    Cause(
        "elementwise",
        "numpy",
        "malloc's trim threshold",
        "what is freed of larger arrays goes back to the system, and the next call faults each page in "
        "again",
        31_623,
        100_000,
        ("numpy_heap", "numpy_out"),
    ),
    Cause(
        "elementwise",
        "numpy",
        "mispredicted branches",
        "the processor learns the branches of NumPy's cos by heart while an array is short and the same "
        "in each call; of a longer one it mispredicts them",
        5_000,
        31_623,
        ("numpy_sorted",),
        present="numpy_out",  # numpy_sorted allocates no more than that
    ),
    Cause(
        "metropolis_chains",
        "jax_jit",
        "a loop of 1,024 bytes",
        "a scan whose step reads and writes more (4 chains) is run operation by operation by XLA's "
        "runtime; a smaller one is one kernel",
        3,
        10,
        ("jax_scan_hoisted",),
    ),
)

CURVES = {
    "elementwise": ("numpy", "jax_jit"),
    "recursion": ("jax_jit",),
    "metropolis_chains": ("jax_jit",),
}


def causes_of(workload: str | None, caches: Mapping[str, int]) -> list[Cause]:
    """Return the causes of a workload's bends, with a machine's caches where their sizes are known."""
    of_caches = [
        Cause(
            "elementwise",
            "numpy",
            f"{level} cache",
            f"the arrays no longer fit into the {level} cache ({size / 1024:,.0f} KiB)",
            # All of up to eight arrays of doubles fit, and not even one does.
            size / 64,
            size / 8,
            ("numpy_blocked",),
            present="numpy_out",  # numpy_blocked allocates no more than that
        )
        for level, size in caches.items()
    ]
    return [cause for cause in (*CAUSES, *of_caches) if cause.workload == workload]
