"""A checkout of the project in which nothing has been measured."""

from conftest import ROOT, git


def make_checkout(folder):
    """Make the folder a repository of one commit, with the project's configuration; return it."""
    (folder / "asv.conf.json").write_text((ROOT / "asv.conf.json").read_text())
    (folder / "backends").mkdir()
    (folder / "backends" / "kernel.py").write_text("")
    git(folder, "init", "--quiet")
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", "first")
    return folder
