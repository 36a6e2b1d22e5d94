"""The pages beside the kept results: they are what these say, number by number, and no sentence more."""

import csv
import doctest
import functools
import itertools
import json
import math
import re
import shutil
import statistics
from dataclasses import asdict, fields, replace

import polars as pl
import pytest

from conftest import ROOT
from jitcost import cli
from jitcost.errors import BadCallError
from jitcost.questions import compare
from jitcost.questions.releases import asked
from jitcost.show import plain
from jitcost.show.answers.compare import PROVISIONAL
from jitcost.show.notes import pages, rendering, words
from jitcost.show.notes.accounts import accounts
from jitcost.show.notes.along import History
from jitcost.show.notes.figures import FIGURES
from jitcost.show.notes.noise import Alarms, Detection, detection, unchanged_pair
from jitcost.show.notes.sets import machines
from jitcost.show.notes.short import largest_steps
from jitcost.store import results
from making_cells import cells, experiment, steady
from making_histories import COMMITS, RELEASES, on, over_commits, over_releases, runs
from making_results import KEPT, OLD_RESULTS


@pytest.fixture(scope="module")
def everything():
    return results.read(OLD_RESULTS)


@pytest.fixture(scope="module")
def made(everything):
    return pages(everything, OLD_RESULTS)


@pytest.fixture
def copy(tmp_path):
    return shutil.copytree(OLD_RESULTS, tmp_path / "history")


def flat(text):
    return " ".join(text.split())


def said_of(folder):
    return pages(results.read(folder), folder)


def said_with(made, folder):
    return pages(made, folder)["FINDINGS.md"].replace("\\", "")


# what is committed: of the kept results nothing is known but that the pages are theirs


@pytest.fixture(scope="module")
def kept():
    return results.read(KEPT)


@pytest.fixture(scope="module")
def kept_pages(kept):
    return pages(kept, KEPT)


def test_the_pages_are_what_the_kept_results_say(kept_pages):
    for name, text in kept_pages.items():
        committed = (KEPT / name).read_text(encoding="utf-8")
        assert committed == text, f"{name} is another one; `jitcost notes` writes it"


def result_file(folder, origin):
    wanted = (origin.machine, origin.environment, dict(origin.env_vars), origin.commit)
    for path in folder.glob("*/*.json"):
        content = json.loads(path.read_text())
        if "commit_hash" in content:
            machine = content["params"]["machine"]
            its = (machine, content["env_name"], content["env_vars"], content["commit_hash"])
            if its == wanted:
                return path
    raise AssertionError(f"{folder} holds no results of {origin}")


def change_cell(path, wanted):
    """Take three times as long in one cell: asv's number and interval, and the samples."""
    content = json.loads(path.read_text())
    columns = content["result_columns"]
    for name, row in content["results"].items():
        grid = list(itertools.product(*row[columns.index("params")]))
        for place, params in enumerate(grid):
            value = row[columns.index("result")][place]
            if isinstance(value, float) and value == value and wanted(name, params):
                for column in ("result", "samples", "stats_ci_99_a", "stats_ci_99_b"):
                    position = columns.index(column)
                    if position < len(row) and row[position] and row[position][place]:
                        old = row[position][place]
                        row[position][place] = (
                            [3 * s for s in old] if column == "samples" else 3 * old
                        )
                path.write_text(json.dumps(content))
                return
    raise AssertionError(f"{path} has no such cell")


def of_row(row):
    """Tell a row of an answer from the other cells of its benchmark."""
    texts = (repr(row.backend), f"{row.n:.0f}")
    return lambda name, params: name == row.of.name and params[-2:] in (texts, texts[::-1])


def test_one_cell_of_the_kept_results_changes_their_findings(kept, kept_pages, tmp_path):
    """One of the article's workloads, whose times the page shows in full."""
    full = next((one.full for one in machines(kept, KEPT)), None)
    rows = (row for row in compare.ask(kept) if row.of.origin == full)
    row = next((row for row in rows if row.of.title in ("elementwise", "recursion")), None)
    if row is None:
        pytest.skip("of the article's workloads nothing is kept")
    copy = shutil.copytree(KEPT, tmp_path / "history")
    change_cell(result_file(copy, full), of_row(row))
    assert said_of(copy)["FINDINGS.md"] != kept_pages["FINDINGS.md"]


# the same pages, and files, of the same results


def test_pages_depend_on_no_hash(made, run_python):
    code = (
        "import json, sys; from pathlib import Path; from jitcost.show.notes import pages; "
        "from jitcost.store import results; "
        f"folder = Path({str(OLD_RESULTS)!r}); print(json.dumps(pages(results.read(folder), folder)))"
    )
    for seed in ("1", "2"):
        assert json.loads(run_python(code, env={"PYTHONHASHSEED": seed})) == made


def test_no_line_of_prose_is_longer_than_120_and_nothing_is_left_open(made):
    for text in made.values():
        prose = [line for line in text.splitlines() if not line.startswith("|")]
        assert max(map(len, prose)) <= 120
        assert not re.search(r"\bnan\b|\binf\b|None|Undefined|\{\{|\{%|  +\n", text)
        assert "\n\n\n" not in text


def test_the_command_writes_the_pages_and_their_figures(copy, made, capsys, monkeypatch):
    monkeypatch.chdir(copy)
    assert cli.main(["notes", "--results", "."]) == 0
    assert capsys.readouterr().out.splitlines() == [*made, *FIGURES]
    for name, text in made.items():
        assert (copy / name).read_text(encoding="utf-8") == text
    drawn = {name: (copy / name).read_bytes() for name in FIGURES}
    assert all(content.startswith(b"\x89PNG") for content in drawn.values())
    for text in made.values():
        for target in re.findall(r"\]\(([^)]+)\)", text):
            file, _, heading = target.partition("#")
            path = ROOT / "analysis" / file[3:] if file.startswith("../") else copy / file
            assert not file or path.is_file()
            page = path.read_text(encoding="utf-8") if file and heading else text
            assert not heading or heading in map(words.anchor, re.findall("(?m)^#+ (.*)$", page))
    assert cli.main(["notes", "--results", "."]) == 0
    assert drawn == {name: (copy / name).read_bytes() for name in drawn}


