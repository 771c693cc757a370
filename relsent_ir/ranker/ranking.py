"""Searching and reranking by a learned ranker, and why a record is where it is."""

import logging
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from relsent_ir.errors import MismatchError
from relsent_ir.executor import batches
from relsent_ir.hits import Hits, Run
from relsent_ir.lucene.analyzers import Analysis
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.lucene.read.filters import Filters
from relsent_ir.rank import Evidence, check_topics, followed
from relsent_ir.ranker.candidates import BATCH, DEPTH, Candidates, Reader, check_runs
from relsent_ir.ranker.features import available, features
from relsent_ir.ranker.model import Learned, RankerModel, load_ranker, one_thread
from relsent_ir.typing import Floats, Progress

if TYPE_CHECKING:
    from relsent_ir.related import TrainedModel

_log = logging.getLogger("relsent_ir")

SHOWN: Final = 12
"""Features that evidence names."""
DEFAULT: Final = "ranker"
"""The name of the packaged model."""


class RankerReranker:
    """Orders records by a learned ranker.

    Parameters
    ----------
    model : str, Path or RankerModel
        The folder of a model, ``ranker`` for the packaged one, or a model.
    runs : mapping of str to Run, optional
        From elsewhere, by the names that the model was learned with.
    related : TrainedModel, optional
        A model of related sentences, in the place of the ranker's own.
    """

    remembered: dict[tuple[str, ...], Hits] | None = None
    """Where orders in one collection are kept between calls, by topic, text and hits."""

    def __init__(
        self,
        model: str | Path | RankerModel = DEFAULT,
        *,
        runs: Mapping[str, Run] | None = None,
        related: "TrainedModel | None" = None,
    ) -> None:
        if not isinstance(model, RankerModel):
            model = load_ranker(None if str(model) == DEFAULT else model)
        self.model = model
        self.runs = dict(runs or {})
        strangers = [name for name in self.runs if name not in model.runs]
        if strangers:
            known = ", ".join(model.runs) or "none"
            raise MismatchError(
                f"the ranker was not learned with a run {strangers[0]}",
                fix=f"its runs: {known}; train it with --run {strangers[0]}=FILE",
            )
        self.related = related or model.related
        self._reader: tuple[Indexes, Reader] | None = None
        self._told = False

    def reader(self, collection: Indexes, threads: int = 1, engine: str = "auto") -> Reader:
        """Give what reads candidates of a collection, the same for every call."""
        known = self._reader
        if known is None or known[0] is not collection:
            made = Reader(
                collection, related=self.related, runs=self.runs, threads=threads, engine=engine
            )
            known = self._reader = collection, made
        return known[1]

    def rerank(
        self,
        collection: Indexes,
        run: Run,
        topics: Mapping[str, str],
        *,
        progress: Progress | None = None,
    ) -> Run:
        """Score all hits of a run, which are records; see `relsent_ir.rank.Reranker`."""
        check_topics(run, topics)
        known = {} if self.remembered is None else self.remembered
        keys = {topic: (topic, topics[topic], *hits.ids.tolist()) for topic, hits in run.items()}
        asked = {topic: topics[topic] for topic, key in keys.items() if key not in known}
        check_runs(self.runs, topics)
        reader = self.reader(collection)
        done = len(run) - len(asked)
        for batch in batches(asked, BATCH):
            expanded = reader.expand(batch)
            for topic, text in batch.items():
                ids = run[topic].ids.tolist()
                candidates = reader.read(topic, text, ids, expanded)
                known[keys[topic]] = Hits.ranked(ids, self.scores(candidates)[0])
                done += 1
                if progress:
                    progress(done, len(run))
        return Run((topic, known[key]) for topic, key in keys.items())

    def scores(self, candidates: Candidates) -> tuple[Floats, Floats, Learned]:
        """Score candidates; give their features, and what weighs them, too."""
        groups = (
            available(candidates, self.model.groups) if len(candidates) else list(self.model.groups)
        )
        self._tell(groups)
        learned = self.model.without(groups)
        with one_thread():
            values = features(candidates, self.model.groups)
            return learned.scores(values), values, learned

    def evidence(self, collection: Indexes, topic: str, ids: Sequence[str]) -> list[Evidence]:
        """Say what the weightiest features of hits add to their scores.

        They are compared with the candidates of the topic, as a search finds them.
        """
        reader = self.reader(collection)
        expanded = reader.expand({"": topic})
        found = reader.search(expanded)[""].ids.tolist()
        names = list(dict.fromkeys([*found, *ids]))
        candidates = reader.read("", topic, names, expanded)
        scores, values, learned = self.scores(candidates)
        parts = learned.contributions(values)
        place = {name: number for number, name in enumerate(names)}
        order = np.argsort(-scores, kind="stable").tolist()
        rank = {names[number]: one for one, number in enumerate(order, 1)}
        titles = {one.id: one.title or one.vernacular_title for one in collection.records(ids)}
        sentence = self._sentences(collection, candidates, [place[name] for name in ids])
        return [
            Evidence(
                of[0],
                of[1] or titles[name],
                values={
                    "score": float(scores[place[name]]),
                    "rank": f"{rank[name]} of {len(names)}",
                },
                features=_weightiest(self.model.features, parts[place[name]]),
            )
            for name, of in zip(ids, sentence, strict=True)
        ]

    def _sentences(
        self, collection: Indexes, candidates: Candidates, places: Sequence[int]
    ) -> list[tuple[str, str]]:
        """Give id and text of the sentence of each hit that has most of the expanded topic."""
        store = candidates.store
        if "sentences" not in store.counts:
            return [("", "")] * len(places)
        sentences = candidates.sentences
        best = sentences.leading(sentences.expanded, np.ones(len(sentences.owners), bool), 1)
        of = {int(sentences.owners[one]): int(sentences.numbers[one]) for one in best.tolist()}
        found = []
        for place in places:
            if place not in of:
                found.append(("", ""))
                continue
            parts = collection.parts([candidates.ids[place]])[candidates.ids[place]]
            one = parts[of[place] - int(store.starts[candidates.rows[place]])]
            found.append((one.id, one.text))
        return found

    def _tell(self, groups: Sequence[str]) -> None:
        """Warn once of what the model was learned with and the index cannot give."""
        missing = [name for name in self.model.groups if name not in groups]
        if missing and not self._told:
            _log.warning(
                "the ranker does without %s: the index, or what was given, has none; "
                "it has weights for that",
                ", ".join(missing),
            )
            self._told = True


