"""The pages: links lead somewhere, and commands are such as there are."""

import re
import shlex
import subprocess
import sys

import pytest

from conftest import ROOT, source_path
from documented_commands import PROGRAMS, check, commands, named_in_prose, parser_of, without_blocks
from jitcost.cli import COMMANDS, main

PAGES = {
    str(path.relative_to(ROOT)): path.read_text(encoding="utf-8")
    for path in (
        ROOT / "README.md",
        ROOT / "CONTRIBUTING.md",
        ROOT / "julia" / "README.md",
        *sorted((ROOT / "analysis").glob("*.md")),
    )
}
READING = PAGES["analysis/READING.md"]


def section(page, heading):
    return re.split(r"^#+ ", page.split(f"# {heading}\n")[1], flags=re.MULTILINE)[0]


def anchors(text):
    """Return what a forge calls the headings of a page."""
    headings = re.findall(
        r"^#+ (.*)$", re.sub(r"```.*?```", "", text, flags=re.DOTALL), re.MULTILINE
    )
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def links(text):
    """Return the targets of a page's links and pictures."""
    return re.findall(r"\]\((\S+?)\)", re.sub(r"`[^`\n]*`", "", without_blocks(text)))


def resolves(name, target):
    """Return whether a link in a page leads to a file, or a folder, and there to a heading."""
    path, _, anchor = target.partition("#")
    to = (ROOT / name).parent / path if path else ROOT / name
    return to.exists() and (not anchor or anchor in anchors(to.read_text(encoding="utf-8")))


@pytest.mark.parametrize("name", PAGES)
def test_every_link_leads_somewhere(name):
    relative = [target for target in links(PAGES[name]) if "://" not in target]
    assert [target for target in relative if not resolves(name, target)] == []


@pytest.mark.parametrize("target", ["absent.md", "analysis/READING.md#absent", "#no-such-heading"])
def test_a_link_that_leads_nowhere_is_found(target):
    assert links(f"see [this]({target}) and ![that]({target})") == [target] * 2
    assert not resolves("README.md", target)


@pytest.mark.parametrize("name", PAGES)
def test_every_command_in_a_block_is_one_that_there_is(name):
    for words in commands(PAGES[name]):
        check(words)


def test_commands_are_found_however_they_are_written():
    page = "text\n\n    $ jitcost compare   # a remark\n\n```sh\nA=b asv run $(git it)\n```\n`make x`\n"
    assert commands(page) == [["jitcost", "compare"], ["asv", "run", "HEAD"]]
    assert {words[0] for page in PAGES.values() for words in commands(page)} == {
        program.split()[0] for program in PROGRAMS
    }


@pytest.mark.parametrize("name", PAGES)
def test_every_command_that_is_named_has_the_options_that_are_named_with_it(name):
    for command, options in named_in_prose(PAGES[name]):
        assert command in COMMANDS
        assert set(options) <= set(re.findall(r"--[a-z-]+", parser_of(command).format_help()))


def test_each_of_ten_questions_has_an_answer():
    rows = re.findall(
        r"^\| (.*\?) \| (.*?)\| (.*) \|$", section(READING, "Questions"), re.MULTILINE
    )
    assert len(rows) == 10
    for question, _, where in rows:
        assert links(where), question


@pytest.mark.parametrize("question", ["compiling worth it", "jit slower", "JAX get slower"])
def test_what_the_kept_results_are_asked_is_answered(question, monkeypatch, capsys):
    monkeypatch.chdir(ROOT)
    (row,) = [row for row in section(READING, "Questions").splitlines() if question in row]
    (call,) = re.findall(r"`jitcost ([^`]* --results analysis/history)`", row)
    assert main(shlex.split(call)) == 0
    assert "───" in capsys.readouterr().out


def test_the_table_of_commands_has_all_of_them():
    rows = re.findall(r"^\| (`.*?) \|", section(READING, "All commands"), re.MULTILINE)
    listed = [command for row in rows for command in re.findall(r"`jitcost ([a-z]+)", row)]
    assert sorted(listed) == sorted(COMMANDS)


def test_the_table_of_workloads_is_what_the_command_prints():
    done = subprocess.run(
        [sys.executable, "-m", "jitcost.cli", "workloads"],
        env={"PYTHONPATH": source_path(ROOT), "PATH": "", "PYTHONUTF8": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    printed = "\n".join(line.rstrip() for line in done.stdout.rstrip().splitlines())
    assert f"```\n{printed}\n```" in PAGES["analysis/WORKLOADS.md"]
