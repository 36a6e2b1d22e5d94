import os
import re
import subprocess
import sys

import numpy as np
import pytest

from conftest import ROOT, source_path
from jitcost import backends
from jitcost.backends import check, registry, workloads

JULIA_SETTINGS = ("PYTHON_JULIACALL_EXE", "PYTHON_JULIACALL_PROJECT", "PYTHON_JULIAPKG_PROJECT")
IN_PROCESS = [name for name in backends.names() if name != "julia"]

# Every workload under every combination of its options.
SETTINGS = [
    pytest.param(name, options, id="-".join([name, *map(str, options.values())]))
    for name, spec in workloads.WORKLOADS.items()
    for options in spec.settings()
]


@pytest.fixture(params=IN_PROCESS)
def backend(request):
    try:
        return request.param, backends.load(request.param)
    except backends.BackendUnavailable as error:
        pytest.skip(str(error))


@pytest.mark.parametrize(("workload", "options"), SETTINGS)
def test_every_cell_is_implemented_or_excused(backend, workload, options):
    name, module = backend
    if workloads.get(workload).why_not(name, 1) is None:
        assert callable(module.fresh_kernel(workload, **options))


@pytest.mark.parametrize("workload", workloads.WORKLOADS)
def test_every_cell_of_julia_is_implemented_or_excused(workload):
    """In the sources: whether or not there is a Julia that could be asked."""
    if workloads.get(workload).why_not("julia", 1) is None:
        sources = "".join(path.read_text() for path in (ROOT / "julia" / "src").glob("*.jl"))
        defined = rf"^(?:function {workload}\(|{workload}\(|const {workload} = )"
        assert re.search(defined, sources, re.MULTILINE)


def test_a_kernel_that_is_excused_altogether_says_so():
    spec = workloads.Workload(
        **{
            **vars(workloads.get("recursion")),
            "limits": {"numpy": workloads.Limit(0, "cannot be vectorised")},
        }
    )
    assert spec.why_not("numpy", 1) == "numpy has no kernel: cannot be vectorised"
    assert spec.why_not("numba", 10**9) is None


@pytest.mark.parametrize(("workload", "options"), SETTINGS)
@pytest.mark.parametrize("n", [1, 1_000, 100_000])
def test_agreement(backend, workload, options, n, record_property):
    name, module = backend
    spec = workloads.get(workload)
    if (reason := spec.why_not(name, n)) is not None:
        pytest.skip(reason)
    kernel = module.fresh_kernel(workload, **options)
    error = check.check_kernel(spec, module, kernel, n, **options)
    record_property("workload", workload)
    record_property("error", error)
    record_property("of the tolerance", error / spec.tolerance(n))
    assert error <= spec.tolerance(n)


@pytest.mark.parametrize("form", workloads.get("unrolled").options["form"])
@pytest.mark.parametrize("n", [1, 100, 300])
def test_agreement_of_the_unrolled_forms(form, n):
    jax_jit, spec = backends.load("jax_jit"), workloads.get("unrolled")
    check.check_kernel(spec, jax_jit, jax_jit.fresh_kernel("unrolled", form=form), n, form=form)


@pytest.mark.parametrize("workload", workloads.WORKLOADS)
def test_agreement_of_julia(workload):
    """In a process of its own: Julia, Numba's LLVM and XLA in one process do not always get on."""
    if (reason := workloads.get(workload).why_not("julia", 1)) is not None:
        pytest.skip(reason)
    code = f"""
from jitcost import backends
from jitcost.backends import check, workloads
try:
    julia = backends.load("julia")
except backends.BackendUnavailable as error:
    print("SKIP", error)
else:
    spec = workloads.get({workload!r})
    for options in spec.settings():
        kernel = julia.fresh_kernel(spec.name, **options)
        for n in (1, 1_000, 100_000):
            if spec.why_not("julia", n) is None:
                check.check_kernel(spec, julia, kernel, n, **options)
    print("RIGHT")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    last = (done.stdout.strip().splitlines() or [""])[-1]
    if last.startswith("SKIP "):
        pytest.skip(last.removeprefix("SKIP "))
    assert last == "RIGHT", done.stderr


def test_importing_backends_imports_no_library(run_python):
    code = """
