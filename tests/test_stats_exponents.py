import numpy as np
import pytest
from scipy import stats

from jitcost.stats.candidates import law_named
from jitcost.stats.exponents import exponent
from jitcost.stats.fitting import fit
from jitcost.stats.size_means import size_means

SPREAD = np.exp([-0.03, -0.01, 0.0, 0.01, 0.03])

# Seconds of exp(-|x_i - x_j|^2 / (2 l^2)) for n points in space, five processes each, as measured on two
# cores: page faults make Numba's elements dearer by 60 % from 1,000 to 3,162, and threads those of jit
# by half and more.
SIZES = [10, 32, 100, 316, 1000, 3162]
MEASURED = {
    "numpy": [
        [4.89e-6, 4.80e-6, 4.92e-6, 4.88e-6, 4.82e-6],
        [22.8e-6, 22.0e-6, 22.5e-6, 22.7e-6, 22.5e-6],
        [183e-6, 184e-6, 300e-6, 290e-6, 185e-6],
        [1.83e-3, 1.84e-3, 1.84e-3, 1.84e-3, 1.83e-3],
        [19.7e-3, 19.8e-3, 19.8e-3, 19.7e-3, 19.8e-3],
        [185e-3, 185e-3, 185e-3, 183e-3, 185e-3],
    ],
    "numba": [
        [1.22e-6, 1.23e-6, 1.20e-6, 1.21e-6, 1.22e-6],
        [6.05e-6, 6.12e-6, 6.08e-6, 6.19e-6, 5.95e-6],
        [50.9e-6, 51.1e-6, 50.6e-6, 51.2e-6, 48.2e-6],
        [485e-6, 487e-6, 491e-6, 486e-6, 470e-6],
        [4.85e-3, 4.89e-3, 4.88e-3, 4.91e-3, 4.65e-3],
        [78.2e-3, 79.4e-3, 80.1e-3, 81.8e-3, 78.5e-3],
    ],
    "jax_jit": [
        [27.3e-6, 43.0e-6, 18.9e-6, 26.9e-6, 43.5e-6],
        [29.8e-6, 58.4e-6, 40.8e-6, 28.3e-6, 61.0e-6],
        [118e-6, 109e-6, 112e-6, 114e-6, 98.5e-6],
        [323e-6, 320e-6, 318e-6, 445e-6, 304e-6],
        [4.14e-3, 2.05e-3, 2.03e-3, 2.39e-3, 2.01e-3],
        [38.4e-3, 39.2e-3, 39.5e-3, 39.0e-3, 38.1e-3],
    ],
}


def of(sizes, function, spread=SPREAD):
    times = [(function(float(n)) * spread).tolist() for n in sizes]
    return exponent(size_means(sizes, times, same_processes=False))


def test_what_lies_between_the_bounds():
    found = of([1, 10, 100, 1000], lambda n: 1e-9 * n**2)
    assert (found.n_from, found.n_to, found.law) == (10, 1000, "n^2")
    assert found.value == pytest.approx(2)
    # by hand: of 0.01 * (-3, -1, 0, 1, 3) the middle three and their winsorised squares, 4e-4 / (3 * 2),
    # over the median of chi-squared with two degrees of freedom, and the resolution; four sizes
    variance = 4e-4 / 6 / (np.log(4) / 2) + 0.0025**2
    half = stats.t.ppf(0.975, 8) * np.sqrt(2 * variance) / np.log(10)  # of half the stretch
    drift = np.log(1.5) / np.log(100)
    assert (found.low, found.high) == pytest.approx((2 - half - drift, 2 + half + drift))


def test_a_fixed_cost_is_at_most_the_smallest_sizes_time():
    # 1, 4, 13, 103: of the times less 1, those of the stretch from the second on rise from 3 to 102
    sizes, times = (
        [10, 20, 60, 200],
        dict(zip([10.0, 20.0, 60.0, 200.0], [1, 4, 13, 103], strict=True)),
    )
    found = of(sizes, times.get)
    assert found.n_from == 20
    half = found.value - np.log(13 / 4) / np.log(3)  # from the slope to that of the lower half
    assert found.value == pytest.approx(np.log(103 / 4) / np.log(10))
    upper = np.log(103 / 13) / np.log(200 / 60)
    assert found.high > upper > np.log(102 / 3) / np.log(10) > found.value
    assert found.low < found.value - half


@pytest.mark.parametrize("backend", MEASURED)
@pytest.mark.parametrize("law", ["n", "n^2"])
def test_a_matrix_is_told_to_be_quadratic_though_no_law_fits_its_times(backend, law):
    found = fit(SIZES, MEASURED[backend], law=law)
    assert found.exponent.law == "n^2"
    assert 1.15 < found.exponent.low < 2 < found.exponent.high < 3
    assert found.law in (None, "n^2")  # and two lines in n are no model of them
    assert found.line_misfit > 0.1


@pytest.mark.parametrize("law", ["n^2", "n^3"])
def test_elements_that_get_dearer_by_two_fifths_do_not_hide_the_law(law):
    power = int(law[-1])
    for at in SIZES:
        found = of(SIZES, lambda n, at=at: 1e-9 * n**power * (1.4 if n >= at else 1))
        assert found.law == law


@pytest.mark.parametrize(
    "function",
    [
        lambda n: n,
        lambda n: n * np.log(n),  # with a fixed cost it is no different
        lambda n: n**1.5,
        lambda n: n**2.5,
        lambda n: 1000 + n,
        lambda n: 1e9 + n**3,  # the fixed cost is half of the largest time
        lambda n: n + 1e5 * (n >= 1000),  # a jump to a hundred times
        lambda n: 5.0,
    ],
)
def test_what_tells_no_law(function):
    found = of(SIZES, function)
    assert found is None or found.law is None


def test_a_stretch_is_a_decade_of_three_sizes_above_the_smallest():
    def square(n):
        return n**2

    assert of([10, 20, 40, 80], square) is None
    assert of([10, 100, 1000], square) is None
    assert of([10, 32, 100, 316], square).n_from == 32
    assert of([10, 1000, 2000, 4000], square) is None
    one_process = np.array([1.0])  # and nothing is known of the noise
    assert of(SIZES, square, spread=one_process) is None
    assert of([0, 1, 10, 100], lambda n: 0.01 + n**2).law == "n^2"


@pytest.mark.parametrize("spelled", ["n^2", "n**2", " n ** 2 ", "n^(2)"])
def test_laws_as_people_write_them(spelled):
    assert law_named(spelled) == "n^2"


def test_other_laws_as_people_write_them():
    assert [law_named(text) for text in ("n", "n*log(n)", "n log n", "n * log n", "n**3")] == [
        *("n", "n log n", "n log n", "n log n", "n^3")
    ]
    assert [law_named(text) for text in ("", "n^4", "2^n", "log n", "n2", "m")] == [None] * 6
