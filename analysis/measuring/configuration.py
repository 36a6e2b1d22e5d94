"""asv's configuration: the project's own, and the one that a run gets."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from asv import util
from asv.config import Config

from jitcost.errors import BadCallError
from jitcost.files import write_atomically
from jitcost.measuring.checkout import check_out
from jitcost.measuring.installing import Source, for_asv

__all__ = ["pinned", "private_conf", "settings_of", "write_conf"]


# What asv takes for a setting that its configuration leaves out.
_DEFAULTS = {"benchmark_dir": "benchmarks", "env_dir": "env"}
_DEFAULTS |= {"results_dir": "results", "html_dir": "html", "repo": "."}


def settings_of(conf_file: Path) -> dict[str, Any]:
    """Return asv's configuration.

    Raises
    ------
    BadCallError
        If asv could not read it either.
    """
    try:
        found: dict[str, Any] = util.load_json(str(conf_file), Config.api_version, js_comments=True)
    except (util.UserError, ValueError, OSError) as error:
        said = " ".join(str(error).split())
        raise BadCallError(f"{conf_file} cannot be read: {said}") from None
    return _DEFAULTS | found


def pinned(settings: dict[str, Any]) -> dict[str, str]:
    """Return the versions of the project's own environment, by name: of several, the first ones."""
    matrix = settings.get("matrix", {})
    # asv's older form has the requirements themselves there; an empty version is the newest.
    requirements = matrix.get("req", {} if {"env", "env_nobuild"} & matrix.keys() else matrix)
    return {name: (_listed(versions) or [""])[0] or "" for name, versions in requirements.items()}


def _listed(values: Any) -> list[Any]:
    """Return a list of values, of which asv lets one stand alone."""
    return values if isinstance(values, list) else [values]


def private_conf(
    conf_file: Path,
    fresh: Path,
    work: Path,
    commit: str,
    requirements: Mapping[str, str] | None = None,
    sources: Mapping[str, Source] | None = None,
) -> Path:
    """Write asv's configuration for this run: the project's own, with its own results folder.

    And with the commit's benchmarks: asv by itself imports those of the working tree, and would store
    what they measure under the commit's name.

    Parameters
    ----------
    conf_file : Path
        The project's configuration.
    fresh : Path
        The results folder.
    work : Path
        Where to write it.
    commit : str
        Whose benchmarks.
    requirements : mapping, optional
        The versions of the only environment, instead of the project's.
    sources : mapping, optional
        Where some of them come from, by requirement; by default they are releases.
    """
    root = conf_file.parent
    settings = settings_of(conf_file)
    folders = {"env_dir": str(root / settings["env_dir"])}
    if (root / settings["repo"]).exists():  # else it is a URL, of which there are several forms
        folders["repo"] = str(root / settings["repo"])
    folders["benchmark_dir"] = str(
        check_out(root, commit, settings["benchmark_dir"], work / "head")
    )
    settings |= folders | {"results_dir": str(fresh), "plugins": []} | for_asv(sources or {})
    private = work / "asv.bench.json"
    wanted = pinned(settings) if requirements is None else requirements
    # One environment: of each variable that the project sets, too, the first value.
    variables = {
        kind: {
            name: _listed(values)[:1]
            for name, values in settings.get("matrix", {}).get(kind, {}).items()
        }
        for kind in ("env", "env_nobuild")
    }
    required = {name: [version] for name, version in wanted.items()}
    settings["matrix"] = {"req": required, **{kind: its for kind, its in variables.items() if its}}
    for rule in ("include", "exclude"):
        settings.pop(rule, None)
    if requirements is not None:
        which = hashlib.sha256(repr(sorted(requirements.items())).encode()).hexdigest()[:12]
        private = work / f"asv.{which}.json"
    return write_conf(private, settings)


def write_conf(path: Path, settings: dict[str, Any]) -> Path:
    """Write settings as a configuration of asv; return where."""
    write_atomically(path, json.dumps({**settings, "version": Config.api_version}))
    return path
