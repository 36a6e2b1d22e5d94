"""Functions that are in memory: of a script, a notebook, a test.

>>> import jitcost
>>> found = jitcost.measure({"numpy": f, "jax_jit": g}, inputs=make)  # doctest: +SKIP
>>> found                                                             # doctest: +SKIP
>>> found.plan(n=1000, calls=50)                                      # doctest: +SKIP
"""

from __future__ import annotations

import contextlib
import datetime
import hashlib
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from jitcost.errors import BadCallError
from jitcost.measured.result import Measured, measured
from jitcost.measuring import own_run
from jitcost.measuring.entries import Request, State, Watch
from jitcost.measuring.machine import machine_name
from jitcost.measuring.own_files import of_functions
from jitcost.own.jobs import Size

__all__ = ["measure", "watched"]


def measure(
    functions: Mapping[str, Callable[..., Any]],
    *,
    inputs: Callable[..., Any],
    sizes: Sequence[Size] | None = None,
    reference: Callable[..., Any] | None = None,
    name: str = "kernel",
    processes: int = 5,
    time: float = 60.0,
    timeout: float = 30.0,
    machine: str | None = None,
    watch: Watch | None = None,
    **settings: Any,
) -> Measured:
    """Measure functions on their backends, each in fresh processes, and compare them.

    Parameters
    ----------
    functions : mapping of str to callable
        By backend, with a version after `__`: `numpy`, `jax_jit`, `numba__parallel`.
    inputs : callable
        `(n, rng) -> ` what they get: a tuple has an argument in each item.
    sizes : sequence of int or tuple, optional
        By default decades from 10 to 10^6, as far as time and memory go.
    reference : callable, optional
        Computes the right result; by default NumPy's function does, else Python's, else the first.
    name : str
        What tables call the problem.
    processes : int
        Of each function: the unit of every interval.
    time : float
        Seconds that the whole may take.
    timeout : float
        Seconds after which a call is given up.
    machine : str, optional
        The name to keep results under; by default the host's.
    watch : Watch, optional
        Who is told while it goes on; by default it is shown on standard error.
    **settings
        `tolerance`, `grows`, `mutates`, `static`, `traced`, `n_of`, as a file has them.

    Returns
    -------
    Measured

    Raises
    ------
    BadCallError
        If a name is no backend's, or functions cannot be handed to another process.
    NothingFoundError
        If nothing could be measured.
    """
    if not name.isidentifier():
        raise BadCallError(f"name = {name!r} is no identifier")
    named = machine_name(machine)
    with tempfile.TemporaryDirectory(prefix="jitcost-") as folder:
        given = {**settings, "inputs": inputs}
        if reference is not None:
            given["reference"] = reference
        entries, lines = of_functions(functions, given, name, Path(folder))
        request = Request(
            tuple(entries), None if sizes is None else tuple(sizes), processes, time, timeout
        )
        now = datetime.datetime.now(datetime.UTC)
        text = f"{sorted(map(repr, functions.values()))}{now}"
        commit = hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest()
        state = State(commit, now, "", {})
        with watched(watch) as watching:
            for line in lines:
                watching.say(line)
            outcome = own_run.measure(request, watching)
    return measured(outcome, entries, state, named)


@contextlib.contextmanager
def watched(watch: Watch | None = None) -> Iterator[Watch]:
    """Give who watches: the one that is there, or one that shows it on standard error."""
    if watch is not None:
        yield watch
        return
    from jitcost.show.live import watching

    with watching() as shown:
        yield shown
