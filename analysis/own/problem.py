"""A problem as its file has it once it is loaded: inputs, reference, kernels and settings."""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import inspect
import math
import pickle
import random
import sys
import sysconfig
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from jitcost.own import modules
from jitcost.own.errors import OwnFileError
from jitcost.own.jobs import Size, Source

__all__ = ["SEED", "Problem", "load", "one_line"]

# What inputs are drawn with, the same in every process and on every machine.
SEED = 20261130

# A reason is one line in a table of reasons.
_LONGEST = 200


# Where files are that no user has written.
_FOLDERS = [*modules.OURS, *(Path(sysconfig.get_path(name)) for name in ("stdlib", "purelib"))]
_OURS = tuple(str(folder.resolve()) for folder in _FOLDERS)


@dataclass(frozen=True)
class Problem:
    """What a file says of one problem.

    Attributes
    ----------
    name : str
    namespace : mapping
        What the file has at its top level.
    make_inputs : callable or None
        `(n, rng)`, or `(n)`; None in another state of a file, which gets today's inputs.
    reference : callable or None
    """

    name: str
    namespace: Mapping[str, Any]
    make_inputs: Callable[..., Any] | None
    reference: Callable[..., Any] | None

    def setting(self, name: str, *kernels: str, default: Any = None) -> Any:
        """Return what the file says under a name; a dict says it by kernel."""
        value = self.namespace.get(f"{name}_{self.name}", self.namespace.get(name, default))
        if isinstance(value, Mapping):
            return next((value[kernel] for kernel in kernels if kernel in value), default)
        return value

    def inputs(self, size: Size, draw: int) -> tuple[Any, ...]:
        """Return the arguments of size n: one of two independent draws, equal in every process.

        Raises
        ------
        OwnFileError
            If the file's function fails.
        """
        n, make = size, self.make_inputs
        if not callable(make):
            raise OwnFileError("there is no function inputs; define inputs(n, rng)")
        seed = (SEED, draw, *(int(part) for part in (n if isinstance(n, tuple) else (n,))))
        # Of the global generators, too: who draws from them would get other inputs in every process.
        random.seed(repr(seed))
        np.random.seed(np.random.SeedSequence(seed).generate_state(4))
        takes_rng = _positional(make) >= 2
        try:
            made = make(n, *([np.random.default_rng(seed)] if takes_rng else []))
        except Exception as error:
            raise OwnFileError(f"inputs({n}) fails: {one_line(error)}") from error
        return made if type(made) is tuple else (made,)

    def n_of(self, size: Size) -> float:
        """Return n: what the file says, else the size itself, or the product of its parts."""
        own = self.setting("n_of")
        if callable(own):
            return float(own(size))
        return float(math.prod(size)) if isinstance(size, tuple) else float(size)


def load(source: Source) -> Problem:
    """Load a problem's functions.

    The backend that they run on is imported before: a file may be called `jax.py`.

    Raises
    ------
    OwnFileError
        If the file cannot be loaded, in one line.
    """
    path = Path(source.path)
    try:
        namespace = _unpickled(path) if path.suffix == ".pickle" else _imported(source)
    except ModuleNotFoundError as error:
        get_it = f"python -m pip install {error.name}" if error.name else "install it"
        said = f"{path.name} imports {error.name}, which is missing: {get_it}"
        raise OwnFileError(said) from error
    except (Exception, SystemExit) as error:
        raise OwnFileError(f"{path.name} cannot be loaded: {one_line(error)}") from error
    reference = namespace.get(source.reference) if source.reference else None
    return Problem(source.problem, namespace, namespace.get(source.inputs), reference)


def _imported(source: Source) -> Mapping[str, Any]:
    path = Path(source.path)
    name = f"_own_{path.stem}" if _is_a_librarys(path) else path.stem
    # First on the path, as Python has it for a script, but not for what is imported already.
    sys.path[:0] = [str(path.parent), *source.roots]
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses and pickles look there
    spec.loader.exec_module(module)
    return vars(module)


def _is_a_librarys(path: Path) -> bool:
    """Tell whether a library has a file's name; it is imported then, for the file may need it.

    A file called `jax.py` would find itself where it imports jax.
    """
    try:
        found = importlib.util.find_spec(path.stem)
    except (ImportError, ValueError):  # of what has this name in sys.modules, and is no module
        return path.stem in sys.modules
    if found is None or (
        found.origin is not None and Path(found.origin).resolve() == path.resolve()
    ):
        return False
    with contextlib.suppress(Exception):
        importlib.import_module(path.stem)
    return True


def _unpickled(path: Path) -> Mapping[str, Any]:
    with path.open("rb") as file:
        namespace: Mapping[str, Any] = pickle.load(file)
    return namespace


def _positional(function: Callable[..., Any]) -> int:
    """Return how many arguments a function takes by position."""
    parameters = inspect.signature(function).parameters.values()
    if any(one.kind is one.VAR_POSITIONAL for one in parameters):
        return 2
    return sum(one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD) for one in parameters)


def one_line(error: BaseException) -> str:
    """Return what an error says, on one line, and where in a file of the user's it was raised."""
    text = str(error)
    if "nopython" in text:  # Numba's first lines say where it was, not what is wrong
        lines = [line for line in text.splitlines() if line.strip()]
        text = " ".join([line for line in lines if not line.startswith("Failed in nopython")][:2])
    said = " ".join(text.split())
    if len(said) > _LONGEST:
        said = f"{said[:_LONGEST]}…"
    where = ""
    for frame in traceback.extract_tb(error.__traceback__):
        if _is_theirs(frame.filename):
            where = f" ({Path(frame.filename).name}, line {frame.lineno})"
    name = type(error).__name__
    return f"{name}: {said}{where}" if said else f"{name}{where}"


def _is_theirs(filename: str) -> bool:
    return not filename.startswith("<frozen") and not str(Path(filename).resolve()).startswith(
        _OURS
    )
