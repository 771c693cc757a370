"""The exceptions that a user can cause, and the exit code of each kind.

::

    RelsentError            1  anything below
    ├── UsageError          2  a flag, a value or a name that we do not know
    │   └── StrategyError      a search strategy that cannot be read, with the place
    ├── MissingError        3  something missing on this machine: Java, a package, a data set
    ├── InputError          4  bad input: a file or a record that cannot be read
    ├── MismatchError       5  inputs that do not belong together
    └── OutputError         6  the place to write to cannot be written

The command line prints ``str(error)`` as one line and exits with the error's code; a
traceback that reaches a user is a bug.
"""

import copyreg
import difflib
import inspect
from abc import ABCMeta
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final, NoReturn, TypeVar, cast, get_args

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

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle attributes, not a call: errors of other processes are raised here."""
        make = copyreg.__newobj__  # type: ignore[attr-defined]  # typeshed lacks it
        return make, (type(self), *self.args), self.__dict__

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
        Index of the character in `query` where reading failed.
    """

    def __init__(self, problem: str, query: str, place: int) -> None:
        super().__init__(f"{problem}, at character {place + 1}")
        self.query = query
        self.place = place
        self.args = (problem, query, place)

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


class NoOperatorError(UsageError, TypeError):
    """An operator, a call or arguments that an object of ours does not take."""


NEIGHBOURS: Final = {
    "rir.open_collection(folder)": "LuceneSearcher SimpleSearcher IndexFactory IndexReader "
    "BatchRetrieve Retriever",
    "cf.search(topics, method)": "transform search batch_search",
    "cf.search(topics, METHOD), which is rir.BM25(), QueryLikelihood, RM3, Rocchio": (
        "set_bm25 set_qld set_rm3 set_rocchio unset_rm3 unset_rocchio wmodel controls"
    ),
    "rir.Fields, a method": "fields",
    "cf[id], a record": "doc docs records batch_doc",
    "len(cf)": "num_docs",
    "cf.stats()": "get_term_counts index_reader object",
    "topics first": "q query queries",
    "k": "num_results num_hits top_k topk",
    "id": "docid docno doc_id query_id qid",
    "text": "contents",
    "to_dict()": "raw keys get items",
    "to_dataframe()": "to_pandas iloc loc sort_values to_csv",
    "rir.read_topics(path)": "get_topics Topics",
    "rir.read_qrels(path)": "get_qrels Qrels",
    "rir.read_run(path)": "from_file load",
    "rir.Run({topic: {document: score}})": "from_dict",
    "rir.Run.from_dataframe(frame)": "from_df from_ranx",
    "rir.write_run(path, run)": "save to_trec",
    "rir.evaluate(qrels, runs, measures)": "calc_aggregate iter_calc evaluator",
    "rir.compare(qrels, {name: run}, measures)": "Experiment plot",
    "rir.tune(cf, topics, qrels, methods)": "GridSearch GridScan optimize_fusion fit",
    "measures": "metrics metric eval_metrics",
    "to_dataframe(per_topic=True)": "perquery per_query return_mean mean_scores",
    "runs={name: run}": "name names",
    "tests": "stat_test",
    "nothing: Holm's correction is over all": "correction",
    "nothing: the first run is the baseline": "baseline",
    "fb_terms, fb_docs, original_query_weight": "fb_lambda",
    "the method interpolation or normalize, with alpha or weights": "norm params",
}
"""Our names for what users of Pyserini, PyTerrier, ir_measures, ranx and pandas may write."""


def advice(name: str, names: Iterable[str], verb: str = "it has") -> str:
    """Return the advice for an unknown name: our word for it, a name like it, or all names."""
    known = list(names)
    for ours, theirs in NEIGHBOURS.items():
        if name in theirs.split() and (ours in known or not ours.isidentifier()):
            return f"write {ours}"
    listed = f"{verb} {', '.join(known)}"
    alike = difflib.get_close_matches(name, known, 1)
    return f"did you mean {alike[0]}? {listed}" if alike else listed


