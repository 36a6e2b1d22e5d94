"""Which two sides a person means: commits, versions of libraries, or environments on record."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from jitcost.errors import BadCallError
from jitcost.measuring.checkout import git
from jitcost.measuring.configuration import pinned
from jitcost.measuring.pip import releases_between
from jitcost.measuring.sides import Side, resolve
from jitcost.measuring.sources import resolved
from jitcost.measuring.suite import AsvSuite
from jitcost.store import asv_files

__all__ = ["commits_between", "of_commits", "of_environments", "of_versions", "versions_between"]


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
            work=suite.work.parent,
            index_urls=index_urls,
            pre=pre,
            any_name=not suite.has_backends,
        )
        if not sources:
            return Side("the project's own versions", at)
        versions = {key: source.version for key, source in sources.items()}
        name = ", ".join(f"{key} {version}" for key, version in versions.items())
        return Side(name, at, pinned(suite.settings) | versions, sources)

    return side(earlier), side(later)


def versions_between(suite: AsvSuite, earlier: str, later: str, *, pre: bool) -> list[Side]:
    """Return the checked-out commit with each release of a library from one to another.

    Parameters
    ----------
    suite : AsvSuite
    earlier, later : str
        NAME==VERSION of both ends.
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
    at, own = resolve(suite, "HEAD"), pinned(suite.settings)
    if suite.has_backends and name not in own:
        raise BadCallError(f"no library {name!r}; the names are {', '.join(own)}")
    found = releases_between(name, first, last, pre=pre)
    return [Side(f"{name} {version}", at, own | {name: version}) for version in found]


def commits_between(suite: AsvSuite, earlier: str, later: str) -> list[Side]:
    """Return the commits that lead from one to another by first parents, both included.

    Raises
    ------
    BadCallError
        If one does not exist, or the earlier one is no ancestor of the later.
    """
    first, last = of_commits(suite, earlier, later)
    listed = git(
        "-C",
        str(suite.root),
        "rev-list",
        "--first-parent",
        "--reverse",
        f"{first.commit}..{last.commit}",
    )
    commits = [first.commit, *listed.stdout.split()]
    is_ancestor = git(
        "-C", str(suite.root), "merge-base", "--is-ancestor", first.commit, last.commit
    )
    if is_ancestor.returncode:
        raise BadCallError(f"{earlier} does not lead to {later}; give the earlier commit first")
    return [Side(commit[:8], commit) for commit in commits]


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
            raise BadCallError(f"{which} {text!r}; there are {there}")
        sides.append(Side(found[0], at, on_record[found[0]]))
    return sides[0], sides[1]


def _on_record(suite: AsvSuite) -> dict[str, Mapping[str, str]]:
    """Return the versions of each environment that there are results of, by its name."""
    found: dict[str, Mapping[str, str]] = {}
    for path in asv_files.paths(suite.root / Path(suite.settings["results_dir"])):
        try:
            file = asv_files.load(path)
            found[file.environment] = file.versions
        except asv_files.BROKEN as error:
            asv_files.warn(path, error)
    return found
