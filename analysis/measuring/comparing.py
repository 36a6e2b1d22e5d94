"""Which two sides a person means: commits, versions of libraries, or environments on record."""

from __future__ import annotations

import contextlib
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from asv import repo, util
from asv.config import Config
from packaging.utils import canonicalize_name

from jitcost.errors import BadCallError
from jitcost.measuring.configuration import pinned
from jitcost.measuring.installing import Source
from jitcost.measuring.pip import options_of, releases_between
from jitcost.measuring.sides import Side, last_line
from jitcost.measuring.sources import resolved
from jitcost.measuring.suite import AsvSuite
from jitcost.store import asv_files

__all__ = [
    "commits_between",
    "of_commits",
    "of_environments",
    "of_versions",
    "resolve",
    "versions_between",
]


def of_commits(suite: AsvSuite, base: str, head: str | None) -> tuple[Side, Side]:
    """Return two commits; the later one is the checked-out one if nobody has named it.

    Raises
    ------
    BadCallError
        If one does not exist, or both are the same.
    """
    later = head or "HEAD"
    sides = Side(base, resolve(suite, base)), Side(later, resolve(suite, later))
    if sides[0].commit == sides[1].commit:
        raise BadCallError(
            f"{base} and {later} are the same commit {sides[0].commit[:8]}: nothing has changed"
        )
    return sides


def of_versions(
    suite: AsvSuite,
    earlier: Sequence[str],
    later: Sequence[str],
    *,
    index_urls: Sequence[str] = (),
    pre: bool = False,
) -> tuple[Side, Side]:
    """Return the checked-out commit with two sets of versions, the project's own but for these.

    Parameters
    ----------
    suite : AsvSuite
    earlier, later : sequence of str
        As people write them; see `jitcost.measuring.wishes`.
    index_urls : sequence of str
        Indexes that pip is to ask besides its own.
    pre : bool
        Whether a pre-release may be the newest.
    """
    at = resolve(suite, "HEAD")

    def side(texts: Sequence[str]) -> Side:
        sources = resolved(
            texts,
            suite.settings,
            work=suite.work,
            index_urls=index_urls,
            pre=pre,
            any_name=not suite.has_backends,
        )
        for source in sources.values():
            _require_other(suite, source.name)
        if not sources:
            return Side("the project's own versions", at)
        versions = {key: source.version for key, source in sources.items()}
        name = ", ".join(f"{key} {version}" for key, version in versions.items())
        return Side(name, at, pinned(suite.settings) | versions, sources)

    sides = side(earlier), side(later)
    built = [source for one in sides for source in one.sources.values() if not source.is_release]
    kind = suite.settings.get("environment_type", "virtualenv")
    if built and kind != "virtualenv":
        raise BadCallError(
            f"{built[0].said} goes into a virtualenv, and this suite's environments are of {kind}: "
            "two kinds of Python are no comparison; give releases"
        )
    return sides


def versions_between(
    suite: AsvSuite,
    earlier: str,
    later: str,
    *,
    index_urls: Sequence[str] = (),
    pre: bool = False,
) -> list[Side]:
    """Return the checked-out commit with each release of a library from one to another.

    Parameters
    ----------
    suite : AsvSuite
    earlier, later : str
        NAME==VERSION of both ends.
    index_urls : sequence of str
        Indexes that pip is to ask besides its own.
    pre : bool
        Whether pre-releases between them count.

    Raises
    ------
    BadCallError
        If they are not two releases of one library, in this order.
    """
    ends = [
        re.fullmatch(r"([\w.-]+)={1,2}([\w.]+)", text.replace(" ", "")) for text in (earlier, later)
    ]
    if None in ends or len({end[1] for end in ends if end}) != 1:
        raise BadCallError("give two releases of one library, such as jax==0.5.3 jax==0.10.2")
    name, first, last = ends[0][1], ends[0][2], ends[1][2]  # type: ignore[index]
    _require_other(suite, name)
    own = pinned(suite.settings)
    keys = {canonicalize_name(key.removeprefix("pip+")): key for key in own}
    key = keys.get(canonicalize_name(name), name)
    if suite.has_backends and key not in own:
        raise BadCallError(f"no library {name!r}; the names are {', '.join(own)}")
    at = resolve(suite, "HEAD")
    options = options_of(index_urls, pre)

    def side(version: str) -> Side:
        text = f"{name}=={version}"
        source = Source(name, version, text, text, options)
        return Side(f"{name} {version}", at, own | {key: version}, {key: source})

    found = releases_between(name, first, last, pre=pre, index_urls=index_urls)
    return [side(version) for version in found]


