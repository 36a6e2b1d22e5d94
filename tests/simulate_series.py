"""How often what is said of series of runs is so: `python tests/simulate_series.py [SETS]`.

As in simulate_stats.py, but the noise is what runs differ by, not processes.
"""

import sys

import numpy as np

from jitcost.stats.drifts import drift
from jitcost.stats.many import among_many
from jitcost.stats.steps import Step, steps
from simulate_stats import factors, print_rates

# Of one history: as many as `jitcost changes` looks at in this project's own.
SERIES = 80


def steps_told(rng, noise, sets, runs):
    """Return the share of flat series in which a step is told."""
    told = [_told(row) for row in factors(rng, noise, (sets, runs)).tolist()]
    return np.mean([bool(one) and isinstance(one[0], Step) for one in told])


def step_rates(rng, noise, sets, runs, change):
    """Return how often a step in the middle third is found at its place, and its interval right."""
    found = []
    for row in factors(rng, noise, (sets, runs)):
        place = int(rng.integers(runs // 3, runs - runs // 3 + 1))
        row[place:] *= change
        found += [step for step in _told(row.tolist()) if getattr(step, "position", None) == place]
    covered = [step.low <= change <= step.high for step in found]
    return len(found) / sets, np.mean(covered) if found else np.nan


def drifts_told(rng, noise, sets, runs, each=0.0):
    """Return the share of series told to drift, of which each run is slower by a share."""
    slower = (1 + each) ** np.arange(runs)
    series = (slower * factors(rng, noise, (sets, runs))).tolist()
    return np.mean([drift(row, steps=steps(row)) is not None for row in series])


def among_all(rng, noise, sets, runs, change=1.0, changed=8):
    """Return how many rows are told of the flat series of a history, and of how many changed ones.

    In each of the sets so many of `SERIES` series change at their middle. A row is a step or a drift,
    wherever it is told.
    """
    false = true = 0
    for _ in range(sets):
        series = factors(rng, noise, (SERIES, runs))
        series[:changed, runs // 2 :] *= change
        rows = [(number, one.p) for number, row in enumerate(series) for one in _told(row.tolist())]
        flat = SERIES - len({number for number, _ in rows})
        adjusted = among_many([p for _, p in rows], flat)
        told = [number for (number, _), p in zip(rows, adjusted, strict=True) if p <= 0.05]
        false += sum(number >= changed for number in told)
        true += len({number for number in told if number < changed})
    return false / sets, true / changed / sets


def _told(row):
    found = steps(row)
    return found if (one := drift(row, steps=found)) is None else (one,)


def main(sets):
    rng = np.random.default_rng(1)
    rows = []
    for runs in (9, 30):
        rows.append(
            (f"steps, {runs} flat runs: told", lambda x, r=runs: steps_told(rng, x, sets, r))
        )
        for change in (1.1, 1.5):
            for at, what in enumerate(("found", "covered")):
                rows.append(
                    (
                        f"steps, {100 * (change - 1):.0f} % in {runs} runs: {what}",
                        lambda x, c=change, r=runs, at=at: step_rates(rng, x, sets, r, c)[at],
                    )
                )
    for runs, each in ((9, 0.0), (30, 0.0), (60, 0.0), (9, 0.02), (20, 0.02), (20, 0.05)):
        rows.append(
            (
                f"drift, {runs} runs, {100 * each:.0f} % each: told",
                lambda x, r=runs, e=each: drifts_told(rng, x, sets, r, e),
            )
        )
    few = max(1, sets // 40)
    rows += [
        (
            f"{SERIES} flat series of 9 runs: rows, for each series ({few} sets)",
            lambda x: among_all(rng, x, few, 9)[0] / SERIES,
        ),
        (
            f"{SERIES} of 9 runs, 8 step by 50 %: rows of the flat ({few} sets)",
            lambda x: among_all(rng, x, few, 9, 1.5)[0] / (SERIES - 8),
        ),
        (
            f"{SERIES} of 9 runs, 8 step by 50 %: told ({few} sets)",
            lambda x: among_all(rng, x, few, 9, 1.5)[1],
        ),
    ]
    print_rates(rows)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000)
