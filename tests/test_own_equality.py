"""When results are equal, where they first are not, and that no value is too odd to be compared."""

import collections
import contextlib
import dataclasses
import decimal
import doctest
import fractions
import math
import subprocess
import sys
import types

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest

from jitcost.own import entries, equality, structures
from jitcost.own.equality import compare, digest, same, to_host

NAN, INF = math.nan, math.inf
Pair = collections.namedtuple("Pair", "mean variance")


@dataclasses.dataclass
class State:
    mean: object
    steps: object


def difference(found, expected, tolerance=None):
    return compare(found, expected, tolerance).difference


def test_the_examples():
    for module, count in ((structures, 1), (equality, 3)):
        assert doctest.testmod(module) == (0, count), module


# What is equal, whichever of the two is the reference.
EQUAL = [
    (1.0, np.float64(1.0)),
    (1.0, np.array(1.0)),
    ([1.0, 2.0], np.array([1.0, 2.0])),
    ([[1, 2], [3, 4]], np.array([[1, 2], [3, 4]])),
    ([(1.0, 2.0), (3.0, 4.0)], np.array([[1.0, 2.0], [3.0, 4.0]])),
    ([], np.zeros(0)),
    ([[], []], np.zeros((2, 0))),
    ([np.zeros(2), np.ones(2)], np.array([[0.0, 0.0], [1.0, 1.0]])),
    ([np.array(1.0), 2.0], np.array([1.0, 2.0])),
    ((), ()),
    ({}, {}),
    (None, None),
    ("a", "a"),
    ("a", np.str_("a")),
    (Pair(1.0, [2.0]), (1.0, np.array([2.0]))),
    ({"a": 1, "b": (2.0, "c")}, {"b": (2.0, "c"), "a": 1}),
    (types.MappingProxyType({"a": 1}), {"a": 1}),
    (State(np.ones(3), 2), State([1.0, 1.0, 1.0], 2)),
    ([1, NAN, INF, -INF], np.array([1, NAN, INF, -INF])),
    (complex(NAN, 0), complex(0, NAN)),
    (complex(INF, 1), complex(INF, 1)),
    (0.0, -0.0),
    (np.array(["a", "bc"]), np.array(["a", "bc"])),
    (np.array(["2020-01-01", "NaT"], "M8[D]"), np.array(["2020-01-01", "NaT"], "M8[D]")),
    (np.array([None, "a"], object), np.array([None, "a"], object)),
    (np.array([(1, 0.5)], "i8,f8"), np.array([(1, 0.5)], "i8,f8")),
    ([2**70, 1], [2**70, 1]),
    ([1, 2**63], [1, 2**63]),
    ([[1, 2], [3]], [[1, 2], [3]]),
    (decimal.Decimal("NaN"), decimal.Decimal("NaN")),
    (np.zeros((0, 3)), np.zeros((0, 3))),
    # 1e-9 of the largest entry is what an entry may be wrong by, however small it is.
    ([1000.0, 1e-8], [1000.0, 9e-7]),
    ([1000.0, INF, 0.0], [1000.0, INF, 9e-7]),
    (1j, 1j + 9e-10),
    (np.zeros(2), [0.0, 0.0]),
    (np.float32(1.0), np.float32(1.00009)),
    (np.complex64(1.0), np.complex64(1.00009)),
    (np.float16(1.0), np.float16(1.009)),
    (1e308, 1e308),
]


@pytest.mark.parametrize(("one", "other"), EQUAL)
def test_what_is_equal_has_no_difference(one, other):
    assert difference(one, other) is None
    assert difference(other, one) is None


