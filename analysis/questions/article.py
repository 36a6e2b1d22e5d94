"""The article's claims, in its order: what it says, its figure, and when it holds here.

Times, and ratios of times, are those of another machine: such a claim holds within a factor of two of
the article's figure (of both ends, where that is a range). One that a backend is slower than another
holds where it is; of others the range stands in `Claim.means`. The explanations that it leaves open are
no claims: they are held against the experiments, where these were measured.
"""

from __future__ import annotations

import math

from jitcost.questions.judges import (
    a_call_cost,
    a_compile_cost,
    a_difference,
    a_ratio,
    a_saving,
    a_time,
    all_first_calls,
    calls_until_paid,
    explained,
    one_gain_less_than_another,
    slower_at_all,
)
from jitcost.questions.judging import Claim, Need, Range

__all__ = ["ARTICLES_MACHINE", "CLAIMS", "ELEMENTWISE", "RECURSION"]

ARTICLES_MACHINE = "two-core Xeon at 2.1 GHz, JAX 0.11.2, NumPy 2.5"

# The workloads that the article is about.
ELEMENTWISE, RECURSION = "elementwise", "recursion"


def _elementwise(backend: str, n: int | None, kind: str = "SteadyState") -> Need:
    return Need(ELEMENTWISE, backend, n, kind)


def _variant(name: str, n: int) -> Need:
    return _elementwise(name, n, "Variants")


def _recursion(backend: str, n: int) -> Need:
    return Need(RECURSION, backend, n)


_FACTOR, _SLOWER = "within a factor of two", "slower"
_MACHINE = "an absolute time, which depends on the machine"


def _a_time(
    text: str, article: str, of: Need, low: float, high: float | None = None, per: int = 1
) -> Claim:
    """Return a claim of a time in seconds, or of the time of a step of so many."""
    return Claim(text, article, _FACTOR, a_time(of, Range.about(low, high), per), _MACHINE)


# What compiling the expression costs and saves at this size.
_AT = 100_000
_FIRST = _elementwise("jax_jit", _AT, "FirstCall")
_NUMPY, _JIT = _elementwise("numpy", _AT), _elementwise("jax_jit", _AT)

