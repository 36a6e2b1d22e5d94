"""What can be measured besides the releases that asv.conf.json names, and as what it is filed."""

import io
import json
import os
import re
import sys
import zipfile
from pathlib import Path
from types import SimpleNamespace

import pytest
from asv.config import Config
from asv.environment import get_environments
from packaging.specifiers import SpecifierSet
from rich.console import Console

from benchmarks import _environment
from conftest import git
from jitcost.errors import AsvError, BadCallError
from jitcost.measuring import backfilling, comparing, pip, provenance
from jitcost.measuring.asv import Asv
from jitcost.measuring.configuration import private_conf, write_conf
from jitcost.measuring.installing import for_asv
from jitcost.measuring.machine import introduce
from jitcost.measuring.sources import Source, resolved
from jitcost.measuring.targets import installable_targets
from jitcost.measuring.wishes import wish_of
from jitcost.store import releases, results
from jitcost.store.origins import provenances
from making_packages import index, only_index, package, wheel  # noqa: F401 (a fixture)
from making_results import content, write

TOY = {"matrix": {"req": {"toylib": ["1.0"], "toydep": ["1.0"]}}}
NAMES = {"jax": "jax", "numpy": "numpy"}
PIPS_CACHE = Path.home() / ".cache" / "pip"
CAN_BE_GIVEN = (
    "give NAME==VERSION, NAME (the newest), 'NAME>=VERSION,<VERSION', 'NAME @ URL', or the path of "
    "a wheel or of a source folder; the names are jax, numpy"
)


@pytest.fixture
def get(tmp_path, monkeypatch):
    """Return a function that resolves texts in a folder where everything else is, too."""
    monkeypatch.chdir(tmp_path)

    def resolve(*texts, **options):
        return resolved(texts, TOY, work=tmp_path / "work", **options)

    return resolve


# what is asked for


@pytest.mark.parametrize(
    ("text", "name", "specifier", "exact"),
    [
        ("jax==0.9.2", "jax", "==0.9.2", "0.9.2"),
        ("jax=0.9.2", "jax", "==0.9.2", "0.9.2"),  # as asv's matrix would have it
        ("jax = 0.9.2", "jax", "==0.9.2", "0.9.2"),
        ("jax==0.12.0.dev20261101", "jax", "==0.12.0.dev20261101", "0.12.0.dev20261101"),
        ("JAX==1.0-rc1", "JAX", "==1.0rc1", "1.0rc1"),
        ("jax", "jax", "", ""),
        ("jax==latest", "jax", "", ""),
        ("jax=latest", "jax", "", ""),
        ("jax>=0.9,<0.10", "jax", ">=0.9,<0.10", ""),
        ("jax==0.9.*", "jax", "==0.9.*", ""),
        ("jax~=0.9", "jax", "~=0.9", ""),
    ],
)
def test_a_release_is_asked_for_by_name(text, name, specifier, exact):
    wish = wish_of(text, NAMES, Path())
    assert (wish.name, wish.specifier, wish.exact) == (name, SpecifierSet(specifier), exact)
    assert (wish.said, wish.target) == (text, "")


def test_everything_else_is_asked_for_by_where_it_is(tmp_path):
    (tmp_path / "wheels").mkdir()
    (tmp_path / "wheels" / "jax-1-py3-none-any.whl").write_text("")
    file = str(tmp_path / "wheels" / "jax-1-py3-none-any.whl")
    of_git = "git+https://github.com/jax-ml/jax@main#subdirectory=x"
    for text, name, target in (
        ("./wheels/jax-1-py3-none-any.whl", "", file),
        ("wheels/jax-1-py3-none-any.whl", "", file),
        (file, "", file),
        ("./wheels", "", str(tmp_path / "wheels")),
        (f"jax @ {of_git}", "jax", of_git),
        (of_git, "", of_git),
        (f"jax @ file://{file}", "jax", f"file://{file}"),
        ("jax @ wheels/jax-1-py3-none-any.whl", "jax", file),
        ("https://example.org/a=b/jax.tar.gz?c=d", "", "https://example.org/a=b/jax.tar.gz?c=d"),
    ):
        wish = wish_of(text, NAMES, tmp_path)
        assert (wish.name, wish.target, wish.exact) == (name, target, ""), text
    assert wish_of(f"jax[cuda12, k8s] @ {of_git}", NAMES, tmp_path).extras == "[cuda12,k8s]"


