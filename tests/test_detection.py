"""How small a slowdown the gate finds: the kept table, and the page, say what the kept processes say."""

import dataclasses

import polars as pl
import pytest
from scipy import stats

import measure_detection
from conftest import ROOT
from jitcost.show.notes.noise import detection

HISTORY = ROOT / "analysis" / "history"
FINDINGS = (HISTORY / "FINDINGS.md").read_text(encoding="utf-8")
SECTION = FINDINGS.partition("## How small a slowdown the gate finds")[2].partition("\n## ")[0]


@pytest.fixture(scope="module")
def kept():
    return pl.read_parquet(measure_detection.KEPT)


@pytest.fixture(scope="module")
def rows():
    return {(row.kernel, row.work): row for row in detection(HISTORY)}


def test_the_table_is_what_the_processes_say(kept, rows):
    for row in measure_detection.table(kept):
        said = dataclasses.asdict(rows[row.kernel, row.work])
        assert said == pytest.approx(dataclasses.asdict(row))
        line = (
            f"| {row.kernel} | {row.work} % | {row.slower_by:.1f} % | {row.gate} | "
            f"{row.gate_processes:.1f} | {row.t_test} |"
        )
        assert line in SECTION


def test_every_kernel_has_a_row_for_each_amount_of_work(rows):
    assert set(rows) == {
        (name, level)
        for name in measure_detection.NAMES.values()
        for level in measure_detection.LEVELS
    }


def test_the_spread_is_the_processes(kept, rows):
    for kernel, name in measure_detection.NAMES.items():
        base = kept.filter(kernel=kernel, level=0)["samples"].list.min().to_list()
        low, high = stats.scoreatpercentile(base, [5, 95])
        assert rows[name, 0].spread == pytest.approx(high / low - 1, rel=0.05)
        assert f"{name} {100 * rows[name, 0].spread:.0f} %" in " ".join(SECTION.split())


def test_there_are_forty_pairs_of_thirty_processes_of_each_kernel(kept, rows):
    counts = kept.group_by("kernel", "level").len()
    assert set(counts["len"]) == {40 * 30}
    assert len(counts) == 3 * 4
    assert {row.pairs for row in rows.values()} == {40}


def test_unchanged_kernels_raise_hardly_any_alarm_and_five_per_cent_is_found(rows):
    names = measure_detection.NAMES
    assert all(rows[name, 0].gate <= 2 for name in names.values())
    assert all(rows[names[kernel], 5].gate >= 34 for kernel in ("numpy", "numba"))


def test_the_alarms_are_counted_over_all_unchanged_pairs(rows):
    unchanged = [row for row in rows.values() if row.work == 0]
    said = " ".join(SECTION.split())
    assert f"slower in {sum(row.gate for row in unchanged)} of 120 pairs" in said
    assert f"in {sum(row.t_test for row in unchanged)} of 120." in said
