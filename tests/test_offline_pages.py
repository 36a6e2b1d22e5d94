import re
import shutil
from pathlib import Path

import asv
import pytest

from jitcost.show import offline_pages
from jitcost.show.offline_pages import OfflineError, make_offline

WWW = Path(asv.__file__).parent / "www"
FROM_NETWORK = re.compile(r'(?:src|rel="stylesheet" href)="(?:https?:)?//')


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    return tmp_path_factory.mktemp("npm")


@pytest.fixture
def html(tmp_path):
    return Path(shutil.copytree(WWW, tmp_path / "html"))


needs_npm = pytest.mark.skipif(shutil.which("npm") is None, reason="npm is not installed")


@needs_npm
def test_the_index_of_the_installed_asv_loads_nothing_from_a_network(html, cache):
    assert len(FROM_NETWORK.findall((html / "index.html").read_text())) == len(offline_pages.ASSETS)
    make_offline(html, cache)
    text = (html / "index.html").read_text()
    assert not FROM_NETWORK.search(text)
    local = re.findall(r'(?:src|href)="(vendor/[^"]+)"', text)
    assert len(local) == len(offline_pages.ASSETS)
    for path in local:
        assert (html / path).stat().st_size > 1000


@needs_npm
def test_a_file_with_another_hash_is_not_used(html, cache):
    make_offline(html, cache)
    shutil.copyfile(WWW / "index.html", html / "index.html")
    changed = cache / "node_modules" / offline_pages.ASSETS[0].path
    changed.write_bytes(changed.read_bytes() + b"//")
    make_offline(html, cache)  # it is fetched again
    assert changed.read_bytes()[-2:] != b"//"


def test_without_npm_the_index_stays_as_asv_wrote_it(html, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", "")
    with pytest.raises(OfflineError, match="npm is missing; install it and publish again"):
        make_offline(html, tmp_path / "empty")
    assert (html / "index.html").read_bytes() == (WWW / "index.html").read_bytes()


def test_an_index_that_asks_for_something_else_is_left_alone(html, tmp_path):
    index = html / "index.html"
    newer = index.read_text().replace("jquery-3.3.1", "jquery-9.9.9")
    index.write_text(newer)
    with pytest.raises(
        OfflineError, match=r"jquery-9\.9\.9\.min\.js, which has no known npm package"
    ):
        make_offline(html, tmp_path / "empty")
    assert index.read_text() == newer
