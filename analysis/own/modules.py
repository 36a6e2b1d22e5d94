"""Which files a person's file has imported from its own folder."""

from __future__ import annotations

import sys
from pathlib import Path

__all__ = ["beside"]


def beside(path: str) -> list[str]:
    """Return the modules' files below a file's folder, itself first; no environment's there."""
    own = Path(path).resolve()
    files = (getattr(module, "__file__", None) for module in list(sys.modules.values()))
    found = {Path(file).resolve() for file in files if file}
    folder = own.parent
    outside = {Path(prefix).resolve() for prefix in (sys.prefix, sys.base_prefix)}
    return [
        str(own),
        *sorted(
            str(file)
            for file in found - {own}
            if file.is_relative_to(folder)
            and "site-packages" not in file.parts
            and not any(file.is_relative_to(prefix) for prefix in outside if prefix != folder)
        ),
    ]
