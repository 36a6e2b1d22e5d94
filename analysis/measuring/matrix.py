"""What there is to measure: every workload on every backend, and what is left out for which reason."""

from __future__ import annotations

from typing import Any

from jitcost.backends import names
from jitcost.backends import workloads as specs

__all__ = ["rows"]


def rows() -> list[dict[str, Any]]:
    """Return a row for each workload and backend.

    Returns
    -------
    list of dict
        workload, backend, status (`implemented`: at every size; `limited`: up to a size; `excused`:
        there is no kernel), limit (the largest size, or None), reason (of a limit, or None).
    """
    return [_row(spec, backend) for spec in specs.WORKLOADS.values() for backend in names()]


def _row(spec: specs.Workload, backend: str) -> dict[str, Any]:
    limit = spec.limit_of(backend)
    row = {"workload": spec.name, "backend": backend}
    if limit is None:
        return {**row, "status": "implemented", "limit": None, "reason": None}
    status = "limited" if limit.largest else "excused"
    return {**row, "status": status, "limit": limit.largest or None, "reason": limit.reason}
