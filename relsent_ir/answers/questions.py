"""Questions with abstracts: reading them from JSON lines, and preparing them for a model.

Each line is an object: ``id`` (or ``prompt_id``), ``question``, ``pmid``, ``title``, ``abstract``
(a text, or a list of sections: objects with text, label and category, ``[label, text]`` pairs, or
texts), ``evidence``, the spans that answer, and ``label``, the direction of the evidence. Empty
lines are skipped.

A sentence answers if it shares with a span of evidence half the characters of the shorter. Spans
are located by letters and digits only: some have no-break spaces, or lost a heading.

A question is posed once the sentences of its abstract have moves.
"""

import html
import json
import logging
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np

from relsent_ir.answers.sentence_features import tag_abstract
from relsent_ir.errors import InputError, UsageError
from relsent_ir.files import open_text
from relsent_ir.moves import MoveModel
from relsent_ir.records import Record, Section, Sentence, list_inputs, read_records
from relsent_ir.typing import NDArray

_LOG = logging.getLogger("relsent_ir")
_TEXT: Final = ("text", "Text")
_LABEL: Final = ("label", "Label", "heading", "title")
_CATEGORY: Final = ("category", "nlm_category", "nlmCategory", "NlmCategory")


LONGEST: Final = 1000
"""Largest number of characters of a question."""


def check_question(question: str) -> None:
    """Refuse a question to which no index can have an answer.

    Raises
    ------
    UsageError
        If it has no letter or digit, or more than `LONGEST` characters.
    """
    if not any(map(str.isalnum, question)):
        problem = f"the question {question[:20]!r} has neither letter nor digit"
        raise UsageError(problem, fix='ask one, as "Does vitamin D prevent falls?"')
    if len(question) > LONGEST:
        problem = f"the question has {len(question):,} characters"
        raise UsageError(problem, fix=f"ask it in at most {LONGEST:,}")


@dataclass(frozen=True, slots=True)
class Asked:
    """A question about one abstract.

    Attributes
    ----------
    id : str
        The id of the topic in a run.
    text : str
        The text of the question; it may be "".
    record : Record
        The abstract; its id is the PMID.
    evidence : tuple of str
        The spans of the abstract that answer, if they are known.
    where : str
        The place of the question, ``file:line``.
    label : str
        The direction of the evidence, as written; "" if it is missing.
    """

    id: str
    text: str
    record: Record
    evidence: tuple[str, ...] = ()
    where: str = ""
    label: str = ""


def read_questions(
    path: str | Path, records: Sequence[str | Path] = (), *, evidence: bool = False
) -> list[Asked]:
    """Read questions with their abstracts.

    Parameters
    ----------
    path : str or Path
    records : sequence of path
        Files of records from which the abstracts of lines without one are taken, by PMID.
    evidence : bool
        Whether every line must have evidence, even if it is an empty list; ids are then not
        checked, since no output contains them.

    Returns
    -------
    list of Asked
        Questions in the order of the file. Several lines may have the same id if they have the same
        question and different abstracts.

    Raises
    ------
    InputError
        With ``file:line``: if a line is no JSON object, has a missing or wrong field, or repeats an
        id with another question or the same abstract; or if the file has no questions.
    """
    lines = list(_objects(path))
    by_id: dict[str, Record] | None = None
    if records:
        pmids = {_name(values, ("pmid",), where) for where, values in lines}
        files, _ = list_inputs(records)
        by_id = {r.id: r for file, form in files for r in read_records(file, form) if r.id in pmids}
    questions = [_question(values, where, by_id, evidence) for where, values in lines]
    if not questions:
        raise InputError("there are no questions in this file", where=path)
    if not evidence:
        _check_ids(questions)
    empty = [question.where for question in questions if not question.record.sections]
    if empty:
        _LOG.warning(
            "%s: no abstract, so no sentence to answer (%d of %d questions)",
            empty[0],
            len(empty),
            len(questions),
        )
    return questions


