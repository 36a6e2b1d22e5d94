"""Where and with what results were measured: what is known of a machine, environment and commit."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

import polars as pl

from jitcost.store import asv_files, finding
from jitcost.store.heads import head
from jitcost.store.json_files import COMPRESSED, read_json

__all__ = ["Provenance", "provenances"]

_KEYS = ("machine", "environment", "env_vars", "commit")

# Of the distributions that were imported, those that a time depends on; the others are in the file.
_TIMED = ("numpy", "jax", "jaxlib", "numba", "llvmlite", "juliacall")

# Settings that say where something is, not how it runs.
_WHERE = "PYTHON_JULIACALL_"


@dataclass(frozen=True)
class Provenance:
    """One origin (machine, environment and commit), and what was recorded of it.

    Results of one origin are never compared with another's as if they were of the same.

    Attributes
    ----------
    machine, environment, commit : str
        As asv has them.
    env_vars : dict
        The environment variables that asv set for it.
    date : datetime or None
        Of the commit.
    cpu : str or None
        The processor's name, and how many of them were usable.
    versions : dict
        By name, Python first: as imported where that was recorded, else as asked for; what is no
        release of the index as the environment is filed under.
    unavailable : dict
        Why a backend could not be measured, by backend.
    settings : dict
        Environment variables that change how a backend runs.
    cores : int or None
        How many processors were usable; None where that was not recorded.
    caches : dict
        The bytes of the first core's caches by level, L1d first; empty where they were not recorded.
    sources : dict
        What a person has asked for, by the name of each library that is no release of the index.
    """

    machine: str
    environment: str
    commit: str
    env_vars: dict[str, str] = field(default_factory=dict)
    date: datetime | None = None
    cpu: str | None = None
    versions: dict[str, str] = field(default_factory=dict)
    unavailable: dict[str, str] = field(default_factory=dict)
    settings: dict[str, str] = field(default_factory=dict)
    cores: int | None = None
    caches: dict[str, int] = field(default_factory=dict)
    sources: dict[str, str] = field(default_factory=dict)

    def sentence(self) -> str:
        """Return all of it that belongs under a figure."""
        cpu = f" ({self.cpu})" if self.cpu else ""
        parts = [f"{self.machine}{cpu}", self.versions_text()]
        if self.env_vars:
            parts.append(" ".join(f"{name}={value}" for name, value in self.env_vars.items()))
        when = f" of {self.date:%Y-%m-%d}" if self.date else ""
        return f"Measured on {'; '.join(parts)}; commit {self.commit[:8]}{when}."

    def versions_text(self) -> str:
        """Return the versions in one line, with what a version is of that is no release."""
        return ", ".join(
            f"{name} {version}" + (f" ({self.sources[name]})" if name in self.sources else "")
            for name, version in self.versions.items()
        )


def provenances(
    cells: pl.DataFrame, folder: Path | None = None
) -> Iterator[tuple[Provenance, pl.DataFrame]]:
    """Yield the provenance of each origin, with its cells.

    Parameters
    ----------
    cells : polars.DataFrame
        See `jitcost.store.results`.
    folder : Path, optional
        Where they were read from: what was imported is recorded beside the result files.

    Yields
    ------
    provenance : Provenance
    cells : polars.DataFrame
    """
    commits = {str(commit)[:8] for commit in cells["commit"].unique()}
    recorded = {} if folder is None else dict(_recorded(folder, commits))
    cpus = {} if folder is None else dict(_cpus(folder))
    for values, group in cells.group_by(_KEYS, maintain_order=True):
        machine, environment, env_vars, commit = map(str, values)
        first = group.row(0, named=True)
        about = recorded.get((machine, environment, env_vars, commit), {})
        asked_for = {"Python": first["python"]} | json.loads(first["versions"] or "{}")
        backends = _objects(about.get("backends"))
        yield (
            Provenance(
                machine=_printable(machine),
                environment=_printable(environment),
                commit=_printable(commit),
                env_vars=_texts(json.loads(env_vars or "{}")),
                date=first["date"],
                cpu=_cpu(about) or cpus.get(machine),
                versions=_texts(_imported(about, backends) or _asked_for(asked_for)),
                unavailable=_texts(
                    {
                        name: backend.get("reason", "no reason was recorded")
                        for name, backend in backends.items()
                        if backend.get("available") is False
                    }
                ),
                settings={
                    name: value
                    for name, value in _texts(about.get("settings")).items()
                    if not name.startswith(_WHERE)
                },
                cores=_cores(about),
                caches=_caches(about),
                sources=_texts({name: its["said"] for name, its in _no_releases(about).items()}),
            ),
            group,
        )


def _recorded(folder: Path, commits: set[str]) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield what was recorded beside the result files of these commits, by origin.

    asv's file names begin with the commit; what a file is of is nevertheless read in it.
    """
    for path in asv_files.paths(folder):
        beside = finding.beside(path, ".provenance")
        if path.name[:8] not in commits or not beside.is_file():
            continue
        try:
            file, about = head(path), read_json(beside)
        except asv_files.BROKEN as error:
            asv_files.warn(beside, error)
            continue
        key = (file.machine, file.environment, json.dumps(file.env_vars), file.commit)
        yield key, about if isinstance(about, dict) else {}


