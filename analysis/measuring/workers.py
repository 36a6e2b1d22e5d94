"""Processes that do one job each: `jitcost.own.worker`, watched, and stopped where they hang."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from jitcost.own.jobs import Job
from jitcost.own.opening import surroundings

__all__ = ["Message", "messages"]

# One thing that a worker tells: what, and about what.
Message = dict[str, Any]

# Not `-m`: the package need not be installed where this Python looks, and the folder that this process
# was started in must not come first on the path.
_START = "import sys; sys.path.append(sys.argv[1]); from jitcost.own.worker import main; main()"

# The folder that the package is in.
_ROOT = str(Path(__file__).parents[2])

# Starting, importing and loading a file may take so many times as long as a call.
_PATIENCE_AT_START = 120.0

# Seconds for what an ended worker has still said.
_LAST_WORDS = 5.0


def messages(job: Job, timeout: float) -> Iterator[Message]:
    """Do a job in a new process; yield what it tells, the last of it `ended`.

    A process that says nothing for too long is killed; leaving the loop kills it, too.

    Parameters
    ----------
    job : Job
    timeout : float
        Seconds that may pass between two things that it tells once it is ready.

    Yields
    ------
    dict
        `what` is its own word (`jitcost.own.worker`), or `ended`, with `reason`: None, or why it did
        not come to its end.
    """
    with (
        tempfile.TemporaryDirectory(prefix="jitcost-") as caches,
        tempfile.TemporaryFile() as errors,
    ):
        process = _started(job, caches, errors)
        told: queue.Queue[Message | None] = queue.Queue()
        reader = threading.Thread(target=_read, args=(process, told), daemon=True)
        reader.start()
        patience, finished, reason = _PATIENCE_AT_START, False, None
        try:
            while not finished:
                try:
                    message = told.get(timeout=patience)
                except queue.Empty:
                    reason = f"no result within {patience:g} s (--timeout); it was stopped"
                    break
                if message is None:  # its output has ended, and it with it
                    reason = _why_it_died(process.wait(), errors)
                    break
                patience = timeout
                finished = message["what"] == "end"
                if message["what"] != "calls":  # that it is alive
                    yield message
            yield {"what": "ended", "reason": reason}
        finally:
            _end(process)
            reader.join(
                _LAST_WORDS
            )  # at the end of what it reads, unless what it has forked holds on


def _started(job: Job, caches: str, errors: IO[bytes]) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-P", "-c", _START, _ROOT],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=errors,
        text=True,
        encoding="utf-8",
        env=os.environ | surroundings(caches),
        start_new_session=True,  # an interrupt is for the process that measures, which then stops this
    )
    assert process.stdin is not None
    process.stdin.write(job.to_json())
    process.stdin.close()
    return process


def _end(process: subprocess.Popen[str]) -> None:
    """End a worker, and with it whatever its file has started: it would run beside the next one."""
    if hasattr(os, "killpg"):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)  # it leads a session of its own
    process.kill()
    process.wait()


def _read(process: subprocess.Popen[str], told: queue.Queue[Message | None]) -> None:
    assert process.stdout is not None
    try:
        with process.stdout as lines:
            for line in lines:
                told.put(json.loads(line))
    except ValueError:  # a line that its end has cut short
        pass
    finally:
        told.put(None)


def _why_it_died(status: int, errors: IO[bytes]) -> str:
    """Return why a process has ended in the middle of its job, by its status and last words."""
    if status < 0:
        name = signal.Signals(-status).name
        likely = " (out of memory?)" if name == "SIGKILL" else ""
        return f"its process was ended by {name}{likely}"
    errors.seek(0)
    lines = errors.read().decode(errors="replace").strip().splitlines()
    said = f": {lines[-1].strip()[:200]}" if lines else ""
    return f"its process ended with status {status}{said}"
