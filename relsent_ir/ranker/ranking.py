"""Search and rerank with a learned ranker, and give the evidence for a record's rank."""

import logging
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import KW_ONLY, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from relsent_ir.dense.retrieval import Vectors
from relsent_ir.dense.rows import stored_models
from relsent_ir.errors import MismatchError, RelsentError
from relsent_ir.feedback import Engine
from relsent_ir.hits import Hits, Run, batches
from relsent_ir.lucene.analyzers import Analysis
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.lucene.read.filters import Filters
from relsent_ir.lucene.read.index import Index
from relsent_ir.methods import DEFAULT, Ranker
from relsent_ir.rank import Evidence, Query, RecordReranker, Reranker, followed, texts_of
from relsent_ir.ranker.candidates import (
    BATCH,
    DEPTH,
    CandidateReader,
    Expansions,
    TopicCandidates,
    check_runs,
)
from relsent_ir.ranker.features import features, has
from relsent_ir.ranker.model import RankerModel, fingerprint, load_ranker, one_thread
from relsent_ir.typing import Floats, Progress

if TYPE_CHECKING:
    from relsent_ir.rank import Collection
    from relsent_ir.related import TrainedModel

_log = logging.getLogger("relsent_ir")

DENSE: Final = "dense"
"""The group of features that is only used on request."""
NO_VECTORS: Final = "none"
"""Passed instead of an encoder: ignore vectors, even if they are beside the index."""
SHOWN: Final = 12
"""Number of features in evidence."""


@dataclass(frozen=True)
class Basis:
    """The candidates among which hits were ranked (`Hits.basis`).

    Attributes
    ----------
    topic : str
        The id of the topic.
    ids : list of str
    expanded : Expansions
        The expanded queries of this topic and of the others in its batch.
    """

    topic: str
    ids: list[str]
    expanded: Expansions


