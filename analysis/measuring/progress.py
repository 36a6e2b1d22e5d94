"""What a person sees while asv measures."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

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

from jitcost.measuring.planning import Step

__all__ = ["CALL", "PROCESS", "progress_of", "say_with_what", "seconds_of"]

# What a person is told to expect, in seconds: a process in which a cell is sampled, and a call of asv.
PROCESS, CALL = 0.7, 2.5

# asv -v announces each process that it starts in an environment.
_PROCESS = re.compile(r"Running '.*benchmark\.py run .*' in virtualenv-")


def seconds_of(planned: Sequence[Step]) -> float:
    """Return how long these steps take, about."""
    return sum(step.processes for step in planned) * PROCESS + len(planned) * CALL


def progress_of(
    console: Console, planned: list[Step]
) -> Iterator[tuple[Step, Callable[[str], None]]]:
    """Yield each step with a function that counts the processes in the lines of asv's output."""
    total = sum(step.processes for step in planned)
    minutes = max(1, math.ceil(seconds_of(planned) / 60))
    console.print(f"{total} processes in {len(planned)} steps: about {minutes} min")
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