import sys
from jitcost import backends
from jitcost.backends import check, host, variants, workloads
print(sorted({"jax", "numba", "juliacall", "importlib.metadata"} & set(sys.modules)))
"""
    assert run_python(code).strip() == "[]"


@pytest.mark.parametrize("name", ["jax_jit", "numba", "julia"])
def test_a_missing_library_is_unavailable_with_a_way_to_get_it(run_python, name):
    library = {"jax_jit": "jax", "numba": "numba", "julia": "juliacall"}[name]
    code = f"""
import sys
from jitcost import backends
sys.modules[{library!r}] = None
try:
    backends.load({name!r})
except backends.BackendUnavailable as error:
    print(error)
"""
    said = run_python(code)
    assert said.startswith(f"{name}: ")
    assert f"python -m pip install {library}" in said


def test_a_broken_library_is_unavailable_with_its_own_words(run_python, tmp_path):
    (tmp_path / "numba.py").write_text("raise RuntimeError('built for\\nanother NumPy')")
    code = f"""
import sys; sys.path.insert(0, {str(tmp_path)!r})
from jitcost import backends
try:
    backends.load("numba")
except backends.BackendUnavailable as error:
    print(error)
"""
    assert run_python(code).strip() == (
        "numba: built for another NumPy; get it by: python -m pip install numba"
    )


def test_julia_is_never_downloaded_and_leaves_nothing_half_made(run_python, tmp_path):
    code = f"""
import sys; sys.prefix = {str(tmp_path)!r}
import os
from jitcost import backends
try:
    backends.load("julia")
except backends.BackendUnavailable as error:
    print(error)
print(os.environ["PYTHON_JULIAPKG_OFFLINE"], os.listdir({str(tmp_path)!r}))
"""
    env = {"PATH": "/nonexistent", "XDG_DATA_HOME": str(tmp_path / "nothing")}
    said = run_python(code, env=env, without=JULIA_SETTINGS)
    assert "julia: no Julia found: could not find Julia" in said
    assert "run `make julia` where there is a network, or set both PYTHON_JULIACALL_EXE and" in said
    assert said.splitlines()[-1] == "yes []"


def test_an_unknown_backend_is_named_with_the_known_ones():
    with pytest.raises(
        backends.UnknownNameError, match=r"no backend 'nunpy'; there are python, num"
    ):
        backends.load("nunpy")


def test_a_call_blocks_and_a_fresh_kernel_is_fresh():
    jax_jit = backends.load("jax_jit")
    first, second = (jax_jit.fresh_kernel("elementwise") for _ in range(2))
    assert first is not second
    call = jax_jit.make_call(first, (jax_jit.to_native(np.ones(1_000_000)),))
    assert jax_jit.is_ready(call())
    assert first._cache_size() == 1
    assert second._cache_size() == 0


def test_inputs_are_float64_and_native_arrays_are_copies_of_them():
    jax_jit = backends.load("jax_jit")
    array = np.ones(1000)
    native = jax_jit.to_native(array)
    array[:] = 2
    assert jax_jit.to_numpy(native).dtype == np.float64
    assert jax_jit.to_numpy(native).sum() == 1000


# The registry


@pytest.fixture
def registered(run_python, tmp_path):
    """Return a function that runs code beside distributions with an entry point each."""

    def run(code, **modules):
        for name, text in modules.items():
            (tmp_path / f"{name}.py").write_text(text)
            info = tmp_path / f"{name}-1.0.dist-info"
            info.mkdir()
            (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
            (info / "entry_points.txt").write_text(f"[jitcost.backends]\n{name} = {name}:BACKEND\n")
        path = os.pathsep.join([str(tmp_path), source_path(ROOT)])
        return run_python(code, env={"PYTHONPATH": path}).strip()

    return run


ADDED = """
from jitcost.backends import Backend
BACKEND = Backend("added", implementation="added_kernels", kernels=("elementwise",), heading="Added",
    compiled=True, how_to_get="python -m pip install added")
"""


def test_the_built_in_backends_come_first_and_then_those_of_entry_points(registered):
    code = """
import sys
from jitcost import backends
print("added" in sys.modules, backends.heading("numba"), "added" in sys.modules)
print(*backends.names())
print(backends.heading("added"), *backends.compiled(), backends.get("added").how_to_get)
print(backends.heading("nothing of this name"), "added_kernels" in sys.modules)
"""
    assert registered(code, added=ADDED).splitlines() == [
        "False numba False",
        "python numpy jax_eager jax_jit numba julia added",
        "Added jax_jit numba julia added python -m pip install added",
        "nothing of this name False",
    ]


def test_a_registered_backend_has_the_kernels_that_it_names_and_no_others(registered):
    code = """
