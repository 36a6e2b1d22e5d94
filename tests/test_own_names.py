"""What a file's names say of it: kernels, near misses and what is none, without importing the file."""

import doctest

import pytest

from jitcost.own import definitions, errors, julia_names, names, naming, near_misses

BACKENDS = ("python", "numpy", "jax_eager", "jax_jit", "numba", "julia")
INPUTS = "def inputs(n, rng): ...\n"

RBF = """
import numpy as np

def inputs(n, rng):
    return rng.normal(size=(n, 3)), 1.5

def kernel(x, ell, xp=np):
    d = ((x[:, None] - x[None]) ** 2).sum(-1)
    return xp.exp(-d / (2 * ell**2))

def kernel_numba(x, ell): ...
def kernel_numba__parallel(x, ell): ...
"""


def read(text, stem="rbf", backends=BACKENDS):
    return names.read(text, stem, backends)


def kernels(text, stem="rbf"):
    """Return the kernels of a file that has inputs: function, problem and what results store."""
    return [(k.function, k.problem, k.name) for k in read(INPUTS + text, stem).kernels]


def lines(text):
    """Return the near misses of a file that has inputs and a kernel of problem `fit`."""
    return list(read(INPUTS + "def fit_numba(x): ...\n" + text).near_misses)


def refusal(text, stem="rbf", backends=BACKENDS):
    with pytest.raises(errors.OwnFileError) as caught:
        read(text, stem, backends)
    said = str(caught.value)
    assert "\n" not in said
    return said


def test_the_examples():
    for module, count in ((definitions, 2), (naming, 5), (julia_names, 2)):
        failed, attempted = doctest.testmod(module)
        assert (failed, attempted) == (0, count), module


