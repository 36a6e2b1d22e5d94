"""The variants: right results, and settings whose effect is seen, and missed where there is none.

Each in a process of its own: most settings are read once.
"""

import importlib.util
import re
import sys

import numpy as np
import pytest

from benchmarks import _variants, elementwise, metropolis_chains, recursion
from jitcost import backends
from jitcost.backends import variants, workloads

MEASURED = {
    module.Variants.workload: dict(
        zip(module.Variants.param_names, module.Variants.params, strict=True)
    )
    for module in (elementwise, recursion, metropolis_chains)
}

CELLS = [
    (workload, name)
    for workload, parameters in MEASURED.items()
    for name in parameters["variant"]
    if name in variants.VARIANTS
]

# What undoes a setting after the variant is loaded and before the first computation.
NO_EFFECT = [
    (
        "numpy_out",
        "make = module.make_call; module.make_call = lambda *both: lambda: make(*both)()",
    ),
    ("numpy_blocked", "module.fresh_kernel = backends.load('numpy_out').fresh_kernel"),
    ("numpy_sorted", "workloads.STAND_INS['elementwise_sorted'] = workloads.get('elementwise')"),
    (
        "numpy_heap",
        "module.LARGEST = 2**17; module.keep_freed_memory()",
    ),
    ("jax_jit_sync", "import jax; jax.config.update('jax_cpu_enable_async_dispatch', True)"),
    ("jax_jit_1thread", "import os; os.environ['NPROC'] = '2'"),
    ("jax_jit_fused", "module.DISABLED = ()"),
    ("jax_jit_fused", "module.LIBRARY = True"),
    ("jax_jit_unfused", "module.DISABLED = ()"),
    ("jax_jit_one_loop", "module.DISABLED = ()"),
    ("jax_jit_one_loop", "module.LIBRARY = True"),
    ("jax_jit_no_library", "module.LIBRARY = True"),
    ("jax_scan_unroll4", "module.fresh_kernel = backends.load('jax_jit').fresh_kernel"),
    ("jax_scan_unroll8", "module.fresh_kernel = backends.load('jax_scan_unroll4').fresh_kernel"),
    ("jax_scan_hoisted", "import os; os.environ['XLA_FLAGS'] = ''"),
    ("jax_scan_by_operation", "import os; os.environ['XLA_FLAGS'] = ''"),
    ("jax_fori_loop", "module.fresh_kernel = backends.load('jax_jit').fresh_kernel"),
    ("numba_fastmath", "module.fresh_kernel = backends.load('numba').fresh_kernel"),
    ("numba_parallel", "module.fresh_kernel = backends.load('numba').fresh_kernel"),
    (
        "julia_numpy",
        "one = module.julia; module.make_call = lambda kernel, arrays: "
        "one.make_call(kernel, tuple(map(one.to_native, arrays)))",
    ),
]

LOADED = """
from jitcost import backends
from jitcost.backends import check, variants, workloads
try:
    module = backends.load({name!r})
except backends.BackendUnavailable as error:
    print("unavailable:", error)
    raise SystemExit
"""

AGREES = """
variants.verify_effect(module, {name!r}, {workload!r})
spec = workloads.get(variants.VARIANTS[{name!r}].computes or {workload!r})
for n in (1, {middle}, {large}):
    error = check.check_kernel(spec, module, module.fresh_kernel(spec.name), n)
    print(n, error, error / spec.tolerance(n))
"""

REFUSES = """
{undo}
try:
    module.verify_effect({workload!r})
except variants.NoEffectError as error:
    print("refused:", error)
"""


def said(run_python, code):
    answer = run_python(code)
    if unavailable := re.search("^unavailable:.*", answer, re.MULTILINE):
        pytest.skip(unavailable[0])
    return answer


def test_each_variant_changes_something_that_exists_and_is_measured_beside_its_backend():
    assert {name for name, _ in NO_EFFECT} == {
        name for name in variants.VARIANTS if not variants.is_floor(name)
    }
    for name, variant in variants.VARIANTS.items():
        assert importlib.util.find_spec(f"jitcost.backends.variants.{name}")
        assert variant.base in {*backends.names(), *variants.VARIANTS}
        assert variants.base_of(name) in backends.names()
        beside = [parameters["variant"] for parameters in MEASURED.values()]
        assert any({name, variants.base_of(name)} <= set(measured) for measured in beside)


