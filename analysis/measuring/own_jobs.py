"""The jobs of one measurement: each handed to a process, and what every process may tell noted down."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator, Mapping, Sequence

from jitcost.measuring.entries import Entry, Failure, Outcome, Watch, alike
from jitcost.measuring.workers import Message, messages
from jitcost.own.jobs import Job, Size, SizeJob, Task, size_of

__all__ = ["Jobs"]


class Jobs:
    """Hands jobs out, one after another.

    Parameters
    ----------
    outcome : Outcome
        Gets failures, remarks, and what the backends and the files were.
    watch : Watch
        Hears of failures.
    shared : str
        A folder for what the processes share.
    timeout : float
        Seconds that one may be silent.
    """

    def __init__(self, outcome: Outcome, watch: Watch, shared: str, timeout: float) -> None:
        self.outcome, self.watch, self.shared, self.timeout = outcome, watch, shared, timeout

    def describe(
        self, entry: Entry, functions: Collection[str], sizes: Collection[Size]
    ) -> Iterator[Message]:
        """Load an entry's file, and yield what it says of itself."""
        yield from messages(
            Job(
                task="describe",
                source=entry.source,
                functions=tuple(functions),
                sizes=tuple(map(SizeJob, sizes)),
                path=tuple(sys.path),
            ),
            self.timeout,
        )

    def run(
        self, entry: Entry, task: Task, sizes: tuple[SizeJob, ...], limit: float = 1.0
    ) -> Iterator[Message]:
        """Do a job of a kernel; yield what it tells but for what is noted down here.

        The last message, `ended`, has the `size` at which the process was if it has hung or crashed.
        """
        kernel = entry.kernel
        job = Job(
            task=task,
            source=entry.source,
            kernel=kernel,
            sizes=sizes,
            shared=self.shared,
            limit=limit,
            path=tuple(sys.path),
        )
        size: Size | None = None
        for message in messages(job, self.timeout):
            what = message["what"]
            if what == "begin":
                size = size_of(message["size"])
            elif what == "failed":
                self._failed(entry, size_of(message["size"]), message["reason"])
            elif what == "unusable":
                self._failed(entry, None, message["reason"])
            elif what == "printed":
                self.remark(entry, ["prints: what that takes is in its times"])
            elif what == "ended" and message["reason"] is not None:
                self._failed(entry, size, message["reason"])
                yield {**message, "size": size}
            else:
                if what == "ready":
                    self.outcome.details[kernel.backend] = message["details"]
                self._saw(entry, message.get("files", {}))
                yield message

    def remark(self, entry: Entry, remarks: Sequence[str]) -> None:
        """Note what to mind about a kernel, once for all sizes."""
        told = set(map(alike, self.outcome.remarks))
        lines = (f"{entry.label}: {remark}" for remark in remarks)
        self.outcome.remarks += [line for line in lines if alike(line) not in told]

    def _saw(self, entry: Entry, files: Mapping[str, str]) -> None:
        """Note which text of each file was seen: one that is edited meanwhile has several."""
        known = self.outcome.files.setdefault(entry, {})
        for path, text in files.items():
            known.setdefault(path, set()).add(text)

    def _failed(self, entry: Entry, size: Size | None, reason: str) -> None:
        failure = Failure(entry, size, reason)
        if failure not in self.outcome.failures:
            self.outcome.failures.append(failure)
            self.watch.failed(entry, size)
