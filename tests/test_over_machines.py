"""Ratios on several machines: each machine's own, their mean, and what a further one would show."""

import json
import math

import polars as pl
import pytest

from jitcost import cli
from jitcost.errors import BadCallError, NothingFoundError
from jitcost.questions import compare, over_machines
from jitcost.questions.over_machines import ask
from jitcost.show.answers.over_machines import tables
from jitcost.show.plain import as_csv
from jitcost.show.terminal import as_text
from making_cells import cells, steady

# Student's t at 97.5 %, from a printed table, by degrees of freedom
T = {2: 4.303, 3: 3.182}

# No two machines are equally fast, and numba's share of NumPy's time is another on each.
SHARES = {"slow": 0.02, "fast": 0.05, "odd": 0.125}
FASTER = {"slow": 1.0, "fast": 1e-3, "odd": 7.0}


def machine(name, share, *, n=100, jitter=(1.0,), **common):
    """Return one machine's rows: NumPy takes a second over its speed, numba this share of it.

    Processes differ by these factors, the same on both sides; a single one is a value of samples.
    """
    base = 1 / FASTER.get(name, 1.0)
    take = (lambda time: tuple(time * f for f in jitter)) if len(jitter) > 1 else float
    return [
        *steady("numpy", {n: take(base)}, machine=name, **common),
        *steady("numba", {n: take(base * share)}, machine=name, **common),
    ]


def made(shares=SHARES, **common):
    return cells(*(row for name, share in shares.items() for row in machine(name, share, **common)))


PROCESSES = (0.99, 1.0, 1.01, 1.0, 1.0)


def test_each_machine_has_its_ratio_and_all_of_them_the_geometric_mean():
    rows = ask(made(jitter=PROCESSES)).rows
    assert [(row.over, row.machine) for row in rows] == [
        ("machine", "fast"),
        ("machine", "odd"),
        ("machine", "slow"),
        ("machines", None),
    ]
    assert [row.ratio for row in rows[:3]] == pytest.approx([0.05, 0.125, 0.02])
    # 0.05 x 0.125 x 0.02 = 0.05^3, and equal errors are equal weights
    mean = rows[3]
    assert (mean.ratio, mean.machines, mean.interval) == (pytest.approx(0.05), 3, "of machines")
    assert mean.weights == "by their errors"
    # the logarithms are 0 and +-log 2.5 about the mean: their standard deviation is log 2.5
    half = T[2] * math.log(2.5) / math.sqrt(3)
    assert math.log(mean.high / mean.ratio) == pytest.approx(half, rel=2e-3)
    assert math.log(mean.ratio / mean.low) == pytest.approx(half, rel=2e-3)
    # what the processes differ by is a hundredth of that
    assert mean.spread == pytest.approx(2.5, rel=2e-3)
    further = T[2] * math.log(2.5) * math.sqrt(1 + 1 / 3)
    assert math.log(mean.further_high / mean.ratio) == pytest.approx(further, rel=2e-3)


def test_a_machines_own_ratio_is_the_one_of_compare():
    both = made(jitter=PROCESSES)
    own = {row.of.origin.machine: row for row in compare.ask(both) if row.backend == "numba"}
    for row in ask(both).rows[:3]:
        same = own[row.machine]
        assert (row.ratio, row.low, row.high) == (same.ratio, same.ratio_low, same.ratio_high)
        assert (row.interval, row.spread, row.weights) == ("of processes", None, None)


def test_times_of_two_machines_are_never_compared():
    """A machine that is a thousandfold faster, at the same share, changes nothing."""
    before = ask(made(dict.fromkeys(SHARES, 0.2), jitter=PROCESSES)).rows[3]
    assert before.ratio == pytest.approx(0.2)
    assert before.spread == pytest.approx(1)