from jitcost import backends
from jitcost.backends import check, workloads
print(workloads.get("elementwise").why_not("added", 10**9))
print(workloads.get("new_shape").why_not("added", 10**9))
print(workloads.get("recursion").why_not("added", 1))
module = backends.load("added")
kernel = module.fresh_kernel("elementwise")
print(check.check_kernel(workloads.get("elementwise"), module, kernel, 9) < 1)
"""
    kernels = """
from jitcost.backends.host import is_ready, make_call, to_native, to_numpy
from jitcost.backends.numpy import elementwise

def fresh_kernel(workload, **options):
    return globals()[workload]

def details():
    return {}
"""
    assert registered(code, added=ADDED, added_kernels=kernels.replace("BACKEND", "")).splitlines()[
        -4:
    ] == [
        "None",
        "None",
        "added has no kernel: it brings those of elementwise alone",
        "True",
    ]


def test_a_broken_entry_point_costs_itself_and_one_line(registered):
    code = """
import contextlib, sys
from jitcost import backends
with contextlib.redirect_stderr(sys.stdout):
    print(*backends.names()[6:])
    print(*backends.names()[6:])
"""
    broken = "raise RuntimeError('built for\\nanother Python')"
    said = registered(code, added=ADDED, broken=broken, other="BACKEND = 3").splitlines()
    assert said == [
        "jitcost.backends:1: RuntimeWarning: backend broken of broken is left out: "
        "built for another Python",
        "jitcost.backends:1: RuntimeWarning: backend other of other is left out: "
        "other:BACKEND is no jitcost.backends.registry.Backend",
        "added",
        "added",
    ]


def test_what_is_missing_of_a_registered_backend_is_said(registered):
    code = """
from jitcost import backends
try:
    backends.load("added")
except backends.BackendUnavailable as error:
    print(error)
backends.register(backends.Backend("half", implementation=lambda: object(), kernels=()))
try:
    backends.load("half")
except backends.BackendUnavailable as error:
    print(error)
"""
    assert registered(code, added=ADDED).splitlines() == [
        "added: No module named 'added_kernels'; get it by: python -m pip install added",
        "half: its implementation lacks fresh_kernel, to_native, to_numpy, make_call, is_ready, details",
    ]


@pytest.mark.parametrize(
    ("name", "base", "version", "heading", "compiled"),
    [
        ("numba", "numba", "", "numba", True),
        ("numba__parallel", "numba", "parallel", "numba parallel", True),
        ("jax_jit__two_loops", "jax_jit", "two_loops", "jax_jit two_loops", True),
        ("numba__a__b", "numba", "a__b", "numba a__b", True),
        ("numpy__blocked", "numpy", "blocked", "numpy blocked", False),
        # nothing that is registered stands before the underscores, or nothing at all behind them
        ("rust__fast", "rust__fast", "", "rust__fast", False),
        ("numba_parallel", "numba_parallel", "", "numba_parallel", False),
        ("numba__", "numba__", "", "numba__", False),
        ("__parallel", "__parallel", "", "__parallel", False),
    ],
)
def test_a_version_is_its_backend_in_another_version(name, base, version, heading, compiled):
    assert backends.split_version(name) == (base, version)
    assert backends.heading(name) == heading
    assert backends.is_compiled(name) is compiled


def test_a_name_is_one_backends_only(monkeypatch):
    known = dict(registry._backends)
    monkeypatch.setattr(registry, "_backends", known)
    one = backends.Backend("one", implementation="one", kernels=None)
    backends.register(one)
    backends.register(backends.Backend("one", implementation="one", kernels=None))
    assert backends.names()[-1] == "one"
    with pytest.raises(backends.RegistrationError, match="there is another backend 'one'; name it"):
        backends.register(backends.Backend("one", implementation="two", kernels=None))
    with pytest.raises(backends.RegistrationError, match="'numpy_out' is a variant"):
        backends.register(backends.Backend("numpy_out", implementation="two", kernels=None))
    with pytest.raises(backends.RegistrationError, match="is an identifier, and 'a b' is none"):
        backends.Backend("a b", implementation="two", kernels=None)
    with pytest.raises(backends.RegistrationError, match="__ begins the name of a version"):
        backends.Backend("a__b", implementation="two", kernels=None)
    assert backends.get("one") is one
    assert backends.load("numpy") is backends.load("numpy")