def _cpus(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield the processor that asv, or a person, has noted of each machine.

    In a folder of the machine's name: a folder that was renamed or copied says it of another one.
    """
    folder = folder.resolve().parent if folder.is_file() else folder
    names = ("machine.json", f"machine.json{COMPRESSED}")
    for path in sorted(path for name in names for path in folder.rglob(name)):
        try:
            about = read_json(path)
            if about["cpu"] and about["machine"] == path.absolute().parent.name:
                yield str(about["machine"]), _printable(about["cpu"])
        except asv_files.BROKEN:
            continue


def _cpu(about: dict[str, Any]) -> str | None:
    cpu = about.get("cpu")
    if not isinstance(cpu, dict) or not cpu.get("model"):
        return None
    usable = f", {cpu['usable']} CPUs usable" if cpu.get("usable") else ""
    return _printable(f"{cpu['model']}{usable}")


def _cores(about: dict[str, Any]) -> int | None:
    cpu = about.get("cpu")
    usable = cpu.get("usable") if isinstance(cpu, dict) else None
    return usable if isinstance(usable, int) and usable > 0 else None


def _caches(about: dict[str, Any]) -> dict[str, int]:
    cpu = about.get("cpu")
    caches = cpu.get("caches") if isinstance(cpu, dict) else None
    items = caches.items() if isinstance(caches, dict) else ()
    return {_printable(name): size for name, size in items if isinstance(size, int)}


def _imported(about: dict[str, Any], backends: dict[str, dict[str, Any]]) -> dict[str, Any]:
    distributions = about.get("distributions")
    if not isinstance(distributions, dict):
        return {}
    versions = {"Python": str(about.get("python", "")).split(" ")[0]}
    versions |= {name: distributions[name] for name in _TIMED if name in distributions}
    filed = {name: source["version"] for name, source in _no_releases(about).items()}
    versions |= {name: version for name, version in filed.items() if name in versions}
    julia = backends.get("julia", {})
    named = (("Julia", "julia"), ("PythonCall", "PythonCall"))
    return versions | {name: julia[key] for name, key in named if key in julia}


def _no_releases(about: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Return what was recorded of the sources that pip does not find by name and version alone."""
    return {
        name: its
        for name, its in _objects(about.get("sources")).items()
        if {"said", "version", "given"} <= its.keys()
        and its["given"] != [f"{name}=={its['version']}"]
    }


def _asked_for(versions: dict[str, Any]) -> dict[str, Any]:
    return {name.removeprefix("pip+"): version for name, version in versions.items() if version}


def _objects(value: Any) -> dict[str, dict[str, Any]]:
    items = value.items() if isinstance(value, dict) else ()
    return {name: item for name, item in items if isinstance(item, dict)}


def _texts(value: Any) -> dict[str, str]:
    items = value.items() if isinstance(value, dict) else ()
    return {_printable(name): _printable(item) for name, item in items}


def _printable(text: object) -> str:
    """Return a text that XML can hold: names in results are whatever somebody has typed."""
    return "".join(
        letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in str(text)
    )
