"""A record as it is read: its sentences by move, under each those related to it, and why."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from starlette.exceptions import HTTPException

from relsent_ir.errors import InputError, MismatchError
from relsent_ir.hit import Hit, read_hits
from relsent_ir.hits import Hits
from relsent_ir.lucene.read.search import Searcher
from relsent_ir.rank import Evidence, Span
from relsent_ir.records import Record, Sentence
from relsent_ir.related.reranker import explain, shared_words
from relsent_ir.related.tokens import words
from relsent_ir.web.library import Library
from relsent_ir.web.requests import (
    AbstractRequest,
    PairRequest,
    RelatedRequest,
    WhyRequest,
    address,
)
from relsent_ir.web.settings import PAGE, PAGES

UNDER = 3
"""Related sentences under one of an abstract, at most."""
BESIDE = 5
"""Similar articles."""
LINKS = 20
"""Citing and cited articles, at most."""


@dataclass(frozen=True)
class SentenceLine:
    """A sentence that is read.

    Attributes
    ----------
    sentence : Sentence
    marks : tuple of Span
        The words of the query in it.
    near : list of Hit
        The sentences of other records that are related to it; their ``probability`` is that of
        standing in the same abstract, None where the model is not calibrated.
    """

    sentence: Sentence
    marks: tuple[Span, ...]
    near: list[Hit]

    def to(self, hit: Hit) -> str:
        """Return the address of a related sentence in its abstract."""
        n = hit.id.rpartition(".")[2]
        return address(
            "/abstract", [("id", hit.record.id), ("at", n), ("from", self.sentence.id)], f"s{n}"
        )

    def why(self, hit: Hit) -> list[tuple[str, str]]:
        """Return the parameters of the page that accounts for the relation."""
        return [("from", self.sentence.id), ("to", hit.id)]


@dataclass(frozen=True)
class OpenAbstract:
    """An abstract that is read.

    Attributes
    ----------
    request : AbstractRequest
    record : Record
    title : SentenceLine or None
    lines : list of SentenceLine
        The abstract's sentences.
    similar : list of Record
    cites, cited : list of Record
        Those that it refers to, and those that refer to it, of the collection.
    origin : Sentence or None
        The sentence that was left for it.
    cut : float or None
        The least score of a related sentence; None where nothing is related.
    """

    request: AbstractRequest
    record: Record
    title: SentenceLine | None
    lines: list[SentenceLine]
    similar: list[Record]
    cites: list[Record]
    cited: list[Record]
    origin: Sentence | None
    cut: float | None

    @property
    def calibrated(self) -> bool:
        """Whether probabilities are told of the related sentences."""
        return any(
            hit.values["probability"] is not None for line in self.lines for hit in line.near
        )


def read(library: Library, request: AbstractRequest) -> OpenAbstract:
    """Read an abstract: its sentences by move, and under each those related to it."""
    record = record_of(library, request.id)
    sentences = library.indexes.tagged([record])[0]
    cut = cut_of(library)
    near = {} if cut is None else related(library, sentences, UNDER, cut)
    lines = [
        SentenceLine(s, library.words.spans(request.q, s.text), near.get(s.id, []))
        for s in sentences
    ]
    hits = library.neighbours.search([record.id], BESIDE + 1)[record.id].without(record.id)
    graph = library.graph
    ids = [hits.ids.tolist()[:BESIDE], graph.cited(record.id), graph.citing(record.id)]
    similar, cites, cited = (library.indexes.records(some[:LINKS]) for some in ids)
    return OpenAbstract(
        request,
        record,
        next((line for line in lines if not line.sentence.n), None),
        [line for line in lines if line.sentence.n],
        similar,
        cites,
        cited,
        sentence_of(library, request.origin) if request.origin else None,
        cut,
    )


def cut_of(library: Library) -> float | None:
    """Return the cut, None in a collection where no sentence has a related one."""
    try:
        return library.cut
    except (InputError, MismatchError):
        return None


def related(
    library: Library, sentences: Sequence[Sentence], k: int, least: float = -np.inf
) -> dict[str, list[Hit]]:
    """Find sentences of other records that are related to some, in one pass over all of them."""
    try:
        matcher = library.matcher
        stopwords = matcher.model.stopwords
        topics = {s.id: s.text for s in sentences if words(s.text, stopwords)}
        if not topics:
            return {}
        way = "bm25" if matcher.scorer is None else "exact"
        run = matcher.related(topics, k, candidates=way, without_own=True)
    except (InputError, MismatchError):  # there is no other record, or none with a sentence
        return {}
    return {
        origin: _described(library, hits.head(int((hits.scores >= least).sum())), topics[origin])
        for origin, hits in run.items()
    }


def _described(library: Library, hits: Hits, text: str) -> list[Hit]:
    """Read the sentences that are related to a text, the words that both have marked."""
    calibration, model = library.calibration, library.matcher.model
    chances: list[float | None] = [None] * len(hits)
    if calibration:
        chances = calibration.probability(hits.scores, len(library.matcher.store)).tolist()
    return [
        replace(hit, marks=shared_words(model, text, hit.text), values={"probability": chance})
        for hit, chance in zip(read_hits(library.indexes, hits), chances, strict=True)
    ]


@dataclass(frozen=True)
class Relatives:
    """A page of sentences that are related to one.

    Attributes
    ----------
    request : RelatedRequest
    record : Record
        That of the one sentence.
    line : SentenceLine
        The sentence, with a page of its relatives.
    more : bool
        Whether there is a next page.
    """

    request: RelatedRequest
    record: Record
    line: SentenceLine
    more: bool


def relatives(library: Library, request: RelatedRequest) -> Relatives:
    """Find the sentences most related to one."""
    sentence = sentence_of(library, request.id)
    end = request.page * PAGE
    near = related(library, [sentence], min(end + 1, PAGE * PAGES)).get(sentence.id, [])
    record = record_of(library, sentence.record)
    line = SentenceLine(sentence, (), near[end - PAGE : end])
    return Relatives(request, record, line, len(near) > end)


def record_of(library: Library, name: str) -> Record:
    """Return the record of an id, or answer that there is none."""
    if not library.has(name):
        raise HTTPException(404, "this collection has no such record")
    return library.collection.record(name)


def sentence_of(library: Library, name: str) -> Sentence:
    """Return the sentence of an id with its move, or answer that there is none."""
    record, _, number = name.rpartition(".")
    if not record or not library.has(record):
        raise HTTPException(404, "this collection has no such sentence")
    for sentence in library.indexes.moves([record])[0]:
        if str(sentence.n) == number:
            return sentence
    raise HTTPException(404, "this collection has no such sentence")


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
