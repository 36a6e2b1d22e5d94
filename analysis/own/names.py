"""Which kernels a person's file has: by its names alone, before anything of it is imported."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from jitcost.own.definitions import Definition, definitions
from jitcost.own.errors import OwnFileError
from jitcost.own.julia_names import julia_kernels
from jitcost.own.kernels import Claim, Kernel, claims, one_for_each_place
from jitcost.own.naming import BARE, MAKERS, SETTINGS, split_backend, split_version, suffixes
from jitcost.own.near_misses import near_misses, reached

__all__ = ["SETTINGS", "Kernel", "Names", "julia_kernels", "read"]


@dataclass(frozen=True)
class Names:
    """What a file's names say.

    Attributes
    ----------
    kernels : tuple of Kernel
        By problem in order of appearance, and in the file's order within each.
    near_misses : tuple of str
        A line for each function that nearly has a kernel's name: "fit_jit: no backend jit; jax_jit?"
    inputs : mapping of str to str
        For each problem the name of the function that makes its inputs.
    references : mapping of str to str
        The name of its reference, for the problems that have one.
    """

    kernels: tuple[Kernel, ...]
    near_misses: tuple[str, ...]
    inputs: Mapping[str, str]
    references: Mapping[str, str]

    @property
    def problems(self) -> tuple[str, ...]:
        """The problems, in order of appearance."""
        return tuple(dict.fromkeys(kernel.problem for kernel in self.kernels))


def read(text: str, stem: str, backends: Sequence[str]) -> Names:
    """Read the names in a file.

    A kernel is named `<problem>_<backend>[__<version>]`, where the longest backend counts and `jax` is
    both of JAX's. A bare `kernel` belongs to the problem that is called as the file is: with a
    parameter `xp` it runs on numpy, jax_eager and jax_jit, otherwise on numpy. A bare `fit` does so
    only with `xp`, and beside another kernel `fit_<backend>`. A function that names its backend takes
    the place of one that names it less closely. Conversions such as `to_numpy` are no kernels.

    What is assigned from a call may be an array: whether it can be called is known when the file is
    loaded. Two sorts of problems are left out already, with a line for each of their functions: those
    that another problem's kernels call (`step_numba` in `fit_numba`) and that have neither inputs nor
    a reference of their own, and those that may be arrays and have no inputs where others do.

    Parameters
    ----------
    text : str
        The file's source.
    stem : str
        Its name without the folder and `.py`.
    backends : sequence of str
        The names of all known backends, whichever are to be measured.

    Raises
    ------
    OwnFileError
        If it is no Python, has no kernel, has two for one place, or a problem without inputs.
    """
    found = definitions(text)
    ends = suffixes(backends)
    candidates = list(claims(found.values(), stem, ends))
    kernels = one_for_each_place(candidates)
    inputs, references = (_makers(role, kernels, found, stem) for role in MAKERS)
    no_kernels = _replaced(candidates, kernels) | _helpers(kernels, found, stem)
    no_kernels |= _arrays([k for k in kernels if k.function not in no_kernels], inputs, found)
    kept = [kernel for kernel in kernels if kernel.function not in no_kernels]

    problems = list(dict.fromkeys(kernel.problem for kernel in kept))
    taken = {claim.kernel.function for claim in candidates} | {
        *inputs.values(),
        *references.values(),
    }
    beginnings = {_beginning(kernel.function, ends): kernel.problem for kernel in kept}
    lines = (*no_kernels.values(), *near_misses(found, taken, beginnings, ends))
    if not kept:
        raise OwnFileError("; ".join([_no_kernel(backends), *lines]))
    for problem in problems:
        if problem not in inputs:
            raise OwnFileError("; ".join([_no_inputs(problem), *lines]))
    return Names(
        tuple(sorted(kept, key=lambda kernel: problems.index(kernel.problem))),
        lines,
        {problem: inputs[problem] for problem in problems},
        {problem: references[problem] for problem in problems if problem in references},
    )


def _no_kernel(backends: Sequence[str]) -> str:
    return (
        f"no kernel: def {BARE}(…, xp), {BARE}_<backend>(…) or <problem>_<backend>(…) is looked for, "
        f"on {', '.join(backends)}"
    )


def _no_inputs(problem: str) -> str:
    return f"no inputs for {problem}: def inputs(n, rng) has to return what its kernels are given"


def _beginning(function: str, ends: Mapping[str, object]) -> str:
    base, _ = split_version(function)
    parts = split_backend(base, ends)
    return base if parts is None else parts[0]


def _makers(
    role: str, kernels: Iterable[Kernel], found: Collection[str], stem: str
) -> dict[str, str]:
    """Return the name of the function that plays a role for each problem, where there is one."""
    makers: dict[str, str] = {}
    for problem in dict.fromkeys(kernel.problem for kernel in kernels):
        # A file's name is not always one that a function can have.
        bare = (f"{role}_{BARE}",) if problem == stem else ()
        names = [name for name in (f"{role}_{problem}", *bare, role) if name in found]
        if names:
            makers[problem] = names[0]
    return makers


def _replaced(candidates: Iterable[Claim], kernels: Iterable[Kernel]) -> dict[str, str]:
    """Return the functions that closer names leave no place to, each with the line that says so."""
    measured = {kernel.function for kernel in kernels}
    names = dict.fromkeys(claim.kernel.function for claim in candidates)
    return {
        name: f"{name}: each backend that it runs on has a kernel of a closer name"
        for name in names
        if name not in measured
    }


def _helpers(
    kernels: Sequence[Kernel], found: Mapping[str, Definition], stem: str
) -> dict[str, str]:
    """Return the functions that only look like kernels, each with the line that says so.

    Kernels of another problem read each function of theirs, and no inputs or reference are their own.
    """
    lines: dict[str, str] = {}
    for problem in dict.fromkeys(kernel.problem for kernel in kernels):
        if problem == stem or any(f"{role}_{problem}" in found for role in MAKERS):
            continue
        others = [
            kernel.function
            for kernel in kernels
            if kernel.problem != problem and kernel.function not in lines
        ]
        users = {
            kernel.function: [one for one in others if kernel.function in reached([one], found)]
            for kernel in kernels
            if kernel.problem == problem
        }
        if all(users.values()):
            lines |= {
                function: f"{function}: taken for a helper of {by[0]}; inputs_{problem} would make it "
                "a kernel"
                for function, by in users.items()
            }
    return lines


def _arrays(
    kernels: Sequence[Kernel], inputs: Mapping[str, str], found: Mapping[str, Definition]
) -> dict[str, str]:
    """Return what is taken for an array: `weights_numpy = np.load(…)`, each with the line that says so.

    It was assigned, and has no inputs in a file where another problem has some.
    """
    certain = {kernel.problem for kernel in kernels if found[kernel.function].form != "assigned"}
    return {
        kernel.function: f"{kernel.function}: taken for an array; inputs_{kernel.problem} would make "
        "it a kernel"
        for kernel in kernels
        if inputs and kernel.problem not in certain | inputs.keys()
    }
