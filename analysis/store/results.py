"""asv's results as cells: what the other rooms read them by.

>>> from jitcost.store import results
>>> cells = results.select(results.read(results.default_folder()))  # doctest: +SKIP
"""

from jitcost.store.cells import SCHEMA
from jitcost.store.locating import default_folder
from jitcost.store.parameters import parse_size, unquote
from jitcost.store.reading import batches, read
from jitcost.store.selecting import (
    of_machine,
    require_commit,
    require_machine,
    select,
    with_parameters,
)
from jitcost.store.wanted import NEWEST

__all__ = [
    "NEWEST",
    "SCHEMA",
    "batches",
    "default_folder",
    "of_machine",
    "parse_size",
    "read",
    "require_commit",
    "require_machine",
    "select",
    "unquote",
    "with_parameters",
]
