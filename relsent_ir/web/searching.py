"""A search: hits by BM25 or by the learned ranker, a page at a time."""

from dataclasses import dataclass, replace

from relsent_ir.hit import Hit, read_hits
from relsent_ir.hits import Hits, Run
from relsent_ir.rank import reorder
from relsent_ir.web.library import Library
from relsent_ir.web.requests import SearchRequest, address
from relsent_ir.web.settings import PAGE, PAGES, RERANKED


@dataclass(frozen=True)
class SearchPage:
    """A page of hits.

    Attributes
    ----------
    request : SearchRequest
    hits : list of Hit
    more : bool
        Whether there is a next page.
    ranked : str
        ``bm25`` or ``model``.
    unknown : tuple of str
        Words of the query that the collection has not, where nothing was found.
    """

    request: SearchRequest
    hits: list[Hit]
    more: bool
    ranked: str
    unknown: tuple[str, ...] = ()

    def to(self, hit: Hit) -> str:
        """Return the address of a hit in its abstract."""
        parameters = [("id", hit.record.id), ("q", self.request.q)]
        if not hit.evidence.sentence:
            return address("/abstract", parameters)
        n = hit.evidence.sentence.rpartition(".")[2]
        return address("/abstract", [*parameters, ("at", n)], f"s{n}")

    def why(self, hit: Hit) -> list[tuple[str, str]]:
        """Return the parameters of the page that accounts for the score."""
        request = [("q", self.request.q), ("unit", self.request.unit), ("rank", self.ranked)]
        return [*request, ("id", hit.id)]


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
    shown = [replace(one, rank=end - PAGE + one.rank) for one in shown]
    return SearchPage(
        request, shown, len(hits) > end, ranked, () if len(hits) else _unknown(library, request)
    )


def rank(library: Library, request: SearchRequest, k: int) -> Hits:
    """Find the first `k` hits, in the order that is asked for."""
    if not request.q.strip():
        return Hits.ranked([], [])
    ranker = library.ranker if library.ranks(request.unit) and request.rank != "bm25" else None
    depth = max(k, RERANKED) if ranker else k
    hits = library.collection.search(
        request.q, depth, unit=request.unit, filters=request.filters(), threads=1
    ).hits
    if ranker and len(hits):
        run = reorder(ranker, library.indexes, Run({"": hits}), {"": request.q}, depth=RERANKED)
        hits = run[""]
    return hits.head(k)


def _unknown(library: Library, request: SearchRequest) -> tuple[str, ...]:
    """Return the terms of a query that no document has; () if some other thing hides the hits."""
    terms = list(dict.fromkeys(library.words.analysis.terms(request.q)))
    counts = library.indexes.index(request.unit).frequencies(terms) if terms else ()
    return tuple(term for term, count in zip(terms, counts, strict=True) if not count)
