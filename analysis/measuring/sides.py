"""What is compared: a commit in an environment, installed, whose processes asv's own runner starts.

`asv run` measures whole commits, and takes seconds to begin. To measure two commits cell by cell in
turns this calls what `asv run` calls: its environments, its discovery of benchmarks, and its way to
start one process for one cell.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import math
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from asv import environment, repo, runner, util
from asv.benchmarks import Benchmarks
from asv.config import Config

from jitcost.errors import AsvError, BadCallError
from jitcost.measuring import asv_environment  # noqa: F401 (asv finds it among the subclasses)
from jitcost.measuring.at_work import log_of
from jitcost.measuring.configuration import private_conf, settings_of, write_conf
from jitcost.measuring.in_turns import SKIPPED, CannotRunError, Process
from jitcost.measuring.installing import Source
from jitcost.measuring.suite import AsvSuite

__all__ = ["Installed", "Place", "Side", "install", "resolve"]

# A benchmark, and the texts of its parameters.
Place = tuple[str, tuple[str, ...]]

# Samples of a process: of as many all processes have their fastest.
SAMPLES = 4

# asv calls a benchmark with a setup once for each sample. Of a call below `SHORT` seconds one is no
# measurement: the fastest of as many as make a sample of asv's own, up to `MOST`, is.
SHORT, MOST = 0.001, 200
SAMPLE_SECONDS = 0.01

# What was imported is what pip has installed; each environment says it itself.
_DISTRIBUTIONS = """
import importlib.metadata, json, sys
found = {d.metadata["Name"].lower(): d.version for d in importlib.metadata.distributions()}
print(json.dumps({"python": sys.version.split()[0], **found}))
"""


@dataclass(frozen=True)
class Side:
    """What is to be compared.

    Attributes
    ----------
    name : str
        What a person calls it.
    commit : str
        The full hash.
    requirements : mapping of str to str, or None
        The versions of its environment; None: the project's own.
    sources : mapping of str to Source
        Where some of them come from, by requirement.
    """

    name: str
    commit: str
    requirements: Mapping[str, str] | None = None
    sources: Mapping[str, Source] = field(default_factory=dict)


@dataclass
class Installed:
    """A side whose environment stands.

    Attributes
    ----------
    side : Side
    distributions : mapping of str to str
        The versions of what is installed there, Python's among them.
    benchmarks : mapping
        What asv has discovered, by name: its type, parameters, rounds, timeout.
    """

    side: Side
    distributions: Mapping[str, str]
    benchmarks: Mapping[str, dict[str, Any]]
    _environment: Any
    _spawner: Any
    _timeout: float
    _repeats: dict[Place, int] = field(default_factory=dict)
    _caches: dict[str, str] = field(default_factory=dict)

    def take(self, place: Place) -> Process:
        """Measure a cell in a process of its own.

        Raises
        ------
        CannotRunError
            If the benchmark fails, or skips the cell.
        """
        process, number = self._run(place, self._repeats.get(place, SAMPLES))
        forced = not self.benchmarks[place[0]].get("number") and number == 1
        if forced and min(process.samples) < SHORT and place not in self._repeats:
            wanted = math.ceil(SAMPLES * SAMPLE_SECONDS / min(process.samples))
            self._repeats[place] = min(MOST, wanted)
            return self.take(place)  # all processes have as many samples as this one
        return process

    def _run(self, place: Place, repeat: int) -> tuple[Process, int]:
        """Run a process of so many samples; return it, and the number of calls in a sample."""
        name, texts = place
        about = self.benchmarks[name]
        number = index_of(about, texts)
        start = time.perf_counter()
        try:
            found = runner.run_benchmark(
                {**about, "timeout": about.get("timeout") or self._timeout},
                self._spawner,
                profile=False,
                selected_idx={number},
                extra_params={"repeat": repeat, "rounds": 1},
                cwd=self._cache(about),
            )
        except util.UserError:  # asv's word for an interrupt
            raise KeyboardInterrupt from None
        seconds = time.perf_counter() - start
        value, samples = found.result[number], found.samples[number]
        if isinstance(value, float) and math.isnan(value):
            raise CannotRunError(SKIPPED)
        if not samples or min(samples) <= 0:
            raise CannotRunError(_last_line(found.stderr))
        return Process(tuple(samples), seconds), found.number[number]

    def _cache(self, about: Mapping[str, Any]) -> str | None:
        """Return the folder that a benchmark's setup_cache has filled; None where it has none."""
        key = about.get("setup_cache_key")
        if key is None:
            return None
        if key not in self._caches:
            timeout = about.get("setup_cache_timeout") or self._timeout
            folder, said = self._spawner.create_setup_cache(about["name"], timeout, "{}")
            if folder is None:
                raise CannotRunError(_last_line(said))
            self._caches[key] = folder
        return self._caches[key]

    @property
    def single_calls(self) -> frozenset[Place]:
        """The cells of which a sample is one short call, asv's own cost in it."""
        return frozenset(self._repeats)

    def run(self, args: Sequence[str], folder: str) -> str:
        """Call the environment's Python with arguments, in a folder; return what it writes."""
        said: str = self._environment.run([*args], cwd=folder, timeout=300, dots=False)
        return said

    def close(self) -> None:
        """Remove what setup_cache has written."""
        for folder in self._caches.values():
            util.long_path_rmtree(folder, True)