@pytest.mark.parametrize(
    ("found", "expected", "said"),
    [
        (
            np.array([[1.0, 2.0], [0.25, 4.0]]),
            np.array([[1.0, 2.0], [0.5, 5.0]]),
            "at [1, 0]: 0.25, expected 0.5 (relative error 5e-02, tolerance 1e-09)",
        ),
        (0.25, 0.5, "0.25, expected 0.5 (relative error 5e-01, tolerance 1e-09)"),
        (1e-8, 0.0, "1e-08, expected 0.0 (absolute error 1e-08, tolerance 1e-09)"),
        (
            [1e-8, INF],
            [0.0, INF],
            "at [0]: 1e-08, expected 0.0 (absolute error 1e-08, tolerance 1e-09)",
        ),
        (3 + 4j, 0j + 5, "(3+4j), expected (5+0j) (relative error 8.9e-01, tolerance 1e-09)"),
        (
            np.float32(1),
            np.float32(1.5),
            "1.0, expected 1.5 (relative error 3.3e-01, tolerance 1e-04)",
        ),
        ([1, NAN], [1.0, 2.0], "at [1]: nan, expected 2.0"),
        ([1, 2.0], [1.0, NAN], "at [1]: 2.0, expected nan"),
        ([1, INF], [1.0, -INF], "at [1]: inf, expected -inf"),
        ([1, 1e308], [1.0, INF], "at [1]: 1e+308, expected inf"),
        (complex(1, INF), complex(1, -INF), "(1+infj), expected (1-infj)"),
        ([1, 2, 3], [1, 2, 4], "at [2]: 3, expected 4"),
        (2**53, 2**53 + 1, "9007199254740992, expected 9007199254740993"),
        ([2**70], [2**70 + 1], "at [0]: 1180591620717411303424, expected 1180591620717411303425"),
        ([1, 2**63 + 1], [1, 2**63], "at [1]: 9223372036854775809, expected 9223372036854775808"),
        (2**70, 1, "1180591620717411303424, expected 1"),
        (True, False, "True, expected False"),
        (np.zeros(3), np.zeros(4), "shape (3,), expected (4,)"),
        (1.0, [1.0], "shape (), expected (1,)"),
        (np.zeros((0, 3)), np.zeros((0, 4)), "shape (0, 3), expected (0, 4)"),
        ((1, 2), np.zeros(2), "a tuple of 2, expected an array"),
        (np.zeros(2), (1, 2), "an array, expected a tuple of 2"),
        ((1, 2), (1, 2, 3), "a tuple of 2, expected a tuple of 3"),
        ([None], (None,), "a list of 1, expected a tuple of 1"),
        ([[1, 2], [3]], np.zeros((2, 2)), "a list of 2, expected an array"),
        ([[1, 2], [3]], [[1, 2], [4]], "at [1][0]: 3, expected 4"),
        ([np.zeros(2), np.zeros(3)], np.zeros((2, 3)), "a list of 2, expected an array"),
        ({"a": 1}, {"a": 1, "b": 2}, "key 'b' is missing"),
        ({"a": 1, 2: 2}, {"a": 1}, "key 2 is not expected"),
        (
            ({"b": [1.0, 2.0]}, 1),
            ({"b": [1.0, 4.0]}, 1),
            "at [0]['b'][1]: 2.0, expected 4.0 (relative error 5e-01, tolerance 1e-09)",
        ),
        ((1, (2, 3)), (1, (2,)), "at [1]: a tuple of 2, expected a tuple of 1"),
        (Pair(1, 2), Pair(1, 3), "at [1]: 2, expected 3"),
        (State(1, 2), State(1, 3), "at .steps: 2, expected 3"),
        (None, 1.0, "None, expected a number"),
        ("a", 1.0, "a string, expected a number"),
        (1.0, None, "a number, expected None"),
        ("a", "b", "'a', expected 'b'"),
        ("a", None, "'a', expected None"),
        (np.array(["a"]), np.array(["b"]), "at [0]: a, expected b"),
        (np.array(["a"]), np.zeros(1), "str32, expected float64"),
        (
            np.array(["NaT"], "M8[D]"),
            np.array(["2020"], "M8[D]"),
            "at [0]: NaT, expected 2020-01-01",
        ),
        (
            np.array([1, None], object),
            np.array([1, "a"], object),
            "at [1]: None, expected 'a'",
        ),
        (
            np.array([1, None], object),
            np.zeros(2),
            "an object array of shape (2,), expected an array",
        ),
        (
            np.array([(1, 0.5)], "i8,f8"),
            np.array([(1, 0.25)], "i8,f8"),
            "at ['f1'][0]: 0.5, expected 0.25 (relative error 1e+00, tolerance 1e-09)",
        ),
        (object, len, "<class 'object'>, expected <built-in function len>"),
        (types.SimpleNamespace(), {}, "an object of type SimpleNamespace, expected a dict of 0"),
    ],
)
def test_the_first_difference_is_told_in_a_line(found, expected, said):
    assert difference(found, expected) == said


