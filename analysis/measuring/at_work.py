"""asv's own functions, called as asv calls them: in which folder, with which variables and log."""

from __future__ import annotations

import contextlib
import logging
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

from asv.console import log

from jitcost.measuring.selection import further_backends
from jitcost.measuring.suite import AsvSuite

__all__ = ["INTERRUPTS", "at_work", "log_of"]


def log_of(suite: AsvSuite) -> Path:
    """Return the file with all that asv has said."""
    return suite.work / "asv.log"


@contextlib.contextmanager
def at_work(suite: AsvSuite) -> Iterator[None]:
    """Be where asv wants to be called, and leave no process of its behind.

    asv takes paths relative to the folder of its configuration, looks for python3.x on the PATH before
    it considers the interpreter that runs it, and says what it does to who listens to the root logger.
    """
    with (
        contextlib.chdir(suite.root),
        _variables(
            PATH=os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")]),
            JITCOST_BACKENDS=" ".join(further_backends()),
        ),
        _log_in(log_of(suite)),
        INTERRUPTS.watched(),
    ):
        yield


@contextlib.contextmanager
def _variables(**values: str) -> Iterator[None]:
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


@contextlib.contextmanager
def _log_in(file: Path) -> Iterator[None]:
    """Write what asv says into a file, and no dots on the terminal."""
    file.parent.mkdir(parents=True, exist_ok=True)
    (file.parent / ".gitignore").write_text("*\n")  # in whoever's repository it is
    handler = logging.FileHandler(file, mode="w", encoding="utf-8")
    root = logging.getLogger()
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.INFO)
    log.dot = lambda: None
    try:
        yield
    finally:
        del log.dot
        root.setLevel(level)
        root.removeHandler(handler)
        handler.close()


class Interrupts:
    """Whether somebody wants an end: by Ctrl-C, or by SIGTERM, on which asv ends its process, too.

    asv forks, and Python drops what is raised between a fork's callbacks: an interrupt that comes just
    then is not lost where `check` is called now and then.
    """

    def __init__(self) -> None:
        self.came = False

    def __call__(self, *_: object) -> None:
        """Raise `KeyboardInterrupt`: this is what a signal calls."""
        self.came = True
        raise KeyboardInterrupt

    def check(self) -> None:
        """Raise `KeyboardInterrupt` if a signal has come."""
        if self.came:
            raise KeyboardInterrupt

    @contextlib.contextmanager
    def watched(self) -> Iterator[None]:
        """Watch out for signals."""
        self.came = False
        before = {number: signal.signal(number, self) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


INTERRUPTS = Interrupts()
