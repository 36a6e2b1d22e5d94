"""Publish asv's pages, with the report, from results that were measured before: those in
analysis/history unless another folder is named. Measures nothing, and needs no JAX.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from rich.console import Console

from jitcost.commands.bench import say_how_to_look
from jitcost.errors import BadCallError
from jitcost.measuring.running import Asv, alone, checkout, settings_of, write_conf

__all__ = ["HISTORY", "add_arguments", "run"]

EXAMPLE = "jitcost site -o public"

HISTORY = Path("analysis", "history")


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
    if not (folder / "benchmarks.json").is_file():
        raise BadCallError(
            f"no results in {folder}; measure with `make history`, then jitcost keep"
        )
    site = (args.site or root / ".asv" / "site").absolute()
    if site.exists() and not (site / "info.json").is_file() and not _is_empty(site):
        raise BadCallError(
            f"{site} holds something else than asv's pages, and would be replaced as a whole; "
            "name a new folder"
        )
    settings = settings_of(root / "asv.conf.json")
    settings |= {key: str(root / settings[key]) for key in ("repo", "benchmark_dir", "env_dir")}
    settings |= {"results_dir": str(folder), "html_dir": str(site)}
    work = root / ".asv"
    work.mkdir(exist_ok=True)
    conf_file = write_conf(work / "asv.site.json", settings)
    log = work / "site.log"
    log.write_text("")
    console = Console()
    with alone(work / "lock"), console.status(f"Publishing {os.path.relpath(folder)}"):
        Asv(conf_file, log).publish(console)
    say_how_to_look(console, site)
    return 0


def _is_empty(path: Path) -> bool:
    return path.is_dir() and not any(path.iterdir())
