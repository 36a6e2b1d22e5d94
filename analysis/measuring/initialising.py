"""An asv suite of one's own functions, written into the repository that they are in."""

from __future__ import annotations

import importlib.metadata
import json
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from jitcost import backends
from jitcost.errors import BadCallError
from jitcost.files import write_atomically
from jitcost.measuring.checkout import git
from jitcost.measuring.configuration import settings_of
from jitcost.measuring.entries import Entry, Request, Watch
from jitcost.measuring.example import write_example
from jitcost.measuring.libraries import libraries
from jitcost.measuring.own_files import of_file
from jitcost.measuring.own_lines import lines_of
from jitcost.measuring.own_run import Run
from jitcost.measuring.suite_files import Suite, configuration, module
from jitcost.own.errors import OwnFileError
from jitcost.own.names import read

__all__ = ["Written", "initialise"]

# What the sizes are chosen by, in seconds: asv measures a whole file in about this time.
_BUDGET = 600.0

_PACKAGED = ("pyproject.toml", "setup.py")

_CONFIGURATION = "asv.conf.json"

# asv finds modules in packages alone.
_PACKAGES = {
    "benchmarks/__init__.py": '"""Benchmarks, run by asv."""\n',
    "benchmarks/own/__init__.py": '"""Functions measured by jitcost."""\n',
}


@dataclass(frozen=True)
class Written:
    """What was done.

    Attributes
    ----------
    file : Path
        The person's file.
    problems : tuple of str
    new, there : tuple of Path
        The files that were written, and those that had been there and were left.
    source : str or None
        What pip installs jitcost from, where that is no index.
    """

    file: Path
    problems: tuple[str, ...]
    new: tuple[Path, ...]
    there: tuple[Path, ...]
    source: str | None


def initialise(file: Path | None, watch: Watch) -> Written:
    """Write an asv suite for a person's file; nothing that is there is overwritten.

    Every kernel is checked, from its smallest size up: so the sizes are known that asv can measure.

    Parameters
    ----------
    file : Path or None
        None: the only file here that has kernels, or else the example.
    watch : Watch
        Is told while it goes on.

    Raises
    ------
    BadCallError
        If this is no git repository, the file has nothing to measure, or all is there already; and
        where asv has its benchmarks in another folder.
    """
    root = _root()
    _refuse_other_benchmarks(root / _CONFIGURATION)
    path = _chosen(watch) if file is None else file
    if not path.resolve().is_relative_to(root):
        raise BadCallError(f"{path} is not in this repository, {root}; asv measures its commits")
    entries, near_misses = of_file(path)
    for line in near_misses:
        watch.say(line)
    problems = tuple(dict.fromkeys(entry.kernel.problem for entry in entries))
    modules = {problem: _module_of(problem) for problem in problems}
    wanted = (*_PACKAGES, *modules.values(), _CONFIGURATION)
    there = tuple(name for name in wanted if (root / name).exists())
    if there == wanted:
        raise BadCallError(f"all of it is there already, and is left as it is: {', '.join(there)}")
    texts = dict(_PACKAGES)
    lacking = [one for one in entries if modules[one.kernel.problem] not in there]
    for suite in _suites(lacking, path.resolve().relative_to(root).as_posix(), watch):
        texts[modules[suite.problem]] = module(suite)
    texts[_CONFIGURATION] = configuration(
        root.name,
        list(libraries(entry.kernel.backend for entry in entries)),
        jitcost=_source(),
        packaged=any((root / name).is_file() for name in _PACKAGED),
    )
    new = tuple(name for name in texts if name not in there)
    _write(root, {name: texts[name] for name in new})
    return Written(
        path,
        problems,
        tuple(root / name for name in new),
        tuple(root / name for name in there),
        _source(),
    )


