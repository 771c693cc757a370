"""Ranking by SMART weights: exactly over a whole collection, or the hits of another run.

For example::

    matrix = TermMatrix.read(index)
    engine = SmartSearcher(matrix, Smart("ltc.atn"), index.facts.analysis)
    run = engine.search({"1": "calcium and mucus"}, k=1000)   # exact, over the whole collection

``engine.rerank(run, topics)`` orders the hits of another run instead. A topic is a text, weighted
by the query's triple, or a mapping of analysed term to weight, taken as it is. For features of your
own, make a `TermMatrix` of them, and change the weights that `weigh_rows` gives before
``SmartSearcher(matrix, smart, analysis, weights=…)`` takes them.
"""

import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Final

import numpy as np

from relsent_ir.counts.matrix import TermMatrix
from relsent_ir.counts.weighting import weigh_rows
from relsent_ir.errors import MismatchError, UsageError
from relsent_ir.executor import Threads
from relsent_ir.feedback.pool import Topic
from relsent_ir.hits import Hits, Run
from relsent_ir.lucene.analyzers import Analysis
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.lucene.read.index import Index
from relsent_ir.methods import Smart
from relsent_ir.rank import RecordReranker, TopicSearcher, check_topics, ordered
from relsent_ir.typing import Floats, Progress, Sparse

if TYPE_CHECKING:
    from relsent_ir.rank import Collection

BATCH: Final = 16  # topics that are multiplied at once


class SmartSearcher:
    """Ranks all documents of a term matrix by the dot product of SMART weights.

    Only documents whose score is above 0 are hits; ties are broken by id, ascending.

    Parameters
    ----------
    matrix : TermMatrix
    smart : Smart
    analysis : Analysis
        How topics become terms: that of the index.
    weights : scipy.sparse.csr_array, shape of the matrix's counts, optional
        The documents' weights, if they are not those of the scheme.
    first : TopicSearcher, optional
        Finds ``smart.candidates`` hits of each topic, which alone are ordered.
    """

    def __init__(
        self,
        matrix: TermMatrix,
        smart: Smart,
        analysis: Analysis,
        *,
        weights: Sparse | None = None,
        first: TopicSearcher | None = None,
    ) -> None:
        self._first = first
        self.matrix = matrix
        self.smart = smart
        self.analysis = analysis
        self.weights = (
            weigh_rows(smart, smart.document, matrix.counts, matrix) if weights is None else weights
        )
        self._postings = self.weights.T.tocsr()

    def queries(self, topics: Mapping[str, Topic]) -> Sparse:
        """Weigh topics: texts by the query's triple, mappings of term to weight as they are.

        Returns
        -------
        scipy.sparse.csr_array of float64, shape (topics, terms)
        """
        from scipy.sparse import vstack

        texts = [topic for topic in topics.values() if isinstance(topic, str)]
        counts = self.matrix.bags([Counter(self.analysis.terms(text)) for text in texts])
        weighed = weigh_rows(self.smart, self.smart.query, counts, self.matrix)
        if len(texts) == len(topics):
            return weighed
        given = [topic for topic in topics.values() if not isinstance(topic, str)]
        places = np.argsort(
            [not isinstance(topic, str) for topic in topics.values()], kind="stable"
        )
        return vstack([weighed, self.matrix.bags(given)]).tocsr()[np.argsort(places)]

    def bags(self, topics: Mapping[str, Topic]) -> list[dict[str, float]]:
        """Weigh topics as `queries` does; the weights of each by term."""
        weighed = self.queries(topics)
        terms = self.matrix.terms
        spans = [slice(*weighed.indptr[row : row + 2]) for row in range(len(topics))]
        return [
            {terms[c]: float(w) for c, w in zip(weighed.indices[s], weighed.data[s], strict=True)}
            for s in spans
        ]

    def search(
        self,
        topics: Mapping[str, Topic],
        k: int = 1000,
        *,
        threads: int = 1,
        batch_size: int = BATCH,
        progress: Progress | None = None,
    ) -> Run:
        """Find the first `k` documents for each topic.

        Parameters
        ----------
        topics : mapping of topic id to text, or to weighted terms
        threads : int
            How many batches are multiplied at once.
        batch_size : int
            How many topics are multiplied in one step, 16 at most.

        Returns
        -------
        Run
            An entry for every topic, in their order.
        """
        if k < 1 or threads < 1 or batch_size < 1:
            raise UsageError("hits, threads and batch size must be at least 1")
        if self._first:
            candidates = self._first.search(
                topics,
                self.smart.candidates or k,
                threads=threads,
                batch_size=batch_size,
                progress=progress,
            )
            return self.rerank(candidates, topics).head(k)
        queries = self.queries(topics)
        names = list(topics)
        step = min(batch_size, BATCH)
        run = Run()
        with Threads(threads) as pool:
            batches = [queries[start : start + step] for start in range(0, len(names), step)]
            for answers in pool.map(lambda: partial(self._search, k=k), batches):
                run.update(zip(names[len(run) :], answers, strict=False))
                if progress:
                    progress(len(run), len(names))
        return run

    def _search(self, queries: Sparse, k: int) -> list[Hits]:
        """Find the first k above 0 for each query, through the last tie, by score and id."""
        products, found = (queries @ self._postings).tocsr(), []
        for row in range(queries.shape[0]):
            span = slice(*products.indptr[row : row + 2])
            above = products.data[span] > 0
            rows, scores = products.indices[span][above], products.data[span][above]
            if len(scores) > k:
                highest = scores >= np.partition(scores, len(scores) - k)[len(scores) - k]
                rows, scores = rows[highest], scores[highest]
            order = np.lexsort((self.matrix.order[rows], -scores))[:k]
            found.append(Hits(self.matrix.names[rows[order]], scores[order]))
        return found

    def rerank(self, run: Run, topics: Mapping[str, Topic]) -> Run:
        """Order the hits of another run by their SMART scores; none is dropped.

        Raises
        ------
        MismatchError
            If a topic of the run has no text, or a hit is not in the matrix.
        """
        check_topics(run, topics)
        scored = zip(run.items(), self.score(run, topics), strict=True)
        return Run((topic, ordered(hits, scores)) for (topic, hits), scores in scored)

    def score(self, run: Run, topics: Mapping[str, Topic]) -> Iterator[Floats]:
        """Score the hits of a run, topic after topic; shape (hits,).

        Raises
        ------
        MismatchError
            If a hit is not in the matrix.
        """
        queries = self.queries({topic: topics[topic] for topic in run})
        for row, hits in enumerate(run.values()):
            query = queries[[row]].toarray().ravel()
            yield self.weights[self.matrix.rows(hits.ids)] @ query


