"""What is kept gives the answers of what was measured, and of what it was made from."""

import itertools
import json
import statistics

import pytest

from jitcost.questions import breakeven, compare, fit
from jitcost.questions.answers import objects_of
from jitcost.show.summary import disturbance_sentences
from jitcost.store import results
from jitcost.store.keeping import keep
from jitcost.store.processes import agreement, processes
from jitcost.store.slimming import slim_lines
from making_results import content, write

SIZES = [10, 100, 1_000, 10_000, 100_000, 1_000_000]
TIMES = {"numpy": lambda n: 10e-6 + 4e-9 * n, "jax_jit": lambda n: 5e-6 + 1e-9 * n}
FIRST_CALL = 0.1
FACTORS = [1.02, 1.0, 1.04, 1.03, 1.01]  # of each process, in their order
DIGITS = 1 + 1.23e-8  # which a sample has and a kept one has not

COMMIT = "a" * 40


def benchmark(name, sizes, backends, time):
    """Return a benchmark's row, and a line of each process: of two samples each, the slower first."""
    row = [[], [[str(n) for n in sizes], [repr(name) for name in backends]], "1", None, []]
    lines = []
    for n, backend in itertools.product(sizes, backends):
        samples = [
            time(backend, n) * factor * slower for factor in FACTORS for slower in (1.5, DIGITS)
        ]
        row[0].append(statistics.median(samples))
        row[4].append(samples)
        lines += [
            {
                "benchmark": name,
                "params": [str(n), repr(backend)],
                "backend": backend,
                "n": n,
                "m": 7 + number,
                "started": f"2026-01-02T03:04:0{number}.500+00:00",
                "seconds": 1.25,
                "load_start": 2.5 if number == 1 else 0.5,
                "load_end": 1.0,
                "steal": 0.25 if number == 2 else None,
                "switches": 3,
                "error": 1e-16 * (1 + number),
                "tolerance": 1e-12,
            }
            for number in range(len(FACTORS))
        ]
    return row, lines


@pytest.fixture
def measured(tmp_path):
    """Return a results folder of two backends in five processes each, with all that belongs to it."""
    folder = tmp_path / "measured"
    steady, told = benchmark(
        "elementwise.SteadyState.time_call", SIZES, TIMES, lambda name, n: TIMES[name](n)
    )
    first, told_first = benchmark(
        "elementwise.FirstCall.time_first_call", [1_000], ["jax_jit"], lambda *_: FIRST_CALL
    )
    rows = {
        "elementwise.SteadyState.time_call": steady,
        "elementwise.FirstCall.time_first_call": first,
    }
    path = write(folder, content(COMMIT, 1_000, rows))
    path.with_suffix(".processes").write_text(
        "".join(f"{json.dumps(line)}\n" for line in told + told_first)
    )
    path.with_suffix(".provenance").write_text('{"cpu": {"model": "some", "usable": 2}}')
    path.with_name("machine.json").write_text('{"machine": "m", "version": 1}')
    names = {name: {"param_names": ["n", "backend"], "unit": "seconds"} for name in rows}
    (folder / "benchmarks.json").write_text(json.dumps(names | {"version": 2}))
    return folder


@pytest.fixture
def kept(measured, tmp_path):
    keep(measured, tmp_path / "history", tmp_path / "aside", {COMMIT})
    return tmp_path / "history"


def test_settings_keep_no_folders_of_the_machine(measured, tmp_path):
    (path,) = measured.glob("*/*.provenance")
    settings = {"PYTHON_JULIACALL_EXE": "/home/me/bin/julia", "OMP_NUM_THREADS": "1", "XLA": "a/b"}
    path.write_text(json.dumps({"python": "3.12.1", "settings": settings}))
    keep(measured, tmp_path / "history", tmp_path / "aside", {COMMIT})
    (kept,) = (tmp_path / "history").glob("*/*.provenance")
    assert json.loads(kept.read_text()) == {
        "python": "3.12.1",
        "settings": settings | {"PYTHON_JULIACALL_EXE": "julia"},
    }


