"""Show every workload on every backend: implemented, up to which size, or why not. From the specs alone:
nothing is measured, and no backend has to be installed.
"""

from __future__ import annotations

import argparse

from jitcost.commands import _common
from jitcost.measuring.matrix import rows
from jitcost.show.workloads_table import WIDTH, tables

__all__ = ["add_arguments", "run"]

EXAMPLE = "jitcost workloads --json"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    _common.add_format_options(parser)


def run(args: argparse.Namespace) -> int:
    """Carry the command out; return the exit status."""
    _common.print_as(args.format, rows, lambda: tables(rows()), WIDTH)
    return 0
