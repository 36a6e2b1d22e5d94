"""asv's pages of results that were measured before."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console

from jitcost.errors import BadCallError
from jitcost.measuring.asv import Asv
from jitcost.measuring.configuration import settings_of, write_conf
from jitcost.measuring.lock import alone
from jitcost.store import asv_files

__all__ = ["publish"]

# With a dot: without, asv looks among its own plugins only.
PLUGIN = ".jitcost.asv_plugin"


def publish(console: Console, root: Path, folder: Path, site: Path) -> None:
    """Publish a folder of results, in the place of what was published there before.

    Parameters
    ----------
    console : rich.console.Console
        Where to say whose results the pages lack.
    root : Path
        The checkout.
    folder : Path
        What asv calls `results_dir`.
    site : Path
        What asv calls `html_dir`.

    Raises
    ------
    BadCallError
        If there are no results, or something else than asv's pages would be replaced.
    """
    if site.exists() and not (site / "info.json").is_file() and not _is_empty(site):
        raise BadCallError(
            f"{site} holds something else than asv's pages, and would be replaced as a whole; "
            "name a new folder"
        )
    if not (folder / "benchmarks.json").is_file() or not list(asv_files.paths(folder)):
        raise BadCallError(
            f"no results in {folder}; measure with `make history`, then jitcost keep"
        )
    settings = settings_of(root / "asv.conf.json")
    settings |= {key: str(root / settings[key]) for key in ("repo", "benchmark_dir", "env_dir")}
    settings |= {"results_dir": str(folder), "html_dir": str(site)}
    # asv looks for the one that the project's configuration names beside that file.
    settings["plugins"] = [PLUGIN]
    work = root / ".asv"
    work.mkdir(exist_ok=True)
    conf_file = write_conf(work / "asv.site.json", settings)
    log = work / "site.log"
    log.write_text("")
    with alone(work / "lock"):
        Asv(conf_file, log).publish(console)


def _is_empty(path: Path) -> bool:
    return path.is_dir() and not any(path.iterdir())
