"""Run the README's `jitcost` calls on its own file, and write the tables that they print into it.

What has disturbed a measurement is a remark below its tables, another one each time: it is left out.

    python tests/measure_readme.py      # a quarter of a minute, on a machine that does nothing else

Calls that show no output are left alone. Standard error names how long each of them has taken; the
sentence below the block says it, with the machine and the versions, and is written by hand.
"""

import re
import shlex
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from shape_of_output import tables

README = Path(__file__).resolve().parent.parent / "README.md"
FILE = re.compile(r"```python\n(# (\S+)\n.*?)```", re.DOTALL)
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.DOTALL | re.MULTILINE)
CALL = re.compile(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)


def file_and_calls(text):
    """Return the file's name and text, and each call in words with what is shown below it."""
    ((file, name),) = FILE.findall(text)
    calls = [call for block in BLOCK.findall(text) for call in CALL.findall(block)]
    return name, file, [(_words(call), shown) for call, shown in calls]


def output_of(words, where, env=None):
    """Run a call, `jitcost` by this Python; return what a terminal would show of it."""
    program, *rest = words
    call = [sys.executable, "-m", "jitcost.cli", *rest] if program == "jitcost" else words
    done = subprocess.run(
        call, cwd=where, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


def with_output(text, run):
    """Return the README's text with what is shown below each call made anew.

    Parameters
    ----------
    text : str
    run : callable
        Takes a call's words; returns what it prints.
    """

    def shown_anew(call):
        typed, shown = call.groups()
        return f"$ {typed}\n{_shown(run(_words(typed)))}" if shown else call[0]

    return BLOCK.sub(lambda block: f"```console\n{CALL.sub(shown_anew, block[1])}```", text)


def _words(typed):
    return shlex.split(typed, comments=True)


def _shown(printed):
    lines = "\n\n".join(tables(printed)).splitlines()
    return "".join(f"{line.rstrip()}\n" for line in lines)


def main():
    """Write the README anew."""
    text = README.read_text(encoding="utf-8")
    name, file, _ = file_and_calls(text)
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, name).write_text(file, encoding="utf-8")

        def timed(words):
            start = time.perf_counter()
            printed = output_of(words, folder)
            print(f"{shlex.join(words)}: {time.perf_counter() - start:.0f} s", file=sys.stderr)
            return printed

        README.write_text(with_output(text, timed), encoding="utf-8")


if __name__ == "__main__":
    main()
