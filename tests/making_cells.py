"""Cells as `jitcost.store.results` reads them, made by hand."""

import json
import statistics

import polars as pl

from jitcost.store import results


def cells(*rows, **common):
    """Return cells: each row a dict of what differs from, or is not among, the common columns.

    A value is a number, or a tuple of one for each process. An interval that is not given is as wide as
    one per mille of the value; of processes, there is none in the file.
    """
    made = []
    for row in rows:
        cell = dict.fromkeys(results.SCHEMA) | {
            "machine": "m",
            "environment": "virtualenv-py3.11-numpy2.4.6",
            "commit": "a" * 40,
            "version": "1",
            "params": "{}",
            "env_vars": "{}",
            "versions": "{}",
            "kind": "SteadyState",
            "workload": "elementwise",
            "state": "value",
        }
        cell |= common | row
        if isinstance(cell["value"], tuple):
            cell |= of_processes(cell["value"])
        names = {"FirstCall": "time_first_call"}
        names |= dict.fromkeys(("SteadyState", "Variants", "Operations"), "time_call")
        method = names.get(cell["kind"], "track_max_relative_error")
        cell["benchmark"] = cell["benchmark"] or f"{cell['workload']}.{cell['kind']}.{method}"
        if cell["ci_low"] is None and cell["value"] is not None and not cell["processes"]:
            cell["ci_low"], cell["ci_high"] = cell["value"] * 0.9995, cell["value"] * 1.0005
        made.append(cell)
    return pl.DataFrame(made, schema=results.SCHEMA, orient="row")


def of_processes(numbers, samples=4):
    """Return the columns of a cell that processes of these fastest samples make, as asv stores them.

    Each has its number among slower samples, so that asv's median is another number.
    """
    flat = [number * (1 + 0.01 * i) for number in numbers for i in range(samples)]
    return {"value": statistics.median(flat), "samples": flat, "processes": len(numbers)}


def steady(backend, times, **common):
    """Return the rows of one backend's times by n: each a number, or a tuple of one for each process."""
    return [{"backend": backend, "n": float(n), "value": t, **common} for n, t in times.items()]


def experiment(times, kind="Variants", **common):
    """Return the rows of variants (or operations): by name and n, a time or one for each process."""
    parameter = {"Variants": "variant", "Operations": "operation"}[kind]
    rows = []
    for name, by_size in times.items():
        params = json.dumps({parameter: repr(name)})
        for n, time in by_size.items():
            row = {"kind": kind, "params": params, "n": float(n), "value": time, **common}
            if isinstance(time, tuple):
                samples = [sample for sample in time for _ in range(10)]
                row |= {
                    "value": statistics.median(samples),
                    "samples": samples,
                    "processes": len(time),
                }
            rows.append(row)
    return rows
