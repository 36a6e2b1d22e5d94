"""asv, run as a command, and what became of it."""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from rich.console import Console

from jitcost.errors import AsvError
from jitcost.measuring.configuration import settings_of
from jitcost.measuring.selection import further_backends
from jitcost.store.machines import unpublished

__all__ = ["Asv"]

# The last line of a traceback in asv's output.
_ERROR = re.compile(r"^\s+(?:\w+\.)*(\w*(?:Error|Exception|WrongKernel)): (.*\S)")


class Asv:
    """asv, called as a command, its output in a file.

    Attributes
    ----------
    processes : Path
        Where the processes of the last run have told of themselves; there is none if none has.
    """

    def __init__(self, conf_file: Path, log: Path) -> None:
        self.conf_file = conf_file
        self.log = log
        self.processes = log.with_name("processes.jsonl")
        self.output: list[str] = []

    def run(self, *args: str, on_line: Callable[[str], object] = len) -> int:
        """Run it; return 0, or 2 where a benchmark has failed; everything else is an error."""
        command = [sys.executable, "-m", "asv", args[0], "--config", str(self.conf_file), *args[1:]]
        # asv looks for python3.x on the PATH before it considers the interpreter that runs it.
        path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
        # The same in every environment: a backend that is registered here only is unavailable there.
        further = " ".join(further_backends())
        told = {"JITCOST_BACKENDS": further, "JITCOST_PROCESSES": str(self.processes)}
        self.output = []
        self.processes.unlink(missing_ok=True)
        with (
            self.log.open("a", encoding="utf-8") as log,
            subprocess.Popen(
                command,
                cwd=self.conf_file.parent,
                env={**os.environ, "PATH": path, **told},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                encoding="utf-8",
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
            said = next((line.strip(" ·\n") for line in reversed(self.output) if line.strip()), "")
            raise AsvError(f"asv {args[0]} ended with: {said} (all of it is in {self.log})")
        return process.returncode

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
