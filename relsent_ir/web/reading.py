"""Reading a record: its sentences by move, with related sentences, and why they are related."""

from dataclasses import replace
from typing import Any
from urllib.parse import parse_qsl

from pydantic import Field
from starlette.exceptions import HTTPException

from relsent_ir.citation.similar import find_similar
from relsent_ir.engines import need_folder
from relsent_ir.errors import InputError, MismatchError
from relsent_ir.hit import Hit, read_hits
from relsent_ir.hits import Hits, owner
from relsent_ir.lucene.read.search import open_searcher
from relsent_ir.methods import BM25, QueryLikelihood, Similar, as_pipeline
from relsent_ir.rank import Evidence
from relsent_ir.records import Record, Sentence
from relsent_ir.related.reranker import explain, shared_words
from relsent_ir.related.tokens import words
from relsent_ir.web import requests
from relsent_ir.web.library import UNDER, Library
from relsent_ir.web.settings import PAGE, PAGES
from relsent_ir.web.views import Line, Named, Private, Shown, Values, View, place_of

BESIDE = 5
"""Number of similar records."""
LINKS = 20
"""Largest numbers of citing and cited records."""


class OpenAbstract(View):
    """An abstract for reading."""

    request: requests.AbstractRequest
    record: Named
    sentences: list[Line] = Field(description="The title first, if there is one.")
    cites: list[Named] = Field(description="Those of the collection that it refers to.")
    cited: list[Named] = Field(description="Those that refer to it.")
    origin: Line | None = Field(description="The sentence that was left for it.")
    origin_record: Private[str] = ""
    search: Private[requests.SearchRequest | None] = None

    @property
    def title(self) -> Line | None:
        """The sentence of the title."""
        return next((line for line in self.sentences if not line.n), None)

    @property
    def lines(self) -> list[Line]:
        """The sentences of the abstract."""
        return [line for line in self.sentences if line.n]


def read(library: Library, request: requests.AbstractRequest) -> OpenAbstract:
    """Read an abstract: its sentences by move, and what it is linked to by references."""
    record = record_of(library, request.id)
    values = parse_qsl(request.back) or ([("q", request.q)] if request.q else [])
    search = requests.read_request(requests.SearchRequest, values) if values else None
    sentences = library.indexes.tagged([record])[0]
    cites, cited = (library.indexes.records(names[:LINKS]) for names in library.links(record.id))
    origin = sentence_of(library, request.origin) if request.origin else None
    return OpenAbstract(
        request=request,
        record=record,
        sentences=[
            Line.of(s, library.words.spans(search.q if search else "", s.text)) for s in sentences
        ],
        cites=cites,
        cited=cited,
        origin=Line.of(origin) if origin else None,
        origin_record=origin.record if origin else "",
        search=search,
    )


class SimilarPage(View):
    """The records most similar to a record."""

    request: requests.SimilarRequest
    record: Named
    hits: list[Shown]


def similar(library: Library, request: requests.SimilarRequest) -> SimilarPage:
    """Find the records most similar to a record."""
    record = record_of(library, request.id)
    method = request.settings(Similar)
    if method == Similar():
        hits = library.neighbours.search([record.id], BESIDE + 1)[record.id].without(record.id)
    else:
        hits = find_similar(library.indexes, [record.id], method, BESIDE)[record.id]
    similar = read_hits(library.indexes.among("abstracts"), hits.head(BESIDE))
    return SimilarPage(request=request, record=record, hits=similar)


class Relatives(View):
    """A page of sentences that are related to a sentence.

    Their ``p_related`` is the probability that a reader judges both as related, ``p_same_abstract``
    that both are from one abstract, if the model knows them.
    """

    request: requests.RelatedRequest
    record: Named
    sentence: Line
    hits: list[Shown]
    less: int | None = Field(description="How many are above the cut; the others are less close.")
    more: bool = Field(description="Whether there is a next page.")

    def to(self, hit: Hit) -> str:
        """Return the URL of a related sentence in its abstract."""
        return place_of(hit, ("from", self.sentence.id))

    def why(self, hit: Hit) -> list[tuple[str, str]]:
        """Return the parameters of the page that explains the relation."""
        return [("from", self.sentence.id), ("to", hit.id)]


def relatives(library: Library, request: requests.RelatedRequest) -> Relatives:
    """Find the sentences most related to a sentence."""
    need_folder(library.indexes.folder)  # below, an index without related sentences is no error
    sentence = sentence_of(library, request.id)
    end = request.page * PAGE
    if request.near:
        end = PAGE
    near = _related(library, sentence, min(end + 1, PAGE * PAGES), near=request.near)
    less = len(near) if request.near else None
    if request.led and request.near:
        near += _less_closely(library, sentence, len(near))
    return Relatives(
        request=request,
        record=record_of(library, sentence.record),
        sentence=Line.of(sentence),
        hits=near[end - PAGE : end],
        less=less,
        more=len(near) > end,
    )


