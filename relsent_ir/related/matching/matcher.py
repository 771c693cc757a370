"""Matching: the sentences of a collection that are most related to given ones.

Three ways to the same answer: every sentence by an upper bound on its score (`exact`), Lucene's
first sentences for the topic (`bm25`), or for the words that the model favours for it (`expanded`),
the last two scored by the model.

`best_scores` measures how good the best matches are in one index, by one model, for ``--min-score
auto``: a model's scores mean something else in another collection. It is measured once and kept
beside the index.
"""

import hashlib
import json
import logging
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from relsent_ir import models
from relsent_ir.errors import InputError, UsageError
from relsent_ir.executor import SERIAL, Executor, spread
from relsent_ir.hits import Hits, Run
from relsent_ir.lucene.memory.derived import open_derived
from relsent_ir.lucene.read.filters import Filters
from relsent_ir.lucene.read.index import Index
from relsent_ir.lucene.read.search import BM25, Searcher, default_threads
from relsent_ir.related.features import Sentences, with_text
from relsent_ir.related.formulas import FormulaModel
from relsent_ir.related.huber_plus import HuberPlusModel
from relsent_ir.related.matching.cosines import open_cosines
from relsent_ir.related.matching.exact import BATCH, ExactMatcher
from relsent_ir.related.matching.expanded import SIMILARITY, Expander
from relsent_ir.related.matching.linear import Query, best_rows, open_scorer
from relsent_ir.related.model import Model, TrainedModel
from relsent_ir.related.opening import check_model, is_formula
from relsent_ir.related.pairs import LEAST_WORDS
from relsent_ir.related.store.sentences import open_store
from relsent_ir.text.words import default_stopwords
from relsent_ir.typing import Floats, Progress

CANDIDATES: Final = ("bm25", "expanded", "exact")

_log = logging.getLogger(__name__)