def test_what_earlier_results_had_and_these_have_not_is_removed(copy, capsys):
    """Without variants there is no account, and without releases of JAX no figure of them."""
    for name in ("ACCOUNT.md", *FIGURES, "another.png"):
        (copy / name).write_text("of earlier results")
    (variants_file,) = copy.glob("vm/168c04a5-*.json")
    (release_file,) = copy.glob("vm/*-jax0.8.3-*.json")
    variants_file.unlink()
    assert cli.main(["notes", "--results", str(copy), "--no-figures"]) == 0
    assert not (copy / "ACCOUNT.md").exists()
    assert (copy / "waterfall.png").exists()  # figures were not asked for
    assert "ACCOUNT.md" not in (copy / "FINDINGS.md").read_text()
    assert "(jax.png)" in (copy / "FINDINGS.md").read_text()
    release_file.unlink()
    capsys.readouterr()
    assert cli.main(["notes", "--results", str(copy)]) == 0
    said = capsys.readouterr()
    assert said.err.count("removed ") == 3
    assert "waterfall.png: the results hold nothing for it" in said.err
    assert {path.name for path in copy.glob("*.png")} == {"article.png", "another.png"}
    assert (copy / "article.png").read_bytes().startswith(b"\x89PNG")
    assert "jax.png" not in (copy / "FINDINGS.md").read_text()


def test_what_cannot_be_written_and_what_cannot_be_read_are_told_apart(copy, capsys, monkeypatch):
    def unreadable(*_, **__):
        raise PermissionError(13, "Permission denied")

    (copy / "FINDINGS.md").mkdir()
    assert cli.main(["notes", "--results", str(copy), "--no-figures"]) == 2
    assert "jitcost: cannot write " in capsys.readouterr().err
    (copy / "noise").mkdir()
    (copy / "noise" / "detection.csv").write_text("kernel\n")
    monkeypatch.setattr("jitcost.show.notes.noise.pl.read_csv", unreadable)
    assert cli.main(["notes", "--results", str(copy), "--no-figures"]) == 2
    said = capsys.readouterr().err
    assert said.startswith("jitcost: cannot read ")
    assert said.endswith("detection.csv: Permission denied\n")


# one number changed by hand


def of(benchmark, *texts):
    return lambda name, params: name == benchmark and set(texts) <= set(params)


@pytest.mark.parametrize(
    "wanted",
    [
        of("elementwise.SteadyState.time_call", "'numpy'", "1000"),
        of("recursion.SteadyState.time_call", "'jax_jit'"),
        of("elementwise.FirstCall.time_first_call", "'jax_jit'"),
    ],
)
def test_one_cell_of_the_full_run_changes_the_findings(copy, everything, made, wanted):
    origin = machines(everything, OLD_RESULTS)[0].full
    change_cell(result_file(copy, origin), wanted)
    changed = said_of(copy)
    assert changed["FINDINGS.md"] != made["FINDINGS.md"]
    assert changed["ACCOUNT.md"] == made["ACCOUNT.md"]


@pytest.mark.parametrize("backend", ["jax_jit", "jax_eager"])
def test_one_cell_of_a_release_changes_the_findings(copy, everything, made, backend):
    ((_, axis),) = asked(everything)
    where = axis.where
    environment = next(name for name in axis.labels if name != where.environment)
    path = copy / where.machine / f"{where.commit[:8]}-{environment}.json"
    change_cell(path, of("elementwise.SteadyState.time_call", repr(backend), "10"))
    assert said_of(copy)["FINDINGS.md"] != made["FINDINGS.md"]


@pytest.mark.parametrize(
    ("benchmark", "text"),
    [
        ("elementwise.Variants.time_call", "'jax_jit'"),
        ("elementwise.Variants.time_call", "'numpy_sorted'"),
        ("elementwise.Operations.time_call", "'cos'"),
    ],
)
def test_one_cell_of_an_experiment_changes_the_account(copy, everything, made, benchmark, text):
    origin = accounts(everything, OLD_RESULTS)[0].row.of.origin
    change_cell(result_file(copy, origin), of(benchmark, text))
    assert said_of(copy)["ACCOUNT.md"] != made["ACCOUNT.md"]


# numbers worked out in another way


@functools.lru_cache
def content_of(path):
    return json.loads(path.read_text())


def grid_of(path, benchmark):
    content = content_of(path)
    row = content["results"].get(benchmark) or [None] * len(content["result_columns"])
    return list(itertools.product(*row[content["result_columns"].index("params")] or [()]))


def time_in(path, benchmark, *texts):
    """Return a cell's time from the file; None where it was not measured.

    Of these results the processes are not known: it is asv's median of all samples.
    """
    content = content_of(path)
    columns, row = content["result_columns"], content["results"][benchmark]
    grid = grid_of(path, benchmark)
    (place,) = (i for i, params in enumerate(grid) if sorted(params) == sorted(texts))
    value = row[columns.index("result")][place]
    return value if isinstance(value, float) and value == value else None


def test_the_large_factor_and_the_remainders_by_hand(everything, made):
    (account, *_), operations = accounts(everything, OLD_RESULTS), {}
    path = result_file(OLD_RESULTS, account.row.of.origin)
    counts = {"scale": 2, "multiply": 2} | dict.fromkeys(
        ("square", "exp", "cos", "tanh", "add", "sum"), 1
    )

    def variant(name, n):
        return time_in(path, "elementwise.Variants.time_call", repr(name), str(int(n)))

    def all_ten(n):
        if n not in operations:
            name = "elementwise.Operations.time_call"
            operations[n] = sum(k * time_in(path, name, repr(o), str(n)) for o, k in counts.items())
        return operations[n]

    n = account.largest.n
    factor = variant("numpy", n) / variant("jax_jit", n)
    said = flat(made["ACCOUNT.md"])
    assert f"At n = {n:,.0f} jit is {words.times(factor)} times as fast as NumPy" in said

    shares = []
    for part in account.row.numpy:
        if not part.missing:
            # Allocation and branches are differences that begin with NumPy's time: sorted is left.
            within = all_ten(1) + (all_ten(1_000) - all_ten(1)) * (part.n - 1) / 999
            ten = within if part.n <= 1_000 else all_ten(int(part.n))
            rest = variant("numpy_sorted", part.n) - ten
            shares.append((rest / variant("numpy", part.n), part.n))
    (most, at_most), (least, at_least) = min(shares), max(shares)
    assert (
        f"add up to {100 * (1 - least):.0f} % (n = {at_least:,.0f}) to {100 * (1 - most):.0f} % "
        f"(n = {at_most:,.0f}) of the measured time" in said
    )


