"""Searching an index: many topics at once, their hits brought over in one piece."""

import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

import numpy as np

from relsent_ir.errors import InputError, UsageError
from relsent_ir.hits import Hits, Run
from relsent_ir.lucene.analyzers import encodable
from relsent_ir.lucene.documents import FILTER_FIELDS
from relsent_ir.lucene.filters import Filters
from relsent_ir.lucene.index import Index
from relsent_ir.lucene.jvm import as_class, java, java_errors
from relsent_ir.typing import Progress

MAX_WORDS = 2**31 - 1  # of a topic; Lucene's 1,024 are too few for a document as a topic


@dataclass(frozen=True)
class BM25:
    """Robertson's BM25 as Lucene has it; the defaults are Anserini's."""

    k1: float = 0.9
    b: float = 0.4

    def similarity(self) -> Any:
        """Lucene's Similarity."""
        if not (0 <= self.k1 < math.inf and 0 <= self.b <= 1):
            raise UsageError(f"BM25 with k1 {self.k1}, b {self.b}", fix="k1 >= 0 and 0 <= b <= 1")
        return java("org.apache.lucene.search.similarities.BM25Similarity")(self.k1, self.b)


@dataclass(frozen=True)
class QueryLikelihood:
    """Query likelihood with Dirichlet smoothing (Zhai & Lafferty 2001)."""

    mu: float = 1000.0

    def similarity(self) -> Any:
        """Lucene's Similarity."""
        if not 0 <= self.mu < math.inf:
            raise UsageError(f"query likelihood with mu {self.mu}", fix="mu >= 0")
        return java("org.apache.lucene.search.similarities.LMDirichletSimilarity")(self.mu)


class Searcher:
    """Ranks the documents of an index for topics.

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
    ) -> None:
        self.index = index
        self._filter = filters.query(index) if filters else None
        self.analysis = index.facts.analysis.without(stopwords)
        self._fields = _java_fields(fields, index) if fields else None
        searcher = java("org.apache.lucene.search.IndexSearcher")
        searcher.setMaxClauseCount(MAX_WORDS)
        self._searcher = searcher(index.reader)
        self._searcher.setSimilarity((model or BM25()).similarity())
        self._generator = java("io.anserini.search.query.BagOfWordsQueryGenerator")()

    def search(
        self,
        topics: Mapping[str, str | Mapping[str, float]],
        k: int = 1000,
        *,
        threads: int = 1,
        batch_size: int = 64,
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
        if not isinstance(topics, Mapping):
            raise UsageError(
                f"topics are a mapping of ids to texts, not {topics!r:.80}",
                fix='write {"1": "the text"}',
            )
        if k < 1 or threads < 1 or batch_size < 1:
            raise UsageError("hits, threads and batch size must be at least 1")
        k = min(k, max(1, len(self.index)))
        run = Run()
        names = list(topics)
        for start in range(0, len(names), batch_size):
            batch = names[start : start + batch_size]
            with java_errors(self.index.folder):
                queries = self._queries([topics[name] for name in batch])
            run.update(zip(batch, self.search_queries(queries, k, threads), strict=True))
            if progress:
                progress(len(run), len(names))
        return run

    def search_queries(self, queries: Sequence[Any], k: int, threads: int = 1) -> list[Hits]:
        """Find the first `k` documents for each Lucene query; filters are in the queries."""
        with java_errors(self.index.folder):
            data = java("relsent.Bulk").search(
                self._searcher, list(queries), k, min(threads, len(queries))
            )
        return _hits(data.tostring(), len(queries))

    def _queries(self, topics: Sequence[str | Mapping[str, float]]) -> list[Any]:
        weighted = iter(
            self.weighted_queries([topic for topic in topics if not isinstance(topic, str)])
        )
        return [self.query(topic) if isinstance(topic, str) else next(weighted) for topic in topics]

    def weighted_queries(self, topics: Sequence[Mapping[str, float]]) -> list[Any]:
        """Build a Lucene query of each topic's terms of `contents`, scores times their weights."""
        terms = [encodable(term) for topic in topics for term in topic]
        weights = [float(weight) for topic in topics for weight in topic.values()]
        ends = list(accumulate(map(len, topics)))
        if not topics:
            return []
        built = java("relsent.Bulk").weighted("contents", terms, weights, ends)
        return [self._filtered(query) for query in built]

    def query(self, text: str) -> Any:
        """Build the Lucene query for a text."""
        text = encodable(text)
        query = self._generator.buildQuery(self._fields or "contents", self.analysis.analyzer, text)
        return self._filtered(query)

    def _filtered(self, query: Any) -> Any:
        """Let only what the filters want pass; scores stay as they are."""
        if self._filter is None:
            return query
        occur = java("org.apache.lucene.search.BooleanClause$Occur")
        both = java("org.apache.lucene.search.BooleanQuery$Builder")()
        both.add(query, occur.MUST)
        both.add(self._filter, occur.FILTER)
        return both.build()

    def explain(self, text: str, document_id: str) -> str:
        """Lucene's account of a document's score for a text."""
        document = int(self.index.documents([document_id])[0])
        if document < 0:
            raise InputError(
                f"no document {document_id!r} among the {self.index.unit}", where=self.index.folder
            )
        with java_errors(self.index.folder):
            query = as_class("org.apache.lucene.search.Query", self.query(text))
            return str(self._searcher.explain(query, document).toString())


def default_threads() -> int:
    """One for each processor that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _hits(data: bytes, count: int) -> list[Hits]:
    """Read what relsent.Bulk.search packed."""
    found = []
    at = 0
    for _ in range(count):
        n, size = (int(value) for value in np.frombuffer(data, "<i4", 2, at))
        scores = np.frombuffer(data, "<f4", n, at + 8).astype(np.float64)
        at += 8 + 4 * n
        ids = np.empty(n, dtype=object)
        ids[:] = data[at : at + size].decode().split("\n")[:-1]
        at += size
        found.append(Hits(ids, scores))
    return found


def _java_fields(fields: Mapping[str, float], index: Index) -> Any:
    indexed = java("org.apache.lucene.index.FieldInfos").getIndexedFields(index.reader).toArray()
    known = {str(field) for field in indexed} - FILTER_FIELDS.keys()
    weights = java("java.util.HashMap")()
    for name, weight in fields.items():
        if name not in known:
            raise UsageError(
                f"no field {name!r} among the {index.unit}",
                fix=f"one of {', '.join(sorted(known))}",
            )
        if not 0 <= weight < math.inf:
            raise UsageError(f"the weight {weight} of field {name!r}", fix="0 or more")
        weights.put(name, java("java.lang.Float")(weight))
    return weights
