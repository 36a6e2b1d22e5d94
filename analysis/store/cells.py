"""What a cell is: one benchmark, one set of parameters, one machine, environment and commit."""

from __future__ import annotations

from typing import Any

import polars as pl

__all__ = ["OF_CELL", "OF_FILE", "SCHEMA"]

SCHEMA: dict[str, Any] = {
    "machine": pl.String,
    "environment": pl.String,
    "env_vars": pl.String,  # a JSON object; two environments may differ in nothing else
    "commit": pl.String,
    "date": pl.Datetime("ms", "UTC"),  # of the commit
    "python": pl.String,
    "versions": pl.String,  # a JSON object {requirement: version}
    "benchmark": pl.String,
    "version": pl.String,  # of what the benchmark measures; other versions are other quantities
    "kind": pl.String,  # SteadyState, FirstCall …; of others' benchmarks asv's type: time, track …
    "workload": pl.String,
    "backend": pl.String,
    "params": pl.String,  # a JSON object {parameter: its repr}, without n and backend
    "n": pl.Float64,
    "grows": pl.String,  # what the time grows with, if somebody has said so in benchmarks.json: n**2
    "value": pl.Float64,
    "unit": pl.String,
    "state": pl.String,  # value, not_measured (skipped or not selected), failed
    "ci_low": pl.Float64,  # 99 % interval of the median, from asv
    "ci_high": pl.Float64,
    "q_25": pl.Float64,
    "q_75": pl.Float64,
    "number": pl.Int64,  # calls in a sample by asv's reckoning: of this suite's always 1
    "repeat": pl.Int64,  # samples
    "samples": pl.List(pl.Float64),
    "processes": pl.Int64,  # that the samples come from, equally many each, one after the other
    "m": pl.Int64,  # calls in a sample, the median over the processes
}

# Which columns come from a file as a whole, and which from asv's columns, cell by cell; the others
# come from the catalogue.
OF_FILE = ("machine", "environment", "env_vars", "commit", "date", "python", "versions")
OF_CELL = {
    "value": "result",
    "ci_low": "stats_ci_99_a",
    "ci_high": "stats_ci_99_b",
    "q_25": "stats_q_25",
    "q_75": "stats_q_75",
    "number": "stats_number",
    "repeat": "stats_repeat",
    "samples": "samples",
}
