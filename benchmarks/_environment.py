"""Measure only what the environment's name promises."""

import importlib.metadata
import json
import os
import re
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
        if not is_promised(version.lstrip("="), imported, *installed(name)):
            raise OtherVersionError(
                f"{name} {imported} is imported where the environment promises {version}: remove "
                f"{os.environ['ASV_ENV_DIR']} and let asv make it anew"
            )


def installed(name):
    """Return a distribution's version and the URL that it was installed from, or an empty text."""
    try:
        found = importlib.metadata.distribution(name)
    except importlib.metadata.PackageNotFoundError:
        return "", ""
    return found.version, json.loads(found.read_text("direct_url.json") or "{}").get("url", "")


def is_promised(version, imported, installed_version, url):
    """Tell whether what is imported is what an environment is filed under.

    The label of a version such as 1.2.dev3+1a2b3c4d is of what was built and installed from a folder
    of that name. The module itself may know nothing of it, or have another one from its own build.

    Parameters
    ----------
    version : str
        What is promised.
    imported : str
        What the module says.
    installed_version, url : str
        What the installer has recorded.
    """
    imported, version, installed_version = map(_comparable, (imported, version, installed_version))
    if imported == version:
        return True
    public, _, label = version.partition("+")
    its_public, _, its_label = imported.partition("+")
    return (
        bool(label)
        and its_public == public
        and (not its_label or imported == installed_version)
        and (installed_version == version or url.split("/")[-2:-1] == [label])
    )


def _comparable(version):
    """Return a version as packaging would write it, or nearly: 0.69.0dev0 is 0.69.0.dev0."""
    return re.sub(r"[-_.]+(?=[a-z])", "", version.lower())
