"""The kernels that a file's names stand for, before anything else is asked of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from jitcost.own.definitions import Definition
from jitcost.own.errors import OwnFileError
from jitcost.own.naming import BARE, WITH_XP, is_reserved, split_backend, split_version

__all__ = ["STAND_INS", "Claim", "Kernel", "claims", "one_for_each_place"]

# Whose result the others are held against where a file has no reference: the first that there is.
# They need no library beside NumPy: another backend's runtime would disturb the times of a process.
STAND_INS = ("numpy", "python")


@dataclass(frozen=True)
class Kernel:
    """One function of the file on one backend.

    Attributes
    ----------
    function : str
        Its name in the file.
    problem : str
        What it computes: the beginning of its name, or the file's name for `kernel`.
    backend : str
        The backend that runs it, without the version: "numba".
    version : str
        What stands after "__" in its name; empty where nothing does.
    xp : bool
        Whether it is seen to take the module of its functions as `xp`, which the backend binds.
    """

    function: str
    problem: str
    backend: str
    version: str
    xp: bool

    @property
    def name(self) -> str:
        """What results store: "numba" or "numba__parallel"."""
        return f"{self.backend}__{self.version}" if self.version else self.backend

    @property
    def names(self) -> tuple[str, ...]:
        """What the file's settings may call it, the most exact one first."""
        return self.name, self.function, self.backend


@dataclass(frozen=True)
class Claim:
    """A kernel that a name may stand for.

    Attributes
    ----------
    kernel : Kernel
    closeness : int
        How closely the name says so: 2 by the name of its backend, 1 by "jax", 0 by none.
    """

    kernel: Kernel
    closeness: int


def claims(
    found: Iterable[Definition], stem: str, ends: Mapping[str, tuple[str, ...]]
) -> Iterator[Claim]:
    """Yield what the names of a file stand for, in its order.

    Parameters
    ----------
    found : iterable of Definition
        What the file defines.
    stem : str
        The problem of a bare `kernel`.
    ends : mapping of str to tuple of str
        What kernels' names end with, and the backends that they then run on.
    """
    candidates = [one for one in found if one.form != "async def" and not is_reserved(one.name)]
    named = {one.name: split_backend(split_version(one.name)[0], ends) for one in candidates}
    beginnings = {BARE, *(parts[0] for parts in named.values() if parts is not None)}
    for one in candidates:
        base, version = split_version(one.name)
        parts = named[one.name]
        if version == "":  # "fit_numba__" has no version, and is not the one without
            continue
        if parts is not None:
            beginning, end = parts
            runs_on = ends[end]
            closeness = 2 if runs_on == (end,) else 1
        elif base == BARE or (base in beginnings and one.xp):
            beginning, closeness = base, 0
            runs_on = tuple(end for end in WITH_XP if end in ends) if one.xp else ("numpy",)
        else:
            continue
        problem = stem if beginning == BARE else beginning
        for backend in runs_on:
            yield Claim(Kernel(one.name, problem, backend, version or "", one.xp), closeness)


def one_for_each_place(rivals: Iterable[Claim]) -> list[Kernel]:
    """Return one kernel for each problem, backend and version: the one whose name says so most closely.

    They stay in the order that they come in.

    Raises
    ------
    OwnFileError
        If two say so equally.
    """
    every = list(rivals)
    closest: dict[tuple[str, str], Claim] = {}
    for claim in every:
        place = (claim.kernel.problem, claim.kernel.name)
        if claim.closeness > closest.setdefault(place, claim).closeness:
            closest[place] = claim
    kept = []
    for claim in every:
        kernel = claim.kernel
        chosen = closest[kernel.problem, kernel.name]
        if claim is chosen:
            kept.append(kernel)
        elif claim.closeness == chosen.closeness:
            raise OwnFileError(
                f"{chosen.kernel.function} and {kernel.function} are both {kernel.problem} on "
                f"{kernel.name}: rename one, or give it a version (…__version)"
            )
    return kept
