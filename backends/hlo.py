"""What XLA has made of a kernel, read from the text of the compiled program. Reading needs no JAX.

    program = hlo.read(kernel.lower(*inputs).compile().as_text())
    len(program.kernels), len(program.fusions), program.loops

The text is a list of computations, each a list of instructions; an instruction can call others. It
reads the same in JAX 0.4.38 and 0.12, but for details: operands with or without their shapes, and
whether an operation that nothing was fused with stands by itself or in a `fusion` of its own.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

__all__ = ["INLINE_BELOW", "Computation", "Instruction", "Loop", "Program", "read"]

# On the CPU, XLA runs a program of fewer counted flops in the calling thread; a larger one it hands
# to another thread (its asynchronous dispatch), which takes longer than a small program does.
INLINE_BELOW = 1_000

# What only names, groups or relabels values: nothing is run for it.
_NOTHING_RUN = {"parameter", "constant", "tuple", "get-tuple-element", "bitcast", "after-all"}

_HEADER = re.compile(r"(?P<entry>ENTRY\s+)?%?(?P<name>[\w.-]+)\s*(?:\(.*)?\{")
_INSTRUCTION = re.compile(r"(?P<root>ROOT\s+)?%?(?P<name>[\w.-]+) = (?P<rest>.*)")
_OPCODE = re.compile(r"\s*(?P<opcode>[a-z][\w-]*)(?=\()")
_OPERAND = re.compile(r"%([\w.-]+)")
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_CALLED = re.compile(
    r"\b(?P<role>calls|to_apply|body|condition|(?:true|false|branch|called)_computations?)="
    r"(?:\{(?P<several>[^}]*)\}|%?(?P<one>[\w.-]+))"
)


@dataclass(frozen=True)
class Instruction:
    """One instruction: what it does, to the results of which others, and what it calls for that.

    Attributes
    ----------
    name, opcode : str
    operands : tuple of str
        Names of instructions of the same computation.
    called : tuple of (str, str)
        The role (`calls`, `body`, ...) and the name of each computation that it calls.
    small : bool
        Whether XLA has marked it `xla_cpu_small_call`: what it calls is compiled whole.
    """

    name: str
    opcode: str
    operands: tuple[str, ...]
    called: tuple[tuple[str, str], ...]
    small: bool

    @property
    def runs(self) -> bool:
        """Whether anything is run for it."""
        return self.opcode not in _NOTHING_RUN


@dataclass(frozen=True)
class Computation:
    """Instructions in the order of the text, by name; the result is the root's."""

    name: str
    instructions: dict[str, Instruction]
    root: str

    @property
    def kernels(self) -> list[Instruction]:
        """The instructions that something is run for."""
        return [instruction for instruction in self.instructions.values() if instruction.runs]


@dataclass(frozen=True)
class Loop:
    """A while loop: the kernels of a step, all operations inside them, and whether it is compiled whole.

    If it is not, each kernel of each step is dispatched by itself.
    """

    name: str
    kernels: int
    operations: Counter[str]
    whole: bool


