"""Documents that have several things at once, each in one of its writings."""

from collections.abc import Sequence
from typing import Any, Final

from relsent_ir.hits import Hits
from relsent_ir.lucene.filters import Filters
from relsent_ir.lucene.index import Index
from relsent_ir.lucene.jvm import java, java_errors
from relsent_ir.lucene.search import Searcher

_FIRST: Final = 256
"""So many hits are asked for first; most queries have fewer."""

Writings = Sequence[Sequence[Sequence[str]]]
"""Ways to write a thing; of each, its words; of each word, its spellings."""


class Conjunctions:
    """Finds the documents that have all of several things.

    Every thing may be written in several ways, each a row of words, and every word be spelled in
    several ways. The words of a way may stand anywhere in the document: what is found is to be
    looked at again.

    Parameters
    ----------
    index : Index
    """

    def __init__(self, index: Index) -> None:
        self.index = index
        self._searcher = Searcher(index)
        with java_errors(index.folder):
            self._occur = java("org.apache.lucene.search.BooleanClause$Occur")
            self._boolean = java("org.apache.lucene.search.BooleanQuery$Builder")
            self._matches_all = java("org.apache.lucene.search.MatchAllDocsQuery")

    def query(self, writings: Writings) -> Any:
        """Build the query for one thing; None if no document can have it.

        A way of which all words are stop words may be in any document.
        """
        spellings = dict.fromkeys(s for way in writings for word in way for s in word)
        terms = {spelling: self._searcher.analysis.terms(spelling) for spelling in spellings}
        distinct = list(dict.fromkeys(term for found in terms.values() for term in found))
        counts = self.index.frequencies(distinct).tolist() if distinct else []
        frequency = dict(zip(distinct, counts, strict=True))
        known: set[frozenset[frozenset[str]]] = set()
        for way in writings:
            words = [self._terms([terms[s] for s in word], frequency) for word in way]
            if all(word is None or word for word in words):
                known.add(frozenset(word for word in words if word))
        if not known:
            return None
        with java_errors(self.index.folder):
            if frozenset() in known:
                return self._matches_all()
            return self._any([self._all([self._term_query(w) for w in way]) for way in known])

    def search(
        self,
        queries: Sequence[Sequence[Any]],
        most: int,
        threads: int = 1,
        filters: Filters | None = None,
    ) -> list[Hits]:
        """Find the first documents that answer all of some queries, for each such row.

        Parameters
        ----------
        queries : sequence of sequence of query
            Of `query`.
        most : int
            At most so many documents of each row, by BM25.
        filters : Filters, optional
            What else a document must have; scores stay as they are.
        """
        passing = filters.query(self.index) if filters else None
        with java_errors(self.index.folder):
            joined = [self._filtered(self._all(row), passing) for row in queries]
            found = self._searcher.search_queries(joined, min(_FIRST, most), threads)
            full = [n for n, hits in enumerate(found) if len(hits) == _FIRST < most]
            if full:
                again = self._searcher.search_queries([joined[n] for n in full], most, threads)
                for n, hits in zip(full, again, strict=True):
                    found[n] = hits
        return found

    @staticmethod
    def _terms(
        spellings: Sequence[Sequence[str]], frequency: dict[str, int]
    ) -> frozenset[str] | None:
        """Give the terms of which a word has one; None for a stop word.

        Of a spelling that is several terms, the rarest.
        """
        if not all(spellings):
            return None
        rarest = (min(terms, key=frequency.__getitem__) for terms in spellings)
        return frozenset(term for term in rarest if frequency[term])

    def _term_query(self, terms: frozenset[str]) -> Any:
        term, query = (
            java("org.apache.lucene.index.Term"),
            java("org.apache.lucene.search.TermQuery"),
        )
        return self._any([query(term("contents", text)) for text in sorted(terms)])

    def _any(self, queries: Sequence[Any]) -> Any:
        return self._joined(queries, self._occur.SHOULD)

    def _all(self, queries: Sequence[Any]) -> Any:
        return self._joined(queries, self._occur.MUST)

    def _filtered(self, query: Any, passing: Any) -> Any:
        if passing is None:
            return query
        builder = self._boolean()
        builder.add(query, self._occur.MUST)
        builder.add(passing, self._occur.FILTER)
        return builder.build()

    def _joined(self, queries: Sequence[Any], occur: Any) -> Any:
        if len(queries) == 1:
            return queries[0]
        builder = self._boolean()
        for query in queries:
            builder.add(query, occur)
        return builder.build()
