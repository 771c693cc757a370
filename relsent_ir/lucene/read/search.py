"""Searching an index: many topics at once, and their hits passed from Java in one piece."""

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
from relsent_ir.lucene.jvm import begin_with, exclusive, java, java_errors, lines
from relsent_ir.lucene.memory.matrix import AUTO, ENGINES, Matrix, worth
from relsent_ir.lucene.read.filters import FILTER_FIELDS, Filters
from relsent_ir.lucene.read.index import Index
from relsent_ir.methods import BM25, QueryLikelihood
from relsent_ir.typing import Progress

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
        self._settings = self.analysis.analyzer, self._fields, self._boosts, self._filter

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
        data = self._call("Find.search", *self._settings, *given, k, threads)
        return _hits(data.tostring(), len(topics))

    def search_queries(self, queries: Sequence[Any], k: int, threads: int = 1) -> list[Hits]:
        """Find the first `k` documents for Lucene queries."""
        with exclusive():
            data = self._call("Bulk.search", list(queries), k, min(threads, len(queries)))
        return _hits(data.tostring(), len(queries))

    def query(self, text: str) -> Any:
        """Build the Lucene query for a text, without filters; call it inside `exclusive`."""
        analyzer, fields, boosts, _ = self._settings
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
        explanation = self._call("Find.explain", *self._settings, encodable(text), document)
        return str(explanation)

    def contributions(self, text: str, document_id: str) -> list[tuple[str, float]]:
        """Return the contribution of each term of a text to a document's score, the largest first.

        They are the lines about terms in Lucene's explanation (`explain`).
        """
        parts = _TERM.findall(self.explain(text, document_id))
        return sorted(((term, float(score)) for score, term in parts), key=lambda part: -part[1])

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
        ids = data[at : at + size].decode().split("\n")[:-1]
        at += size
        answers.append(Hits(np.array(ids, dtype=object), scores))
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
