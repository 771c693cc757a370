"""Matching: find the sentences of a collection that are most related to a topic.

If a model's score is a sum over shared features, all sentences of the collection are candidates, by
an upper bound on their scores (`relsent_ir.related.matching.exact`); Huber+ scores the sentences
with the most telling shared words and the nearest vectors (`relsent_ir.related.matching.stages`).
Other formulas score BM25's first sentences for the topic, which can be requested for any model.
"""

import logging
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import starmap
from pathlib import Path
from typing import Any, Final

import numpy as np

from relsent_ir.errors import InputError, UsageError
from relsent_ir.executor import SERIAL, Executor, spread
from relsent_ir.hits import Hits, Run
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.lucene.read.filters import Filters
from relsent_ir.lucene.read.search import Searcher, default_threads
from relsent_ir.methods import BM25
from relsent_ir.related.features import Sentences, with_text
from relsent_ir.related.formulas import FORMULAS, FormulaModel
from relsent_ir.related.huber_plus import HuberPlusModel
from relsent_ir.related.matching.every import OUTDATED, StoredMatches, is_outdated
from relsent_ir.related.matching.exact import best_rows, open_scorer
from relsent_ir.related.matching.stages import DEPTH as STAGES_DEPTH
from relsent_ir.related.matching.stages import joined, open_stages
from relsent_ir.related.model import Model
from relsent_ir.related.store import check_model, load_related, open_store
from relsent_ir.text.words import default_stopwords
from relsent_ir.typing import Floats, NDArray, Progress

CANDIDATES: Final = ("exact", "bm25")
DEPTH: Final = 1000
"""Default number of BM25's candidates."""
TOGETHER: Final = 64
"""Number of topics in a batch for one process."""

_log = logging.getLogger(__name__)


