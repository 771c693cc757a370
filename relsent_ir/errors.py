"""The exceptions that a user can cause, and the exit code of each kind.

::

    RelsentError            1  anything below
    ├── UsageError          2  a flag, a value or a name that we do not know
    │   └── StrategyError      a search strategy: it has the place
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
        The problem, without a final full stop.
    where : str or Path, optional
        The place: a file, ``file:line``, or ``file, record id``.
    fix : str, optional
        The remedy.
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


class StrategyError(UsageError):
    """A search strategy that cannot be read.

    Parameters
    ----------
    problem : str
    query : str
        The strategy.
    place : int
        Where in it.
    """

    def __init__(self, problem: str, query: str, place: int) -> None:
        super().__init__(f"{problem}, at character {place + 1}")
        self.query = query
        self.place = place
        self.args = (problem, query, place)

    def __reduce__(self) -> "tuple[type[StrategyError], tuple[str, str, int]]":  # type: ignore[override]
        return type(self), self.args

    def pointer(self) -> str:
        """Return the part of the query around the place, and a caret under it, in two lines."""
        start = max(0, self.place - 40)
        shown = "".join(c if c.isprintable() else " " for c in self.query[start : self.place + 40])
        return f"  {shown}\n  {' ' * (self.place - start)}^"


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
