"""How often what the statistics promise is so, by simulation: `python tests/simulate_stats.py [SETS]`.

Every function draws sets of processes from a known truth and returns how often something happened. The
tests call them with few sets; the script prints the whole table.
"""

import sys
import time

import numpy as np
from scipy import special

from jitcost.stats import crossings as crossing
from jitcost.stats.breakeven import break_even
from jitcost.stats.candidates import growth
from jitcost.stats.exponents import exponent
from jitcost.stats.fitting import fit
from jitcost.stats.gate import changed, common_factor, confirmed, suspicious
from jitcost.stats.intervals import interval
from jitcost.stats.ratios import processes_needed, ratio
from jitcost.stats.size_means import size_means
from jitcost.stats.stars import stars
from jitcost.stats.yuen import difference, trimmed_mean

# How processes differ. A number is the standard deviation of normal logarithms; of a pair it is that of
# seven processes in eight, and the eighth is slowed by 10 to 60 %.
NOISES = (0.01, 0.03, 0.05, 0.10, 0.20, (0.014, "slowed"), (0.03, "slowed"))
SIZES = 10.0 ** np.arange(1, 7)


def crossings(first, second):
    """Return where two curves cross, each a mapping of size to its processes' numbers."""
    return crossing.crossings({n: ratio(first[n], second[n]) for n in first.keys() & second.keys()})


def factors(rng, noise, shape):
    """Draw what multiplies the times of processes."""
    if not isinstance(noise, tuple):
        return np.exp(noise * rng.standard_normal(shape))
    slowed = np.where(rng.random(shape) < 1 / 8, rng.uniform(1.1, 1.6, shape), 1.0)
    return np.exp(noise[0] * rng.standard_normal(shape)) * slowed


def median_factor(noise):
    """Return the long-run median of `factors`."""
    if not isinstance(noise, tuple):
        return 1.0
    slowdowns = np.log(np.linspace(1.1, 1.6, 501))
    grid = np.linspace(-5 * noise[0], 5 * noise[0], 2001)
    below = 7 / 8 * special.ndtr(grid / noise[0])
    below += special.ndtr((grid[:, None] - slowdowns) / noise[0]).mean(axis=1) / 8
    return float(np.exp(np.interp(0.5, below, grid)))


def cell_coverage(rng, noise, sets, processes=5):
    truth = median_factor(noise)
    found = [interval(row) for row in factors(rng, noise, (sets, processes)).tolist()]
    return np.mean([one.low <= truth <= one.high for one in found])


def ratios(rng, noise, sets, processes=5, true=1.0):
    """Return the shares of intervals that hold the true ratio, and of significant differences."""
    first = np.log(true * factors(rng, noise, (sets, processes)))
    second = np.log(factors(rng, noise, (sets, processes)))
    found = difference(trimmed_mean(first), trimmed_mean(second))
    covered = np.abs(found.estimate - np.log(true)) <= found.half_width()
    return covered.mean(), np.mean(found.p_two_sided < 0.05)


def tie_shown_as_loss(rng, noise, sets, processes=5):
    draws = factors(rng, noise, (sets, 2, processes)).tolist()
    return np.mean([len(stars(dict(zip("ab", pair, strict=True))).starred) < 2 for pair in draws])


def fastest_starred(rng, noise, sets, processes=5, lead=0.0, backends=6):
    times = np.array([1.0] + [1.0 + lead] * (backends - 1))[:, None]
    draws = (times * factors(rng, noise, (sets, backends, processes))).tolist()
    return np.mean([0 in stars(dict(enumerate(cells))).starred for cells in draws])


def spurious_crossings(rng, noise, sets, sizes, processes=5):
    draws = factors(rng, noise, (sets, 2, sizes, processes)).tolist()
    curves = [[dict(enumerate(curve, 1)) for curve in pair] for pair in draws]
    return np.mean([bool(crossings(*pair).crossings) for pair in curves])


def crossing_found(rng, noise, sets, processes=5):
    """Return how often a crossover is bracketed: 5 us + 30 ns n against 30 us + 3 ns n, at n = 926."""
    first = (5e-6 + 30e-9 * SIZES)[:, None] * factors(rng, noise, (sets, SIZES.size, processes))
    second = (30e-6 + 3e-9 * SIZES)[:, None] * factors(rng, noise, (sets, SIZES.size, processes))
    hits = 0
    for pair in zip(first.tolist(), second.tolist(), strict=True):
        found = crossings(*(dict(zip(SIZES, curve, strict=True)) for curve in pair)).crossings
        hits += len(found) == 1 and found[0].n_low <= 926 <= found[0].n_high
    return hits / sets


