"""Conjunctions: the documents that name all of several entities, each in any of its spellings.

A name is a row of pieces, which stand side by side in a text, each a word of its own or joined to
the next. A term of Lucene may hold several words ("E.coli", "alpha.NF"), or letters with accents:
such terms are listed once beside the index, by the words that they hold.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain, islice, pairwise, product
from typing import Any, Final

from relsent_ir.hits import Hits
from relsent_ir.lucene.jvm import java, java_errors
from relsent_ir.lucene.memory.derived import open_derived
from relsent_ir.lucene.read.facets import count_documents
from relsent_ir.lucene.read.filters import Filters
from relsent_ir.lucene.read.index import Index, lines
from relsent_ir.lucene.read.search import Searcher, filtered
from relsent_ir.models import Stored
from relsent_ir.text.names import fold, normal_form
from relsent_ir.text.vocabulary import Vocabulary
from relsent_ir.typing import NDArray

_FIRST: Final = 256
"""Hits of the first request; most queries have fewer."""

_RUN: Final = 6
"""Largest number of pieces that are searched as one word."""

_WAYS: Final = 64
"""Largest number of spellings of a run of pieces, and of divisions of a name into runs."""

_PART: Final = re.compile(r"[^\W_]+")

Spellings = Sequence[Sequence[str]]
"""The spellings of each piece of a name."""


class Conjunctions:
    """A finder of documents that name all of several entities."""

    def __init__(self, index: Index) -> None:
        self.index = index
        self._searcher = Searcher(index)
        with java_errors(index.folder):
            search = "org.apache.lucene.search."
            self._occur = java(search + "BooleanClause$Occur")
            self._boolean = java(search + "BooleanQuery$Builder")
            self._phrase = java(search + "MultiPhraseQuery$Builder")
            self._term_query = java(search + "TermQuery")
            self._term = java("org.apache.lucene.index.Term")
            self._matches_all = java(search + "MatchAllDocsQuery")

    def words(self, text: str) -> Any:
        """Build the query for all words of a text; None if no document has one of them."""
        terms = self._searcher.analysis.terms(text)
        if not all(self.index.frequencies(terms).tolist()):
            return None
        with java_errors(self.index.folder):
            rows = [self._any_of([term]) for term in terms]
            return self._joined(rows, self._occur.MUST) if rows else self._matches_all()

    def name(self, name: Spellings) -> Any:
        """Build the query for an entity by one name; None if no document can have it.

        A name of stop words only matches every document.
        """
        with java_errors(self.index.folder):
            return self._name(name)

    def either(self, queries: Iterable[Any]) -> Any:
        """Build the query for an entity from those for its names; None if all are None."""
        names = [query for query in queries if query is not None]
        with java_errors(self.index.folder):
            anything = [query for query in names if self.is_anything(query)]
            if anything or not names:
                return anything[0] if anything else None
            return self._joined(names, self._occur.SHOULD)

    def is_anything(self, query: Any) -> bool:
        """Tell whether a query matches every document, as one of stop words only does."""
        return isinstance(query, self._matches_all)

    def count(self, query: Any) -> int:
        """Count the documents that match a query."""
        return count_documents(self.index, query) if query is not None else 0

    def search(
        self,
        queries: Sequence[Sequence[Any]],
        most: int,
        threads: int = 1,
        filters: Filters | None = None,
    ) -> list[Hits]:
        """Find, for each row of queries, the first documents that match all of them.

        Parameters
        ----------
        queries : sequence of sequence of query
            From `name` or `words`.
        most : int
            Largest number of documents of each row, by BM25.
        filters : Filters, optional
            Further conditions on documents; scores stay as they are.
        """
        passing = filters.query(self.index) if filters else None
        with java_errors(self.index.folder):
            joined = [filtered(self._joined(row, self._occur.MUST), passing) for row in queries]
            rows = self._searcher.search_queries(joined, min(_FIRST, most), threads)
            full = [n for n, hits in enumerate(rows) if len(hits) == _FIRST < most]
            if full:
                again = self._searcher.search_queries([joined[n] for n in full], most, threads)
                for n, hits in zip(full, again, strict=True):
                    rows[n] = hits
        return rows

    def near(self, word: str, most: int = 3) -> list[str]:
        """Return the terms of the index whose spelling is nearest to a word's, nearest first."""
        terms = self._searcher.analysis.terms(word)[:1]
        index = self.index
        near = [
            near for term in terms for near in lines(index.call("Find.near", index.reader, term))
        ]
        return near[:most]

    def _name(self, spellings: Spellings) -> Any:
        """Build the query for a name: any division into words that the index has."""
        size = len(spellings)
        runs = {
            (start, end): list(islice(_glued(spellings[start:end]), _WAYS))
            for start in range(size)
            for end in range(start + 1, min(size, start + _RUN) + 1)
        }
        terms = self._terms(list(dict.fromkeys(form for forms in runs.values() for form in forms)))
        indexed: dict[tuple[int, int], frozenset[str] | None] = {}
        for run, forms in runs.items():
            if not all(terms[form] for form in forms) and run[1] - run[0] == 1:
                indexed[run] = None
            elif present := self._indexed(forms, terms):
                indexed[run] = present

        def cut(start: int) -> Iterator[tuple[frozenset[str] | None, ...]]:
            if start == size:
                yield ()
            for end in range(start + 1, min(size, start + _RUN) + 1):
                if (start, end) in indexed:
                    for rest in cut(end):
                        yield (indexed[start, end], *rest)

        ways = [
            [(place, terms) for place, terms in enumerate(way) if terms is not None]
            for way in islice(cut(0), _WAYS + 1)
        ]
        if not all(ways):
            return self._matches_all()
        if len(ways) <= _WAYS:
            return self._joined(list(map(self._at, ways)), self._occur.SHOULD) if ways else None
        # Too many divisions: every piece is required, alone or in a longer word, at any place.
        over = [[t for (a, b), t in indexed.items() if a <= n < b] for n in range(size)]
        required = dict.fromkeys(
            frozenset(chain(*(terms or () for terms in sets))) for sets in over if None not in sets
        )
        return self._joined([self._any_of(sorted(terms)) for terms in required], self._occur.MUST)

    def _terms(self, forms: Sequence[str]) -> Mapping[str, Sequence[str]]:
        """Analyse words, in one go where each is one term."""
        analysis = self._searcher.analysis
        terms = analysis.terms("\n".join(forms))
        if len(terms) == len(forms):
            return {form: (term,) for form, term in zip(forms, terms, strict=True)}
        return {form: analysis.terms(form) for form in forms}

    def _indexed(self, forms: Sequence[str], terms: Mapping[str, Sequence[str]]) -> frozenset[str]:
        """Return the terms of the index that are one of these words, or hold one."""
        candidates = {terms[form][0] for form in forms if len(terms[form]) == 1}
        for key in {normal_form(form) for form in (*candidates, *forms)}:
            if len(key) > 1 and not key.isdigit():  # too many terms hold those
                candidates.update(self._holding(key))
        ordered = sorted(candidates)
        counts = self.index.frequencies(ordered).tolist() if ordered else []
        return frozenset(term for term, count in zip(ordered, counts, strict=True) if count)

    def _holding(self, part: str) -> Iterator[str]:
        """Yield the unusual terms that hold a word."""
        entries, prefix = self._unusual, f"{part}\t"
        for place in range(entries.place(prefix), len(entries)):
            entry = entries[place]
            if not entry.startswith(prefix):
                return
            yield entry[len(prefix) :]

    @cached_property
    def _unusual(self) -> Vocabulary:
        """The terms that are not only plain letters and digits, by the words in them."""

        def build() -> dict[str, NDArray[Any]]:
            terms = lines(self.index.call("Find.unusual", self.index.reader))
            entries = Vocabulary.of(f"{part}\t{term}" for term in terms for part in _parts(term))
            return {"text": entries.text, "ends": entries.ends}

        def read(stored: Stored) -> Vocabulary:
            return Vocabulary.stored(stored.arrays["text"], stored.arrays["ends"])

        return open_derived(self.index, f"unusual-{self.index.unit}", {}, build, read)

    def _at(self, places: Sequence[tuple[int, frozenset[str]]]) -> Any:
        """Build the query for terms at places, side by side."""
        if len(places) == 1:
            return self._any_of(sorted(places[0][1]))
        phrase = self._phrase()
        for place, terms in places:
            phrase.add([self._term("contents", term) for term in sorted(terms)], place)
        return phrase.build()

    def _any_of(self, terms: Sequence[str]) -> Any:
        queries = [self._term_query(self._term("contents", term)) for term in terms]
        return self._joined(queries, self._occur.SHOULD)

    def _joined(self, queries: Sequence[Any], occur: Any) -> Any:
        if len(queries) == 1:
            return queries[0]
        builder = self._boolean()
        for query in queries:
            builder.add(query, occur)
        return builder.build()


def _glued(spellings: Spellings) -> Iterator[str]:
    """Yield the words of joined pieces; between numbers a mark stands, elsewhere nothing."""
    for row in product(*spellings):
        words = [row[0]]
        for left, right in pairwise(row):
            marks: Iterable[str] = ("",)
            if left[-1].isdigit() and right[0].isdigit():
                marks = ".,"
            elif len(left) == len(right) == 1:
                marks = ("", ".")  # U.S.
            words = [word + mark + right for word in words for mark in marks]
        yield from words


def _parts(term: str) -> Iterable[str]:
    """Return all rows of adjacent words in a term, joined, in the normal form of names."""
    words = [normal_form(word) for word in _PART.findall(fold(term))]
    ends = range(len(words) + 1)
    return {
        "".join(words[a:b])
        for a in ends
        for b in ends[a + 1 :]
        if b - a <= _RUN or (a, b) == (0, len(words))
    } - {""}
