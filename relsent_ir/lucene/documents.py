"""How records become Lucene documents: the fields of the two indexes.

Both have what Anserini and Pyserini expect: ``id`` (stored, with binary doc values), ``contents``
(positions, term vectors) and ``raw`` (stored JSON).
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from relsent_ir.records import Record, split_sentences

Batch = list[tuple[str, list[tuple[str, ...]]]]
"""What goes to relsent.Feed: for each record its id and its documents' fields."""

ABSTRACT_FIELDS: Final = {
    "id": "id",
    "contents": "vectors",
    "title": "text",
    "abstract": "text",
    "mesh": "text",
    "raw": "stored",
}
SENTENCE_FIELDS: Final = {
    "id": "id",
    "contents": "vectors",
    "raw": "json",
    "record": "string",
    "n": "string",
}
TAGGED_FIELDS: Final = {
    "id": "id",
    "contents": "vectors",
    "move": "string",
    "score": "stored",
    "raw": "json",
    "record": "string",
    "n": "string",
}
"""Of sentences that were tagged with their argumentative moves: ``raw`` has move and score too."""

UNITS: Final = {"abstracts": ABSTRACT_FIELDS, "sentences": SENTENCE_FIELDS}
KEYS: Final = {"abstracts": "id", "sentences": "record"}


@dataclass(frozen=True)
class Tagger:
    """What gives sentences their argumentative moves while they are indexed.

    Attributes
    ----------
    name : str
        Tells one tagger from another: an index has the moves of one.
    tag : callable
        Gives the move and the score of each sentence of a record's abstract, in order.
    """

    name: str
    tag: Callable[[Record], Sequence[tuple[str, float]]]


def sentences(record: Record) -> Iterator[tuple[int, str]]:
    """Number a record's sentences: 0 is the title, 1… the abstract's; none crosses a section."""
    title = record.title or record.vernacular_title
    if title:
        yield 0, title
    n = 0
    for section in record.sections:
        for start, end in split_sentences(section.text):
            n += 1
            yield n, section.text[start:end]


def abstract_document(record: Record) -> tuple[str, ...]:
    """The fields of a record in the abstract index, in the order of `ABSTRACT_FIELDS`.

    ``contents`` is title, abstract, MeSH and chemicals, so that a record without an abstract is
    still found.
    """
    title = " ".join(filter(None, (record.title, record.vernacular_title)))
    mesh = "\n".join(" ".join((m.heading, *m.qualifiers)) for m in record.mesh)
    contents = "\n".join(filter(None, (title, record.abstract, mesh, *record.chemicals)))
    return record.id, contents, title, record.abstract, mesh, record.to_json()


def sentence_documents(record: Record) -> list[tuple[str, ...]]:
    """The fields of a record's sentences, in the order of `SENTENCE_FIELDS`; Java adds ``raw``."""
    return [(f"{record.id}.{n}", text, record.id, str(n)) for n, text in sentences(record)]


def tagged_documents(record: Record, tagger: Tagger) -> list[tuple[str, ...]]:
    """As `sentence_documents`, with moves, in the order of `TAGGED_FIELDS`; a title has none."""
    documents = sentence_documents(record)
    found = [("", 0.0)] * (documents[:1] != [] and documents[0][3] == "0")
    found += tagger.tag(record)
    return [
        (name, text, move, f"{score:.4f}" if move else "", record_id, n)
        for (name, text, record_id, n), (move, score) in zip(documents, found, strict=True)
    ]
