"""Results of several machines in one folder: every command keeps them apart, and says whose is which."""

import csv
import io
import json
import re

import pytest
from asv import results as asv_results
from asv import util

from jitcost import cli
from jitcost.questions import compare
from jitcost.store import machines, results
from jitcost.store.origins import provenances

SIZES = [10, 32, 100, 316, 1_000, 10_000]
BACKENDS = ["numpy", "numba"]
ENVIRONMENT = "virtualenv-py3.11-numpy2.4.6"

# Seconds: a fixed part and one for each element. Each machine's order of the backends is the other
# way round, and their times are a thousandfold apart: whatever mixed them would show.
COSTS = {
    "fast": {"numpy": (4e-6, 1e-8), "numba": (1e-6, 2e-8)},
    "slow": {"numpy": (1e-3, 2e-5), "numba": (4e-3, 1e-5)},
}
QUESTIONS = ["compare", "fit", "breakeven", "crossover", "plan", "claims", "predict"]
ARGUMENTS = {"plan": ["elementwise", "--n", "100", "--calls", "7"]}


def content(machine, **other):
    """Return a result file as asv writes it: times in steady state and of first calls."""
    costs = COSTS.get(machine, COSTS["fast"])
    times = [fixed + n * each for n in SIZES for fixed, each in map(costs.get, BACKENDS)]
    grid = [list(map(repr, SIZES)), list(map(repr, BACKENDS))]

    def row(values):
        return [values, grid, "1", [v * 0.999 for v in values], [v * 1.001 for v in values]]

    return {
        "version": 2,
        "commit_hash": "a" * 40,
        "env_name": ENVIRONMENT,
        "date": 1_700_000_000_000,
        "params": {"machine": machine},
        "python": "3.11",
        "requirements": {"numpy": "2.4.6"},
        "env_vars": {},
        "result_columns": ["result", "params", "version", "stats_ci_99_a", "stats_ci_99_b"],
        "results": {
            "elementwise.SteadyState.time_call": row(times),
            "elementwise.FirstCall.time_first_call": row([1 + time for time in times]),
        },
    } | other


def write(folder, machine, name=None, **other):
    """Write a machine's folder; name is what is written inside, if it differs."""
    here = folder / machine
    here.mkdir(parents=True)
    (here / "aaaaaaaa-env.json").write_text(json.dumps(content(name or machine, **other)))
    describe(here, name or machine, cpu=f"CPU of {machine}")
    return here


def describe(here, machine, **about):
    (here / "machine.json").write_text(json.dumps({"machine": machine, "version": 1, **about}))


@pytest.fixture
def folders(tmp_path):
    """Return a results folder of both machines, and one of each alone."""
    for machine in COSTS:
        write(tmp_path / "both", machine)
        write(tmp_path / machine, machine)
    return tmp_path


@pytest.fixture
def call(capsys):
    """Call a command on a folder; return what it printed."""

    def called(command, folder, *args):
        given = ARGUMENTS.get(command, [])
        status = cli.main([command, *given, "--results", str(folder), *map(str, args)])
        printed = capsys.readouterr()
        assert (status, printed.err) == (0, "")
        return printed.out

    return called


# Every command


@pytest.mark.parametrize("command", [*QUESTIONS, "results"])
def test_the_answer_for_a_machine_is_the_same_beside_another_one(command, folders, call):
    both = json.loads(call(command, folders / "both", "--json"))
    assert {row["machine"] for row in both} == set(COSTS)
    for machine in COSTS:
        alone = json.loads(call(command, folders / machine, "--json"))
        assert alone
        assert [row for row in both if row["machine"] == machine] == alone
        chosen = call(command, folders / "both", "--json", "--machine", machine)
        assert json.loads(chosen) == alone


@pytest.fixture
def titles(call):
    """Return the captions of all tables that a command prints of a folder."""

    def of(command, folder):
        printed = call(command, folder, "--all-origins", "--format", "csv")
        rows = csv.reader(io.StringIO(printed))
        return [title for title in dict.fromkeys(title for title, *_ in rows) if title != "table"]

    return of


@pytest.mark.parametrize("command", QUESTIONS)
def test_each_table_names_its_machine_where_there_are_two(command, folders, titles):
    said = titles(command, folders / "both")
    assert len(said) == len(COSTS)
    for title, machine in zip(said, COSTS, strict=True):
        assert re.search(rf" on {machine}\b", title)
    (alone,) = titles(command, folders / "fast")
    assert (" on fast" in alone) == (command == "claims")


