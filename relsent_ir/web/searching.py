"""Searching: hits by BM25 or by the learned ranker, one page at a time."""

from collections import Counter
from dataclasses import replace
from typing import Final
from urllib.parse import urlencode

from pydantic import Field

from relsent_ir.feedback.wording import record_of
from relsent_ir.hit import Hit, read_hits
from relsent_ir.hits import Hits, Run, owner
from relsent_ir.lucene.read.search import complete
from relsent_ir.methods import Ranker
from relsent_ir.rank import reorder
from relsent_ir.text.strategy import is_doi
from relsent_ir.web.facets import Facet, count
from relsent_ir.web.library import Library
from relsent_ir.web.requests import SearchRequest
from relsent_ir.web.settings import PAGE, PAGES, RERANKED
from relsent_ir.web.views import Shown, View, place_of
from relsent_ir.web.wording import OtherWording, other_wordings, understand

AHEAD: Final = 5
OF_A_RECORD: Final = 2
"""Number of first sentences, and largest number of these from one record."""


class SearchPage(View):
    """A page of hits."""

    request: SearchRequest = Field(description="What is searched.")
    hits: list[Shown] = Field(default=[])
    more: bool = Field(default=False, description="Whether there is a next page.")
    ranked: str = Field(default="bm25", description="`bm25` or `model`.")
    found: int | None = Field(default=None, description="How many hits; null if it is not known.")
    facets: list[Facet] = Field(default=[], description="What they are, with counts.")
    unknown: list[str] = Field(default=[], description="Words that the collection has not.")
    others: list[OtherWording] = Field(
        default=[], description="Spellings that are searched too, and what could be searched."
    )
    record: str | None = Field(default=None, description="The record whose PMID or DOI `q` is.")

    def to(self, hit: Hit) -> str:
        """Return the URL of a hit in its abstract."""
        pairs = self.request.parameters()  # in the shortest form, for the way back
        short = [name for name, _ in pairs] == ["q"]
        return place_of(hit, *(pairs if short else [("back", urlencode(pairs))]))

    def why(self, hit: Hit) -> list[tuple[str, str]]:
        """Return the parameters of the page that explains the score."""
        spellings = [one.other for one in self.others if one.kind == "spelling"]
        request = [
            ("q", " ".join((self.request.q, *spellings))),
            ("unit", self.request.unit),
            ("rank", self.ranked),
        ]
        method = [("method", self.request.method)] if self.request.method else []
        return [*request, *method, ("id", hit.id)]


def search(library: Library, request: SearchRequest) -> SearchPage:
    """Search sentences or abstracts."""
    record = None if request.written else record_of(request.q, library.indexes)
    if record is not None:
        return SearchPage(request=request, record=record)
    request, understood = understand(library, request)
    by_model = _by_model(library, request)
    ranked = "model" if by_model else "bm25"
    if not request.written and is_doi(request.q):
        return SearchPage(request=request, ranked=ranked, unknown=[request.q.strip()])
    end = request.page * PAGE
    hits = rank(library, request, min(end + 1, PAGES * PAGE))
    total, facets = count(library, request)
    unknown = []
    if not len(hits):  # the terms that no document has; none if filters exclude the hits
        terms = list(dict.fromkeys(library.words.analysis.terms(request.q)))
        counts = library.indexes.index(request.unit).frequencies(terms) if terms else ()
        unknown = [term for term, number in zip(terms, counts, strict=True) if not number]
    return SearchPage(
        request=request,
        hits=read(library, request, hits, end - PAGE, end),
        more=len(hits) > end,
        ranked=ranked,
        found=total,
        facets=facets,
        unknown=unknown,
        others=understood or other_wordings(library, request),
    )


def _by_model(library: Library, request: SearchRequest) -> bool:
    if not request.q.strip() or (library.searches(request.unit) and request.method):
        return False  # no word ranks; that ranker has its own first stage
    return library.ranks(request.unit) and request.rank != "bm25" and not request.sort


def read(library: Library, request: SearchRequest, hits: Hits, start: int, end: int) -> list[Hit]:
    """Search for a part of the hits."""
    by_model = _by_model(library, request)
    explains = library.explains if by_model and not library.searches(request.unit) else None
    part = read_hits(library.indexes, hits[start:end], request.q, library.words, explains)
    return [replace(hit, rank=start + hit.rank) for hit in part]


def rank(library: Library, request: SearchRequest, k: int) -> Hits:
    """Find the first `k` hits in the order that the request wants."""
    if not (request.q.strip() or request.whole):
        return Hits.ranked([], [])
    by_model = _by_model(library, request)
    alone = by_model and library.searches(request.unit)
    ranker = library.ranker if by_model and not alone else None
    text = request.q
    if not request.written:  # and other spellings of its words
        text = library.alternatives(text, request.unit).widened
    method = Ranker(library.settings.ranker) if alone else request.pipeline
    filters = request.filters(request.unit)
    # Enough hits for all pages, if that takes no longer.
    spread = request.unit == "sentences" and request.rank != "bm25" and not request.sort
    depth = PAGES * PAGE if request.sort or alone else max(k, RERANKED) if ranker or spread else k

    def find() -> Hits:
        hits = library.collection.search(
            text, method, depth, unit=request.unit, filters=filters, threads=1
        ).hits
        if ranker and len(hits):
            run = reorder(ranker, library.indexes, Run({"": hits}), {"": request.q}, depth=RERANKED)
            hits = run[""]
        if request.whole:
            hits = complete(library.indexes.index(request.unit), hits, filters, depth)
        if not request.sort:
            return _spread(hits) if spread else hits
        # Sort by year, the newest first; keep the order within a year.
        owners = [owner(name) if request.unit == "sentences" else name for name in hits.ids]
        years = [record.year for record in library.indexes.records(owners)]
        order = sorted(range(len(years)), key=lambda n: years[n], reverse=True)
        return Hits(hits.ids[order], hits.scores[order])

    key = text, request.q, str(method), by_model, spread, request.sort, request.unit, filters, depth
    return library.cached(key, find).head(k)


def _spread(hits: Hits) -> Hits:
    """Move a record's third and later sentences behind the first `AHEAD`, in the same order."""
    ahead: list[int] = []
    shown: Counter[str] = Counter()
    for n, record in enumerate(map(owner, hits.ids)):
        shown[record] += 1
        if shown[record] <= OF_A_RECORD and len(ahead) < AHEAD:
            ahead.append(n)
    first = set(ahead)
    order = ahead + [n for n in range(len(hits)) if n not in first]
    return Hits(hits.ids[order], hits.scores[order], hits.basis)
