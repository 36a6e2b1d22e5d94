"""The commands that pages and workflows tell people to run, and whether there are such."""

import importlib
import re
import shlex
import tomllib

from asv.commands import make_argparser

from conftest import ROOT
from jitcost import cli

PROGRAMS = ("jitcost", "make", "asv", "python -m pip")

# What a variable of the Makefile holds: the options of which command.
_VARIABLES = {"BENCH": "bench", "HISTORY": "backfill"}

_EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]

# Fenced blocks, and what is indented like one below an empty line.
_BLOCK = re.compile(r"^```.*?\n(.*?)^```$|(?<=\n\n)((?:    .*\n|\n)+)", re.DOTALL | re.MULTILINE)


def parser_of(command):
    """Return the parser of `jitcost COMMAND`."""
    return cli._parser(command, importlib.import_module(f"jitcost.commands.{command}"))


def check(words):
    """Fail on a command that there is not, or that would refuse its options."""
    program, *rest = words
    if program == "make":
        makefile = (ROOT / "Makefile").read_text()
        targets = re.search(r"^\.PHONY: (.*)$", makefile, re.MULTILINE)[1].split()
        target, *variables = rest
        assert target in targets
        for variable in variables:
            name, _, value = variable.partition("=")
            assert f"$({name})" in makefile
            parser_of(_VARIABLES[name]).parse_args(shlex.split(value))
    elif program == "jitcost":
        command, *options = rest
        parser_of(command).parse_args(options)
    elif program == "asv":
        make_argparser()[0].parse_args(rest)
    else:
        assert words[:4] == ["python", "-m", "pip", "install"]
        extras = re.fullmatch(r"\.(?:\[([\w,]+)\])?", words[4])[1]
        assert set(extras.split(",") if extras else ()) <= set(_EXTRAS)


def blocks(text):
    """Return the blocks of code of a page: fenced ones and indented ones."""
    return [fenced or indented for fenced, indented in _BLOCK.findall(text)]


def without_blocks(text):
    """Return a page's prose, with its tables."""
    return _BLOCK.sub("\n", text)


def commands(text):
    """Return the commands in a page's blocks, in words: those that begin with one of PROGRAMS.

    What a shell would put in (`$(...)`) is a word, settings before the program are left out, and it may
    stand behind a prompt or in `.venv/bin`.
    """
    found = []
    for line in "\n".join(blocks(text)).splitlines():
        simple = re.sub(r"\$\(.*?\)", "HEAD", line.strip().removeprefix("$ "))
        simple = re.sub(r"^(?:[A-Z_]+=\S+ )+", "", simple).removeprefix(".venv/bin/")
        if simple.startswith(tuple(f"{program} " for program in PROGRAMS)):
            found.append(shlex.split(simple, comments=True))
    return found


def named_in_prose(text):
    """Return what a page's prose names of `jitcost`: pairs of a command and the options with it."""
    said = re.findall(r"`jitcost ([a-z]+)([^`]*)`", without_blocks(text))
    return [(command, re.findall(r"(?<!\S)--[a-z-]+", options)) for command, options in said]