@pytest.mark.parametrize(
    "text",
    [
        *("", "jax=", "jax=new", "jax==new", "jax=git+https://github.com/jax-ml/jax", "jax 0.9"),
        *("torch", "torch==2.0", "torch @ https://example.org/torch.whl", "jax @ nowhere"),
        *("jax===0.9", "jax; python_version<'3'", "jax==0.9; extra == 'x'"),
    ],
)
def test_a_text_that_asks_for_nothing_is_refused_with_what_can_be_given(text):
    with pytest.raises(BadCallError) as refused:
        wish_of(text, NAMES, Path())
    assert str(refused.value) == f"{text}: {CAN_BE_GIVEN}"


@pytest.mark.parametrize("text", ["./absent", "absent.whl", "jax @ ./absent", "a/b"])
def test_a_path_has_to_lead_somewhere(text, tmp_path):
    path = text.removeprefix("jax @ ")
    with pytest.raises(BadCallError, match=re.escape(f"{path}: no such file or folder")):
        wish_of(text, NAMES, tmp_path)


def test_elsewhere_any_name_may_be_asked_for():
    assert wish_of("torch==2.0", None, Path()).exact == "2.0"


# releases


@pytest.fixture
def nightlies(tmp_path, only_index):  # noqa: F811
    """Let pip know four releases of toylib; return the URL of an index with nightlies."""
    versions = ["1.0", "1.9", "1.10", "1.11rc1"]
    only_index(index(tmp_path / "main", "toylib", versions))
    return index(tmp_path / "more", "toylib", ["2.0.dev20261101", "2.0.dev20261102"])


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("toylib", "1.10"),  # and not 1.9
        ("toylib==latest", "1.10"),
        ("toylib<1.10", "1.9"),
        ("toylib>=1.0,<1.9", "1.0"),
        ("toylib==1.11rc1", "1.11rc1"),
        ("toylib>=1.11rc1", "1.11rc1"),
    ],
)
def test_a_release_is_the_newest_of_those_that_are_meant(get, nightlies, text, version):
    found = get(text)
    assert found == {"toylib": Source("toylib", version, f"toylib=={version}", text)}
    assert found["toylib"].is_release


def test_nightlies_come_from_an_index_of_their_own(get, nightlies):
    more = f"--extra-index-url={nightlies}"
    found = get("toylib", index_urls=[nightlies], pre=True)["toylib"]
    assert found.version == "2.0.dev20261102"
    assert found.options == (more, "--pre")
    assert get("toylib", index_urls=[nightlies])["toylib"].version == "1.10"
    pinned = get("toylib==2.0.dev20261101", index_urls=[nightlies])["toylib"]
    assert (pinned.version, pinned.requirement) == (
        "2.0.dev20261101",
        "toylib==2.0.dev20261101",
    )
    assert pinned.options == (more,)
    assert not pinned.is_release  # asv would install 2.0
    assert get("toylib", pre=True)["toylib"].version == "1.11rc1"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "toylib==1.2",
            "no release 1.2 of toylib for this Python; there are, the newest first, 1.10",
        ),
        ("toylib==1", "no release 1 of toylib for this Python; there are 1.10, 1.9, 1.0"),
        (
            "toylib==2.0.dev20261101",
            "no release 2.0.dev20261101 of toylib for this Python; there are",
        ),
        ("toylib>3", "toylib>3: No matching distribution found for toylib>3"),
    ],
)
def test_a_release_that_is_not_there_is_refused(get, nightlies, text, said):
    with pytest.raises(BadCallError) as refused:
        get(text)
    assert str(refused.value).startswith(said)


