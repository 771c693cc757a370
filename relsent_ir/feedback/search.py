"""Search with feedback: search, read the first hits, search again with expanded topics.

References
----------
On selective feedback, which keeps hits in front that stood out before feedback: Amati, Carpineto,
Romano: Query difficulty, robustness, and selective application of query expansion. ECIR 2004.
Shtok, Kurland, Carmel, Raiber, Markovits: Predicting query performance by query-drift estimation.
ACM Transactions on Information Systems 30, 2012.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from relsent_ir.errors import UsageError
from relsent_ir.feedback.expansion import Expansion, expand
from relsent_ir.feedback.pool import Documents, Pool, TermSource, Topic
from relsent_ir.feedback.smart import SmartSearcher
from relsent_ir.hits import Hits, Run, batches
from relsent_ir.lucene.analyzers import Analysis
from relsent_ir.lucene.read.index import Index
from relsent_ir.methods import RM3, Rocchio
from relsent_ir.rank import TopicSearcher
from relsent_ir.typing import Progress

BATCH: Final = 256  # default number of topics whose feedback documents are in memory
_KEPT: Final = 10_000
"""Number of texts whose first hits are cached."""
_DEEPEST: Final = 1000
"""Largest number of hits that are cached for a text."""

WHOLE: Final = "from whole documents: none has a sentence that was asked for"
FILTERED: Final = "no feedback: no term passed the filter"
NOTHING: Final = "no feedback: nothing was found"


class FeedbackSearcher:
    """Rank documents for topics that feedback has expanded.

    Parameters
    ----------
    ranker : TopicSearcher or SmartSearcher
        The searcher for both searches.
    index : Index
        The index of this searcher.
    feedback : Rocchio or RM3
    source : TermSource, optional
        The source of terms; whole documents if None. If no feedback document of a topic has a term
        there (for example, no sentence with the requested moves), its terms come from the whole
        documents, and its expansion tells so.
    known : dict of str to (int, Hits), optional
        Earlier searches of the ranker by text: the number of hits requested, and the hits. New ones
        are added, so that several feedback settings with one ranker search each text once.
    documents : Documents, optional
        A reader of the index's documents with a cache.
    """

    def __init__(
        self,
        ranker: TopicSearcher,
        index: Index,
        feedback: Rocchio | RM3,
        source: TermSource | None = None,
        *,
        known: dict[str, tuple[int, Hits]] | None = None,
        documents: Documents | None = None,
    ) -> None:
        self.ranker = ranker
        self.analysis: Analysis = ranker.analysis
        self.index = index
        self.feedback = feedback
        self.documents = documents or Documents(index)
        self.source = source or self.documents
        self._cached = {} if known is None else known

    def search(
        self,
        topics: Mapping[str, Topic],
        k: int = 1000,
        *,
        first: Run | None = None,
        threads: int = 1,
        batch_size: int = BATCH,
        progress: Progress | None = None,
    ) -> Run:
        """Find the first `k` documents for each topic.

        Parameters
        ----------
        topics : mapping of topic id to text, or to weighted terms
        threads : int
            Number of threads of the ranker, in both searches.
        batch_size : int
            Topics whose feedback documents are in memory at once; it does not affect the hits.
        first : Run, optional
            The hits that feedback reads, from an earlier search or another system; topics that are
            missing have no such hits.

        Returns
        -------
        Run
            An entry for every topic, in the order of the topics.
        """
        if k < 1 or batch_size < 1:
            raise UsageError("hits and batch size must be at least 1")
        run = Run()
        for batch in batches(topics, batch_size, progress):
            expanded = self.expand(batch, k, first=first, threads=threads, batch_size=batch_size)
            queries = {name: expansion.weights for name, expansion in expanded.items()}
            selective = isinstance(self.feedback, Rocchio) and self.feedback.selective
            depth = max(k, SELECTIVE_DEPTH) if selective else k
            found = self.ranker.search(queries, depth, threads=threads, batch_size=batch_size)
            if selective:
                before = self._first(batch, k, threads, batch_size) if first is None else first
                found = selected(before, found).head(k)
            run.update(found)
        return run

    def expand(
        self,
        topics: Mapping[str, Topic],
        k: int = 1000,
        *,
        first: Run | None = None,
        threads: int = 1,
        batch_size: int = BATCH,
    ) -> dict[str, Expansion]:
        """Expand topics.

        Parameters
        ----------
        k : int
            If gamma is above 0, the last of the first `k` hits count as not relevant.
        """
        feedback = self.feedback
        if isinstance(self.ranker, SmartSearcher):
            queries: list[Mapping[str, float]] = [*self.ranker.bags(topics)]
        else:
            analyse = self.analysis.terms
            queries = [
                dict(Counter(analyse(topic))) if isinstance(topic, str) else topic
                for topic in topics.values()
            ]
        hits = self._first(topics, k, threads, batch_size) if first is None else first
        hits = Run((topic, hits.get(topic, Hits.ranked([], []))) for topic in topics)
        tops = hits.head(feedback.fb_docs)
        pool = self.source.pool(topics, tops)
        bottom = None
        if isinstance(feedback, Rocchio) and feedback.gamma:
            last = Run()  # last of each topic's first k hits, in reverse
            for topic in topics:
                few = hits[topic].head(k)
                count = slice(feedback.bottom_fb_docs)
                last[topic] = Hits(few.ids[::-1][count], few.scores[::-1][count])
            bottom = self.documents.pool(topics, last)
        expansions = expand(feedback, queries, pool, bottom)
        if not (isinstance(feedback, Rocchio) and not feedback.beta):
            expansions = self._fallback(topics, tops, queries, bottom, expansions)
        return dict(zip(topics, expansions, strict=True))

    def explain(
        self, topics: Mapping[str, Topic]
    ) -> dict[str, tuple[Expansion, dict[str, list[str]]]]:
        """Expand topics, and list the documents or sentences that each new term comes from.

        Returns
        -------
        dict of str to (Expansion, dict of str to list of str)
            The lists are in the order of the feedback documents.
        """
        first = self._first(topics, 1000, 1, BATCH)
        tops = first.head(self.feedback.fb_docs)
        pool = self.source.pool(topics, tops)
        whole = self.documents.pool(topics, tops)
        explained = {}
        for number, (name, of) in enumerate(self.expand(topics, first=first).items()):
            read = whole if of.fallback == WHOLE else pool
            explained[name] = of, read.origins(number, of.feedback)
        return explained

    def _first(self, topics: Mapping[str, Topic], k: int, threads: int, batch_size: int) -> Run:
        """Search for the hits that feedback reads, unless they are cached."""
        feedback = self.feedback
        depth = max(k if feedback.gamma else 1, feedback.fb_docs)
        run, new = Run(), {}
        for name, topic in topics.items():
            cached = self._cached.get(topic) if isinstance(topic, str) else None
            if cached and cached[0] >= depth:
                run[name] = cached[1].head(depth)
            else:
                new[name] = topic
        if new:
            run.update(self.ranker.search(new, depth, threads=threads, batch_size=batch_size))
        for name, topic in new.items():
            if isinstance(topic, str) and depth <= _DEEPEST:
                if len(self._cached) >= _KEPT:
                    self._cached.clear()
                self._cached[topic] = depth, run[name]
        return run

    def _fallback(
        self,
        topics: Mapping[str, Topic],
        tops: Run,
        queries: Sequence[Mapping[str, float]],
        bottom: Pool | None,
        expansions: list[Expansion],
    ) -> list[Expansion]:
        """Expand topics without any term from whole documents, if they have hits at all."""
        names = list(topics)
        lacking = {n: names[n] for n, expansion in enumerate(expansions) if not expansion.feedback}
        result = list(expansions)
        again = {n: name for n, name in lacking.items() if len(tops[name])}
        if again and self.source is not self.documents:
            pool = self.documents.pool(topics, tops)
            others = expand(self.feedback, queries, pool, bottom)
            for n in again:
                result[n] = replace(others[n], fallback=WHOLE)
        for n, name in lacking.items():
            if not result[n].feedback:
                why = FILTERED if len(tops[name]) else NOTHING
                result[n] = replace(result[n], fallback=why)
        return result


SELECTED: Final = 20
"""Number of hits before feedback that may stay in front."""
POWER: Final = 20.0
"""Exponent of a score's ratio to the first: a score 1.04 times as high has twice the share."""
SELECTIVE_DEPTH: Final = 1000
"""Smallest number of hits after feedback, so that a short list equals the start of a long one."""


