"""The Lucene documents of records: the fields of the two indexes.

Both have the fields of Anserini and Pyserini: ``id`` (stored, with binary doc values), ``contents``
(positions, term vectors) and ``raw`` (stored JSON), and those of
`relsent_ir.lucene.read.filters`. Fields
of ``words``, whose names end in ``.words``, have words as they are written, for search strategies.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from relsent_ir.records import Record, Sentence

ABSTRACT_FIELDS: Final = {
    "id": "id",
    "contents": "vectors",
    "title": "text+words",
    "abstract": "text+words",
    "mesh": "text",
    "raw": "stored",
    "terms": "words",
    "affiliation": "words",
}
SENTENCE_FIELDS: Final = {
    "id": "id",
    "contents": "vectors+words",
    "raw": "json",
    "record": "string",
    "n": "string",
}
TAGGED_FIELDS: Final = {
    "id": "id",
    "contents": "vectors+words",
    "move": "value",
    "score": "stored",
    "raw": "json",
    "record": "string",
    "n": "string",
}
"""Fields of sentences with argumentative moves; ``raw`` then has move and score too."""

UNITS: Final = {"abstracts": ABSTRACT_FIELDS, "sentences": SENTENCE_FIELDS}
KEYS: Final = {"abstracts": "id", "sentences": "record"}


@dataclass(frozen=True)
class MoveTagger:
    """Label sentences with their argumentative moves while they are indexed.

    Attributes
    ----------
    name : str
        Identifies the tagger: an index has the moves of one tagger only.
    tag : callable
        Returns the sentences of a record's abstract, in order, each with its move and score.
    """

    name: str
    tag: "Callable[[Record], Sequence[Sentence]]"


def abstract_document(record: "Record") -> tuple[str, ...]:
    """Return the fields of a record in the abstract index, in the order of `ABSTRACT_FIELDS`.

    ``contents`` joins title, abstract, MeSH and chemicals, so that a record without an abstract is
    found too.
    """
    title = " ".join(filter(None, (record.title, record.vernacular_title)))
    mesh = "\n".join(" ".join((m.heading, *m.qualifiers)) for m in record.mesh)
    contents = "\n".join(filter(None, (title, record.abstract, mesh, *record.chemicals)))
    terms = "\n".join(filter(None, (mesh, *record.chemicals)))
    places = "\n".join(record.affiliations)
    return record.id, contents, title, record.abstract, mesh, record.to_json(), terms, places


def folded(text: str) -> str:
    """Write a journal or publication type in the index's form, which ignores case."""
    return " ".join(text.split()).casefold()


def sentence_documents(record: "Record", tagger: MoveTagger | None = None) -> list[tuple[str, ...]]:
    """Return the fields of sentences, in the order of `SENTENCE_FIELDS`; Java adds ``raw``.

    With a tagger they have moves, in the order of `TAGGED_FIELDS`; titles have none.
    """
    if not tagger:
        return [(s.id, s.text, s.record, str(s.n)) for s in record.sentences()]
    return [
        (s.id, s.text, s.move, repr(float(s.score)) if s.move else "", s.record, str(s.n))
        for s in (*record.title_sentence(), *tagger.tag(record))
    ]
