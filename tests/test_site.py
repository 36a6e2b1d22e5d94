"""A published site: our pages around asv's, what leads from one to another, and what they load."""

import argparse
import json
import re
import shutil
import sys
from pathlib import Path

import asv
import pytest

from jitcost import asv_plugin
from jitcost.questions import changes
from jitcost.show.site import how_to_look
from making_results import content, write
from reading_pages import Page, can_be_read_without_seeing, in_browser, loads_nothing, needs_browser

WWW = Path(asv.__file__).parent / "www"
WWW_INDEX = (WWW / "index.html").read_text()


@pytest.fixture
def site(tmp_path, monkeypatch):
    """Return asv's configuration of a site whose pages are published, and the warnings."""
    html = tmp_path / "html"
    shutil.copytree(WWW, html)
    results = tmp_path / "results" / "m"
    results.mkdir(parents=True)
    content = {
        "version": 2,
        "commit_hash": "a" * 40,
        "env_name": "env",
        "date": 1_700_000_000_000,
        "params": {"machine": "m"},
        "python": "3.11",
        "requirements": {"numpy": "2.4.6"},
        "env_vars": {},
        "result_columns": ["result", "params", "version", "stats_ci_99_a", "stats_ci_99_b"],
        "results": {
            "elementwise.SteadyState.time_call": [
                [1e-6, 2e-6],
                [["10"], ["'numpy'", "'numba'"]],
                "1",
                [0.9e-6, 1.9e-6],
                [1.1e-6, 2.1e-6],
            ]
        },
    }
    (results / "aaaaaaaa-env.json").write_text(json.dumps(content))
    warnings = []
    monkeypatch.setattr(asv_plugin.log, "warning", warnings.append)
    return argparse.Namespace(html_dir=html, results_dir=results.parent), warnings


def page_of(conf, name):
    return (conf.html_dir / name).read_text()


def test_asvs_page_moves_behind_the_first_one_and_gets_tabs_once(site):
    conf, warnings = site
    for _ in range(2):
        asv_plugin.Pages.publish(conf, None, None, None, None)
    assert warnings == []
    asvs = page_of(conf, "history.html")
    assert asvs.count(">jitcost report</a>") == asvs.count(">overview</a>") == 1
    tabs = re.findall(r'<li id="(nav-li-[^"]*)"', asvs)
    after = tabs.index("nav-li-regressions") + 1
    assert tabs[after : after + 2] == ["nav-li-jitcost-landing", "nav-li-jitcost"]
    # Nothing else of it is changed: its routes and scripts are as they were.
    assert re.sub(r"\t<li id=\"nav-li-jitcost.*</li>\n", "", asvs) == WWW_INDEX
    first = page_of(conf, "index.html")
    pages = {"jitcost.html", "history.html", "workload-elementwise.html"}
    assert {a.get("href") for tag, a in Page(asvs).elements if tag == "a"} >= {"jitcost.html"}
    assert {a.get("href") for tag, a in Page(first).elements if tag == "a"} >= pages
    report = page_of(conf, "jitcost.html")
    assert '<a href="index.html">Overview</a>' in report
    assert '<a href="jitcost.html" aria-current="page">Report</a>' in report
    compare = Page(page_of(conf, "workload-elementwise.html")).tables
    (row,) = compare["elementwise: time per call, and its ratio to numpy's"][1:]
    assert row == ["10", "*1.00 µs", "2.00 µs|2.0x [1.7, 2.3]"]


# By whose results a site is of: their rows, and which pages it has besides the first one and asv's.
MEASURED = {
    "the suite's": (None, {"jitcost.html", "workload-elementwise.html"}),
    "somebody's": ({"b.time_x": [[1.0, 2.0], [["1", "2"]], "1"]}, set()),
    # Called as the class of our experiments is, of which the account speaks.
    "somebody's variants": ({"mine.Variants.time_call": [[1.0], [["'a'"]], "1"]}, set()),
}


def only(conf, rows):
    """Leave one result file of these rows alone in the site's results folder."""
    shutil.rmtree(conf.results_dir / "m")
    write(conf.results_dir, content("a" * 40, 1_700_000_000_000, rows))


