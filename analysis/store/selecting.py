"""Which cells are meant: a machine's, a commit's, and which parameters are size and backend."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterable, Sequence

import polars as pl

from jitcost.errors import BadCallError
from jitcost.store.cells import SCHEMA
from jitcost.store.parameters import take
from jitcost.store.versions import in_order

__all__ = [
    "of_machine",
    "require_commit",
    "require_environment",
    "require_machine",
    "select",
    "the_commit",
    "with_parameters",
]


def select(
    cells: pl.DataFrame, *, machine: str | None = None, commit: str | None = None
) -> pl.DataFrame:
    """Return the cells of one machine and commit.

    Parameters
    ----------
    cells : polars.DataFrame
        As `read` returns it.
    machine : str, optional
        Its name; by default all of them.
    commit : str, optional
        A hash or the beginning of one; by default, for each machine and environment, the newest
        commit that there are results of.

    Raises
    ------
    BadCallError
        If there are no results of this machine, or of no commit or several that begin so.
    """
    cells = of_machine(cells, machine)
    if commit is None:
        newest = pl.col("commit").sort_by("date", "commit").last()
        where = ["machine", "environment", "env_vars"]
        return cells.filter(pl.col("commit") == newest.over(where))
    return cells.filter(pl.col("commit") == the_commit(commit, cells["commit"].unique()))


def of_machine(cells: pl.DataFrame, machine: str | None) -> pl.DataFrame:
    """Return the cells of one machine; None means all.

    Raises
    ------
    BadCallError
        If there are none.
    """
    if machine is None:
        return cells
    require_machine(machine, cells["machine"].unique())
    return cells.filter(pl.col("machine") == machine)


def require_machine(machine: str, there: Iterable[str]) -> None:
    """Raise `BadCallError` if a machine is not among those that there are."""
    _require("machine", machine, there)


def require_environment(environment: str, there: Iterable[str]) -> None:
    """Raise `BadCallError` if an environment is not among those that there are."""
    _require("environment", environment, there)


def _require(what: str, name: str, there: Iterable[str]) -> None:
    names = in_order(there)
    if name not in names:
        known = _some(names)
        article = "an" if what[0] in "aeiou" else "a"
        raise BadCallError(f"no results of {article} {what} {name!r}; there are {known}")


def require_commit(commit: str, there: Iterable[str]) -> list[str]:
    """Return which commits begin so; raise `BadCallError` if none of those that there are does."""
    known = sorted(there)
    fitting = [full for full in known if full.startswith(commit.lower())]
    if not fitting:
        said = f"no measured commit begins with {commit!r}; there are {_short(known)}"
        raise BadCallError(said)
    return fitting


def the_commit(commit: str, there: Iterable[str]) -> str:
    """Return which commit begins so; raise `BadCallError` if none of them does, or several do."""
    fitting = require_commit(commit, there)
    if len(fitting) > 1:
        raise BadCallError(f"several commits begin with {commit!r}; there are {_short(fitting)}")
    return fitting[0]


def _short(commits: Sequence[str]) -> str:
    return _some([full[:12] for full in commits])


def _some(names: Sequence[str]) -> str:
    """Return the first ten names."""
    return ", ".join(names[:10]) + (", …" if len(names) > 10 else "")


def with_parameters(
    cells: pl.DataFrame, size: str | None = None, backend: str | None = None
) -> pl.DataFrame:
    """Say which parameters are the size n and the backend, where they have other names.

    A benchmark without a parameter of that name is left as it is.

    Parameters
    ----------
    cells : polars.DataFrame
        As `read` returns it.
    size, backend : str, optional
        The names of the parameters; None leaves a column as it is.

    Returns
    -------
    polars.DataFrame
        The cells with `n` and `backend` set from these parameters, and `params` holding the rest.

    Raises
    ------
    BadCallError
        If no cell has a parameter of that name, or both are the same.
    """
    known = {name for text in cells["params"].unique() for name in json.loads(text)}
    known |= {name for name in ("n", "backend") if cells[name].count()}
    for name in (size, backend):
        if name is not None and name not in known:
            there = f"there are {', '.join(sorted(known))}" if known else "there are none"
            raise BadCallError(f"no parameter {name!r}; {there}")
    if size is not None and size == backend:
        raise BadCallError(f"{size!r} cannot be both the size and the backend")

    @functools.cache
    def taken(
        params: str, n: float | None, name: str | None
    ) -> tuple[str | None, str, float | None]:
        texts = json.loads(params)
        # What was taken before may be an ordinary parameter now.
        texts |= {} if n is None else {"n": _number_text(n)}
        texts |= {} if name is None else {"backend": repr(name)}
        return take(
            texts,
            size if size is not None and size in texts else "n",
            backend if backend is not None and backend in texts else "backend",
        )

    rows = [taken(*row) for row in cells.select("params", "n", "backend").iter_rows()]
    return cells.with_columns(
        pl.Series(name, values, dtype=SCHEMA[name])
        for name, values in zip(("backend", "params", "n"), zip(*rows, strict=True), strict=True)
    )


def _number_text(number: float) -> str:
    return str(int(number)) if number.is_integer() else str(number)