class RankerSearcher:
    """Searches in two stages: feedback finds candidates, a learned ranker orders them.

    Parameters
    ----------
    collection : Indexes
    reranker : RankerReranker
    depth : int
        Candidates of a topic; hits beyond follow in the order of the first stage.
    filters : Filters, optional
        Only what passes is found. Feedback reads the first hits of all.
    threads : int
    engine : {"auto", "lucene", "matrix"}
    """

    def __init__(
        self,
        collection: Indexes,
        reranker: RankerReranker,
        *,
        depth: int = DEPTH,
        filters: Filters | None = None,
        engine: str = "auto",
    ) -> None:
        self.collection = collection
        self.reranker = reranker
        self.depth = depth
        self.filters = filters
        self.engine = engine

    @property
    def analysis(self) -> Analysis:
        """How topics become terms."""
        return self.collection.facts.analysis

    def search(
        self,
        topics: Mapping[str, str],
        k: int = 1000,
        *,
        threads: int = 1,
        batch_size: int = BATCH,
        progress: Progress | None = None,
    ) -> Run:
        """Find the first `k` records for each topic (`relsent_ir.rank.Searcher`)."""
        check_runs(self.reranker.runs, topics)
        reader = self.reranker.reader(self.collection, threads, self.engine)
        result = Run()
        for batch in batches(topics, min(batch_size, BATCH)):
            expanded = reader.expand(batch)
            found = reader.search(expanded, max(k, self.depth), self.filters)
            for topic, text in batch.items():
                ids = found[topic].ids.tolist()
                candidates = reader.read(topic, text, ids[: self.depth], expanded)
                ranked = Hits.ranked(candidates.ids, self.reranker.scores(candidates)[0])
                result[topic] = followed(ranked, ids[self.depth :]).head(k)
                if progress:
                    progress(len(result), len(topics))
        return result


def _weightiest(names: Sequence[str], parts: Floats) -> tuple[tuple[str, float], ...]:
    order = np.argsort(-np.abs(parts), kind="stable")[:SHOWN]
    return tuple((names[one], float(parts[one])) for one in order.tolist() if parts[one])
