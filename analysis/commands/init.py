"""Write an asv suite of your own functions into the git repository that you are in, so that their times
are followed over its commits: by asv run, asv publish and jitcost bench. Nothing is overwritten. Without
FILE.py the only file here that has kernels is taken, or an example is written.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from jitcost.measured.functions import watched
from jitcost.measuring.initialising import initialise

__all__ = ["add_arguments", "run"]

EXAMPLE = "jitcost init rbf.py"

NEEDED = """\
  add to its "matrix" the libraries of your kernels, to its "install_command" jitcost (on no index:
  "in-dir={{env_dir}} python -m pip install --no-deps {source}"),
  and "launch_method": "spawn": forking deadlocks under JAX's threads"""

NEXT = """
Next: put .asv/ and .jitcost/ into .gitignore, add to "matrix" in asv.conf.json what else {file}
imports, and commit these files and {file}. Then, where jitcost is installed, too,
  jitcost bench          measures the checked-out commit, publishes the pages, shows the tables
  asv run HEAD~5..HEAD   measures several commits, and asv publish draws their history
  jitcost history        says what has changed; compare, fit, breakeven and report answer as well"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("file", nargs="?", type=Path, metavar="FILE.py")


def run(args: argparse.Namespace) -> int:
    """Write, and say what and what next."""
    with watched() as watch:
        done = initialise(args.file, watch)
    for path in done.new:
        print(f"wrote {os.path.relpath(path)}")
    for path in done.there:
        print(f"there already, left as it is: {os.path.relpath(path)}")
        if path.name == "asv.conf.json":
            print(NEEDED.format(source=done.source or "jitcost"))
    print(NEXT.format(file=os.path.relpath(done.file)))
    return 0