def clean_question(text: str) -> str:
    """Resolve the HTML entities of a question (twice: ``&amp;nbsp;``) and collapse white space."""
    return " ".join(html.unescape(html.unescape(text)).split())


def _objects(path: str | Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the place and the object of each line that is not empty."""
    with open_text(path) as file:
        for number, line in enumerate(file, 1):
            if not line.strip():
                continue
            where = f"{path}:{number}"
            try:
                values = json.loads(line)
                json.dumps(values, ensure_ascii=False).encode()  # refuses single surrogates
            except (ValueError, RecursionError) as error:
                raise InputError(
                    f"no JSON ({error})", where=where, fix="write one object a line"
                ) from None
            if not isinstance(values, dict):
                raise InputError("JSON, but no object", where=where, fix="write one object a line")
            yield where, values


def _question(
    values: dict[str, Any], where: str, records: Mapping[str, Record] | None, evidence: bool
) -> Asked:
    name = _name(values, ("id", "prompt_id"), where)
    pmid = _name(values, ("pmid",), where)
    if not isinstance(values.get("question"), str):
        raise _wrong("question", where, "a string")
    spans = _evidence(values.get("evidence"), where)
    if evidence and values.get("evidence") is None:
        raise InputError("no evidence", where=where, fix='give "evidence", a list of spans')
    title = values.get("title")
    if not isinstance(title, str | None):
        raise _wrong("title", where, "a string")
    if "abstract" in values or "sections" in values:
        parts = values.get("abstract") or values.get("sections")
        record = Record(
            pmid, title=" ".join((title or "").split()), sections=_sections(parts, where)
        )
    elif records is None:
        raise InputError(
            "no abstract", where=where, fix='give "abstract", or --records with its record'
        )
    elif pmid in records:
        record = records[pmid]
    else:
        raise InputError(f"no record {pmid} among those given", where=where)
    label = "" if values.get("label") is None else str(values["label"])
    return Asked(name, clean_question(values["question"]), record, spans, where, label)


def _name(values: dict[str, Any], names: tuple[str, ...], where: str) -> str:
    """Read an id, which is a string or a whole number."""
    value = next((values[name] for name in names if values.get(name) not in (None, "")), "")
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise _wrong(names[0], where, "a string")
    name = str(value).strip()
    if not name:
        raise InputError(f"no {names[0]}", where=where, fix="give each line one")
    if len(name.split()) > 1:
        raise InputError(f"the {names[0]} {name!r} has white space", where=where)
    return name


def _sections(parts: Any, where: str) -> tuple[Section, ...]:
    """Read an abstract: a text, a list of sections, or an object of texts by label."""
    if parts is None or isinstance(parts, str):
        items: list[Any] = [parts or ""]
    elif isinstance(parts, dict) and not any(key in parts for key in _TEXT):
        items = list(parts.items())
    else:
        items = parts if isinstance(parts, list) else [parts]
    sections = [_section(item, where) for item in items]
    return tuple(section for section in sections if section.text)


def _section(item: Any, where: str) -> Section:
    if isinstance(item, str):
        return Section(" ".join(item.split()))
    if isinstance(item, list | tuple) and len(item) == 2:
        item = {"label": item[0], "text": item[1]}
    if not isinstance(item, dict) or not any(key in item for key in _TEXT):
        raise _wrong("abstract", where, "a text or a list of sections with text")
    fields = (_string(item, names, where) for names in (_TEXT, _LABEL, _CATEGORY))
    text, label, category = (" ".join(field.split()) for field in fields)
    return Section(text, label, category.upper())


def _evidence(value: Any, where: str) -> tuple[str, ...]:
    spans = [value] if isinstance(value, str) else value or []
    if not isinstance(spans, list) or not all(isinstance(span, str) for span in spans):
        raise _wrong("evidence", where, "a list of strings")
    return tuple(span for span in spans if span.strip())


def _string(values: dict[str, Any], names: tuple[str, ...], where: str) -> str:
    """Return the first of these fields that is not empty, or ""."""
    for name in names:
        value = values.get(name)
        if not isinstance(value, str | None):
            raise _wrong(name, where, "a string")
        if value:
            return value
    return ""


def _wrong(name: str, where: str, form: str) -> InputError:
    return InputError(f"the field {name} is not {form}", where=where, fix="correct it")


def _check_ids(questions: Sequence[Asked]) -> None:
    """Refuse an id that has two questions, or the same abstract twice."""
    texts: dict[str, str] = {}
    pairs: set[tuple[str, str]] = set()
    for question in questions:
        key = question.id, question.record.id
        if key in pairs or texts.setdefault(question.id, question.text) != question.text:
            raise InputError(
                f"the id {question.id} was used before",
                where=question.where,
                fix="one id for one question; it may come back with another PMID",
            )
        pairs.add(key)


_RUN: Final = re.compile(r"[^\W_]+")
LEAST: Final = 0.5


def letters(text: str) -> str:
    """Return the letters and digits of a text, in lower case."""
    return "".join(_RUN.findall(text.casefold()))


def answer_sentences(sentences: Sequence[str], evidence: Sequence[str]) -> NDArray[np.bool_]:
    """Return whether each sentence answers; shape (sentences,).

    Parameters
    ----------
    sentences : sequence of str
        All sentences of an abstract, in order: a span may cross from one into another.
    evidence : sequence of str
        Spans of the abstract; spans that are not in it are ignored.
    """
    parts = [letters(sentence) for sentence in sentences]
    text = "".join(parts)
    lengths = np.array([len(part) for part in parts], dtype=np.int64)
    ends = np.cumsum(lengths)
    starts = ends - lengths
    answers = np.zeros(len(parts), dtype=bool)
    for span in map(letters, evidence):
        for match in re.finditer(f"(?={span})" if span else "(?!)", text):
            place = match.start()
            shared = np.minimum(ends, place + len(span)) - np.maximum(starts, place)
            answers |= (lengths > 0) & (shared >= LEAST * np.minimum(lengths, len(span)))
    return answers


@dataclass(frozen=True)
class Taggers:
    """Choose the model of moves for each abstract.

    Attributes
    ----------
    default : MoveModel
    others : dict of str to MoveModel
        Models by record id; for training data of the default model, a CRF not trained on it.
    """

    default: MoveModel
    others: Mapping[str, MoveModel] = field(default_factory=dict)

    def tag(self, record: Record, *, labels: bool = True) -> list[Sentence]:
        """Return the sentences of an abstract with their moves."""
        return tag_abstract(record, self.others.get(record.id, self.default), labels=labels)


@dataclass(frozen=True)
class Posed:
    """A question with the sentences of its abstract and their moves.

    Attributes
    ----------
    question : Asked
    tagged : tuple of Sentence
    whole : bool
        Whether the question's parts are hidden from the linear model, as if no rule found them.
    """

    question: Asked
    tagged: tuple[Sentence, ...]
    whole: bool = False


def plain(record: Record) -> Record:
    """Return a record whose abstract is a single section without a label."""
    return Record(
        record.id,
        record.title,
        record.vernacular_title,
        sections=(Section(record.abstract),) if record.abstract else (),
    )


def pose(questions: Sequence[Asked], taggers: Taggers, *, structure: bool = True) -> list[Posed]:
    """Tag the sentences of the questions' abstracts, with or without their structure."""
    cached: dict[int, tuple[Sentence, ...]] = {}
    for question in questions:
        record = question.record
        if id(record) not in cached:
            tagged = taggers.tag(record) if structure else taggers.tag(plain(record), labels=False)
            cached[id(record)] = tuple(tagged)
    return [Posed(question, cached[id(question.record)]) for question in questions]


def gold(posed: Posed) -> NDArray[np.bool_]:
    """Return whether each sentence answers, according to the question's evidence."""
    return answer_sentences([s.text for s in posed.tagged], posed.question.evidence)


def title(question: Asked) -> str:
    """Return the title of a question's record, or else its vernacular title."""
    return question.record.title or question.record.vernacular_title