def refused(given: Any, *_: object) -> NoReturn:
    """Refuse an operator or a call; stands in the place of the method that would carry it out."""
    kind = type(given)
    raise NoOperatorError(f"{kind.__name__} takes no such operator or call", fix=kind.instead)


class AdvisingType(ABCMeta):
    """The metaclass of `Advising`; its classes give the same advice."""

    if not TYPE_CHECKING:

        def __call__(cls, *given: Any, **named: Any) -> Any:
            """Refuse arguments that the class does not take."""
            try:
                return super().__call__(*given, **named)
            except TypeError as error:
                if not isinstance(error, RelsentError):
                    bind(cls.__signature__, cls.__name__, given, named)
                raise

        def __rshift__(cls, other: Any) -> NoReturn:
            raise NoOperatorError(f"{cls.__name__} is a class", fix=f"{cls.__name__}(...) >> …")

        @property
        def __signature__(cls) -> inspect.Signature:
            """The signature of the constructor, for `inspect` and editors."""
            whole = inspect.signature(cls.__init__)
            return whole.replace(parameters=[*whole.parameters.values()][1:])

        def __getattr__(cls, name: str) -> NoReturn:
            if name.startswith("_"):
                raise AttributeError(f"{cls.__name__} has no {name}")
            known = dict.fromkeys([*getattr(cls, "__dataclass_fields__", ()), *dir(cls)])
            public = [one for one in known if not one.startswith("_") and one != "instead"]
            raise NoNameError(f"{cls.__name__} has no {name}", fix=advice(name, public))


class Advising(metaclass=AdvisingType):
    """An object that advises what to write instead of a name or operator it does not have."""

    __slots__ = ()
    instead: ClassVar[str] = "its parts are attributes; of records and hits also in to_dict()"

    if not TYPE_CHECKING:  # type checkers must see the declared names only

        def __getattr__(self, name: str) -> NoReturn:
            AdvisingType.__getattr__(type(self), name)

        def __getitem__(self, name: Any) -> Any:
            """Return the attribute of this name, as a dict returns a value."""
            return getattr(self, name) if isinstance(name, str) else refused(self)

        __add__ = __radd__ = __sub__ = __mul__ = __rmul__ = __truediv__ = __mod__ = refused
        __pow__ = __matmul__ = __and__ = __or__ = __xor__ = __lshift__ = __rrshift__ = refused
        __neg__ = __invert__ = refused


def bind(
    signature: inspect.Signature, name: str, given: Sequence[Any], named: Mapping[str, Any]
) -> None:
    """Refuse arguments that a signature does not take; a `TypedDict` declares its ``**options``.

    Raises
    ------
    NoOperatorError
    """
    names = [one for one in signature.parameters if one != "self"]
    for parameter in signature.parameters.values():
        if parameter.kind is parameter.VAR_KEYWORD:
            names.remove(parameter.name)
            names += get_args(parameter.annotation)[0].__annotations__
    if unknown := sorted(named.keys() - {*names}):
        fix = advice(unknown[0], names, "it takes")
        raise NoOperatorError(f"{name} has no parameter {unknown[0]!r}", fix=fix)
    try:
        signature.bind(*given, **named)
    except TypeError as error:
        fix = f"it takes {', '.join(names)}"
        raise NoOperatorError(f"{name}: {error}", fix=fix) from None


def checked(function: F) -> F:
    """Refuse arguments that a public function does not take, listing those that it does.

    The `typing.TypedDict` that annotates its ``**options`` declares their names.
    """
    signature = inspect.signature(function)
    own = function.__name__.removesuffix("_runs")  # rir.compare is compare_runs

    @wraps(function)
    def call(*given: Any, **named: Any) -> Any:
        bind(signature, own, given, named)
        return function(*given, **named)

    return cast("F", call)