class Matcher:
    """Find related sentences in one collection by one model.

    Parameters
    ----------
    collection : Indexes
        The collection; its sentence store is built beside its indexes if it is missing.
    name : str
        The name of a formula, or the folder of a trained model.
    progress : callable, optional
        Called with the name of a stage; returns a callback, which gets the amount done and the
        total.
    executor : Executor
        Reads the sentences if the store is missing.

    Raises
    ------
    InputError
        If there is no index, no sentence or no model.
    OutputError
        If the store cannot be written.
    """

    def __init__(
        self,
        collection: Indexes,
        name: str,
        progress: Callable[[str], Progress] | None = None,
        executor: Executor = SERIAL,
    ) -> None:
        check_model(name)
        trained = None if name in FORMULAS else load_related(name)
        stopwords = trained.stopwords if trained else default_stopwords()
        stage = progress or (lambda _stage: lambda _done, _total: None)
        self.collection = collection
        self._name = name
        self.index = collection.sentences
        self.store = open_store(self.index, stopwords, stage("Storing sentences"), executor)
        self.model: Model = trained or FormulaModel(name, self.store.statistics, stopwords)
        self.scorer = open_scorer(self.store, self.model, stage("Scoring sentences"))
        self.stages = None
        if isinstance(trained, HuberPlusModel):
            self.model = trained = joined(self.index, self.store, trained)
            self.stages = open_stages(self.store, trained, stage("Measuring sentences"))
        self._candidates = "exact" if self.scorer or self.stages else "bm25"  # by default
        self._stored = StoredMatches(self.index, self.model)
        if is_outdated(self.index):
            _log.warning("%s: %s", self.index.folder, OUTDATED)

    def related(
        self,
        topics: Mapping[str, str],
        k: int = 1000,
        *,
        candidates: str | None = None,
        depth: int | None = None,
        without_own: bool = False,
        filters: Filters | None = None,
        executor: Executor = SERIAL,
        progress: Progress | None = None,
    ) -> Run:
        """Find the `k` sentences most related to each topic.

        For sentences of the collection, matches stored by ``related all`` are read.

        Parameters
        ----------
        topics : mapping of topic id to text
        candidates : {"exact", "bm25"}, optional
            All sentences, or BM25's first hits; None for exact if the model supports it.
        depth : int, optional
            The number of candidates of BM25, or of the first stage of Huber+; `DEPTH` or
            `relsent_ir.related.matching.stages.DEPTH` if None.
        without_own : bool
            Whether topics' ids are ids of records or sentences, whose records are excluded from the
            hits of the topics.
        filters : Filters, optional
            Only sentences that pass can be candidates.
        executor : Executor
            Each of its processes opens the collection itself.
        progress : callable, optional
            Called with the number of topics done, and of all.

        Raises
        ------
        InputError
            If a topic has no word of the collection, or there is no other record.
        UsageError
            If the model only supports `bm25`, or the match does not take a depth.
        """
        if not executor.local:
            place = str(Path(self._name).absolute()) if Path(self._name).is_dir() else self._name
            settings: dict[str, Any] = {"candidates": candidates, "depth": depth}
            settings |= {"without_own": without_own, "filters": filters}
            make = partial(_matching, self.collection.folder.absolute(), place, k, settings)
            return Run(spread(executor, make, topics, TOGETHER, progress))
        candidates = self._checked(candidates, depth)
        depth = depth or self.default_depth(candidates)
        owners = [self.store.record_of(topic) if without_own else -1 for topic in topics]
        texts = self._checked_topics(topics, owners)
        if without_own and "" in topics:
            raise UsageError("a text has no record of its own", fix="give its id")
        strangers = [topic for topic, owner in zip(topics, owners, strict=True) if owner < 0]
        if without_own and strangers:
            _log.warning(
                "%d of %d topics, such as %s, are no record or sentence of the index: "
                "nothing is left out of their hits",
                *(len(strangers), len(topics), strangers[0]),
            )
        plain = (candidates, depth) == (self._candidates, self.default_depth()) and not filters
        if without_own and plain and (stored := self._read_stored(topics, k)):
            missing = {topic: text for topic, text in topics.items() if topic not in stored}
            if missing:
                stored.update(self.related(missing, k, without_own=True, progress=progress))
            return Run((topic, stored[topic]) for topic in topics)
        passing = None
        if filters and candidates == "exact":
            passing = filters.passing(self.index)[self.store.documents]
        if self.stages:
            by_bm25 = candidates == "bm25"
            given = self._by_bm25(topics, owners, depth, filters, None) if by_bm25 else None
            return self._by_stages(topics, texts, owners, k, depth, given, passing, progress)
        queries = self.scorer.queries(list(topics.values()), owners) if self.scorer else []
        if candidates == "exact":
            assert self.scorer
            best = self.scorer.best(queries, k, passing, progress)
            return Run(zip(topics, starmap(self._hits, best), strict=True))
        run = Run()
        for i, (topic, rows) in enumerate(self._by_bm25(topics, owners, depth, filters, progress)):
            if self.scorer:
                scores = self.scorer.scores(queries[i], rows)
            else:
                few = with_text(topics[topic], self.store.sentences, rows, self.model.stopwords)
                scores = self.model.query_scores(few, 0, 1 + np.arange(len(rows)))
            run[topic] = self._hits(*best_rows(rows, scores, k))
        return run

    def _read_stored(self, topics: Mapping[str, str], k: int) -> dict[str, Hits]:
        """Read the stored matches of those topics that are sentences of the collection."""
        stored = {
            name: hits
            for name in topics
            if (row := self.store.ids.find(name)) >= 0
            and (hits := self._stored.best(name, row, k)) is not None
        }
        texts = zip(stored.items(), self.collection.texts(list(stored)), strict=True)
        return {name: hits for (name, hits), text in texts if text == topics[name]}

    def _by_stages(
        self,
        topics: Mapping[str, str],
        texts: Sentences,
        owners: list[int],
        k: int,
        depth: int,
        given: Iterator[tuple[str, NDArray[np.intp]]] | None,
        passing: NDArray[np.bool_] | None,
        progress: Progress | None,
    ) -> Run:
        """Find the best of `given` rows, or of the first stage's; with the packaged model by P."""
        stages, reader = self.stages, getattr(self.model, "reader", None)
        assert stages
        run = Run()
        for i, topic in enumerate(topics):
            query = stages.query(texts, i)
            if given:
                rows = next(given)[1]
            else:
                rows = stages.first(query, max(k, depth), owners[i], passing)
            scored = stages.scores(query, rows)
            scores = scored[0]
            if reader:
                scores = reader.probability(stages.signs(query, rows, scored, owners[i]))
            run[topic] = self._hits(*best_rows(rows, scores, k))
            if progress:
                progress(len(run), len(topics))
        return run

    def is_exact(self, candidates: str | None = None) -> bool:
        """Return whether hits are the best of all sentences, rather than of some candidates."""
        return candidates != "bm25" and self.scorer is not None

    def default_depth(self, candidates: str | None = None) -> int:
        """Return the default number of candidates that are scored."""
        return STAGES_DEPTH if self.stages and candidates != "bm25" else DEPTH

    def _checked(self, candidates: str | None, depth: int | None) -> str:
        """Return the kind of candidates; refuse a kind that the model does not support."""
        candidates = candidates or self._candidates
        if candidates not in CANDIDATES:
            raise UsageError(f"no candidates {candidates!r}", fix=f"one of {', '.join(CANDIDATES)}")
        if candidates == "exact" and not (self.scorer or self.stages):
            raise UsageError(
                f"{self.model.name} can only be matched among candidates of BM25",
                fix="leave out --candidates, or take learned weights, I, L or O3",
            )
        if depth is not None and self.is_exact(candidates):
            raise UsageError(
                f"{self.model.name} scores all sentences, whatever the depth",
                fix="leave out --depth, or take --candidates bm25",
            )
        return candidates

    def _checked_topics(self, topics: Mapping[str, str], owners: list[int]) -> Sentences:
        """Return the topics as words; refuse a topic to which nothing can be related."""
        texts = Sentences.from_texts(topics.values(), self.model.stopwords)
        known = self.store.lexicon.locate(texts.lexicon) >= 0
        counts = texts.counts(slice(None)) @ known
        for topic, owner, size, count in zip(topics, owners, texts.lengths, counts, strict=True):
            name = f"topic {topic}" if topic else "the sentence"
            if not size:
                raise InputError(f"{name} has no word that could be compared")
            if not count:
                raise InputError(
                    f"{name} has nothing, not even a part of a word, in common with the collection",
                    where=self.index.folder,
                )
            if owner >= 0 and len(self.store.records) == 1:
                raise InputError(
                    f"there is no other record than that of {name}",
                    where=self.index.folder,
                    fix="index more records",
                )
        return texts

    def _by_bm25(
        self,
        topics: Mapping[str, str],
        owners: list[int],
        depth: int,
        filters: Filters | None,
        progress: Progress | None,
    ) -> Iterator[tuple[str, NDArray[np.intp]]]:
        """Find the rows of BM25's first sentences of other records, topic by topic."""
        excluded = [owner for owner in owners if owner >= 0]
        longest = int(np.bincount(self.store.record)[excluded].max(initial=0))
        run = Searcher(self.index, BM25(), filters=filters).search(
            topics, depth + longest, threads=default_threads(), progress=progress
        )
        for owner, (topic, hits) in zip(owners, run.items(), strict=True):
            rows = self.store.rows(list(hits.ids))
            yield topic, rows[self.store.record[rows] != owner][:depth]

    def _hits(self, rows: NDArray[np.intp], scores: Floats) -> Hits:
        return Hits(np.array(self.store.ids.take(rows), dtype=object), scores)


def open_matcher(folder: Path, name: str) -> Matcher:
    """Open a collection, and a matcher for a model on it."""
    return Matcher(Indexes(folder), name)


def _matching(
    folder: Path, model: str, k: int, settings: Mapping[str, Any]
) -> Callable[[dict[str, str]], Run]:
    matcher = open_matcher(folder, model)
    return lambda topics: matcher.related(topics, k, **settings)