def test_the_releases_between_two_are_in_order(nightlies):
    def between(*ends, **options):
        return pip.releases_between("toylib", *ends, **options)

    assert between("1.0", "1.10") == ["1.0", "1.9", "1.10"]
    assert between("1.9", "1.10") == ["1.9", "1.10"]
    assert between("1.10", "1.10") == ["1.10"]
    with_nightlies = {"index_urls": [nightlies], "pre": True}
    assert between("1.10", "2.0.dev20261102", **with_nightlies) == [
        *["1.10", "1.11rc1", "2.0.dev20261101", "2.0.dev20261102"]
    ]
    # an end is meant, whatever is left out between them
    assert between("1.9", "1.11rc1") == ["1.9", "1.10", "1.11rc1"]
    assert between("1.9", "2.0.dev20261102", index_urls=[nightlies]) == [
        *["1.9", "1.10", "2.0.dev20261102"]
    ]
    with pytest.raises(BadCallError, match=r"toylib 1\.10 comes after 1\.9"):
        between("1.10", "1.9")
    with pytest.raises(BadCallError, match=r"no release 1\.5 of toylib"):
        between("1.0", "1.5")
    with pytest.raises(BadCallError, match=r"Invalid version: 'old': give two releases of toylib"):
        between("old", "1.9")
    with pytest.raises(BadCallError, match="pip finds no release of absent at all"):
        pip.releases_between("absent", "1.0", "2.0")


def test_a_search_installs_each_release_whole(nightlies, monkeypatch):
    """asv's matrix would cut 2.0.dev20261102 down to 2.0: pip is given it in so many words."""
    monkeypatch.setattr(comparing, "resolve", lambda *_: "c" * 40)
    suite = SimpleNamespace(settings=TOY | {"project": "p"}, has_backends=False)
    sides = comparing.versions_between(
        suite, "toylib==1.10", "toylib==2.0.dev20261102", index_urls=[nightlies], pre=True
    )
    last = sides[-1]
    assert last.requirements == {"toylib": "2.0.dev20261102", "toydep": "1.0"}
    source = last.sources["toylib"]
    assert source.requirement == "toylib==2.0.dev20261102"
    assert source.options == (f"--extra-index-url={nightlies}", "--pre")
    assert not source.is_release
    releases = comparing.versions_between(suite, "toylib==1.9", "toylib==1.10")
    assert all(side.sources["toylib"].is_release for side in releases)


# what is built


def test_a_folder_is_filed_under_its_version_and_what_it_holds(get, tmp_path):
    folder = package(tmp_path / "my library", "toylib", "1.2.dev3")
    found = get("./my library")["toylib"]
    public, label = found.version.split("+")
    assert public == "1.2.dev3"
    assert re.fullmatch("[0-9a-f]{8}", label)
    (kept,) = (tmp_path / "work" / "wheels" / label).iterdir()
    assert kept.name == "toylib-1.2.dev3-py3-none-any.whl"
    assert found.requirement == f"toylib @ {kept.as_uri()}"
    assert (found.name, found.said) == ("toylib", "./my library")
    assert found.built_from == folder.as_uri()
    assert get(str(folder))["toylib"].version == found.version  # built again, and the same
    (folder / "toylib.py").write_text("changed = True\n")
    changed = get("./my library")["toylib"].version
    assert changed.startswith("1.2.dev3+")
    assert changed != found.version


def test_a_wheel_is_what_it_holds_whenever_it_was_packed(get, tmp_path):
    path = wheel(tmp_path / "one", "toylib", "1.2+cpu")
    again = tmp_path / "two" / path.name
    again.parent.mkdir()
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(again, "w") as new:
        for name in reversed(old.namelist()):
            new.writestr(zipfile.ZipInfo(name, (2001, 2, 3, 4, 5, 6)), old.read(name))
    other = wheel(tmp_path / "three", "toylib", "1.2+cpu", says="1.3")
    assert path.read_bytes() != again.read_bytes()
    versions = [get(str(one))["toylib"].version for one in (path, again, other)]
    assert versions[0] == versions[1] != versions[2]
    assert all(re.fullmatch(r"1\.2\+[0-9a-f]{8}", version) for version in versions)


