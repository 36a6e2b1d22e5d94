"""What the `jitcost` command says in one line instead of a traceback."""


class JitcostError(Exception):
    """Something that a person can do something about; says what."""

    status = 1


class BadCallError(JitcostError):
    """The call cannot be carried out as it stands."""

    status = 2


class NothingFoundError(JitcostError):
    """The call is right, but there is nothing to answer it from."""


class AsvError(JitcostError):
    """asv has given up; what it said last, and where the rest stands."""
