"""Whatever stands in result files, every question answers or says in a line what is wrong.

    FUZZ_EXAMPLES=5000 python -m pytest tests/test_mutated_files.py    # others each time; minutes

Real results are mutated: cut short, of other types, with numbers beyond all bounds, nested deeply, in
odd encodings. Nobody's kept files may change by being read.
"""

import contextlib
import copy
import functools
import io
import itertools
import json
import math
import os
import shutil
import tempfile
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jitcost import cli
from jitcost.errors import JitcostError
from jitcost.store import results
from jitcost.store.finding import paths
from jitcost.store.keeping import keep
from making_results import OLD_RESULTS

MACHINE = OLD_RESULTS / "vm"

EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", "60"))

# What a person waits for, of files that are read in a tenth of a second; more where the machine is busy.
SECONDS = int(os.environ.get("FUZZ_SECONDS", "20"))

QUESTIONS = [
    "results --json",
    "results --format csv",
    "results --all-commits",
    "results --processes --json",
    "compare",
    "compare --json",
    "compare --format html",
    "fit",
    "fit --json",
    "breakeven",
    "breakeven --json",
    "crossover",
    "plan recursion --n 1000 --calls 100",
    "plan elementwise --n 123 --calls 1000000 --json",
    "predict",
    "claims",
    "claims --json",
    "account",
    "account --json",
    "history",
    "history --json",
]

# What takes seconds: a page with figures.
SLOW = ["report", "figure compare fit history account"]

_LINE = "\N{LINE SEPARATOR}"
TEXTS = ["", "text", "NaN", "\N{SNOWMAN}", "[red]x[/]", "a\0b\nc", _LINE, "x" * 5_000, "../../x"]
TEXTS += ["-1", "10**9", "1e999", "'numpy'", "numpy", "{}", "SteadyState", "\N{RIGHT-TO-LEFT MARK}"]

NUMBERS = [0, -1, 1, 2**31, 2**63, 2**64, -(2**63), 10**30, 0.0, -0.0, 5e-324, 1e-300, 1e300]
NUMBERS += [-1e-6, 1e-6, 0.1, 253_402_300_800_000, True]

# What no Python object stands for: JSON texts.
RAW = [
    "NaN",
    "Infinity",
    "-Infinity",
    "1e400",
    "-1e400",
    "1" * 5_000,
    "0." + "1" * 5_000,
    "01",
    "+1",
]
RAW += ["[" * 100_000, "[" * 500 + "]" * 500, '{"a":' * 900 + "1" + "}" * 900, "'x'", "None", ""]
RAW += ['"\\ud800"', '"\\udc00\\ud800"', '"\\ud83d\\ude00"', '"\\x"', "tru", "// comment", '"\t"']

VALUES = [None, False, [], {}, [None], [[]], [[[1]]], {"a": 1}, [1, "2", None], [["1"] * 50] * 6]

WAYS = ["other", "raw", "gone", "number", "twice", "numbers", "scaled", "text", "sibling"]

OTHERS = st.one_of(
    *map(st.sampled_from, (VALUES, NUMBERS, TEXTS)), st.floats(), st.integers(), st.text(max_size=9)
)


@functools.cache
def kept():
    """Return a results folder by name of file: experiments, two releases, processes that told."""
    names = ("benchmarks.json", "vm/machine.json")
    files = {name: json.loads((OLD_RESULTS / name).read_bytes()) for name in names}
    for number, path in enumerate(paths(OLD_RESULTS)):
        made = json.loads(path.read_bytes())
        at = made["result_columns"].index("samples")
        lines = []
        for name, row in () if number % 2 else made["results"].items():
            values, grid, *_ = row
            row += [None] * (at + 1 - len(row))
            row[at] = [value and [value * (1 + k / 99) for k in range(6)] for value in values]
            about = {"benchmark": name, "m": 9, "started": "2026-01-01T00:00:00Z", "error": 1e-15}
            cells = [about | {"params": texts} for texts in itertools.product(*grid)]
            lines += [cell for cell in cells for _ in range(3)]
        files[f"vm/{path.name}"] = made
        files[f"vm/{path.stem}.provenance"] = json.loads(
            path.with_suffix(".provenance").read_bytes()
        )
        if lines:
            files[f"vm/{path.stem}.processes"] = lines
    return {name: json.dumps(made) for name, made in files.items()}


def mutated_tree(draw, text):
    """Return a JSON text with something in it replaced, gone, doubled, or every number another."""
    tree = json.loads(text)
    for number in range(draw(st.integers(1, 3))):
        here, key = [tree], 0
        if "results" in tree and draw(
            st.booleans()
        ):  # what most of a file is, and most questions of
            here, key = tree, "results"
        while isinstance(here[key], list | dict) and here[key] and draw(st.integers(0, 5)):
            here = here[key]
            keys = list(here) if isinstance(here, dict) else range(len(here))
            key = draw(st.sampled_from(keys))
        match draw(st.sampled_from(WAYS)):
            case "other":
                here[key] = copy.deepcopy(draw(OTHERS))
            case "sibling":
                keys = list(here) if isinstance(here, dict) else range(len(here))
                here[key] = copy.deepcopy(here[draw(st.sampled_from(keys))])
            case "scaled":
                factor = draw(st.sampled_from([0, -1, 1e-300, 1e300, math.inf, math.nan, 1e9]))
                here[key] = with_numbers(here[key], lambda number, by=factor: number * by)
            case "raw":
                here[key] = f"@raw{number}@"
                text = draw(st.sampled_from(RAW))
                return json.dumps(tree).replace(f'"@raw{number}@"', text)
            case "gone":
                del here[key]
            case "number":
                here[key] = draw(st.sampled_from(NUMBERS))
            case "text":
                here[key] = draw(st.sampled_from(TEXTS))
            case "twice" if isinstance(here, dict) and isinstance(tree, dict):
                # The same key twice: JSON leaves open which one counts, and Python takes the last.
                other = json.dumps({key: draw(OTHERS)}, default=str)
                return json.dumps(tree)[:-1] + "," + other[1:]
            case _:
                other = draw(st.sampled_from(NUMBERS))
                here[key] = with_numbers(here[key], lambda _, other=other: other)
        if not tree or not isinstance(tree, list | dict):
            break
    return json.dumps(tree)


