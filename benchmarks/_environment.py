"""Measure only what the environment's name promises."""

import json
import os
import sys
from pathlib import Path


class OtherVersionError(Exception):
    """What is imported is not what the environment's name says."""


def promised():
    """Return the versions that asv made this environment for; {} outside of one."""
    folder = os.environ.get("ASV_ENV_DIR")
    info = Path(folder, "asv-env-info.json") if folder else None
    if info is None or not info.is_file():
        return {}
    made_for = json.loads(info.read_text())
    versions = {name.removeprefix("pip+"): v for name, v in made_for["requirements"].items()}
    return {name: version for name, version in versions.items() if version}


def refuse_other_versions():
    """Raise `OtherVersionError` if an imported distribution has another version than promised.

    Installing one package can quietly replace another, and asv's tables would go on showing the
    version that was asked for.
    """
    for name, version in promised().items():
        imported = getattr(sys.modules.get(name), "__version__", version)
        if imported != version.lstrip("="):
            raise OtherVersionError(
                f"{name} {imported} is imported where the environment promises {version}: remove "
                f"{os.environ['ASV_ENV_DIR']} and let asv make it anew"
            )