@pytest.fixture
def of_git(tmp_path):
    """Return a repository with the package in a folder, and its first commit under a tag."""
    root = tmp_path / "upstream"
    package(root / "python", "toylib", "3.0")
    git(root, "init", "--quiet", "--initial-branch", "main")
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--message", "first")
    git(root, "tag", "v3")
    return root


def test_a_commit_is_filed_under_its_hash_and_built_once(get, of_git, monkeypatch):
    url = f"git+file://{of_git}"
    first = git(of_git, "rev-parse", "HEAD")
    found = get(f"toylib @ {url}@v3#subdirectory=python")["toylib"]
    assert found.version == f"3.0+{first[:8]}"
    assert found.built_from == f"{url}@{first}#subdirectory=python"
    (of_git / "python" / "toylib.py").write_text("x = 1\n")
    git(of_git, "commit", "--quiet", "--all", "--message", "second")
    second = git(of_git, "rev-parse", "HEAD")
    assert get(f"{url}#subdirectory=python")["toylib"].version == f"3.0+{second[:8]}"
    monkeypatch.setattr(pip, "wheel_of", pytest.fail)
    again = get(f"{url}@{first[:10]}#subdirectory=python")["toylib"]
    assert again.requirement == found.requirement


def test_what_cannot_be_built_is_refused_in_one_line(get, tmp_path, of_git):
    broken = package(tmp_path / "broken", "toylib", "1.0")
    (broken / "backend.py").write_text("def build_wheel(*_): raise ValueError('no compiler')\n")
    package(tmp_path / "other", "another", "1.0")
    for_none = wheel(tmp_path, "toylib", "1.0", python=">=3.99")
    for_other = wheel(tmp_path, "toylib", "1.0", tag="cp39-cp39-win32")
    (tmp_path / "toylib-9-py3-none-any.whl").write_text("no archive")
    (tmp_path / "empty").mkdir()
    for text, said in {
        "./broken": r"\./broken: ValueError: no compiler",
        "./empty": r"\./empty: Directory .* is not installable\. Neither .*",
        "./other": r"\./other is another; the names are toylib, toydep",
        "toydep @ ./other": r"toydep @ \./other is another and not toydep",
        str(for_none): r".*: Package 'toylib' requires a different Python: .* not in '>=3\.99'",
        str(for_other): r".*: toylib-1\.0-cp39-cp39-win32\.whl is not a supported wheel on .*",
        "toylib-9-py3-none-any.whl": r"toylib-9-py3-none-any\.whl: .* is invalid\.",
        f"git+file://{of_git}@v9": rf"git\+file://{of_git}@v9: .*v9.*",
        f"git+file://{tmp_path}/nowhere": r"git\+file://.*/nowhere: .*nowhere.*",
    }.items():
        with pytest.raises(BadCallError) as refused:
            get(text)
        assert re.fullmatch(said, str(refused.value)), str(refused.value)


def test_a_library_is_asked_for_once(get, tmp_path, nightlies):
    package(tmp_path / "here", "toylib", "1.0")
    with pytest.raises(BadCallError, match=r"\./here is toylib, which toylib==1\.9 is, too"):
        get("toylib==1.9", "./here")


def test_in_other_suites_a_requirement_has_the_name_that_the_matrix_gives_it(tmp_path, nightlies):
    conf = {"matrix": {"req": {"pip+ToyLib": [""]}}}
    options = {"work": tmp_path, "any_name": True, "base": tmp_path}
    package(tmp_path / "new", "another", "2.0")
    found = resolved(["toylib==1.9", "./new"], conf, **options)
    assert {key: source.name for key, source in found.items()} == {
        "pip+ToyLib": "toylib",
        "another": "another",
    }


# the environment