class SmartReranker(RecordReranker):
    """Scores hits, all sentences or all records, by SMART weights (`relsent_ir.counts.weighting`).

    Parameters
    ----------
    scheme : str or Smart
        As ``ltc.atn``.
    """

    names: ClassVar = ("???.???",)
    hits_at_once = sys.maxsize  # all hits tell which index they are of

    def __init__(self, scheme: str | Smart) -> None:
        self.smart = scheme if isinstance(scheme, Smart) else Smart(scheme)
        self._read: tuple[Index, SmartSearcher] | None = None

    def score(
        self, collection: "Collection", run: Run, topics: Mapping[str, str]
    ) -> Iterator[Floats]:
        """Score hits; see `relsent_ir.rank.RecordReranker`."""
        index = index_of(collection.indexes, run)
        read = self._read
        if read is None or read[0] is not index:
            matrix = TermMatrix.read(index)
            read = self._read = index, SmartSearcher(matrix, self.smart, index.facts.analysis)
        yield from read[1].score(run, topics)


def index_of(collection: Indexes, run: Run) -> Index:
    """Find the index that holds all hits of a run, of sentences or of records.

    Raises
    ------
    MismatchError
        If neither does.
    """
    names = list(dict.fromkeys(name for hits in run.values() for name in hits.ids))
    by_sentence = collection.sentences.documents(names) >= 0
    if len(names) and by_sentence.all():
        return collection.sentences
    lacking = [
        name
        for name, there in zip(names, collection.abstracts.documents(names) >= 0, strict=True)
        if not there
    ]
    if lacking:
        what = "neither a record nor, as others of the run, a sentence of the index"
        raise MismatchError(f"{lacking[0]} is {what}", where=collection.folder)
    return collection.abstracts
