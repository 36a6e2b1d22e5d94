"""`python -m jitcost.backends.set_up_julia`: get Julia and PythonCall ready once, for every environment.

juliacall by itself makes a Julia project, and downloads a Julia if need be, in each Python environment
that imports it. Here one project is made in the user's data folder, and where it and its Julia are is
written down beside it; the `julia` backend then starts from that in any environment, offline.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

__all__ = ["SETTINGS", "data_folder", "main", "remembered"]

# juliacall takes these two together, and asks juliapkg nothing then.
SETTINGS = ("PYTHON_JULIACALL_EXE", "PYTHON_JULIACALL_PROJECT")

_SHOW = """
from juliacall import Main, __version__
print(Main.VERSION, Main.seval("string(pkgversion(PythonCall))"), __version__)
"""


def data_folder() -> Path:
    """Return where the shared Julia project is."""
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(base) / "jitcost"


def remembered() -> dict[str, str]:
    """Return the settings that the last set-up wrote down; none before, or if they are gone."""
    try:
        settings = json.loads((data_folder() / "julia.json").read_text())
        return {name: settings[name] for name in SETTINGS if Path(settings[name]).exists()}
    except (OSError, ValueError, KeyError, TypeError):
        return {}


def main() -> int:
    """Make the project, or take what the environment names; start it once; write it down."""
    folder = data_folder()
    project = folder / "julia"
    was_there = project.exists()
    settings = {name: os.environ[name] for name in SETTINGS if name in os.environ}
    try:
        if len(settings) < len(SETTINGS):
            settings = _resolve(project)
        print("Starting it once; the first time precompiles for minutes")
        started = subprocess.run(
            [sys.executable, "-c", _SHOW],
            env={**os.environ, **settings},
            stdout=subprocess.PIPE,
            text=True,
        )
        if started.returncode:
            raise RuntimeError("Julia or PythonCall does not start; see above")
    except (Exception, KeyboardInterrupt) as error:
        if not was_there:
            shutil.rmtree(project, ignore_errors=True)
        print(
            f"jitcost: Julia is not set up: {' '.join(str(error).split()) or 'interrupted'}; "
            f"with a Julia of your own, set {' and '.join(SETTINGS)}",
            file=sys.stderr,
        )
        return 1
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "julia.json").write_text(json.dumps(settings, indent=1))
    julia, python_call, juliacall = started.stdout.split()
    print(f"Julia {julia}, PythonCall {python_call}, juliacall {juliacall}: ready")
    return 0


def _resolve(project: Path) -> dict[str, str]:
    """Let juliapkg find or download a Julia and install PythonCall."""
    os.environ["PYTHON_JULIAPKG_PROJECT"] = str(project)
    import juliapkg

    juliapkg.resolve()
    return dict(zip(SETTINGS, (juliapkg.executable(), juliapkg.project()), strict=True))


if __name__ == "__main__":
    sys.exit(main())
