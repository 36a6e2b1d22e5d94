"""asv, run as a command: on which commit, with which configuration, and what became of it."""

from __future__ import annotations

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
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from asv import environment, util
from asv.config import Config
from asv.machine import Machine, MachineCollection
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

from jitcost.errors import AsvError, BadCallError
from jitcost.files import write_atomically
from jitcost.measuring.selection import Step
from jitcost.store.machines import unpublished

__all__ = [
    "Asv",
    "alone",
    "checkout",
    "describe",
    "git",
    "machine_name",
    "private_conf",
    "progress_of",
    "record",
    "say_with_what",
    "settings_of",
    "write_conf",
]

# What is taken from the commit, whatever the working tree holds.
MEASURED_PATHS = ("backends", "benchmarks", "julia", "pyproject.toml")

# What is imported, by the package of whichever commit is installed: an older one has another name.
_DESCRIBE = """
import importlib.util, runpy
name = "jitcost.backends" if importlib.util.find_spec("jitcost") else "backends"
runpy.run_module(name, run_name="__main__")
"""

# asv -v announces each process that it starts in an environment.
_PROCESS = re.compile(r"Running '.*benchmark\.py run .*' in virtualenv-")

# The last line of a traceback in asv's output.
_ERROR = re.compile(r"^\s+(?:\w+\.)*(\w*(?:Error|Exception|WrongKernel)): (.*\S)")


@contextlib.contextmanager
def alone(path: Path) -> Iterator[None]:
    """Hold the folder: a second run beside this one would disturb its times, and its files."""
    with path.open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise BadCallError("another measurement is at work here; wait for its end") from None
        yield


def checkout(*, ignore_changes: bool) -> tuple[Path, str]:
    """Return the checkout's root and the commit to measure."""
    top = git("rev-parse", "--show-toplevel")
    root = Path(top.stdout.rstrip("\n"))
    if top.returncode or not (root / "asv.conf.json").is_file():
        raise BadCallError(
            "not in a checkout of jitcost; asv measures commits: change into a clone"
        )
    head = git("rev-parse", "--verify", "HEAD^{commit}")
    if head.returncode:
        raise BadCallError("there is no commit yet, and asv measures commits; commit first")
    changed = git("-C", str(root), "status", "--porcelain", "--", *MEASURED_PATHS).stdout
    if changed and not ignore_changes:
        paths = ", ".join(line[3:] for line in changed.splitlines())
        raise BadCallError(
            f"uncommitted changes would not be measured, HEAD would: {paths}; commit them, or "
            "go on with --ignore-changes"
        )
    return root, head.stdout.strip()


def git(*args: str) -> subprocess.CompletedProcess[str]:
    """Run git; the caller looks at its status."""
    try:
        return subprocess.run(["git", *args], capture_output=True, text=True)
    except FileNotFoundError:
        raise BadCallError("git is missing, and asv measures commits; install git") from None


def settings_of(conf_file: Path) -> dict[str, Any]:
    """Return asv's configuration."""
    settings: dict[str, Any] = util.load_json(str(conf_file), Config.api_version, js_comments=True)
    return settings


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
    folders = {key: str(root / settings[key]) for key in ("repo", "env_dir")}
    folders["benchmark_dir"] = str(
        _check_out(root, commit, settings["benchmark_dir"], work / "head")
    )
    settings |= folders | {"results_dir": str(fresh), "plugins": []}
    private = work / "asv.bench.json"
    if requirements is not None:
        settings["matrix"] = {"req": {name: [version] for name, version in requirements.items()}}
        private = work / f"asv.{'-'.join(requirements.values())}.json"
    return write_conf(private, settings)


def write_conf(path: Path, settings: dict[str, Any]) -> Path:
    """Write settings as a configuration of asv; return where."""
    write_atomically(path, json.dumps({**settings, "version": Config.api_version}))
    return path


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


def machine_name(given: str | None) -> str:
    """Return the name to keep results under: the host's unless a person has given one."""
    platforms = os.environ.get("JAX_PLATFORMS", "cpu")
    if platforms != "cpu" and given is None:
        raise BadCallError(
            f"JAX_PLATFORMS={platforms} is another machine than the CPU; name it: --machine NAME"
        )
    return given or platform.node()


def _known_machines() -> dict[str, Any]:
    """Return the machines that asv knows; what a person has told it about one is kept."""
    file = Path("~/.asv-machine.json").expanduser()
    try:
        known = json.loads(file.read_text()) if file.is_file() else {}
    except ValueError:
        raise BadCallError(f"{file} is broken; mend it, or delete it and tell asv anew") from None
    return known if isinstance(known, dict) else {}


class Asv:
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

    def introduce(self, machine: str) -> None:
        """Describe a machine to asv that it does not know; it would ask a person otherwise."""
        if machine not in _known_machines():
            # `asv machine --yes` leaves out all but the name if that is not the host's.
            MachineCollection.save(machine, {**Machine.get_defaults(), "machine": machine})

    def publish(self, console: Console) -> None:
        """Publish the pages, and say whose results they lack."""
        kept = self.conf_file.parent / settings_of(self.conf_file)["results_dir"]
        for line in unpublished(kept):
            console.print(line, soft_wrap=True, markup=False)
        self.run("publish", "--no-pull")

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


def describe(asv: Asv) -> dict[str, Any]:
    """Ask the environment what each backend imports in it."""
    with contextlib.chdir(asv.conf_file.parent):
        (env,) = environment.get_environments(Config.load(str(asv.conf_file)), None)
    with (
        tempfile.TemporaryDirectory() as elsewhere
    ):  # not the checkout: its backends would be taken
        described: dict[str, Any] = json.loads(
            env.run(["-c", _DESCRIBE], cwd=elsewhere, timeout=300, dots=False)
        )
    return described


def record(described: dict[str, Any], fresh: Path) -> None:
    """Put what was imported beside each result file; asv would take a .json for results."""
    for path in fresh.glob("*/*-*.json"):
        write_atomically(path.with_suffix(".provenance"), json.dumps(described, indent=1))


def progress_of(
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


def say_with_what(console: Console, described: dict[str, dict[str, Any]]) -> None:
    """Print the versions that are really imported, each once, and what is unavailable and why."""
    versions: dict[str, str] = {}
    for about in described.values():
        if about["available"]:
            versions |= {k: v for k, v in about.items() if re.match(r"\d+\.", str(v))}
        else:
            console.print(f"[yellow]unavailable[/] {escape(about['reason'])}", soft_wrap=True)
    said = ", ".join(f"{name} {version}" for name, version in versions.items())
    console.print(f"Measuring with {said}", highlight=False, soft_wrap=True)
