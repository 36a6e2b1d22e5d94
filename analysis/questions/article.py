"""The article's quantitative claims: what it says, its figure, and how ours is judged."""

from __future__ import annotations

from jitcost.questions.judging import (
    ELEMENTWISE,
    RECURSION,
    Claim,
    a_ratio,
    a_time,
    calls_until_paid,
    compile_range,
    operation_cost,
    slower,
    summands,
)

__all__ = ["ARTICLES_MACHINE", "CLAIMS"]

ARTICLES_MACHINE = "two-core Xeon at 2.1 GHz, JAX 0.11.2, NumPy 2.5"

_MACHINE = "a time on the article's machine"

CLAIMS = (
    Claim(
        "an operation's fixed cost in NumPy is of the order of a microsecond",
        "1 µs",
        operation_cost,
        "c0 of the fit to n <= 1,000; within a factor of ten",
    ),
    Claim(
        "elementwise, n = 100: NumPy",
        "7 to 9 µs",
        a_time(ELEMENTWISE, "numpy", 100, 8e-6),
        _MACHINE,
    ),
    Claim(
        "elementwise, n = 100: jit",
        "7 to 9 µs",
        a_time(ELEMENTWISE, "jax_jit", 100, 8e-6),
        _MACHINE,
    ),
    Claim(
        "elementwise, n = 100: JAX one operation at a time",
        "120 µs",
        a_time(ELEMENTWISE, "jax_eager", 100, 120e-6),
        _MACHINE,
    ),
    Claim(
        "elementwise, n = 316: jit is slower than NumPy",
        "41 against 12 µs",
        slower(ELEMENTWISE, "jax_jit", "numpy", 316),
        "from n = 141 on, XLA counts 1000 flops and hands the work to another thread",
    ),
    Claim(
        "elementwise, n = 10^5: jit",
        "0.46 ms",
        a_time(ELEMENTWISE, "jax_jit", 100_000, 0.46e-3),
        _MACHINE,
    ),
    Claim(
        "elementwise, n = 10^5: NumPy",
        "2.7 ms",
        a_time(ELEMENTWISE, "numpy", 100_000, 2.7e-3),
        _MACHINE,
    ),
    Claim(
        "elementwise, n = 10^5: jit is faster than NumPy by",
        "5.9x",
        a_ratio(ELEMENTWISE, "numpy", "jax_jit", 100_000, 2.7 / 0.46),
        "NumPy's cos, and page faults for its temporaries, differ between machines and releases",
    ),
    Claim(
        "elementwise, n = 10^7: jit",
        "21 ms",
        a_time(ELEMENTWISE, "jax_jit", 10_000_000, 21e-3),
        _MACHINE,
    ),
    Claim(
        "elementwise, n = 10^7: NumPy",
        "424 ms",
        a_time(ELEMENTWISE, "numpy", 10_000_000, 0.424),
        _MACHINE,
    ),
    Claim(
        "elementwise, n = 10^7: jit is faster than NumPy by",
        "20x",
        a_ratio(ELEMENTWISE, "numpy", "jax_jit", 10_000_000, 424 / 21),
        "the cos of NumPy and of XLA is vectorised on some machines and in some releases only; two "
        "cores may share jit's loop",
    ),
    Claim(
        "the summands by jit and by NumPy differ by less than",
        "2e-15",
        summands,
        "the largest over all sizes",
    ),
    Claim(
        "the first call of a jitted function takes",
        "15 to 135 ms",
        compile_range,
        "over all sizes; the run itself is in it",
    ),
    Claim(
        "elementwise, n = 10^5: compiling has paid after",
        "9 calls",
        calls_until_paid,
        "depends on both speeds and on the compiler's",
    ),
    Claim(
        "recursion, T = 10^6: scan under jit, per step",
        "29 ns",
        a_time(RECURSION, "jax_jit", 1_000_000, 29e-9, per=1_000_000),
        _MACHINE,
    ),
    Claim(
        "recursion, T = 10^6: loop over Python floats, per step",
        "109 ns",
        a_time(RECURSION, "python", 1_000_000, 109e-9, per=1_000_000),
        _MACHINE,
    ),
    Claim(
        "recursion, T = 10^6: loop over NumPy scalars, per step",
        "388 ns",
        a_time(RECURSION, "numpy", 1_000_000, 388e-9, per=1_000_000),
        _MACHINE,
    ),
    Claim(
        "recursion, T = 10^6: NumPy scalars are slower than floats",
        "388 against 109 ns",
        slower(RECURSION, "numpy", "python", 1_000_000),
        "times of the whole path here",
    ),
    Claim(
        "recursion: loop over JAX operations, per step",
        "130 µs",
        a_time(RECURSION, "jax_eager", 1_000, 130e-6, per=1_000),
        f"{_MACHINE}; ours at T = 1,000",
    ),
)
