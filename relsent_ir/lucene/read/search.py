"""Searching an index: many topics at once, and their hits passed from Java in one piece."""

import logging
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from relsent_ir.engines import check_topics, check_weights, engine_of
from relsent_ir.errors import Advising, InputError, MismatchError, UsageError
from relsent_ir.hits import Hits, Run, batches
from relsent_ir.lucene.analyzers import encodable
from relsent_ir.lucene.documents import CONDITIONS, FILTER_FIELDS, folded
from relsent_ir.lucene.jvm import begin_with, exclusive, java, java_errors
from relsent_ir.lucene.memory.matrix import AUTO, ENGINES, Matrix, worth
from relsent_ir.lucene.read.index import Index, lines
from relsent_ir.methods import BM25, QueryLikelihood
from relsent_ir.text.names import MESH, beside
from relsent_ir.typing import Progress

_FIRST: Final = 0
_LAST: Final = 9999
_YEAR: Final = re.compile("(?:[0-9]{4})?")

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Filters(Advising):
    """Conditions on hits: a hit meets all of them, and of each list at least one value.

    Attributes
    ----------
    years : int, or tuple of (int or None, int or None)
        One year, or the first and last year of publication; None for an open end. Records without a
        year pass no range; see `Index.without_year`.
    journals : tuple of str, or str
        Names as printed in the records, in any case.
    publication_types, mesh, languages : tuple of str, or str
        Likewise; for MeSH these are headings.
    authors : tuple of str, or str
        ``Okafor`` with any initials, or ``Okafor B`` with these initials and possibly more.
    own : tuple of str, or str
        ``NAME=VALUE``, for fields that only the records' source has.
    moves : tuple of str, or str
        Argumentative moves; for sentences only.
    retracted : bool
        Whether retracted publications pass the filters.
    strategy : str
        A search strategy whose set contains the hits (`relsent_ir.text.strategy`).

    Raises
    ------
    UsageError
        If a range of years is empty, or a move or filter is unknown. A strategy is parsed when an
        index is searched, and may then raise `StrategyError`.
    """

    years: int | tuple[int | None, int | None] = (None, None)
    journals: Sequence[str] = ()
    publication_types: Sequence[str] = ()
    moves: Sequence[str] = ()
    mesh: Sequence[str] = ()
    authors: Sequence[str] = ()
    languages: Sequence[str] = ()
    own: Sequence[str] = ()
    strategy: str = ""
    retracted: bool = True

    @classmethod
    def read(
        cls,
        year: str | None = None,
        moves: str | None = None,
        no_retracted: bool = False,
        **values: Iterable[str],
    ) -> "Filters":
        """Read filters from texts: years as ``1990:2000``, moves with commas between, and others.

        Only moves are split at commas: "Clinical Trial, Phase II" is one publication type.

        Raises
        ------
        UsageError
            If a year cannot be read, or a move is unknown.
        """
        names = [name.strip().upper() for name in moves.split(",")] if moves else []
        listed = {**values, "moves": names}
        given: dict[str, Any] = {name: tuple(dict.fromkeys(of)) for name, of in listed.items()}
        years = _years(year) if year is not None else (None, None)
        return cls(years, retracted=not no_retracted, **given)

    def __post_init__(self) -> None:
        for name in (*CONDITIONS, "moves"):
            value = getattr(self, name)
            object.__setattr__(self, name, (value,) if isinstance(value, str) else tuple(value))
        if isinstance(self.years, int):
            object.__setattr__(self, "years", (self.years, self.years))
        ends = self.years if isinstance(self.years, tuple) else ()
        if len(ends) != 2 or not all(end is None or type(end) is int for end in ends):
            raise UsageError(f"no years {self.years!r}", fix="1975, or (1975, 1977), (1975, None)")
        first, last = self._range()
        if not _FIRST <= first <= last <= _LAST:
            raise UsageError(
                f"no year from {first} to {last}", fix="write 1990:2000, 1990: or :2000"
            )
        for condition in self.own:
            if not condition.partition("=")[2].strip():
                raise UsageError(f"cannot read the condition {condition!r}", fix="FIELD=VALUE")
        if self.moves:
            from relsent_ir.moves import MOVES

            unknown = [move for move in self.moves if move not in MOVES]
            if unknown:
                raise UsageError(f"no move {unknown[0]!r}", fix=f"one of {', '.join(MOVES)}")

    def __bool__(self) -> bool:
        return self != Filters()

    def query(self, index: Index, *, warn: bool = True) -> Any:
        """Build the engine's query for the documents of an index that pass the filters.

        Parameters
        ----------
        index : Index
        warn : bool
            Whether to log a warning of each value that no document has.

        Raises
        ------
        MismatchError
            If the index lacks the fields that the filters use.
        """
        self._check(index)
        years = [] if self.years == (None, None) else list(self._range())
        terms = [("move", value, value) for value in self.moves]
        for name, condition in CONDITIONS.items():
            terms += [(condition.field, folded(value), value) for value in getattr(self, name)]
        for field, term, value in terms if warn else ():
            if field == "author":  # match the beginning of names
                continue
            if not index.frequencies([term], field)[0]:
                some = index.count(index.like(field, ".+"))
                hint = "" if some else ", nor any other: an index of before this filter lacks them"
                name = field.replace("_", " ")
                _log.warning("no %s %r in %s%s", name, value, index.folder, hint)
        fields, texts = [field for field, _, _ in terms], [term for _, term, _ in terms]
        plain = bool(years or fields or (self.retracted and not self.strategy))
        query = index.filter(years, fields, texts) if plain else None
        if self.strategy:
            from relsent_ir.lucene.read.strategy import Strategy

            strategy = Strategy(self.strategy, index)
            for heading in strategy.unknown() if warn else ():
                hint = "" if beside(index.folder, MESH) else "; entry terms need MeSH: fetch mesh"
                _log.warning("no heading %r in %s%s", heading, index.folder, hint)
            passing = strategy.query()
            query = index.both(query, passing) if plain else passing
        if not self.retracted:
            from relsent_ir.records.fields import RETRACTED

            query = index.without(query, "publication_type", folded(RETRACTED))
        return query

    def passing(self, index: Index) -> NDArray[np.bool_]:
        """Return by Lucene's numbers which documents pass; deleted documents may pass.

        Raises
        ------
        MismatchError
            If the index lacks the fields that the filters use.
        """
        query = self.query(index)
        with exclusive():
            passing = index.call("Find.passing", index.reader, query)
        return np.frombuffer(passing.tostring(), np.bool_)

    def _range(self) -> tuple[int, int]:
        assert isinstance(self.years, tuple)  # `__post_init__` makes a range of one year
        first, last = self.years
        return _FIRST if first is None else first, _LAST if last is None else last

    def _check(self, index: Index) -> None:
        if self.moves and (index.unit != "sentences" or not index.facts.moves):
            raise MismatchError(
                f"the {index.unit} of this index have no moves",
                where=index.folder,
                fix="search --unit sentences, after relsent-ir index --moves",
            )
        if self != Filters(moves=self.moves, strategy=self.strategy) and not index.facts.filters:
            raise MismatchError(
                "this index is older than filters of years, journals and publication types",
                where=index.folder,
                fix="build it again",
            )
        if any((self.mesh, self.authors, self.languages, self.own)) and not index.facts.facets:
            raise MismatchError(
                "this index is older than filters of headings, authors, languages and own fields",
                where=index.folder,
                fix="build it again",
            )


