"""Candidates: sentences that mention two entities, one per line of JSON; and judges' preferences.

Judges see a sheet, as the paper's annotators did: each row has two sentences of one pair of
entities, and a column for the better one, A or B, or = for neither. The sentences themselves, with
the places of the entities, go into a file of candidates beside it, a group for each row. A judge's
choice becomes a grade there, so training learns from it as from any grades.

References
----------
C. O. Tudor, K. Vijay-Shanker. RankPref: ranking sentences describing relations between biomedical
entities with an application. BioNLP 2012, 163-171.
"""

import csv
import json
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final

from relsent_ir.errors import InputError
from relsent_ir.files import atomic_writer, open_text, table_rows
from relsent_ir.text.tokens import Span

_SHAPE: Final = 'a line is {"group": …, "id": …, "text": …, "e1": [start, end], "e2": [start, end]}'


@dataclass(frozen=True, slots=True)
class Candidate:
    """A sentence with two entities marked in it.

    Attributes
    ----------
    group : str
        Candidates compete inside a group, such as a pair of entities or a document; the topic of a
        run.
    id : str
        The sentence's id.
    text : str
    e1, e2 : (int, int)
        Character offsets [start, end) of the entities' mentions. The spans may overlap; the part
        of a span outside the text is ignored.
    grade : float or None
        How clearly it states the relation; more is better.
    directed : bool
        The entity of `e1` is to act on the other, as the paper's gene does: where a pattern has an
        agent (groups G1 and G3), the reverse is no match.
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
    """Yield the candidates of a file of JSON lines, gzipped or plain; empty lines are skipped.

    Several lines of a group may have one id if their texts are the same: mentions of one sentence.

    Parameters
    ----------
    graded : bool
        Each line must have a grade.

    Raises
    ------
    InputError
        If the file cannot be read, or a line is no candidate; names the line.
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


def rows_by_group(candidates: Iterable[Candidate]) -> dict[str, list[int]]:
    """Return the places of candidates by their group."""
    rows: dict[str, list[int]] = {}
    for row, candidate in enumerate(candidates):
        rows.setdefault(candidate.group, []).append(row)
    return rows


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
    grade = _grade(values.get("grade"), graded, where)
    return Candidate(group, name, text, e1, e2, grade, directed)


def _word(value: Any, key: str, where: str) -> str:
    """Return an id: a string that fits a column of a run."""
    if not isinstance(value, str):
        raise InputError(f"{key!r} is no string", where=where, fix='write it as "…"')
    if len(value.split()) != 1 or value != value.strip():
        raise InputError(f"{key!r} is empty or has white space", where=where)
    if not value.isprintable():  # control characters, and halves of surrogate pairs
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


def _grade(value: Any, graded: bool, where: str) -> float | None:
    if value is None:
        if graded:
            raise InputError("'grade' is missing", where=where, fix="a number, 0 or more")
        return None
    sound = isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < 1e9
    if not sound:
        raise InputError("'grade' is no number from 0", where=where)
    return float(value)


SHEET: Final = ("item", "first", "second", "A", "B", "preferred")
CHOICES: Final = "AB="

Item = tuple[tuple[str, str], tuple[list[Candidate], list[Candidate]]]
"""Two entities, and the mentions of both in each of two sentences, A and B."""


def draw_items(
    pairs: Sequence[tuple[str, str]],
    candidates: Sequence[Iterable[Candidate]],
    count: int,
    seed: int = 0,
) -> list[Item]:
    """Draw pairs of sentences that mention the same two entities; no sentence of a pair twice.

    Parameters
    ----------
    pairs : sequence of (str, str)
        Entities, which take turns; one with fewer than two different sentences is skipped.
    candidates : sequence of iterable of Candidate
        The mentions of each pair.
    count : int
        Items, at most.
    seed : int
        Of the draw, and of the order in a row.
    """
    draw = random.Random(seed)  # noqa: S311 (no secret)
    drawn: list[list[Item]] = []
    for names, mentions in zip(pairs, candidates, strict=True):
        by_text: dict[str, list[Candidate]] = {}
        for candidate in mentions:
            same = by_text.setdefault(candidate.text, [])
            if not same or same[0].id == candidate.id:
                same.append(candidate)
        sentences = [by_text[text] for text in sorted(by_text)]
        draw.shuffle(sentences)
        both = zip(sentences[::2], sentences[1::2], strict=False)
        drawn.append([(names, sentence_pair) for sentence_pair in both])
    turns = max(map(len, drawn), default=0)
    return [items[turn] for turn in range(turns) for items in drawn if turn < len(items)][:count]


def write_items(sheet: Path, candidates: Path, items: Sequence[Item]) -> None:
    """Write the judges' sheet, with an empty column, and its candidates.

    Raises
    ------
    OutputError
        If either cannot be written; then neither is.
    """
    with atomic_writer(sheet) as file, atomic_writer(candidates) as lines:
        rows = csv.writer(file, delimiter="\t", lineterminator="\n")
        rows.writerow(SHEET)
        for number, (names, sentences) in enumerate(items, 1):
            rows.writerow([number, *names, *(mentions[0].marked for mentions in sentences), ""])
            for candidate in (*sentences[0], *sentences[1]):
                shape = asdict(replace(candidate, group=str(number)))
                lines.write(f"{json.dumps({k: v for k, v in shape.items() if v is not None})}\n")


def read_choices(path: Path) -> dict[str, str]:
    """Read a judge's sheet: A, B or = by item, without items that were left empty.

    Raises
    ------
    InputError
        If a column is missing, a choice is not one of these, or an item occurs twice.
    """
    choices: dict[str, str] = {}
    for where, row in table_rows(path, delimiter="\t", strict=True):
        if row.get("item") is None or row.get("preferred") is None:
            raise InputError("a row without item or preferred", where=where)
        choice = row["preferred"].strip().upper()
        if row["item"] in choices:
            raise InputError(f"item {row['item']} is there twice", where=where)
        if len(choice) > 1 or choice not in CHOICES:
            raise InputError(f"no choice: {choice!r}", where=where, fix="A, B or =")
        if choice:
            choices[row["item"]] = choice
    if not choices:
        raise InputError("nothing is preferred", where=path, fix="fill the column preferred")
    return choices


def grade(
    candidates: Sequence[Candidate], judges: Mapping[Path, Mapping[str, str]]
) -> list[Candidate]:
    """Grade candidates by the number of judges who preferred their sentence; drop the unjudged.

    Parameters
    ----------
    candidates : sequence of Candidate
        From `write_items`: in each group the first sentence is A.
    judges : mapping of Path to mapping of str to str
        Choices from `read_choices` by sheet.

    Raises
    ------
    InputError
        If a judge chose in a row that has no two candidates; names the sheet.
    """
    sentences: dict[str, dict[str, None]] = {}
    for candidate in candidates:
        sentences.setdefault(candidate.group, {})[candidate.id] = None
    votes: dict[tuple[str, str], float] = {}
    for path, choices in judges.items():
        for item, choice in choices.items():
            ids = list(sentences.get(item, ()))
            if len(ids) != 2:
                problem = f"item {item} has no two sentences among the candidates"
                raise InputError(problem, where=path)
            for letter, name in zip("AB", ids, strict=True):
                votes[item, name] = votes.get((item, name), 0.0) + (choice == letter)
    return [
        replace(candidate, grade=votes[candidate.group, candidate.id])
        for candidate in candidates
        if (candidate.group, candidate.id) in votes
    ]
