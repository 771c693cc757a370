"""Matching: the sentences of a collection that are most related to given ones.

Where a model's score is a sum over shared features, all sentences of the collection are candidates,
by an upper bound on their scores (`relsent_ir.related.matching.exact`); Huber+ scores those that
share the most telling words and have the nearest vectors (`relsent_ir.related.matching.stages`).
Other formulas score BM25's first sentences for the topic, which can be chosen for any model.
"""

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import repeat
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
from relsent_ir.related.formulas import FormulaModel
from relsent_ir.related.huber_plus import HuberPlusModel
from relsent_ir.related.matching.exact import BATCH, ExactMatcher
from relsent_ir.related.matching.linear import LinearQuery, best_rows, open_scorer
from relsent_ir.related.matching.stages import DEPTH as STAGES_DEPTH
from relsent_ir.related.matching.stages import joined, open_stages
from relsent_ir.related.matching.table import OUTDATED, StoredMatches, is_outdated
from relsent_ir.related.model import Model
from relsent_ir.related.opening import check_model, is_formula, load_related
from relsent_ir.related.store.sentences import open_store
from relsent_ir.text.words import default_stopwords
from relsent_ir.typing import Floats, NDArray, Progress

CANDIDATES: Final = ("exact", "bm25")
DEPTH: Final = 1000
"""Candidates of BM25, if nothing else is said."""
TOGETHER: Final = BATCH
"""Topics that one process matches at a time."""

_log = logging.getLogger(__name__)