def test_tables_name_what_else_tells_their_origins_apart(folders, titles):
    here = folders / "both" / "fast"
    for name, other in {
        "older": {"env_name": "old [numpy]", "commit_hash": "b" * 40},
        "threads": {"env_vars": {"THREADS": "1"}},
    }.items():
        (here / f"{name}.json").write_text(json.dumps(content("fast", **other)))
    said = titles("compare", folders / "both")
    assert [title.removesuffix(": time per call, and its ratio to numpy's") for title in said] == [
        f"elementwise on fast in {ENVIRONMENT} at aaaaaaaa",
        "elementwise on fast in old [numpy] at bbbbbbbb",
        f"elementwise on fast in {ENVIRONMENT} with THREADS=1 at aaaaaaaa",
        f"elementwise on slow in {ENVIRONMENT} at aaaaaaaa",
    ]


def test_of_an_environment_a_title_says_what_others_have_not(folders, call, titles):
    newer = ENVIRONMENT.replace("py3.11", "py3.13")
    file = folders / "fast" / "fast" / "newer.json"
    file.write_text(json.dumps(content("fast", env_name=newer)))
    said = titles("fit", folders / "fast")
    assert said == [
        "elementwise in py3.11: t = k (c0 + c1 n), k = 10",
        "elementwise in py3.13: t = k (c0 + c1 n), k = 10",
    ]
    call("report", folders / "fast", "-o", folders / "page.html")
    headings = re.findall(
        r'<h2 id="origin-\d-heading">(.*?)</h2>', (folders / "page.html").read_text()
    )
    assert headings == [f"fast, {ENVIRONMENT}, aaaaaaaa", f"fast, {newer}, aaaaaaaa"]


def test_ratios_and_winners_are_those_within_a_machine(folders, call):
    rows = json.loads(call("compare", folders / "both", "--json"))
    at_10 = {(r["machine"], r["backend"]): (r["ratio"], r["best"]) for r in rows if r["n"] == 10}
    assert at_10 == {
        ("fast", "numpy"): (1, False),
        ("fast", "numba"): (pytest.approx(1.2 / 4.1), True),
        ("slow", "numpy"): (1, True),
        ("slow", "numba"): (pytest.approx(4.1 / 1.2), False),
    }
    crossings = json.loads(call("crossover", folders / "both", "--json"))
    # 4 + 0.01 n = 1 + 0.02 n, and 1 + 0.02 n = 4 + 0.01 n: n = 300, from either side
    assert [(r["machine"], r["faster_below"], r["n_low"], r["n_high"]) for r in crossings] == [
        ("fast", "numba", 100, 316),
        ("slow", "numpy", 100, 316),
    ]


