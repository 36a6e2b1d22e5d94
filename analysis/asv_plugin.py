"""asv's hook into this project: named in asv.conf.json, run by every `asv publish`.

asv imports this module whatever it is asked to do, and an import error would take all of its
commands down: nothing but asv and the standard library is imported at module level.
"""

from pathlib import Path
from typing import Any

from asv.console import log
from asv.publishing import OutputPublisher

from analysis.offline_pages import OfflineError, make_offline


class OfflinePages(OutputPublisher):  # type: ignore[misc]
    """Make the published pages work without internet access."""

    name = "offline"

    @classmethod
    def publish(cls, conf: Any, *_: Any) -> None:
        """Replace the network addresses in asv's index; where that fails, say so and keep them."""
        try:
            make_offline(Path(conf.html_dir), Path(conf.env_dir).parent / "npm")
        except OfflineError as error:
            log.warning(f"the pages need internet access: {error}")