def break_evens(rng, noise, sets, saving, processes=5, cost=1000.0):
    """Return how often the verdict is wrong, the interval holds m*, and compiling pays.

    The interpreted call takes 1 + saving, the compiled one 1, compiling `cost`.
    """
    c, i, t = factors(rng, noise, (3, sets, processes))
    rows = zip((cost * c).tolist(), ((1 + saving) * i).tolist(), t.tolist(), strict=True)
    found = [break_even(*row) for row in rows]
    wrong = {"pays"} if saving < 0 else {"never"} if saving > 0 else {"pays", "never"}
    true = np.ceil(cost / saving) if saving > 0 else np.inf
    return (
        np.mean([one.verdict in wrong for one in found]),
        np.mean([one.low <= true <= one.high for one in found]),
        np.mean([one.verdict == "pays" for one in found]),
    )


# By name: seconds at sizes n. The line is 4 us a call and 1 ns an element.
CURVES = {
    "line": lambda n: 4e-6 + 1e-9 * n,
    "jump of 20 us at 500": lambda n: 4e-6 + 1e-9 * n + 20e-6 * (n >= 500),
    "slope x 1.5 from 10^4": lambda n: 4e-6 + 1e-9 * n + 0.5e-9 * np.maximum(n - 1e4, 0),
    "n log n": lambda n: 4e-6 + 1e-9 * n * np.log(n),
    "n^2": lambda n: 4e-6 + 1e-9 * n**2,
    "n^3": lambda n: 4e-6 + 1e-9 * n**3,
    # smooth, as caches make it: a line misses these by up to 5 %
    "smooth step of 10 %": lambda n: (4e-6 + 1e-9 * n) * (1 + 0.1 / (1 + (3e4 / n) ** 1.0)),
    "smooth hump of 5 %": lambda n: (
        (4e-6 + 1e-9 * n) * (1 + 0.05 * np.exp(-(np.log10(n / 3e4) ** 2)))
    ),
    "falls": lambda n: 59e-6 + 1e-9 * n - 24e-6 * (n > 4096),
}


def fits(rng, curve, noise, sets, processes=5, sizes=SIZES, shared=None):
    """Fit a curve of CURVES again and again; `shared` is the noise that a process has at all sizes."""
    times = CURVES[curve](sizes)[:, None] * factors(rng, noise, (sets, sizes.size, processes))
    if shared is not None:
        times = times * factors(rng, shared, (sets, 1, processes))
    return [fit(sizes, set_, same_processes=shared is not None) for set_ in times.tolist()]


def named(fits_, curve, sizes=SIZES):
    """Return the share of fits whose verdict is right for the curve; of a break, within one size."""
    if curve.startswith(("jump", "slope")):
        true = 500.0 if curve.startswith("jump") else 1e4
        gap = np.searchsorted(sizes, true, side="right") - 0.5
        places = [
            np.searchsorted(sizes, one.broken.n_at, side="right") - 0.5 if one.broken else np.inf
            for one in fits_
        ]
        return np.mean([abs(place - gap) <= 1 for place in places])
    if curve.startswith("n"):
        return np.mean([one.law == curve for one in fits_])
    if curve == "falls":
        return np.mean([one.verdict == "no model" for one in fits_])
    return np.mean([one.verdict in ("linear", "linear to") for one in fits_])


def laws_told(rng, law, trouble, noise, sets, processes=5):
    """Return how often the largest sizes tell another law than the true one, and how often that.

    Each set has other sizes, and as its trouble a fixed cost, a jump on top of one, or elements that get
    dearer by 10 to 40 %; all of random places and heights, between the smallest and the largest times.
    """
    grids = (
        SIZES,
        10.0 ** np.arange(1, 4, 0.5),
        np.geomspace(10, 1e4, 25),
        10.0 ** np.arange(1, 5),
    )
    wrong = right = 0
    for number in range(sets):
        sizes = grids[number % len(grids)]
        own = growth(law, sizes)
        spans = np.log(own[[0, -1]])
        at = np.exp(rng.uniform(*np.log(sizes[[0, -1]])))
        times = own.copy()
        if trouble in ("fixed cost", "jump"):
            times = times + np.exp(rng.uniform(*spans))
        if trouble == "jump":
            times = times + 3 * np.exp(rng.uniform(*spans)) * (sizes >= at)
        if trouble == "dearer":
            times = times * (1 + rng.uniform(0.1, 0.4) / (1 + (at / sizes) ** rng.uniform(1, 8)))
        drawn = times[:, None] * factors(rng, noise, (sizes.size, processes))
        found = exponent(size_means(sizes, drawn.tolist(), same_processes=False))
        if found is not None and found.law is not None:
            right += found.law == law
            wrong += found.law != law
    return wrong / sets, right / sets