@pytest.mark.parametrize(("rows", "others"), MEASURED.values(), ids=MEASURED)
def test_every_link_between_the_pages_leads_somewhere(site, rows, others):
    conf, warnings = site
    if rows is not None:
        only(conf, rows)
    asv_plugin.Pages.publish(conf)
    assert warnings == []
    pages = {path.name: path.read_text() for path in conf.html_dir.glob("*.html")}
    ours = pages.keys() - {"history.html", "error.html"}
    assert ours == {"index.html"} | others
    for name in ours:
        loads_nothing(pages[name], pages)
        can_be_read_without_seeing(pages[name])
    for name in {*ours, "history.html"}:
        for tag, attributes in Page(pages[name]).elements:
            page, _, part = attributes.get("href", "").partition("#")
            if tag == "a" and page and not page.startswith(("http:", "https:")):
                assert (conf.html_dir / page).is_file(), (name, attributes["href"])
                if part and page != "history.html":
                    assert f'id="{part}"' in pages[page], attributes["href"]


def test_asvs_page_has_a_tab_of_the_report_for_as_long_as_there_is_one(site):
    conf, _ = site
    tabs = []
    for rows in (None, {"b.time_x": [[1.0, 2.0], [["1", "2"]], "1"]}):
        if rows is not None:
            only(conf, rows)
        asv_plugin.Pages.publish(conf)
        tabs.append(re.findall(r'<li id="nav-li-(jitcost[^"]*)"', page_of(conf, "history.html")))
    assert tabs == [["jitcost-landing", "jitcost"], ["jitcost-landing"]]


def test_what_has_changed_is_asked_once_for_all_pages(site, monkeypatch):
    conf, _ = site
    asked = []
    ask = changes.ask
    monkeypatch.setattr(changes, "ask", lambda *args: asked.append(1) or ask(*args))
    asv_plugin.Pages.publish(conf)
    assert asked == [1]


def test_the_feed_of_regressions_leads_to_asvs_page(site):
    conf, _ = site
    feed = conf.html_dir / "regressions.xml"
    feed.write_text('<link href="index.html#a.time_b?p-n=1"/>&lt;a href="index.html#a"&gt;')
    for _ in range(2):
        asv_plugin.Pages.publish(conf)
    assert feed.read_text() == (
        '<link href="history.html#a.time_b?p-n=1"/>&lt;a href="history.html#a"&gt;'
    )


@needs_browser
@pytest.mark.parametrize("part", ["#/regressions", "#elementwise.SteadyState.time_call?p-n=10"])
def test_an_old_address_of_one_of_asvs_graphs_still_leads_there(site, tmp_path, part):
    conf, _ = site
    asv_plugin.Pages.publish(conf)
    said = "<script>document.write(location.hash)</script>"
    (conf.html_dir / "history.html").write_text(f"<p>asv: {said}</p>")
    become, errors = in_browser((conf.html_dir / "index.html").as_uri() + part, tmp_path)
    assert f"</script>{part}</p>" in become
    become, _ = in_browser((conf.html_dir / "index.html").as_uri() + "#lately", tmp_path)
    assert "What changed lately" in become
    assert errors == []


# In a frame as wide as a phone: what is wider than the page, and what of a figure is out of its box.
PHONE = """
<!doctype html><iframe width="400" height="3000"></iframe><script>
const frame = document.querySelector("iframe");
frame.onload = () => {
  const page = frame.contentDocument;
  const figures = [...page.querySelectorAll(".panels")];
  document.body.append(JSON.stringify({
    page: page.documentElement.scrollWidth,
    tables: [...page.querySelectorAll(".scroll")].filter((box) => box.clientWidth > 400).length,
    figures: figures.filter((box) => box.scrollWidth > box.clientWidth).length,
    all: figures.length,
  }));
};
frame.srcdoc = %s;
</script>
"""


@needs_browser
@pytest.mark.parametrize("name", ["index.html", "jitcost.html", "workload-elementwise.html"])
def test_on_a_phone_nothing_is_wider_than_the_page(site, tmp_path, name):
    conf, _ = site
    asv_plugin.Pages.publish(conf)
    text = json.dumps(page_of(conf, name)).replace("</", "<\\/")
    (tmp_path / "phone.html").write_text(PHONE % text)
    become, errors = in_browser((tmp_path / "phone.html").as_uri(), tmp_path)
    assert errors == []
    found = json.loads(re.search(r"{.*}", become.partition("</script>")[2])[0])
    assert found["page"] <= 400
    assert found["tables"] == found["figures"] == 0
    assert (found["all"] > 0) is (name != "index.html")


