"""Labelled abstracts: sentences of structured abstracts with the moves of their sections' labels.

Labels and inline headings are not part of the text, and no sentence crosses the border between
sections.
"""

import logging
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from relsent_ir.errors import InputError
from relsent_ir.files import file_facts
from relsent_ir.moves.labels import LEAST_MOVES, given_moves, has_no_move, section_move
from relsent_ir.records import Record, list_inputs, read_records, split_sentences
from relsent_ir.typing import Progress


@dataclass(frozen=True, slots=True)
class Abstract:
    """The labelled sentences of an abstract, in order, with moves.

    Training weights abstracts by the size of their `source`.
    """

    id: str
    title: str
    sentences: tuple[str, ...]
    moves: tuple[str, ...]
    source: str = ""


@dataclass
class LabelCounts:
    """Counts of records, labelled abstracts, and sections left out.

    Attributes
    ----------
    records, structured, taken : int
        Records; records with a section that has a move; records with enough moves.
    headed : int
        The part of `taken` whose moves come from inline headings.
    sentences : int
        Number of sentences of `taken`.
    left_out : Counter of str
        Sections of structured abstracts without a move, counted by reason: "registration, funding,
        ethics", "no label", "unknown label".
    unknown : Counter of str
        Labels missing in the table, in capitals.
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
    census: LabelCounts | None = None,
    *,
    least_moves: int = LEAST_MOVES,
    headings: bool = False,
    source: str = "",
) -> Iterator[Abstract]:
    """Yield the abstracts whose labels name at least `least_moves` of the four moves.

    Parameters
    ----------
    records : iterable of Record
    census : LabelCounts, optional
        Counts that are updated for each record.
    least_moves : int
    headings : bool
        Also yield abstracts without labels, if inline headings name three moves.
    source : str
        The source of the abstracts; for trials, by publication type, " trials" is appended.
    """
    census = census or LabelCounts()
    for record in records:
        census.records += 1
        moves = [section_move(s.label, s.category) for s in record.sections]
        if any(moves):
            census.structured += 1
            for section, move in zip(record.sections, moves, strict=True):
                label, why = section.label.upper(), ""
                if not move and has_no_move(label):
                    why = "registration, funding, ethics"
                elif not move:
                    why = "no label" if label in ("", "UNLABELLED") else "unknown label"
                census.left_out.update([why] if why else [])
                census.unknown.update([label] if why == "unknown label" else [])
            if len(set(filter(None, moves))) < least_moves:
                continue
            pairs = [
                (section.text[start:end], move)
                for section, move in zip(record.sections, moves, strict=True)
                if move
                for start, end in split_sentences(section.text)
            ]
        else:
            given, texts = given_moves([text for _, text in record.body()] if headings else [])
            pairs = [(text, move) for text, move in zip(texts, given, strict=True) if text and move]
            if len({move for _, move in pairs}) < LEAST_MOVES:
                continue
            census.headed += 1
        trial = any("trial" in kind.lower() for kind in record.publication_types)
        sentences, own = zip(*pairs, strict=True)
        title = record.title or record.vernacular_title
        census.taken += 1
        census.sentences += len(sentences)
        yield Abstract(record.id, title, sentences, own, f"{source} trials" if trial else source)


_LOG = logging.getLogger("relsent_ir")
_LISTED = 10  # labels in the warning
TICK = 200  # records between two calls of the progress callback


def read_abstracts(
    paths: Sequence[str | Path],
    form: str | None = None,
    progress: Progress | None = None,
    *,
    headings: bool = False,
    without: Collection[str] = (),
) -> tuple[list[Abstract], LabelCounts]:
    """Read the labelled abstracts of files and folders of any formats.

    Each path is a source; an abstract in two of them belongs to the first. `headings` and `without`
    are as in `take_abstracts`.

    Raises
    ------
    InputError
        If a file cannot be read, or no abstract has labels for three of the four moves.
    """
    census = LabelCounts()
    sources = {str(path): _records(list_inputs([path], form)[0]) for path in paths}
    return take_abstracts(sources, census, progress, headings=headings, without=without), census


def take_abstracts(
    sources: Mapping[str, Iterable[Record]],
    census: LabelCounts,
    progress: Progress | None = None,
    *,
    headings: bool = False,
    without: Collection[str] = (),
) -> list[Abstract]:
    """Return the labelled abstracts of records, without duplicates.

    One warning lists the labels that are missing in the table.

    Parameters
    ----------
    sources : mapping of str to iterable of Record
        The records of each source.
    census : LabelCounts
        Counts that are updated for each record.
    progress : callable, optional
        Called with the number of records read.
    headings : bool
        Also return abstracts with inline headings.
    without : collection of str
        Ids of records to skip.

    Raises
    ------
    InputError
        If no abstract has labels for three of the four moves.
    """
    ids = set(without)
    abstracts: list[Abstract] = []

    def new(records: Iterable[Record]) -> Iterator[Record]:
        for record in records:
            if record.id not in ids:
                yield record
            if progress and census.records % TICK == 0:
                progress(census.records, None)

    for source, records in sources.items():
        part = list(labelled_abstracts(new(records), census, headings=headings, source=source))
        ids.update(abstract.id for abstract in part)
        abstracts += part
    if census.unknown:
        labels = ", ".join(f"{label} ({n})" for label, n in census.unknown.most_common(_LISTED))
        _LOG.warning(
            "left out %d sections with labels that name no move: %s",
            census.left_out["unknown label"],
            labels + (", …" if len(census.unknown) > _LISTED else ""),
        )
    if not abstracts:
        raise InputError(
            f"none of {census.records} records has labels for {LEAST_MOVES} of the four moves",
            where=", ".join(sources),
            fix="give structured abstracts",
        )
    return abstracts


def record_ids(paths: Sequence[str | Path]) -> set[str]:
    """Return the ids of all records in files and folders."""
    files, _ = list_inputs(paths) if paths else ([], [])
    return {record.id for record in _records(files)}


def data_facts(paths: Sequence[str | Path], census: LabelCounts) -> dict[str, Any]:
    """Return the facts about a model's data: files with checksums, and counts."""
    return {
        "files": [file_facts(path) for path, _ in list_inputs(paths)[0]],
        "records": census.records,
        "abstracts": census.taken,
        "headed": census.headed,
        "sentences": census.sentences,
        "left_out": dict(census.left_out),
    }


def _records(files: Sequence[tuple[Path, str]]) -> Iterator[Record]:
    for path, form in files:
        yield from read_records(path, form)
