"""From topics to candidates: searching, expanding the topics, and reading what features need."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from relsent_ir.errors import MismatchError
from relsent_ir.feedback import Engine, FeedbackSearcher
from relsent_ir.hits import Hits, Run
from relsent_ir.lucene.collection import Collection
from relsent_ir.lucene.filters import Filters
from relsent_ir.lucene.search import BM25, Searcher
from relsent_ir.ranker.candidates import LEAD, Candidates, Expanded, Related
from relsent_ir.ranker.features.feedback import FEEDBACKS
from relsent_ir.ranker.store import Store, open_store
from relsent_ir.ranker.weighting import Query
from relsent_ir.typing import Progress

if TYPE_CHECKING:
    from relsent_ir.related import Model

DEPTH: Final = 1000
"""Candidates of a topic."""
BATCH: Final = 32
"""Topics that are expanded at once."""
CONTENTS: Final = "contents"


class Reader:
    """Finds and reads candidates in one collection.

    Parameters
    ----------
    collection : Collection
    related : Model or Path, optional
        A trained model of related sentences for the group of that name.
    runs : mapping of str to Run
        From elsewhere, by the names that the model knows them by.
    field : str
        Where the first hits are searched, and the counts that stand for the whole record.
    without_own : bool
        A topic's id is that of a record, which is no hit of its own, nor feedback for it.
    threads : int
        Of the searches.
    engine : {"auto", "lucene", "matrix"}
    progress : callable, optional
        Gets the number of records read, and of all, when the store is built.
    """

    def __init__(
        self,
        collection: Collection,
        *,
        related: "Model | None" = None,
        runs: Mapping[str, Run] | None = None,
        field: str = CONTENTS,
        without_own: bool = False,
        threads: int = 1,
        engine: str = "auto",
        progress: Progress | None = None,
    ) -> None:
        self.collection = collection
        self.runs = dict(runs or {})
        self.field = field
        self.without_own = without_own
        self.threads = threads
        self._engine = Engine(collection, engine=engine)
        self._related_model = related
        self._progress = progress

    @cached_property
    def store(self) -> Store:
        """What features are computed from."""
        return open_store(self.collection, self._progress)

    @cached_property
    def _related(self) -> Related | None:
        if self._related_model is None:
            return None
        from relsent_ir.related.store.sentences import open_store as open_sentences

        model = self._related_model
        return Related(model, open_sentences(self.collection.sentences, model.stopwords))

    def expand(self, topics: Mapping[str, str]) -> dict[str, dict[str, dict[str, float]]]:
        """Expand topics by each feedback.

        Returns
        -------
        dict of str to dict of str to dict of str to float
            By the feedback's name and the topic, the weights of terms.
        """
        fields = None if self.field == CONTENTS else {self.field: 1.0}
        firsts: dict[BM25, Run] = {}
        found = {}
        for name, (ranker, feedback) in FEEDBACKS.items():
            searcher = self._engine.searcher(ranker, feedback=feedback)
            assert isinstance(searcher, FeedbackSearcher)
            if ranker not in firsts:
                first = Searcher(
                    self._engine.index, ranker, fields=fields, engine=self._engine.engine
                )
                depth = max(of.fb_docs for _, of in FEEDBACKS.values())
                firsts[ranker] = self._others(
                    first.search(topics, depth + self.without_own, threads=self.threads)
                )
            expanded = searcher.expand(topics, first=firsts[ranker])
            found[name] = {topic: of.weights for topic, of in expanded.items()}
        return found

    def search(
        self,
        expanded: Mapping[str, Mapping[str, Mapping[str, float]]],
        k: int = DEPTH,
        filters: Filters | None = None,
    ) -> Run:
        """Find the first `k` records for topics as `expand` gives them."""
        ranker, _ = FEEDBACKS[LEAD]
        searcher = Searcher(self._engine.index, ranker, filters=filters, engine=self._engine.engine)
        found = searcher.search(expanded[LEAD], k + self.without_own, threads=self.threads)
        return self._others(found).head(k)

    def read(
        self,
        topic: str,
        text: str,
        ids: list[str],
        expanded: Mapping[str, Mapping[str, Mapping[str, float]]],
    ) -> Candidates:
        """Read the candidates of one topic.

        Raises
        ------
        MismatchError
            If one is no record of the index.
        """
        store = self.store
        if self.field != CONTENTS:
            counts = {**store.counts, CONTENTS: store.counts[self.field]}
            store = replace(store, counts=counts)
        terms = Counter(self._engine.index.facts.analysis.terms(text))
        return Candidates(
            store,
            text,
            ids,
            self.store.rows(ids),
            self._query(terms),
            {
                name: Expanded(self._query(of[topic]), ranker.k1, ranker.b)
                for name, of in expanded.items()
                for ranker in [FEEDBACKS[name][0]]
            },
            {name: run.get(topic, Hits.ranked([], [])) for name, run in self.runs.items()},
            self._related,
        )

    def _query(self, bag: Mapping[str, float]) -> Query:
        places = self.store.terms.locate(list(bag)).astype(np.intp)
        weights = np.array(list(bag.values()), dtype=np.float64)
        known = places >= 0
        return Query(places[known], weights[known])

    def _others(self, run: Run) -> Run:
        """Leave each topic's own record out, if that is asked for."""
        if not self.without_own:
            return run
        return Run((topic, hits.without(topic)) for topic, hits in run.items())


def check_runs(runs: Mapping[str, Run], topics: Mapping[str, str]) -> None:
    """See that runs from elsewhere are of these topics, and that their scores are numbers.

    Raises
    ------
    MismatchError
    """
    for name, run in runs.items():
        common = [topic for topic in topics if topic in run]
        if not common:
            raise MismatchError(f"the run {name} has none of the topics")
        for topic in common:
            if not np.isfinite(run[topic].scores).all():
                raise MismatchError(f"the run {name} has a score that is no number, topic {topic}")