def test_a_plan_that_cannot_be_made_says_why_on_which_machine(folders, call, capsys):
    longer = ["plan", "elementwise", "--n", "20000", "--calls", "2"]
    files = [folders / "both" / machine / "aaaaaaaa-env.json" for machine in COSTS]
    whole = files[1].read_text()
    for file in files:  # calls at n = 10 alone: no model leads from there to n = 20,000
        steady = (found := json.loads(file.read_text()))["results"][
            "elementwise.SteadyState.time_call"
        ]
        steady[0][len(BACKENDS) :] = [None] * (len(steady[0]) - len(BACKENDS))
        file.write_text(json.dumps(found))
    assert cli.main([*longer, "--results", str(folders / "both")]) == 1
    said = capsys.readouterr().err
    assert "numpy on fast: steady state measured for n = 10 only, and no model beyond" in said
    assert "numba on slow: steady state measured for n = 10 only, and no model beyond" in said
    files[1].write_text(whole)
    assert cli.main([*longer, "--results", str(folders / "both")]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "elementwise on fast: 2 calls at n = 20,000: nothing can be said" in said
    assert "elementwise on slow: 2 calls at n = 20,000 backend first call each" in said


def test_each_machine_has_its_own_figure(folders, call, tmp_path):
    def drawn(name):
        call("figure", folders / name, "compare", "--format", "svg", "-o", tmp_path / f"of-{name}")
        return {path.name: path.read_bytes() for path in (tmp_path / f"of-{name}").iterdir()}

    both = drawn("both")
    assert len(both) == len(COSTS)
    for machine in COSTS:
        (alone,) = drawn(machine).values()
        assert both[f"compare-{machine}-virtualenv_py3.11_numpy2.4.6-aaaaaaaa.svg"] == alone
        assert f"Measured on {machine} (CPU of {machine})".encode() in alone


def test_each_machine_has_its_own_section_of_the_report(folders, call, tmp_path):
    def sections(name):
        file = tmp_path / f"{name}.html"
        call("report", folders / name, "-o", file)
        text = re.sub(r"<svg.*?</svg>", "", file.read_text(), flags=re.DOTALL)
        text = re.sub(r"origin-\d", "origin", text)
        return re.findall(
            r'<section id="origin".*?(?=<section id="(?:origin|caveats)")', text, re.DOTALL
        )

    both = sections("both")
    assert both == [*sections("fast"), *sections("slow")]
    for machine, section in zip(COSTS, both, strict=True):
        assert f"CPU of {machine}" in section


# Odd folders


def test_the_same_results_under_two_names_are_two_machines(tmp_path):
    write(tmp_path, "laptop")
    write(tmp_path, "thinkpad")
    cells = results.read(tmp_path)
    assert cells["machine"].unique().sort().to_list() == ["laptop", "thinkpad"]
    one, other = (cells.filter(machine=name).drop("machine") for name in ("laptop", "thinkpad"))
    assert one.equals(other)
    assert {row.ratio for row in compare.ask(cells) if row.backend == "numpy"} == {1}


def test_a_copy_of_a_machines_folder_does_not_count_twice(tmp_path, capsys):
    write(tmp_path, "fast")
    copy = write(tmp_path, "thinkpad", "fast")
    cells = results.read(tmp_path)
    assert cells["machine"].unique().to_list() == ["fast"]
    assert len(cells) == 2 * len(SIZES) * len(BACKENDS)
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"jitcost: {copy / 'aaaaaaaa-env.json'} is left out: ")
    assert f"{tmp_path / 'fast' / 'aaaaaaaa-env.json'} has elementwise.SteadyState" in line


def test_a_machine_gets_no_processor_from_another_ones_folder(tmp_path):
    write(tmp_path, "fast")
    write(tmp_path, "slow")
    describe(tmp_path / "slow", "fast", cpu="another CPU")  # says another name than the results
    found = provenances(results.read(tmp_path), tmp_path)
    assert [(origin.machine, origin.cpu) for origin, _ in found] == [
        ("fast", "CPU of fast"),
        ("slow", None),
    ]


def test_a_file_cut_short_costs_only_itself(folders, capsys):
    cut = folders / "both" / "slow" / "aaaaaaaa-env.json"
    cut.write_text(cut.read_text()[:300])
    assert cli.main(["compare", "--results", str(folders / "both"), "--json"]) == 0
    printed = capsys.readouterr()
    assert {row["machine"] for row in json.loads(printed.out)} == {"fast"}
    (line,) = printed.err.splitlines()
    assert line.startswith(f"jitcost: {cut} is left out: ")


def test_results_without_a_machine_json_are_answered_from(folders, call):
    before = call("compare", folders / "both")
    (folders / "both" / "slow" / "machine.json").unlink()
    assert call("compare", folders / "both") == before


# What asv publishes


def published(folder):
    """Return the machines whose results asv itself takes for its pages; raises where it would die."""
    for path in sorted(folder.rglob("machine.json")):  # as `asv publish` begins
        assert util.load_json(str(path))["machine"]
    return sorted(result.params["machine"] for result in asv_results.iter_results(str(folder)))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, "machine.json is missing: asv publishes no results without"),
        ('{"machine": "fast", "version": 1}', "says 'fast', results beside it 'slow': asv leaves"),
        ('{"machine": "slow", "vers', "machine.json is broken: asv publishes nothing at all"),
        ('{"version": 1}', "machine.json is broken: asv publishes nothing at all"),
        ("[]", "machine.json is broken: asv publishes nothing at all"),
    ],
)
def test_what_asv_would_not_publish_is_said_in_a_line(folders, text, said):
    both = folders / "both"
    assert published(both) == ["fast", "slow"]
    assert list(machines.unpublished(both)) == []
    file = both / "slow" / "machine.json"
    file.unlink() if text is None else file.write_text(text)
    (line,) = machines.unpublished(both)
    assert line.startswith(str(file))
    assert said in line
    if "nothing at all" in said:
        with pytest.raises((util.UserError, KeyError, TypeError)):
            published(both)
    else:
        assert published(both) == ["fast"]
