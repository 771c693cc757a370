"""Rank by SMART weights: exactly over a whole collection, or the hits of another run.

For example::

    matrix = TermMatrix.read(index)
    engine = SmartSearcher(matrix, Smart("ltc.atn"), index.facts.analysis)
    run = engine.search({"1": "calcium and mucus"}, k=1000)   # exact, over the whole collection

``engine.rerank(run, topics)`` orders the hits of another run instead. A topic is a text, which the
query's triple weights, or a mapping of analysed terms to weights, used unchanged. For your own
features, create a `TermMatrix` of them, modify the weights that `weigh_rows` returns, and pass them
to ``SmartSearcher(matrix, smart, analysis, weights=…)``.
"""

import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Final

import numpy as np

from relsent_ir.counts.matrix import TermMatrix
from relsent_ir.counts.weighting import weigh_rows
from relsent_ir.errors import MismatchError, UsageError
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

BATCH: Final = 16  # topics multiplied at once


class SmartSearcher:
    """Rank all documents of a term matrix by the dot product of SMART weights.

    Only documents with a score above 0 are hits; ties are broken by ascending id.

    Parameters
    ----------
    matrix : TermMatrix
    smart : Smart
    analysis : Analysis
        The analysis of the index, which turns topics into terms.
    weights : scipy.sparse.csr_array, shape of the matrix's counts, optional
        The weights of the documents, if they differ from those of the scheme.
    first : TopicSearcher, optional
        Finds the ``smart.candidates`` hits of each topic to be ordered; all documents if None.
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
        """Weight topics: texts by the query's triple, mappings of term to weight unchanged.

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
        """Weight topics as in `queries`, and return the weights of each by term."""
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
            Number of batches that are multiplied at the same time.
        batch_size : int
            Number of topics that are multiplied at once, at most 16.

        Returns
        -------
        Run
            An entry for every topic, in the order of the topics.
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
        with ThreadPoolExecutor(threads) as pool:
            batches = [queries[start : start + step] for start in range(0, len(names), step)]
            for answers in pool.map(partial(self._search, k=k), batches):
                run.update(zip(names[len(run) :], answers, strict=False))
                if progress:
                    progress(len(run), len(names))
        return run

    def _search(self, queries: Sparse, k: int) -> list[Hits]:
        """Find the first k documents above 0 and all ties of the last, by score and id."""
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
        """Order the hits of another run by their SMART scores; all are kept.

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
    """Score hits, all sentences or all records, by SMART weights (`relsent_ir.counts.weighting`).

    Parameters
    ----------
    scheme : str or Smart
        A scheme such as ``ltc.atn``.
    """

    names: ClassVar = ("???.???",)
    hits_at_once = sys.maxsize  # all hits together tell which index they are from

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
    """Return the index, of sentences or of records, that contains all hits of a run.

    Raises
    ------
    MismatchError
        If neither index contains all hits.
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
