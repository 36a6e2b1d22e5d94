"""Let the pages that asv publishes work without internet access.

asv's index loads its scripts from content delivery networks and shows only an error page where it
cannot. The same libraries come from the npm registry, once, at fixed versions and checked by hash;
the index is rewritten to load them from beside itself.
"""

from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from jitcost.files import write_atomically

__all__ = ["ASSETS", "Asset", "OfflineError", "make_offline"]


class OfflineError(Exception):
    """The pages keep their network addresses; says why."""


@dataclass(frozen=True)
class Asset:
    """A file of an npm package that stands for one on a content delivery network."""

    url: str  # a regular expression for the address in asv's index
    package: str
    path: str
    sha256: str


# flot's packages have no minified files. stupidtable's first version on npm is 1.1.3 (asv: 1.0.1).
ASSETS = (
    Asset(
        r"https://code\.jquery\.com/jquery-3\.3\.1\.min\.js",
        "jquery@3.3.1",
        "jquery/dist/jquery.min.js",
        "160a426ff2894252cd7cebbdd6d6b7da8fcd319c65b70468f10b6690c45d02ef",
    ),
    *(
        Asset(
            rf"https://cdnjs\.cloudflare\.com/ajax/libs/flot/0\.8\.3/jquery\.flot{part}\.min\.js",
            "flot@0.8.3",
            f"flot/jquery.flot{part}.js",
            sha256,
        )
        for part, sha256 in {
            "": "b7b931f273c38b1277b9c6c1f4e05c4ec09885a487bddaf3279e2d7e49a38e12",
            ".time": "a582c832adc7138a6b05aaf61f16ebac274701f1be4afea77e739a1c34b9c41a",
            ".selection": "e6c85f6c1ebe4b4da29d8ae238c7c5060283f05f7ef054f6b91817d02c092918",
            ".categories": "6e81664b28ea795c734906f4aa15614640a75ac7fbd399a7fb9084040698351a",
        }.items()
    ),
    Asset(
        r"https://cdn\.jsdelivr\.net/npm/flot-orderbars@1\.0\.0/js/jquery\.flot\.orderBars\.js",
        "flot-orderbars@1.0.0",
        "flot-orderbars/js/jquery.flot.orderBars.js",
        "39735b4f46f96ff4e082572401f47c55a2767b366fd1d1e821e44a8d830a12bf",
    ),
    Asset(
        r"https://cdnjs\.cloudflare\.com/ajax/libs/stupidtable/1\.0\.1/stupidtable\.min\.js",
        "stupid-table-plugin@1.1.3",
        "stupid-table-plugin/stupidtable.min.js",
        "4642380f28ebe9ed7cac251793b281ef8620c4386205d92788f9b12f5cceb4e0",
    ),
    Asset(
        r"https://cdnjs\.cloudflare\.com/ajax/libs/blueimp-md5/2\.19\.0/js/md5\.min\.js",
        "blueimp-md5@2.19.0",
        "blueimp-md5/js/md5.min.js",
        "64d7ded388c562e4bde9e58ce205e5fa01b9734fcd434d496eb7b4fbfe9b927d",
    ),
    Asset(
        r"https://cdn\.jsdelivr\.net/npm/bootstrap@3\.1\.1/dist/js/bootstrap\.min\.js",
        "bootstrap@3.1.1",
        "bootstrap/dist/js/bootstrap.min.js",
        "898d05a17f2cfc5120ddcdba47a885c378c0b466f30f0700e502757e24b403a1",
    ),
    Asset(
        r"https://cdn\.jsdelivr\.net/npm/bootstrap@3\.1\.1/dist/css/bootstrap\.min\.css",
        "bootstrap@3.1.1",
        "bootstrap/dist/css/bootstrap.min.css",
        "e9503448692b738dd260fbd7f7cabf2e11f09b600fa97e6eb3a56eba5b1a7e9b",
    ),
)

_TAG = re.compile(
    r'<(?P<kind>script src|link rel="stylesheet" href)="(?P<url>https://[^"]+)"[^>]*>'
)


def make_offline(html: Path, cache: Path) -> None:
    """Make a published site load its scripts and styles from its own folder.

    Parameters
    ----------
    html : Path
        The folder that asv has published.
    cache : Path
        Where the npm packages are kept between calls.

    Raises
    ------
    OfflineError
        If the packages cannot be had or are not what they should be, or if the index asks for
        something else; the index then is as asv wrote it.
    """
    index = html / "index.html"
    text = index.read_text(encoding="utf-8")
    wanted = [match["url"] for match in _TAG.finditer(text)]
    by_url = {url: asset for url in wanted for asset in ASSETS if re.fullmatch(asset.url, url)}
    unknown = [url for url in wanted if url not in by_url]
    if unknown:
        raise OfflineError(f"asv's index loads {unknown[0]}, which has no known npm package")
    modules = _packages(cache)
    vendor = html / "vendor"
    vendor.mkdir(exist_ok=True)
    for asset in by_url.values():
        shutil.copyfile(modules / asset.path, vendor / Path(asset.path).name)

    def local(match: re.Match[str]) -> str:
        # Without the hashes in asv's tags, which are those of the networks' files.
        name = Path(by_url[match["url"]].path).name
        failure = ' onerror="js_load_failure()"' if match["kind"].startswith("script") else ""
        return f'<{match["kind"]}="vendor/{name}"{failure}>'

    write_atomically(index, _TAG.sub(local, text))


def _packages(cache: Path) -> Path:
    """Return npm's folder of packages with every asset in it, right to the byte."""
    modules = cache / "node_modules"
    if all(_is_right(modules, asset) for asset in ASSETS):
        return modules
    npm = shutil.which("npm")
    if npm is None:
        raise OfflineError("npm is missing; install it and publish again")
    shutil.rmtree(modules, ignore_errors=True)  # npm would keep a changed file of the right version
    cache.mkdir(parents=True, exist_ok=True)
    packages = sorted({asset.package for asset in ASSETS})
    quiet = ["--no-save", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
    command = [npm, "install", *quiet, "--prefix", str(cache), *packages]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    except subprocess.TimeoutExpired:
        raise OfflineError("npm did not answer within 300 s; publish again later") from None
    if done.returncode != 0:
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        raise OfflineError(
            f"npm install failed ({last}); publish again with access to its registry"
        )
    for asset in ASSETS:
        if not _is_right(modules, asset):
            raise OfflineError(f"{asset.path} of {asset.package} does not have the expected hash")
    return modules


def _is_right(modules: Path, asset: Asset) -> bool:
    path = modules / asset.path
    return path.is_file() and hashlib.sha256(path.read_bytes()).hexdigest() == asset.sha256
