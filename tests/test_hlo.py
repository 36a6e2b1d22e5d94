"""What is read from compiled programs: texts counted by hand, and facts known of real ones."""

import dataclasses
import json
from collections import Counter

import jax
import jax.numpy as jnp
import pytest

from benchmarks import unrolled
from jitcost import backends, cli
from jitcost.backends import hlo, workloads
from jitcost.measuring import compiling
from jitcost.show.program import render

# As JAX 0.4.38 writes it: operands with their shapes, and single operations by themselves.
WITH_SHAPES = """
HloModule jit_f, is_scheduled=true, entry_computation_layout={(f64[8]{0})->f64[]}

%region_0.16 (Arg_0.17: f64[], Arg_1.18: f64[]) -> f64[] {
  %Arg_0.17 = f64[] parameter(0), metadata={op_name="jit(f)/jit(main)/reduce_sum"}
  %Arg_1.18 = f64[] parameter(1)
  ROOT %add.19 = f64[] add(f64[] %Arg_0.17, f64[] %Arg_1.18)
}

%fused_computation (param_0.1: f64[8]) -> f64[8] {
  %param_0.1 = f64[8]{0} parameter(0)
  %exponential.0 = f64[8]{0} exponential(f64[8]{0} %param_0.1), metadata={op_name="calls=%nothing"}
  ROOT %add.0 = f64[8]{0} add(f64[8]{0} %exponential.0, f64[8]{0} %param_0.1)
}

ENTRY %main.21 (Arg_0.1: f64[8]) -> f64[] {
  %Arg_0.1 = f64[8]{0} parameter(0), metadata={op_name="x"}
  %add_fusion = f64[8]{0} fusion(f64[8]{0} %Arg_0.1), kind=kLoop, calls=%fused_computation
  %constant.6 = f64[] constant(0)
  %reduce-window = f64[2]{0} reduce-window(f64[8]{0} %add_fusion, f64[] %constant.6), window={size=4 stride=4}, to_apply=%region_0.16
  ROOT %reduce.20 = f64[] reduce(f64[2]{0} %reduce-window, f64[] %constant.6), dimensions={0}, to_apply=%region_0.16
}
"""  # noqa: E501