@pytest.mark.parametrize(
    ("version", "by_asv_itself"),
    [
        *(("0.9.2", True), ("0.12.0.1", True), ("2.5.0rc1", True)),
        *(("0.12.0.dev1", False), ("2.9.0.post1", False), ("1.0+cpu", False), ("1!2.0", False)),
    ],
)
def test_asv_gets_the_releases_that_it_can_install(version, by_asv_itself):
    source = Source("jax", version, f"jax=={version}", "")
    assert (for_asv({"jax": source}) == {}) is by_asv_itself
    parsed = asv_parses(f"jax {version}")
    assert (parsed == f"=={version}") is by_asv_itself


def asv_parses(declaration):
    """Return what asv would have pip install."""
    from asv.util import ParsedPipDeclaration

    return ParsedPipDeclaration(declaration).specification


@pytest.fixture
def project(tmp_path, monkeypatch):
    """Return a repository with an asv suite of two libraries, and its commit."""
    monkeypatch.setenv("PIP_CACHE_DIR", os.environ.get("PIP_CACHE_DIR") or str(PIPS_CACHE))
    monkeypatch.setenv("HOME", str(tmp_path))  # where asv keeps what it knows of machines
    introduce("m")
    root = tmp_path / "project"
    (root / "benchmarks").mkdir(parents=True)
    (root / "benchmarks" / "__init__.py").write_text("")
    (root / "benchmarks" / "first.py").write_text("def track_one():\n    return 1\n")
    conf = TOY | {"project": "p", "repo": ".", "branches": ["HEAD"], "benchmark_dir": "benchmarks"}
    conf |= {"environment_type": "virtualenv", "env_dir": ".asv/env", "results_dir": ".asv/results"}
    conf |= {"build_command": [], "install_command": [], "uninstall_command": []}
    write_conf(root / "asv.conf.json", conf)
    git(root, "init", "--quiet")
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--message", "first")
    return root, git(root, "rev-parse", "HEAD")


# asv forks, and another test of this process may have imported JAX.
@pytest.mark.filterwarnings("ignore:os.fork:RuntimeWarning")
def test_an_environment_holds_what_was_asked_for(project, tmp_path, monkeypatch):
    """toylib brings toydep 1.0 from an index, which is then replaced by a folder of that version."""
    root, commit = project
    work = root / ".asv"
    wheel_of_lib = wheel(
        tmp_path / "here", "toylib", "2.0.dev1+x", needs="toydep>=1", says="2.0.dev1+x"
    )
    folder = package(tmp_path / "toydep", "toydep", "1.0")
    (folder / "toydep.py").write_text("__version__ = '1.0'\nours = True\n")
    url = index(tmp_path / "index", "toydep", ["1.0"])
    texts = [str(wheel_of_lib), str(folder)]
    sources = resolved(texts, TOY, work=work, index_urls=[url])
    versions = {key: source.version for key, source in sources.items()}
    conf = private_conf(root / "asv.conf.json", work / "fresh", work, commit, versions, sources)
    asv = Asv(conf, work / "asv.log")
    asv.run("run", f"{commit}^!", "--machine", "m")
    (result,) = (work / "fresh" / "m").glob("*-virtualenv-*.json")
    filed = f"toydep{versions['toydep']}-toylib{versions['toylib']}.json"
    assert result.name == f"{commit[:8]}-virtualenv-py3.{sys.version_info.minor}-{filed}"
    cells = results.read(work / "fresh")
    assert json.loads(cells["versions"][0]) == versions
    (env,) = get_environments(Config.load(str(conf)), None)
    assert env.check_presence()
    said = "import toylib, toydep; print(toylib.__version__, toydep.__version__, toydep.ours)"
    assert env.run(["-c", said]).split() == ["2.0.dev1+x", "1.0", "True"]
    monkeypatch.setattr(provenance, "_DESCRIBE", "print('{\"distributions\": {}}')")
    told = provenance.describe(asv, sources)["sources"]
    label = versions["toydep"].split("+")[1]
    assert told["toydep"] == {
        "said": str(folder),
        "given": [sources["toydep"].requirement, f"--extra-index-url={url}"],
        "built_from": folder.as_uri(),
        "version": f"1.0+{label}",
        "imported": {"version": "1.0", "direct_url": told["toydep"]["imported"]["direct_url"]},
    }
    assert told["toydep"]["imported"]["direct_url"]["url"].split("/")[-2] == label
    held = {"distributions": {"toylib": "2.0.dev1+x", "toydep": "1.0"}, "sources": told}
    backfilling.holds_what_it_promises(held, versions)
    of_index = told | {"toydep": {"imported": {"version": "1.0", "direct_url": None}}}
    with pytest.raises(AsvError, match=r"holds toydep 1\.0 where 1\.0\+\w{8} is promised"):
        backfilling.holds_what_it_promises(held | {"sources": of_index}, versions)


