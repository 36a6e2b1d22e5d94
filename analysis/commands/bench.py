"""Measure the checked-out commit with asv in an environment of its own, publish the history pages and
show which backend wins where. Every step that has finished is kept, also when one after it does not.
"""

from __future__ import annotations

import argparse
import contextlib
import fcntl
import io
import json
import os
import platform
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from asv import environment, util
from asv.config import Config
from rich.console import Console
from rich.markup import escape
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
)

import backends
from analysis import cli, results
from analysis.asv_plugin import REPORT
from analysis.commands import compare, fit
from analysis.errors import AsvError, BadCallError
from analysis.files import write_atomically
from analysis.merging import merge_results
from backends import workloads

__all__ = ["Selection", "Step", "add_arguments", "bench", "run", "steps"]

EXAMPLE = "jitcost bench recursion --backend numpy --backend numba --n 1000 --n 10000"

# The article's two problems. A quick run measures them at the sizes below, by benchmark class: enough
# for a comparison and a fit in minutes.
PROBLEMS = ("elementwise", "recursion")
QUICK_SIZES = {
    "SteadyState": (10, 100, 1_000, 10_000, 100_000, 1_000_000),
    "FirstCall": (100, 100_000),
    "Agreement": (10, 100, 1_000, 10_000, 100_000, 1_000_000),
    "Replay": (100_000,),
}

# And of the other workloads, unless they are asked for by name, one size in steady state.
QUICK_OTHERS = {
    "metropolis": (1_000,),
    "metropolis_chains": (100,),
    "kalman": (1_000,),
    "logistic_gradient": (1_000,),
    "normals": (1_000,),
}

# What is taken from the commit, whatever the working tree holds.
MEASURED_PATHS = ("backends", "benchmarks", "julia", "pyproject.toml")

# asv -v announces each process that it starts in an environment.
_PROCESS = re.compile(r"Running '.*benchmark\.py run .*' in virtualenv-")

# The last line of a traceback in asv's output.
_ERROR = re.compile(r"^\s+(?:\w+\.)*(\w*(?:Error|Exception|WrongKernel)): (.*\S)")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("workloads", nargs="*", metavar="WORKLOAD", help="default: all")
    parser.add_argument(
        "--backend", action="append", metavar="NAME", help="default: all; repeatable"
    )
    parser.add_argument("--n", action="append", metavar="N", help="a size; repeatable")
    parser.add_argument("--machine", metavar="NAME", help="default: the host's name")
    parser.add_argument("--full", action="store_true", help="every size, samples recorded")
    parser.add_argument(
        "--ignore-changes",
        action="store_true",
        help="measure HEAD although the working tree differs from it",
    )


def run(args: argparse.Namespace) -> int:
    """Carry the command out; return the exit status."""
    selection = Selection(
        workloads=args.workloads or None,
        backends=args.backend,
        sizes=None if args.n is None else list(map(cli.whole_number, args.n)),
        full=args.full,
    )
    return bench(selection, ignore_changes=args.ignore_changes, machine=args.machine)


@dataclass(frozen=True)
class Selection:
    """What to measure: None means every workload, backend, or (`full`) size, or the quick sizes."""

    workloads: Sequence[str] | None = None
    backends: Sequence[str] | None = None
    sizes: Sequence[int] | None = None
    full: bool = False

    def __post_init__(self) -> None:
        try:
            for workload in self.workloads or ():
                workloads.get(workload)
            for size in self.sizes or ():
                workloads.checked_size(size)
            unknown = set(self.backends or ()) - set(backends.NAMES)
            if unknown:
                known = ", ".join(backends.NAMES)
                raise BadCallError(f"no backend {min(unknown)!r}; there are {known}")
        except ValueError as error:
            raise BadCallError(str(error)) from None

    def has(self, module: str, parameters: list[str]) -> bool:
        """Tell whether a module's benchmark with these parameters can be among the selected."""
        if self.workloads is not None:
            return module in self.workloads
        if self.sizes or self.backends:
            needed = {"n"} if self.sizes else {"backend"}
            return needed <= set(parameters)
        return self.full or module == "harness" or "n" in parameters

    def sizes_of(self, module: str, kind: str) -> Sequence[int]:
        """Return the sizes of a selection that is not of all."""
        if self.sizes is not None:
            return self.sizes
        if self.workloads is not None or module in PROBLEMS:
            return QUICK_SIZES.get(kind, ())
        return QUICK_OTHERS.get(module, ()) if kind == "SteadyState" else ()

    def of(self, name: str, texts: list[str], module: str, kind: str) -> list[str]:
        """Return which values of a benchmark's parameter are selected, as asv writes them."""
        if name == "backend" and self.backends is not None:
            return [text for text in texts if text.strip("'") in self.backends]
        if name == "n" and not (self.full and self.sizes is None):
            sizes = self.sizes_of(module, kind)
            return [text for text in texts if results.parse_size(text) in sizes]
        return texts


