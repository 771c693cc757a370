"""Searching an index: many topics at once, their hits brought over in one piece."""

import os
import re
from collections.abc import Mapping, Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np

from relsent_ir.engines import check_topics, check_weights, engine_of
from relsent_ir.errors import InputError, UsageError
from relsent_ir.hits import Hits, Run, batches
from relsent_ir.lucene.analyzers import encodable
from relsent_ir.lucene.jvm import begin_with, exclusive, java, java_errors
from relsent_ir.lucene.memory.matrix import AUTO, ENGINES, Matrix, worth
from relsent_ir.lucene.read.filters import FILTER_FIELDS, Filters
from relsent_ir.lucene.read.index import Index, lines
from relsent_ir.methods import BM25, QueryLikelihood
from relsent_ir.typing import Progress

_TERM = re.compile(r"^ *([-+.\dE]+) = weight\([^:]+:(.+) in \d+\)", re.MULTILINE)
MAX_WORDS = 2**31 - 1  # of a topic; Lucene's 1,024 are too few for a document as a topic


def similarity(model: BM25 | QueryLikelihood) -> Any:
    """Return Lucene's Similarity of a model."""
    name = "org.apache.lucene.search.similarities."
    if isinstance(model, BM25):
        return java(name + "BM25Similarity")(model.k1, model.b)
    return java(name + "LMDirichletSimilarity")(model.mu)


class Searcher:
    """A ranking of the documents of an index for topics.

    Topics are bags of words, as in Anserini: no query syntax. Ties are broken by id, ascending,
    also at the cut-off, as LuceneSearcher does.

    Parameters
    ----------
    index : Index
    model : BM25 or QueryLikelihood
    fields : mapping of str to float, optional
        The fields to search, with weights; None searches `contents`.
    stopwords : sequence of str
        Words that are dropped from topics, besides those that were dropped from the index.
    filters : Filters, optional
        Only what passes is found, with the score that it has without them.
    engine : {"auto", "lucene", "matrix"}
        What searches; hits and scores are the same (see `relsent_ir.lucene.memory.matrix`).

    Raises
    ------
    MismatchError
        If the index does not hold what a filter asks for.
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
            Terms are taken as they are in the index; `fields` do not concern them.
        threads : int
            How many topics are searched at once.
        batch_size : int
            How many topics go to Java in one call.

        Returns
        -------
        Run
            An entry for every topic, in their order; empty for one without hits.
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
        """Build the Lucene query for a text, before filters; use it inside `exclusive`."""
        analyzer, fields, boosts, _ = self._query_settings
        with exclusive():
            return self.index.call("Find.query", analyzer, fields, boosts, encodable(text))

    def matching(self, text: str) -> Any:
        """Build the Lucene query of all that a text finds, filters and all."""
        with java_errors(self.index.folder):
            return filtered(self.query(text), self._filter)

    def explain(self, text: str, document_id: str) -> str:
        """Lucene's account of a document's score for a text."""
        document = int(self.index.documents([document_id])[0])
        if document < 0:
            raise InputError(
                f"no document {document_id!r} among the {self.index.unit}", where=self.index.folder
            )
        explanation = self._call("Find.explain", *self._query_settings, encodable(text), document)
        return str(explanation)

    def contributions(self, text: str, document_id: str) -> list[tuple[str, float]]:
        """Return the part of each term of a text in a document's score, the weightiest first.

        The lines of Lucene's account (`explain`) that are about a term.
        """
        parts = _TERM.findall(self.explain(text, document_id))
        return sorted(((term, float(score)) for score, term in parts), key=lambda part: -part[1])

    @property
    def _query_settings(self) -> tuple[Any, list[str], list[float], Any]:
        return self.analysis.analyzer, self._fields, self._boosts, self._filter

    def _call(self, method: str, *arguments: Any) -> Any:
        return self.index.call(method, self._searcher, *arguments)


def open_searcher(index: Index, model: Any = None, **settings: Any) -> Searcher:
    """Open what ranks the documents of an index in the engine that has it, as a `Searcher` does."""
    kind: type[Searcher] = getattr(index, "searcher", Searcher)
    return kind(index, model, **settings)


def default_threads() -> int:
    """Return the number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _hits(data: bytes, count: int) -> list[Hits]:
    """Unpack the hits of relsent.Bulk.search."""
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
    """Return names and weights, if the fields are searchable and the weights valid."""
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
    """Add a filter to a Lucene query, whose scores stay; the query itself if it is None."""
    if passing is None:
        return query
    occur = java("org.apache.lucene.search.BooleanClause$Occur")
    builder = java("org.apache.lucene.search.BooleanQuery$Builder")()
    builder.add(query, occur.MUST)
    builder.add(passing, occur.FILTER)
    return builder.build()


def complete(index: Index, hits: Hits, filters: Filters, k: int) -> Hits:
    """Add the rest of what passes a strategy behind hits: what has none of its words, by id.

    Parameters
    ----------
    index : Index
    hits : Hits
        Of the strategy's `positive_text`, filtered by it.
    filters : Filters
        With the strategy.
    k : int
        At most so many hits.
    """
    if len(hits) >= k:
        return hits[:k]
    query = filters.query(index, warn=False)  # the search for `hits` has warned
    unscored = index.both(query, query)
    (rest,) = open_searcher(index).search_queries([unscored], k + len(hits))
    present = set(hits.ids)
    names = [name for name in rest.ids if name not in present][: k - len(hits)]
    last = float(hits.scores[-1]) if len(hits) else 1.0
    score = 0.0 if last > 0 else float(np.nextafter(last, -np.inf))
    ids = np.array([*hits.ids, *names], dtype=object)
    return Hits(ids, np.concatenate([hits.scores, np.full(len(names), score)]), hits.basis)


def warm_up(folder: Path) -> None:
    """Begin a first search of an index in another thread, for a process that answers one query.

    Loading Lucene's thousand classes is half of what such a process does.
    """

    def search() -> None:
        with exclusive():
            java("org.apache.lucene.codecs.Codec").getDefault()  # takes the longest
        with Index(folder, "sentences") as index:
            Searcher(index).search({"": "warm"}, 1)

    if not engine_of(folder):
        begin_with(search)
