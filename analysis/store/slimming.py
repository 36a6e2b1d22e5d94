"""What of a run is not kept: what nothing reads, digits beyond the timing, folders of the machine."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from jitcost.store.json_files import BROKEN, parsed

__all__ = ["slim", "slim_lines", "slim_provenance"]

# The columns of a result file that are not kept: needed by nothing that reads a kept result, and most
# of a file. This is the one place that says so.
_DROPPED = ("profile", "started_at", "duration")

# Of a process's line: the parameters and the benchmark, which stay, say the same.
_DROPPED_OF_PROCESSES = ("backend", "n")

# Significant digits of the samples that are kept: a timing is not good to a ten-thousandth.
_DIGITS = 5


def slim(content: dict[str, Any]) -> dict[str, Any]:
    """Return a result file's content without the columns of `_DROPPED` and the durations.

    The samples are rounded: in full they would be most of the file.

    Parameters
    ----------
    content : dict
        As asv writes it, format 2.
    """
    columns = content["result_columns"]
    rows = {}
    for name, row in content["results"].items():
        short = [
            _shortened(column, value) for column, value in zip(columns, row or (), strict=False)
        ]
        while short and short[-1] is None:  # as asv does
            short.pop()
        rows[name] = short
    return {**content, "results": rows, "durations": {}}


def _shortened(column: str, value: Any) -> Any:
    if column in _DROPPED:
        return None
    return _rounded(value) if column == "samples" else value


def _rounded(samples: Any) -> Any:
    if isinstance(samples, list):  # of samples, or of lists of them
        return [_rounded(one) for one in samples]
    return float(f"{samples:.{_DIGITS}g}") if isinstance(samples, float) else samples


def slim_lines(text: str) -> str:
    """Return the lines of processes without what can be told from the rest of each.

    Every reader makes the same of them: of a process's load the larger of two numbers is read, and
    what is absent is as if it were null. A line that is broken stays as it is; the readers name it.

    Parameters
    ----------
    text : str
        As `jitcost.store.records` describes them.
    """
    return "".join(f"{_slim_line(line)}\n" for line in text.split("\n") if line)


def _slim_line(line: str) -> str:
    try:
        about = parsed(line)
        kept = {key: value for key, value in about.items() if value is not None}
        for key in _DROPPED_OF_PROCESSES:
            kept.pop(key, None)
        if isinstance(kept.get("started"), str):
            kept["started"] = kept["started"].replace("+00:00", "Z")
        if "load_start" in kept and "load_end" in kept:
            smaller = "load_start" if kept["load_start"] <= kept["load_end"] else "load_end"
            del kept[smaller]
        return json.dumps(kept, separators=(",", ":"))
    except BROKEN:
        return line


def slim_provenance(text: str) -> str:
    """Return a provenance whose settings name no folders of the machine: of a path its last part.

    Kept results are published; where somebody's Julia lies says nothing about a timing. What is broken
    stays as it is; the readers name it.

    Parameters
    ----------
    text : str
        As `jitcost.store.origins` describes it.
    """
    try:
        about = parsed(text)
        settings = {name: _without_folders(value) for name, value in about["settings"].items()}
        return json.dumps({**about, "settings": settings}, indent=1)
    except BROKEN:
        return text


def _without_folders(value: Any) -> Any:
    is_path = isinstance(value, str) and Path(value).is_absolute()
    return Path(value).name if is_path else value
