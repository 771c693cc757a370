"""An article as a topic: its text, its segments (sentences with their moves), and boosts by move.

Boosts raise or lower the weights of a topic's terms by the moves of the sentences that have them.
Tbahriti et al. 2004, section 3.5: ``W_new = W_old · S_c · k_c``, where S_c is the classifier's
score of a sentence of move c and k_c a constant. Since S_c · k_c is mostly below 1, this lowers the
weights of terms that only the boosted moves have; our form, ``W_new = W_old · (1 + k_c · S_c)``,
never does.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from relsent_ir.errors import UsageError
from relsent_ir.lucene.analyzers import Analysis
from relsent_ir.moves import MOVES, MoveModel, tag
from relsent_ir.records import Record, Sentence, split_sentences

FIELDS: Final = ("title", "abstract", "mesh")
"""Fields that make up a topic, as in the paper."""
TITLE: Final = "TITLE"
MESH: Final = "MESH"
PARTS: Final = (TITLE, *MOVES, MESH)
"""The parts of an article; chemicals belong to MESH."""


@dataclass(frozen=True)
class Segment:
    """A piece of a topic.

    Attributes
    ----------
    part : str
        One of `PARTS`.
    score : float
        The classifier's score of a sentence, from 0 to 1; 1 for other parts.
    terms : Counter of str
        Its analysed terms.
    """

    part: str
    score: float
    terms: Counter[str]


def topic_text(record: Record, fields: Iterable[str] = FIELDS) -> str:
    """Return the text of a record as a topic, in one line."""
    parts = {
        "title": " ".join(filter(None, (record.title, record.vernacular_title))),
        "abstract": record.abstract,
        "mesh": mesh_text(record),
    }
    return " ".join(" ".join(parts[field] for field in fields).split())


def mesh_text(record: Record) -> str:
    """Return headings with their qualifiers, and chemicals, as one text."""
    headings = (" ".join((mesh.heading, *mesh.qualifiers)) for mesh in record.mesh)
    return " ".join((*headings, *record.chemicals))


def record_segments(
    record: Record, tagged: Iterable[Sentence], analysis: Analysis
) -> list[Segment]:
    """Cut a record into its title, its sentences with their moves, and its MeSH headings.

    Parameters
    ----------
    record : Record
    tagged : iterable of Sentence
        Its sentences with their moves, from `Indexes.tagged`.
    analysis : Analysis
    """
    title = topic_text(record, ["title"])
    pieces = [(TITLE, 1.0, title)]
    pieces += [(sentence.move, sentence.score, sentence.text) for sentence in tagged if sentence.n]
    pieces.append((MESH, 1.0, mesh_text(record)))
    return _analysed(pieces, analysis)


def text_segments(text: str, model: MoveModel, analysis: Analysis) -> list[Segment]:
    """Cut any text into sentences with their moves."""
    sentences = [text[start:end] for start, end in split_sentences(text)]
    moves = zip(tag(model, "", sentences), sentences, strict=True)
    return _analysed(((move, score, sentence) for (move, score), sentence in moves), analysis)


def _analysed(pieces: Iterable[tuple[str, float, str]], analysis: Analysis) -> list[Segment]:
    return [
        Segment(part, score, Counter(analysis.terms(text))) for part, score, text in pieces if text
    ]


FORMS: Final = ("product", "sum")
"""``S_c · k_c``, the paper's form, and ``1 + k_c · S_c``, ours."""


def boost(
    weights: Mapping[str, float],
    segments: Iterable[Segment],
    factors: Mapping[str, float],
    form: str = "sum",
) -> dict[str, float]:
    """Weigh a topic's terms by the moves that have them.

    A term in several segments takes its largest factor; the factor of a title, of MeSH headings and
    of a move without a boost is 1. Terms in no segment keep their weights.

    Parameters
    ----------
    weights : mapping of str to float
        The topic's terms.
    segments : iterable of Segment
        Its sentences.
    factors : mapping of str to float
        k_c by move.
    form : {"product", "sum"}

    Raises
    ------
    UsageError
        If a move or a form is unknown, or a factor below 0.
    """
    check_factors(factors, form)
    largest: dict[str, float] = {}
    for segment in segments:
        factor = 1.0
        if segment.part in factors:
            factor = factors[segment.part] * segment.score + (form == "sum")
        for term in segment.terms:
            largest[term] = max(factor, largest.get(term, factor))
    return {term: weight * largest.get(term, 1.0) for term, weight in weights.items()}


def check_factors(factors: Mapping[str, float], form: str = "sum") -> None:
    """Refuse invalid factors, as `boost` does."""
    if form not in FORMS:
        raise UsageError(f"no form {form!r}", fix="one of " + ", ".join(FORMS))
    for move, factor in factors.items():
        if move not in MOVES:
            raise UsageError(f"no move {move!r}", fix=f"one of {', '.join(MOVES)}")
        if not 0 <= factor < float("inf"):
            raise UsageError(f"{move} boosted by {factor}", fix="0 or more")