@dataclass(frozen=True)
class Program:
    """The computations by name, and which of them a call of the program runs."""

    computations: dict[str, Computation]
    entry: Computation

    @property
    def kernels(self) -> list[Instruction]:
        """What a call runs one after another: fusions, loops, single operations, library calls."""
        return self.entry.kernels

    @property
    def fusions(self) -> list[Instruction]:
        """The fusions of two operations or more, inside loops too.

        Newer versions wrap each single operation in a `fusion` of its own: with fusion switched off,
        a program of JAX 0.12 has as many of those as it has operations.
        """
        return [
            instruction
            for instruction in self._instructions()
            if instruction.opcode == "fusion" and self.operations(instruction).total() > 1
        ]

    @property
    def loops(self) -> list[Loop]:
        """The while loops, those inside others too."""
        whole = set[str]().union(*map(self._reached, self.small_calls))
        found = []
        for name, computation in self.computations.items():
            for instruction in computation.kernels:
                if instruction.opcode == "while":
                    body = self.computations[dict(instruction.called)["body"]]
                    step = self._operations_of(body)
                    found.append(Loop(instruction.name, len(body.kernels), step, name in whole))
        return found

    @property
    def small_calls(self) -> list[Instruction]:
        """The calls that XLA has marked to be compiled whole, loops included."""
        return [instruction for instruction in self._instructions() if instruction.small]

    @property
    def temporaries(self) -> list[Instruction]:
        """The kernels whose results are not the program's own, but read by other kernels."""
        results = self._origins(self.entry.root)
        return [kernel for kernel in self.kernels if kernel.name not in results]

    @property
    def counts(self) -> dict[str, Counter[str]]:
        """The opcodes of each computation's instructions."""
        return {
            name: Counter(instruction.opcode for instruction in computation.instructions.values())
            for name, computation in self.computations.items()
        }

    def operations(self, instruction: Instruction) -> Counter[str]:
        """Return the opcodes of the operations that an instruction stands for.

        Of a fusion or a call, those inside; of a loop or a branch, itself and those inside, as if
        run once. What a reduction applies to each pair of elements belongs to the reduction.
        """
        found = Counter[str]()
        if instruction.opcode not in ("fusion", "call"):
            found[instruction.opcode] += 1
        if instruction.opcode in ("fusion", "call", "while", "conditional"):
            for _, name in instruction.called:
                found.update(self._operations_of(self.computations[name]))
        return found

    def _operations_of(self, computation: Computation) -> Counter[str]:
        return sum(map(self.operations, computation.kernels), Counter[str]())

    def _reached(self, instruction: Instruction) -> set[str]:
        """Return the names of all computations that are run for an instruction."""
        names = {name for _, name in instruction.called}
        inside = (other for name in names for other in self.computations[name].kernels)
        return names.union(*map(self._reached, inside))

    def _instructions(self) -> Iterator[Instruction]:
        for computation in self.computations.values():
            yield from computation.instructions.values()

    def _origins(self, name: str) -> set[str]:
        """Return the kernels of the entry that a value comes from, by its tuples' members."""
        instruction = self.entry.instructions[name]
        if instruction.runs:
            return {name}
        return set().union(*map(self._origins, instruction.operands))


def read(text: str) -> Program:
    """Read the text of a compiled program.

    Parameters
    ----------
    text : str
        What `compiled.as_text()` returns.

    Raises
    ------
    ValueError
        If the text has no entry computation.
    """
    computations: dict[str, Computation] = {}
    entry = None
    lines = iter(text.splitlines())
    for line in lines:
        header = _HEADER.fullmatch(line.strip())
        if header is None:
            continue  # the module's line, and the tables of files and functions
        computation = _computation(header["name"], lines)
        computations[computation.name] = computation
        if header["entry"]:
            entry = computation
    if entry is None:
        raise ValueError("this is no text of a compiled program: it has no entry computation")
    return Program(computations, entry)


def _computation(name: str, lines: Iterator[str]) -> Computation:
    """Read a computation's instructions, up to its closing brace."""
    instructions: dict[str, Instruction] = {}
    root = ""
    for line in lines:
        text = line.strip()
        if text.startswith("}"):
            break
        if found := _INSTRUCTION.fullmatch(text):
            instruction = _instruction(found["name"], found["rest"])
            instructions[instruction.name] = instruction
            if found["root"] or not root:
                root = instruction.name
    return Computation(name, instructions, root)


def _instruction(name: str, text: str) -> Instruction:
    """Read what follows an instruction's name: shape, opcode(operands), attributes."""
    plain = _STRING.sub('""', text)  # no names from the middle of a string
    shape = _closing(plain, 0) if plain.startswith("(") else plain.find(" ")
    opcode = _OPCODE.match(plain, shape)
    if opcode is None:
        raise ValueError(f"no instruction: {name} = {text}")
    end = _closing(plain, opcode.end())
    called = tuple(
        (match["role"], other.strip().removeprefix("%"))
        for match in _CALLED.finditer(plain, end)
        for other in (match["one"] or match["several"]).split(",")
    )
    operands = tuple(_OPERAND.findall(plain, opcode.end(), end))
    small = 'xla_cpu_small_call="true"' in text
    return Instruction(name, opcode["opcode"], operands, called, small)


def _closing(text: str, start: int) -> int:
    """Return where the parentheses end that open at start."""
    depth = 0
    for position in range(start, len(text)):
        depth += {"(": 1, ")": -1}.get(text[position], 0)
        if depth == 0:
            return position + 1
    raise ValueError(f"unbalanced parentheses: {text}")
