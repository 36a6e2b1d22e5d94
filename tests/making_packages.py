"""Small packages, their wheels and an index of these: what pip installs without a network."""

import os
import textwrap
import zipfile

import pytest

# A build backend inside the package: nothing has to be fetched to build it.
BACKEND = """
import pathlib, zipfile

def build_wheel(folder, config_settings=None, metadata_directory=None):
    name, version, needs = pathlib.Path("about.txt").read_text().splitlines()[:3]
    top = f"{name}-{version}"
    about = f"Metadata-Version: 2.1\\nName: {name}\\nVersion: {version}\\n"
    about += f"Requires-Dist: {needs}\\n" if needs else ""
    made = "Wheel-Version: 1.0\\nGenerator: x\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n"
    files = {
        f"{name}.py": pathlib.Path(f"{name}.py").read_text(),
        f"{top}.dist-info/METADATA": about,
        f"{top}.dist-info/WHEEL": made,
    }
    files[f"{top}.dist-info/RECORD"] = "".join(f"{file},,\\n" for file in files)
    wheel = f"{top}-py3-none-any.whl"
    with zipfile.ZipFile(pathlib.Path(folder, wheel), "w") as archive:
        for file, text in files.items():
            archive.writestr(file, text)
    return wheel
"""


def package(folder, name, version, needs="", says=None):
    """Write a source folder; `says` is what the module calls its version."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "backend.py").write_text(BACKEND)
    (folder / "pyproject.toml").write_text(
        '[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n'
    )
    (folder / "about.txt").write_text(f"{name}\n{version}\n{needs}\n")
    (folder / f"{name}.py").write_text(f"__version__ = {says or version!r}\n")
    return folder


def wheel(folder, name, version, needs="", python="", tag="py3-none-any", says=None):
    """Write a wheel by hand."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}-{version}-{tag}.whl"
    about = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
    about += f"Requires-Dist: {needs}\n" if needs else ""
    about += f"Requires-Python: {python}\n" if python else ""
    inside = f"{name}-{version}.dist-info"
    files = {
        f"{name}.py": f"__version__ = {says or version!r}\n",
        f"{inside}/METADATA": about,
        f"{inside}/WHEEL": f"Wheel-Version: 1.0\nGenerator: x\nRoot-Is-Purelib: true\nTag: {tag}\n",
    }
    files[f"{inside}/RECORD"] = "".join(f"{file},,\n" for file in files)
    with zipfile.ZipFile(path, "w") as archive:
        for file, text in files.items():
            archive.writestr(file, text)
    return path


def index(folder, name, versions, **options):
    """Write an index of wheels, as pip reads it, with these versions of one package; return its URL."""
    wheels = [wheel(folder / "files", name, version, **options) for version in versions]
    (folder / "simple" / name).mkdir(parents=True, exist_ok=True)
    links = [f'<a href="{path.as_uri()}">{path.name}</a><br>' for path in wheels]
    page = textwrap.dedent("<!DOCTYPE html><html><body>{}</body></html>").format("\n".join(links))
    (folder / "simple" / name / "index.html").write_text(page)
    return (folder / "simple").as_uri() + "/"


@pytest.fixture
def only_index(monkeypatch, tmp_path):
    """Let pip know no other index than the one whose URL is given to what this returns."""

    def choose(url):
        monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
        monkeypatch.setenv("PIP_INDEX_URL", url)
        for name in ("PIP_FIND_LINKS", "PIP_EXTRA_INDEX_URL", "PIP_NO_INDEX"):
            monkeypatch.delenv(name, raising=False)

    return choose
