"""Where a version of a library comes from, and how asv is told to install it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

__all__ = ["SETTING", "TOOL", "Source", "for_asv"]

# What asv calls the environments that are made by `asv_environment`, and where its configuration has,
# by requirement, what pip is given.
TOOL = "virtualenv_of_sources"
SETTING = "jitcost_sources"

# The versions that asv hands to pip whole: it takes 0.12.0 for 0.12.0.dev1, and 2.9.0 for 2.9.0.post1.
_WHOLE = re.compile(r"\d+(\.\d+)*((a|b|rc)\d+)?")


@dataclass(frozen=True)
class Source:
    """Where a version of a library comes from.

    Attributes
    ----------
    name : str
        The distribution's.
    version : str
        What the environment is filed under: a release; or the public version of what was built, with
        a label of what it was built from.
    requirement : str
        What pip is given.
    said : str
        What a person has written.
    options : tuple of str
        What else pip is given.
    built_from : str
        The URL of what is no release, of git's with the whole commit.
    """

    name: str
    version: str
    requirement: str
    said: str
    options: tuple[str, ...] = ()
    built_from: str = ""

    @property
    def is_release(self) -> bool:
        """Whether it is a release that the index has by itself, and asv can install."""
        pinned = self.requirement == f"{self.name}=={self.version}"
        return pinned and not self.options and bool(_WHOLE.fullmatch(self.version))


def for_asv(sources: Mapping[str, Source]) -> dict[str, Any]:
    """Return the settings with which asv installs the sources; {} where it does without any.

    Parameters
    ----------
    sources : mapping
        By requirement, as the matrix of asv's configuration has it.
    """
    if all(source.is_release for source in sources.values()):
        return {}
    given = {key: [source.requirement, *source.options] for key, source in sources.items()}
    plugin = ".jitcost.measuring.asv_environment"
    return {"environment_type": TOOL, "plugins": [plugin], SETTING: given}