class Matcher:
    """Finds related sentences in one collection by one model.

    Parameters
    ----------
    collection : Indexes
        The sentence store is built beside its indexes if it is not there.
    name : str
        A formula's name, or the folder of a trained model.
    progress : callable, optional
        Takes the name of a stage and returns its callback, which gets how much is done, and of how
        much.
    executor : Executor
        Where sentences are read, for a store that is not there.

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
        trained = None if is_formula(name) else load_related(name)
        stopwords = trained.stopwords if trained else default_stopwords()
        tell = progress or (lambda _stage: lambda _done, _total: None)
        self.collection = collection
        self._name = name
        self.index = collection.sentences
        self.store = open_store(self.index, stopwords, tell("Storing sentences"), executor)
        self.model: Model = trained or FormulaModel(name, self.store.statistics, stopwords)
        self.scorer = open_scorer(self.store, self.model, tell("Scoring sentences"))
        self._exact = ExactMatcher(self.scorer) if self.scorer else None
        self.stages = None
        if isinstance(trained, HuberPlusModel):
            self.model = trained = joined(self.index, self.store, trained)
            self.stages = open_stages(self.store, trained, tell("Measuring sentences"))
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
        """Find the `k` most related sentences for each topic.

        Those of the collection's own sentences are read where ``related all`` has stored them.

        Parameters
        ----------
        topics : mapping of topic id to text
        candidates : {"exact", "bm25"}, optional
            All sentences, or BM25's first ones; all where the model allows it if None.
        depth : int, optional
            How many candidates BM25 gives, or the first stage of Huber+; `DEPTH` or
            `relsent_ir.related.matching.stages.DEPTH` if None.
        without_own : bool
            Topics' ids are those of records, or of sentences: a topic gets none of that record.
        filters : Filters, optional
            Only sentences that pass are candidates.
        executor : Executor
            Each process of it opens the collection for itself.
        progress : callable, optional
            Called with the number of topics done, and of all.

        Raises
        ------
        InputError
            If a topic has no word that the collection knows, or there is no other record.
        UsageError
            If the model can be matched by `bm25` only, or the match has no use for a depth.
        """
        if not executor.local:
            place = str(Path(self._name).absolute()) if Path(self._name).is_dir() else self._name
            settings = {
                "candidates": candidates,
                "depth": depth,
                "without_own": without_own,
                "filters": filters,
            }
            make = partial(_matching, self.collection.folder.absolute(), place, k, settings)
            return Run(spread(executor, make, topics, TOGETHER, progress))
        candidates = self._checked(candidates, depth)
        depth = depth or self.default_depth(candidates)
        owners = [self.store.record_of(topic) if without_own else -1 for topic in topics]
        self._check_topics(topics, owners)
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
        if self.stages:
            return self._by_stages(topics, owners, k, candidates, depth, filters, progress)
        queries = self.scorer.queries(list(topics.values()), owners) if self.scorer else []
        if candidates == "exact":
            best = self._best(queries, k, filters, progress)
            return Run(zip(topics, best, strict=True))
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
        """Read the matches of topics that are the collection's sentences, where they are stored."""
        if not self._stored.there:
            return {}
        own = {name: row for name in topics if (row := self.store.ids.find(name)) >= 0}
        texts = zip(own, self.collection.texts(list(own)), strict=True)
        found = {
            name: self._stored.best(name, own[name], k)
            for name, text in texts
            if text == topics[name]
        }
        return {name: hits for name, hits in found.items() if hits is not None}

    def _by_stages(
        self,
        topics: Mapping[str, str],
        owners: list[int],
        k: int,
        candidates: str,
        depth: int,
        filters: Filters | None,
        progress: Progress | None,
    ) -> Run:
        """Find the best of the first stage's sentences, or of BM25's; the packaged model's by P."""
        stages, reader = self.stages, getattr(self.model, "reader", None)
        assert stages
        given: Iterable[NDArray[np.intp] | None] = repeat(None, len(topics))
        if candidates == "bm25":
            found = self._by_bm25(topics, owners, depth, filters, None)
            given = (rows for _, rows in found)
        passing = filters.passing(self.index)[self.store.documents] if filters else None
        texts = Sentences.from_texts(topics.values(), self.model.stopwords)
        run = Run()
        for i, (topic, rows) in enumerate(zip(topics, given, strict=True)):
            query = stages.query(texts, i)
            if rows is None:
                rows = stages.first(query, max(k, depth), owners[i], passing)
            scored = stages.scores(query, rows)
            scores = scored[0]
            if reader:
                scores = reader.probability(stages.signs(query, rows, scored, owners[i]))
            run[topic] = self._hits(*best_rows(rows, scores, k))
            if progress:
                progress(len(run), len(topics))
        return run

    @property
    def _candidates(self) -> str:
        """Which candidates are taken, if nothing else is said."""
        return "exact" if self.scorer or self.stages else "bm25"

    def is_exact(self, candidates: str | None = None) -> bool:
        """Return whether hits are the best of all sentences, not the best of some candidates."""
        return candidates != "bm25" and self.scorer is not None

    def default_depth(self, candidates: str | None = None) -> int:
        """Return how many candidates are scored, if nothing else is said."""
        return STAGES_DEPTH if self.stages and candidates != "bm25" else DEPTH

    def _checked(self, candidates: str | None, depth: int | None) -> str:
        """Return which candidates to take; refuse those that the model cannot have."""
        candidates = candidates or self._candidates
        if candidates not in CANDIDATES:
            raise UsageError(f"no candidates {candidates!r}", fix=f"one of {', '.join(CANDIDATES)}")
        if candidates == "exact" and not (self.scorer or self.stages):
            raise UsageError(
                f"{self.model.name} can only be matched among candidates of BM25",
                fix="leave out --exact and --candidates, or take learned weights, I, L or O3",
            )
        if depth is not None and self.is_exact(candidates):
            raise UsageError(
                f"{self.model.name} scores all sentences, whatever the depth",
                fix="leave out --depth, or take --candidates bm25",
            )
        return candidates

    def _check_topics(self, topics: Mapping[str, str], owners: list[int]) -> None:
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

    def _best(
        self, queries: list[LinearQuery], k: int, filters: Filters | None, progress: Progress | None
    ) -> list[Hits]:
        """Find the best of all sentences that pass the filters."""
        assert self._exact
        passing = filters.passing(self.index)[self.store.documents] if filters else None
        best: list[Hits] = []
        for start in range(0, len(queries), BATCH):
            batch = self._exact.best(queries[start : start + BATCH], k, passing)
            best += [self._hits(rows, scores) for rows, scores in batch]
            if progress:
                progress(len(best), len(queries))
        return best

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
        own = np.bincount(self.store.record)[excluded].max(initial=0)
        run = Searcher(self.index, BM25(), filters=filters).search(
            topics, depth + int(own), threads=default_threads(), progress=progress
        )
        for owner, (topic, hits) in zip(owners, run.items(), strict=True):
            rows = self.store.rows(list(hits.ids))
            yield topic, rows[self.store.record[rows] != owner][:depth]

    def _hits(self, rows: NDArray[np.intp], scores: Floats) -> Hits:
        ids = np.empty(len(rows), dtype=object)
        ids[:] = [self.store.ids[row] for row in rows.tolist()]
        return Hits(ids, scores)


def _matching(
    folder: Path, model: str, k: int, settings: Mapping[str, Any]
) -> Callable[[dict[str, str]], Run]:
    matcher = Matcher(Indexes(folder), model)
    return lambda topics: matcher.related(topics, k, **settings)