def test_what_is_long_is_cut_to_a_line():
    two_lines = types.SimpleNamespace(a=np.eye(2))
    assert difference(two_lines, len) == (
        "namespace(a=array([[1., 0.], [0., 1.]])), expected <built-in function len>"
    )
    assert difference("a" * 100, "b") == f"'{'a' * 58}…, expected 'b'"


def test_error_and_tolerance_are_those_that_decide():
    # 0.5 - 0.499 is 0.001, of 2.0 a share of 0.0005.
    told = compare([0.499, 2.0], [0.5, 2.0], 1e-3)
    assert told == equality.Comparison(pytest.approx(0.0005), 1e-3, None, ())
    assert difference([0.499, 2.0], [0.5, 2.0], 4.9e-4) is not None
    # The second comes closer to its tolerance: 5e-5 of 1e-4, against 1e-12 of 1e-9.
    told = compare((1 + 1e-12, np.float32(1.00005)), (1.0, np.float32(1.0)))
    assert (told.error, told.tolerance) == (pytest.approx(5e-5, rel=1e-2), 1e-4)
    # What differs decides, wherever it stands.
    told = compare((1 + 5e-10, 3, 4.0), (1.0, 4, 5.0))
    assert (told.error, told.tolerance, told.difference) == (0.25, 0.0, "at [1]: 3, expected 4")
    for found, expected in (
        (np.zeros(2), np.zeros(3)),
        (1.0, NAN),
        (NAN, 1.0),
        ("a", "b"),
        ((), [None]),
    ):
        assert compare(found, expected).error == INF
    assert compare((3, True, "a"), (3, True, "a")) == equality.Comparison(0.0, 0.0)
    # A tolerance of one's own holds for float32, too, and never for integers.
    assert compare(np.float32(1), np.float32(1), 1e-6).tolerance == 1e-6
    assert difference(100, 101, 0.5) == "100, expected 101"


@pytest.mark.parametrize(
    ("one", "other", "tolerance"),
    [
        (np.float64, np.float64, 1e-9),
        (np.float64, np.complex128, 1e-9),
        (np.longdouble, np.float64, 1e-9),
        (np.float32, np.float64, 1e-4),
        (np.complex64, np.complex128, 1e-4),
        (np.float32, np.int64, 1e-4),
        (np.float16, np.float32, 1e-2),
        (ml_dtypes.bfloat16, np.float64, 1e-2),
        (ml_dtypes.bfloat16, np.complex128, 1e-2),
        (np.int64, np.float64, 1e-9),
        (np.int64, np.bool_, 0.0),
        (np.uint64, np.int64, 0.0),
        (ml_dtypes.int4, np.int64, 0.0),
    ],
)
def test_the_less_precise_type_sets_the_tolerance(one, other, tolerance):
    a, b = np.ones(2, one), np.ones(2, other)
    assert compare(a, b).tolerance == compare(b, a).tolerance == tolerance
    assert compare(a, b).difference is None


def test_another_type_is_a_remark():
    assert compare(np.float32([1, 2]), np.array([1.0, 2.0])).remarks == (
        "float32, the reference is float64",
    )
    assert compare((1.0, [1, 2]), (1.0, [1.0, 2.0])).remarks == (
        "at [1]: int64, the reference is float64",
    )
    assert compare(True, 1).remarks == ("bool, the reference is int64",)
    for one, other in (([], np.zeros(0, int)), (np.array(["a"]), np.array(["abc"]))):
        assert compare(one, other).remarks == ()