# As JAX 0.10 and 0.12 write it: names alone, a fusion around each single operation, a loop in a call
# that is marked small, a branch in the loop, two results.
WITHOUT_SHAPES = """
HloModule jit_g, is_scheduled=true

FileNames
1 "/somewhere/f(x) {.py"

StackFrames
1 {file_location_id=1 parent_frame_id=1}

%wrapped_tanh_computation (param_0.8: f64[]) -> f64[] {
  %param_0.8 = f64[] parameter(0)
  ROOT %tanh.0 = f64[] tanh(%param_0.8)
}

%fused_computation.1 (param_0: f64[], param_1: f64[8], param_2: s64[]) -> f64[] {
  %param_0 = f64[] parameter(0)
  %param_1 = f64[8]{0} parameter(1)
  %param_2 = s64[] parameter(2)
  %dynamic_slice.2 = f64[1]{0} dynamic-slice(%param_1, %param_2), dynamic_slice_sizes={1}
  %bitcast.3 = f64[] bitcast(%dynamic_slice.2)
  %tanh.1 = f64[] tanh(%param_0)
  ROOT %add.2 = f64[] add(%tanh.1, %bitcast.3)
}

%keep (a.1: f64[]) -> f64[] {
  ROOT %a.1 = f64[] parameter(0)
}

%halve (a.2: f64[]) -> f64[] {
  %a.2 = f64[] parameter(0)
  %constant.2 = f64[] constant(0.5)
  ROOT %multiply.2 = f64[] multiply(%a.2, %constant.2)
}

%body (arg_tuple.1: (s64[], f64[], f64[8])) -> (s64[], f64[], f64[8]) {
  %arg_tuple.1 = (s64[], f64[], /*index=2*/f64[8]{0}) parameter(0)
  %constant.6 = s64[] constant(1)
  %t.1 = s64[] get-tuple-element(%arg_tuple.1), index=0
  %x.1 = f64[] get-tuple-element(%arg_tuple.1), index=1
  %e.1 = f64[8]{0} get-tuple-element(%arg_tuple.1), index=2
  %add.9 = s64[] add(%t.1, %constant.6)
  %tanh_add_fusion = f64[] fusion(%x.1, %e.1, %t.1), kind=kLoop, calls=%fused_computation.1
  %wrapped_tanh = f64[] fusion(%tanh_add_fusion), kind=kLoop, calls=%wrapped_tanh_computation
  %conditional.3 = f64[] conditional(%t.1, %wrapped_tanh, %wrapped_tanh), branch_computations={%keep, %halve}
  ROOT %tuple.5 = (s64[], f64[], f64[8]{0}) tuple(%add.9, %conditional.3, %e.1)
}

%condition (arg_tuple.3: (s64[], f64[], f64[8])) -> pred[] {
  %arg_tuple.3 = (s64[], f64[], f64[8]{0}) parameter(0)
  %constant.8 = s64[] constant(8)
  %t.2 = s64[] get-tuple-element(%arg_tuple.3), index=0
  ROOT %lt.0 = pred[] compare(%t.2, %constant.8), direction=LT
}

%while.6_computation (tuple.6: (s64[], f64[], f64[8])) -> (s64[], f64[], f64[8]) {
  %tuple.6 = (s64[], f64[], f64[8]{0}) parameter(0)
  ROOT %while.0 = (s64[], f64[], f64[8]{0}) while(%tuple.6), condition=%condition, body=%body, backend_config={"known_trip_count":{"n":"8"}}
}

ENTRY %main.6 (e.2: f64[8], x.2: f64[]) -> (f64[], f64[8]) {
  %e.2 = f64[8]{0} parameter(0)
  %x.2 = f64[] parameter(1)
  %constant.9 = s64[] constant(0)
  %copy.10 = s64[] copy(%constant.9)
  %wrapped_tanh.1 = f64[] fusion(%x.2), kind=kLoop, calls=%wrapped_tanh_computation
  %negate.1 = f64[8]{0} negate(%e.2)
  %tuple.2 = (s64[], f64[], f64[8]{0}) tuple(%copy.10, %wrapped_tanh.1, %e.2)
  %call = (s64[], f64[], f64[8]{0}) call(%tuple.2), to_apply=%while.6_computation, frontend_attributes={xla_cpu_small_call="true"}
  %last = f64[] get-tuple-element(%call), index=1
  ROOT %tuple.9 = (f64[], f64[8]{0}) tuple(%last, %negate.1)
}
"""  # noqa: E501


def test_a_text_with_shapes():
    program = hlo.read(WITH_SHAPES)
    assert program.entry.name == "main.21"
    assert [kernel.opcode for kernel in program.kernels] == ["fusion", "reduce-window", "reduce"]
    assert [kernel.name for kernel in program.fusions] == ["add_fusion"]
    assert program.operations(program.fusions[0]) == {"exponential": 1, "add": 1}
    assert [kernel.name for kernel in program.temporaries] == ["add_fusion", "reduce-window"]
    assert program.counts == {
        "region_0.16": {"parameter": 2, "add": 1},
        "fused_computation": {"parameter": 1, "exponential": 1, "add": 1},
        "main.21": {"parameter": 1, "fusion": 1, "constant": 1, "reduce-window": 1, "reduce": 1},
    }
    assert program.loops == program.small_calls == []


def test_a_text_without_shapes():
    program = hlo.read(WITHOUT_SHAPES)
    names = ["copy.10", "wrapped_tanh.1", "negate.1", "call"]
    assert [kernel.name for kernel in program.kernels] == names
    # what wraps one operation fuses nothing
    assert [kernel.name for kernel in program.fusions] == ["tanh_add_fusion"]
    assert [kernel.name for kernel in program.temporaries] == ["copy.10", "wrapped_tanh.1"]
    step = {"add": 2, "dynamic-slice": 1, "tanh": 2, "conditional": 1, "multiply": 1}
    assert program.loops == [hlo.Loop("while.0", 4, Counter(step), whole=True)]
    assert [call.name for call in program.small_calls] == ["call"]
    assert program.operations(program.small_calls[0]) == {**step, "while": 1, "compare": 1}
    assert program.counts["body"] == {
        "parameter": 1,
        "constant": 1,
        "get-tuple-element": 3,
        "add": 1,
        "fusion": 2,
        "conditional": 1,
        "tuple": 1,
    }