def test_what_is_kept_is_found_to_be_what_it_was_made_from(kept):
    cells = results.select(results.read(kept))
    rows = {(row.backend, row.n): row for row in compare.ask(cells).rows}
    assert rows.keys() == set(itertools.product(TIMES, SIZES))
    for (backend, n), row in rows.items():
        found = (row.time, row.low, row.high, row.processes, row.interval)
        bounds = [TIMES[backend](n) * factor for factor in (1.02, 1.0, 1.04)]
        assert found == (*(pytest.approx(one, rel=1e-4) for one in bounds), 5, "of processes")
        assert row.best == (backend == "jax_jit")
    (pays,) = breakeven.ask(cells).rows
    # (0.1 - 6e-6) / (14e-6 - 6e-6) = 12499.25
    assert (pays.verdict, pays.processes) == ("pays", 5)
    assert pays.calls == pytest.approx(12_500, rel=1e-3)
    assert pays.calls_low < 12_500 < pays.calls_high < 14_000
    lines = {row.backend: row for row in fit.ask(cells).rows}
    for backend, (call, element) in {"numpy": (10e-6, 4e-9), "jax_jit": (5e-6, 1e-9)}.items():
        row = lines[backend]
        assert row.verdict == "linear"
        assert row.costs.k * row.costs.c0 == pytest.approx(1.02 * call, rel=0.01)
        assert row.costs.k * row.costs.c1 == pytest.approx(1.02 * element, rel=0.01)


def test_every_answer_is_that_of_what_was_measured(measured, kept):
    for question in (compare, fit, breakeven):
        answers = [
            objects_of(question.ask(results.select(results.read(folder))).rows)
            for folder in (measured, kept)
        ]
        assert_alike(*answers)


def assert_alike(one, other):
    """Hold two answers to the same words, and to numbers that differ by what rounding makes."""
    if isinstance(one, dict):
        assert one.keys() == other.keys()
        misfits = one.keys() & {
            "misfit",
            "line_misfit",
        }  # of times on a line none but the rounding's
        assert all(one[name] < 1e-4 and other[name] < 1e-4 for name in misfits)
        names = sorted(one.keys() - misfits)
        one, other = ([each[name] for name in names] for each in (one, other))
    if isinstance(one, (int, float)) and not isinstance(one, bool):
        assert other == pytest.approx(one, rel=1e-3)
    elif isinstance(one, str) or one is None or isinstance(one, bool):
        assert one == other
    else:
        for each, its_other in zip(one, other, strict=True):
            assert_alike(each, its_other)


def test_what_the_processes_told_is_kept(measured, kept):
    (told, of_kept) = (
        processes(results.read(folder), folder).drop("samples", "value")
        for folder in (measured, kept)
    )
    assert len(told) == 13 * 5
    assert told["load"].unique().sort().to_list() == [1.0, 2.5]
    assert of_kept.equals(told, null_equal=True)
    errors = [agreement(results.read(folder), folder) for folder in (measured, kept)]
    assert errors[0]["value"].unique().to_list() == [5e-16]
    assert errors[1].equals(errors[0], null_equal=True)
    said = [
        list(disturbance_sentences(results.read(folder), folder)) for folder in (measured, kept)
    ]
    assert said[0] == said[1]
    assert said[0]


def test_of_a_line_nothing_goes_that_is_read():
    line = (
        '{"benchmark":"b.K.time_x","params":["10","\'numpy\'"],"backend":"numpy","n":10,"m":8,'
        '"started":"2026-01-02T03:04:05.500+00:00","seconds":0.5,"load_start":1.5,"load_end":2.0,'
        '"steal":0.0,"switches":0,"error":null,"tolerance":1e-12}'
    )
    broken = '{"benchmark":'
    odd = '{"benchmark":"b","params":[],"load_start":"much","load_end":1.0}'
    assert slim_lines(f"{line}\n{broken}\n\n{odd}\n").split("\n") == [
        '{"benchmark":"b.K.time_x","params":["10","\'numpy\'"],"m":8,'
        '"started":"2026-01-02T03:04:05.500Z","seconds":0.5,"load_end":2.0,'
        '"steal":0.0,"switches":0,"tolerance":1e-12}',
        broken,
        odd,
        "",
    ]
    falling = '{"benchmark":"b","params":[],"load_start":3.0,"load_end":2.0}'
    assert json.loads(slim_lines(falling)) == {"benchmark": "b", "params": [], "load_start": 3.0}
