"""Write an example, rbf.py, into this folder, and measure it as `jitcost measure rbf.py` does: a problem
on NumPy, JAX and Numba, of which is told what is faster, from which n on, and after how many calls
compiling has paid. Then change the file, and measure your own.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from jitcost.commands import _values
from jitcost.measured.files import Options, measure_file
from jitcost.measured.functions import watched
from jitcost.measuring.example import write_example
from jitcost.measuring.libraries import installed
from jitcost.measuring.own_files import of_file

__all__ = ["add_arguments", "run"]

EXAMPLE = "jitcost demo --time 20"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("--time", default="60", metavar="SECONDS", help="of the whole; default: 60")


def run(args: argparse.Namespace) -> int:
    """Write, measure and show; return the exit status."""
    budget = _values.seconds(args.time, "--time")
    path, written = write_example(Path())
    with watched() as watch:
        watch.say(f"{'wrote' if written else 'there already:'} {path}")
        entries, _ = of_file(path)
        names = installed((entry.kernel.name for entry in entries), watch.say)
        found = measure_file(path, Options(backends=names, budget=budget), watch)
    from jitcost.show.terminal import print_all

    print_all(found.parts())
    return 0