def with_numbers(tree, change):
    """Return a tree with every number in it changed."""
    if isinstance(tree, list):
        return [with_numbers(one, change) for one in tree]
    if isinstance(tree, dict):
        return {key: with_numbers(one, change) for key, one in tree.items()}
    return change(tree) if isinstance(tree, int | float) else tree


def mutated_bytes(draw, data):
    """Return bytes that are cut, changed, doubled or in another encoding."""
    at = draw(st.integers(0, len(data)))
    match draw(st.sampled_from(["cut", "start", "byte", "insert", "twice", "empty", "encoding"])):
        case "cut":
            return data[:at]
        case "start":
            return data[at:]
        case "byte":
            return data[:at] + bytes([draw(st.integers(0, 255))]) + data[at + 1 :]
        case "insert":
            return data[:at] + draw(st.binary(max_size=4)) + data[at:]
        case "twice":
            return data + data
        case "empty":
            return b""
        case _:
            name = draw(st.sampled_from(["utf-16", "utf-32", "utf-8-sig", "utf-16-le", "cp037"]))
            return data.decode(errors="replace").encode(name, errors="replace")


@st.composite
def mutated_folders(draw):
    """Draw what differs from the kept folder: by name of file, its bytes."""
    changed = {}
    for _ in range(draw(st.integers(1, 2))):
        name = draw(st.sampled_from(sorted(kept())))
        text = kept()[name]
        if draw(st.integers(0, 3)):
            text = mutated_tree(draw, text)
        if name.endswith(".processes"):
            text = as_lines(text)
        data = text.encode(errors="surrogatepass")
        changed[name] = mutated_bytes(draw, data) if not draw(st.integers(0, 3)) else data
    return changed


def as_lines(text):
    """Return a list's items, a line each, where it is still one."""
    try:
        lines = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return "\n".join(map(json.dumps, lines)) if isinstance(lines, list) else text


@contextlib.contextmanager
def written(changed):
    """Give a results folder that has these files instead of the kept ones."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary, "results")
        (folder / "vm").mkdir(parents=True)
        for name, text in kept().items():
            text = as_lines(text) if name.endswith(".processes") else text
            (folder / name).write_bytes(changed.get(name, text.encode()))
        yield folder


def contents(folder):
    return {path: path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def ask(question, folder):
    """Ask, and hold the answer to what is promised of every answer."""
    before = contents(folder)
    started = time.monotonic()
    out, errors = io.StringIO(), io.StringIO()
    name, *options = question.split()
    to = folder.parent / "written"
    to.mkdir(exist_ok=True)
    if name == "report":
        options += ["-o", str(to / "report.html")]
    if name == "figure":
        options += ["-o", str(to), "--format", "svg"]
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(errors):
        status = cli.main([name, *options, "--results", str(folder)])
    assert status in (0, 1, 2)
    assert time.monotonic() - started < SECONDS * (10 if name in ("report", "figure") else 1)
    assert contents(folder) == before
    lines = errors.getvalue().splitlines()
    assert all(line.startswith("jitcost: ") for line in lines), lines
    assert all(len(line) < 2_000 for line in lines)
    if status:
        assert lines
    out.getvalue().encode()  # UTF-8, as it would be written
    if status == 0 and "json" in question:
        json.loads(out.getvalue(), parse_constant=pytest.fail)
    shutil.rmtree(to)


# Hypothesis warns of examples whose text is long, which those of result files are.
pytestmark = pytest.mark.filterwarnings("ignore::hypothesis.errors.HypothesisWarning")

COMMON = settings(
    deadline=None,
    database=None,
    derandomize="FUZZ_EXAMPLES" not in os.environ,
    suppress_health_check=list(HealthCheck),
)


@settings(COMMON, max_examples=EXAMPLES)
@given(mutated_folders(), st.lists(st.sampled_from(QUESTIONS), min_size=1, max_size=3, unique=True))
def test_every_question_answers_or_says_what_is_wrong(changed, questions):
    with written(changed) as folder:
        for question in questions:
            ask(question, folder)


class Everything(set):
    """What asv draws, if it draws the results of every commit."""

    def __contains__(self, commit):
        return True


@settings(COMMON, max_examples=EXAMPLES // 2)
@given(mutated_folders(), mutated_folders(), st.booleans())
def test_mutated_files_are_kept_or_left_out(changed, others, replace):
    """Of what is kept, all can be read; also where what was kept before has been mutated."""
    with written(changed) as folder, written(others) as history:
        before = contents(folder)
        for to in (folder.parent / "fresh", history):
            with (
                contextlib.redirect_stderr(io.StringIO()) as errors,
                contextlib.suppress(JitcostError),
            ):
                keep(folder, to, folder.parent / "aside", Everything(), replace=replace)
                results.read(to)
            assert all(line.startswith("jitcost: ") for line in errors.getvalue().splitlines())
            assert not list(to.rglob("*.tmp"))
        assert contents(folder) == before


@settings(COMMON, max_examples=max(2, EXAMPLES // 50))
@given(mutated_folders(), st.sampled_from(SLOW))
def test_pages_and_figures_are_drawn_or_it_is_said_what_is_wrong(changed, question):
    with written(changed) as folder:
        ask(question, folder)