def verdict_share(fits_, verdict):
    return np.mean([one.verdict == verdict for one in fits_])


def line_coverage(fits_, c0=4e-6, c1=1e-9):
    """Return how often the intervals of the one line hold c0 and c1."""
    return (
        np.mean([one.line.c0_low <= c0 <= one.line.c0_high for one in fits_]),
        np.mean([one.line.c1_low <= c1 <= one.line.c1_high for one in fits_]),
    )


def between_runs(rng, noise, sets, change=1.0, processes=5, related=6, unrelated=24):
    """Return the share of related cells called changed, in pairs of runs.

    Each run times a common factor of sd 2 %, each of its cells one of 1 %, each process `noise`.
    """
    cells = related + unrelated
    runs = np.exp(0.02 * rng.standard_normal((2, sets, 1, 1)))
    runs = runs * np.exp(0.01 * rng.standard_normal((2, sets, cells, 1)))
    runs = runs * factors(rng, noise, (2, sets, cells, processes))
    runs[1, :, :related] *= change
    called = 0
    for earlier, later in zip(*runs.tolist(), strict=True):
        found = [ratio(*pair) for pair in zip(later, earlier, strict=True)]
        common = common_factor(found[related:])
        verdicts = [changed(one, common).verdict for one in found[:related]]
        called += sum(verdict in ("slower", "faster") for verdict in verdicts)
    return called / sets / related


def gate(rng, noise, sets, cells=20, slowed=0, by=1.10, *, either=False):
    """Return the shares of runs with a false alarm, and of changed cells that were found.

    The first `slowed` cells take `by` times as long later; `either` way looked for, that may be less.
    """
    alarms = hits = 0
    true = np.where(np.arange(cells) < slowed, by, 1.0)[:, None]
    for _ in range(sets):
        first = factors(rng, noise, (2, cells, 5)) * [[[1.0]], [[1.0]]]
        first[1] *= true
        again = suspicious(dict(enumerate(zip(*first.tolist(), strict=True))), either=either)
        second = factors(rng, noise, (2, cells, 10))
        second[1] *= true
        pairs = list(zip(*second.tolist(), strict=True))
        verdicts = confirmed({cell: pairs[cell] for cell in again}, either=either)
        true_one = "slower" if by > 1 else "faster"
        alarms += any(
            verdict.verdict != "neither" and cell >= slowed for cell, verdict in verdicts.items()
        )
        hits += sum(
            verdict.verdict == true_one and cell < slowed for cell, verdict in verdicts.items()
        )
    return alarms / sets, hits / sets / max(1, slowed)


def power_as_planned(rng, noise, sets, share=0.04):
    """Return how often as many processes as were said to be needed do tell the difference."""
    hits = planned = 0
    for _ in range(sets):
        pilot = factors(rng, noise, (2, 5)).tolist()
        needed = processes_needed(*pilot, share)
        if needed is None:
            continue
        planned += 1
        first, second = factors(rng, noise, (2, needed)) * [[1 + share], [1.0]]
        hits += ratio(first.tolist(), second.tolist()).significant()
    return hits / max(1, planned)


def print_rates(rows):
    """Print the rates in per cent, a line for each pair of a name and a function of one of NOISES."""
    heads = [f"{noise:.0%}" if isinstance(noise, float) else f"{noise[0]:.1%}+" for noise in NOISES]
    print(f"{'processes differ by':58}" + "".join(f"{head:>8}" for head in heads))
    for name, rate in rows:
        started = time.perf_counter()
        rates = [100 * rate(noise) for noise in NOISES]
        took = time.perf_counter() - started
        print(
            f"{name:58}" + "".join(f"{one:8.1f}" for one in rates) + f"   ({took:.0f} s)",
            flush=True,
        )


