"""Which measurement would tell a time that a plan lacks? Its sizes, and the command that measures it.

A plan takes a time between measured sizes from its neighbours, and a first call from the nearest size at
which both times are known: so much has to be measured, and no more.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

__all__ = ["ANY_SIZE", "bench_command", "missing_sizes"]

# Nothing less than every size that there is: beyond them all, a time is the model's.
ANY_SIZE: tuple[int, ...] = ()


def missing_sizes(
    n: float, steady: Sequence[float], first: Sequence[float], *, lacks_first: bool
) -> tuple[int, ...]:
    """Return the sizes to measure, or `ANY_SIZE`.

    Parameters
    ----------
    n : float
        The size that is planned.
    steady, first : sequence of float
        The sizes that can be measured in steady state and at first calls, increasing.
    lacks_first : bool
        Whether the first call cannot be told; otherwise it is the steady state.

    >>> missing_sizes(500, [10, 100, 1000], [100], lacks_first=False)
    (100, 1000)
    >>> missing_sizes(1000, [10, 100, 1000], [100], lacks_first=True)
    (100, 1000)
    >>> missing_sizes(5000, [10, 100, 1000], [100], lacks_first=False)
    ()
    """
    below = [size for size in steady if size <= n]
    above = [size for size in steady if size >= n]
    if not below or not above:
        return ANY_SIZE
    wanted = {below[-1], above[0]}
    if lacks_first:
        both = [size for size in first if size in steady and size > 0]
        if not both:
            return ANY_SIZE
        wanted.add(min(both, key=lambda size: (abs(math.log(size / n)), size)))
    return tuple(int(size) for size in sorted(wanted))


def bench_command(workload: str, backends: Iterable[str], sizes: Iterable[int]) -> str:
    """Return the command that measures a workload of the suite.

    >>> bench_command("recursion", ["numba"], [100000])
    'jitcost bench recursion --backend numba --n 100000'
    >>> bench_command("recursion", ["numba"], ANY_SIZE)
    'jitcost bench recursion --backend numba --full'
    """
    named = "".join(f" --backend {name}" for name in backends)
    return f"jitcost bench {workload}{named}{''.join(f' --n {n}' for n in sizes) or ' --full'}"
