"""Measure what the history lacks: a small selection under each release of JAX, NumPy and Numba that
analysis/history.toml names, each varied alone, or (--commits) at commits of this project. What the
results hold already is not measured again; an interrupt loses one step, and the next call goes on.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path

from rich.console import Console

from jitcost import backends, cli
from jitcost.errors import BadCallError
from jitcost.measuring import releases
from jitcost.measuring.backfilling import Backfill, Target
from jitcost.measuring.running import checkout, git, machine_name, settings_of
from jitcost.measuring.selection import Selection

__all__ = ["add_arguments", "run", "targets_of_rows"]

EXAMPLE = "jitcost backfill recursion --library jax"

# Commits that change how fast a kernel is.
_KERNELS = ("backends", "julia")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "workloads", nargs="*", metavar="WORKLOAD", help="default: those in history.toml"
    )
    parser.add_argument("--library", action="append", metavar="NAME", help="default: all")
    parser.add_argument(
        "--backend",
        action="append",
        metavar="NAME",
        help="default: the library's, and the baselines; repeatable",
    )
    parser.add_argument("--n", action="append", metavar="N", help="a size; repeatable")
    parser.add_argument("--machine", metavar="NAME", help="default: the host's name")
    parser.add_argument(
        "--commits",
        metavar="COMMITS",
        help="these instead of the releases: a range, or how many of the last that changed a kernel",
    )
    parser.add_argument("--at", metavar="COMMIT", help="under which to file; default: HEAD")
    parser.add_argument(
        "--build-only", action="store_true", help="make the environments and measure nothing"
    )
    parser.add_argument(
        "--ignore-changes",
        action="store_true",
        help="measure HEAD although the working tree differs from it",
    )


def run(args: argparse.Namespace) -> int:
    """Measure what is missing; return the exit status (1 where something still is)."""
    machine = machine_name(args.machine)
    table = releases.load()
    console = Console()
    root, head = checkout(ignore_changes=args.ignore_changes)
    sizes = None if args.n is None else list(map(cli.whole_number, args.n))
    ladders = table.commit_sizes if args.commits else table.sizes
    selection = Selection(args.workloads or list(ladders), sizes=sizes, ladders=ladders)
    matrix: dict[str, list[str]] = settings_of(root / "asv.conf.json")["matrix"]["req"]
    default = {name: versions[0] for name, versions in matrix.items()}
    for name in args.backend or ():
        if name not in backends.names():
            known = ", ".join(backends.names())
            raise BadCallError(f"no backend {name!r}; there are {known}")
    if args.commits and (args.library or args.at):
        raise BadCallError(
            "--commits are measured in the default environment: no --library, no --at"
        )
    if args.commits:
        found = [
            Target(commit[:8], default, commit, list(table.commit_backends))
            for commit in _commits(root, args.commits)
        ]
    else:
        rows = _rows_of(table, args.library)
        at = _commit(root, args.at) if args.at else head
        found = _installable_targets(console, rows, table, default, at)
    if args.backend:
        for target in found:
            target.backends = [name for name in target.backends if name in args.backend]
        if not any(target.backends for target in found):
            raise BadCallError(f"none of these releases is measured on {', '.join(args.backend)}")
    return Backfill(console, root, head, machine, selection).run(found, args.build_only)


def _commit(root: Path, said: str) -> str:
    found = git("-C", str(root), "rev-parse", "--verify", "--quiet", f"{said}^{{commit}}")
    if found.returncode:
        raise BadCallError(f"no commit {said!r}; --at takes a hash, a tag or a branch")
    return found.stdout.strip()


def _commits(root: Path, said: str) -> list[str]:
    """Return the commits that are meant, the newest first; asv draws first parents only."""
    which = ["-n", said, "HEAD", "--", *_KERNELS] if said.isdecimal() else [said, "--"]
    found = git("-C", str(root), "rev-list", "--first-parent", *which)
    if found.returncode or not found.stdout.strip():
        raise BadCallError(f"no commits {said!r}; say how many, or a range like HEAD~3..HEAD")
    return found.stdout.split()


def _rows_of(table: releases.Table, libraries: Sequence[str] | None) -> list[releases.Row]:
    for name in libraries or ():
        if name not in table.backends:
            known = ", ".join(table.backends)
            raise BadCallError(f"no releases of {name!r} in history.toml; there are {known}")
    return [row for row in table.rows if row.library in (libraries or table.backends)]


def _installable_targets(
    console: Console,
    rows: Sequence[releases.Row],
    table: releases.Table,
    default: Mapping[str, str],
    commit: str,
) -> list[Target]:
    """Return the targets of the rows that can be had; print why not the others."""
    environments, left_out = [], []
    with console.status("Asking pip which releases can be installed"):
        for row in rows:
            try:
                environments.append((row, releases.installable(row, default)))
            except releases.ImpossibleError as error:
                left_out.append((row, error))
    no_index = [why for _, why in left_out if isinstance(why, releases.NoIndexError)]
    if no_index and len(no_index) == len(rows):  # the default environment is not worth a run
        raise BadCallError(str(no_index[0]))
    for row, why in left_out:
        console.print(f"[yellow]left out[/] {row}: {why}", soft_wrap=True)
    return targets_of_rows(environments, table.backends, default, commit)


def targets_of_rows(
    environments: Sequence[tuple[releases.Row, dict[str, str]]],
    backends: Mapping[str, Sequence[str]],
    default: Mapping[str, str],
    commit: str,
) -> list[Target]:
    """Return a target for each different environment, the default one first.

    Parameters
    ----------
    environments : sequence
        Rows with the versions that they come to.
    backends : mapping
        Which backends are measured for each library.
    default : mapping
        The versions of the default environment, which is a release of every library.
    commit : str
    """
    targets = [Target("default", dict(default), commit, [])]
    for row, requirements in environments:
        release = requirements[row.library]
        name = f"{row.library} {row.release.replace(releases.LATEST, release)}"
        target = next((one for one in targets if one.requirements == requirements), None)
        if target is None:
            target = Target(name, requirements, commit, [])
            targets.append(target)
        for one in (target, targets[0]):
            one.backends += [name for name in backends[row.library] if name not in one.backends]
    return targets