def test_how_to_look_leads_to_the_first_page_where_there_is_one(site):
    conf, _ = site
    address = "  http://127.0.0.1:8000/  "
    assert [*how_to_look(conf.html_dir)][-1] == f"{address}asv's history"
    asv_plugin.Pages.publish(conf)
    *_, last = how_to_look(conf.html_dir)
    assert last.startswith(f"{address}who wins where")


def test_of_others_benchmarks_the_first_page_says_where_they_are(site):
    conf, warnings = site
    shutil.rmtree(conf.results_dir / "m")
    for number in range(3):
        write(conf.results_dir, content(f"{number}" * 40, 1_700_000_000_000 + number))
    asv_plugin.Pages.publish(conf)
    assert warnings == []
    first = page_of(conf, "index.html")
    loads_nothing(first, ["history.html", "index.html"])
    assert "<h1>jitcost: what was measured</h1>" in first
    assert "1 benchmark, none of them a workload" in first
    assert "<code>222222222222</code>" in first  # the newest
    assert "2 more environments or commits" in first
    assert "No workload was timed at two releases or commits yet." in first
    assert not (conf.html_dir / "jitcost.html").exists()


def test_the_project_is_called_as_asv_calls_it(site):
    conf, _ = site
    (conf.html_dir / "index.json").write_text(json.dumps({"project": "mine <b>"}))
    asv_plugin.Pages.publish(conf)
    assert "<h1>mine &lt;b&gt;: which backend wins where</h1>" in page_of(conf, "index.html")


def test_the_grid_shows_a_benchmark_of_one_commit(site):
    conf, _ = site
    script = conf.html_dir / "summarygrid.js"
    before = script.read_text()
    for _ in range(2):
        asv_plugin.Pages.publish(conf)
    point = "points: { show: data.length === 1, radius: 4 },"
    height = ",max: data.length === 1 ? 2 * data[0][1] : null"  # in the middle, not at the edge
    after = "".join(script.read_text().split())
    for added in (point, height):
        added = "".join(added.split())
        assert after.count(added) == 1
        after = after.replace(added, "")
    assert after == "".join(before.split())  # nothing else is changed
    series = script.read_text().partition("series: {")[2].partition("grid: {")[0]
    assert point in series


def test_another_script_of_the_grid_is_left_as_it_is(site):
    conf, _ = site
    (conf.html_dir / "summarygrid.js").write_text("// another")
    asv_plugin.Pages.publish(conf)
    assert (conf.html_dir / "summarygrid.js").read_text() == "// another"


def unchanged(conf):
    there = {path.name for path in conf.html_dir.glob("*.html")}
    return page_of(conf, "index.html") == WWW_INDEX and there == {"index.html", "error.html"}


def test_without_a_library_the_site_is_left_as_it_is(site, monkeypatch):
    conf, warnings = site
    monkeypatch.setitem(sys.modules, "jinja2", None)
    for name in ("report", "report.past", "report.workload", "landing", "html"):
        monkeypatch.delitem(sys.modules, f"jitcost.show.{name}", raising=False)
    asv_plugin.Pages.publish(conf)
    (warning,) = warnings
    assert "no report: jinja2 is missing; python -m pip install jinja2" in warning
    assert unchanged(conf)


def test_without_results_the_site_is_left_as_it_is(site):
    conf, warnings = site
    shutil.rmtree(conf.results_dir)
    asv_plugin.Pages.publish(conf)
    assert "no results folder" in warnings[0]
    assert unchanged(conf)


def test_another_index_is_left_as_it_is(site):
    conf, warnings = site
    (conf.html_dir / "index.html").write_text("<html></html>")
    asv_plugin.Pages.publish(conf)
    assert "no tab of regressions" in warnings[0]
    assert (conf.html_dir / "index.html").read_text() == "<html></html>"
    assert not (conf.html_dir / "jitcost.html").exists()


def test_the_plugin_imports_only_asv_and_the_standard_library(run_python):
    code = """
import sys
import asv.console, asv.publishing
before = set(sys.modules)
import jitcost.asv_plugin
new = {name.split(".")[0] for name in set(sys.modules) - before}
print(sorted(new - set(sys.stdlib_module_names)))
"""
    assert run_python(code) == "['jitcost']\n"
