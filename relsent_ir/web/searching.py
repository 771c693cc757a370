"""A search: hits by BM25 or by the learned ranker, a page at a time."""

from dataclasses import dataclass, replace

from relsent_ir.hit import Shown, describe
from relsent_ir.hits import Hits, Run
from relsent_ir.rank import reorder
from relsent_ir.web.asked import Search, address
from relsent_ir.web.library import Library
from relsent_ir.web.settings import PAGE, PAGES, RERANKED


@dataclass(frozen=True)
class Found:
    """A page of hits.

    Attributes
    ----------
    asked : Search
    hits : list of Shown
    more : bool
        Whether there is a next page.
    ranked : str
        ``bm25`` or ``model``.
    unknown : tuple of str
        Words of the query that the collection has not, where nothing was found.
    """

    asked: Search
    hits: list[Shown]
    more: bool
    ranked: str
    unknown: tuple[str, ...] = ()

    def to(self, hit: Shown) -> str:
        """The address of a hit in its abstract."""
        found = [("id", hit.record.id), ("q", self.asked.q)]
        if not hit.evidence.sentence:
            return address("/abstract", found)
        n = hit.evidence.sentence.rpartition(".")[2]
        return address("/abstract", [*found, ("at", n)], f"s{n}")

    def why(self, hit: Shown) -> list[tuple[str, str]]:
        """The parameters of the page that says why a hit is one."""
        asked = [("q", self.asked.q), ("unit", self.asked.unit), ("rank", self.ranked)]
        return [*asked, ("id", hit.id)]


def search(library: Library, asked: Search) -> Found:
    """Find a page of hits."""
    ranked = "model" if library.ranks(asked.unit) and asked.rank != "bm25" else "bm25"
    end = asked.page * PAGE
    hits = rank(library, asked, min(end + 1, PAGES * PAGE))
    shown = describe(
        library.indexes,
        hits[end - PAGE : end],
        asked.q,
        library.words,
        library.explains if ranked == "model" else None,
    )
    shown = [replace(one, rank=end - PAGE + one.rank) for one in shown]
    return Found(
        asked, shown, len(hits) > end, ranked, () if len(hits) else _unknown(library, asked)
    )


def rank(library: Library, asked: Search, k: int) -> Hits:
    """Find the first `k` hits, in the order that is asked for."""
    if not asked.q.strip():
        return Hits.ranked([], [])
    ranker = library.ranker if library.ranks(asked.unit) and asked.rank != "bm25" else None
    depth = max(k, RERANKED) if ranker else k
    hits: Hits = library.collection.search(
        asked.q, depth, unit=asked.unit, filters=asked.filters(), threads=1
    )
    if ranker and len(hits):
        run = reorder(ranker, library.indexes, Run({"": hits}), {"": asked.q}, depth=RERANKED)
        hits = run[""]
    return hits.head(k)


def _unknown(library: Library, asked: Search) -> tuple[str, ...]:
    """Give the terms of a query that no document has; () if some other thing hides the hits."""
    terms = list(dict.fromkeys(library.words.analysis.terms(asked.q)))
    counts = library.indexes.index(asked.unit).frequencies(terms) if terms else ()
    return tuple(term for term, count in zip(terms, counts, strict=True) if not count)