class RankerReranker(RecordReranker):
    """Order records with a learned ranker.

    Parameters
    ----------
    model : str, Path or RankerModel
        The folder of a model, ``ranker`` for the packaged one, or a model.
    runs : mapping of str to Run, optional
        Other systems' runs, by the names under which the model was trained with them.
    related : TrainedModel, optional
        A model of related sentences that replaces the ranker's own.
    dense : str, optional
        The folder of the encoder whose vectors the records have; `NO_VECTORS` for none. If None,
        vectors beside the index are used if they are from the model's encoder.

    Raises
    ------
    MismatchError
        If the model was not trained with such a run, or with vectors.
    """

    def __init__(
        self,
        model: str | Path | RankerModel = DEFAULT,
        *,
        runs: Mapping[str, Run] | None = None,
        related: "TrainedModel | None" = None,
        dense: str | None = None,
    ) -> None:
        if not isinstance(model, RankerModel):
            model = load_ranker(None if str(model) == DEFAULT else model)
        self.model = model
        self.runs = dict(runs or {})
        strangers = [name for name in self.runs if name not in model.runs]
        if strangers:
            names = ", ".join(model.runs) or "none"
            raise MismatchError(
                f"the ranker was not learned with a run {strangers[0]}",
                fix=f"its runs: {names}; train it with --run {strangers[0]}=FILE",
            )
        if dense not in (None, NO_VECTORS) and DENSE not in model.groups:
            raise MismatchError(
                "the ranker was not learned with vectors", fix="train it with --dense MODEL"
            )
        self.dense = dense
        self.related = related or model.related
        self._reader: CandidateReader | None = None
        self._warned = False

    def reader(
        self, collection: Indexes, threads: int = 1, engine: Engine | str = "auto"
    ) -> CandidateReader:
        """Return the reader of a collection's candidates, which is cached."""
        reader = self._reader
        if reader is None or reader.collection.abstracts is not collection.abstracts:
            reader = self._reader = CandidateReader(
                collection,
                related=self.related,
                runs=self.runs,
                threads=threads,
                engine=engine,
                vectors=self._vectors(collection.abstracts),
            )
        return reader

    def _vectors(self, index: Index) -> Vectors | None:
        """Open the requested vectors, or those beside the index."""
        if self.dense:
            return None if self.dense == NO_VECTORS else Vectors.open(index, self.dense)
        folder = stored_models(index).get(self.model.facts.get("encoder", ""))
        if folder is None or DENSE not in self.model.groups:
            return None
        try:
            vectors = Vectors.open(index, str(folder))
        except RelsentError as error:
            _log.warning("the ranker does without the vectors beside the index: %s", error)
            return None
        _log.warning(
            "the ranker takes the vectors of %s that lie beside the index; --dense none leaves "
            "them out",
            folder.name,
        )
        return vectors

    def score(
        self, collection: "Collection", run: Run, topics: Mapping[str, str]
    ) -> Iterator[Floats]:
        """Score hits that are records; see `relsent_ir.rank.RecordReranker`."""
        check_runs(self.runs, topics)
        self.warn_learned(topics)
        reader = self.reader(collection.indexes)
        for batch in batches({topic: topics[topic] for topic in run}, BATCH):
            expanded = reader.expand(batch)
            for topic, text in batch.items():
                yield self.scores(reader.read(topic, text, run[topic].ids.tolist(), expanded))[0]

    def scores(self, candidates: TopicCandidates) -> tuple[Floats, Floats, list[str]]:
        """Score candidates; warn once of groups that the model has and the index lacks.

        Returns
        -------
        scores : ndarray of float64, shape (n,)
        values : ndarray of float64, shape (n, features)
        groups : list of str
            The available groups.
        """
        groups = [
            name for name in self.model.groups if not len(candidates) or has(candidates, name)
        ]
        missing = [name for name in self.model.groups if name not in (*groups, DENSE)]
        if missing and not self._warned:
            _log.warning(
                "the ranker ranks without %s, which this collection does not have",
                ", ".join(missing),
            )
            self._warned = True
        with one_thread():
            values = features(candidates, self.model.groups)
            return self.model.scores(values, groups), values, groups

    def evidence(self, collection: "Collection", topic: str, hits: Hits) -> list[Evidence]:
        """Return how much the weightiest features of hits contribute to their scores.

        Hits are compared with the candidates of the search that found them (`Basis`), or, if they
        are from elsewhere, with the candidates of a new search.
        """
        reader, basis = self.reader(collection.indexes), hits.basis
        if not isinstance(basis, Basis):
            expanded = reader.expand({"": topic})
            basis = Basis("", reader.search(expanded)[""].ids.tolist(), expanded)
        names = list(dict.fromkeys([*basis.ids, *hits.ids.tolist()]))
        candidates = reader.read(basis.topic, topic, names, basis.expanded)
        scores, values, groups = self.scores(candidates)
        features_of, parts = self.model.contributions(values, groups)
        rows = {name: row for row, name in enumerate(names)}
        order = np.argsort(-scores, kind="stable").tolist()
        ranks = {names[row]: rank for rank, row in enumerate(order, 1)}
        best: dict[int, int] = {}  # each record's sentence with most of the expanded topic
        if "sentences" in candidates.store.counts:
            parts_of = candidates.sentences
            leading = parts_of.leading(parts_of.expanded, np.ones(len(parts_of.owners), bool), 1)
            owners = parts_of.owners[leading]
            numbers = parts_of.numbers[leading] - candidates.store.starts[candidates.rows[owners]]
            best = dict(zip(owners.tolist(), numbers.tolist(), strict=True))
        evidence = []
        for passage in collection.indexes.read(hits.ids.tolist(), moves=False):
            row = rows[passage.id]
            record = passage.record
            name, text = "", record.title or record.vernacular_title
            if row in best:
                sentence = passage.sentences[best[row]]
                name, text = sentence.id, sentence.text or text
            told: dict[str, str | float | list[str]] = {
                "score": float(scores[row]),
                "rank": f"{ranks[passage.id]} of {len(names)}",
            }
            first = np.argsort(-np.abs(parts[row]), kind="stable")[:SHOWN].tolist()
            shown = ((features_of[place], float(parts[row, place])) for place in first)
            weightiest = tuple((feature, part) for feature, part in shown if part)
            evidence.append(Evidence(name, text, values=told, features=weightiest))
        return evidence

    def warn_learned(self, topics: Mapping[str, str]) -> None:
        """Warn of topics that the model was trained on: their results are no fair measurement."""
        learned = set(self.model.facts.get("seen", ()))
        known = sum(fingerprint(text) in learned for text in topics.values())
        if known:
            _log.warning(
                "the ranker was learned from %d of these %d topics: to measure it, "
                "train ranker --folds 5 --folds-run RUN",
                known,
                len(topics),
            )


