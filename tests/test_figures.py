"""The figures, from cells made by hand: what is drawn, where, and what is said below."""

import doctest
import json
from xml.etree import ElementTree

import pytest

from jitcost import cli
from jitcost.commands import figure as command
from jitcost.errors import BadCallError, NothingFoundError
from jitcost.show.figures import DRAWINGS, figure, labels, style
from jitcost.show.figures.layout import encoded, save
from jitcost.store.origins import provenances as places
from making_cells import cells, steady


def axes_of(name, made, panel=0):
    """Draw one panel, and return its axes."""
    drawing = DRAWINGS[name](made)
    drawn = figure(drawing.panels, drawing.caption)
    assert len(drawn.axes) >= len(drawing.panels) > panel
    return drawn.axes[panel]


def lines(axes, label=None):
    """Return the points of each line by its label; helpers' labels begin with an underscore."""
    found = {}
    for line in axes.lines:
        name = line.get_label()
        if not name.startswith("_child") and (label == name or (not label and name[0] != "_")):
            found.setdefault(name, []).append(list(zip(*line.get_data(), strict=True)))
    return found


def texts(axes):
    """Return what stands at lines and marks, each on one line."""
    return {" ".join(text.get_text().split()) for text in axes.texts}


def test_the_examples_in_the_docstrings():
    for module in (style, labels):
        assert doctest.testmod(module).failed == 0
        assert doctest.testmod(module).attempted >= 1


def test_a_version_has_its_backends_colour_and_another_marker():
    numba, parallel = style.look("numba"), style.look("numba__parallel")
    assert parallel.colour == numba.colour
    assert parallel.marker not in {its.marker for its in style.LOOKS.values()}
    assert parallel == style.look("numba__parallel")
    assert style.look("rust__fast").colour not in {its.colour for its in style.LOOKS.values()}


# The article's figure


