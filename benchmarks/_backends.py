"""The project's `backends`, of whichever commit is installed beside these benchmarks."""

import os

try:
    from jitcost import backends
    from jitcost.backends import check, workloads
except ModuleNotFoundError as error:
    if not (error.name or "").startswith("jitcost"):
        raise
    # A commit from before the project's packages had one name.
    import backends
    from backends import check, workloads

__all__ = ["BACKENDS", "backends", "check", "workloads"]

# Written out, and not `backends.names()`: an older commit has other names, or in another order. Whoever
# measures further backends, which other packages have registered, names them in JITCOST_BACKENDS: the
# same ones for each environment of a run, since asv discovers in one of them and counts in all.
BACKENDS = ["python", "numpy", "jax_eager", "jax_jit", "numba", "julia"]
BACKENDS += [
    name for name in os.environ.get("JITCOST_BACKENDS", "").split() if name not in BACKENDS
]
