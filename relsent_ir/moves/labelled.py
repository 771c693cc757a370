"""Labelled abstracts: the sentences of structured abstracts with the moves that their labels give.

The labels themselves, and inline headings, are not part of the text, and no sentence crosses a
section's border.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from relsent_ir.moves.headings import given_moves
from relsent_ir.moves.labels import LEAST_MOVES, has_no_move, section_move
from relsent_ir.records import Record, split_sentences


@dataclass(frozen=True, slots=True)
class Abstract:
    """The sentences of an abstract that have a label, in order, and their moves.

    `source` says where it is from: abstracts of different sources are weighed when a model learns.
    """

    id: str
    title: str
    sentences: tuple[str, ...]
    moves: tuple[str, ...]
    source: str = ""


@dataclass
class Census:
    """What was read, what was taken and what was left out.

    Attributes
    ----------
    records, structured, taken : int
        Records read; those with a section that has a move; those with enough moves.
    headed : int
        Those of `taken` whose moves are from inline headings.
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
    headed: int = 0
    sentences: int = 0
    left_out: Counter[str] = field(default_factory=Counter)
    unknown: Counter[str] = field(default_factory=Counter)


def labelled_abstracts(
    records: Iterable[Record],
    census: Census | None = None,
    *,
    least_moves: int = LEAST_MOVES,
    headings: bool = False,
    source: str = "",
) -> Iterator[Abstract]:
    """Yield the abstracts whose labels name at least `least_moves` of the four moves.

    Parameters
    ----------
    records : iterable of Record
    census : Census, optional
        Counts along.
    least_moves : int
    headings : bool
        Take abstracts without labels too, if inline headings name three moves.
    source : str
        What the abstracts say that they are from; trials, by publication type, say so too.
    """
    census = census or Census()
    for record in records:
        census.records += 1
        moves = [section_move(s.label, s.category) for s in record.sections]
        if any(moves):
            census.structured += 1
            _count_left_out(record, moves, census)
            if len(set(filter(None, moves))) < least_moves:
                continue
            pairs = _labelled(record, moves)
        else:
            pairs = _headed(record) if headings else []
            if not pairs:
                continue
            census.headed += 1
        trial = any("trial" in kind.lower() for kind in record.publication_types)
        abstract = _abstract(record, pairs, f"{source} trials" if trial else source)
        census.taken += 1
        census.sentences += len(abstract.sentences)
        yield abstract


def _labelled(record: Record, moves: list[str]) -> list[tuple[str, str]]:
    return [
        (section.text[start:end], move)
        for section, move in zip(record.sections, moves, strict=True)
        if move
        for start, end in split_sentences(section.text)
    ]


def _headed(record: Record) -> list[tuple[str, str]]:
    """Sentences behind inline headings; none if these name fewer than three moves."""
    moves, texts = given_moves([text for _, text in record.body()])
    pairs = [(text, move) for text, move in zip(texts, moves, strict=True) if text and move]
    return pairs if len({move for _, move in pairs}) >= LEAST_MOVES else []


def _abstract(record: Record, pairs: list[tuple[str, str]], source: str) -> Abstract:
    sentences, moves = zip(*pairs, strict=True)
    title = record.title or record.vernacular_title
    return Abstract(record.id, title, sentences, moves, source)


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
