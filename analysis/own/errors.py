"""What is wrong with a person's own file, in one line."""

__all__ = ["OwnFileError"]


class OwnFileError(ValueError):
    """A file that cannot be measured; says what is wrong and what to do, the file's name left out."""
