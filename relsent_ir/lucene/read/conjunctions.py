"""Conjunctions: documents that contain all of several names, each in any of its spellings.

A name is a sequence of pieces. In a text they follow each other, as separate words or joined. A
term of Lucene may hold more than one visible word ("E.coli", "alpha.NF"), or letters with accents:
such terms are listed once, beside the index, by the words that they contain.
"""

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain, islice, pairwise, product
from typing import Any, Final

from relsent_ir.hits import Hits
from relsent_ir.lucene.jvm import java, java_errors, lines
from relsent_ir.lucene.memory.derived import Derived
from relsent_ir.lucene.read.filters import Filters
from relsent_ir.lucene.read.index import Index
from relsent_ir.lucene.read.search import Searcher, filtered
from relsent_ir.text.names import fold, normal_form
from relsent_ir.text.vocabulary import Vocabulary
from relsent_ir.typing import NDArray

_FIRST: Final = 256
"""The number of hits requested first; most queries have fewer."""

_RUN: Final = 6
"""The largest number of pieces that are looked for as one word."""

_WAYS: Final = 64
"""The largest number of spellings of a run of pieces, and of ways to cut a name into runs."""

_PART: Final = re.compile(r"[^\W_]+")

Spellings = Sequence[Sequence[str]]
"""The spellings of each piece of a name."""


class Conjunctions:
    """Find documents that contain all of several names."""

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
        """Build the query for all words of a text; None if no document has one of the words."""
        terms = self._searcher.analysis.terms(text)
        if not all(self.index.frequencies(terms).tolist()):
            return None
        with java_errors(self.index.folder):
            rows = [self._any_of([term]) for term in terms]
            return self._joined(rows, self._occur.MUST) if rows else self._matches_all()

    def name(self, spellings: Spellings) -> Any:
        """Build the query for a name; None if no document can contain it.

        It matches any way to cut the name into words that are in the index. A name that has only
        stop words matches all documents.
        """
        size = len(spellings)
        runs = {
            (start, end): list(islice(_glued(spellings[start:end]), _WAYS))
            for start in range(size)
            for end in range(start + 1, min(size, start + _RUN) + 1)
        }
        terms = self._terms(list(dict.fromkeys(form for forms in runs.values() for form in forms)))
        known: dict[tuple[int, int], frozenset[str] | None] = {}
        for run, forms in runs.items():
            if not all(terms[form] for form in forms) and run[1] - run[0] == 1:
                known[run] = None
            elif found := self._indexed(forms, terms):
                known[run] = found

        ways = [
            [(place, at) for place, run in enumerate(way) if (at := known[run]) is not None]
            for way in islice(_cuts(size, known), _WAYS + 1)
        ]
        with java_errors(self.index.folder):
            if not all(ways):
                return self._matches_all()
            if len(ways) <= _WAYS:
                return self._joined(list(map(self._at, ways)), self._occur.SHOULD) if ways else None
            # Too many ways: require every piece, alone or in a longer word, in any position.
            over = [[t for (a, b), t in known.items() if a <= n < b] for n in range(size)]
            needed = dict.fromkeys(
                frozenset(chain(*(terms or () for terms in sets)))
                for sets in over
                if None not in sets
            )
            queries = [self._any_of(sorted(terms)) for terms in needed]
            return self._joined(queries, self._occur.MUST)

    def either(self, queries: Iterable[Any]) -> Any:
        """Build the query for an entity from the queries for its names; None if all are None."""
        known = [query for query in queries if query is not None]
        with java_errors(self.index.folder):
            anything = [query for query in known if self.is_anything(query)]
            if anything or not known:
                return anything[0] if anything else None
            return self._joined(known, self._occur.SHOULD)

    def is_anything(self, query: Any) -> bool:
        """Return whether a query is for stop words only."""
        return isinstance(query, self._matches_all)

    def count(self, query: Any) -> int:
        """Count the documents that match a query."""
        return self.index.count(query) if query is not None else 0

    def search(
        self,
        queries: Sequence[Sequence[Any]],
        most: int,
        threads: int = 1,
        filters: Filters | None = None,
    ) -> list[Hits]:
        """For each row of queries, find the first documents that match all of the row.

        Parameters
        ----------
        queries : sequence of sequence of query
            Queries built by `name` or `words`.
        most : int
            Largest number of documents for each row, ranked by BM25.
        filters : Filters, optional
            Further conditions on documents; scores do not change.
        """
        passing = filters.query(self.index) if filters else None
        with java_errors(self.index.folder):
            joined = [filtered(self._joined(row, self._occur.MUST), passing) for row in queries]
            found = self._searcher.search_queries(joined, min(_FIRST, most), threads)
            full = [n for n, hits in enumerate(found) if len(hits) == _FIRST < most]
            if full:
                again = self._searcher.search_queries([joined[n] for n in full], most, threads)
                for n, hits in zip(full, again, strict=True):
                    found[n] = hits
        return found

    def near(self, word: str, most: int = 3) -> list[str]:
        """Return the terms of the index that are spelled most like a word, the nearest first."""
        terms = self._searcher.analysis.terms(word)[:1]
        return [near for term in terms for near in self.index.near(term)][:most]

    def _terms(self, forms: Sequence[str]) -> Mapping[str, Sequence[str]]:
        """Analyse words; those that are a single term each are analysed together."""
        analysis = self._searcher.analysis
        terms = analysis.terms("\n".join(forms))
        if len(terms) == len(forms):
            return {form: (term,) for form, term in zip(forms, terms, strict=True)}
        return {form: analysis.terms(form) for form in forms}

    def _indexed(self, forms: Sequence[str], terms: Mapping[str, Sequence[str]]) -> frozenset[str]:
        """Return the terms of the index that equal or contain one of some words."""
        own = {terms[form][0] for form in forms if len(terms[form]) == 1}
        for key in {normal_form(form) for form in (*own, *forms)}:
            if len(key) > 1 and not key.isdigit():  # shorter ones are in too many terms
                first = self._unusual.place(f"{key}\t")
                for place in range(first, len(self._unusual)):
                    part, _, term = self._unusual[place].partition("\t")
                    if part != key:
                        break
                    own.add(term)
        candidates = sorted(own)
        counts = self.index.frequencies(candidates).tolist() if candidates else []
        return frozenset(term for term, count in zip(candidates, counts, strict=True) if count)

    @cached_property
    def _unusual(self) -> Vocabulary:
        """Terms with characters other than unaccented letters and digits, by their words."""

        def build() -> dict[str, NDArray[Any]]:
            terms = lines(self.index.call("Find.unusual", self.index.reader))
            made = Vocabulary.of(f"{part}\t{term}" for term in terms for part in _parts(term))
            return {"text": made.text, "ends": made.ends}

        derived = Derived(self.index, f"unusual-{self.index.unit}", {})
        return derived.open(
            build, lambda stored: Vocabulary.stored(stored.arrays["text"], stored.arrays["ends"])
        )

    def _at(self, places: Sequence[tuple[int, frozenset[str]]]) -> Any:
        """Build the query for terms at consecutive positions."""
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