def test_no_number_is_too_large_for_its_modulus():
    large = complex(1.5e308, 1.5e308)  # its modulus is infinite, its parts are not
    assert difference(large, large) is None
    assert difference(-large, large) is not None
    # 1e300 is 6e-9 of the largest float.
    assert difference([large, 1e300], [large, 0j]) is not None
    assert difference(-1e308, 1e308) is not None
    tiny = 5e-324  # the tolerance times it is zero
    assert difference([tiny, tiny], [tiny, tiny]) is None
    assert difference([0.0], [tiny]) is not None
    if np.finfo(np.longdouble).max > np.finfo(np.float64).max:
        beyond = np.longdouble("1e4000")
        assert difference(beyond, beyond) is None
        assert difference(beyond, beyond / 2) is not None


SAME = [
    (NAN, -NAN),
    ([1.0, NAN], np.array([1.0, NAN])),
    (complex(1, NAN), complex(1, NAN)),
    ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
    ((np.ones(2), [None, "a"]), (np.ones(2), [None, "a"])),
    (np.array(["NaT"], "M8[s]"), np.array(["NaT"], "M8[s]")),
    (np.arange(6).reshape(2, 3), np.asfortranarray(np.arange(6).reshape(2, 3))),
    (np.ones(2, ml_dtypes.bfloat16), np.ones(2, ml_dtypes.bfloat16)),
    (np.longdouble("0.1"), np.longdouble("0.1")),
    (np.array([2**70, None], object), np.array([2**70, None], object)),
    (State(np.ones(2), NAN), State(np.ones(2), NAN)),
]
OTHER = [
    (0.0, -0.0),
    (0j, complex(0, -0.0)),
    (1, 1.0),
    (1, True),
    (1.0, np.float32(1.0)),
    (1.0, np.nextafter(1.0, 2.0)),
    (NAN, 1.0),
    (complex(1, NAN), complex(NAN, 1)),
    (np.zeros((2, 3)), np.zeros((3, 2))),
    (np.zeros(0), np.zeros((0, 1))),
    ((1, 2), [1, 2]),
    ((1, 2), (1, 2, 3)),
    (([1], [2]), ([1, 2], [])),
    ({"a": 1}, {"b": 1}),
    ({"a": 1}, (1,)),
    ("1", 1),
    ("a", b"a"),
    (None, "None"),
    ([1.0, None], [1.0, 2.0]),
    (np.array([1.0, 2.0]), np.array([1.0, 2.0], object)),
    (np.longdouble(1), np.longdouble(1) + np.finfo(np.longdouble).eps),
    (np.array(["a", "b"]), np.array(["b", "a"])),
    (2**70, 2**70 + 1),
    (("a", "b"), ("a', 'b",)),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_what_is_the_same_has_the_same_fingerprint(one, other):
    assert same(one, other)
    assert same(other, one)
    assert digest(one) == digest(other)


@pytest.mark.parametrize(("one", "other"), OTHER)
def test_what_is_not_the_same_has_another_fingerprint(one, other):
    assert not same(one, other)
    assert not same(other, one)
    assert digest(one) != digest(other)


@pytest.mark.skipif(np.finfo(np.longdouble).nmant != 63, reason="no extended precision here")
def test_what_is_left_to_chance_is_in_no_fingerprint():
    x = np.array([0.1, NAN], np.longdouble)
    y = x.copy()
    y.view(np.uint8).reshape(2, -1)[:, 10:] ^= 255
    assert x.tobytes() != y.tobytes()
    assert same(x, y)
    assert digest(x) == digest(y)


def test_an_input_that_changed_is_seen():
    x = np.linspace(0, 1, 1000)
    before = x.copy()
    assert same((x, 1.5), (before, 1.5))
    x[500] = np.nextafter(x[500], 2)
    assert not same((x, 1.5), (before, 1.5))


def test_a_fingerprint_is_the_same_in_another_process():
    made = (
        "{'b': np.random.default_rng(1).normal(size=(3, 2)), 'a': (1.5, [1, 2], 'text', None, {3}), "
        "'c': object(), 'd': np.longdouble('0.1')}"
    )
    code = f"import numpy as np; from jitcost.own.equality import digest; print(digest({made}))"
    said = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        for seed in ("1", "2")
    }
    assert said == {digest(eval(made))}


