"""Functions whose names nearly say that they are kernels, inputs or references: one line for each."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable, Iterator, Mapping

from jitcost.own.definitions import Definition
from jitcost.own.naming import BARE, CONVERSIONS, MAKERS, is_reserved, split_backend, split_version

__all__ = ["near_misses", "reached"]

# What people call backends elsewhere.
_ALIASES = {
    "eager": "jax_eager",
    "jit": "jax_jit",
    "jl": "julia",
    "jnp": "jax",
    "njit": "numba",
    "np": "numpy",
    "py": "python",
}

# What people call the other two functions, at the beginning or the end of a name.
_MAKERS_ALIKE = {
    "input": "inputs",
    "inputs": "inputs",
    "ref": "reference",
    "reference": "reference",
}

# Two letters swapped in five ("nubma") are alike by 0.8; "number" and "numba" by 0.73.
_ALIKE = 0.8


def reached(names: Iterable[str], definitions: Mapping[str, Definition]) -> set[str]:
    """Return the names that some of a file's functions read, by way of others too."""
    found: set[str] = set()
    ahead = list(names)
    while ahead:
        new = definitions[ahead.pop()].reads & definitions.keys() - found
        found |= new
        ahead.extend(new)
    return found


def near_misses(
    definitions: Mapping[str, Definition],
    taken: Collection[str],
    problems: Mapping[str, str],
    ends: Collection[str],
) -> tuple[str, ...]:
    """Return a line for each function that its writer may have meant to be measured.

    What a kernel, its inputs or its reference call are helpers, whatever their names.

    Parameters
    ----------
    definitions : mapping of str to Definition
        All of the file's.
    taken : collection of str
        The names that are kernels, or make inputs or references.
    problems : mapping of str to str
        The problem of each beginning of a kernel's name: `fit` of `fit_numba`.
    ends : collection of str
        What kernels' names end with.
    """
    helpers = reached(taken, definitions)
    lines = []
    for name, definition in definitions.items():
        if definition.form not in ("def", "async def") or name.startswith("_"):
            continue
        if name in taken:
            lines += _version_for_backend(name, ends)
        elif is_reserved(name):
            lines += _maker_of_nothing(name, problems)
        elif name not in helpers:
            # Only the first of them: the others would guess at what is explained.
            lines += list(_guesses(definition, problems, ends))[:1]
    return tuple(lines)


def _version_for_backend(name: str, ends: Collection[str]) -> list[str]:
    base, version = split_version(name)
    if version in ends and split_backend(base, dict.fromkeys(ends)) is None:
        return [f"{name}: what stands after __ is a version; {base}_{version}?"]
    return []


def _maker_of_nothing(name: str, problems: Mapping[str, str]) -> list[str]:
    maker, _, problem = name.partition("_")
    if maker not in MAKERS or not problem:
        return []
    alike = difflib.get_close_matches(problem, list(problems.values()), n=1)
    return [f"{name}: no problem {problem}; {'_'.join([maker, *alike])}?"]


def _guesses(
    definition: Definition, problems: Mapping[str, str], ends: Collection[str]
) -> Iterator[str]:
    name = definition.name
    base, version = split_version(name)
    if split_backend(base, dict.fromkeys(ends)) is not None:  # a kernel's name, but none
        if definition.form == "async def":
            yield f"{name}: async, and a call of it computes nothing; def {name}?"
        elif version == "":
            yield f"{name}: no version after __; {base}?"
        return
    if definition.form == "async def" or base.partition("_")[0] in CONVERSIONS:
        return
    if base in ends:
        yield f"{name}: no problem before the backend; {BARE}_{name}?"
    yield from _version_for_backend(name, ends)
    yield from _maker_alike(name, problems)
    yield from _backend_alike(name, base, ends)
    if version is not None and base in problems:
        yield f"{name}: no backend; {base}_numpy__{version}?"
    known = _split_beginning(base, problems)
    if known is not None:
        yield f"{name}: no backend {known[1]}"


def _split_beginning(base: str, problems: Collection[str]) -> tuple[str, str] | None:
    """Return the longest known beginning of a name and what stands after it, or None."""
    fitting = [one for one in problems if base.startswith(f"{one}_") and len(base) > len(one) + 1]
    if not fitting:
        return None
    longest = max(fitting, key=len)
    return longest, base[len(longest) + 1 :]


def _maker_alike(name: str, problems: Mapping[str, str]) -> Iterator[str]:
    first, *rest = parts = name.split("_")
    for part, others in ((first, rest), (parts[-1], parts[:-1])):
        for alike in difflib.get_close_matches(part, _MAKERS_ALIKE, n=1, cutoff=_ALIKE):
            problem = "_".join(others)
            own = [problem] if problem in problems else []
            yield f"{name}: not looked for; {'_'.join([_MAKERS_ALIKE[alike], *own])}?"


def _backend_alike(name: str, base: str, ends: Collection[str]) -> Iterator[str]:
    alias = split_backend(base, _ALIASES)
    if alias is not None and _ALIASES[alias[1]] in ends:
        yield f"{name}: no backend {alias[1]}; {_ALIASES[alias[1]]}?"
        return
    _, *parts = base.split("_")
    # A backend's name has one part or two; what is alike in more letters is what was meant.
    said = ["_".join(parts[-count:]) for count in (1, 2) if count <= len(parts)]
    scored = [
        (difflib.SequenceMatcher(None, part.lower(), end).ratio(), part, end)
        for part in said
        for end in ends
        if part[:1].lower() == end[0]  # "cython" is as like "python" as "pyhton" is
    ]
    likeness, part, end = max(scored, default=(0.0, "", ""))
    if likeness >= _ALIKE:
        yield f"{name}: no backend {part}; {end}?"
