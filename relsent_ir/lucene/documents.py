"""The Lucene documents of records: the fields of the two indexes.

Both indexes have the fields of Anserini and Pyserini: ``id`` (stored, with binary doc values),
``contents`` (positions, term vectors) and ``raw`` (stored JSON). Both have the fields of filters:
sentences carry the ``year``, ``journal`` and so on of their record. Fields whose names end in
``.words`` hold unstemmed words, for search strategies.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from relsent_ir.records import Record, Sentence

Shared = tuple[tuple[str, ...], ...]
Batch = list[tuple[str, list[tuple[str, ...]], Shared]]
"""A batch for relsent.Feed: for each record its id, its documents' fields, and shared values."""

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

FILTER_FIELDS: Final = {
    "pmid": "term",
    "year": "number",
    "journal": "facet",
    "publication_type": "facet",
    "doi": "term",
    "heading": "facet",
    "major": "term",
    "author": "term",
    "language": "facet",
    "own": "term",
    "qualifier": "term",
    "substance": "term",
    "keyword": "words",
    "first_author": "term",
    "last_author": "term",
}
"""Fields shared by all documents of a record, which may have several values in a field, or none.

The values of a facet are also counted: its doc values hold them in printed form.
"""

FACETS: Final = ("year", "journal", "publication_type", "heading", "language", "move")
"""The fields whose values `relsent_ir.lucene.read.facets` counts."""


@dataclass(frozen=True)
class Condition:
    """A filter of hits by the values of a field.

    Attributes
    ----------
    field : str
        The name of the field in the index.
    flag, metavar, help : str
        The option of the command line.
    """

    field: str
    flag: str
    metavar: str
    help: str


CONDITIONS: Final = {
    "journals": Condition(
        "journal", "--journal", "NAME...", "Only of these journals, as printed in the records."
    ),
    "publication_types": Condition(
        "publication_type",
        "--publication-type",
        "TYPE...",
        "Only of these publication types, as printed in the records.",
    ),
    "mesh": Condition("heading", "--mesh", "HEADING...", "Only with one of these MeSH headings."),
    "authors": Condition(
        "author", "--author", "NAME...", "Only by one of these authors: Okafor, or Okafor B."
    ),
    "languages": Condition(
        "language", "--language", "NAME...", "Only in these languages, as in the records: eng."
    ),
    "own": Condition("own", "--own", "FIELD=VALUE...", "Only with this value of a field of yours."),
}
"""All filters by value: each is an attribute of `Filters` and a flag."""

UNITS: Final = {"abstracts": ABSTRACT_FIELDS, "sentences": SENTENCE_FIELDS}
KEYS: Final = {"abstracts": "id", "sentences": "record"}
_LONGEST: Final = 8000  # characters of a term: longer ones might exceed Lucene's limit in bytes


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


def filter_values(record: "Record") -> Shared:
    """Return the values for filters, in the order of `FILTER_FIELDS`; years have four digits."""
    from relsent_ir.records.fields import JOURNAL

    titles = [value for name, value in record.own if name == JOURNAL]
    year = record.year
    dated = len(year) == 4 and year.isascii() and year.isdecimal()
    return (
        _terms(record.pmid),
        (year,) if dated else (),
        (*_printed(record.journal), *_uncounted(*titles)),
        _printed(*record.publication_types),
        _terms(record.doi),
        (*_printed(*(mesh.heading for mesh in record.mesh)), *_qualified(record, "")),
        _terms(
            *(mesh.heading for mesh in record.mesh if mesh.major),
            *(text.rstrip("\t") for text in _qualified(record, "*")),
        ),
        _terms(*record.authors),
        _printed(*record.languages),
        _terms(*(f"{name}={value}" for name, value in record.own)),
        _terms(*(name.lstrip("*") for mesh in record.mesh for name in mesh.qualifiers)),
        _terms(*record.chemicals),
        record.keywords,
        _terms(*record.authors[:1]),
        _terms(*record.authors[-1:]),
    )


def folded(text: str) -> str:
    """Write a journal or publication type in the index's form, which ignores case."""
    return " ".join(text.split()).casefold()


def _terms(*texts: str) -> tuple[str, ...]:
    terms = dict.fromkeys(map(folded, texts))
    return tuple(term for term in terms if 0 < len(term) <= _LONGEST)


def _qualified(record: "Record", star: str) -> tuple[str, ...]:
    """Return the headings with each qualifier, as ``asthma/drug therapy``."""
    return _uncounted(
        *(
            f"{mesh.heading}/{qualifier.lstrip('*')}"
            for mesh in record.mesh
            for qualifier in mesh.qualifiers
            if qualifier.startswith(star)
        )
    )


def _uncounted(*texts: str) -> tuple[str, ...]:
    """Return the values of a facet that are searched but not counted."""
    return tuple(f"{term}\t" for term in _terms(*texts))


def _printed(*texts: str) -> tuple[str, ...]:
    """Return values for relsent.Feed: each as it is compared, a tab, and as it is printed."""
    printed: dict[str, str] = {}
    for text in texts:
        term = folded(text)
        if 0 < len(term) <= _LONGEST:
            printed.setdefault(term, " ".join(text.split()))
    return tuple(f"{term}\t{text}" for term, text in printed.items())


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
