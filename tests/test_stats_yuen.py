import numpy as np
import pytest
from scipy import stats

from jitcost.stats.yuen import RESOLUTION, difference, trimmed_mean


def test_a_trimmed_mean_worked_out_by_hand():
    # without the ends 2, 3, 4; winsorised 2, 2, 3, 4, 4 with squares 1 + 1 + 0 + 1 + 1 about 3
    found = trimmed_mean([1, 2, 3, 4, 10], resolution=0)
    assert found.mean == pytest.approx(3)
    assert found.variance == pytest.approx(4 / (3 * 2))
    assert (found.freedom, found.count) == (2, 5)
    low, high = found.interval()
    assert (high - low) / 2 == pytest.approx(4.3027 * np.sqrt(2 / 3), rel=1e-4)  # t, 2 df, 97.5 %


def test_the_self_awareness_data_of_wilcox():
    # Wilcox, Introduction to Robust Estimation: trimmed mean 282.7, winsorised variance 21,551.4
    data = [77, 87, 88, 114, 151, 210, 219, 246, 253, 262, 296, 299, 306, 376, 428, 515, 666, 1310]
    found = trimmed_mean([*data, 2611], resolution=0)
    assert found.mean == pytest.approx(282.7, abs=0.05)
    assert found.variance * 13 * 12 / 18 == pytest.approx(21551.4, abs=0.05)


@pytest.mark.parametrize("sizes", [(3, 3), (4, 5), (5, 5), (5, 10), (17, 10)])
def test_without_a_resolution_it_is_scipys(sizes):
    rng = np.random.default_rng(sum(sizes))
    first, second = rng.standard_t(3, sizes[0]), 0.5 + 2 * rng.standard_t(3, sizes[1])
    found = difference(trimmed_mean(first, 0), trimmed_mean(second, 0))
    theirs = stats.ttest_ind(first, second, trim=0.2, equal_var=False)
    interval = theirs.confidence_interval()
    assert found.p_two_sided == pytest.approx(theirs.pvalue)
    assert found.freedom == pytest.approx(theirs.df)
    assert found.estimate - found.half_width() == pytest.approx(interval.low)
    assert found.estimate + found.half_width() == pytest.approx(interval.high)
    less = stats.ttest_ind(first, second, trim=0.2, equal_var=False, alternative="less")
    assert found.p_less == pytest.approx(less.pvalue)
    assert found.p_greater == pytest.approx(1 - less.pvalue)


def test_numbers_that_agree_exactly_are_known_to_the_resolution():
    found = difference(trimmed_mean(np.full(5, 0.01)), trimmed_mean(np.zeros(5)))
    assert found.standard_error == pytest.approx(np.sqrt(2) * RESOLUTION)
    # two times two degrees of freedom, t = 2.828
    assert found.p_two_sided == pytest.approx(2 * stats.t.sf(4 / np.sqrt(2), 4))


def test_stacks_are_what_their_lists_are():
    values = np.random.default_rng(1).standard_normal((2, 3, 7))
    both = trimmed_mean(values)
    assert both.mean.shape == both.variance.shape == (2, 3)
    assert both.variance[1, 2] == trimmed_mean(values[1, 2]).variance


def test_one_value_has_no_variance():
    one = trimmed_mean([2.0])
    assert one.mean == 2
    assert np.isnan(one.variance)
    assert np.isnan(difference(one, trimmed_mean([1.0, 1.1, 1.2])).p_two_sided)