CLAIMS = (
    Claim(
        "an operation's fixed cost in NumPy is of the order of a microsecond",
        "1 µs",
        "1 µs is the nearest power of ten",
        a_call_cost(_elementwise("numpy", None), 1_000, Range.about(1e-6, factor=math.sqrt(10))),
        "c0 of the fit to n <= 1,000",
    ),
    Claim(
        "a call of a compiled function costs a few microseconds",
        "a few µs",
        "1 to 10 µs",
        a_time(_elementwise("jax_jit", 10), Range(1e-6, 10e-6)),
        "elementwise at n = 10",
    ),
    _a_time("elementwise, n = 100: NumPy", "7 to 9 µs", _elementwise("numpy", 100), 7e-6, 9e-6),
    _a_time("elementwise, n = 100: jit", "7 to 9 µs", _elementwise("jax_jit", 100), 7e-6, 9e-6),
    Claim(
        "elementwise, n = 100: jit and NumPy take the same time",
        "both 7 to 9 µs",
        "ratio from 7/9 to 9/7",
        a_ratio(_elementwise("jax_jit", 100), _elementwise("numpy", 100), Range(7 / 9, 9 / 7)),
        "depends on the Python version and on the releases of both libraries",
    ),
    _a_time(
        "elementwise, n = 100: JAX one operation at a time",
        "120 µs",
        _elementwise("jax_eager", 100),
        120e-6,
    ),
    Claim(
        "elementwise, n = 100: JAX one operation at a time is slower than NumPy",
        "120 against 7 to 9 µs",
        _SLOWER,
        a_ratio(_elementwise("jax_eager", 100), _elementwise("numpy", 100)),
    ),
    Claim(
        "elementwise, n = 316: jit is slower than NumPy",
        "41 against 12 µs",
        _SLOWER,
        a_ratio(_elementwise("jax_jit", 316), _elementwise("numpy", 316)),
    ),
    Claim(
        "elementwise, n = 300 to 3,000: jit is slower than NumPy",
        "slower",
        "slower at 316, 1,000 and 3,162",
        slower_at_all("jax_jit", "numpy", ELEMENTWISE, (316, 1_000, 3_162)),
        "the smallest of the ratios",
    ),
    Claim(
        "elementwise, n = 1,000: jit is slower than NumPy for work that it hands to another thread",
        "not investigated",
        "jit is slower than NumPy, and without the hand-off takes no longer",
        explained(
            _variant("jax_jit", 1_000), _variant("numpy", 1_000), _variant("jax_jit_sync", 1_000)
        ),
        open=True,
    ),
    _a_time("elementwise, n = 10^5: jit", "0.46 ms", _JIT, 0.46e-3),
    _a_time("elementwise, n = 10^5: NumPy", "2.7 ms", _NUMPY, 2.7e-3),
    Claim(
        "elementwise, n = 10^5: jit is faster than NumPy by",
        "5.9x",
        _FACTOR,
        a_ratio(_NUMPY, _JIT, Range.about(2.7 / 0.46)),
        "NumPy's cos, and page faults for its temporaries, differ between machines and releases",
    ),
    _a_time("elementwise, n = 10^7: jit", "21 ms", _elementwise("jax_jit", 10**7), 21e-3),
    _a_time("elementwise, n = 10^7: NumPy", "424 ms", _elementwise("numpy", 10**7), 0.424),
    Claim(
        "elementwise, n = 10^7: jit is faster than NumPy by",
        "20x",
        _FACTOR,
        a_ratio(
            _elementwise("numpy", 10**7), _elementwise("jax_jit", 10**7), Range.about(424 / 21)
        ),
        "the cos of NumPy and of XLA is vectorised on some machines and in some releases only",
    ),
    Claim(
        "elementwise, n = 10^7: fusion makes the compiled function faster",
        "not isolated",
        "slower without fusion",
        a_ratio(_variant("jax_jit_unfused", 10**7), _variant("jax_jit_fused", 10**7)),
        open=True,
    ),
    Claim(
        "elementwise, n = 10^7: XLA divides large loops between the cores",
        "may",
        "slower with one thread",
        a_ratio(_variant("jax_jit_1thread", 10**7), _variant("jax_jit_sync", 10**7)),
        open=True,
    ),
    Claim(
        "the summands by jit and by NumPy differ by less than",
        "2e-15",
        "less, at all sizes",
        a_difference(_elementwise("jax_jit", None, "track_summand_difference"), 2e-15),
        "the largest over all sizes",
    ),
    Claim(
        "the first call of a jitted function takes",
        "15 to 135 ms",
        f"{_FACTOR}, at all sizes",
        all_first_calls(_elementwise("jax_jit", None, "FirstCall"), Range.about(0.015, 0.135)),
        "the compiler's release decides; the run itself is in it",
    ),
    Claim(
        "elementwise, n = 10^5: compiling costs C",
        "19 ms",
        _FACTOR,
        a_compile_cost(_FIRST, _JIT, Range.about(19e-3)),
        _MACHINE,
    ),
    Claim(
        "elementwise, n = 10^5: a compiled call saves",
        "2.2 ms",
        _FACTOR,
        a_saving(_FIRST, _NUMPY, _JIT, Range.about(2.2e-3)),
        _MACHINE,
    ),
    Claim(
        "elementwise, n = 10^5: compiling has paid after",
        "9 calls",
        _FACTOR,
        calls_until_paid(_FIRST, _NUMPY, _JIT, Range.about(9)),
        "depends on both speeds and on the compiler's",
    ),
    _a_time(
        "recursion, T = 10^6: scan under jit, per step",
        "29 ns",
        _recursion("jax_jit", 10**6),
        29e-9,
        per=10**6,
    ),
    _a_time(
        "recursion, T = 10^6: loop over Python floats, per step",
        "109 ns",
        _recursion("python", 10**6),
        109e-9,
        per=10**6,
    ),
    _a_time(
        "recursion, T = 10^6: loop over NumPy scalars, per step",
        "388 ns",
        _recursion("numpy", 10**6),
        388e-9,
        per=10**6,
    ),
    Claim(
        "recursion, T = 10^6: NumPy scalars are slower than floats",
        "388 against 109 ns",
        _SLOWER,
        a_ratio(_recursion("numpy", 10**6), _recursion("python", 10**6)),
    ),
    _a_time(
        "recursion, T = 1,000: loop over JAX operations, per step",
        "130 µs",
        _recursion("jax_eager", 1_000),
        130e-6,
        per=1_000,
    ),
    Claim(
        "recursion, T = 1,000: a loop over JAX operations is slower by far",
        "130 µs against 388 ns",
        "at least ten times as slow as NumPy scalars",
        a_ratio(_recursion("jax_eager", 1_000), _recursion("numpy", 1_000), Range(10, math.inf)),
    ),
    Claim(
        "the gain from scan over a loop on floats (T = 10^6) is smaller than jit's over NumPy "
        "(n = 10^5)",
        "3.8x against 5.9x",
        "ratio of the two gains below 1",
        one_gain_less_than_another(
            (_recursion("python", 10**6), _recursion("jax_jit", 10**6)), (_NUMPY, _JIT)
        ),
        "follows from how much faster jit's elementwise is",
    ),
)
