"""What the `jitcost` command says in one line instead of a traceback."""


class BadCallError(Exception):
    """The call cannot be carried out as it stands: exit status 2."""


class NothingFoundError(Exception):
    """The call is right, but there is nothing to answer it from: exit status 1."""
