"""The checkout: which commit is measured, and what git says of others."""

from __future__ import annotations

import io
import shutil
import subprocess
import zipfile
from pathlib import Path

from jitcost.errors import BadCallError

__all__ = [
    "HISTORY",
    "check_out",
    "checkout",
    "commit_of",
    "commits_of",
    "drawn_commits",
    "git",
    "own_problems",
    "uncommitted",
]

# What is taken from the commit, whatever the working tree holds.
MEASURED_PATHS = ("backends", "benchmarks", "julia", "pyproject.toml", ":(exclude)*.md")

# The same where `jitcost init` has made the suite: a person's file may import others. The pages and
# results are no commit's.
OWN_PATHS = ("*.py", "*.jl", ":(exclude).asv", ":(exclude).jitcost")

# Commits that change how fast a kernel is.
KERNELS = ("backends", "julia", ":(exclude)*.md")

# Where results are kept, to be committed.
HISTORY = Path("analysis", "history")


def checkout(*, ignore_changes: bool) -> tuple[Path, str]:
    """Return the checkout's root and the commit to measure."""
    top = git("rev-parse", "--show-toplevel")
    root = Path(top.stdout.rstrip("\n"))
    if top.returncode or not (root / "asv.conf.json").is_file():
        raise BadCallError(
            "not in a checkout of jitcost; asv measures commits: change into a clone, or make a suite "
            "of your own functions with jitcost init"
        )
    head = git("rev-parse", "--verify", "HEAD^{commit}")
    if head.returncode:
        raise BadCallError("there is no commit yet, and asv measures commits; commit first")
    measured = OWN_PATHS if own_problems(root) else MEASURED_PATHS
    changed = uncommitted(root, *measured)
    if changed and not ignore_changes:
        raise BadCallError(
            f"uncommitted changes would not be measured, HEAD would: {', '.join(changed)}; commit "
            "them, or go on with --ignore-changes"
        )
    return root, head.stdout.strip()


def own_problems(root: Path | None = None) -> tuple[str, ...]:
    """Return the problems of the suite that `jitcost init` has made in a repository; () without one.

    Parameters
    ----------
    root : Path, optional
        The top of the repository; by default of the one that the current folder is in.
    """
    if root is None:
        top = git("rev-parse", "--show-toplevel")
        root = Path(top.stdout.rstrip("\n")) if top.returncode == 0 else Path()
    modules = sorted((root / "benchmarks" / "own").glob("*.py"))
    return tuple(path.stem for path in modules if path.stem != "__init__")


def uncommitted(root: Path, *paths: str) -> list[str]:
    """Return the paths that are not as the checked-out commit has them, new ones among them.

    Parameters
    ----------
    root : Path
        A folder in the repository.
    *paths : str
        Which are meant; none: all that git knows, and new ones do not count.
    """
    new = [] if paths else ["--untracked-files=no"]
    status = git("-C", str(root), "status", "--porcelain", *new, "--", *paths)
    return [line[3:] for line in status.stdout.splitlines()]


def git(*args: str) -> subprocess.CompletedProcess[str]:
    """Run git; the caller looks at its status."""
    try:
        return subprocess.run(
            ["git", *args], capture_output=True, encoding="utf-8", errors="replace"
        )
    except FileNotFoundError:
        raise BadCallError("git is missing, and asv measures commits; install git") from None


def drawn_commits() -> set[str]:
    """Return the commits that asv draws results of: those that HEAD leads back to by first parents."""
    return set(git("rev-list", "--first-parent", "HEAD").stdout.split())


def commit_of(root: Path, said: str) -> str:
    """Return the commit that a person has named by a hash, a tag or a branch."""
    found = git("-C", str(root), "rev-parse", "--verify", "--quiet", f"{said}^{{commit}}")
    if found.returncode:
        raise BadCallError(f"no commit {said!r}; --at takes a hash, a tag or a branch")
    return found.stdout.strip()


def commits_of(root: Path, said: str) -> list[str]:
    """Return the commits that are meant, the newest first; asv draws first parents only.

    Parameters
    ----------
    root : Path
        The checkout's.
    said : str
        A range, or how many of the last that changed a kernel.

    Raises
    ------
    BadCallError
        If there are none.
    """
    which = ["-n", said, "HEAD", "--", *KERNELS] if said.isdecimal() else [said, "--"]
    found = git("-C", str(root), "rev-list", "--first-parent", *which)
    if found.returncode or not found.stdout.strip():
        raise BadCallError(f"no commits {said!r}; say how many, or a range like HEAD~3..HEAD")
    return found.stdout.split()


def check_out(root: Path, commit: str, folder: str, to: Path) -> Path:
    """Write a folder as it is in a commit; return where.

    Raises
    ------
    BadCallError
        If the commit has none.
    """
    shutil.rmtree(to, ignore_errors=True)
    archive = subprocess.run(
        ["git", "-C", str(root), "archive", "--format=zip", commit, folder], capture_output=True
    )
    if archive.returncode:
        raise BadCallError(
            f"there is no {folder} in {commit[:8]}; commit it, and asv can measure it"
        )
    zipfile.ZipFile(io.BytesIO(archive.stdout)).extractall(to)
    return to / folder