def selected(before: Run, after: Run) -> Run:
    """Order hits by the sum of their score after feedback and their share before feedback.

    A topic that quotes a record retrieves it first, far above the next hit, and feedback from the
    other hits would move away from it. The first hits of a broad topic have similar scores, and
    feedback decides their order. So the first scores of a topic decide, hit by hit, how much of its
    first order stays (these are the margins by which Amati et al. and Shtok et al. predict).

    Scores after feedback are divided by the topic's highest; shares are the 20th powers of the
    scores before feedback, divided by their sum over the first hits. Both are from 0 to 1. A hit
    that only the first search retrieved has just its share.

    Parameters
    ----------
    before, after : Run
        Hits of the same topics; a topic that is missing in `before` keeps its order.
    """
    run = Run()
    for topic, hits in after.items():
        first = before.get(topic, Hits.ranked([], [])).head(SELECTED)
        if not len(first) or not len(hits) or first.scores[0] <= 0 or hits.scores[0] <= 0:
            run[topic] = hits
            continue
        ratios = np.maximum(first.scores.astype(np.float64), 0.0) / float(first.scores[0])
        shares = ratios**POWER
        scores = dict(
            zip(hits.ids.tolist(), (hits.scores / float(hits.scores[0])).tolist(), strict=True)
        )
        for name, share in zip(first.ids.tolist(), (shares / shares.sum()).tolist(), strict=True):
            scores[name] = scores.get(name, 0.0) + share
        run[topic] = Hits.ranked(list(scores), list(scores.values()))
    return run
