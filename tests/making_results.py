"""Result files as asv writes them: made by hand, and two folders of real ones."""

import gzip
import json

from conftest import ROOT

# Real results of an older sampling, which had no processes tell of themselves: two releases of JAX, and
# the experiments. They never change, so that a test can know what is in them.
OLD_RESULTS = ROOT / "tests" / "old_results"

# The results that the project keeps. They are measured anew every now and then: other machines,
# environments and workloads, and nothing that a test could know.
KEPT = ROOT / "analysis" / "history"


def content(commit, date, rows=None, *, machine="m", environment="e", **other):
    """Return a result file in asv's order: what it is of, the results, and the format's number."""
    return {
        "commit_hash": commit,
        "env_name": environment,
        "date": date,
        "params": {"machine": machine},
        "python": "3.11",
        "requirements": {"numpy": ""},
        "env_vars": {},
        "result_columns": ["result", "params", "version", "stats_ci_99_a", "samples"],
        "results": {"b.time_x": [[1.0, 2.0], [["1", "2"]], "1"]} if rows is None else rows,
        "durations": {},
        "version": 2,
    } | other


def write(folder, made, *, name=None, machine="m"):
    """Write a result file, of a text or a content, compressed if its name says so; return its path."""
    path = folder / machine / (name or f"{made['commit_hash'][:8]}-{made['env_name']}.json")
    path.parent.mkdir(parents=True, exist_ok=True)
    text = made if isinstance(made, str) else json.dumps(made)
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())
    return path


def put(folder, number, environment, name="b.time_x", *, machine="m", told=True):
    """Write a result file of which every value is this number, with as many calls in a sample."""
    rows = {name: [[float(number)] * 2, [["1", "2"]], "1", None, [[float(number)]] * 2]}
    made = content("a" * 40, 1_000, rows, environment=environment, machine=machine)
    path = write(folder, made, machine=machine)
    path.with_name("machine.json").write_text(json.dumps({"machine": machine, "version": 1}))
    path.with_suffix(".provenance").write_text(json.dumps({"number": number}))
    if told:
        lines = [{"benchmark": name, "params": [size], "m": number} for size in ("1", "2")]
        path.with_suffix(".processes").write_text("".join(f"{json.dumps(o)}\n" for o in lines))
    known = folder / "benchmarks.json"
    described = json.loads(known.read_text()) if known.exists() else {"version": 2}
    described[name] = {"param_names": ["n"], "unit": "seconds"}
    known.write_text(json.dumps(described))
    return path