def _years(text: str) -> tuple[int | None, int | None]:
    ends = [part.strip() for part in text.split(":")]
    if len(ends) > 2 or not any(ends) or not all(map(_YEAR.fullmatch, ends)):
        raise UsageError(f"cannot read --year {text}", fix="write 1990:2000, 1990:, :2000 or 1990")
    first, last = (int(end) if end else None for end in (ends[0], ends[-1]))
    return first, last


_TERM = re.compile(r"^ *([-+.\dE]+) = weight\([^:]+:(.+) in \d+\)", re.MULTILINE)
MAX_WORDS = 2**31 - 1  # of a topic; Lucene's 1,024 are too few if a topic is a document


def similarity(model: BM25 | QueryLikelihood) -> Any:
    """Return the Lucene Similarity for a model."""
    name = "org.apache.lucene.search.similarities."
    if isinstance(model, BM25):
        return java(name + "BM25Similarity")(model.k1, model.b)
    return java(name + "LMDirichletSimilarity")(model.mu)


class Searcher:
    """Rank the documents of an index for topics.

    Topics are bags of words, as in Anserini, without query syntax. Ties are broken by ascending id,
    also at the cut-off, as in LuceneSearcher.

    Parameters
    ----------
    index : Index
    model : BM25 or QueryLikelihood
    fields : mapping of str to float, optional
        The fields to search, with weights; None searches `contents`.
    stopwords : sequence of str
        Words to drop from topics, besides the stop words of the index.
    filters : Filters, optional
        Only documents that pass are found; their scores do not change.
    engine : {"auto", "lucene", "matrix"}
        The engine; hits and scores are the same for all (see `relsent_ir.lucene.memory.matrix`).

    Raises
    ------
    MismatchError
        If the index lacks a field that a filter uses.
    """

    def __init__(
        self,
        index: Index,
        model: BM25 | QueryLikelihood | None = None,
        *,
        fields: Mapping[str, float] | None = None,
        stopwords: Sequence[str] = (),
        filters: Filters | None = None,
        engine: str = AUTO,
    ) -> None:
        if engine not in ENGINES:
            raise UsageError(f"no engine {engine!r}", fix=f"one of {', '.join(ENGINES)}")
        self.index = index
        self.engine = engine
        self.analysis = index.facts.analysis.without(stopwords)
        self._fields, self._boosts = _weighted(fields, index) if fields else ([], [])
        with java_errors(index.folder):
            self._filter = filters.query(index) if filters else None
            searcher = java("org.apache.lucene.search.IndexSearcher")
            searcher.setMaxClauseCount(MAX_WORDS)
            self._searcher = searcher(index.reader)
            self._searcher.setSimilarity(similarity(model or BM25()))
        self._matrix = Matrix(
            index,
            self._searcher,
            self.analysis.analyzer,
            dict(zip(self._fields, self._boosts, strict=True)),
            self._filter,
        )

    def search(
        self,
        topics: Mapping[str, str | Mapping[str, float]],
        k: int = 1000,
        *,
        threads: int = 1,
        batch_size: int = 256,
        progress: Progress | None = None,
    ) -> Run:
        """Find the first `k` documents for each topic.

        Parameters
        ----------
        topics : mapping of topic id to text, or to weighted terms
            Weighted terms are looked up unchanged; `fields` has no effect on them.
        threads : int
            Number of topics searched at the same time.
        batch_size : int
            Number of topics passed to Java in one call.

        Returns
        -------
        Run
            An entry for every topic, in the order of the topics; empty if there are no hits.
        """
        check_topics(topics, k, threads, batch_size)
        k = min(k, max(1, len(self.index)))
        run = Run()
        in_memory = worth(
            self.engine,
            self.index,
            list(topics.values()),
            self._matrix.fields,
            whole=k >= len(self.index),
        )
        find = self._matrix.search if in_memory else self._search
        for batch in batches(topics, batch_size, progress):
            found = find(list(batch.values()), k, min(threads, len(batch)))
            run.update(zip(batch, found, strict=True))
        return run

    def _search(
        self, topics: Sequence[str | Mapping[str, float]], k: int, threads: int
    ) -> list[Hits]:
        texts = [encodable(topic) if isinstance(topic, str) else "" for topic in topics]
        weighted = [{} if isinstance(topic, str) else topic for topic in topics]
        terms = [encodable(term) for topic in weighted for term in topic]
        weights = [abs(float(w)) for topic in weighted for w in topic.values()]  # no -0.0
        ends = list(accumulate(map(len, weighted)))
        given = texts, terms, weights, ends
        data = self._call("Find.search", *self._query_settings, *given, k, threads)
        return _hits(data.tostring(), len(topics))

    def search_queries(self, queries: Sequence[Any], k: int, threads: int = 1) -> list[Hits]:
        """Find the first `k` documents for Lucene queries."""
        with exclusive():
            data = self._call("Bulk.search", list(queries), k, min(threads, len(queries)))
        return _hits(data.tostring(), len(queries))

    def query(self, text: str) -> Any:
        """Build the Lucene query for a text, without filters; call it inside `exclusive`."""
        analyzer, fields, boosts, _ = self._query_settings
        with exclusive():
            return self.index.call("Find.query", analyzer, fields, boosts, encodable(text))

    def matching(self, text: str) -> Any:
        """Build the Lucene query for all documents that a text matches, with filters."""
        with java_errors(self.index.folder):
            return filtered(self.query(text), self._filter)

    def explain(self, text: str, document_id: str) -> str:
        """Return Lucene's explanation of a document's score for a text."""
        document = int(self.index.documents([document_id])[0])
        if document < 0:
            raise InputError(
                f"no document {document_id!r} among the {self.index.unit}", where=self.index.folder
            )
        explanation = self._call("Find.explain", *self._query_settings, encodable(text), document)
        return str(explanation)

    def contributions(self, text: str, document_id: str) -> list[tuple[str, float]]:
        """Return the contribution of each term of a text to a document's score, the largest first.

        They are the lines about terms in Lucene's explanation (`explain`).
        """
        parts = _TERM.findall(self.explain(text, document_id))
        return sorted(((term, float(score)) for score, term in parts), key=lambda part: -part[1])

    @property
    def _query_settings(self) -> tuple[Any, list[str], list[float], Any]:
        return self.analysis.analyzer, self._fields, self._boosts, self._filter

    def _call(self, method: str, *arguments: Any) -> Any:
        return self.index.call(method, self._searcher, *arguments)


