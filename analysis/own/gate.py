"""May this kernel be timed? Asked at every size, on two draws of the inputs, before anything is."""

from __future__ import annotations

import contextlib
import copy
import inspect
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from jitcost.backends import Implementation, is_compiled
from jitcost.backends.functions import is_native
from jitcost.own import equality
from jitcost.own.calls import Made, OwnKernel, names_of_arguments, to_native
from jitcost.own.closed_over import constants_of
from jitcost.own.errors import RefusedError
from jitcost.own.jobs import Size
from jitcost.own.problem import Problem
from jitcost.own.shared import Reference, Shared

__all__ = ["Checked", "Gate"]


# Further calls that say how long one takes, where they cost nothing: of less than so many seconds.
_FURTHER, _QUICK = 5, 0.01

# What a result is held against unless that is said.
_REFERENCE = object()


@dataclass(frozen=True)
class Checked:
    """A kernel that may be timed at a size.

    Attributes
    ----------
    error, tolerance : float
        How far its result is from the reference.
    first, seconds : float
        How long its first call took here, and its fastest one: to plan by, and for nothing else.
    remarks : tuple of str
        What to say of it beside its times.
    """

    error: float
    tolerance: float
    first: float
    seconds: float
    remarks: tuple[str, ...]


class Gate:
    """The check of one kernel.

    Parameters
    ----------
    problem : Problem
    shared : Shared
    backend : Implementation
    kernel : OwnKernel
    names : tuple of str
        What the file may call this kernel in its settings; the first is what results store.
    calls : callable
        Is called before every call that may take a while.
    """

    def __init__(
        self,
        problem: Problem,
        shared: Shared,
        backend: Implementation,
        kernel: OwnKernel,
        names: tuple[str, ...],
        calls: Callable[[], object] = lambda: None,
    ) -> None:
        self.problem, self.shared, self.backend, self.kernel = problem, shared, backend, kernel
        self.names = names
        self.calls = calls
        self.mutates = bool(problem.setting("mutates", *names, default=False))

    def check(self, size: Size, earlier: Made | None = None) -> tuple[Checked, Made]:
        """Run a kernel twice on one draw and once on another, and look at what it does.

        Parameters
        ----------
        size : int, float or tuple
        earlier : Made, optional
            The kernel of another size, which is used again.

        Returns
        -------
        Checked
        Made
            The kernel.

        Raises
        ------
        RefusedError
            If it is not to be timed.
        OwnFileError
            If the inputs or the reference cannot be had.
        """
        with warnings.catch_warnings(record=True) as raised:
            warnings.simplefilter("always")
            checked, made = self._check(size, earlier)
        told = dict.fromkeys(f"warns: {' '.join(str(one.message).split())}" for one in raised)
        inputs = () if self.shared.remark is None else (self.shared.remark,)
        remarks = (*inputs, *checked.remarks, *list(told)[:3])
        return replace(checked, remarks=remarks), made

    def _check(self, size: Size, earlier: Made | None) -> tuple[Checked, Made]:
        made, comparison, first, one = self.run_once(size, 0, earlier)
        bound = len(made.bound)
        _, again, seconds, _ = self.run_once(size, 0, made, against=one)
        _, other, _, two = self.run_once(size, 1, made)
        remarks = dict.fromkeys((*comparison.remarks, *again.remarks, *other.remarks))
        drawn = [self.shared.inputs(size, draw) for draw in (0, 1)]
        if one is None:
            remarks["returns nothing: a compiler may leave out all of its work"] = None
        elif equality.same(one, two) and not equality.same(drawn[0], drawn[1]):
            remarks["gives the same result for other inputs"] = None
        if earlier is None and is_compiled(self.names[0]):
            arguments = to_native(self.backend, drawn[0])
            remarks |= dict.fromkeys(constants_of(self.kernel, made, arguments))
        if bound and bound == len(drawn[0]):
            remarks["gets nothing that is traced: a compiler may compute it beforehand"] = None
        # Only now: one that is refused is nothing that others are held against.
        for draw, value in enumerate((one, two)):
            if self.shared.reference(size, draw) is None:
                self.shared.set_reference(size, draw, Reference(value, self.names[0]))
        worst = max((comparison, other), key=lambda found: found.error)
        for _ in range(_FURTHER if seconds < _QUICK else 0):
            seconds = min(seconds, self.run_once(size, 0, made, against=one)[2])
        return Checked(worst.error, worst.tolerance, first, seconds, tuple(remarks)), made

    def run_once(
        self, size: Size, draw: int, earlier: Made | None, against: object = _REFERENCE
    ) -> tuple[Made, equality.Comparison, float, object]:
        """Call a kernel once on inputs of its own.

        Parameters
        ----------
        size, draw
            Of the inputs.
        earlier : Made or None
            Used again if it fits.
        against : object, optional
            An earlier result on equal inputs; by default the result is held against the reference.

        Returns
        -------
        Made
        Comparison
        float
            The seconds.
        object
            What `value_of` returns.

        Raises
        ------
        RefusedError
            If the result is another one, or none that is to be timed.
        """
        with _donations_refused():
            return self._run_once(size, draw, earlier, against)

    def _run_once(
        self, size: Size, draw: int, earlier: Made | None, against: object
    ) -> tuple[Made, equality.Comparison, float, object]:
        inputs = self.shared.inputs(size, draw)
        arguments = to_native(self.backend, inputs)
        made = self.kernel.made_for(arguments, earlier)
        call = self.kernel.call(made, arguments)
        self.calls()
        start = time.perf_counter()
        result = call()
        seconds = time.perf_counter() - start
        value = self.value_of(result, arguments, inputs)
        if against is _REFERENCE:
            return made, self.compared(value, size, draw), seconds, value
        found = equality.compare(value, against)
        if found.difference is not None:
            raise RefusedError(f"its second call differs from its first{_how(found)}")
        return made, found, seconds, value

    def value_of(
        self, result: object, arguments: tuple[Any, ...], inputs: tuple[Any, ...]
    ) -> object:
        """Return what a call has computed, with NumPy's arrays.

        Parameters
        ----------
        result : object
            What it has returned.
        arguments : tuple
            What the kernel got, in the backend's own form.
        inputs : tuple
            What they were made from.

        Returns
        -------
        object
            Nothing that the next call writes into. Of a kernel that changes inputs and returns None,
            those inputs.

        Raises
        ------
        RefusedError
            If it is not ready, or not the backend's, or an input has changed.
        """
        if isinstance(result, Iterator) or inspect.isawaitable(result):
            lazy = type(result).__name__
            raise RefusedError(f"returns a {lazy}, which has computed nothing yet; return a list")
        if not is_native(self.backend, result):
            raise RefusedError(
                "returns an array of another library, which has computed it, and not this backend; "
                "use the backend's own (such as jax.numpy), or take xp"
            )
        if not self.backend.is_ready(result):
            raise RefusedError("its result is not ready when the call returns")
        if self.mutates and result is not None:
            return _kept(equality.to_host(result, self.backend.to_numpy))
        changed = self._changed(arguments, inputs)
        if changed and not self.mutates:
            raise RefusedError(
                f"changes its input {next(iter(changed))}; work on a copy, or say mutates = True in "
                "the file"
            )
        if changed and result is None:
            return next(iter(changed.values())) if len(changed) == 1 else (*changed.values(),)
        return _kept(equality.to_host(result, self.backend.to_numpy))

    def compared(self, value: object, size: Size, draw: int) -> equality.Comparison:
        """Hold a result against the reference; without one, against itself.

        Raises
        ------
        RefusedError
            If it differs.
        """
        self.calls()
        reference = self.shared.reference(size, draw) or Reference(value, self.names[0])
        tolerance = self.problem.setting("tolerance", *self.names)
        found = equality.compare(value, reference.value, tolerance)
        if found.difference is not None:
            what = f"differs from {reference.by}'s" if reference.by else "is wrong"
            raise RefusedError(f"{what}{_how(found)}")
        return found

    def _changed(self, arguments: tuple[Any, ...], inputs: tuple[Any, ...]) -> dict[str, object]:
        """Return the arguments that are no longer what they were, by name, with NumPy's arrays."""
        names = names_of_arguments(self.kernel.function, len(inputs))
        on_host = (equality.to_host(after, self.backend.to_numpy) for after in arguments)
        return {
            name: after
            for name, after, before in zip(names, on_host, inputs, strict=True)
            if not equality.same(after, equality.to_host(before, np.asarray))
        }


@contextlib.contextmanager
def _donations_refused() -> Iterator[None]:
    """Say what it means that an input is gone."""
    try:
        yield
    except RuntimeError as error:
        if "has been deleted" not in str(error):  # as JAX calls a buffer that was given away
            raise
        raise RefusedError(
            "donates its inputs, and finds them gone at the second call; donate nothing, or say "
            "mutates = True in the file"
        ) from error


def _kept(value: object) -> object:
    """Return a result that the kernel's next call does not write into."""
    try:
        return copy.deepcopy(value)
    except (TypeError, ValueError):  # of an object that cannot be copied; what has arrays can
        return value


def _how(found: equality.Comparison) -> str:
    """Return how two results differ, as the end of a sentence."""
    said = found.difference or ""
    return f" {said}" if said.startswith("at ") else f": {said}"