def _refuse_other_benchmarks(conf: Path) -> None:
    others = [
        path
        for name in ("asv.conf.json", "asv.conf.jsonc")
        for path in sorted(conf.parent.glob(f"**/{name}"))
        if path != conf and ".asv" not in path.parts
    ]
    if others:
        raise BadCallError(
            f"{others[0].relative_to(conf.parent)} is there already, and jitcost init writes a suite "
            "beside an asv.conf.json at the top of the repository only; write benchmarks/own by hand"
        )
    if conf.exists() and (folder := settings_of(conf)["benchmark_dir"]) != "benchmarks":
        raise BadCallError(
            f"{conf.name} has its benchmarks in {folder}; jitcost init writes into benchmarks alone"
        )


def _module_of(problem: str) -> str:
    if not problem.isidentifier():
        raise BadCallError(f"{problem!r} cannot be the name of a module; rename the file")
    return f"benchmarks/own/{problem}.py"


def _write(root: Path, texts: Mapping[str, str]) -> None:
    try:
        for name, text in texts.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            write_atomically(root / name, text)
    except OSError as error:
        raise BadCallError(f"cannot write into {root}: {error.strerror}") from None


def _root() -> Path:
    top = git("rev-parse", "--show-toplevel")
    if top.returncode:
        raise BadCallError(
            "not in a git repository, and asv measures commits; git init, or without any: "
            "jitcost measure FILE.py"
        )
    return Path(top.stdout.rstrip("\n")).resolve()


def _chosen(watch: Watch) -> Path:
    """Return the only file here that has kernels, or the example."""
    having = [path for path in sorted(Path().glob("*.py")) if _has_kernels(path)]
    if len(having) > 1:
        names = ", ".join(path.name for path in having)
        raise BadCallError(f"{names} have kernels; say which: jitcost init {having[0].name}")
    if having:
        return having[0]
    path, _ = write_example(Path())
    watch.say(f"no file here has kernels: wrote {path}, an example")
    return path


def _has_kernels(path: Path) -> bool:
    try:
        return bool(read(path.read_text(encoding="utf-8"), path.stem, backends.names()).kernels)
    except (OwnFileError, OSError, UnicodeDecodeError):
        return False


def _suites(entries: list[Entry], file: str, watch: Watch) -> Iterable[Suite]:
    """Yield what can be measured of each problem: the sizes that its kernels have been checked at."""
    if not entries:
        return
    with tempfile.TemporaryDirectory(prefix="jitcost-") as shared:
        run = Run(Request(tuple(entries), budget=_BUDGET), watch, shared)
        run.scout()
    for line in (*run.left_out.values(), *lines_of(run.outcome)):
        watch.say(line)
    for problem in dict.fromkeys(entry.kernel.problem for entry in entries):
        measured = {entry for entry, _ in run.calls}
        its = [one for one in entries if one.kernel.problem == problem and one in measured]
        sizes = {run.outcome.n[problem, one]: one for one in run.outcome.sizes_of(problem)}
        if not sizes:
            raise BadCallError(f"no kernel of {problem} could be run; nothing is written")
        largest = {
            entry.kernel.name: max(n for n, size in sizes.items() if (entry, size) in run.calls)
            for entry in its
            if entry in run.left_out
        }
        limits = {name: n for name, n in largest.items() if n < max(sizes)}
        names = tuple(entry.kernel.name for entry in its)
        yield Suite(file, problem, sizes, names, limits)


def _source() -> str | None:
    """Return what pip installs this package from where it comes from no index: a folder, or a URL."""
    checkout = Path(__file__).resolve().parents[2]
    if (checkout / "pyproject.toml").is_file():
        return str(checkout)
    text = importlib.metadata.distribution("jitcost").read_text("direct_url.json")
    if text is None:
        return None
    told = json.loads(text)
    commit = told.get("vcs_info", {}).get("commit_id")
    return f"jitcost @ {told['vcs_info']['vcs']}+{told['url']}@{commit}" if commit else told["url"]