class Matcher:
    """Finds related sentences in one collection by one model.

    Parameters
    ----------
    index : Path
        The collection's indexes; the sentence store is built beside them if it is not there.
    name : str
        A formula's name, or the folder of a trained model.
    progress : callable, optional
        Takes what is being done and gives a callback, which gets how much of it is done, and of
        how much.
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
        index: Path,
        name: str,
        progress: Callable[[str], Progress] | None = None,
        executor: Executor = SERIAL,
    ) -> None:
        check_model(name)
        trained = None if is_formula(name) else models.load(name, "related")
        stopwords = trained.stopwords if trained else default_stopwords()
        tell = progress or (lambda _stage: lambda _done, _total: None)
        self.index = Index(index, "sentences")
        self.store = open_store(self.index, stopwords, tell("Storing sentences"), executor)
        self.model: Model = trained or FormulaModel(name, self.store.statistics, stopwords)
        first, cosines = self.model, None
        if isinstance(trained, HuberPlusModel):
            first = trained.candidates
            scored = trained.knowledge, trained.candidates.cosine
            cosines = open_cosines(self.store, *scored, tell("Adding up vectors"))
        self.scorer = open_scorer(self.store, first, tell("Scoring sentences"), cosines)
        self._linear = first is self.model
        self._exact: ExactMatcher | None = None

    def related(
        self,
        topics: Mapping[str, str],
        k: int = 1000,
        *,
        candidates: str = "bm25",
        depth: int = 1000,
        without_own: bool = False,
        filters: Filters | None = None,
        progress: Progress | None = None,
    ) -> Run:
        """Find the `k` most related sentences for each topic.

        Parameters
        ----------
        topics : mapping of topic id to text
        candidates : {"bm25", "expanded", "exact"}
        depth : int
            How many candidates Lucene gives, or the sparse weights of a model that has others too.
        without_own : bool
            Topics' ids are those of records, or of sentences: a topic gets none of that record.
        filters : Filters, optional
            Candidates are what passes.
        progress : callable, optional
            Gets the number of topics done, and of all.

        Raises
        ------
        InputError
            If a topic has no word that the collection knows, or there is no other record.
        UsageError
            If the model can be matched by `bm25` only, or `exact` is to be filtered.
        """
        if candidates not in CANDIDATES:
            raise UsageError(f"no candidates {candidates!r}", fix=f"one of {', '.join(CANDIDATES)}")
        if candidates != "bm25" and self.scorer is None:
            raise UsageError(
                f"{self.model.name} can only be matched among candidates of BM25",
                fix="leave out --exact and --candidates, or take learned weights, I, L or O3",
            )
        if filters and candidates == "exact":
            raise UsageError(
                "all sentences cannot be filtered while they are matched exactly",
                fix="take --candidates expanded, or search without filters",
            )
        owners = [self.store.record_of(topic) if without_own else -1 for topic in topics]
        self._check(topics, owners)
        strangers = [topic for topic, owner in zip(topics, owners, strict=True) if owner < 0]
        if without_own and strangers:
            _log.warning(
                "%d of %d topics, such as %s, are no record or sentence of the index: "
                "nothing is left out of their hits",
                *(len(strangers), len(topics), strangers[0]),
            )
        queries = self.scorer.queries(list(topics.values()), owners) if self.scorer else []
        if candidates == "exact":
            found = self._best(queries, k if self._linear else max(k, depth), progress)
            run = Run(zip(topics, found, strict=True))
        else:
            run = self._candidates(topics, queries, owners, candidates, depth, filters, progress)
        if self._linear and self.scorer:
            return run.head(k)
        ranked = Run()
        for topic, hits in run.items():
            ranked[topic] = self._ranked(topics[topic], hits).head(k)
            if progress:
                progress(len(ranked), len(run))
        return ranked

    def is_exact(self, candidates: str) -> bool:
        """Tell whether the hits are the best of all sentences, not the best of some candidates."""
        return candidates == "exact" and self._linear

    def close(self) -> None:
        """Let go of the index."""
        self.index.close()

    def __enter__(self) -> "Matcher":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _check(self, topics: Mapping[str, str], owners: list[int]) -> None:
        asked = Sentences.from_texts(topics.values(), self.model.stopwords)
        known = self.store.lexicon.locate(asked.lexicon) >= 0
        counts = asked.counts(slice(None)) @ known
        for topic, owner, size, count in zip(topics, owners, asked.lengths, counts, strict=True):
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

    def _best(self, queries: list[Query], k: int, progress: Progress | None) -> list[Hits]:
        assert self.scorer
        self._exact = self._exact or ExactMatcher(self.scorer)
        found = []
        for start in range(0, len(queries), BATCH):
            best = self._exact.best(queries[start : start + BATCH], k)
            found += [self._hits(rows, scores) for rows, scores in best]
            if progress:
                progress(len(found), len(queries))
        return found

    def _candidates(
        self,
        topics: Mapping[str, str],
        queries: list[Query],
        owners: list[int],
        candidates: str,
        depth: int,
        filters: Filters | None,
        progress: Progress | None,
    ) -> Run:
        """Let Lucene search; give its hits, scored if the model is linear."""
        asked: Mapping[str, str | Mapping[str, float]] = topics
        similarity = BM25()
        if candidates == "expanded":
            assert self.scorer
            similarity = SIMILARITY
            expander = Expander(self.scorer, self.index.facts.analysis)
            asked = {t: expander.terms(q) for t, q in zip(topics, queries, strict=True)}
        excluded = [owner for owner in owners if owner >= 0]
        own = np.bincount(self.store.record)[excluded].max(initial=0)
        run = Searcher(self.index, similarity, filters=filters).search(
            asked, depth + int(own), threads=default_threads(), progress=progress
        )
        for i, (topic, hits) in enumerate(run.items()):
            rows = self.store.rows(list(hits.ids))
            kept = np.flatnonzero(self.store.record[rows] != owners[i])[:depth]
            run[topic] = Hits(hits.ids[kept], hits.scores[kept])
            if self._linear and self.scorer:
                scores = self.scorer.scores(queries[i], rows[kept])
                run[topic] = self._hits(*best_rows(rows[kept], scores, depth))
        return run

    def _ranked(self, text: str, hits: Hits) -> Hits:
        """Order sentences by their scores, read from the store rather than from their texts."""
        rows = self.store.rows(list(hits.ids))
        few = with_text(text, self.store.sentences, rows, self.model.stopwords)
        return Hits.ranked(hits.ids, self.model.query_scores(few, 0, 1 + np.arange(len(rows))))

    def _hits(self, rows: NDArray[np.intp], scores: NDArray[np.float64]) -> Hits:
        ids = np.empty(len(rows), dtype=object)
        ids[:] = [self.store.ids[row] for row in rows.tolist()]
        return Hits(ids, scores)


NAME: Final = "related-best"
SAMPLE: Final = 200  # sentences
SEED: Final = 0


def best_scores(matcher: Matcher) -> Floats:
    """Give the scores of the best matches of sampled sentences in other records, ascending.

    Exactly where the model allows it, else as `Matcher.related` finds them by default.
    """
    model = matcher.model
    facts = model.to_stored()[0] if isinstance(model, TrainedModel) else {}
    digest = hashlib.blake2b(json.dumps(facts, sort_keys=True).encode(), digest_size=8)
    settings = {"model": model.name, "facts": digest.hexdigest(), "sample": SAMPLE}
    return open_derived(
        matcher.index,
        NAME,
        settings,
        lambda: _search(matcher),
        lambda stored: np.asarray(stored.arrays["best"]),
    )


def _search(matcher: Matcher) -> dict[str, NDArray[Any]]:
    store = matcher.store
    rows = np.flatnonzero(store.sentences.lengths >= LEAST_WORDS)
    rows = np.sort(np.random.default_rng(SEED).permutation(rows)[:SAMPLE])
    ids = [store.ids[row] for row in rows.tolist()]
    texts = [json.loads(line)["contents"] for line in matcher.index.raw(ids)]
    found = matcher.related(
        dict(zip(ids, texts, strict=True)),
        1,
        candidates="bm25" if matcher.scorer is None else "exact",
        without_own=True,
    )
    best = [hits.scores[0] for hits in found.values() if len(hits)]
    return {"best": np.sort(np.array(best, dtype=np.float64))}


TOGETHER: Final = BATCH
"""Topics that are matched by one process at a time."""


def related(
    index: Path,
    model: str,
    topics: Mapping[str, str],
    k: int,
    executor: Executor,
    progress: Progress | None = None,
    **settings: Any,
) -> Run:
    """Find the `k` most related sentences for each topic, as `Matcher.related` does.

    What is derived from the index should be there, or each process waits for one that makes it.

    Parameters
    ----------
    index : Path
    model : str
        A formula's name, or the folder of a trained model.
    topics : mapping of topic id to text
    k : int
    executor : Executor
    progress : callable, optional
        Gets the number of topics done, and of all.
    **settings
        Of `Matcher.related`.
    """
    place = str(Path(model).absolute()) if Path(model).is_dir() else model
    make = partial(_matching, index.absolute(), place, k, settings)
    return Run(spread(executor, make, topics, TOGETHER, progress))


def _matching(
    index: Path, model: str, k: int, settings: Mapping[str, Any]
) -> Callable[[dict[str, str]], Run]:
    matcher = Matcher(index, model)
    return lambda topics: matcher.related(topics, k, **settings)
