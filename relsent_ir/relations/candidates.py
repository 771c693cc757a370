"""Candidates: sentences that mention two entities, one to a line of JSON."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from relsent_ir.errors import InputError
from relsent_ir.files import open_text
from relsent_ir.text.tokens import Span

_SHAPE: Final = 'a line is {"group": …, "id": …, "text": …, "e1": [start, end], "e2": [start, end]}'


@dataclass(frozen=True, slots=True)
class Candidate:
    """A sentence in which two entities are marked.

    Attributes
    ----------
    group : str
        Candidates of a group compete with each other; a group is a pair of entities or a document,
        for example, and the topic of a run.
    id : str
        The id of the sentence.
    text : str
    e1, e2 : (int, int)
        Character offsets [start, end) of the mentions of the entities. The spans may overlap; parts
        outside the text are ignored.
    grade : float or None
        How clearly the sentence states the relation; higher is clearer.
    directed : bool
        Whether the entity of `e1` must act on the other, like the gene in the paper: patterns with
        an agent (groups G1 and G3) then do not match the other way round.
    """

    group: str
    id: str
    text: str
    e1: Span
    e2: Span
    grade: float | None = None
    directed: bool = False

    @property
    def marked(self) -> str:
        """The text with both mentions in brackets."""
        text = self.text
        for start, end in sorted((self.e1, self.e2), reverse=True):
            text = f"{text[:start]}[{text[start:end]}]{text[end:]}"
        return text


def read_candidates(path: str | Path, *, graded: bool = False) -> Iterator[Candidate]:
    """Yield the candidates in a file of JSON lines, gzipped or plain; empty lines are skipped.

    Lines of a group may share an id if their texts are equal: they are mentions in one sentence.

    Parameters
    ----------
    graded : bool
        Whether each line must have a grade.

    Raises
    ------
    InputError
        If the file cannot be read, or a line is not a candidate; the error names the line.
    """
    texts: dict[tuple[str, str], str] = {}
    with open_text(path) as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            candidate = _candidate(line, f"{path}:{number}", graded)
            if texts.setdefault((candidate.group, candidate.id), candidate.text) != candidate.text:
                sentence = f"group {candidate.group} has a sentence {candidate.id}"
                raise InputError(f"{sentence} with another text already", where=f"{path}:{number}")
            yield candidate
    if not texts:
        raise InputError("there are no candidates in this file", where=path, fix=_SHAPE)


def _candidate(line: str, where: str, graded: bool) -> Candidate:
    try:
        values = json.loads(line)
    except ValueError as error:
        if line.lstrip().startswith("{") and not line.endswith("\n"):
            raise InputError("the file was cut: it ends inside this line", where=where) from error
        raise InputError(f"this is no JSON: {error}", where=where, fix=_SHAPE) from error
    except RecursionError as error:
        raise InputError("this JSON is nested too deeply", where=where, fix=_SHAPE) from error
    if not isinstance(values, dict):
        raise InputError("this is no JSON object", where=where, fix=_SHAPE)
    missing = [name for name in ("group", "id", "text", "e1", "e2") if name not in values]
    if missing:
        raise InputError(f"{missing[0]!r} is missing", where=where, fix=_SHAPE)
    group, name = (_word(values[key], key, where) for key in ("group", "id"))
    text = values["text"]
    if not isinstance(text, str):
        raise InputError("'text' is no string", where=where)
    e1, e2 = (_span(values[key], key, where) for key in ("e1", "e2"))
    directed = values.get("directed", False)
    if not isinstance(directed, bool):
        raise InputError("'directed' is neither true nor false", where=where)
    grade = values.get("grade")
    if grade is None and graded:
        raise InputError("'grade' is missing", where=where, fix="a number, 0 or more")
    sound = isinstance(grade, int | float) and not isinstance(grade, bool) and 0 <= grade < 1e9
    if grade is not None and not sound:
        raise InputError("'grade' is no number from 0", where=where)
    grade = None if grade is None else float(grade)
    return Candidate(group, name, text, e1, e2, grade, directed)


def _word(value: Any, key: str, where: str) -> str:
    """Return an id: a string that can be a column of a run."""
    if not isinstance(value, str):
        raise InputError(f"{key!r} is no string", where=where, fix='write it as "…"')
    if len(value.split()) != 1 or value != value.strip():
        raise InputError(f"{key!r} is empty or has white space", where=where)
    if not value.isprintable():  # control characters, and single surrogates
        raise InputError(f"{key!r} has a character that cannot be printed", where=where)
    return value


def _span(value: Any, key: str, where: str) -> Span:
    sound = (
        isinstance(value, list)
        and len(value) == 2
        and all(isinstance(x, int) and not isinstance(x, bool) for x in value)
    )
    if not sound:
        raise InputError(f"{key!r} is not [start, end], two whole numbers", where=where)
    return value[0], value[1]
