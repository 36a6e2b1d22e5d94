"""Publish a site of results that were measured before, those in analysis/history unless another folder
is named: who wins where, what changed lately, the report, a page for each workload, and asv's own pages.
Measures nothing, and needs no JAX.
"""

from __future__ import annotations

import argparse
import math
import os
from pathlib import Path

from jitcost.measuring.checkout import HISTORY, checkout
from jitcost.measuring.publishing import publish
from jitcost.show.site import how_to_look
from jitcost.show.terminal import PipeConsole

__all__ = ["add_arguments", "run"]

EXAMPLE = "jitcost site -o public"

# What a person is told to expect, in seconds: asv and the report, and each result file.
START, EACH = 10.0, 0.3


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "--results", type=Path, metavar="DIR", help=f"default: {HISTORY} of this checkout"
    )
    parser.add_argument(
        "-o", dest="site", type=Path, metavar="DIR", help="default: .asv/site of this checkout"
    )


def run(args: argparse.Namespace) -> int:
    """Publish, and say where."""
    root, _ = checkout(ignore_changes=True)
    folder = (args.results or root / HISTORY).absolute()
    site = (args.site or root / ".asv" / "site").absolute()
    console = PipeConsole()
    files = sum(1 for _ in folder.rglob("*.json"))
    about = math.ceil(START + files * EACH)
    with console.status(f"Publishing {os.path.relpath(folder)}, {files} files: about {about} s"):
        publish(console, root, folder, site)
    for line in how_to_look(site):
        console.print(line, soft_wrap=True, highlight=False, markup=False)
    return 0
