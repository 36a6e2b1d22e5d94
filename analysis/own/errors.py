"""What a person's own file or function can do wrong, said in one line."""

__all__ = ["OwnFileError", "RefusedError"]


class OwnFileError(ValueError):
    """A file that cannot be measured; says what is wrong and what to do, the file's name left out."""


class RefusedError(Exception):
    """A kernel that must not be timed at a size; says why."""