def _cuts(size: int, known: Container[tuple[int, int]]) -> Iterator[list[tuple[int, int]]]:
    """Yield the sequences of known runs that cover all pieces, without recursion or dead ends."""
    ends: dict[int, list[int]] = {size: []}
    for start in reversed(range(size)):
        later = range(start + 1, min(size, start + _RUN) + 1)
        if found := [end for end in later if (start, end) in known and end in ends]:
            ends[start] = found
    waiting: list[list[int]] = [[0]] if 0 in ends else []
    while waiting:
        way = waiting.pop()
        if way[-1] == size:
            yield list(pairwise(way))
        waiting.extend([*way, end] for end in reversed(ends[way[-1]]))


def _glued(spellings: Spellings) -> Iterator[str]:
    """Yield the words that pieces form when joined directly, or by a mark between numbers."""
    for row in product(*spellings):
        words = [row[0]]
        for one, other in pairwise(row):
            marks: Iterable[str] = ("",)
            if one[-1].isdigit() and other[0].isdigit():
                marks = ".,"
            elif len(one) == len(other) == 1:
                marks = ("", ".")  # U.S.
            words = [word + mark + other for word in words for mark in marks]
        yield from words


def _parts(term: str) -> Iterable[str]:
    """Return the sequences of words in a term, each joined to one, in the normal form of names."""
    words = [normal_form(word) for word in _PART.findall(fold(term))]
    ends = range(len(words) + 1)
    return {
        "".join(words[a:b])
        for a in ends
        for b in ends[a + 1 :]
        if b - a <= _RUN or (a, b) == (0, len(words))
    } - {""}
