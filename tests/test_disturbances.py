"""What disturbed the processes, on records made by hand."""

import doctest
import json

import pytest

from jitcost.questions.disturbances import Options, Process, ask, processes_of
from jitcost.show.answers import estimates
from jitcost.show.answers.disturbances import sentences
from jitcost.show.report import page
from jitcost.show.summary import disturbance_sentences, summary
from jitcost.store.processes import processes
from jitcost.store.reading import read

BENCHMARK = "elementwise.SteadyState.time_call"


def process(n=10.0, backend="numpy", **told):
    return Process(BENCHMARK, "{}", backend, n, **told)


def by_kind(records, cores=2):
    return {row.disturbance: row for row in ask(records, Options(cores))}


def test_the_examples_in_the_docstrings():
    assert doctest.testmod(estimates).failed == 0
    assert doctest.testmod(estimates).attempted >= 2


def test_a_quiet_machine_has_nothing_to_tell():
    quiet = [process(load=1.2, steal=0.004, fastest=1.0 + i / 100) for i in range(5)]
    assert not ask(quiet, Options(2))
    assert not ask([])
    assert not ask([process()])


def test_a_busy_machine_is_told_with_its_processes_and_cells():
    records = [process(load=load) for load in (1.1, 2.3, 2.0)] + [process(100.0, load=2.1)]
    (row,) = ask(records, Options(2))
    # Two want to run at a load of 2, and there are two cores
    assert (row.disturbance, row.disturbed, row.processes, row.worst) == ("load", 2, 4, 2.3)
    assert [(cell.n, cell.disturbed, cell.processes) for cell in row.cells] == [
        (10, 1, 3),
        (100, 1, 1),
    ]
    assert sentences(ask(records, Options(2))) == [
        "2 of 4 processes ran while the machine was busy (load 2.3 on 2 cores): "
        "elementwise.SteadyState on numpy at n = 10 (1 of 3), "
        "elementwise.SteadyState on numpy at n = 100 (1 of 1). "
        "Their times may be too long: measure them again while nothing else runs."
    ]
    assert not ask(records, Options(4))
    assert not ask(records, Options())  # of how many cores, nobody knows


def test_stolen_time_is_told():
    row = by_kind([process(steal=share) for share in (0.01, 0.02, None)])["steal"]
    assert (row.disturbed, row.processes, row.worst) == (1, 2, 0.02)


def times(*fastest):
    return [process(fastest=time) for time in fastest]


def test_a_process_far_from_its_cells_median_is_told():
    row = by_kind(times(1.0, 1.01, 1.6, 1.02, 0.99))["outlying"]
    # The median is 1.01
    assert (row.disturbed, row.processes, row.worst) == (1, 5, pytest.approx(1.6 / 1.01))
    assert by_kind(times(1.0, 1.0, 0.7))["outlying"].worst == pytest.approx(0.7)
    assert "outlying" not in by_kind(times(1.0, 1.01, 1.24, 1.02, 0.99))
    assert not by_kind(times(1.0, 1.6))  # of two, nobody knows which is the outlier
    assert not by_kind([*times(1.0, 1.0, 1.6), process()])  # whose is whose is not known


def test_a_first_process_that_differs_from_all_others_is_told_as_such_alone():
    found = by_kind(times(1.5, 1.0, 1.02, 1.01, 1.03))
    assert list(found) == ["first"]
    assert (found["first"].disturbed, found["first"].processes) == (1, 1)
    assert found["first"].worst == pytest.approx(1.5 / 1.015)
    assert list(by_kind(times(0.85, 1.0, 1.02, 1.01, 1.03))) == ["first"]
    assert not by_kind(times(1.12, 1.0, 1.13, 1.01, 1.03))  # the third is as slow
    assert not by_kind(times(1.09, 1.0, 1.02, 1.01, 1.03))
    (said,) = sentences(ask(times(1.5, 1.0, 1.02, 1.01, 1.03)))
    assert said.startswith(
        "In 1 of 1 cells the first process differs by more than 10 % from all others"
    )
    assert "up to 1.5 times their median" in said


def test_cells_beyond_the_third_are_counted():
    stolen = [process(float(n), steal=0.05) for n in range(10, 15)]
    (said,) = sentences(ask([*stolen, process(steal=0.0)]))
    assert said.startswith(
        "5 of 6 processes lost more than 1 % of the CPUs' time to other virtual "
    )
    assert "(up to 5 %)" in said
    assert "n = 12 (1 of 1) and 2 more cells." in said


def test_what_processes_told_is_read_from_beside_their_results(tmp_path):
    here = tmp_path / "m"
    here.mkdir()
    content = {
        "version": 2,
        "commit_hash": "a" * 40,
        "env_name": "virtualenv-py3.11",
        "date": 1_700_000_000_000,
        "python": "3.11",
        "params": {"machine": "m"},
        "requirements": {},
        "result_columns": ["result", "params", "version", "samples"],
        "results": {
            BENCHMARK: [[2.0], [["10"], ["'numpy'"]], "1", [[2.0, 1.0, 4.0, 3.0, 2.5, 2.0]]]
        },
    }
    (here / "aaaaaaaa-virtualenv.json").write_text(json.dumps(content))
    (here / "aaaaaaaa-virtualenv.provenance").write_text(json.dumps({"cpu": {"usable": 2}}))
    about = {"benchmark": BENCHMARK, "params": ["10", "'numpy'"], "backend": "numpy", "n": 10}
    about |= {"seconds": 1.0, "load_start": 1.0, "load_end": 1.0, "steal": 0.0, "switches": 10}
    # the tolerance is (16 + sqrt(10)) eps, 4.25e-15; 1.1e-15 is .26 of it
    about |= {"error": 1.1e-15, "tolerance": 4.25e-15}
    lines = [about, about | {"load_end": 2.5}, about | {"load_start": None}]
    (here / "aaaaaaaa-virtualenv.processes").write_text(
        "".join(f"{json.dumps(line)}\n" for line in lines)
    )
    measured = read(tmp_path)
    found = processes_of(processes(measured, tmp_path))
    assert [one.fastest for one in found] == [1.0, 3.0, 2.0]
    assert [one.load for one in found] == [1.0, 2.5, 1.0]
    said = "elementwise: all 1 results are within their tolerance; the largest share of it is 0.26"
    assert said in page(measured, tmp_path)
    assert any(said in str(part) for part in summary(measured, tmp_path))
    assert [text.split(" (")[0] for text in disturbance_sentences(measured, tmp_path)] == [
        "1 of 3 processes ran while the machine was busy",
        "2 of 3 processes differ by more than 25 % from the median of their cell",
    ]