def test_a_file_as_people_write_it():
    found = read(RBF)
    assert found.kernels == (
        names.Kernel("kernel", "rbf", "numpy", "", xp=True),
        names.Kernel("kernel", "rbf", "jax_eager", "", xp=True),
        names.Kernel("kernel", "rbf", "jax_jit", "", xp=True),
        names.Kernel("kernel_numba", "rbf", "numba", "", xp=False),
        names.Kernel("kernel_numba__parallel", "rbf", "numba", "parallel", xp=False),
    )
    assert found.kernels[-1].name == "numba__parallel"
    assert found.problems == ("rbf",)
    assert found.inputs == {"rbf": "inputs"}
    assert found.references == {}
    assert found.near_misses == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # The longest end wins, and "jax" is both of JAX's.
        ("def fit_jax_jit(x): ...", [("fit_jax_jit", "fit", "jax_jit")]),
        (
            "def fit_jax(x): ...",
            [("fit_jax", "fit", "jax_eager"), ("fit_jax", "fit", "jax_jit")],
        ),
        ("def to_the_end_python(x): ...", [("to_the_end_python", "to_the_end", "python")]),
        # A bare kernel: with xp as a keyword or not, without, and not where no keyword can bind it.
        ("def kernel(x): ...", [("kernel", "rbf", "numpy")]),
        ("def kernel(x, xp, /): ...", [("kernel", "rbf", "numpy")]),
        (
            "def kernel__fast(x, *, xp): ...",
            [
                ("kernel__fast", "rbf", "numpy__fast"),
                ("kernel__fast", "rbf", "jax_eager__fast"),
                ("kernel__fast", "rbf", "jax_jit__fast"),
            ],
        ),
        # A version may have marks of its own, but not be empty.
        ("def kernel_numba__a__b(x): ...", [("kernel_numba__a__b", "rbf", "numba__a__b")]),
        (
            "def kernel_numba(x): ...\ndef kernel_numba__(x): ...",
            [("kernel_numba", "rbf", "numba")],
        ),
        # A bare name is a kernel with xp, and beside another kernel of that name.
        (
            "def garch_numba(x): ...\ndef garch(x, xp=np): ...",
            [
                ("garch_numba", "garch", "numba"),
                ("garch", "garch", "numpy"),
                ("garch", "garch", "jax_eager"),
                ("garch", "garch", "jax_jit"),
            ],
        ),
        (
            "def garch(x): ...\ngarch_numba = numba.njit(garch)",
            [("garch_numba", "garch", "numba")],
        ),
        (
            "def kernel_numba(x): ...\ndef rbf(x, xp=np): ...",
            [("kernel_numba", "rbf", "numba")],
        ),
        # The closer name takes the place, wherever it stands.
        (
            "def kernel(x, xp): ...\ndef kernel_jax(x): ...\ndef kernel_jax_jit(x): ...",
            [
                ("kernel", "rbf", "numpy"),
                ("kernel_jax", "rbf", "jax_eager"),
                ("kernel_jax_jit", "rbf", "jax_jit"),
            ],
        ),
        (
            "def kernel_numpy(x): ...\ndef kernel(x): ...",
            [("kernel_numpy", "rbf", "numpy")],
        ),
        # Problems in order of appearance, each in the file's order.
        (
            "def b_numba(x): ...\ndef a_numpy(x): ...\ndef b_numpy(x): ...",
            [("b_numba", "b", "numba"), ("b_numpy", "b", "numpy"), ("a_numpy", "a", "numpy")],
        ),
    ],
)
def test_what_a_name_stands_for(text, expected):
    assert kernels(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "kernel_numba = numba.njit(f)",
        "kernel_numba: Callable = numba.njit(f)",
        "kernel_numba = module.function",
        "kernel_numba = lambda x: x",
        "kernel_numba = other = f",
        "other, kernel_numba = g(), njit(f)",
        "other, kernel_numba = make()",
        "kernel_numba = njit(f) if numba else None",
        "if numba:\n    def kernel_numba(x): ...",
        "if numba:\n    pass\nelse:\n    kernel_numba = f",
        "try:\n    kernel_numba = njit(f)\nexcept ImportError:\n    kernel_numba = None",
        "try:\n    pass\nexcept* E:\n    pass\nelse:\n    kernel_numba = f",
        "try:\n    pass\nfinally:\n    kernel_numba = f",
        "with warnings.catch_warnings():\n    kernel_numba = njit(f)",
        "if __name__ == '__main__':\n    pass\nelse:\n    kernel_numba = f",
    ],
)
def test_what_the_file_binds_is_found(text):
    assert kernels(text) == [("kernel_numba", "rbf", "numba")]


@pytest.mark.parametrize(
    "text",
    [
        "from other import kernel_numba",
        "import other as kernel_numba",
        "class kernel_numba: ...",
        "async def kernel_numba(x): ...",
        "kernel_numba = 3",
        "kernel_numba = [f]",
        "kernel_numba = {'f': f}",
        "kernel_numba = f + g",
        "kernel_numba: Callable",
        "_kernel_numba = f",
        "def _fit_numba(x): ...",
        "def outer():\n    def kernel_numba(x): ...",
        "for f in g:\n    kernel_numba = f",
        "if __name__ == '__main__':\n    kernel_numba = f",
        "if TYPE_CHECKING:\n    kernel_numba = f",
        "def inputs_numba(n, rng): ...",
        "def reference_numba(x): ...",
        "def tolerance_numba(n): ...",
        "def numba(x): ...",
        "def to_numpy(x): ...",
    ],
)
def test_what_is_no_kernel(text):
    assert kernels(f"{text}\ndef kernel_numpy(x): ...") == [("kernel_numpy", "rbf", "numpy")]
    assert refusal(INPUTS + text).startswith("no kernel: ")