@dataclass(frozen=True)
class Step:
    """One `asv run`: the benchmarks of one workload and class."""

    name: str
    patterns: tuple[str, ...]  # asv's --bench, matched against name(parameter, parameter)
    processes: int  # asv starts one for each cell and round


def steps(discovered: dict[str, Any], selection: Selection) -> list[Step]:
    """Divide what asv has discovered (its benchmarks.json) into steps."""
    _require_sizes(discovered, selection)
    by_class: dict[str, list[tuple[str, int]]] = {}  # pattern and processes of each benchmark
    for name, benchmark in discovered.items():
        if name == "version":  # of the file's format
            continue
        module, kind = (*name.split("."), "")[:2]
        if not selection.has(module, benchmark["param_names"]):
            continue
        chosen = [
            selection.of(parameter, texts, module, kind)
            for parameter, texts in zip(benchmark["param_names"], benchmark["params"], strict=True)
        ]
        if not all(chosen):
            continue
        cells = 1
        pattern = f"^{re.escape(name)}"
        if chosen:
            alternatives = ("|".join(map(re.escape, texts)) for texts in chosen)
            pattern += rf"\({', '.join(f'(?:{texts})' for texts in alternatives)}\)"
            for texts in chosen:
                cells *= len(texts)
        by_class.setdefault(f"{module}.{kind}", []).append(
            (f"{pattern}$", cells * benchmark.get("rounds", 1))
        )
    return [
        Step(name, tuple(pattern for pattern, _ in members), sum(count for _, count in members))
        for name, members in sorted(by_class.items())
    ]


def _require_sizes(discovered: dict[str, Any], selection: Selection) -> None:
    """Refuse a size that no selected benchmark has, instead of leaving it out."""
    ladders: dict[str, set[int]] = {}
    for name, benchmark in discovered.items():
        module = name.split(".")[0]
        if name == "version" or "n" not in benchmark["param_names"]:
            continue
        if selection.workloads is None or module in selection.workloads:
            texts = benchmark["params"][benchmark["param_names"].index("n")]
            ladders.setdefault(module, set()).update(map(int, texts))
    for size in selection.sizes or ():
        if not any(size in ladder for ladder in ladders.values()):
            known = "; ".join(
                f"{module}: {', '.join(map(str, sorted(ladder)))}"
                for module, ladder in ladders.items()
            )
            raise BadCallError(f"n = {size} is not measured; there are {known}")


def bench(selection: Selection, *, ignore_changes: bool = False, machine: str | None = None) -> int:
    """Measure, publish and show; return the exit status (1 where a cell has failed)."""
    platforms = os.environ.get("JAX_PLATFORMS", "cpu")
    if platforms != "cpu" and machine is None:
        raise BadCallError(
            f"JAX_PLATFORMS={platforms} is another machine than the CPU; name it: --machine NAME"
        )
    machine = machine or platform.node()
    console = Console()
    root, commit = _checkout(ignore_changes=ignore_changes)
    settings = _settings(root / "asv.conf.json")
    kept, html = root / settings["results_dir"], root / settings["html_dir"]
    work = kept.parent
    work.mkdir(parents=True, exist_ok=True)
    with _alone(work / "lock"):
        log = work / "asv.log"
        log.write_text("")
        failures = _measure(console, root, commit, selection, log, machine)
        console.print("Publishing the pages")
        _Asv(root / "asv.conf.json", log).run("publish", "--no-pull")
    cells = results.read(kept).filter(machine=machine, commit=commit)
    comparison, fits = compare.compare(cells, "numpy"), fit.over_sizes(cells)
    tables = [*compare.render(comparison), *fit.render(fits)]
    for renderable in (*tables, "\nAgreement with the references", *compare.agreement(cells)):
        console.print(renderable)
    _say_where(console, html)
    for name, messages in failures.items():
        console.print(f"[red]failed[/] in {name}, see {log}", *messages, sep="\n  ")
    return 1 if failures else 0


