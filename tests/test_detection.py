"""How small a slowdown the gate finds: what FINDINGS says of it is what the kept processes say."""

import re

import polars as pl
import pytest

import measure_detection
from conftest import ROOT

FINDINGS = (ROOT / "analysis" / "history" / "FINDINGS.md").read_text()
NAMES = {"numpy": "NumPy", "numba": "Numba", "jit": "jit, two threads"}


@pytest.fixture(scope="module")
def kept():
    return pl.read_parquet(measure_detection.KEPT)


@pytest.fixture(scope="module")
def rows(kept):
    return {(row["kernel"], row["more work"]): row for row in measure_detection.table(kept)}


def test_the_table_is_what_the_processes_say(rows):
    for (kernel, work), row in rows.items():
        line = (
            f"| {NAMES[kernel]} | {work} % | {row['slower by']:.1f} % | {row['gate']} | "
            f"{row['gate processes']:.0f} | {row['t test']} |"
        )
        assert line in FINDINGS


def test_the_noise_is_the_processes(kept):
    for kernel, name in NAMES.items():
        assert f"{name} {100 * measure_detection.noise(kept, kernel):.0f} %" in FINDINGS


def test_there_are_forty_pairs_of_thirty_processes_of_each_kernel(kept):
    counts = kept.group_by("kernel", "level").len()
    assert set(counts["len"]) == {40 * 30}
    assert len(counts) == 3 * 4


def test_unchanged_kernels_raise_hardly_any_alarm_and_five_per_cent_is_found(rows):
    assert all(rows[kernel, 0]["gate"] <= 2 for kernel in NAMES)
    assert all(rows[kernel, 5]["gate"] >= 34 for kernel in ("numpy", "numba"))


def test_no_other_number_of_the_section_is_left_to_chance(rows):
    section = FINDINGS.partition("## How small a slowdown the gate finds")[2].partition("\n## ")[0]
    said = [int(one) for one in re.findall(r"(\d+) of 120", section)]
    assert said == [
        sum(rows[kernel, 0]["gate"] for kernel in NAMES),
        sum(rows[kernel, 0]["t test"] for kernel in NAMES),
    ]