def test_xp_is_of_the_function_that_takes_it():
    text = INPUTS + "def kernel_jax(x, xp=np): ...\ndef kernel_numba(x): ...\n"
    found = {k.name: k.xp for k in read(text).kernels}
    assert found == {"jax_eager": True, "jax_jit": True, "numba": False}
    # A lambda, and another name of a function, show it as a def does; a call does not.
    text = "def f(x, xp): ...\na_numpy = f\nb_numpy = lambda x, xp: x\nc_numpy = partial(f, 1)\n"
    found = {k.problem: k.xp for k in read(INPUTS + text).kernels}
    assert found == {"a": True, "b": True, "c": False}


def test_another_backend_is_found_by_its_name():
    found = read(INPUTS + "def kernel_numexpr(x): ...", backends=[*BACKENDS, "numexpr"])
    assert [k.name for k in found.kernels] == ["numexpr"]
    # One that is called "jax" is not both of JAX's.
    found = read(INPUTS + "def kernel_jax(x): ...", backends=[*BACKENDS, "jax"])
    assert [k.name for k in found.kernels] == ["jax"]
    found = read(INPUTS + "def kernel(x, xp): ...", backends=["python", "numpy"])
    assert [k.name for k in found.kernels] == ["numpy"]


def test_inputs_and_references_are_each_problems_own_or_shared():
    text = """
def inputs(n, rng): ...
def inputs_fit(n, rng): ...
def reference_path(x): ...
def reference_kernel(x): ...
def fit_numpy(x): ...
def path_numpy(x): ...
def kernel_numpy(x): ...
inputs_other = inputs(3, 4)
"""
    found = read(text, "my-file")
    assert found.problems == ("fit", "path", "my-file")
    assert found.inputs == {"fit": "inputs_fit", "path": "inputs", "my-file": "inputs"}
    assert found.references == {"path": "reference_path", "my-file": "reference_kernel"}
    assert found.near_misses == ()


def test_a_syntax_error_is_told_with_its_line():
    assert refusal("x = 1\ndef kernel(x:\n") == "line 2 is no Python: '(' was never closed"
    assert refusal("a = '\0'").startswith("the file is no Python: source code string cannot")
    assert "is no Python" in refusal("-" * 100_000 + "1")


def test_a_warning_of_the_parser_is_none_of_ours():
    assert kernels("def kernel_numba(x): '\\d'") == [("kernel_numba", "rbf", "numba")]
    assert read("\ufeff" + RBF).problems == ("rbf",)


def test_a_problem_without_inputs_is_refused():
    said = refusal("def make_inputs(n, rng): ...\ndef kernel(x): ...")
    assert said == (
        "no inputs for rbf: def inputs(n, rng) has to return what its kernels are given; "
        "make_inputs: not looked for; inputs?"
    )
    said = refusal("def inputs_a(n, rng): ...\ndef a_numpy(x): ...\ndef b_numpy(x): ...")
    assert said.startswith("no inputs for b: ")
    assert refusal("kernel_numba = njit(f)").startswith("no inputs for rbf: ")


def test_a_file_without_kernels_is_refused_with_what_nearly_was_one():
    said = refusal(INPUTS + "def fit_jit(x): ...", backends=("numpy", "jax_eager", "jax_jit"))
    assert said == (
        "no kernel: def kernel(…, xp), kernel_<backend>(…) or <problem>_<backend>(…) is looked for, "
        "on numpy, jax_eager, jax_jit; fit_jit: no backend jit; jax_jit?"
    )
    assert refusal("").startswith("no kernel: ")