@pytest.mark.parametrize("jitter", [(1.0,), (0.99, 1.01)], ids=["of samples", "two processes"])
def test_without_errors_each_machine_is_one_value(jitter):
    mean = ask(made(jitter=jitter)).rows[3]
    assert mean.weights == "equal"
    assert mean.ratio == pytest.approx(0.05)
    half = T[2] * math.log(2.5) / math.sqrt(3)
    assert math.log(mean.high / mean.ratio) == pytest.approx(half, rel=1e-3)
    (table,) = tables(ask(made(jitter=jitter)))
    assert any(
        one.startswith("each machine counts as one value (n = 100)") for one in table.remarks
    )


def test_one_ratio_without_an_error_makes_all_count_the_same():
    rows = machine("fast", 0.05, jitter=PROCESSES) + machine("odd", 0.125, jitter=PROCESSES)
    mean = ask(cells(*rows, *machine("slow", 0.02))).rows[3]
    assert mean.weights == "equal"


def test_two_machines_have_no_interval_and_one_is_no_answer():
    two = {name: SHARES[name] for name in ("slow", "odd")}
    answer = ask(made(two, jitter=PROCESSES))
    mean = answer.rows[2]
    assert (mean.ratio, mean.interval) == (pytest.approx(0.05), "none")  # the root of 0.02 x 0.125
    assert (mean.low, mean.spread, mean.further_low) == (None, None, None)
    assert mean.weights == "equal"
    (table,) = tables(answer)
    assert [column.heading for column in table.columns] == ["n", "odd", "slow", "average machine"]
    assert table.note == "no interval over fewer than three machines"
    with pytest.raises(NothingFoundError, match="of one machine, slow; copy another's"):
        ask(made({"slow": 0.02}))


def test_a_size_of_one_machine_has_no_mean_and_the_table_says_so():
    rows = [*machine("fast", 0.05), *machine("slow", 0.02), *machine("slow", 0.1, n=1000)]
    answer = ask(cells(*rows))
    assert [(row.n, row.machine) for row in answer] == [
        (100, "fast"),
        (100, "slow"),
        (100, None),
        (1000, "slow"),
    ]
    (table,) = tables(answer)
    assert [cell.text for cell in table.rows[1]] == ["1,000", "-", "0.100x", "-"]


def dated(rows, day, commit, **common):
    at = pl.datetime(2026, 1, day, time_unit="ms", time_zone="UTC")
    return cells(*rows, commit=commit * 40, **common).with_columns(date=at)


def several():
    """Return a machine with an old commit and two environments, and two others."""
    new, old = "virtualenv-py3.12-numpy2.10.0", "virtualenv-py3.12-numpy2.9.1"
    versions = {name: json.dumps({"numpy": name.partition("numpy")[2]}) for name in (new, old)}
    return pl.concat(
        [
            dated(machine("fast", 0.9), 1, "a", environment=new, versions=versions[new]),
            dated(machine("fast", 0.8), 2, "b", environment=old, versions=versions[old]),
            dated(machine("fast", 0.05), 2, "b", environment=new, versions=versions[new]),
            dated(machine("odd", 0.125), 1, "a", environment=old, versions=versions[old]),
            dated(machine("slow", 0.02), 1, "a", environment=new, versions=versions[new]),
        ]
    )


def test_of_each_machine_the_newest_results_are_taken_and_named():
    answer = ask(several())
    assert [row.ratio for row in answer] == pytest.approx([0.05, 0.125, 0.02, 0.05])
    assert answer.rows[0].libraries == {"numpy": "2.10.0"}
    (table,) = tables(answer)
    assert table.remarks[:4] == (
        "fast: virtualenv-py3.12-numpy2.10.0 at bbbbbbbb",
        "odd: virtualenv-py3.12-numpy2.9.1 at aaaaaaaa",
        "slow: virtualenv-py3.12-numpy2.10.0 at aaaaaaaa",
        "the machines have different versions of numpy",
    )


def test_another_version_of_a_benchmark_is_another_quantity():
    rows = machine("fast", 0.05) + machine("slow", 0.02, version="2")
    assert [row.machine for row in ask(cells(*rows))] == ["fast", "slow"]


