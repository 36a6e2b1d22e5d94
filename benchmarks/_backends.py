"""The project's `backends`, of whichever commit is installed beside these benchmarks."""

try:
    from jitcost import backends
    from jitcost.backends import check, workloads
except ModuleNotFoundError as error:
    if not (error.name or "").startswith("jitcost"):
        raise
    # A commit from before the project's packages had one name.
    import backends
    from backends import check, workloads

__all__ = ["backends", "check", "workloads"]