def test_what_cannot_be_installed_is_told_in_the_installers_words(project, tmp_path):
    root, commit = project
    work = root / ".asv"
    needy = wheel(tmp_path / "here", "toylib", "2.0", needs="toylib-absent==9")
    sources = resolved([str(needy)], TOY, work=work)
    versions = {key: source.version for key, source in sources.items()}
    conf = private_conf(root / "asv.conf.json", work / "fresh", work, commit, versions, sources)
    said = "asv run ended with: toylib @ file:.*: pip finds no wheel of toylib-absent 9 for Python"
    with pytest.raises(AsvError, match=said):
        Asv(conf, work / "asv.log").run("run", f"{commit}^!", "--machine", "m")


URL = "file:///here/.asv/wheels/1a2b3c4d/jax-0.12.0.dev1-py3-none-any.whl"


@pytest.mark.parametrize(
    ("version", "imported", "installed", "url", "kept"),
    [
        ("0.9.2", "0.9.2", "", "", True),
        ("0.9.2", "0.9.3", "0.9.3", URL, False),
        ("0.9.2", "0.9.2+ours", "0.9.2+ours", URL, False),
        ("0.12.0.dev1+1a2b3c4d", "0.12.0.dev1", "0.12.0.dev1", URL, True),
        ("0.12.0.dev1+1a2b3c4d", "0.12.0dev1", "0.12.0.dev1", URL, True),
        ("0.12.0.dev1+1a2b3c4d", "0.12.0.dev1+git.9", "0.12.0.dev1+git.9", URL, True),
        ("0.12.0.dev1+1a2b3c4d", "0.12.0.dev1+git.8", "0.12.0.dev1+git.9", URL, False),
        ("0.12.0.dev1+1a2b3c4d", "0.12.0.dev2", "0.12.0.dev2", URL, False),
        ("0.12.0.dev1+1a2b3c4e", "0.12.0.dev1", "0.12.0.dev1", URL, False),
        ("0.12.0.dev1+1a2b3c4d", "0.12.0.dev1", "0.12.0.dev1", "", False),
        ("2.1.0+cpu", "2.1.0", "2.1.0+cpu", "", True),  # an index's own label
        ("2.1.0+cpu", "2.1.0", "2.1.0", "", False),
    ],
)
def test_a_label_is_of_what_was_installed_and_of_nothing_else(
    version, imported, installed, url, kept
):
    assert _environment.is_promised(version, imported, installed, url) is kept


def test_what_the_installer_has_recorded_is_read():
    version, url = _environment.installed("numpy")
    assert re.fullmatch(r"\d+\.\d+\.\d+", version)
    assert url == ""
    assert _environment.installed("not-installed-anywhere") == ("", "")


def test_passwords_in_addresses_are_kept_to_oneself():
    hidden = provenance._without_secrets
    assert (
        hidden("x @ git+https://me:secret@example.org/x@main")
        == "x @ git+https://example.org/x@main"
    )
    assert (
        hidden("--extra-index-url=http://token@example.org/")
        == "--extra-index-url=http://example.org/"
    )
    assert hidden("x @ git+ssh://git@example.org/x") == "x @ git+ssh://git@example.org/x"


