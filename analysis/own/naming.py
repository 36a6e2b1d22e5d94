"""What a name says: `<problem>_<backend>[__<version>]`, and the names that mean something else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

__all__ = [
    "BARE",
    "CONVERSIONS",
    "MAKERS",
    "SETTINGS",
    "WITH_XP",
    "is_reserved",
    "split_backend",
    "split_version",
    "suffixes",
]

# A kernel without a name of its own: its problem is called as the file is.
BARE = "kernel"

# The functions that are no kernels, each also as `inputs_<problem>`.
MAKERS = ("inputs", "reference")

# What a file may say beside functions, for all of its problems or for one (`sizes_<problem>`).
SETTINGS = ("sizes", "tolerance", "grows", "mutates", "static", "traced", "n_of")

# What stands before a backend's name where a helper converts: `to_numpy`, `from_julia`. No problems.
CONVERSIONS = ("as", "from", "is", "to")

_JAX = ("jax_eager", "jax_jit")

# What a kernel that takes the module of its functions as `xp` runs on as it is.
WITH_XP = ("numpy", *_JAX)


def suffixes(backends: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return what a kernel's name may end with, and the backends that it then runs on.

    >>> suffixes(["numpy", "jax_eager", "jax_jit"])["jax"]
    ('jax_eager', 'jax_jit')
    """
    ends: dict[str, tuple[str, ...]] = {backend: (backend,) for backend in backends}
    jax = tuple(backend for backend in _JAX if backend in ends)
    return {"jax": jax, **ends} if jax else ends


def split_version(name: str) -> tuple[str, str | None]:
    """Return a name without its version, and the version or None.

    >>> split_version("fit_numba__parallel"), split_version("fit_numba"), split_version("fit_numba__")
    (('fit_numba', 'parallel'), ('fit_numba', None), ('fit_numba', ''))
    """
    base, mark, version = name.partition("__")
    return base, version if mark else None


def split_backend(base: str, ends: Mapping[str, object]) -> tuple[str, str] | None:
    """Return a kernel's name without the longest end that fits, and that end; None if it is none.

    >>> split_backend("fit_jax_jit", {"jit": (), "jax_jit": ()})
    ('fit', 'jax_jit')
    >>> [split_backend(base, {"numpy": ()}) for base in ("numpy", "to_numpy")]
    [None, None]
    """
    longest = max((end for end in ends if base.endswith(f"_{end}")), key=len, default=None)
    if longest is None:
        return None
    beginning = base[: -len(longest) - 1]
    return (beginning, longest) if beginning and beginning not in CONVERSIONS else None


def is_reserved(name: str) -> bool:
    """Tell whether a name is never a kernel's, whatever it ends with.

    >>> [is_reserved(name) for name in ("inputs", "inputs_numba", "_fit_numba", "input_numba")]
    [True, True, True, False]
    """
    return name.startswith("_") or any(
        name == word or name.startswith(f"{word}_") for word in (*MAKERS, *SETTINGS)
    )