def test_a_loop_without_the_mark_is_not_compiled_whole():
    program = hlo.read(WITHOUT_SHAPES.replace("xla_cpu_small_call", "something_else"))
    assert not program.small_calls
    assert [loop.whole for loop in program.loops] == [False]


def test_what_is_no_program_is_refused():
    with pytest.raises(ValueError, match="it has no entry computation"):
        hlo.read("HloModule jit_f\n")


def compiled(function, *inputs, **settings):
    return hlo.read(jax.jit(function).lower(*inputs).compile(**settings).as_text())


def test_one_operation_is_one_kernel_that_fuses_nothing():
    program = compiled(jnp.tanh, jnp.ones(50))
    assert [program.operations(kernel) for kernel in program.kernels] == [{"tanh": 1}]
    assert program.fusions == program.temporaries == program.loops == []


def test_operations_in_a_row_are_fused_unless_that_is_switched_off():
    def four(x):
        return jnp.cos(jnp.tanh(jnp.exp(jnp.sin(x))))

    x = jnp.ones(50)
    fused = compiled(four, x)
    assert len(fused.kernels) == len(fused.fusions) == 1
    assert fused.temporaries == []
    try:
        apart = compiled(four, x, compiler_options={"xla_disable_hlo_passes": "fusion"})
    except RuntimeError:
        pytest.skip("this JAX takes no list as an option")
    assert len(apart.kernels) == 4
    assert len(apart.temporaries) == 3
    assert apart.fusions == []


@pytest.mark.parametrize("unroll", [1, 4])
def test_an_unrolled_loop_has_several_steps_in_one(unroll):
    def path(e):
        return jax.lax.scan(lambda x, e: (jnp.tanh(x) + e,) * 2, 0.0, e, unroll=unroll)[1]

    (loop,) = compiled(path, jnp.ones(40)).loops
    assert loop.operations["tanh"] == unroll


def described(workload, n, **options):
    return compiling.describe(workloads.get(workload), n, **options)


def test_elementwise_counts_999_flops_at_140_and_is_over_the_threshold_at_141():
    small, large = described("elementwise", 140), described("elementwise", 141)
    # nine operations on each element, of which exp, cos and tanh are counted apart: 6 n. The sum's
    # tree: 4 windows and a fifth, 31 additions in each, and 4 between them
    assert small["flops"] == 6 * 140 + 5 * 31 + 4 == 999
    assert large["flops"] == 1_005
    assert small["transcendentals"] == 3 * 140
    assert (small["inline"], large["inline"]) == (True, False)
    assert small["equations"] == workloads.get("elementwise").k == 10
    assert small["reduce_windows"] == 1
    assert len(small["kernels"]) == 3
    assert small["temporaries"] == 2
    # the terms and the sums of five windows, each at a multiple of 64 bytes
    assert small["temporary_bytes"] == 18 * 64 + 5 * 8
    assert small["jaxpr"].count(" = ") == 10


def test_the_recursion_is_one_loop_that_is_counted_once():
    program = described("recursion", 100_000)
    assert program["equations"] == 1 + workloads.get("recursion").k
    (loop,) = program["loops"]
    assert loop["operations"]["tanh"] == 1
    assert program["flops"] < 10
    assert program["inline"]


def test_what_is_inline_is_ready_when_the_call_returns():
    module = backends.load("jax_jit")
    for workload, n, inline in (("recursion", 100_000, True), ("elementwise", 1_000_000, False)):
        assert described(workload, n)["inline"] is inline
        kernel = module.fresh_kernel(workload)
        inputs = tuple(map(module.to_native, workloads.get(workload).inputs(n)))
        module.make_call(kernel, inputs)()
        result = kernel(*inputs)
        assert result.is_ready() is inline
        result.block_until_ready()


@pytest.mark.parametrize(
    ("workload", "options"),
    [(spec.name, options) for spec in workloads.WORKLOADS.values() for options in spec.settings()],
)
def test_every_program_can_be_read(workload, options):
    n = 7
    program = described(workload, n, **options)
    assert program["kernels"]
    assert json.loads(json.dumps(program, allow_nan=False)) == program
    for renderable in render(program):
        assert renderable
    module = backends.load("jax_jit")
    inputs = map(module.to_native, workloads.get(workload).inputs(n, **options))
    jaxpr = module.fresh_kernel(workload, **options).trace(*inputs).jaxpr
    assert program["equations"] == unrolled.equations(jaxpr)


