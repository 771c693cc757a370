"""A search: hits by BM25 or by the learned ranker, a page at a time."""

from dataclasses import replace

from pydantic import Field

from relsent_ir.hit import Hit, read_hits
from relsent_ir.hits import Hits, Run
from relsent_ir.rank import reorder
from relsent_ir.web.library import Library
from relsent_ir.web.requests import SearchRequest
from relsent_ir.web.settings import PAGE, PAGES, RERANKED
from relsent_ir.web.views import Shown, View, place_of


class SearchPage(View):
    """A page of hits."""

    request: SearchRequest
    hits: list[Shown] = Field(default=[])
    more: bool = Field(default=False, description="Whether there is a next page.")
    ranked: str = Field(default="bm25", description="`bm25` or `model`.")
    unknown: list[str] = Field(default=[], description="Words that the collection has not.")

    def to(self, hit: Hit) -> str:
        """Return the address of a hit in its abstract."""
        return place_of(hit, ("q", self.request.q))

    def why(self, hit: Hit) -> list[tuple[str, str]]:
        """Return the parameters of the page that accounts for the score."""
        request = [("q", self.request.q), ("unit", self.request.unit), ("rank", self.ranked)]
        method = [("method", self.request.method)] if self.request.method else []
        return [*request, *method, ("id", hit.id)]


def search(library: Library, request: SearchRequest) -> SearchPage:
    """Search sentences or abstracts."""
    ranked = "model" if library.ranks(request.unit) and request.rank != "bm25" else "bm25"
    end = request.page * PAGE
    hits = rank(library, request, min(end + 1, PAGES * PAGE))
    shown = read_hits(
        library.indexes,
        hits[end - PAGE : end],
        request.q,
        library.words,
        library.explains if ranked == "model" else None,
    )
    return SearchPage(
        request=request,
        hits=[replace(one, rank=end - PAGE + one.rank) for one in shown],
        more=len(hits) > end,
        ranked=ranked,
        unknown=[] if len(hits) else _unknown(library, request),
    )


def rank(library: Library, request: SearchRequest, k: int) -> Hits:
    """Find the first `k` hits, in the order that is asked for."""
    if not request.q.strip():
        return Hits.ranked([], [])
    ranker = library.ranker if library.ranks(request.unit) and request.rank != "bm25" else None
    hits = library.collection.search(
        request.q,
        request.pipeline,
        max(k, RERANKED) if ranker else k,
        unit=request.unit,
        filters=request.filters(request.unit),
        threads=1,
    ).hits
    if ranker and len(hits):
        run = reorder(ranker, library.indexes, Run({"": hits}), {"": request.q}, depth=RERANKED)
        hits = run[""]
    return hits.head(k)


def _unknown(library: Library, request: SearchRequest) -> list[str]:
    """Return the terms of a query that no document has; [] if some other thing hides the hits."""
    terms = list(dict.fromkeys(library.words.analysis.terms(request.q)))
    counts = library.indexes.index(request.unit).frequencies(terms) if terms else ()
    return [term for term, count in zip(terms, counts, strict=True) if not count]
