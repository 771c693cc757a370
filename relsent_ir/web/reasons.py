"""Why a score is what it is: words and features with what they weigh."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from relsent_ir.hits import Hits
from relsent_ir.lucene.read.search import Searcher
from relsent_ir.rank import Evidence
from relsent_ir.related.reranker import explain
from relsent_ir.web.library import Library
from relsent_ir.web.reading import record_of, sentence_of
from relsent_ir.web.requests import PairRequest, WhyRequest


@dataclass(frozen=True)
class Reason:
    """An account of a score.

    Attributes
    ----------
    method : str
        What scores.
    topic : str
        The text that it is scored for.
    evidence : Evidence
    """

    method: str
    topic: str
    evidence: Evidence

    @property
    def values(self) -> Mapping[str, Any]:
        """The method's own values."""
        return self.evidence.values or {}


def of_hit(library: Library, request: WhyRequest) -> Reason:
    """Account for the score of a search's hit."""
    if request.unit == "sentences":
        sentence_of(library, request.id)
    else:
        record_of(library, request.id)
    hit = Hits.ranked([request.id], [0.0])
    if request.rank == "model" and library.explains and library.ranks(request.unit):
        evidence = library.explains.evidence(library.indexes, request.q, hit)[0]
        return Reason("learned order", request.q, evidence)
    evidence = library.words.evidence(library.indexes, request.q, hit)[0]
    searcher = Searcher(library.indexes.index(request.unit))
    features = [
        (_spelled(term, evidence), weight)
        for term, weight in searcher.contributions(request.q, request.id)
    ]
    shown = Evidence(evidence.sentence, evidence.text, evidence.spans, None, tuple(features))
    return Reason("BM25", request.q, shown)


def _spelled(term: str, found: Evidence) -> str:
    """Spell a term of the index as the text does, where it does."""
    spans = (span for span in found.spans if span.label == term)
    words = dict.fromkeys(found.text[span.start : span.end].lower() for span in spans)
    return ", ".join(words) or term


def of_related(library: Library, request: PairRequest) -> Reason:
    """Account for how related two sentences are."""
    origin, other = (sentence_of(library, name) for name in (request.origin, request.to))
    model = library.matcher.model
    evidence = explain(model, origin.text, [other])
    return Reason(model.name, origin.text, evidence)
