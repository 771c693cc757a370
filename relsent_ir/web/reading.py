"""A record as it is read: its sentences by move, under each those related to it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from starlette.exceptions import HTTPException

from relsent_ir.errors import InputError, MismatchError
from relsent_ir.hits import Hits, Run
from relsent_ir.rank import Span
from relsent_ir.records import Record, Sentence
from relsent_ir.related.reranker import shared_words
from relsent_ir.related.tokens import words
from relsent_ir.web.library import Library
from relsent_ir.web.requests import AbstractRequest, RelatedRequest, address
from relsent_ir.web.settings import PAGE, PAGES

UNDER = 3
"""Related sentences under one of an abstract, at most."""
BESIDE = 5
"""Similar articles."""
LINKS = 20
"""Citing and cited articles, at most."""


@dataclass(frozen=True)
class Near:
    """A sentence that is related to another.

    Attributes
    ----------
    origin : str
        The other's id.
    sentence : Sentence
    record : Record
    score : float
    probability : float or None
        Of the same abstract, as the model's calibration has it.
    marks : tuple of Span
        The words that both have.
    """

    origin: str
    sentence: Sentence
    record: Record
    score: float
    probability: float | None
    marks: tuple[Span, ...]

    @property
    def to(self) -> str:
        """The address of the sentence in its abstract."""
        request = [("id", self.record.id), ("at", self.sentence.n), ("from", self.origin)]
        return address("/abstract", request, f"s{self.sentence.n}")

    @property
    def why(self) -> list[tuple[str, str]]:
        """The parameters of the page that says why."""
        return [("from", self.origin), ("to", self.sentence.id)]


@dataclass(frozen=True)
class SentenceLine:
    """A sentence of an abstract, with the words of the query in it and what is related to it."""

    sentence: Sentence
    marks: tuple[Span, ...]
    near: list[Near]


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
        return any(near.probability is not None for line in self.lines for near in line.near)


def read(library: Library, request: AbstractRequest) -> OpenAbstract:
    """Open an abstract, with all that is related to its sentences."""
    record = record_of(library, request.id)
    sentences = library.indexes.tagged([record])[0]
    cut = cut_of(library)
    near = {} if cut is None else related(library, sentences, UNDER, cut)
    lines = [
        SentenceLine(one, library.words.spans(request.q, one.text), near.get(one.id, []))
        for one in sentences
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
    """Give the cut, None in a collection where no sentence has a related one."""
    try:
        return library.cut
    except (InputError, MismatchError):
        return None


def related(
    library: Library, sentences: Sequence[Sentence], k: int, least: float = -np.inf
) -> dict[str, list[Near]]:
    """Find sentences of other records that are related to some, in one pass over all of them."""
    try:
        matcher = library.matcher
        stopwords = matcher.model.stopwords
        topics = {one.id: one.text for one in sentences if words(one.text, stopwords)}
        if not topics:
            return {}
        run = matcher.related(topics, k, without_own=True)
    except (InputError, MismatchError):  # there is no other record, or none with a sentence
        return {}
    found = Run((name, hits.head(int((hits.scores >= least).sum()))) for name, hits in run.items())
    return _described(library, found, topics)


def _described(library: Library, run: Run, topics: Mapping[str, str]) -> dict[str, list[Near]]:
    ids = list(dict.fromkeys(name for hits in run.values() for name in hits.ids))
    places = dict(zip(ids, range(len(ids)), strict=True))
    hits = library.collection.hits(Hits(np.array(ids, dtype=object), np.zeros(len(ids))))
    calibration, size = library.calibration, len(library.matcher.store)
    found: dict[str, list[Near]] = {}
    for origin, some in run.items():
        chances = calibration.probability(some.scores, size).tolist() if calibration else None
        for n, (name, score) in enumerate(some):
            hit = hits[places[name]]
            assert hit.sentence
            marks = shared_words(library.matcher.model, topics[origin], hit.sentence.text)
            chance = chances[n] if chances else None
            near = Near(origin, hit.sentence, hit.record, score, chance, marks)
            found.setdefault(origin, []).append(near)
    return found


@dataclass(frozen=True)
class Relatives:
    """A page of sentences that are related to one."""

    request: RelatedRequest
    sentence: Sentence
    record: Record
    near: list[Near]
    more: bool


def relatives(library: Library, request: RelatedRequest) -> Relatives:
    """Find the sentences most related to one, whether above the cut or not."""
    sentence = sentence_of(library, request.id)
    end = request.page * PAGE
    near = related(library, [sentence], min(end + 1, PAGE * PAGES)).get(sentence.id, [])
    record = record_of(library, sentence.record)
    return Relatives(request, sentence, record, near[end - PAGE : end], len(near) > end)


def record_of(library: Library, name: str) -> Record:
    """Give the record of an id, or answer that there is none."""
    if not library.has(name):
        raise HTTPException(404, "this collection has no such record")
    return library.collection.record(name)


def sentence_of(library: Library, name: str) -> Sentence:
    """Give the sentence of an id with its move, or answer that there is none."""
    record, _, number = name.rpartition(".")
    if not record or not library.has(record):
        raise HTTPException(404, "this collection has no such sentence")
    for sentence in library.indexes.moves([record])[0]:
        if str(sentence.n) == number:
            return sentence
    raise HTTPException(404, "this collection has no such sentence")
