"""asv's environments of sources: wheels, nightlies and whatever else pip can be given.

asv imports this module by its name in the configuration of a run (see `installing`): what its matrix
says it would cut down to a release, and paths and URLs it would not find.
"""

from __future__ import annotations

import os
from typing import Any

from asv import util
from asv.plugins.virtualenv import Virtualenv

from jitcost.measuring.installing import SETTING, TOOL
from jitcost.measuring.pip import why_impossible

__all__ = ["VirtualenvOfSources"]


class VirtualenvOfSources(Virtualenv):  # type: ignore[misc]
    """A virtualenv, filed as asv's own are, into which pip installs what the configuration says."""

    tool_name = TOOL

    def __init__(
        self, conf: Any, python: str, requirements: dict[str, str], tagged_env_vars: dict[Any, str]
    ) -> None:
        self._sources: dict[str, list[str]] = getattr(conf, SETTING, {})
        super().__init__(conf, python, requirements, tagged_env_vars)

    @property
    def name(self) -> str:
        """The name in result files: as asv's own, it says what is in it, and not who has made it."""
        of_tool: str = super().name
        return of_tool.replace(TOOL, Virtualenv.tool_name, 1)

    def _install_requirements(self) -> None:
        env = {**os.environ, **self.build_env_vars}
        self._run_pip(["install", "-v", "wheel", "pip>=8"], env=env)
        for key, version in {**self._requirements, **self._base_requirements}.items():
            if key in self._sources:
                self._install(*self._sources[key], env=env)
            else:
                declared = util.ParsedPipDeclaration(f"{key.removeprefix('pip+')} {version}")
                util.construct_pip_call(self._run_pip, declared)()

    def _install(self, requirement: str, *options: str, env: dict[str, str]) -> None:
        calls = [["--upgrade", *options]]
        if " @ " in requirement:
            # pip leaves a release of the same version there that another package has brought.
            calls.append(["--force-reinstall", "--no-deps"])
        for arguments in calls:
            try:
                self._run_pip(["install", "-v", *arguments, requirement], env=env)
            except util.ProcessError as error:  # which asv would tell with its command alone
                raise util.UserError(f"{requirement}: {why_impossible(error.stderr)}") from None
