"""Cells of histories for tests: of one benchmark over twelve commits, or over eight releases of JAX."""

import datetime
import json

import numpy as np
import pytest

from making_cells import cells, steady

ENVIRONMENT = "virtualenv-py3.12-jax0.10.2-numpy2.4.6"

# The commits of a history of twelve, from the oldest on.
COMMITS = [f"{letter}{number}" * 20 for number in range(2) for letter in "abcdef"]

# What runs differ by with nothing changed: within 1 %, and alike in no two backends.
_quiet = np.random.default_rng(11)


def restart():
    """Let the next test draw what it would if it were alone."""
    global _quiet
    _quiet = np.random.default_rng(11)


def on(number):
    date = datetime.datetime(2026, 1, 1 + number, tzinfo=datetime.UTC)
    return {"commit": COMMITS[number], "date": date, "environment": ENVIRONMENT, "python": "3.12"}


def over_commits(times, sizes=(1000,), **common):
    """Return cells of one run for each commit: times by backend, each a list of one for each run."""
    return cells(
        *(
            row
            for backend, its in times.items()
            for number, time in enumerate(its)
            for row in steady(backend, dict.fromkeys(sizes, time), **on(number), **common)
        )
    )


RELEASES = ("0.4.38", "0.5.3", "0.6.2", "0.7.2", "0.8.3", "0.9.2", "0.10.2", "0.11.2")


def over_releases(times, releases=RELEASES, number=0, sizes=(1000,)):
    """Return cells of one run for each release of JAX, all at one commit: times by backend."""
    return cells(
        *(
            row
            for backend, its in times.items()
            for release, time in zip(releases, its, strict=True)
            for row in steady(
                backend,
                dict.fromkeys(sizes, time),
                **on(number)
                | {
                    "environment": f"virtualenv-py3.12-jax{release}",
                    "versions": json.dumps({"jax": release, "numba": "0.68.1", "numpy": "2.4.6"}),
                },
            )
        )
    )


def runs(time, *changed, count=12, moods=1.0):
    """Return the times of a backend that takes `factor` times as long from `place` on."""
    times = time * np.exp(0.004 * _quiet.standard_normal(count)) * moods
    for place, factor in changed:
        times[place:] *= factor
    return times.tolist()


def told(answer):
    return [
        (row.backend, row.at[:2], pytest.approx(row.ratio, rel=0.03), row.series) for row in answer
    ]


def moods(spread=0.15):
    """Return how much slower the machine is in each run."""
    return np.exp(np.random.default_rng(12).uniform(-spread, spread, 12))
