"""The text of an asv suite of one's own functions: asv.conf.json, and a module for each problem."""

from __future__ import annotations

import json
import shlex
import sys
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from jitcost.measuring.libraries import here
from jitcost.own.jobs import Size
from jitcost.store import releases

__all__ = ["Suite", "configuration", "module"]

_CONFIGURATION = """\
{{
    // What asv runs and publishes, and `jitcost bench` with it: your own functions, commit by commit.
    "version": 1,
    "project": {project},
    "project_url": "#",
    "show_commit_url": "#",
    "repo": ".",
    "dvcs": "git",
    // Whatever is checked out: a fixed name would die on another branch, or on none.
    "branches": ["HEAD"],

    // An environment for each combination of these versions. They are pinned: an environment's name
    // promises versions, and the benchmarks refuse to measure any others. To measure further ones,
    // take the comment signs away. What else your functions import belongs here, too; numpy comes
    // last, so that no other package moves it.
    "environment_type": "virtualenv",
    "pythons": [{python}],
    "matrix": {{
        "req": {{
{requirements}
        }}
    }},

{commands}

    // Forking deadlocks under the threads of JAX and Julia.
    "launch_method": "spawn",
    "default_benchmark_timeout": 300,

    "benchmark_dir": "benchmarks",
    "env_dir": ".asv/env",
    "results_dir": ".asv/results",
    "html_dir": ".asv/html",

    // The report as a tab of the published pages, which need no internet access. The dot in front is
    // asv's: without it only its own plugins are found.
    "plugins": [".jitcost.asv_plugin"]
}}
"""

_MODULE = '''\
"""{problem} of {file}, measured by asv.

Everything here is a literal: asv hands sizes and kernels to the code of other commits by their place.
"""

from jitcost.own import suite

SIZES = {sizes}
BACKENDS = {backends}


class _Own:
    file = {path}
    workload = {workload}
    version = "1"  # another one when what is measured changes, like the inputs; never for the speed
{more}

class SteadyState(_Own, suite.SteadyState):
    params = [SIZES, BACKENDS]


class FirstCall(_Own, suite.FirstCall):
    params = [{first}, BACKENDS]
'''


@dataclass(frozen=True)
class Suite:
    """What asv is to measure of one problem.

    Attributes
    ----------
    file : str
        The file's path in its repository.
    problem : str
    sizes : mapping of float to Size
        What `inputs` gets, by n.
    backends : tuple of str
        With their versions, in the file's order.
    limits : mapping of str to float
        The largest n of those kernels that are not measured at every size.
    """

    file: str
    problem: str
    sizes: dict[float, Size]
    backends: tuple[str, ...]
    limits: dict[str, float] = field(default_factory=dict)


def module(suite: Suite) -> str:
    """Return the text of a problem's module."""
    sizes = sorted(suite.sizes)
    more = []
    if any(size != n for n, size in suite.sizes.items()):
        more.append(f"    sizes = {_literal({_whole(n): suite.sizes[n] for n in sizes})}")
    if suite.limits:
        limits = {name: _whole(n) for name, n in suite.limits.items()}
        more.append(
            f"    limits = {_literal(limits)}  # of a larger n a call takes too long, or too much"
        )
    return _MODULE.format(
        problem=suite.problem,
        file=suite.file,
        sizes=_literal([_whole(n) for n in sizes]),
        backends=_literal(list(suite.backends)),
        path=_literal(suite.file),
        workload=_literal(suite.problem),
        more="".join(f"{line}\n" for line in more),
        first="[SIZES[0], SIZES[-1]]" if len(sizes) > 1 else "SIZES",
    )


def configuration(
    project: str, libraries: Sequence[str], *, jitcost: str | None, packaged: bool
) -> str:
    """Return the text of asv.conf.json.

    Parameters
    ----------
    project : str
        The repository's name.
    libraries : sequence of str
        The distributions that are measured with, numpy the last one.
    jitcost : str or None
        What pip installs this package from, where that is no index.
    packaged : bool
        Whether the repository has a package, which is then built and installed.
    """
    wanted = [*([] if jitcost else ["jitcost"]), *libraries]
    return _CONFIGURATION.format(
        project=json.dumps(project),
        python=json.dumps(f"{sys.version_info.major}.{sys.version_info.minor}"),
        requirements=",\n".join(f"            {_requirement(name)}" for name in wanted),
        commands=textwrap.indent("\n".join(_commands(jitcost, packaged)), "    "),
    )


def _requirement(name: str) -> str:
    """Return a library's line: the version that is here, and two others to be uncommented."""
    version = here(name) or ""
    known = [row.versions[name] for row in releases.load().rows if row.library == name]
    others = [one for one in known if one not in (version, releases.LATEST)][-2:]
    further = f" /*, {', '.join(map(json.dumps, others))} */" if others else ""
    return f"{json.dumps(name)}: [{json.dumps(version)}{further}]"


def _commands(jitcost: str | None, packaged: bool) -> Iterable[str]:
    build, install = [], []
    if packaged:
        yield "// Without the dependencies: resolving them would replace what the matrix has pinned."
        build = ["python -m pip wheel --no-deps -w {build_cache_dir} {build_dir}"]
        wheel = "python -m pip install --no-deps --force-reinstall {wheel_file}"
        install = [f"in-dir={{env_dir}} {wheel}"]
    else:
        yield "// There is no package to install: the file is read from the commit as it is."
    if jitcost:
        yield "// jitcost itself comes from where it was installed from here; no index has that. Where"
        yield "// it is a path of this machine, give a URL (git+https://...) before others measure."
        source = shlex.quote(jitcost.replace("{", "{{").replace("}", "}}"))
        install.append(f"in-dir={{env_dir}} python -m pip install --no-deps {source}")
    yield f'"build_command": {json.dumps(build)},'
    yield f'"install_command": {json.dumps(install)},'
    if not packaged:
        yield '"uninstall_command": [],'


def _literal(value: object) -> str:
    """Return a value of texts and numbers as a formatter would write it."""
    text = repr(value)
    return text if '"' in text else text.replace("'", '"')


def _whole(n: float) -> float:
    return int(n) if float(n).is_integer() else n
