"""Which kernels a Julia file has: the functions that it defines at its top level."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from jitcost.own.kernels import Claim, Kernel, one_for_each_place
from jitcost.own.naming import BARE, split_version

__all__ = ["julia_kernels"]

# What may hold text that looks like a function: block comments, comments, strings, and the characters
# '"' and '#', which begin neither. The longer of two beginnings comes first.
_NO_CODE = re.compile(
    r"""\#=.*?=\#  |  \#[^\n]*  |  '\\?["\#]'
    |  \"{3}(?:\\.|[^\\])*?\"{3}  |  "(?:\\.|[^"\\])*" """,
    re.VERBOSE | re.DOTALL,
)

# `function f(x)`, `@inline function f{T}(x)`, and `f(x) = …` with types, defaults and `where`. Only at
# the beginning of a line: what is indented stands inside something.
_FUNCTION = re.compile(
    r"""^(?:@[\w.]+\s+)*
    (?: function\s+(?P<long>\w+)(?:\{[^}\n]*\})?\(
    |   (?P<short>\w+)\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)
        (?:::[^=\n]+?)?  (?:\s+where\s[^=\n]+?)?  \s*=(?![=>]) )""",
    re.VERBOSE | re.MULTILINE,
)


def julia_kernels(text: str, stem: str, problems: Collection[str]) -> tuple[Kernel, ...]:
    r"""Return the kernels of a Julia file beside the Python file, in its order.

    They are named as there, and end with `_julia` or with no backend: `kernel`, `fit`, `fit_julia`,
    `fit__simd`. Every other function is a helper.

    Parameters
    ----------
    text : str
        The file's source.
    stem : str
        Its name without the folder and `.jl`.
    problems : collection of str
        Those of the Python file.

    Raises
    ------
    OwnFileError
        If two functions are kernels of one problem and version.

    Examples
    --------
    >>> text = "square(x) = x^2\nfunction fit(x)\n    sum(square, x)\nend"
    >>> [(kernel.function, kernel.problem) for kernel in julia_kernels(text, "models", ["fit"])]
    [('fit', 'fit')]
    """
    return tuple(one_for_each_place(_claims(text, stem, problems)))


def _claims(text: str, stem: str, problems: Collection[str]) -> Iterator[Claim]:
    code = _NO_CODE.sub("", text)
    # A function of several methods is one.
    names = (match["long"] or match["short"] for match in _FUNCTION.finditer(code))
    for name in dict.fromkeys(names):
        base, version = split_version(name)
        beginning = base.removesuffix("_julia")
        problem = stem if beginning == BARE else beginning
        if version != "" and problem in problems:
            kernel = Kernel(name, problem, "julia", version or "", xp=False)
            yield Claim(kernel, closeness=int(beginning != base))
