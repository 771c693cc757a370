"""An article as a topic: its text, and its segments, which are sentences with their moves."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from relsent_ir.citation.thesaurus import PREFIX, Thesaurus
from relsent_ir.lucene.analyzers import Analysis
from relsent_ir.moves import MOVES, MoveModel, tag
from relsent_ir.records import Record, Sentence, split_sentences

FIELDS: Final = ("title", "abstract", "mesh")
"""What a topic is made of, as the paper's."""
TITLE: Final = "TITLE"
MESH: Final = "MESH"
PARTS: Final = (TITLE, *MOVES, MESH)
"""The parts of an article; chemicals are among MESH."""


@dataclass(frozen=True)
class Segment:
    """A piece of a topic.

    Attributes
    ----------
    part : str
        One of `PARTS`.
    score : float
        The classifier's, for a sentence: from 0 to 1; else 1.
    terms : Counter of str
        Its analysed terms.
    """

    part: str
    score: float
    terms: Counter[str]


def topic_text(record: Record, fields: Iterable[str] = FIELDS) -> str:
    """Give the text of a record as a topic, in one line."""
    parts = {
        "title": " ".join(filter(None, (record.title, record.vernacular_title))),
        "abstract": record.abstract,
        "mesh": mesh_text(record),
    }
    return " ".join(" ".join(parts[field] for field in fields).split())


def mesh_text(record: Record) -> str:
    """Give headings with their qualifiers, and chemicals, as one text."""
    headings = (" ".join((mesh.heading, *mesh.qualifiers)) for mesh in record.mesh)
    return " ".join((*headings, *record.chemicals))


def record_segments(
    record: Record,
    tagged: Iterable[Sentence],
    analysis: Analysis,
    thesaurus: Thesaurus | None = None,
) -> list[Segment]:
    """Cut a record into its title, its sentences with their moves, and its MeSH headings.

    Parameters
    ----------
    record : Record
    tagged : iterable of Sentence
        Its sentences with their moves, as `Collection.tagged` gives them.
    analysis : Analysis
    thesaurus : Thesaurus, optional
        The concepts that a segment names are among its terms.
    """
    title = topic_text(record, ["title"])
    pieces = [(TITLE, 1.0, title)]
    pieces += [(found.move, found.score, found.text) for found in tagged if found.n]
    pieces.append((MESH, 1.0, mesh_text(record)))
    return _analysed(pieces, analysis, thesaurus)


def text_segments(text: str, model: MoveModel, analysis: Analysis) -> list[Segment]:
    """Cut any text into sentences with their moves."""
    sentences = [text[start:end] for start, end in split_sentences(text)]
    moves = tag(model, "", sentences)
    pieces = [(move, score, s) for (move, score), s in zip(moves, sentences, strict=True)]
    return _analysed(pieces, analysis)


def _analysed(
    pieces: Iterable[tuple[str, float, str]],
    analysis: Analysis,
    thesaurus: Thesaurus | None = None,
) -> list[Segment]:
    found = []
    for part, score, text in pieces:
        if text:
            terms = Counter(analysis.terms(text))
            if thesaurus is not None:
                concepts = thesaurus.concepts(text)
                terms.update({PREFIX + name: n for name, n in concepts.items()})
            found.append(Segment(part, score, terms))
    return found