def test_a_backends_result_becomes_numpys():
    calls = []

    def to_numpy(array):
        calls.append(type(array))
        return np.asarray(array)

    x = jnp.arange(3.0)
    key = jax.random.key(0)
    assert to_host([key], np.asarray)[0] is key  # NumPy has no type for it
    value = (
        Pair(x, 2.0),
        [x, "a"],
        {"k": [jnp.ones(()), jnp.zeros(())]},
        [1, 2],
        None,
        [[1], [2, 3]],
    )
    found = to_host(value, to_numpy)
    assert type(found) is tuple
    assert type(found[0]) is Pair
    assert type(found[0].mean) is np.ndarray
    assert found[0].variance == 2.0
    assert type(found[1]) is list
    assert type(found[1][0]) is np.ndarray
    assert found[1][1] == "a"
    np.testing.assert_array_equal(found[2]["k"], np.array([1.0, 0.0]))
    assert found[2]["k"].dtype == x.dtype
    np.testing.assert_array_equal(found[3], np.array([1, 2]))
    assert found[3].dtype == np.int64
    assert found[4] is None
    assert [one.tolist() for one in found[5]] == [[1], [2, 3]]
    assert len(calls) == 4
    assert set(calls) == {type(x)}


def test_what_is_numpys_already_is_not_copied():
    x = np.ones(3)
    assert to_host((x,), np.array)[0] is x
    for value in (1.5, True, "a", np.float64(1), object, State(1, 2)):
        assert to_host(value, np.array) is value


def test_what_the_backend_raises_comes_through():
    x = jnp.arange(3.0)
    x.delete()
    with pytest.raises(RuntimeError, match="deleted"):
        to_host((x,), np.asarray)


class Strange:
    def __init__(self, fails):
        self.fails = fails

    def __eq__(self, other):
        raise self.fails

    __hash__ = None

    def __repr__(self):
        raise self.fails

    def __array__(self, *args, **kwargs):
        raise self.fails


class StrangeMapping(collections.abc.Mapping):
    def __len__(self):
        return 1

    def __iter__(self):
        raise KeyError("no key")

    def __getitem__(self, key):
        raise KeyError(key)


def odd_values():
    endless: list = []
    endless.append(endless)
    around: dict = {}
    around["self"] = (around,)
    holding = np.empty(1, object)
    holding[0] = holding
    deep: list = []
    for _ in range(2000):
        deep = [deep, "a"]
    half = State(1, 2)
    del half.steps
    deleted = jnp.ones(2)
    deleted.delete()
    return [
        *(one for pair in (*EQUAL, *OTHER) for one in pair),
        *(endless, around, holding, deep, half, deleted, StrangeMapping()),
        *(Strange(ValueError("no")), Strange(RuntimeError("no"))),
        *(
            decimal.Decimal("sNaN"),
            fractions.Fraction(1, 3),
            float,
            len,
            iter([]),
            {1, 2},
            range(3),
        ),
        *(np.ma.masked_array([1.0, 2.0], [True, False]), np.matrix([[1.0]]), np.void(b"ab")),
        *(np.zeros(2, "V3"), np.zeros((), "i4,f4")[()], np.zeros(2, ml_dtypes.float8_e4m3fn)),
        *(
            np.timedelta64(1),
            [np.timedelta64(1)],
            [np.datetime64("NaT")],
            np.array(None),
            [[1, [2]]],
        ),
        *(memoryview(b"ab"), b"\xff", "\ud800", jnp.ones(2), jax.random.key(0), np.array(1e400)),
    ]


@pytest.mark.filterwarnings("ignore:.*matrix:PendingDeprecationWarning")
def test_no_value_is_too_odd():
    odd = odd_values()
    for number, one in enumerate(odd):
        assert len(digest(one)) == 64
        with contextlib.suppress(ValueError, RuntimeError, KeyError):  # the value's own conversion
            to_host(one, np.asarray)
        for other in odd[number:]:
            told = compare(one, other)
            assert isinstance(told, equality.Comparison)
            assert told.difference is None or "\n" not in told.difference
            assert same(one, other) in (True, False)


def test_the_tolerance_is_told_by_one_name():
    assert equality.TOLERANCE is entries.TOLERANCE
    assert compare(1.0, 1.0).tolerance == equality.TOLERANCE