def _measure(
    console: Console, root: Path, commit: str, selection: Selection, log: Path, machine: str
) -> dict[str, list[str]]:
    """Run every step; return the messages of those in which a cell has failed.

    asv saves when a run ends and not before: with one run for each workload and class, an interrupt
    loses at most the one under way.
    """
    conf_file = root / "asv.conf.json"
    kept, work = root / _settings(conf_file)["results_dir"], log.parent
    fresh = work / "unmerged"

    def merge() -> None:
        for path in merge_results(fresh, kept, work / "replaced"):
            console.print(
                f"Replaced; what was there is now {os.path.relpath(path)}", soft_wrap=True
            )

    merge()  # what a run has left that was killed outright
    asv = _Asv(_private_conf(conf_file, fresh, work, commit), log)
    if machine not in _known_machines():
        asv.run("machine", "--yes", "--machine", machine)  # as asv would ask a person to
    measure = ("run", f"{commit}^!", "--machine", machine)
    console.print(f"Building {commit[:8]} and asv's environment; the first time takes minutes")
    asv.run(*measure, "--bench", "just-discover")
    planned = steps(json.loads((fresh / "benchmarks.json").read_text()), selection)
    if not planned:
        raise BadCallError("no benchmark has all of these workloads, backends and sizes")
    described = _describe(asv)
    _say_with_what(console, described["backends"])

    failures: dict[str, list[str]] = {}
    samples = ["--record-samples"] if selection.full else []
    try:
        for step, count in _progress(console, planned):
            patterns = [f"--bench={pattern}" for pattern in step.patterns]
            call = (*measure, "-v", "--show-stderr", *samples, *patterns)
            if asv.run(*call, on_line=count) != 0:
                failures[step.name] = asv.errors()
            _record(described, fresh)
    finally:
        merge()
    return failures


@contextlib.contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Hold the folder: a second run beside this one would disturb its times, and its files."""
    with path.open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise BadCallError("another jitcost bench is at work here; wait for its end") from None
        yield


def _checkout(*, ignore_changes: bool) -> tuple[Path, str]:
    """Return the checkout's root and the commit to measure."""
    git = _git("rev-parse", "--show-toplevel")
    root = Path(git.stdout.rstrip("\n"))
    if git.returncode or not (root / "asv.conf.json").is_file():
        raise BadCallError(
            "not in a checkout of jitcost; asv measures commits: change into a clone"
        )
    head = _git("rev-parse", "--verify", "HEAD^{commit}")
    if head.returncode:
        raise BadCallError("there is no commit yet, and asv measures commits; commit first")
    changed = _git("-C", str(root), "status", "--porcelain", "--", *MEASURED_PATHS).stdout
    if changed and not ignore_changes:
        paths = ", ".join(line[3:] for line in changed.splitlines())
        raise BadCallError(
            f"uncommitted changes would not be measured, HEAD would: {paths}; commit them, or "
            "go on with `make bench BENCH=--ignore-changes`"
        )
    return root, head.stdout.strip()


def _git(*args: str) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(["git", *args], capture_output=True, text=True)
    except FileNotFoundError:
        raise BadCallError("git is missing, and asv measures commits; install git") from None


def _settings(conf_file: Path) -> dict[str, Any]:
    settings: dict[str, Any] = util.load_json(str(conf_file), Config.api_version, js_comments=True)
    return settings


def _private_conf(conf_file: Path, fresh: Path, work: Path, commit: str) -> Path:
    """Write asv's configuration for this run: the project's own, with its own results folder.

    And with the commit's benchmarks: asv by itself imports those of the working tree, and would store
    what they measure under the commit's name.
    """
    root = conf_file.parent
    settings = _settings(conf_file)
    folders = {key: str(root / settings[key]) for key in ("repo", "env_dir")}
    folders["benchmark_dir"] = str(
        _check_out(root, commit, settings["benchmark_dir"], work / "head")
    )
    settings |= folders | {"results_dir": str(fresh), "plugins": [], "version": Config.api_version}
    private = work / "asv.bench.json"
    write_atomically(private, json.dumps(settings))
    return private


def _check_out(root: Path, commit: str, folder: str, to: Path) -> Path:
    """Write a folder as it is in a commit; return where."""
    shutil.rmtree(to, ignore_errors=True)
    archive = subprocess.run(
        ["git", "-C", str(root), "archive", "--format=zip", commit, folder],
        capture_output=True,
        check=True,
    ).stdout
    zipfile.ZipFile(io.BytesIO(archive)).extractall(to)
    return to / folder


def _known_machines() -> dict[str, Any]:
    """Return the machines that asv knows; what a person has told it about one is kept."""
    file = Path("~/.asv-machine.json").expanduser()
    try:
        known = json.loads(file.read_text()) if file.is_file() else {}
    except ValueError:
        raise BadCallError(f"{file} is broken; mend it, or delete it and tell asv anew") from None
    return known if isinstance(known, dict) else {}


