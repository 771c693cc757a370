"""Runs, judgements and measures in forms of other packages, converted to our own.

Accepted are paths, dicts of dicts, frames with the columns of PyTerrier, ir_measures or ranx, the
iterators of ir_measures, and objects of ranx. Other values are refused when they are passed.
"""

import operator
from collections.abc import Iterable, Mapping, Sequence
from numbers import Real
from pathlib import Path
from typing import Any, Protocol, TypeAlias

from relsent_ir.errors import InputError, UsageError
from relsent_ir.hits import COLUMNS, Frame, Hits, Run, column, text_id
from relsent_ir.trec.qrels import Qrels, read_qrels
from relsent_ir.trec.runs import read_run


class Convertible(Protocol):
    """An object of ranx that can be converted to a dict of dicts."""

    def to_dict(self) -> Any:
        """Return the dict of dicts."""
        ...


_Nested: TypeAlias = Mapping[str, object] | Mapping[int, object]
AnyQrels: TypeAlias = _Nested | Frame | Convertible | Iterable[object] | str | Path
"""Judgements: ``{topic: {document: grade}}``, ``{topic: [document, ...]}``, a frame or a path."""
AnyRun: TypeAlias = AnyQrels
"""A run: `Run`, ``{topic: {document: score}}``, a frame or a path."""
AnyRuns: TypeAlias = _Nested | Sequence[object] | Frame | Convertible | str | Path
"""Runs by name, a list of several runs, or a single run."""


def run_of(given: object) -> Run:
    """Return a run from any accepted form.

    Raises
    ------
    InputError
        If a file or a frame cannot be read.
    UsageError
        If the value is not a run.
    """
    if isinstance(given, Run):
        return given
    if isinstance(given, str | Path):
        return read_run(given)
    if hasattr(given, "columns"):
        return Run.from_dataframe(given)
    return Run(_nested(given, "score", "run"))


def runs_of(given: AnyRuns) -> dict[str, Run]:
    """Return runs by name: the names in a mapping, the paths, or ``run 1`` and so on.

    Raises
    ------
    InputError, UsageError
        As in `run_of`; also if there are no runs.
    """
    if isinstance(given, Mapping) and not isinstance(given, Run) and _are_runs(given):
        named = given
    elif isinstance(given, Sequence) and not isinstance(given, str) and not _are_rows(given):
        names = [
            str(one) if isinstance(one, str | Path) else f"run {number}"
            for number, one in enumerate(given, 1)
        ]
        named = {
            name if names.count(name) < 2 else f"{name} ({number})": one
            for number, (name, one) in enumerate(zip(names, given, strict=True), 1)
        }
    else:
        named = {str(given) if isinstance(given, str | Path) else "run": given}
    if not named or (isinstance(given, Run | Mapping) and not given):
        raise UsageError("there is no run to measure")
    return {str(name): run_of(one) for name, one in named.items()}


def qrels_of(given: AnyQrels) -> Qrels:
    """Return judgements from any accepted form.

    Raises
    ------
    InputError
        If a file or a frame cannot be read, or a grade is not a whole number.
    UsageError
        If the value has no judgements.
    """
    if isinstance(given, str | Path):
        return read_qrels(given)
    listed = list(given.values()) if isinstance(given, Mapping) else given
    runs = isinstance(listed, list | tuple) and any(isinstance(one, Run) for one in listed)
    if runs or isinstance(given, Run):
        raise UsageError("a run in the place of the qrels", fix="the qrels come first")
    qrels: Qrels = {}
    for topic, grades in _nested(given, "label", "qrels").items():
        if not isinstance(grades, Mapping):
            grades = dict.fromkeys(grades, 1)  # ids of relevant documents
        judged = qrels.setdefault(text_id(topic), {})
        for name, grade in grades.items():
            if not isinstance(grade, Real) or not float(grade).is_integer():
                problem = f"topic {topic}: a grade of {grade!r:.40}"
                raise InputError(problem, fix="grades are whole numbers")
            judged[text_id(name)] = int(float(grade))
    return qrels


def measures_of(given: object) -> list[str]:
    """Return names of measures from a text, an object of ir_measures, or several of these."""
    if isinstance(given, str):
        return given.split()
    if isinstance(given, Mapping):
        raise UsageError("a run, or a dict, in the measures' place", fix="runs in one list, [a, b]")
    if isinstance(given, Iterable) and not hasattr(given, "NAME"):  # ir_measures' have NAME
        return [str(measure) for measure in given]
    return [str(given)]


def whole(name: str, value: Any) -> int:
    """Return a non-negative whole number, which may be a NumPy number.

    Raises
    ------
    UsageError
    """
    try:
        number = operator.index(value)
    except TypeError:
        raise UsageError(f"{name} is {value!r:.40}", fix="a whole number, as 10") from None
    if number < 0:
        raise UsageError(f"{name} is {number}", fix="0 or more")
    return number


def one_text(name: str, value: object) -> str:
    """Return a text, and refuse other values.

    Raises
    ------
    UsageError
        If the value is something else, such as several texts.
    """
    if isinstance(value, str):
        return value
    raise UsageError(f"{name} is {value!r:.60}", fix="one text; of several ask one after another")


def _nested(given: Any, value: str, kind: str) -> Mapping[Any, Any]:
    """Return a dict of dicts from any form except paths."""
    if isinstance(given, Mapping):
        return given
    if hasattr(given, "columns"):
        rows = zip(*(column(given, name) for name in ("qid", "docno", value)), strict=True)
    elif hasattr(given, "to_dict"):
        nested: Mapping[Any, Any] = given.to_dict()
        return nested
    elif isinstance(given, Iterable):
        listed = list(given)
        if not _are_rows(listed):
            raise _unknown(given, kind)
        names = "query_id", "doc_id", "score" if value == "score" else "relevance"
        rows = zip(*([getattr(row, name) for row in listed] for name in names), strict=True)
    else:
        raise _unknown(given, kind)
    found: dict[str, dict[str, Any]] = {}
    for topic, document, number in rows:
        found.setdefault(text_id(topic), {})[text_id(document)] = number
    return found


def _are_runs(given: Mapping[Any, Any]) -> bool:
    """Return whether a mapping is of names to runs, rather than of topics to hits."""
    return not all(
        (isinstance(of, Hits | Sequence) and not isinstance(of, str))
        or (isinstance(of, Mapping) and not isinstance(of, Run)
            and all(isinstance(score, Real) or score is None for score in of.values()))
        for of in given.values()
    )  # fmt: skip


def _are_rows(given: Sequence[Any]) -> bool:
    """Return whether rows, as read by ir_measures, are one run rather than several."""
    return bool(given) and all(hasattr(row, "query_id") and hasattr(row, "doc_id") for row in given)


def _unknown(given: object, kind: str) -> UsageError:
    what = "grade" if kind == "qrels" else "score"
    fix = f"{{topic: {{document: {what}}}}}, a frame ({', '.join(COLUMNS['qid'])} …), or a path"
    return UsageError(f"no {kind}: {given!r:.60}", fix=fix)