def sampled(backend, n, samples, **common):
    """Return a row with a sample of each process; the value is the median."""
    middle = sorted(samples)[len(samples) // 2]
    cell = {"backend": backend, "n": float(n), "value": middle}
    return cell | {"samples": samples, "processes": len(samples), **common}


def article_cells(*more):
    return cells(
        sampled("numpy", 10, [5e-6, 4e-6, 9e-6]),
        sampled("numpy", 100, [7e-6, 6e-6, 8e-6]),
        sampled("jax_jit", 10, [3e-6, 3.5e-6, 2e-6]),
        sampled("numba", 10, [1e-6, 2e-6, 3e-6]),
        sampled("python", 10, [1e-6, 2e-6, 3e-6]),  # not in the article's left panel
        sampled("jax_jit", 10, [0.05, 0.04, 0.07], kind="FirstCall"),
        sampled("numba", 10, [0.08, 0.09, 0.07], kind="FirstCall"),  # nor is this
        sampled("python", 10, [6e-7, 5e-7, 7e-7], workload="recursion"),
        sampled("jax_eager", 10, [2e-4, 1e-4, 3e-4], workload="recursion"),
        *more,
    )


def test_the_articles_figure_has_its_lines_with_the_processes_medians():
    """The article took minima; here the statistic is the one of all tables."""
    made = article_cells()
    left, right = axes_of("article", made), axes_of("article", made, 1)
    assert lines(left) == {
        "numpy": [[(10, 5e-6), (100, 7e-6)]],
        "jax_jit": [[(10, 3e-6)]],
        "jax_jit,\nfirst call": [[(10, 0.05)]],
        "numba": [[(10, 2e-6)]],
    }
    assert lines(right) == {
        "python\n(floats)": [[(10, 6e-7)]],
        "jax_eager\n(loop)": [[(10, 2e-4)]],
    }
    assert {"numpy", "jax_jit, first call", "numba"} <= texts(left)
    caption = DRAWINGS["article"](made).caption
    assert "the median of each process's fastest sample, with the interval of the" in caption
    assert "the median of all samples" not in caption
    for axes in (left, right):
        assert axes.get_xscale() == axes.get_yscale() == "log"
    styles = {line.get_label(): line for line in left.lines}
    first, steady_state = styles["jax_jit,\nfirst call"], styles["jax_jit"]
    assert first.get_color() == steady_state.get_color() == style.LOOKS["jax_jit"].colour
    assert first.get_linestyle() != steady_state.get_linestyle()
    assert (first.get_markerfacecolor(), steady_state.get_markerfacecolor()) == (
        "white",
        style.LOOKS["jax_jit"].colour,
    )
    assert styles["numba"].get_linewidth() < styles["numpy"].get_linewidth()


def test_the_articles_bars_are_the_intervals_of_the_processes():
    five = [5e-6, 4e-6, 9e-6, 6e-6, 5e-6]
    axes = axes_of("article", cells(sampled("numpy", 10, five), sampled("jax_jit", 10, five[:2])))
    bars = [[tuple(end) for end in bar] for c in axes.collections for bar in c.get_segments()]
    assert bars == [[(10, 4e-6), (10, 9e-6)]]  # of two processes there is none


def bars_of(axes):
    """Return the upright bars by n, as (low, high)."""
    return {bar[0][0]: (bar[0][1], bar[1][1]) for c in axes.collections for bar in c.get_segments()}


@pytest.mark.parametrize("name", ["compare", "fit"])
def test_every_point_with_an_interval_has_its_bar_and_no_other(name):
    rows = steady("numpy", {10: (1e-6, 3e-6, 2e-6, 4e-6, 5e-6), 100: (4e-6, 5e-6), 1000: (9e-6,)})
    assert bars_of(axes_of(name, cells(*rows))) == {10: (1e-6, 5e-6)}


def test_cells_without_processes_are_labelled_as_of_samples():
    other = {"backend": "jax_eager", "n": 10.0, "value": 1.2e-4}
    made = article_cells(other)
    assert lines(axes_of("article", made))["numpy"] == [[(10, 5e-6), (100, 7e-6)]]
    assert "; or the median of all samples with asv's interval" in DRAWINGS["article"](made).caption
    alone = DRAWINGS["article"](cells(other)).caption
    assert alone.startswith("Each point is a time per call: the median of all samples")
    assert "fastest sample" not in alone


def test_a_workload_that_was_not_measured_has_no_panel():
    made = cells(sampled("numpy", 10, [1e-6]))
    assert [panel.title for panel in DRAWINGS["article"](made).panels] == [
        "elementwise: time per call"
    ]
    assert DRAWINGS["breakeven"](made).panels == []


# The questions'


def test_compare_draws_every_backend_with_its_interval():
    made = cells(
        {"backend": "numpy", "n": 10.0, "value": 4e-6, "ci_low": 3e-6, "ci_high": 6e-6},
        *steady("numba", {10: 1e-6, 100: 2e-6}),
    )
    axes = axes_of("compare", made)
    assert lines(axes) == {"numpy": [[(10, 4e-6)]], "numba": [[(10, 1e-6), (100, 2e-6)]]}
    ends = [[tuple(end) for end in bar] for bar in axes.collections[0].get_segments()]
    assert ends == [[(10, 3e-6), (10, 6e-6)]]
    assert axes.lines[0].get_color() == style.LOOKS["numpy"].colour


def bent(n):
    """Return 1 us + 1 ns n to 10^5, and from there with four times the slope: of three processes."""
    seconds = 1e-6 + 1e-9 * n + (3e-9 * (n - 1e5) if n > 1e5 else 0)
    return tuple(seconds * factor for factor in (0.99, 1.0, 1.01))


def test_fit_draws_a_line_for_each_piece_and_marks_the_bend():
    sizes = [round(10 ** (3 + i / 2)) for i in range(9)]
    rows = steady("numpy", {n: bent(n) for n in sizes})
    rows += steady("numba", {n: 2e-6 + 1e-9 * n for n in sizes})  # of one number each
    rows += steady("julia", {n: 1e-3 - 1e-7 * i for i, n in enumerate([10, 100, 1000])})
    rows += steady("python", {10: 3e-3, 100: 2e-3, 1000: 1e-3})
    axes = axes_of("fit", cells(*rows))
    assert [len(points) for points in lines(axes)["numpy"]] == [9]
    pieces = lines(axes, "_fit")["_fit"]
    assert len(pieces) == 5  # two of numpy's, one of numba's and of julia's, python's dotted
    (numpy_start,) = [piece[0] for piece in pieces if piece[0][1] == pytest.approx(2e-6, rel=1e-3)]
    assert numpy_start[0] == pytest.approx(1e3)
    ends = [end for end in (piece[-1] for piece in pieces) if end[0] == pytest.approx(1e7)]
    # 1 us + 10 ms + 29.7 ms, and 2 us + 10 ms
    assert sorted(time for _, time in ends) == pytest.approx([0.010002, 0.039701], rel=1e-3)
    ((bend,),) = lines(axes, "_bend")["_bend"]
    assert bend[0] == pytest.approx(1e5, rel=0.05)
    assert {
        "numpy (new slope)",
        "numba (linear to 1 %)",
        "python (no model)",
    } <= texts(axes)


def test_breakeven_draws_m_its_interval_and_never():
    made = cells(
        {"backend": "numpy", "n": 10.0, "value": 0.375, "ci_low": 0.375, "ci_high": 0.375},
        {"backend": "numpy", "n": 100.0, "value": 0.5},
        {"backend": "numpy", "n": 1000.0, "value": 0.5, "ci_low": 0.3, "ci_high": 0.9},
        {"backend": "jax_jit", "n": 1000.0, "value": 0.375, "ci_low": 0.3, "ci_high": 0.9},
        {"kind": "FirstCall", "backend": "jax_jit", "n": 1000.0, "value": 1.375},
        # C = 1, the saving 0.25; the bounds: C from 0.75 to 2.875, the saving from 0.125 up
        {"backend": "jax_jit", "n": 10.0, "value": 0.125, "ci_low": 0.125, "ci_high": 0.25},
        {"backend": "jax_jit", "n": 100.0, "value": 0.75},
        {
            "kind": "FirstCall",
            "backend": "jax_jit",
            "n": 10.0,
            "value": 1.125,
            "ci_low": 1.0,
            "ci_high": 3.0,
        },
        {"kind": "FirstCall", "backend": "jax_jit", "n": 100.0, "value": 9.0},
        {
            "kind": "Replay",
            "backend": "jax_jit",
            "n": 10.0,
            "value": 5.0,
            "benchmark": "e.Replay.t",
        },
    )
    axes = axes_of("breakeven", made)
    assert lines(axes) == {"jax_jit": [[(10, 4)]]}
    # 1 / 0.125 calls, if it saves anything: hollow, and in no line
    assert lines(axes, "_may pay") == {"_may pay": [[(1000, 8)]]}
    (segment,) = axes.collections[0].get_segments()
    assert [tuple(end) for end in segment] == [(10, 3), (10, 23)]  # 0.75 / 0.25, 2.875 / 0.125
    ((never,),) = lines(axes, "_never")["_never"]
    assert never[0] == 100
    assert 0.9 < never[1] < 1  # of the axes' height
    assert "never" in texts(axes)
    assert lines(axes, "_replayed") == {"_replayed": [[(10, 5)]]}


def test_breakeven_marks_what_may_take_longer_once_compiled():
    made = cells(
        {"backend": "numpy", "n": 10.0, "value": 1e-6, "ci_low": 0.5e-6, "ci_high": 2e-6},
        {"backend": "jax_jit", "n": 10.0, "value": 1.1e-6, "ci_low": 0.5e-6, "ci_high": 2e-6},
        {"kind": "FirstCall", "backend": "jax_jit", "n": 10.0, "value": 0.1},
    )
    axes = axes_of("breakeven", made)
    assert lines(axes) == {}
    assert lines(axes, "_never") == {}
    assert [point[0] for (point,) in lines(axes, "_cannot tell")["_cannot tell"]] == [10]
    assert "cannot be told" in DRAWINGS["breakeven"](made).caption


def test_crossover_marks_where_the_ratio_passes_through_one():
    rows = [*steady("numpy", {10: 1e-6, 1000: 4e-6}), *steady("numba", {10: 2e-6, 1000: 2e-6})]
    axes = axes_of("crossover", cells(*rows))
    assert lines(axes) == {"numba": [[(10, 2.0), (1000, 0.5)]]}
    ((crossing,),) = lines(axes, "_crossing")["_crossing"]
    assert crossing == (pytest.approx(100), 1)  # halfway from log 10 to log 1000
    assert axes.get_ylabel() == "time per call / numpy's"


def test_crossover_draws_no_circle_where_it_cannot_be_told():
    rows = steady("numpy", {4: 3e-6, 8: 3e-6, 16: 3e-6})
    axes = axes_of("crossover", cells(*rows, *steady("numba", {4: 6e-6, 8: 3e-6, 16: 1.5e-6})))
    assert lines(axes, "_crossing") == {"_crossing": [[]]}
    assert [(4, 1), (16, 1)] in [list(zip(*line.get_data(), strict=True)) for line in axes.lines]


def test_predict_draws_the_errors_in_percent():
    times = {n: 1e-6 + 1e-9 * n for n in (1, 10, 100, 1_000, 10_000)}
    times[10] *= 2  # predicted is half of it
    axes = axes_of("predict", cells(*steady("numpy", times)))
    # interpolated along the straight chord, which is the truth here, as the model is
    ((half, right),) = lines(axes)["numpy"]
    assert half == (10, pytest.approx(-50))
    assert right == (1000, pytest.approx(0, abs=1e-6))
    ((half, right),) = lines(axes, "_by model")["_by model"]
    assert half == (10, pytest.approx(-50))
    assert right == (1000, pytest.approx(0, abs=1e-6))
    assert "numpy 25 %; 25 %" in texts(axes)  # the medians: between 50 and 0
    low, high = axes.get_ylim()
    assert low < -50
    assert high > 50


def test_the_articles_figure_comes_first():
    assert next(iter(DRAWINGS)) == "article"


# Files


def test_an_svg_is_xml_with_its_labels_as_text_and_always_the_same():
    made = article_cells()
    first, second = (
        encoded(figure(DRAWINGS["article"](made).panels, "under <it> & $so$"), "svg")
        for _ in range(2)
    )
    assert first == second
    said = {
        text.text for text in ElementTree.fromstring(first).iter("{http://www.w3.org/2000/svg}text")
    }
    assert {"numpy", "first call", "(floats)", "10 µs", "time per call"} <= said
    assert "under <it> & $so$" in said
    png = encoded(figure(DRAWINGS["article"](made).panels), "png")
    assert png.startswith(b"\x89PNG")


def test_a_figure_that_cannot_be_written_leaves_the_old_file_and_no_other(tmp_path):
    path = tmp_path / "article.svg"
    path.write_text("old")

    class Broken:
        def savefig(self, buffer, **_):
            buffer.write(b"half")
            raise OSError("no")

    with pytest.raises(OSError, match="no"):
        save(Broken(), path)
    assert [file.name for file in tmp_path.iterdir()] == ["article.svg"]
    assert path.read_text() == "old"


def test_pyplot_and_its_state_are_not_used(run_python):
    code = "import sys, jitcost.show.report; print('matplotlib.pyplot' in sys.modules)"
    assert run_python(code) == "False\n"


# Places


def test_a_place_knows_what_was_imported_and_where(tmp_path):
    name = "aaaaaaaa-env"
    (tmp_path / "m").mkdir()
    result = {
        "version": 2,
        "commit_hash": "a" * 40,
        "env_name": "env",
        "date": 0,
        "python": "3.11",
        "params": {"machine": "m"},
        "requirements": {"numpy": "2.4"},
        "env_vars": {},
        "result_columns": [],
        "results": {},
    }
    (tmp_path / "m" / f"{name}.json").write_text(json.dumps(result))
    about = {
        "python": "3.11.7 (main)",
        "cpu": {"model": "Some CPU", "usable": 2},
        "backends": {"julia": {"available": False, "reason": "no Julia found"}},
        "distributions": {"numpy": "2.4.6", "jax": "0.10.2", "wheel": "1"},
    }
    (tmp_path / "m" / f"{name}.provenance").write_text(json.dumps(about))
    common = {"environment": "env", "python": "3.11", "versions": '{"numpy": "2.4"}'}
    here = cells(*steady("numpy", {10: 1e-6}), **common)
    ((place, group),) = places(here, tmp_path)
    assert len(group) == 1
    assert place.sentence() == (
        "Measured on m (Some CPU, 2 CPUs usable); Python 3.11.7, numpy 2.4.6, jax 0.10.2; "
        "commit aaaaaaaa."
    )
    assert place.unavailable == {"julia": "no Julia found"}
    ((elsewhere, _),) = places(here)
    assert elsewhere.versions == {"Python": "3.11", "numpy": "2.4"}
    assert elsewhere.cpu is None


# The command


def run(monkeypatch, made, *argv):
    monkeypatch.setattr("jitcost.commands._common.selected_cells", lambda _: made)
    return command.run(cli._parser("figure", command).parse_args([*argv, "--results", "absent"]))


def test_figures_are_written_and_named(tmp_path, monkeypatch, capsys):
    folder = tmp_path / "new" / "folder"
    assert run(monkeypatch, article_cells(), "-o", str(folder)) == 0
    paths = [folder / "article.png", folder / "article.svg"]
    assert capsys.readouterr().out.split() == [str(path) for path in paths]
    assert sorted(folder.iterdir()) == paths


def test_each_machine_has_its_own_file_within_the_folder(tmp_path, monkeypatch):
    rows = steady("numpy", {10: 1e-6}), steady("numpy", {10: 2e-6}, machine="../b")
    run(monkeypatch, cells(*rows[0], *rows[1]), "compare", "-o", str(tmp_path), "--format", "svg")
    environment = "virtualenv_py3.11_numpy2.4.6-aaaaaaaa"
    names = {f"compare-m-{environment}.svg", f"compare-.._b-{environment}.svg"}
    assert {path.name for path in tmp_path.iterdir()} == names


def test_what_cannot_be_drawn_is_said(tmp_path, monkeypatch, capsys):
    made = cells(*steady("numpy", {10: 1e-6}))
    with pytest.raises(BadCallError, match="no figure 'pie'; there are article, compare, fit"):
        run(monkeypatch, made, "pie")
    with pytest.raises(BadCallError, match="no format 'gif'; there are png, svg"):
        run(monkeypatch, made, "--format", "gif")
    with pytest.raises(NothingFoundError):
        run(monkeypatch, made, "breakeven", "-o", str(tmp_path))
    assert "nothing to draw for breakeven" in capsys.readouterr().err
    (tmp_path / "file").write_text("")
    with pytest.raises(BadCallError, match="cannot write to"):
        run(monkeypatch, made, "compare", "-o", str(tmp_path / "file"))
