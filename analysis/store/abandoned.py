"""What a call that was killed had begun to write."""

from __future__ import annotations

import os
import re
from pathlib import Path

__all__ = ["remove_abandoned"]

# As `jitcost.files.replacing` calls what it has not completed; the number is the process's.
_INCOMPLETE = re.compile(r"\..+\.(\d+)\.tmp")


def remove_abandoned(folder: Path) -> None:
    """Remove from kept results what nobody will complete: it would be committed."""
    for path in folder.rglob(".*.tmp"):
        incomplete = _INCOMPLETE.fullmatch(path.name)
        if incomplete is not None and not _lives(int(incomplete[1])):
            path.unlink(missing_ok=True)


def _lives(process: int) -> bool:
    """Tell whether there is such a process; where that cannot be asked, there is."""
    if os.name != "posix":  # elsewhere the question would end it
        return True
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:  # another person's
        return True
    return True