def test_a_figure_says_where_a_version_comes_from(tmp_path):
    filed = "0.12.0.dev1+1a2b3c4d"
    made = content("a" * 40, 0, requirements={"jax": filed, "numpy": "2.4.6"})
    result = write(tmp_path, made)
    of_git = "jax @ git+https://github.com/jax-ml/jax@main"
    about = {
        "python": "3.12.1 (main)",
        "distributions": {"jax": "0.12.0.dev1", "numpy": "2.4.6"},
        "sources": {
            "jax": {"said": of_git, "version": filed, "given": [f"jax @ {URL}"]},
            "numpy": {"said": "numpy", "version": "2.4.6", "given": ["numpy==2.4.6"]},
        },
    }
    result.with_suffix(".provenance").write_text(json.dumps(about))
    ((origin, _),) = provenances(results.read(tmp_path), tmp_path)
    assert origin.versions == {"Python": "3.12.1", "numpy": "2.4.6", "jax": filed}
    assert origin.sources == {"jax": of_git}
    assert f"Python 3.12.1, numpy 2.4.6, jax {filed} ({of_git}); commit" in origin.sentence()


# the history


DEFAULT = {"toylib": "1.0", "toydep": "1.0"}


def table(*rows, **backends):
    found = [releases.Row(next(iter(versions)), versions) for versions in rows]
    return releases.Table(found, backends or {"toylib": ["numpy"]}, {}, [], {})


def test_a_row_that_cannot_be_had_costs_its_column(nightlies, get, tmp_path):
    index(tmp_path / "main", "toydep", ["1.0"])
    package(tmp_path / "here", "toylib", "3.0")
    (package(tmp_path / "broken", "toylib", "3.1") / "backend.py").write_text("no python")
    had, not_had = ("1.9", "latest", "./here", "2.0.dev20261101"), ("./broken", "./toydep", "7.7")
    rows = [{"toylib": version} for version in had + not_had]
    package(tmp_path / "toydep", "toydep", "1.0")
    of_rows = table(*rows)
    console = Console(file=io.StringIO(), width=400)

    def get_these(texts):
        return get(*texts, index_urls=[nightlies])

    targets = installable_targets(console, of_rows.rows, of_rows, DEFAULT, "c", get_these)
    versions = [target.requirements["toylib"] for target in targets]
    assert versions[:3] == ["1.0", "1.9", "1.10"]
    assert re.fullmatch(r"3\.0\+[0-9a-f]{8}", versions[3])
    assert [target.name for target in targets] == [
        *["default", "toylib 1.9", "toylib 1.10", f"toylib {versions[3]}"],
        "toylib 2.0.dev20261101",
    ]
    # asv installs releases by itself
    assert [list(target.sources) for target in targets] == [[], [], [], ["toylib"], ["toylib"]]
    left_out = console.file.getvalue().splitlines()
    assert left_out[0].startswith("left out ./broken: SyntaxError")
    assert left_out[1] == "left out ./toydep is not toylib, which history.toml has it for"
    assert left_out[2].startswith(
        "left out toylib 7.7: pip finds no wheel of toylib 7.7 for Python"
    )
    assert len(left_out) == 3


def test_a_column_is_asked_for_on_the_command_line(nightlies, get, tmp_path):
    index(tmp_path / "main", "toydep", ["1.0"])
    package(tmp_path / "here", "toylib", "3.0")
    package(tmp_path / "other", "toydep", "3.0")
    console = Console(file=io.StringIO(), width=400)

    def targets(*texts):
        return installable_targets(console, texts, table(), DEFAULT, "c", lambda one: get(*one))

    default, of_release, of_folder = targets("toylib==1.9", "./here")
    assert of_release.requirements == DEFAULT | {"toylib": "1.9"}
    assert of_folder.requirements["toylib"].startswith("3.0+")
    assert (default.backends, of_folder.backends) == (["numpy"], ["numpy"])
    assert console.file.getvalue() == ""
    with pytest.raises(
        BadCallError, match=r"\./other: the history is of toylib, and not of toydep"
    ):
        targets("./other")