def test_two_kernels_for_one_place_are_refused():
    said = refusal(INPUTS + "def kernel_numba(x): ...\ndef rbf_numba(x): ...")
    assert said == (
        "kernel_numba and rbf_numba are both rbf on numba: rename one, or give it a version "
        "(…__version)"
    )


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("def path_jit(x): ...", "path_jit: no backend jit; jax_jit?"),
        ("def path_njit__fast(x): ...", "path_njit__fast: no backend njit; numba?"),
        ("def path_np(x): ...", "path_np: no backend np; numpy?"),
        ("def path_py(x): ...", "path_py: no backend py; python?"),
        ("def path_jl(x): ...", "path_jl: no backend jl; julia?"),
        ("def path_eager(x): ...", "path_eager: no backend eager; jax_eager?"),
        ("def path_nubma(x): ...", "path_nubma: no backend nubma; numba?"),
        ("def path_Numba(x): ...", "path_Numba: no backend Numba; numba?"),
        ("def path_jax_jti(x): ...", "path_jax_jti: no backend jax_jti; jax_jit?"),
        ("def path_jaxjit(x): ...", "path_jaxjit: no backend jaxjit; jax_jit?"),
        ("def fit_cython(x): ...", "fit_cython: no backend cython"),
        ("def fit__fast(x): ...", "fit__fast: no backend; fit_numpy__fast?"),
        ("def fit_numpy__(x): ...", "fit_numpy__: no version after __; fit_numpy?"),
        (
            "async def fit_numpy(x): ...",
            "fit_numpy: async, and a call of it computes nothing; def fit_numpy?",
        ),
        ("def path__numba(x): ...", "path__numba: what stands after __ is a version; path_numba?"),
        (
            "def kernel__numba(x): ...",
            "kernel__numba: what stands after __ is a version; kernel_numba?",
        ),
        ("def numba(x): ...", "numba: no problem before the backend; kernel_numba?"),
        ("def input(n, rng): ...", "input: not looked for; inputs?"),
        ("def input_fit(n, rng): ...", "input_fit: not looked for; inputs_fit?"),
        ("def fit_inputs(n, rng): ...", "fit_inputs: not looked for; inputs_fit?"),
        ("def make_inputs(n, rng): ...", "make_inputs: not looked for; inputs?"),
        ("def ref(x): ...", "ref: not looked for; reference?"),
        ("def fit_ref(x): ...", "fit_ref: not looked for; reference_fit?"),
        ("def inputs_fti(n, rng): ...", "inputs_fti: no problem fti; inputs_fit?"),
        ("def reference_numpy(x): ...", "reference_numpy: no problem numpy; reference?"),
    ],
)
def test_a_near_miss_is_told_once(text, line):
    assert lines(text) == [line]


@pytest.mark.parametrize(
    "text",
    [
        "def step(x): ...",
        "def dist(x, xp=np): ...",
        "def to_np(x): ...",
        "def to_julian(date): ...",
        "def fit_(x): ...",
        "def _fit_jit(x): ...",
        "def count_number(x): ...",
        "def output(x): ...",
        "def async_step(x): ...\nasync def fetch(x): ...",
        "path_jit = jax.jit(f)",
        "def sizes_fit(): ...\ndef n_of(size): ...",
        "def other__version(x): ...",
        "def main(): ...\nif __name__ == '__main__':\n    main()",
        # What a kernel, its inputs or its reference call is a helper, whatever its name.
        "def fit_numpy(x): return fit_a(x)\ndef fit_a(x): return b_jit(x)\ndef b_jit(x): ...",
        "def inputs_fit(n, rng): return make_inputs(n)\ndef make_inputs(n): ...",
        "def reference(x): return fit_jit(x)\ndef fit_jit(x): ...",
    ],
)
def test_a_helper_is_no_near_miss(text):
    assert lines(text) == []


def test_what_other_kernels_call_is_a_helper_and_told():
    text = """
def step_numba(x): ...
def step(x, xp): ...
def kernel(x, xp): return step(x, xp)
def kernel_numba(x): return step_numba(x)
"""
    found = read(INPUTS + text)
    assert found.problems == ("rbf",)
    assert found.near_misses == (
        "step_numba: taken for a helper of kernel_numba; inputs_step would make it a kernel",
        "step: taken for a helper of kernel; inputs_step would make it a kernel",
    )
    # A reference or inputs of its own, or a function that no other problem reads, make it a problem.
    for more in (
        "def reference_step(x): ...",
        "def inputs_step(n, rng): ...",
        "def step_python(x): ...",
    ):
        assert read(INPUTS + text + more).problems == ("step", "rbf")
    # Nor is the file's own problem one, and of two that call each other one stays.
    text = "def kernel_numba(x): ...\ndef fast_numba(x): return kernel_numba(x)"
    assert read(INPUTS + text).problems == ("rbf", "fast")
    text = "def a_numba(x): return b_numba(x)\ndef b_numba(x): return a_numba(x)"
    assert read(INPUTS + text).problems == ("b",)
    # What main or the reference calls is no helper for that.
    text = (
        "def fit_numpy(x): ...\ndef main(): fit_numpy(1)\ndef reference(x): return fit_numpy(x)\n"
    )
    assert read(INPUTS + text).problems == ("fit",)