def main(sets):
    rng = np.random.default_rng(1)
    rows = [
        ("cell covered, 3 processes", lambda x: cell_coverage(rng, x, sets, 3)),
        ("cell covered, 4", lambda x: cell_coverage(rng, x, sets, 4)),
        ("cell covered, 5", lambda x: cell_coverage(rng, x, sets, 5)),
        ("cell covered, 10", lambda x: cell_coverage(rng, x, sets, 10)),
        ("ratio covered, 3 + 3", lambda x: ratios(rng, x, sets, 3)[0]),
        ("ratio covered, 5 + 5", lambda x: ratios(rng, x, sets)[0]),
        ("ratio covered, 10 + 10", lambda x: ratios(rng, x, sets, 10)[0]),
        ("5 % found, 5 + 5", lambda x: ratios(rng, x, sets, 5, 1.05)[1]),
        ("10 % found, 5 + 5", lambda x: ratios(rng, x, sets, 5, 1.10)[1]),
        ("10 % found, 10 + 10", lambda x: ratios(rng, x, sets, 10, 1.10)[1]),
        ("50 % found, 5 + 5", lambda x: ratios(rng, x, sets, 5, 1.50)[1]),
        ("4 % found with planned processes", lambda x: power_as_planned(rng, x, sets // 4)),
        ("tie of two shown as loss", lambda x: tie_shown_as_loss(rng, x, sets)),
        ("fastest of 6 starred, all equal", lambda x: fastest_starred(rng, x, sets)),
        ("fastest of 6 starred, 2 % ahead", lambda x: fastest_starred(rng, x, sets, lead=0.02)),
        ("fastest of 6 starred, 10 % ahead", lambda x: fastest_starred(rng, x, sets, lead=0.1)),
        ("spurious crossing, 6 sizes", lambda x: spurious_crossings(rng, x, sets, 6)),
        ("spurious crossing, 20 sizes", lambda x: spurious_crossings(rng, x, sets, 20)),
        ("crossing found", lambda x: crossing_found(rng, x, sets)),
    ]
    for saving in (-0.1, 0.0, 0.02, 0.1, 0.5, 10.0):
        for at, what in enumerate(("wrong", "m* covered", "pays")):
            rows.append(
                (
                    f"break-even, saving {saving:g}: {what}",
                    lambda x, s=saving, at=at: break_evens(rng, x, sets, s)[at],
                )
            )
    for curve in CURVES:
        rows.append((f"fit, {curve}", lambda x, c=curve: named(fits(rng, c, x, sets), c)))
        if curve.startswith(("line", "smooth")):
            rows.append(
                (
                    f"fit, {curve}: piecewise",
                    lambda x, c=curve: verdict_share(fits(rng, c, x, sets), "piecewise"),
                )
            )
    rows += [
        ("fit, line: linear", lambda x: verdict_share(fits(rng, "line", x, sets), "linear")),
        ("fit, line: c0 covered", lambda x: line_coverage(fits(rng, "line", x, sets))[0]),
        ("fit, line: c1 covered", lambda x: line_coverage(fits(rng, "line", x, sets))[1]),
        (
            "fit, line, same processes 3 %: c0 covered",
            lambda x: line_coverage(fits(rng, "line", x, sets, shared=0.03))[0],
        ),
        (
            "fit, line, same processes, one in eight slowed: c0 covered",
            lambda x: line_coverage(fits(rng, "line", x, sets, shared=(0.014, "slowed")))[0],
        ),
        (
            "fit, line, same processes 3 %: linear",
            lambda x: verdict_share(fits(rng, "line", x, sets, shared=0.03), "linear"),
        ),
        ("between runs, unchanged", lambda x: between_runs(rng, x, sets // 4)),
        ("between runs, 10 % slower", lambda x: between_runs(rng, x, sets // 4, 1.1)),
        ("gate: false alarm in 20 cells", lambda x: gate(rng, x, sets)[0]),
        ("gate: 10 % in 1 of 20 found", lambda x: gate(rng, x, sets // 4, slowed=1)[1]),
        (
            "gate, either way: false alarm in 6 cells",
            lambda x: gate(rng, x, sets, 6, either=True)[0],
        ),
        (
            "gate, either way: 10 % slower in 1 of 6 found",
            lambda x: gate(rng, x, sets // 4, 6, 1, either=True)[1],
        ),
        (
            "gate, either way: 10 % faster in 1 of 6 found",
            lambda x: gate(rng, x, sets // 4, 6, 1, 1 / 1.1, either=True)[1],
        ),
    ]
    for law in ("n", "n log n", "n^2", "n^3"):
        for trouble in ("nothing", "fixed cost", "jump", "dearer"):
            for at, what in enumerate(("another law", "the law")):
                rows.append(
                    (
                        f"exponent, {law}, {trouble}: {what} told",
                        lambda x, law=law, trouble=trouble, at=at: laws_told(
                            rng, law, trouble, x, sets
                        )[at],
                    )
                )
    print_rates(rows)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000)
