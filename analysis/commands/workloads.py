"""Show every workload on every backend: implemented, up to which size, or why not. From the specs alone:
nothing is measured, and no backend has to be installed.
"""

from __future__ import annotations

import argparse
import json

from jitcost.commands import _common
from jitcost.measuring.matrix import rows
from jitcost.show.workloads_table import WIDTH, render

__all__ = ["add_arguments", "run"]

EXAMPLE = "jitcost workloads --json"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    _common.add_json_option(parser)


def run(args: argparse.Namespace) -> int:
    """Carry the command out; return the exit status."""
    if args.json:
        print(json.dumps(rows(), indent=1, allow_nan=False))
    else:
        _common.print_tables(render(rows()), WIDTH)
    return 0
