"""asv's configuration: the project's own, and the one that a run gets."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from asv import util
from asv.config import Config

from jitcost.errors import BadCallError
from jitcost.files import write_atomically
from jitcost.measuring.checkout import check_out

__all__ = ["pinned", "private_conf", "settings_of", "with_releases", "write_conf"]


# A release as it is filed under: whole, for an environment's name has to say what is in it.
_RELEASE = re.compile(r"\d+(\.\d+)*((a|b|rc)\d+)?(\.post\d+)?(\.dev\d+)?")

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
    return {name: versions[0] if versions else "" for name, versions in requirements.items()}


def with_releases(settings: dict[str, Any], versions: Sequence[str]) -> dict[str, str] | None:
    """Return the environment's releases, some of them asked for; None: all are the project's own.

    Parameters
    ----------
    settings : dict
        asv's configuration.
    versions : sequence of str
        NAME=VERSION each, as a person has written them.

    Raises
    ------
    BadCallError
        If one is written otherwise, or names what the environment does not have.
    """
    if not versions:
        return None
    requirements = pinned(settings)
    for text in versions:
        name, _, version = text.partition("=")
        if name not in requirements or not version:
            known = ", ".join(requirements)
            raise BadCallError(f"--with {text}: give NAME=VERSION; the names are {known}")
        if not _RELEASE.fullmatch(version):
            raise BadCallError(
                f"--with {text}: give a release such as {name}={requirements[name]}; sources by URL or "
                "path are not supported"
            )
        requirements[name] = version
    return requirements


def private_conf(
    conf_file: Path,
    fresh: Path,
    work: Path,
    commit: str,
    requirements: Mapping[str, str] | None = None,
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
    """
    root = conf_file.parent
    settings = settings_of(conf_file)
    folders = {"env_dir": str(root / settings["env_dir"])}
    if "://" not in settings["repo"]:
        folders["repo"] = str(root / settings["repo"])
    folders["benchmark_dir"] = str(
        check_out(root, commit, settings["benchmark_dir"], work / "head")
    )
    settings |= folders | {"results_dir": str(fresh), "plugins": []}
    private = work / "asv.bench.json"
    wanted = pinned(settings) if requirements is None else requirements
    # One environment: of each variable that the project sets, too, the first value.
    variables = {
        kind: {
            name: values[:1] for name, values in settings.get("matrix", {}).get(kind, {}).items()
        }
        for kind in ("env", "env_nobuild")
    }
    required = {name: [version] for name, version in wanted.items()}
    settings["matrix"] = {"req": required, **{kind: its for kind, its in variables.items() if its}}
    for rule in ("include", "exclude"):
        settings.pop(rule, None)
    if requirements is not None:
        private = work / f"asv.{'-'.join(requirements.values())}.json"
    return write_conf(private, settings)


def write_conf(path: Path, settings: dict[str, Any]) -> Path:
    """Write settings as a configuration of asv; return where."""
    write_atomically(path, json.dumps({**settings, "version": Config.api_version}))
    return path
