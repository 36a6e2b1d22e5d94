"""What a worker is asked to do: a job, as JSON holds it. One job is one process, and one kernel."""

from __future__ import annotations

import dataclasses
import json
import os
from dataclasses import dataclass, field
from typing import Any, Literal

from jitcost.own.kernels import Kernel

__all__ = ["Job", "Size", "SizeJob", "Source", "Task"]

Size = int | float | tuple[int | float, ...]

Task = Literal["describe", "scout", "measure"]


@dataclass(frozen=True)
class Source:
    """Where the functions of a problem are.

    Attributes
    ----------
    path : str
        Of a Python file, or of a pickle that `cloudpickle` has written: a namespace by name.
    problem : str
    inputs, reference : str or None
        The names of its functions; without a reference, a kernel stands in.
    julia : str or None
        The path of the Julia file that holds Julia's kernels.
    roots : tuple of str
        Folders that its imports are looked for in after its own: of a commit's tree, unpacked.
    instead_of : str or None
        The folder whose place that tree takes: a module from there is of another state.
    """

    path: str
    problem: str
    inputs: str
    reference: str | None = None
    julia: str | None = None
    roots: tuple[str, ...] = ()
    instead_of: str | None = None


@dataclass(frozen=True)
class SizeJob:
    """What to measure at one size.

    Attributes
    ----------
    size : int, float or tuple
        What `inputs` gets.
    first : bool
        Make a fresh kernel, and time its first call.
    repeat : int
        Samples in steady state.
    """

    size: Size
    first: bool = True
    repeat: int = 4


@dataclass(frozen=True)
class Job:
    """A process's work.

    Attributes
    ----------
    task : {"describe", "scout", "measure"}
        Say what the file's settings are; check a kernel and find out how long it takes; time it.
    source : Source
    kernel : Kernel or None
        None where the file is described.
    functions : tuple of str
        The names of all kernels, to describe.
    sizes : tuple of SizeJob
        In the order in which they are run.
    shared : str
        A folder where inputs and references are, or are put by whoever needs them first.
    limit : float
        Seconds: a scout leaves out sizes of which a call would take longer.
    path : tuple of str
        `sys.path` of whoever asks.
    parent : int
        The process that asks: nobody hears of what is done when it has ended.
    """

    task: Task
    source: Source
    kernel: Kernel | None = None
    functions: tuple[str, ...] = ()
    sizes: tuple[SizeJob, ...] = ()
    shared: str = ""
    limit: float = 1.0
    path: tuple[str, ...] = field(default=())
    parent: int = field(default_factory=os.getpid)

    def to_json(self) -> str:
        """Return the job as a line."""
        return json.dumps(dataclasses.asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Job:
        """Return the job of a line."""
        told: dict[str, Any] = json.loads(text)
        source = told["source"]
        told["source"] = Source(**{**source, "roots": tuple(source["roots"])})
        told["kernel"] = told["kernel"] and Kernel(**told["kernel"])
        told["sizes"] = tuple(
            SizeJob(**{**one, "size": size_of(one["size"])}) for one in told["sizes"]
        )
        told |= {name: tuple(told[name]) for name in ("path", "functions")}
        return cls(**told)


def size_of(value: Any) -> Size:
    """Return a size as `inputs` gets it: JSON has lists for tuples."""
    return tuple(value) if isinstance(value, list) else value
