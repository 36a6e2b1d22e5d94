"""asv's hooks into this project: named in asv.conf.json, run by every `asv publish`.

asv imports this module whatever it is asked to do, and an import error would take all of its
commands down: nothing but asv and the standard library is imported at module level. Nor may a
publisher raise anything: the pages would be left half written.
"""

import re
from pathlib import Path
from typing import Any

from asv.console import log
from asv.publishing import OutputPublisher

REPORT = "jitcost.html"
ACCOUNT = "account.html"  # beside it, where there are variants to account for

_TAB = f'<li id="nav-li-jitcost"><a href="{REPORT}">jitcost report</a></li>'
_LAST_TAB = re.compile(r'^[ \t]*<li id="nav-li-regressions">.*?</li>\n', re.MULTILINE)


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


class Report(OutputPublisher):  # type: ignore[misc]
    """Add the report on the newest results, as a tab."""

    name = "jitcost"

    @classmethod
    def publish(cls, conf: Any, *_: Any) -> None:
        """Write the page and link to it; where that fails, say so and leave the site as it is."""
        try:
            add_report(Path(conf.results_dir), Path(conf.html_dir))
        except ImportError as error:
            missing = error.name or error
            log.warning(
                f"no report: {missing} is missing; python -m pip install 'jitcost[analysis]'"
            )
        except Exception as error:
            log.warning(f"no report: {str(error) or repr(error)}")


def add_report(results_folder: Path, html: Path) -> None:
    """Write the report and the account into a published site, and a tab that leads to them.

    asv's script builds no navigation from a list: the tab is written into the index.

    Parameters
    ----------
    results_folder : Path
        What asv calls `results_dir`.
    html : Path
        The folder that asv has published.

    Raises
    ------
    ImportError
        If what the report needs is not installed.
    Exception
        If there is nothing to report, or asv's index has no tabs where they are looked for.
    """
    from jitcost.files import write_atomically
    from jitcost.show.report import account_page, page
    from jitcost.store import results

    everything = results.read(results_folder)
    cells = results.select(everything)
    pages = {}
    account = None
    if not cells.filter(kind="Variants", state="value").is_empty():
        account = ACCOUNT
        pages[account] = account_page(cells, results_folder, home=REPORT)
    pages[REPORT] = page(
        cells, results_folder, home="index.html", account=account, everything=everything
    )
    index = html / "index.html"
    before = index.read_text(encoding="utf-8")
    after = before
    if _TAB not in before:
        after, count = _LAST_TAB.subn(lambda match: f"{match[0]}\t{_TAB}\n", before, count=1)
        if not count:
            raise ValueError("asv's index has no tab of regressions to put another one after")
    for name, text in pages.items():
        write_atomically(html / name, text)
    write_atomically(index, after)