class _Asv:
    """asv, called as a command, its output in a file."""

    def __init__(self, conf_file: Path, log: Path) -> None:
        self.conf_file = conf_file
        self.log = log
        self.output: list[str] = []

    def run(self, *args: str, on_line: Callable[[str], object] = len) -> int:
        """Run it; return 0, or 2 where a benchmark has failed; everything else is an error."""
        command = [sys.executable, "-m", "asv", args[0], "--config", str(self.conf_file), *args[1:]]
        # asv looks for python3.x on the PATH before it considers the interpreter that runs it.
        path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
        self.output = []
        with (
            self.log.open("a", encoding="utf-8") as log,
            subprocess.Popen(
                command,
                cwd=self.conf_file.parent,
                env={**os.environ, "PATH": path},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                errors="replace",
                start_new_session=True,  # an interrupt is passed on below, to all of its processes
            ) as process,
            _stopping(process),
        ):
            log.write(f"$ {shlex.join(command)}\n")
            assert process.stdout is not None
            for line in process.stdout:
                log.write(line)
                log.flush()
                self.output.append(line)
                on_line(line)
        if process.returncode not in (0, 2) or (process.returncode == 2 and args[0] != "run"):
            said = next((line.strip() for line in reversed(self.output) if line.strip()), "")
            raise AsvError(f"asv {args[0]} ended with: {said} (all of it is in {self.log})")
        return process.returncode

    def errors(self) -> list[str]:
        """Return the messages of the failed benchmarks in the last output, each once."""
        found = filter(None, map(_ERROR.match, self.output))
        return list(dict.fromkeys(f"{match[1]}: {match[2]}" for match in found))


@contextlib.contextmanager
def _stopping(process: subprocess.Popen[str]) -> Iterator[None]:
    """End the process and all that it has started if this block is left early."""

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    except BaseException:
        # asv puts each benchmark into a process group of its own and ends it on an interrupt; killed
        # outright, it would leave one running beside the next measurement.
        for number in (signal.SIGINT, signal.SIGKILL):
            with contextlib.suppress(ProcessLookupError, subprocess.TimeoutExpired):
                os.killpg(process.pid, number)
                process.communicate(timeout=30)
                break
        raise
    finally:
        signal.signal(signal.SIGTERM, before)


def _describe(asv: _Asv) -> dict[str, Any]:
    """Ask the environment what each backend imports in it."""
    with contextlib.chdir(asv.conf_file.parent):
        (env,) = environment.get_environments(Config.load(str(asv.conf_file)), None)
    with (
        tempfile.TemporaryDirectory() as elsewhere
    ):  # not the checkout: its backends would be taken
        described: dict[str, Any] = json.loads(
            env.run(["-m", "backends"], cwd=elsewhere, timeout=300, dots=False)
        )
    return described


def _record(described: dict[str, Any], fresh: Path) -> None:
    """Put what was imported beside each result file; asv would take a .json for results."""
    for path in fresh.glob("*/*-*.json"):
        write_atomically(path.with_suffix(".provenance"), json.dumps(described, indent=1))


def _progress(
    console: Console, planned: list[Step]
) -> Iterator[tuple[Step, Callable[[str], None]]]:
    """Yield each step with a function that counts the processes in the lines of asv's output."""
    total = sum(step.processes for step in planned)
    console.print(f"{total} processes in {len(planned)} steps, a second or two each")
    width = max(len(step.name) for step in planned)
    columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(
        TextColumn("{task.description}"), *columns, console=console, disable=not console.is_terminal
    ) as progress:
        for number, step in enumerate(planned, 1):
            title = f"{number}/{len(planned)} {step.name:{width}}"
            task = progress.add_task(title, total=step.processes)
            if not console.is_terminal:
                console.print(f"{title} {step.processes} processes")

            def count(line: str, task: TaskID = task) -> None:
                if _PROCESS.search(line):
                    progress.advance(task)

            yield step, count
            progress.update(task, completed=step.processes)


def _say_with_what(console: Console, described: dict[str, dict[str, Any]]) -> None:
    """Print the versions that are really imported, each once, and what is unavailable and why."""
    versions: dict[str, str] = {}
    for about in described.values():
        if about["available"]:
            versions |= {k: v for k, v in about.items() if re.match(r"\d+\.", str(v))}
        else:
            console.print(f"[yellow]unavailable[/] {escape(about['reason'])}", soft_wrap=True)
    said = ", ".join(f"{name} {version}" for name, version in versions.items())
    console.print(f"Measuring with {said}", highlight=False, soft_wrap=True)


def _say_where(console: Console, html: Path) -> None:
    shown = os.path.relpath(html)
    serve = ["-m", "http.server", "--bind", "127.0.0.1", "--directory", shown]
    graph = "#elementwise.SteadyState.time_call?x-axis=n&y-axis-scale=log"
    graph += "".join(f"&p-backend=%27{name}%27" for name in backends.NAMES)
    for line in (
        f"\nThe history pages and a report are in {shown}. To look at them, run",
        f"  {shlex.join([os.path.relpath(sys.executable), *serve])}",
        "and open in a browser",
        f"  http://127.0.0.1:8000/{REPORT}  the report: tables, figures, a planner",
        "  http://127.0.0.1:8000/  asv's history; all backends over n in one graph are at",
        f"  http://127.0.0.1:8000/{graph}",
    ):
        console.print(line, soft_wrap=True, highlight=False)