def _require_other(suite: AsvSuite, name: str) -> None:
    """Refuse versions of the project itself: asv installs a commit of it over them."""
    if canonicalize_name(name) == canonicalize_name(suite.settings["project"]):
        raise BadCallError(
            f"{name} is the project itself, which is measured by commits; give two tags"
        )


def commits_between(suite: AsvSuite, earlier: str, later: str) -> list[Side]:
    """Return the commits that lead from one to another by first parents, both included.

    Raises
    ------
    BadCallError
        If one does not exist, or the earlier one is no ancestor of the later.
    """
    first, last = of_commits(suite, earlier, later)
    between = commits_in(suite, f"{first.commit}..{last.commit}")
    if not between or commits_in(suite, f"{last.commit}..{first.commit}"):
        raise BadCallError(f"{earlier} does not lead to {later}; give the earlier commit first")
    return [Side(commit[:8], commit) for commit in (first.commit, *reversed(between))]


def of_environments(suite: AsvSuite, earlier: str, later: str) -> tuple[Side, Side]:
    """Return the checked-out commit in two environments that results are on record of.

    Parameters
    ----------
    suite : AsvSuite
    earlier, later : str
        The environments' names, or parts of them that only one has.
    """
    on_record = _on_record(suite)
    at = resolve(suite, "HEAD")
    sides = []
    for text in (earlier, later):
        found = [text] if text in on_record else [name for name in on_record if text in name]
        if len(found) != 1:
            which = "several environments match" if found else "no environment on record matches"
            there = ", ".join(found or on_record) or "none"
            raise BadCallError(f"{which} {text!r}; of this Python there are {there}")
        sides.append(Side(found[0], at, on_record[found[0]]))
    return sides[0], sides[1]


def _on_record(suite: AsvSuite) -> dict[str, Mapping[str, str]]:
    """Return the versions of each environment that there are results of, by its name.

    Of those that can be made here again: for this Python, and without variables of their own.
    """
    here = f"{sys.version_info.major}.{sys.version_info.minor}"
    found: dict[str, Mapping[str, str]] = {}
    for path in asv_files.paths(suite.root / suite.settings["results_dir"]):
        try:
            file = asv_files.load(path)
            if file.python == here and not file.env_vars:
                found[file.environment] = file.versions
        except asv_files.BROKEN as error:
            asv_files.warn(path, error)
    return found


def resolve(suite: AsvSuite, name: str) -> str:
    """Return the hash of a commit of the measured project.

    Raises
    ------
    BadCallError
        If there is none of that name.
    """
    try:
        with _repository(suite) as its:
            found: str = its.get_hash_from_name(name)
    except repo.NoSuchNameError:
        raise BadCallError(f"no commit {name!r}; give a hash, a tag or a branch") from None
    return found


def commits_in(suite: AsvSuite, commits: str) -> list[str]:
    """Return the commits of a range of git's by first parents, the newest first."""
    with _repository(suite) as its:
        found: list[str] = its.get_hashes_from_range(commits)
    return found


@contextlib.contextmanager
def _repository(suite: AsvSuite) -> Iterator[Any]:
    """Yield asv's repository, which may be one that it has cloned."""
    try:
        with contextlib.chdir(suite.root):
            its = repo.get_repo(Config.load(str(suite.conf_file)))
            its.pull()  # a clone of its own; of a repository that is here it does nothing
            yield its
    except (util.UserError, util.ProcessError) as error:
        raise BadCallError(last_line(str(error))) from None