def test_tables_of_one_title_say_which_version_or_benchmark_they_are_of():
    rows = [*machine("fast", 0.05, version="1"), *machine("slow", 0.02, version="2")]
    captions = [table.caption.partition(" on ")[0] for table in tables(ask(cells(*rows)))]
    assert captions == ["elementwise (version 1)", "elementwise (version 2)"]
    other = [row | {"benchmark": "again.SteadyState.time"} for row in machine("slow", 0.02)]
    captions = [
        table.caption.partition(" on ")[0]
        for table in tables(ask(cells(*machine("fast", 0.05), *other)))
    ]
    assert captions == [cells(*machine("fast", 1))["benchmark"][0], "again.SteadyState.time"]


def test_the_spread_says_how_few_machines_it_comes_from():
    (table,) = tables(ask(made(dict.fromkeys(SHARES, 0.2), jitter=PROCESSES)))
    assert (
        "estimated from three machines (1.00: they differ by no more than they err)" in table.note
    )
    assert table.rows[0][5].text == "1.00"


def test_another_baseline_may_be_asked_for():
    mean = ask(made(jitter=PROCESSES), over_machines.Options("numba")).rows[3]
    assert (mean.backend, mean.baseline) == ("numpy", "numba")
    assert mean.ratio == pytest.approx(20)
    with pytest.raises(BadCallError, match="no times of 'torch'"):
        ask(made(), over_machines.Options("torch"))


def test_the_table_shows_wide_intervals_to_their_own_digits():
    (table,) = tables(ask(made(jitter=PROCESSES)))
    row = table.rows[0]
    assert [cell.text for cell in row[:5]] == ["100", "0.0500x", "0.12x", "0.0200x", "0.05x"]
    # 0.05 divided and multiplied by 2.5^2.484 = 9.74, and by 2.5^4.969 = 95.0
    assert row[4].more == "[0.0051, 0.49]"
    assert (row[5].text, row[6].text) == ("2.50", "[0.00053, 4.7]")
    assert "over machines: its time as a ratio to numpy's" in as_csv([table])
    assert "0.05x" in as_text([table])


# The command


@pytest.fixture
def call(monkeypatch, capsys):
    def called(*argv):
        monkeypatch.setattr("jitcost.commands._common.selected_cells", lambda _: several())
        status = cli.main(["compare", *argv])
        printed = capsys.readouterr()
        return status, printed.out, printed.err

    return called


@pytest.mark.parametrize("form", ["table", "csv", "markdown", "html"])
def test_the_command_prints_every_format(call, form):
    status, out, err = call("--over", "machines", "--format", form)
    assert (status, err) == (
        0,
        "jitcost: left out: on fast in numpy2.9.1 at bbbbbbbb, on fast in numpy2.10.0 at aaaaaaaa; "
        "--environment or --commit choose\n",
    )
    assert "a ratio to numpy" in out
    assert "average" in out


def test_json_has_a_row_for_each_ratio_of_a_machine_and_for_each_mean(call):
    status, out, _ = call("--over", "machines", "--json")
    rows = json.loads(out)
    assert (status, len(rows)) == (0, 4)
    assert len({tuple(row) for row in rows}) == 1  # the same keys in all
    by_machine = {row["machine"]: row["ratio"] for row in rows if row["over"] == "machine"}
    assert by_machine == pytest.approx({"fast": 0.05, "odd": 0.125, "slow": 0.02})
    (mean,) = (row for row in rows if row["over"] == "machines")
    assert (mean["machines"], mean["environment"]) == (3, None)
    assert mean["further_low"] < mean["low"] < mean["ratio"] < mean["high"] < mean["further_high"]


def test_what_contradicts_itself_or_is_of_one_machine_is_one_line(call):
    status, _, err = call("--over", "machines", "--all-origins")
    assert (status, err.count("\n")) == (2, 1)
    assert "leave --all-origins out" in err
    with pytest.raises(SystemExit) as stopped:
        call("--over", "commits")
    assert stopped.value.code == 2
