"""Which two sides a person means: commits, versions of libraries, or environments on record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from jitcost.errors import BadCallError
from jitcost.measuring.configuration import with_releases
from jitcost.measuring.sides import Side, resolve
from jitcost.measuring.suite import AsvSuite
from jitcost.store import asv_files

__all__ = ["of_commits", "of_environments", "of_versions"]


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


def of_versions(suite: AsvSuite, earlier: Sequence[str], later: Sequence[str]) -> tuple[Side, Side]:
    """Return the checked-out commit with two sets of versions, the project's own but for these."""
    at = resolve(suite, "HEAD")
    one, other = (
        Side(", ".join(texts) or "the project's own", at, with_releases(suite.settings, texts))
        for texts in (earlier, later)
    )
    return one, other


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
