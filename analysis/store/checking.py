"""Whether a result file can be read to its last cell: others are neither kept nor merged with."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from jitcost.errors import BadCallError
from jitcost.store.asv_files import BROKEN, ResultFile, load
from jitcost.store.catalogue import Catalogue
from jitcost.store.columns import columns_of
from jitcost.store.remarks import Remarks

__all__ = ["checked", "is_readable"]


def checked(path: Path) -> ResultFile:
    """Return a result file that can be read; a cell that is no number is no obstacle.

    Raises
    ------
    BadCallError
        If its format is not known.
    Exception
        One of `BROKEN`, or Polars', if the file is.
    """
    file = load(path)
    columns_of(path, file, Catalogue(), {}, Remarks(lines=0))
    return file


def is_readable(path: Path) -> bool:
    """Tell whether a result file can be read."""
    try:
        checked(path)
    except (*BROKEN, BadCallError, pl.exceptions.PolarsError):
        return False
    return True