def open_searcher(index: Index, model: Any = None, **settings: Any) -> Searcher:
    """Open a searcher of an index in the engine that holds it; it works like `Searcher`."""
    kind: type[Searcher] = getattr(index, "searcher", Searcher)
    return kind(index, model, **settings)


def default_threads() -> int:
    """Return the number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _hits(data: bytes, count: int) -> list[Hits]:
    """Unpack the hits that relsent.Bulk.search returns."""
    answers = []
    at = 0
    for _ in range(count):
        n, size = (int(value) for value in np.frombuffer(data, "<i4", 2, at))
        scores = np.frombuffer(data, "<f4", n, at + 8).astype(np.float64)
        at += 8 + 4 * n
        ids = np.empty(n, dtype=object)
        ids[:] = data[at : at + size].decode().split("\n")[:-1]
        at += size
        answers.append(Hits(ids, scores))
    return answers


def _weighted(fields: Mapping[str, float], index: Index) -> tuple[list[str], list[float]]:
    """Return field names and weights, after checking that both are valid."""
    check_weights(fields, "field")
    indexed = index.call("Find.fields", index.reader)
    searchable = {name for name in lines(indexed) if "." not in name} - FILTER_FIELDS.keys()
    for name in fields:
        if name not in searchable:
            raise UsageError(
                f"no field {name!r} among the {index.unit}",
                fix=f"one of {', '.join(sorted(searchable))}",
            )
    return list(fields), [abs(float(weight)) for weight in fields.values()]


def filtered(query: Any, passing: Any) -> Any:
    """Add a filter to a Lucene query without changing scores; return the query if it is None."""
    if passing is None:
        return query
    occur = java("org.apache.lucene.search.BooleanClause$Occur")
    builder = java("org.apache.lucene.search.BooleanQuery$Builder")()
    builder.add(query, occur.MUST)
    builder.add(passing, occur.FILTER)
    return builder.build()


def complete(index: Index, hits: Hits, filters: Filters, k: int) -> Hits:
    """Append the other documents of a strategy's set, those without its words, in order of id.

    Parameters
    ----------
    index : Index
    hits : Hits
        Hits for the strategy's `positive_text`, filtered by the strategy.
    filters : Filters
        Filters that contain the strategy.
    k : int
        Largest number of hits.
    """
    if len(hits) >= k:
        return hits[:k]
    query = filters.query(index, warn=False)  # the search for `hits` has logged the warnings
    unscored = index.both(query, query)
    (rest,) = open_searcher(index).search_queries([unscored], k + len(hits))
    present = set(hits.ids)
    names = [name for name in rest.ids if name not in present][: k - len(hits)]
    last = float(hits.scores[-1]) if len(hits) else 1.0
    score = 0.0 if last > 0 else float(np.nextafter(last, -np.inf))
    ids = np.array([*hits.ids, *names], dtype=object)
    return Hits(ids, np.concatenate([hits.scores, np.full(len(names), score)]), hits.basis)


def warm_up(folder: Path) -> None:
    """Start a first search of an index in another thread, if a process answers a single query.

    Half the time of such a process is spent on loading the thousand classes of Lucene.
    """

    def search() -> None:
        with exclusive():
            java("org.apache.lucene.codecs.Codec").getDefault()  # the slowest class to load
        with Index(folder, "sentences") as index:
            Searcher(index).search({"": "warm"}, 1)

    if not engine_of(folder):
        begin_with(search)
