"""The workloads' specs: everything about a workload that is neither a kernel nor asv's.

A spec fixes what is computed (inputs, reference, tolerance), how the model counts it (n, k), and
which cells of the workload x backend table are left out, each with its reason.
"""

from __future__ import annotations

# In the order of the tables. Each adds its own.
from jitcost.backends.workloads import (  # isort: skip
    elementwise,
    recursions,
    vectors,
    operations,
    protocols,
    stand_ins,
)
from jitcost.backends.workloads.spec import (
    Limit,
    Workload,
    checked_size,
    column_error,
    moment_error,
    relative_error,
)
from jitcost.backends.workloads.tables import PROTOCOLS, STAND_INS, WORKLOADS, get, known

__all__ = [
    "PROTOCOLS",
    "STAND_INS",
    "WORKLOADS",
    "Limit",
    "Workload",
    "checked_size",
    "column_error",
    "elementwise",
    "get",
    "known",
    "moment_error",
    "operations",
    "protocols",
    "recursions",
    "relative_error",
    "stand_ins",
    "vectors",
]
