"""Which asv suite a person is in: this project's, one of their own functions, or any other."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jitcost.errors import BadCallError
from jitcost.measuring.checkout import MEASURED_PATHS, OWN_PATHS, git, own_problems, uncommitted
from jitcost.measuring.configuration import settings_of

__all__ = ["CONFIGURATION", "AsvSuite", "find_suite"]

CONFIGURATION = "asv.conf.json"


@dataclass(frozen=True)
class AsvSuite:
    """An asv suite in a repository.

    Attributes
    ----------
    conf_file : Path
        asv's configuration; what it says of folders is relative to where it is.
    settings : dict
        What it says.
    commit : str
        The checked-out commit of the repository that the suite is in: the suite's own, and where the
        project is in the same repository the one that is measured if nobody names another.
    own : tuple of str
        The problems, where `jitcost init` has made it.
    """

    conf_file: Path
    settings: dict[str, Any]
    commit: str
    own: tuple[str, ...]

    @property
    def root(self) -> Path:
        """The folder of the configuration."""
        return self.conf_file.parent

    @property
    def has_backends(self) -> bool:
        """Whether it is this project's, whose benchmarks are of workloads and backends."""
        return (self.root / "backends" / "registry.py").is_file() and not self.own

    @property
    def work(self) -> Path:
        """Where whatever is no result belongs: beside the environments, or in their folder."""
        environments = self.root / str(self.settings["env_dir"])
        beside = environments.parent
        return (environments if beside == self.root else beside) / "check"

    @property
    def lock(self) -> Path:
        """The file that whoever measures here holds; `jitcost bench` knows it, too."""
        kept = self.root / str(self.settings["results_dir"])
        return (self.work if kept.parent == self.root else kept.parent) / "lock"


def find_suite(config: Path | None, *, ignore_changes: bool) -> AsvSuite:
    """Return the suite that a configuration is of, or the current folder or one above it.

    Parameters
    ----------
    config : Path or None
        None: the nearest asv.conf.json, up to the top of the repository.
    ignore_changes : bool
        Whether what is not committed may be passed over.

    Raises
    ------
    BadCallError
        If there is none, it is in no repository, or what would be measured is not committed.
    """
    conf_file = (config or _nearest()).absolute()
    if not conf_file.is_file():
        raise BadCallError(f"there is no {conf_file}; --config takes asv's configuration")
    settings = settings_of(conf_file)
    root = conf_file.parent
    head = git("-C", str(root), "rev-parse", "--verify", "HEAD^{commit}")
    if head.returncode:
        raise BadCallError(f"{root} has no commit, and asv measures commits; commit first")
    own = own_problems(root)
    suite = AsvSuite(conf_file, settings, head.stdout.strip(), own)
    if not ignore_changes:
        _require_committed(suite)
    return suite


def _nearest() -> Path:
    top = git("rev-parse", "--show-toplevel")
    if top.returncode:
        raise BadCallError("not in a git repository, and asv measures commits; change into one")
    root, here = Path(top.stdout.rstrip("\n")), Path.cwd()
    for folder in (here, *here.parents):
        if (folder / CONFIGURATION).is_file():
            return folder / CONFIGURATION
        if folder == root:
            break
    raise BadCallError(
        f"no {CONFIGURATION} from here to the top of the repository; name asv's configuration with "
        "--config, or make a suite of your own functions with jitcost init"
    )


def _require_committed(suite: AsvSuite) -> None:
    paths: tuple[str, ...] = ()  # of a suite that is not ours: all that git knows
    if suite.own:
        paths = OWN_PATHS
    elif suite.has_backends:
        paths = MEASURED_PATHS
    if changed := uncommitted(suite.root, *paths):
        raise BadCallError(
            f"uncommitted changes would not be measured: {', '.join(changed[:5])}; commit them, or "
            "go on with --ignore-changes"
        )