def test_the_range_of_the_floor_is_that_of_the_files(everything, made):
    account = accounts(everything, OLD_RESULTS)[0]
    path = result_file(OLD_RESULTS, account.row.of.origin)
    name = "elementwise.Variants.time_call"
    at = {}
    for params in grid_of(path, name):
        variant, n = sorted(params, key=lambda text: not text.startswith("'"))
        if (time := time_in(path, name, variant, n)) is not None:
            at.setdefault(n, {})[variant.strip("'")] = time
    ratios = []
    for its in at.values():
        maths = [time for variant, time in its.items() if variant.startswith("floor_math")]
        if maths and "floor_memory" in its:
            floor = max(its["floor_memory"], min(maths))
            ratios.append(min(t for v, t in its.items() if not v.startswith("floor_")) / floor)
    said = flat(made["ACCOUNT.md"])
    ends = [words.times(ratio) for ratio in (min(ratios), max(ratios))]
    assert f"the best variant takes {ends[0]} to {ends[1]} times the floor" in said


def test_what_a_time_of_numpy_is_in_jits_with_each_release_of_jax(everything, made):
    axis = next(axis for _, axis in asked(everything) if axis.over == "jax")
    where, said = axis.where, flat(made["FINDINGS.md"])
    (n,) = re.findall(r"NumPy's time as a multiple of jit's, at n = ([\d,]+):", said)
    for environment, release in axis.labels.items():
        path = OLD_RESULTS / where.machine / f"{where.commit[:8]}-{environment}.json"
        numpy, jit = (
            time_in(path, "elementwise.SteadyState.time_call", repr(name), n.replace(",", ""))
            for name in ("numpy", "jax_jit")
        )
        assert f"{words.times(numpy / jit)} with {release}" in said


def test_how_far_apart_the_times_are_that_jax_does_not_concern(everything, made):
    axis = next(axis for _, axis in asked(everything) if axis.over == "jax")
    found = {}
    for environment in axis.labels:
        path = OLD_RESULTS / axis.where.machine / f"{axis.where.commit[:8]}-{environment}.json"
        for name in filter(lambda name: ".SteadyState." in name, content_of(path)["results"]):
            for params in grid_of(path, name):
                if not any(text.startswith("'jax") for text in params):
                    found.setdefault((name, params), []).append(time_in(path, name, *params))
    times = [[time for time in its if time is not None] for its in found.values()]
    apart = [max(its) / min(its) - 1 for its in times if len(its) > 1]
    said = flat(made["FINDINGS.md"]).partition("do not use JAX.")[2]
    assert f"exceeds its shortest by {words.percent(statistics.median(apart))} (median of" in said
    assert f"at most by {words.percent(max(apart))} (" in said


# sentences that are guarded, or chosen


def detection_rows(t_test):
    """Return the table of a kernel that `check` calls slower in none of forty unchanged pairs."""
    unchanged = Detection("NumPy", 0, 0.0, 0, 5.0, t_test, 40, 0.08, "m, NumPy 2.4.6")
    return [unchanged, replace(unchanged, work=20, slower_by=19.7, gate=38, t_test=40)]


