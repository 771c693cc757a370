"""The exceptions that a user can cause, and the exit code of each kind.

::

    RelsentError            1  anything below
    ├── UsageError          2  a flag, a value or a name that we do not know
    ├── MissingError        3  something missing on this machine: Java, a package, a data set
    ├── InputError          4  bad input: a file or a record that cannot be read
    ├── MismatchError       5  inputs that do not belong together
    └── OutputError         6  the place to write to cannot be written

The command line prints ``str(error)`` as one line and exits with the error's code; a
traceback that reaches a user is a bug.
"""

from pathlib import Path


class RelsentError(Exception):
    """A problem that the user can mend.

    Parameters
    ----------
    problem : str
        What is wrong, without a final full stop.
    where : str or Path, optional
        The place: a file, ``file:line``, or ``file, record id``.
    fix : str, optional
        What to do about it.
    """

    exit_code = 1

    def __init__(
        self, problem: str, *, where: str | Path | None = None, fix: str | None = None
    ) -> None:
        super().__init__(problem, where, fix)
        self.problem = problem
        self.where = None if where is None else str(where)
        self.fix = fix

    def __reduce__(self) -> "tuple[type[RelsentError], tuple[str], dict[str, str | None]]":
        """Pickle the parts of the message: errors of other processes are raised here."""
        return type(self), (self.problem,), {"where": self.where, "fix": self.fix}

    def __str__(self) -> str:
        place = f"{self.where}: " if self.where else ""
        fix = f" ({self.fix})" if self.fix else ""
        return " ".join(f"{place}{self.problem}{fix}".split())


class UsageError(RelsentError):
    """A flag, a value or a name that we do not know."""

    exit_code = 2


class MissingError(RelsentError):
    """Something is missing on this machine: Java, a package, a data set."""

    exit_code = 3


class InputError(RelsentError):
    """A file or a record that cannot be read."""

    exit_code = 4


class MismatchError(RelsentError):
    """Inputs that do not belong together, such as topics and qrels without a common id."""

    exit_code = 5


class OutputError(RelsentError):
    """The place to write to cannot be written: no permission, no space, a folder in the way."""

    exit_code = 6
