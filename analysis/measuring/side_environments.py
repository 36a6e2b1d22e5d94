"""The environments of the sides of a comparison: made, filled, and asked what is in them."""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from asv import environment, repo, runner, util
from asv.config import Config
from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version

from jitcost.errors import AsvError

# asv finds its class among the subclasses of its own.
from jitcost.measuring import asv_environment  # noqa: F401
from jitcost.measuring.at_work import INTERRUPTS, log_of
from jitcost.measuring.configuration import pinned, private_conf, settings_of, write_conf
from jitcost.measuring.sides import Installed, Side, last_line
from jitcost.measuring.suite import AsvSuite

__all__ = ["alike", "install", "remove"]

# What was imported is what pip has installed; each environment says it itself.
_DISTRIBUTIONS = """
import importlib.metadata, json, sys
names = {d.metadata["Name"]: d.version for d in importlib.metadata.distributions()}
found = {name.lower(): version for name, version in names.items() if name}
print(json.dumps({"python": sys.version.split()[0], **found}))
"""


def install(
    suite: AsvSuite,
    side: Side,
    folder: str,
    benchmarks: Mapping[str, dict[str, Any]] | None = None,
) -> Installed:
    """Make a side's environment, install its commit, and find the suite's benchmarks with it.

    What is there from another time is used again.

    Parameters
    ----------
    suite : AsvSuite
    side : Side
    folder : str
        Below `suite.work`: two sides need two.
    benchmarks : mapping, optional
        Those of the other side: what is taken where this one lacks what one of them imports, so that
        none can be discovered here.

    Raises
    ------
    AsvError
        If that cannot be made; says what the installer said last. Or if it holds other versions than
        it was made for.
    """
    try:
        conf = Config.load(str(_configuration(suite, side, folder)))
        env = _environment_of(conf)
        env.create()
        env.install_project(conf, repo.get_repo(conf), side.commit)
        with tempfile.TemporaryDirectory() as elsewhere:
            said = env.run(["-c", _DISTRIBUTIONS], cwd=elsewhere, dots=False)
        distributions: dict[str, str] = json.loads(said)
        benchmarks = _discovered(conf, env, benchmarks)
    except (
        *(util.UserError, util.ProcessError, environment.EnvironmentUnavailable),
        *(OSError, RuntimeError, ValueError),
    ) as error:
        if str(error) == "Interrupted.":  # asv's way to say so
            raise KeyboardInterrupt from None
        said = getattr(error, "stderr", "") or getattr(error, "stdout", "") or str(error)
        raise AsvError(
            f"{side.name} cannot be installed: {last_line(said)} (all of it is in {log_of(suite)})"
        ) from None
    INTERRUPTS.check()
    _require_promised(suite, side, distributions)
    # Whatever the suite prefers: forked from one process, all of them would have its memory's layout.
    spawner = runner.get_spawner(env, conf.benchmark_dir, "spawn")
    return Installed(side, distributions, benchmarks, env, spawner, conf.default_benchmark_timeout)


def remove(suite: AsvSuite, folder: str) -> None:
    """Remove a side's environments; the next `install` makes them anew."""
    shutil.rmtree(suite.work / folder / "env", ignore_errors=True)


def alike(suite: AsvSuite, one: Installed, other: Installed) -> bool:
    """Tell whether two sides hold the same versions of everything but the project."""
    project = canonicalize_name(suite.settings["project"])
    first, second = (
        {name: v for name, v in its.distributions.items() if canonicalize_name(name) != project}
        for its in (one, other)
    )
    return first == second


def _environment_of(conf: Any) -> Any:
    """Return the environment for this Python, else the first of those that the suite has.

    Raises
    ------
    AsvError
        If it has none into which a commit can be installed.
    """
    found = list(environment.get_environments(conf, None))
    here = f"{sys.version_info.major}.{sys.version_info.minor}"
    env = next((one for one in found if one.python == here), found[0] if found else None)
    if env is None or not env.can_install_project():
        raise util.UserError("the suite has no environment into which a commit can be installed")
    return env


def _discovered(
    conf: Any, env: Any, instead: Mapping[str, dict[str, Any]] | None
) -> Mapping[str, dict[str, Any]]:
    """Return what asv knows of the suite's benchmarks with the commit that is installed.

    asv's own discovery would go on to other commits where this one fails.
    """
    with tempfile.TemporaryDirectory() as elsewhere:
        result = Path(elsewhere, "benchmarks.json")
        script, folder = runner.BENCHMARK_RUN_SCRIPT, str(Path(conf.benchmark_dir).absolute())
        try:
            env.run([script, "discover", folder, str(result)], cwd=elsewhere, dots=False)
        except util.ProcessError:
            if instead is None:
                raise
            return instead
        found = json.loads(result.read_text(encoding="utf-8"))
    return {about["name"]: about for about in found}


def _require_promised(suite: AsvSuite, side: Side, distributions: Mapping[str, str]) -> None:
    """Raise `AsvError` where another version is installed than the side is compared for.

    asv's default command installs a project with its dependencies, which may replace what the matrix
    has pinned: both sides would then be measured with the same versions, and called unchanged.
    """
    own = pinned(suite.settings)
    there = {canonicalize_name(name): version for name, version in distributions.items()}
    for key, wanted in (side.requirements or {}).items():
        name = canonicalize_name(key.removeprefix("pip+"))
        installed = there.get(name)
        if wanted != own.get(key) and _version(wanted) and not _same(wanted, installed):
            raise AsvError(
                f"{side.name} cannot be measured: {name} {installed or 'is not there, which'} is "
                f"installed where {wanted} is wanted; does install_command have --no-deps?"
            )


def _same(wanted: str, installed: str | None) -> bool:
    one, other = _version(wanted), _version(installed or "")
    # Of what is no release the label says what it was built from, and asv_environment installs that.
    return one is not None and other is not None and one.public == other.public


def _version(text: str) -> Version | None:
    try:
        return Version(text.lstrip("="))
    except InvalidVersion:
        return None


def _configuration(suite: AsvSuite, side: Side, folder: str) -> Path:
    """Write a side's configuration: the suite's own, in an environment folder of its own."""
    work = suite.work / folder
    work.mkdir(parents=True, exist_ok=True)
    conf = private_conf(
        suite.conf_file,
        work / "results",
        work,
        suite.commit,
        side.requirements,
        side.sources,
    )
    # Sides of different commits may not share an environment, which holds one at a time.
    settings = settings_of(conf) | {"env_dir": str(work / "env")}
    if side.requirements is None:  # the first of the suite's own environments, by its own rules
        own = ("matrix", "include", "exclude")
        settings |= {name: suite.settings[name] for name in own if name in suite.settings}
    return write_conf(work / "asv.json", settings)
