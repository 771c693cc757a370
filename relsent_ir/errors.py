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

import difflib
import inspect
from collections.abc import Callable, Sequence
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar, cast, get_args

F = TypeVar("F", bound=Callable[..., Any])


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


class UnknownIdError(InputError, KeyError):
    """An id that no record of a collection has."""

    __str__ = RelsentError.__str__


class MismatchError(RelsentError):
    """Inputs that do not belong together, such as topics and qrels without a common id."""

    exit_code = 5


class OutputError(RelsentError):
    """The place to write to cannot be written: no permission, no space, a folder in the way."""

    exit_code = 6


class NoNameError(UsageError, AttributeError):
    """A name that an object of ours does not have."""


class Advising:
    """An object that lists its own names when an unknown one is asked of it."""

    __slots__ = ()

    if not TYPE_CHECKING:  # a checker knows the names

        def __getattr__(self, name: str) -> NoReturn:
            kind = type(self)
            if name.startswith("_"):
                raise AttributeError(f"{kind.__name__} has no {name}")
            fields = getattr(kind, "__dataclass_fields__", ())
            known = dict.fromkeys([*fields, *dir(kind)])
            names = [name for name in known if not name.startswith("_")]
            alike = difflib.get_close_matches(name, names, 1)
            fix = f"did you mean {alike[0]}?" if alike else f"it has {', '.join(names)}"
            raise NoNameError(f"{kind.__name__} has no {name}", fix=fix)


def checked(function: F) -> F:
    """Make arguments that a public function does not take a `UsageError` that lists what it does.

    Its ``**options`` are those of the `typing.TypedDict` that annotates them.
    """
    signature = inspect.signature(function)
    names = [name for name in signature.parameters if name != "self"]
    options: Sequence[str] = ()
    for parameter in signature.parameters.values():
        if parameter.kind is parameter.VAR_KEYWORD:
            names.remove(parameter.name)
            options = list(get_args(parameter.annotation)[0].__annotations__)
    fix = f"it takes {', '.join([*names, *options])}"
    own = function.__name__.removesuffix("_runs")  # rir.compare is compare_runs

    @wraps(function)
    def call(*given: Any, **named: Any) -> Any:
        try:
            signature.bind(*given, **named)
        except TypeError as error:
            raise UsageError(f"{own}: {error}", fix=fix) from None
        if options and (unknown := sorted(named.keys() - {*names, *options})):
            alike = difflib.get_close_matches(unknown[0], [*names, *options], 1)
            advice = f"did you mean {alike[0]}?" if alike else fix
            raise UsageError(f"{own} has no option {unknown[0]}", fix=advice)
        return function(*given, **named)

    return cast("F", call)