def said(capsys, *args):
    assert cli.main(["hlo", *args]) == 0
    return capsys.readouterr().out


def test_what_a_person_reads(capsys):
    lines = [line.split("  ") for line in said(capsys, "elementwise", "--n", "140").splitlines()]
    facts = {line[0]: [text.strip() for text in line[1:] if text.strip()] for line in lines}
    assert facts["kernels"] == ["3", "a call runs them one after another"]
    assert facts["fusions"] == ["1", "of two operations or more"]
    aside = "results that other kernels read; XLA sets 1,192 bytes aside"
    assert facts["temporaries"] == ["2", aside]
    assert facts["counted flops"] == ["999", "fewer than 1000: XLA runs it inline"]
    table = said(capsys, "elementwise", "--n", "141")
    assert "1000 or more: XLA's asynchronous dispatch hands it to another thread" in table
    assert "b:f64[141] = integer_pow[y=2] a" in table or "b:f64[141] = square a" in table


def test_options_are_given_by_name(capsys):
    program = json.loads(said(capsys, "op_chain", "--n", "100", "--option", "k=8", "--json"))
    assert program["options"] == {"k": 8}
    assert program["equations"] == 8
    assert program["flops"] == 8 * 100


@pytest.mark.parametrize(
    ("args", "expected"),
    [
        (["nothing", "--n", "3"], "no workload 'nothing'; there are elementwise, "),
        (
            ["floor_math", "--n", "3"],
            "floor_math stands in for a workload, and is none; jitcost workloads lists",
        ),
        (
            ["elementwise", "--n", "1e3.5"],
            "n = '1e3.5' is not a whole number; give one of at least 1",
        ),
        (["elementwise", "--n", "0"], "n = 0 is too small; give a whole number of at least 1"),
        (
            ["elementwise", "--n", "1000000000000000"],
            "the inputs at n = 1,000,000,000,000,000 do not fit into memory",
        ),
        (["elementwise"], "the following arguments are required: --n; see jitcost hlo --help"),
        (["op_chain", "--n", "5"], "op_chain takes k = 1, 2, 4, 8, 16, 32; given: none"),
        (["op_chain", "--n", "5", "--option", "k=3"], "op_chain takes k = 1, 2, 4, 8, 16, 32; "),
        (["elementwise", "--n", "5", "--option", "k=8"], "elementwise takes no options; given: k"),
        (["unrolled", "--n", "301", "--option", "form=scan"], "jax_jit runs to n = 300 only: XLA"),
    ],
)
def test_a_bad_call_is_answered_in_one_line(capsys, args, expected):
    try:
        status = cli.main(["hlo", *args])
    except SystemExit as ended:
        status = ended.code
    assert status == 2
    captured = capsys.readouterr()
    assert captured.err.startswith(f"jitcost: {expected}")
    assert captured.err.count("\n") == 1
    assert captured.out == ""


def test_a_workload_without_a_kernel_has_no_program(capsys, monkeypatch):
    limits = {"jax_jit": workloads.Limit(0, "it is not written yet")}
    spec = dataclasses.replace(workloads.get("kalman"), limits=limits)
    monkeypatch.setitem(workloads.WORKLOADS, "kalman", spec)
    assert cli.main(["hlo", "kalman", "--n", "5"]) == 2
    assert capsys.readouterr().err == "jitcost: jax_jit has no kernel: it is not written yet\n"


def test_without_jax_it_says_how_to_get_it(run_python):
    code = """
import sys
from jitcost import cli
from jitcost.commands import hlo  # needs no JAX
assert "jax" not in sys.modules
sys.modules["jax"] = None
sys.stderr = sys.stdout
print(cli.main(["hlo", "elementwise", "--n", "140"]))
"""
    message, status = run_python(code).splitlines()
    assert message.startswith("jitcost: jax_jit: ")
    assert message.endswith("; get it by: python -m pip install jax")
    assert status == "2"
