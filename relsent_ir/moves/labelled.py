"""Labelled abstracts: the sentences of structured abstracts with the moves that their labels give.

The labels themselves are not part of the text, and no sentence crosses a section's border.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from relsent_ir.moves.labels import has_no_move, section_move
from relsent_ir.records import Record, split_sentences

LEAST_MOVES = 3
"""An abstract teaches and tests only if its labels name so many of the four moves."""


@dataclass(frozen=True, slots=True)
class Abstract:
    """The sentences of an abstract that have a label, in order, and their moves."""

    id: str
    title: str
    sentences: tuple[str, ...]
    moves: tuple[str, ...]


@dataclass
class Census:
    """What was read, what was taken and what was left out.

    Attributes
    ----------
    records, structured, taken : int
        Records read; those with a section that has a move; those with enough moves.
    sentences : int
        Sentences in the abstracts taken.
    left_out : Counter of str
        Sections of structured abstracts without a move, by why: "registration, funding, ethics",
        "no label", "unknown label".
    unknown : Counter of str
        The labels that the table does not know, in capitals.
    """

    records: int = 0
    structured: int = 0
    taken: int = 0
    sentences: int = 0
    left_out: Counter[str] = field(default_factory=Counter)
    unknown: Counter[str] = field(default_factory=Counter)


def labelled_abstracts(
    records: Iterable[Record], census: Census | None = None, *, least_moves: int = LEAST_MOVES
) -> Iterator[Abstract]:
    """Yield the abstracts whose labels name at least `least_moves` of the four moves.

    Parameters
    ----------
    records : iterable of Record
    census : Census, optional
        Counts along.
    least_moves : int
    """
    census = census or Census()
    for record in records:
        census.records += 1
        moves = [section_move(s.label, s.category) for s in record.sections]
        if not any(moves):
            continue
        census.structured += 1
        _count_left_out(record, moves, census)
        if len(set(filter(None, moves))) < least_moves:
            continue
        abstract = _abstract(record, moves)
        census.taken += 1
        census.sentences += len(abstract.sentences)
        yield abstract


def _abstract(record: Record, moves: list[str]) -> Abstract:
    pairs = [
        (section.text[start:end], move)
        for section, move in zip(record.sections, moves, strict=True)
        if move
        for start, end in split_sentences(section.text)
    ]
    sentences, labels = zip(*pairs, strict=True)
    return Abstract(record.id, record.title or record.vernacular_title, sentences, labels)


def _count_left_out(record: Record, moves: list[str], census: Census) -> None:
    for section, move in zip(record.sections, moves, strict=True):
        if move:
            continue
        if has_no_move(section.label):
            census.left_out["registration, funding, ethics"] += 1
        elif section.label.upper() in ("", "UNLABELLED"):
            census.left_out["no label"] += 1
        else:
            census.left_out["unknown label"] += 1
            census.unknown[section.label.upper()] += 1