def is_chosen(library: Library, request: requests.RelatedRequest) -> bool:
    """Return whether the related sentences were chosen together with those of the whole record."""
    return request.near and not request.led and owner(request.id) in library.chosen


def _related(library: Library, sentence: Sentence, k: int, *, near: bool) -> list[Hit]:
    """Find related sentences in other records, and mark common words."""
    try:
        matcher = library.matcher
        if not words(sentence.text, matcher.model.stopwords):
            return []
        if near:
            hits = library.shown(sentence.record)[sentence.id]
        else:
            topics = {sentence.id: sentence.text}
            hits = matcher.related(topics, k, without_own=True)[sentence.id]
        return _marked(library, sentence, hits)
    except (InputError, MismatchError):  # there is no other record, or none has a sentence
        return []


def _less_closely(library: Library, sentence: Sentence, shown: int) -> list[Hit]:
    """Find the next best sentences for one that led to its abstract, if too few are shown."""
    try:
        if shown >= UNDER or not words(sentence.text, library.matcher.model.stopwords):
            return []
        of_record = library.shown(sentence.record)
        rest = library.showing.rest(sentence.id, sentence.text, of_record, UNDER - shown)
        hits = _marked(library, sentence, rest)
        return [replace(hit, rank=shown + hit.rank) for hit in hits]
    except (InputError, MismatchError):
        return []


def _marked(library: Library, sentence: Sentence, hits: Hits) -> list[Hit]:
    """Read hits; mark words shared with the sentence, and add probabilities."""
    probabilities = library.showing.probabilities(hits)
    marked = []
    for hit in read_hits(library.indexes, hits, values=probabilities):
        spans = shared_words(library.matcher.model, sentence.text, hit.text)
        marked.append(replace(hit, evidence=replace(hit.evidence, spans=spans), marks=spans))
    return marked


def record_of(library: Library, name: str) -> Record:
    """Return the record with an id; if there is none, answer 404."""
    if not library.has(name):
        raise HTTPException(404, "this collection has no such record")
    return library.collection.record(name)


def sentence_of(library: Library, name: str) -> Sentence:
    """Return the sentence with an id and its move; if there is none, answer 404."""
    sentence = library.sentence(name)
    if sentence is None:
        raise HTTPException(404, "this collection has no such sentence")
    return sentence


class Reason(View):
    """The evidence for a score."""

    method: str
    plain: str = Field(default="", description="In a sentence, what the score is.")
    topic: str
    sentence: Line | None = Field(description="The sentence that decides, if one does.")
    values: Values
    features: list[tuple[str, float]] = Field(description="The weightiest first.")

    @classmethod
    def of(cls, method: str, topic: str, evidence: Evidence, **more: Any) -> "Reason":
        """Return evidence in the form of the view."""
        record, _, n = evidence.sentence.rpartition(".")
        line = None
        if evidence.sentence:
            line = Line.of(Sentence(record, int(n), evidence.text), evidence.spans)
        facts = {"values": evidence.values or {}, "features": evidence.features, **more}
        return cls(method=method, topic=topic, sentence=line, **facts)


def of_hit(library: Library, request: requests.WhyRequest) -> Reason:
    """Explain the score of a hit of a search."""
    (sentence_of if request.unit == "sentences" else record_of)(library, request.id)
    hit = Hits.ranked([request.id], [0.0])
    alone = library.searches(request.unit)  # such a ranker has no evidence
    if request.rank == "model" and library.explains and library.ranks(request.unit) and not alone:
        evidence = library.explains.evidence(library.collection, request.q, hit)[0]
        plain = "A learned order: its score is the sum of these features, each with its weight."
        return Reason.of("learned order", request.q, evidence, plain=plain)
    evidence = library.words.evidence(library.collection, request.q, hit)[0]
    model = as_pipeline(request.method or BM25()).stages[0]
    assert isinstance(model, BM25 | QueryLikelihood)
    searcher = open_searcher(library.indexes.index(request.unit), model)
    weights = searcher.contributions(request.q, request.id)
    spelled: dict[str, dict[str, None]] = {}  # terms of the index in the spellings of the text
    for span in evidence.spans:
        word = evidence.text[span.start : span.end].lower()
        spelled.setdefault(span.label, {})[word] = None
    features = [(", ".join(spelled.get(term, [term])), weight) for term, weight in weights]
    score = f"{sum(weight for _, weight in weights):.3g}"
    plain = f"The score, {score}, is the sum of the weights of the query's words here."
    return Reason.of(type(model).__name__, request.q, evidence, features=features, plain=plain)


def of_related(library: Library, request: requests.PairRequest) -> Reason:
    """Explain how two sentences are related."""
    origin, other = (sentence_of(library, name) for name in (request.origin, request.to))
    model = library.matcher.model
    evidence = explain(model, origin.text, [other])
    values: Any = dict(evidence.values or {})
    plain = f"{values.pop('why', 'They have little in common')}. The model's score,"
    plain += f" {values.get('score', 0.0):.3g}, is the sum of what they share."
    evidence = replace(evidence, values=values)
    return Reason.of(model.name, origin.text, evidence, plain=plain)