def index_of(about: Mapping[str, Any], texts: tuple[str, ...]) -> int:
    """Return the place of a set of parameters among a benchmark's."""
    return list(itertools.product(*about["params"])).index(texts) if texts else 0


def resolve(suite: AsvSuite, name: str) -> str:
    """Return the hash of a commit of the measured project.

    Raises
    ------
    BadCallError
        If there is none of that name.
    """
    try:
        with contextlib.chdir(suite.root):
            its_repo = repo.get_repo(Config.load(str(suite.conf_file)))
            found: str = its_repo.get_hash_from_name(name)
    except repo.NoSuchNameError:
        raise BadCallError(f"no commit {name!r}; give a hash, a tag or a branch") from None
    except (util.UserError, util.ProcessError) as error:
        raise BadCallError(_last_line(str(error))) from None
    return found


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
        What asv has discovered on the other side: this one may lack what some of them import.

    Raises
    ------
    AsvError
        If that cannot be made; says what the installer said last.
    """
    conf = Config.load(str(_configuration(suite, side, folder)))
    try:
        its_repo = repo.get_repo(conf)
        found = list(environment.get_environments(conf, None))
        here = f"{sys.version_info.major}.{sys.version_info.minor}"
        env = next((one for one in found if one.python == here), found[0] if found else None)
        if env is None or not env.can_install_project():
            raise AsvError(f"{suite.conf_file.name} has no environment into which commits go")
        if benchmarks is None:
            benchmarks = dict(Benchmarks.discover(conf, its_repo, [env], [side.commit]))
        env.create()
        env.install_project(conf, its_repo, side.commit)
        distributions = json.loads(env.run(["-c", _DISTRIBUTIONS], dots=False))
    except (util.UserError, util.ProcessError, environment.EnvironmentUnavailable) as error:
        said = getattr(error, "stderr", "") or getattr(error, "stdout", "") or str(error)
        raise AsvError(
            f"{side.name} cannot be installed: {_last_line(said)} (all of it is in {log_of(suite)})"
        ) from None
    # Whatever the suite prefers: forked from one process, all of them would have its memory's layout.
    spawner = runner.get_spawner(env, conf.benchmark_dir, "spawn")
    return Installed(side, distributions, benchmarks, env, spawner, conf.default_benchmark_timeout)


def _configuration(suite: AsvSuite, side: Side, folder: str) -> Path:
    """Write a side's configuration: the project's own, in an environment folder of its own."""
    work = suite.work / folder
    work.mkdir(parents=True, exist_ok=True)
    # Sides of different commits may not share an environment, which holds one at a time.
    conf = private_conf(
        suite.conf_file,
        work / "results",
        work,
        suite.commit,
        side.requirements,
        side.sources,
    )
    return write_conf(work / "asv.json", settings_of(conf) | {"env_dir": str(work / "env")})


def _last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else "it failed without a word"
