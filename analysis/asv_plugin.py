"""asv's hooks into this project: named in asv.conf.json, run by every `asv publish`.

asv imports this module whatever it is asked to do, and an import error would take all of its
commands down: nothing but asv and the standard library is imported at module level. Nor may a
publisher raise anything: the pages would be left half written.
"""

from pathlib import Path
from typing import Any

from asv.console import log
from asv.publishing import OutputPublisher


class OfflinePages(OutputPublisher):  # type: ignore[misc]
    """Make the published pages work without internet access."""

    name = "offline"

    @classmethod
    def publish(cls, conf: Any, *_: Any) -> None:
        """Replace the network addresses in asv's index; where that fails, say so and keep them."""
        try:
            from jitcost.show.offline_pages import OfflineError, make_offline
        except ImportError as error:
            log.warning(f"the pages need internet access: {error.name} is missing")
            return
        try:
            make_offline(Path(conf.html_dir), Path(conf.env_dir).parent / "npm")
        except (OfflineError, OSError) as error:
            log.warning(f"the pages need internet access: {error}")


class Pages(OutputPublisher):  # type: ignore[misc]
    """Add our pages: the first one of the site, the report, and one for each workload.

    asv runs publishers of one order as they are defined: this one moves the index that `OfflinePages`
    rewrites.
    """

    name = "jitcost"

    @classmethod
    def publish(cls, conf: Any, *_: Any) -> None:
        """Write the pages and link to them; where that fails, say so and leave the site as it is."""
        try:
            add_pages(Path(conf.results_dir), Path(conf.html_dir))
        except ImportError as error:
            missing = error.name or error
            log.warning(f"no report: {missing} is missing; python -m pip install {missing}")
        except Exception as error:
            log.warning(f"no report: {str(error) or repr(error)}")


def add_pages(results_folder: Path, html: Path) -> None:
    """Write the pages on a folder's results into a published site; see `jitcost.show.site`.

    And let the site's grid show what one commit alone was measured of.
    """
    from jitcost.show import site
    from jitcost.store import results

    site.show_lone_commits(html)
    site.add_pages(results.read(results_folder), results_folder, html)