@dataclass(eq=False)
class StagedSearcher(ABC):
    """Search in two stages, in batches of topics; a subclass ranks a batch.

    Parameters
    ----------
    collection : Indexes
    reranker : RankerReranker
    filters : Filters, optional
        Only documents that pass are found; feedback still reads the first hits of all documents.
    """

    collection: Indexes
    reranker: RankerReranker
    _: KW_ONLY
    filters: Filters | None = None

    def __post_init__(self) -> None:
        self.analysis: Analysis = self.collection.facts.analysis

    def search(
        self,
        topics: Mapping[str, Query],
        k: int = 1000,
        *,
        threads: int = 1,
        batch_size: int = BATCH,
        progress: Progress | None = None,
    ) -> Run:
        """Find the first `k` hits for each topic (`relsent_ir.rank.TopicSearcher`)."""
        texts = texts_of(topics)
        check_runs(self.reranker.runs, texts)
        self.reranker.warn_learned(texts)
        result = Run()
        for batch in batches(texts, min(batch_size, BATCH)):
            for topic, hits in self.rank(batch, k, threads):
                result[topic] = hits
                if progress:
                    progress(len(result), len(topics))
        return result

    @abstractmethod
    def rank(self, topics: Mapping[str, str], k: int, threads: int) -> Iterator[tuple[str, Hits]]:
        """Yield each topic of a batch with its first `k` hits."""


@dataclass(eq=False, kw_only=True)
class RankerSearcher(StagedSearcher):
    """Search for records: feedback finds candidates, a learned ranker orders them.

    Parameters
    ----------
    collection : Indexes
    reranker : RankerReranker
    depth : int
        Number of candidates of a topic; further hits follow in the order of the first stage.
    filters : Filters, optional
    engine : Engine or {"auto", "lucene", "matrix"}
        An engine of the same collection, or the way in which a new engine searches.
    """

    depth: int = DEPTH
    engine: Engine | str = "auto"

    def rank(self, topics: Mapping[str, str], k: int, threads: int) -> Iterator[tuple[str, Hits]]:
        """Yield each topic of a batch with its first `k` records."""
        reader = self.reranker.reader(self.collection, threads, self.engine)
        expanded = reader.expand(topics)
        first = reader.search(expanded, max(k, self.depth), self.filters)
        nearest = reader.nearest(topics, filters=self.filters)
        for topic, text in topics.items():
            ids = first[topic].ids.tolist()
            chosen = list(dict.fromkeys([*ids[: self.depth], *nearest[topic]]))
            candidates = reader.read(topic, text, chosen, expanded)
            ranked = Hits.ranked(candidates.ids, self.reranker.scores(candidates)[0])
            known = set(nearest[topic])
            others = [name for name in ids[self.depth :] if name not in known]
            hits = followed(ranked, others).head(k)
            yield topic, replace(hits, basis=Basis(topic, candidates.ids, expanded))


def open_reranker(
    stage: Ranker, rerankers: dict[tuple[str, ...], Reranker], runs: Mapping[str, Run] | None = None
) -> Reranker:
    """Open the reranker of a stage, or return it if it is open."""
    names = (f"{name} {id(run)}" for name, run in (runs or {}).items())
    key = "ranker", stage.model, stage.related or "", stage.dense or "", *names
    if key not in rerankers:
        from relsent_ir.related.store import load_related

        rerankers[key] = RankerReranker(
            stage.model,
            runs=runs,
            related=load_related(stage.related) if stage.related else None,
            dense=stage.dense,
        )
    return rerankers[key]
