"""Where the time goes in numerical Python, and what just-in-time compilation does about it and costs.

>>> import jitcost
>>> jitcost.measure({"numpy": f, "jax_jit": g}, inputs=make)      # doctest: +SKIP
>>> cells = jitcost.read("results")               # doctest: +SKIP
>>> for row in jitcost.compare(cells):            # doctest: +SKIP
...     print(row.of.title, row.backend, row.n, row.time)

Each question returns an `Answer`: its rows are frozen dataclasses, `.objects()` what JSON holds.
Importing this package imports none of the libraries that it uses; a function brings its own when it
is first asked for.
"""

from __future__ import annotations

import importlib

TYPE_CHECKING = False  # as in typing, which itself takes most of the time that this import would
if TYPE_CHECKING:
    from jitcost.backends import Backend as Backend
    from jitcost.backends import register as register
    from jitcost.measured.functions import measure as measure
    from jitcost.measured.result import Measured as Measured
    from jitcost.questions.breakeven import ask as breakeven
    from jitcost.questions.claims import ask as claims
    from jitcost.questions.compare import ask as compare
    from jitcost.questions.crossover import ask as crossover
    from jitcost.questions.fit import ask as fit
    from jitcost.questions.history import ask as over_time
    from jitcost.questions.over_machines import ask as over_machines
    from jitcost.questions.plan import ask as plan
    from jitcost.questions.predict import ask as predict
    from jitcost.store.reading import read as read
    from jitcost.store.selecting import select as select

# By public name, the module and what it is called there. No public function has the name of a
# subpackage, or of a folder in the checkout: importing the one would hide the other.
_PUBLIC = {
    "Backend": ("backends", "Backend"),
    "register": ("backends", "register"),
    "Measured": ("measured.result", "Measured"),
    "measure": ("measured.functions", "measure"),
    "read": ("store.reading", "read"),
    "select": ("store.selecting", "select"),
    "compare": ("questions.compare", "ask"),
    "fit": ("questions.fit", "ask"),
    "breakeven": ("questions.breakeven", "ask"),
    "crossover": ("questions.crossover", "ask"),
    "plan": ("questions.plan", "ask"),
    "predict": ("questions.predict", "ask"),
    "claims": ("questions.claims", "ask"),
    "over_machines": ("questions.over_machines", "ask"),
    "over_time": ("questions.history", "ask"),
}

__all__ = [
    "Backend",
    "Measured",
    "__version__",
    "breakeven",
    "claims",
    "compare",
    "crossover",
    "fit",
    "measure",
    "over_machines",
    "over_time",
    "plan",
    "predict",
    "read",
    "register",
    "select",
]


def __getattr__(name: str) -> object:
    if name == "__version__":
        return importlib.import_module("importlib.metadata").version("jitcost")
    if name not in _PUBLIC:
        raise AttributeError(f"module 'jitcost' has no attribute {name!r}")
    module, attribute = _PUBLIC[name]
    return getattr(importlib.import_module(f"jitcost.{module}"), attribute)


def load_ipython_extension(shell: object) -> None:
    """Make `%%jitcost` known: `%load_ext jitcost`."""
    importlib.import_module("jitcost.measured.magic").register(shell)


def __dir__() -> list[str]:
    return sorted(__all__)