def test_an_array_among_problems_that_have_inputs_is_none():
    text = "def inputs_fit(n, rng): ...\ndef fit_numpy(x): ...\n"
    found = read(text + "weights_numpy = np.ones(3)\n")
    assert found.problems == ("fit",)
    assert found.near_misses == (
        "weights_numpy: taken for an array; inputs_weights would make it a kernel",
    )


JULIA = '''
"""
    kernel(x, ell)

kernel(x) = the doc string's
"""
function kernel(x::Matrix{Float64}, ell)
    inner(y) = y
function_like = 1
    return x
end

kernel(x::Vector{Float64}) = kernel(reshape(x, :, 1), 1.5)
@inline function kernel__simd(x, ell; n = length(x))
end
kernel__short(x::Vector{T}, p = (1, (2, 3)))::T where {T<:Real} =
    x
# function kernel__comment(x) end
#=
function kernel__block(x)
end
=#
fit_julia(x) = '"' == x ? "#" : 2
fit__other(x) = 3
square(x) = x^2
kernel__same(x) == 3
kernel__called(1.5)
function kernel!(x) end
    function kernel__indented(x) end
rbf__named(x) = x  # ") = "
'''


def test_the_kernels_of_a_julia_file():
    found = names.julia_kernels(JULIA, "rbf", ("rbf", "fit"))
    assert [(k.function, k.problem, k.name) for k in found] == [
        ("kernel", "rbf", "julia"),
        ("kernel__simd", "rbf", "julia__simd"),
        ("kernel__short", "rbf", "julia__short"),
        ("fit_julia", "fit", "julia"),
        ("fit__other", "fit", "julia__other"),
        ("rbf__named", "rbf", "julia__named"),
    ]
    assert not any(k.xp for k in found)
    # What is no problem of the Python file is a helper.
    found = names.julia_kernels(JULIA, "rbf", ("fit",))
    assert [k.function for k in found] == ["fit_julia", "fit__other"]


def test_a_julia_kernel_that_names_its_backend_is_closer():
    found = names.julia_kernels("kernel(x) = 1\nkernel_julia(x) = 2", "rbf", ("rbf",))
    assert [k.function for k in found] == ["kernel_julia"]
    with pytest.raises(errors.OwnFileError, match=r"^kernel and rbf are both rbf on julia: rename"):
        names.julia_kernels("kernel(x) = 1\nrbf(x) = 2", "rbf", ("rbf",))


def test_a_kernel_without_a_place_is_told():
    found = read(INPUTS + "def kernel(x): ...\ndef kernel_numpy(x): ...")
    assert [k.function for k in found.kernels] == ["kernel_numpy"]
    assert found.near_misses == (
        "kernel: each backend that it runs on has a kernel of a closer name",
    )


def test_both_bindings_of_a_name_say_what_it_reads():
    found = definitions.definitions("if a:\n    f = g(h)\nelse:\n    f = k")
    assert found["f"].reads == {"g", "h", "k"}


def test_what_calls_what_is_followed_to_its_end():
    found = definitions.definitions("def a(): b()\ndef b(): c(); d()\ndef c(): a()\ndef e(): a()")
    assert near_misses.reached(["a"], found) == {"a", "b", "c"}
