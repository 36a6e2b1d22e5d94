"""Run the README's `jitcost` calls on its own file, and write what they print into it, word for word.

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

README = Path(__file__).resolve().parent.parent / "README.md"
FILE = re.compile(r"```python\n(# (\S+)\n.*?)```", re.DOTALL)
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.DOTALL | re.MULTILINE)
CALL = re.compile(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)


def file_and_calls(text):
    """Return the file's name and text, and each call in words with what is shown below it."""
    ((file, name),) = FILE.findall(text)
    calls = [call for block in BLOCK.findall(text) for call in CALL.findall(block)]
    return name, file, [(shlex.split(call, comments=True), shown) for call, shown in calls]


def printed(words, where):
    """Run a call; return what it prints, as a terminal shows it."""
    program, *rest = words
    call = [sys.executable, "-m", "jitcost.cli", *rest] if program == "jitcost" else words
    start = time.perf_counter()
    done = subprocess.run(
        call, cwd=where, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=True
    )
    print(f"{shlex.join(words)}: {time.perf_counter() - start:.0f} s", file=sys.stderr)
    return "".join(f"{line.rstrip()}\n" for line in done.stdout.strip().splitlines())


def main():
    """Write the README anew."""
    text = README.read_text(encoding="utf-8")
    name, file, calls = file_and_calls(text)
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, name).write_text(file, encoding="utf-8")
        for words, shown in calls:
            if shown:
                text = text.replace(shown, printed(words, folder))
    README.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