@pytest.mark.parametrize(("workload", "name"), CELLS)
def test_agreement_under_a_setting_that_took_effect(run_python, workload, name, record_property):
    middle, large = (10, 100) if workload == "metropolis_chains" else (1_000, 100_000)
    code = LOADED + AGREES
    answer = said(run_python, code.format(name=name, workload=workload, middle=middle, large=large))
    results = [tuple(map(float, line.split())) for line in answer.splitlines()]
    assert [n for n, _, _ in results] == [1, middle, large]
    _, error, share = max(results, key=lambda result: result[2])
    record_property("workload", workload)
    record_property("error", error)
    record_property("of the tolerance", share)
    assert share <= 1


@pytest.mark.parametrize(("name", "undo"), NO_EFFECT)
def test_a_setting_without_effect_is_refused(run_python, name, undo):
    workload = next(workload for workload, variant in CELLS if variant == name)
    code = LOADED + REFUSES
    answer = said(run_python, code.format(name=name, workload=workload, undo=undo))
    assert answer.startswith(f"refused: {name}")


def test_the_limits_of_a_backend_are_those_of_its_variants():
    metropolis = workloads.get("metropolis")
    assert metropolis.why_not("julia_numpy", 10**6) == metropolis.why_not("julia", 10**6)
    assert "no kernel" in workloads.get("dispatch").why_not("numba_parallel", 10)


MIXED = """
from jitcost import backends
for name in {names}:
    try:
        backends.load(name)
    except backends.BackendUnavailable as error:
        print(error)
    else:
        print("loaded")
"""


@pytest.mark.parametrize(
    ("first", "second", "setting"),
    [
        ("jax_jit_sync", "jax_jit", "jax_jit_sync (jax_cpu_enable_async_dispatch = False)"),
        ("jax_jit", "jax_jit_sync", "jax_jit_sync (jax_cpu_enable_async_dispatch = False)"),
        ("jax_jit_sync", "jax_jit_1thread", "jax_jit_1thread (NPROC = 1: XLA has one thread)"),
        ("jax_jit_fused", "jax_jit_sync", "jax_jit_1thread (NPROC = 1: XLA has one thread)"),
        (
            "numpy_heap",
            "numpy",
            "numpy_heap (malloc keeps freed memory (glibc's mmap and trim thresholds raised))",
        ),
    ],
)
def test_a_setting_of_the_whole_process_is_mixed_with_no_other(run_python, first, second, setting):
    lines = run_python(MIXED.format(names=[first, second, first])).splitlines()
    if lines[0] != "loaded":
        pytest.skip(lines[0])
    assert lines[1:] == [
        f"{second}: this process has loaded {first}, and {setting} changes the whole process; "
        "use a new one",
        "loaded",
    ]


def test_what_shares_its_settings_and_what_has_none_mix_freely(run_python):
    for names in (
        ["numpy", "numpy_out", "numba", "numba_fastmath", "jax_jit", "jax_scan_unroll4"],
        ["jax_jit_sync", "floor_math_xla"],
        ["jax_jit_1thread", "jax_jit_fused", "jax_jit_unfused"],
    ):
        assert run_python(MIXED.format(names=names)).split() == ["loaded"] * len(names)


def test_an_older_commit_calls_the_verifying_otherwise(monkeypatch):
    asked = []
    monkeypatch.delattr(variants, "verify_effect")
    monkeypatch.setattr(variants, "refuse_inert", lambda *a: asked.append(a[1:]), raising=False)
    _variants.verify_effect.__wrapped__("numpy_out", "elementwise")
    assert asked == [("numpy_out", "elementwise")]


def test_a_floor_is_no_workload():
    assert "floor_math" not in workloads.WORKLOADS
    # exp, cos and tanh of 0 are 1, 1 and 0; of 1: e, cos 1 and tanh 1.
    floor = workloads.get("floor_math").reference(np.array([0.0, 1.0]))
    assert float(floor) == pytest.approx(2 + 2.7182818284590 + 0.5403023058681 + 0.7615941559558)


def test_an_older_commit_has_the_backends_alone(monkeypatch):
    monkeypatch.setitem(sys.modules, "jitcost.backends.variants", None)  # importing it fails
    monkeypatch.delattr(backends, "variants")
    assert _variants.verify_effect.__wrapped__("numpy", "elementwise") is None
    assert _variants.computes("numpy") == ""