def write_detection(folder, rows):
    (folder / "noise").mkdir(exist_ok=True)
    with (folder / "noise" / "detection.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, [one.name for one in fields(Detection)])
        writer.writeheader()
        writer.writerows(map(asdict, rows))


def test_a_guarded_sentence_that_no_longer_holds_is_named(copy, capsys):
    write_detection(copy, detection_rows(t_test=12))
    assert cli.main(["notes", "--results", str(copy), "--no-figures"]) == 0
    capsys.readouterr()
    write_detection(copy, detection_rows(t_test=0))
    before = (copy / "FINDINGS.md").read_text()
    assert cli.main(["notes", "--results", str(copy), "--no-figures"]) == 1
    said = capsys.readouterr()
    assert said.err == (
        "jitcost: the kept results do not carry the sentence 'The t test takes samples of one process "
        "for independent, and raises more false alarms.'; rewrite it in findings.md.jinja of "
        "jitcost.show.notes\n"
    )
    assert said.out == ""
    assert (copy / "FINDINGS.md").read_text() == before


CHAIN = {
    "numpy": 200e-3,
    "numpy_out": 180e-3,
    "jax_jit_unfused": 181e-3,
    "jax_jit_fused": 150e-3,
    "jax_jit_1thread": 20e-3,
    "jax_jit_sync": 10e-3,
    "jax_jit": 10e-3,
}
N = 10_000_000


MOODS = (0.99, 0.995, 1.0, 1.005, 1.01)


def variants(*rows, moods=MOODS, **times):
    """Return an account's cells at 10^7, in five processes each, and rows besides."""
    made = {
        name: {N: tuple(time * mood for mood in moods)} for name, time in (CHAIN | times).items()
    }
    return cells(*experiment(made), *rows, python="3.12", versions='{"jax": "0.12.0.1"}')


def five(time, scatter=0.01):
    return tuple(time * (1 + scatter * (i - 2)) for i in range(5))


def without_library(beyond):
    """Return the rows on both sides of 4,096 elements of what does without the library."""
    of = {
        "jax_jit": {3_162: five(40e-6), 5_000: five(20e-6)},
        "jax_jit_no_library": {3_162: five(40e-6), 5_000: five(beyond)},
    }
    return experiment(of)


SUPPORTED, NOT_SUPPORTED = without_library(60e-6), without_library(20e-6)


def account_with(made, folder):
    return flat(pages(made, folder)["ACCOUNT.md"])


def test_what_the_library_is_worth_is_said_where_the_experiments_say_it(tmp_path):
    said = account_with(variants(*SUPPORTED, jax_jit_one_loop=150e-3), tmp_path)
    assert "jit is 20 times as fast as NumPy." in said
    assert (
        "factor is library kernels and tree reduction, from `jax_jit_fused` to `jax_jit_1thread`: "
        "0.133x [0.133, 0.133], -130" in said
    )
    assert "The largest factor is that of library kernels" in said
    assert "Fusion and threads alone do not give it." in said
    assert "(`jax_jit_one_loop`), jit takes 150 ms, 15.0x [15.0, 15.0] its time with it." in said
    said = account_with(variants(*SUPPORTED, jax_jit_one_loop=15e-3), tmp_path)
    assert "do not give it" not in said
    assert "(`jax_jit_one_loop`), jit takes 15.0 ms" in said


def test_more_than_twice_the_time_is_by_the_interval(tmp_path):
    """2.5 times as long, in one of the five rounds 1.9 times."""
    rounds = {N: tuple(2.5 * 10e-3 * mood for mood in (*MOODS[:4], 1.01 * 1.9 / 2.5))}
    one_loop = experiment({"jax_jit_one_loop": rounds})
    said = account_with(variants(*SUPPORTED, *one_loop), tmp_path)
    assert "(`jax_jit_one_loop`), jit takes" in said
    assert "do not give it" not in said


@pytest.mark.parametrize(
    "made",
    [
        variants(*NOT_SUPPORTED),
        variants(),  # no experiment on the cause
        variants(*SUPPORTED, jax_jit=25e-3),  # eight times as fast
        variants(*SUPPORTED, jax_jit_unfused=1e-3 * 180, jax_jit_fused=21e-3),  # fusion's
    ],
)
def test_the_library_is_not_said_to_be_the_largest_part_otherwise(made, tmp_path):
    assert "The largest factor is that of library kernels" not in account_with(made, tmp_path)


def test_the_account_says_the_other_where_the_other_was_measured(tmp_path):
    slow = account_with(variants(jax_jit=300e-3), tmp_path)
    assert "At n = 10,000,000 jit is 0.67 times as fast as NumPy, less than ten." in slow
    assert "jit is significantly slower than NumPy at n = 10,000,000, of the sizes that" in slow
    assert (
        "With synchronous dispatch (`jax_jit_sync`) it takes 0.05 times NumPy's time at n = "
        "10,000,000. It is then significantly faster at this size: the hand-off accounts for the "
        "slowdown." in slow
    )
    assert "The change with the largest factor is hand-off" in slow
    assert "The hand-off to another thread was not measured." in slow
    fast = account_with(variants(), tmp_path)
    assert "jit is significantly slower than NumPy at none of the measured sizes" in fast


def test_the_hand_off_accounts_for_a_slowdown_that_goes_with_it_at_every_size(tmp_path):
    def said(sync):
        times = {
            "numpy": {1_000: five(10e-6), 3_162: five(30e-6)},
            "jax_jit": {1_000: five(20e-6), 3_162: five(40e-6)},
            "jax_jit_sync": {n: five(time) for n, time in sync.items()},
        }
        return account_with(cells(*experiment(times)), tmp_path)

    both = said({1_000: 8e-6, 3_162: 27e-6})
    assert "it takes 0.80 to 0.90 times NumPy's time at n = 1,000 and 3,162." in both
    assert "significantly faster at each of them: the hand-off accounts for the slowdown." in both
    equal = said({1_000: 8e-6, 3_162: 30e-6})  # not slower, and not faster either
    assert "it takes 0.80 to 1.00 times NumPy's time at n = 1,000 and 3,162." in equal
    assert "accounts for" not in equal
    one = said({1_000: 8e-6})  # of the other nothing is known
    assert "it takes 0.80 times NumPy's time at n = 1,000." in one
    assert "accounts for" not in one
    still = said({1_000: 8e-6, 3_162: 39e-6})
    assert "At n = 3,162 it is significantly slower then, too." in still
    assert "accounts for" not in still


def test_numpys_parts_add_up_to_shares_of_its_time(tmp_path):
    """Ten operations of 1 us and 10 ns for each further element: 19.99 us at n = 1,000."""
    operations = {
        name: {1: five(1e-6, 0), 1_000: five(1e-6 + 999e-9, 0)}
        for name in ("scale", "square", "multiply", "exp", "cos", "tanh", "add", "sum")
    }
    one = {name: {1_000: five(25e-6, 0)} for name in ("numpy", "numpy_sorted")}
    times = one | {"numpy_out": {1_000: five(26e-6, 0)}, "jax_jit": {1_000: five(9e-6, 0)}}
    made = cells(*experiment(times), *experiment(operations, "Operations"))
    said = account_with(made, tmp_path)
    # 10 and 9.99 us, mispredicted 1 us, allocation -1 us: 19.99 of 25
    assert (
        "Where all of them were measured (one size) they add up to 80 % (n = 1,000) of the measured "
        "time. The parts' shares of NumPy's time: interpreter and dispatch 40 %, arithmetic 40 %, "
        "mispredicted branches 4 %, allocation -4 %. A share below zero means that the time without "
        "the part was the longer one." in said
    )
    without = account_with(cells(*experiment(times)), tmp_path)
    assert "All of NumPy's parts were measured at none of the sizes." in without


def test_neighbouring_sizes_of_which_the_same_is_said_share_a_line(tmp_path):
    rounds = (
        0.99,
        0.995,
        1.0,
        1.005,
        1.01,
    )  # of five, an interval goes from the smallest to the largest
    base = {10: 4e-6, 100: 8e-6, 1_000: 40e-6, 10_000: 400e-6}
    shares = {10: 1.0, 100: 0.95, 1_000: 0.90, 10_000: 1.25}
    times = {
        "jax_jit": {n: (t,) * 5 for n, t in base.items()},
        "jax_scan_unroll4": {
            n: tuple(shares[n] * t * factor for factor in rounds) for n, t in base.items()
        },
    }
    made = cells(*experiment(times, workload="recursion"), python="3.12")
    said = pages(made, tmp_path)["ACCOUNT.md"].replace("\\", "")
    assert "No variants of `elementwise` are kept." in said
    lines = [line for line in said.splitlines() if line.startswith("| jax_scan_unroll4")]
    assert [line.split(" | ", 2)[2] for line in lines] == [
        "10 | 4.00 µs | not significantly different |",
        "100 to 1,000 | 7.60 µs to 36.0 µs | faster by 5 % [4, 6] to 10 % [9, 11] |",
        "10,000 | 500 µs | slower by 25 % [24, 26] |",
    ]


def test_a_release_that_makes_something_slower_is_told(tmp_path):
    times = {"numpy": runs(1e-5, count=8), "jax_jit": runs(1e-6, (4, 2.0), count=8)}
    said = flat(pages(over_releases(times, sizes=(1000,)), tmp_path)["FINDINGS.md"])
    assert "Changes: `elementwise` at n = 1,000 with 0.8.3, slower by" in said
    assert "No release was found that made `elementwise` slower" not in said
    quiet = {"numpy": runs(1e-5, count=8), "jax_jit": runs(1e-6, count=8)}
    said = flat(pages(over_releases(quiet, sizes=(1000,)), tmp_path)["FINDINGS.md"])
    assert "Changes:" not in said
    assert (
        "No release was found that made `elementwise` slower, in series of five runs or more."
        in said
    )
    assert "No step or drift of 5 % or more" in said


def test_of_few_releases_nobody_says_that_nothing_has_changed(tmp_path):
    times = {"numpy": runs(1e-5, count=3), "jax_jit": runs(1e-6, (2, 2.0), count=3)}
    made = over_releases(times, releases=("0.4.38", "0.5.3", "0.6.2"))
    text = pages(made, tmp_path)["FINDINGS.md"]
    assert "With three releases, fewer than five, `jitcost changes` cannot be asked." in flat(text)
    assert "was found that made" not in text
    assert not re.search(r"(?m)^-$", text)


def test_a_drift_is_a_change_and_makes_slower(tmp_path):
    drifting = [1e-6 * 1.02**number for number in range(12)]
    made = over_commits({"numpy": runs(1e-5), "numba": drifting, "python": runs(1e-4)})
    (along,) = History.of(made).over("commits")
    assert {row.kind for row in along.told_of(along.rows)} == {"drift"}
    first, last = COMMITS[0][:8], COMMITS[-1][:8]
    (said,) = along.said_of(along.series("numba", "time"))
    # The medians of four runs on either side are eight runs of 2 % apart: 17 %, and NumPy's noise.
    change = rf"`elementwise` at n = 1,000 by a drift from {first} to {last}, slower by 1[678] % \["
    assert re.match(change, said)
    text = flat(pages(made, tmp_path)["FINDINGS.md"])
    assert "No commit was found that made a kernel slower" not in text


def test_a_compile_cost_and_a_time_are_named_apart_and_backends_where_there_are_several():
    def every(kind, **times):
        return [
            made.with_columns(kind=pl.lit(kind), benchmark=pl.lit(f"elementwise.{kind}.{method}"))
            for method in ["time_first_call" if kind == "FirstCall" else "time_call"]
            for made in [over_releases(times)]
        ]

    warm = {"numpy": runs(1e-5, count=8), "jax_jit": runs(1e-6, (4, 2.0), count=8)}
    cold = {"jax_jit": runs(1e-1, (4, 3.0), count=8)}
    made = pl.concat([*every("SteadyState", **warm), *every("FirstCall", **cold)])
    (along,) = History.of(made).over("jax")
    said = along.said_of(along.series("jax_jit", "time", "C"))
    assert [text.partition(" with ")[0] for text in sorted(said)] == [
        "`elementwise` at n = 1,000",
        "the compile cost of `elementwise` at n = 1,000",
    ]
    both = {"numba": runs(1e-6, (4, 2.0)), "jax_jit": runs(2e-6, (8, 2.0)), "numpy": runs(1e-5)}
    both["python"] = runs(1e-4)
    (along,) = History.of(over_commits(both)).over("commits")
    assert [text.partition(" with ")[0] for text in along.said_of(along.rows)] == [
        "`elementwise` on numba at n = 1,000",
        "`elementwise` on jax_jit at n = 1,000",
    ]


def test_how_often_a_tenth_is_missed_is_what_the_simulation_counts():
    text = (ROOT / "analysis" / "STATISTICS.md").read_text(encoding="utf-8")
    (line,) = re.findall(r"(?m)^steps, 10 % in 9 runs: found (.*)$", text)
    (columns,) = re.findall(r"(?m)^processes differ by (.*)$", text)
    found = dict(zip(columns.split(), map(float, line.split()), strict=True))
    assert 40 < found["3%"] < 60


def test_the_largest_steps_are_those_of_the_largest_factors():
    times = {
        "numpy": runs(1e-5, count=8),
        "python": runs(1e-4, count=8),
        "jax_jit": runs(1e-6, (2, 1.5), (5, 1 / 4), count=8),
        "jax_eager": runs(1e-4, (3, 2.0), (6, 3.0), count=8),
    }
    made = over_releases(times, sizes=(1_000, 10_000))
    found = largest_steps(History.of(made).changes)
    # Both sizes step alike, and one of them is told.
    assert [(row.backend, row.at) for row in found] == [
        ("jax_jit", "0.9.2"),
        ("jax_eager", "0.10.2"),
        ("jax_eager", "0.7.2"),
    ]


def test_what_is_said_in_short(tmp_path):
    made = over_releases(
        {"numpy": runs(1e-5, count=8), "jax_jit": runs(1e-6, (4, 2.0), count=8)},
    )
    newest = {"commit": "c" * 40, "python": "3.12"}
    first = {1_000: five(150e-6), 10_000: five(5.02e-3)}
    rows = [
        *steady("numpy", {1_000: five(5e-6), 10_000: five(70e-6)}, **newest),
        *steady("jax_jit", {1_000: five(9e-6), 10_000: five(20e-6)}, **newest),
        *steady("jax_jit", first, kind="FirstCall", **newest),
    ]
    write_check(tmp_path, check_cell(1.02), check_cell(0.98), check_cell(1.04, "slower"))
    text = pages(pl.concat([made, cells(*rows)]), tmp_path)["FINDINGS.md"]
    said = flat(text.partition("## In short")[2].partition("## ")[0])
    assert (
        "[The machine's own noise](#the-machines-own-noise): `jitcost check` of the same code called "
        "1 of three cells slower or faster; the median difference is 2 %." in said
    )
    assert "jax_jit in 1 of 2 and numpy in 1 of 2 cells" in said
    # 5 ms saved 50 us at a time
    assert "m\\* of `elementwise` under jit against NumPy at n = 10,000: 100 [" in said
    assert "JAX 0.8.3: `elementwise` on jax_jit at n = 1,000 slower by" in said
    (tmp_path / "noise" / "m.check").unlink()
    assert "In short" not in said_with(cells(*steady("numpy", {10: 1e-6})), tmp_path)


def test_the_lines_in_short_are_of_the_machine_that_has_the_most(tmp_path):
    quiet = over_commits({"numpy": runs(1e-5), "numba": runs(1e-6), "python": runs(1e-4)})
    stepping = over_releases(
        {"numpy": runs(1e-5, count=8), "jax_jit": runs(1e-6, (4, 2.0), count=8)}
    )
    made = pl.concat([quiet, stepping.with_columns(machine=pl.lit("other"))])
    text = said_with(made, tmp_path)
    said = flat(text.partition("## In short")[2].partition("## ")[0])
    assert "(`m`): most often among the fastest are numba in 1 of 1 cells" in said
    assert "0.8.3" not in said
    assert "0.8.3" in text


def test_what_the_article_leaves_open_is_judged_at_the_accounts_origin(tmp_path):
    full = cells(*steady("numpy", {100: five(8e-6)}), python="3.12")
    other = variants(jax_jit_fused=60e-3).with_columns(environment=pl.lit("virtualenv-py3.13"))
    text = said_with(pl.concat([full, other]), tmp_path).partition("## The article's claims")[2]
    claimed, explained = re.findall(r"(?m)^\*\*(.*)\*\*$", text)
    assert claimed.endswith("1 holds, 26 not measured")
    assert explained.endswith("2 supported, 1 not measured")
    assert "py3.13" in explained
    assert "py3.13" not in claimed


@pytest.mark.parametrize(
    ("gate", "t_test", "pairs", "apart"),
    [
        (0, 12, 120, True),  # at most 3.0 %, and at least 5.3 %
        (0, 5, 40, False),  # at most 8.8 %, and at least 4.2 %
        (3, 12, 120, False),  # at most 7.1 %
        (12, 0, 120, False),
    ],
)
def test_a_rate_is_the_higher_one_where_the_exact_intervals_are_apart(gate, t_test, pairs, apart):
    assert Alarms(gate, t_test, pairs).apart is apart


def test_who_wins_where_is_said_in_ranges_and_counted(tmp_path):
    made = cells(
        *steady("numpy", {10: five(5e-6), 100: five(6e-6), 1_000: five(7e-6), 10_000: five(80e-6)}),
        *steady("numba", {10: five(1e-6), 100: five(2e-6), 1_000: five(9e-6), 10_000: five(90e-6)}),
        *steady("julia", {10: five(2e-6), 100: five(2e-6), 1_000: five(7e-6)}),
    )
    text = pages(made, tmp_path)["FINDINGS.md"]
    said = flat(text)
    assert "\n## Julia\n\nOf three" in text
    row = "10: numba; 100: numba and julia; 1,000: numpy and julia; 10,000: numpy"
    assert f"| elementwise | numpy | {row} |" in text
    assert (
        "numba in 2 of 4 (1 alone), numpy in 2 of 4 (1 alone), julia in 2 of 3 (0 alone)." in said
    )
    assert (
        "Of three cells that both ran, Julia is significantly faster than Numba in 1 and significantly "
        "slower in 1. Its time is 1.00 times Numba's in the median." in said
    )
    # 9 and 7 µs at 1,000, 2 and 6 at 100: on logarithmic axes the lines cross at 590.
    across = math.log(3) / (math.log(3) + math.log(9 / 7))
    n = 100 * 10**across
    assert f"| elementwise | numba | numpy | {float(f'{n:.2g}'):,.0f} | 100 and 1,000 |" in text


def test_when_compiling_has_paid_is_said_for_each_backend(tmp_path):
    made = cells(
        *steady("numpy", {1_000: five(30e-6)}),
        *steady("numba", {1_000: five(20e-6)}),
        *steady("jax_jit", {1_000: five(50e-6)}),
        *steady("numba", {1_000: five(100e-3)}, kind="FirstCall"),
        *steady("jax_jit", {1_000: five(100e-3)}, kind="FirstCall"),
    )
    (line,) = re.findall(
        r"^\| elementwise \| numpy \| 1,000 \| .*", said_with(made, tmp_path), re.M
    )
    never, pays = line.split(" | ")[3:]
    assert never == "never"
    assert pays.startswith(f"{math.ceil((100e-3 - 20e-6) / 10e-6):,} [")


def test_how_far_times_are_apart_over_commits(tmp_path):
    times = [1e-6] * 6 + [1.5e-6] + [1.2e-6] * 5
    text = said_with(over_commits({"numpy": runs(1e-5), "numba": times}), tmp_path)
    assert "Twelve commits" not in text
    assert "12 commits (m, Python 3.12)." in flat(text)
    assert "| elementwise | numba | 50 % |" in text


def test_a_cell_that_was_measured_once_has_no_range(tmp_path):
    once = cells(*steady("numba", {10: 1e-6}, **on(3)))
    made = pl.concat([over_commits({"numpy": runs(1e-5), "numba": runs(1e-6)}), once])
    text = said_with(made, tmp_path)
    assert not re.search(r"\| 0 %", text)
    assert "n = 10 |" not in text.partition("Range of each cell")[2].partition("## ")[0]


def test_workloads_of_others_are_not_said_to_be_the_articles(tmp_path):
    text = said_with(cells(*steady("numpy", {10: 1e-6}, workload="kalman")), tmp_path)
    assert "The article's workloads in full" not in text


# results of other shapes


def test_results_of_one_backend_and_one_size(tmp_path):
    said = pages(cells(*steady("numpy", {10: 1e-6}), python="3.12"), tmp_path)
    assert set(said) == {"FINDINGS.md"}
    assert "`m`: the processor is not recorded; Python 3.12." in said["FINDINGS.md"]
    assert "no unchanged pair is kept" in said["FINDINGS.md"]
    assert "The processes are recorded for none of the times." in said["FINDINGS.md"]
    assert "| elementwise | numpy | 10: numpy |" in said["FINDINGS.md"]


def test_results_with_processes_are_said_to_be_theirs(tmp_path):
    times = {10: (1e-6, 1.01e-6, 1.02e-6, 1.03e-6, 1.04e-6)}
    made = cells(*steady("numpy", times), *steady("julia", times), python="3.13")
    said = flat(pages(made, tmp_path)["FINDINGS.md"])
    assert "Each time is the median of its processes, and its interval is theirs." in said
    assert "10: numpy and julia" in said


def test_results_without_variants_have_no_account(everything, tmp_path):
    kinds = ["Variants", "Operations", "VectorFunctions", "Floors"]
    without = everything.filter(~pl.col("kind").is_in(kinds))
    assert set(pages(without, OLD_RESULTS)) == {"FINDINGS.md"}
    alone = everything.filter(pl.col("kind").is_in(kinds))
    assert "No run is kept that answers this." in pages(alone, OLD_RESULTS)["FINDINGS.md"]


def test_two_machines_have_their_own_answers(tmp_path):
    one = over_commits({"numpy": runs(1e-5), "numba": runs(1e-6)})
    other = one.with_columns(machine=pl.lit("other"))
    said = pages(pl.concat([one, other]), tmp_path)["FINDINGS.md"]
    for name in ("m", "other"):
        assert f"The run shown for `{name}` is the newest with" in flat(said)
        assert f"- `{name}`: no unchanged pair is kept" in flat(said)
    assert said.count("## This project's own commits") == 2


def odd(made, **names):
    """Return cells of an origin whose names somebody has typed."""
    return made.with_columns(**{name: pl.lit(text) for name, text in names.items()})


def test_names_that_xml_cannot_hold_find_their_origin(tmp_path):
    made = pl.concat([variants(), cells(*steady("numpy", {10: 1e-6}), python="3.12")])
    for number, break_ in enumerate(("\\n", "\\u2028")):
        made_odd = odd(made, machine=f"m\u3000{number}", env_vars=f'{{"FLAGS": "a{break_}b"}}')
        text = pages(made_odd, tmp_path)
        assert f"`m\u3000{number}` is the newest" in text["FINDINGS.md"].replace("\n", " ")
        assert "## JAX 0.12.0.1, Python 3.12, on m" in text["ACCOUNT.md"]


def test_accounts_under_two_settings_have_each_its_own_releases(tmp_path):
    newer = variants().with_columns(versions=pl.lit('{"jax": "0.13.0"}'))
    made = pl.concat([odd(variants(), env_vars='{"A": "1"}'), odd(newer, env_vars='{"A": "2"}')])
    titles = [one.place.versions["jax"] for one in accounts(made, tmp_path)]
    assert titles == ["0.13.0", "0.12.0.1"]


def test_names_are_shown_as_they_are(tmp_path):
    (tmp_path / "<lab>").mkdir()
    about = {"machine": "<lab>", "cpu": "a *fast* <b>CPU</b>", "version": 1}
    (tmp_path / "<lab>" / "machine.json").write_text(json.dumps(about))
    made = pl.concat([over_commits({"numpy": runs(1e-5), "numba": runs(1e-6)}), variants()])
    text = pages(odd(made, machine="<lab>"), tmp_path)
    findings = flat(text["FINDINGS.md"])
    assert r"- `<lab>`: a \*fast\* \<b\>CPU\</b\>; Python 3.12." in findings
    assert r"12 commits (\<lab\>, Python 3.12)." in findings
    assert r"on \<lab\>" in re.findall("(?m)^## .*", text["ACCOUNT.md"])[0]


def test_a_release_is_named_as_it_is(tmp_path):
    """What is asked for by a repository has what was typed as its label."""
    names = tuple(f"{release}+<a_b>" for release in ("0.4.38", "0.5.3", "0.6.2", "0.7.2", "0.8.3"))
    times = {"numpy": runs(1e-5, count=5), "jax_jit": runs(1e-6, (2, 2.0), count=5)}
    (along,) = History.of(over_releases(times, releases=names)).over("jax")
    row = along.told_of(along.rows)[:1]
    (said,) = along.said_of(along.rows)
    assert row[0].label != plain.escaped(row[0].label)
    assert f"with {plain.escaped(row[0].label)}," in said


def test_a_time_of_zero_is_no_time(tmp_path):
    """Of an axis, and of the runs that speak for a machine: what is zero is passed over."""
    times = {"numpy": runs(1e-5, count=8), "python": [0.0] * 8, "jax_jit": runs(1e-6, count=8)}
    times["numpy"][3] = 0.0
    text = said_with(over_releases(times), tmp_path)
    assert "Over its eight releases the longest time of a cell exceeds" in flat(text)
    said_with(over_commits({"numpy": [0.0, *runs(1e-5, count=11)], "numba": [0.0] * 12}), tmp_path)


def test_what_no_interval_supports_has_the_mark_that_it_has_everywhere(tmp_path):
    once = {10: (1e-6,)}
    made = cells(*steady("numpy", once), *steady("numba", {10: (2e-6,)}), python="3.12")
    text = said_with(made, tmp_path)
    assert "10: numpy (*) |" in text
    assert PROVISIONAL in text
    judged = cells(*steady("numpy", {10: five(1e-6)}), *steady("numba", {10: five(2e-6)}))
    assert PROVISIONAL not in said_with(judged, tmp_path)


# the machine's noise, and how long it took


def check_cell(ratio, verdict="not significantly different", processes=5, n=10):
    return {
        "benchmark": "elementwise.SteadyState.time_call",
        "workload": "elementwise",
        "params": {},
        "backend": "numpy",
        "n": n,
        "ratio": ratio,
        "verdict": verdict,
        "processes": processes,
    }


def write_check(folder, *its):
    side = {"versions": {"numpy": "2.4.6"}}
    check = {"earlier": side, "later": side, "cells": its, "finished": True}
    (folder / "noise").mkdir()
    (folder / "noise" / "m.check").write_text(json.dumps(check))


def test_an_unchanged_pair_is_told(tmp_path):
    kept = [check_cell(1.002), check_cell(0.95, "faster", 10, 1000), check_cell(1.01)]
    failed = check_cell(None, "broken", 0)
    write_check(tmp_path, *kept, failed)
    said = flat(pages(cells(*steady("numpy", {10: 1e-6})), tmp_path)["FINDINGS.md"])
    assert (
        "`m`: `jitcost check` of two commits with the same code compared three cells, in 5 to 10 "
        "processes of each side. It called no cells slower and one cell faster. The median difference "
        "between the two sides is 1 %; the ratio farthest from 1 is 0.950 (`elementwise` on numpy, "
        "n = 1,000)." in said
    )
    (tmp_path / "noise" / "m.check").write_text("[]")
    with pytest.raises(BadCallError, match=r"m\.check is no answer of a gate; make one with"):
        unchanged_pair(tmp_path, "m")
    (tmp_path / "noise" / "detection.csv").write_text("kernel,work\nNumPy,0\n")
    with pytest.raises(BadCallError, match=r"detection\.csv is no table of"):
        detection(tmp_path)


def test_what_is_kept_of_the_noise_is_no_result(copy, everything):
    (copy / "noise").mkdir()
    (copy / "noise" / "vm.check").write_text("{}")
    assert len(results.read(copy)) == len(everything)


def test_a_machine_may_be_called_noise(tmp_path):
    shutil.copytree(OLD_RESULTS / "vm", tmp_path / "noise")
    shutil.copyfile(OLD_RESULTS / "benchmarks.json", tmp_path / "benchmarks.json")
    assert len(results.read(tmp_path)) > 0


def test_how_long_a_set_took_is_from_its_processes(tmp_path):
    name, params = "recursion.SteadyState.time_call", [["10"], ["'numpy'"]]
    content = {
        "commit_hash": "a" * 40,
        "env_name": "e",
        "date": 1_700_000_000_000,
        "params": {"machine": "m"},
        "python": "3.12",
        "requirements": {},
        "env_vars": {},
        "result_columns": ["result", "params", "version", "samples"],
        "results": {name: [[2e-6], params, "1", [[2e-6, 3e-6]]]},
        "durations": {},
        "version": 2,
    }
    (tmp_path / "m").mkdir()
    (tmp_path / "m" / "aaaaaaaa-e.json").write_text(json.dumps(content))
    told = {"benchmark": name, "params": ["10", "'numpy'"], "m": 1}
    lines = [
        told | {"started": "2026-11-30T18:40:00.0+00:00", "seconds": 90.0},
        told | {"started": "2026-11-30T18:45:00.0+00:00", "seconds": 60.0},
    ]
    (tmp_path / "m" / "aaaaaaaa-e.processes").write_text("\n".join(map(json.dumps, lines)) + "\n")
    said = said_of(tmp_path)["FINDINGS.md"]
    assert "| 1 | 2 | 2.5 min | 2026-11-30 18:40 to 2026-11-30 18:46 |" in said


def test_variants_are_a_set_beside_the_release_that_they_share_an_environment_with(tmp_path):
    times = {"numpy": runs(1e-5, count=8), "jax_jit": runs(1e-6, count=8)}
    shared = on(0) | {
        "environment": f"virtualenv-py3.12-jax{RELEASES[0]}",
        "versions": json.dumps({"jax": RELEASES[0], "numba": "0.68.1", "numpy": "2.4.6"}),
    }
    variants = cells(*(row | shared for row in experiment({"numpy": {10: 1e-6, 100: 2e-6}})))
    text = said_with(pl.concat([over_releases(times), variants]), tmp_path)
    (of_variants,) = re.findall(r"\| variants \| m \| .*", text)
    assert f"| JAX {RELEASES[0]}, Numba 0.68.1, NumPy 2.4.6 | 2 |" in of_variants
    # of eight releases all but the one of the newest results, at one size on two backends each
    (of_releases,) = re.findall(r"\| releases of JAX \| .*", text)
    assert "| 14 |" in of_releases


def test_two_commits_with_nothing_in_common_are_no_history(tmp_path):
    """Of one environment: times at the one commit, variants at the other."""
    variants = cells(*(row | on(1) for row in experiment({"numpy": {10: 1e-6}})))
    timed = cells(*(row | on(0) for row in steady("numpy", {10: 1e-6, 100: 2e-6})))
    assert "own commits" not in said_with(pl.concat([timed, variants]), tmp_path)


def test_two_commits_are_two_sets_and_five_are_a_history(tmp_path):
    two = over_commits({"numpy": runs(1e-5)}).filter(pl.col("commit").is_in(COMMITS[:2]))
    assert len(re.findall(r"\| workloads \| m \| ", said_with(two, tmp_path))) == 2
    text = said_with(over_commits({"numpy": runs(1e-5)}), tmp_path)
    assert len(re.findall(r"\| commits \| m \| .* 12 commits ", text)) == 1


# the pieces


@pytest.mark.parametrize("module", [words, rendering, plain])
def test_the_examples_in_the_docstrings_run(module):
    done = doctest.testmod(module)
    assert done.failed == 0
    assert done.attempted > 0


def test_a_number_stays_with_its_unit_and_a_table_as_it_is():
    row = f"| {'x' * 30} | 1 ms |"
    said = rendering.wrapped(f"It takes 12 ms [11, 13] µs here.\n{row}\n\n\n\n- One\nitem", 14)
    assert said == f"It takes 12 ms\n[11, 13] µs\nhere.\n{row}\n\n- One item\n"


def test_without_a_folder_the_command_says_so_in_one_line(capsys, tmp_path):
    assert cli.main(["notes", "--results", str(tmp_path / "absent")]) == 2
    assert capsys.readouterr().err.startswith("jitcost: no results folder")
