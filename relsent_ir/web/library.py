"""The library of a server: the collection, with models that are opened once for all requests."""

import logging
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from threading import Event, Lock, Thread
from typing import Any, Final, TypeVar

from relsent_ir.answers.model import AnswerModel, default_model
from relsent_ir.api import Collection
from relsent_ir.citation.benchmark import read_graph
from relsent_ir.citation.graph import CitationGraph
from relsent_ir.citation.similar import Neighbours
from relsent_ir.datasets.bundled import SAMPLE
from relsent_ir.errors import RelsentError, UsageError
from relsent_ir.feedback import TermMatrix
from relsent_ir.files import sha256
from relsent_ir.hit import WordEvidence
from relsent_ir.hits import Run
from relsent_ir.rank import Explains, Reranker, SentenceReranker, open_reranker
from relsent_ir.related.calibration import Calibration, reached
from relsent_ir.related.matching.matcher import Matcher, best_scores
from relsent_ir.related.opening import check_model
from relsent_ir.relations.ranker import RelationRanker, default_ranker
from relsent_ir.themes import ThemeFinder
from relsent_ir.trec import Evaluation, evaluate
from relsent_ir.trec.qrels import Qrels, read_qrels
from relsent_ir.trec.runs import read_run
from relsent_ir.trec.topics import read_topics
from relsent_ir.web.settings import Settings

MEASURES: Final = {
    "map": "AP",
    "P_10": "P@10",
    "ndcg_cut_10": "nDCG@10",
    "recall_100": "R@100",
    "recip_rank": "RR",
}
"""trec_eval's measures of a topic, and how they are called here."""


@dataclass(frozen=True)
class Measured:
    """Runs with their judgements, as they were when the server was started.

    Attributes
    ----------
    runs : dict of str to Run
        By their files' names.
    qrels : dict of str to dict of str to int
    topics : dict of str to str
        Texts, where they were given.
    evaluations : dict of str to Evaluation
    """

    runs: Mapping[str, Run]
    qrels: Qrels
    topics: Mapping[str, str]
    evaluations: Mapping[str, Evaluation]

    @classmethod
    def read(cls, settings: Settings) -> "Measured | None":
        """Read and measure what there is; None without runs.

        Raises
        ------
        UsageError
            If two runs are called the same.
        RelsentError
            If a file cannot be read, or the runs have no judged topic.
        """
        if not settings.runs or not settings.qrels:
            return None
        names = [path.name.removesuffix(".gz").removesuffix(".txt") for path in settings.runs]
        if len(set(names)) < len(names):
            raise UsageError("two runs have one name", fix="name their files differently")
        runs = dict(zip(names, map(read_run, settings.runs), strict=True))
        qrels = read_qrels(settings.qrels)
        return cls(
            runs,
            qrels,
            read_topics(settings.topics) if settings.topics else {},
            {name: evaluate(qrels, run, MEASURES) for name, run in runs.items()},
        )


EXPORTS: Final = (("csv", "CSV"), ("ris", "RIS"), ("json", "JSON"), ("run", "TREC run"))
"""The formats in which hits can be downloaded, with their names."""

TOLD: Final = ("polarity", "direction")
"""Values of a sentence that relates two entities that are shown beside it."""

OPENED: Final = (
    "types", "has_years", "is_sample", "cut", "neighbours", "graph", "theme_finder", "answers",
    "relations",
)  # fmt: skip
"""The models and indexes that are opened when the server starts."""

KEPT: Final = 1000
"""Records whose tagged sentences are remembered: those that are read again and again."""

TYPES: Final = 40
"""Publication types that are offered as filters, at most."""

_log = logging.getLogger(__name__)
T = TypeVar("T")


@dataclass(frozen=True)
class Way:
    """A way to ask: where it is, what it is called, and what for."""

    path: str
    name: str
    about: str


class Library:
    """A collection with the models that its pages need.

    Parameters
    ----------
    collection : relsent_ir.Collection
    settings : Settings

    Attributes
    ----------
    opened : threading.Event
        Set when all is open that pages need.
    aside : concurrent.futures.Executor
        Where is worked on what no reader waits for.

    Raises
    ------
    RelsentError
        If there is no such model, or the runs cannot be read or measured.
    """

    def __init__(self, collection: Collection, settings: Settings) -> None:
        self.collection = collection
        self.indexes = collection.indexes
        self.indexes.kept = KEPT
        self.settings = settings
        check_model(settings.related)
        self.measured = Measured.read(settings)
        self.opened = Event()
        self._opening = Thread(target=self._open, name="opening")
        self.words = WordEvidence(self.indexes.facts.analysis)
        self.aside = ThreadPoolExecutor(1, thread_name_prefix="aside")
        self._lock = Lock()
        self._locks: dict[str, Lock] = {}
        self._opened: dict[str, Any] = {}
        _ = self.ranker  # what is no model is refused here and now

    def once(self, name: str, make: Callable[[], T]) -> T:
        """Make something when it is first asked for; who asks meanwhile waits for it."""
        with self._lock:
            lock = self._locks.setdefault(name, Lock())
        with lock:
            if name not in self._opened:
                self._opened[name] = make()
            opened: T = self._opened[name]
            return opened

    def begin(self) -> None:
        """Open in another thread what pages need, so that no reader waits for it."""
        self._opening.start()

    def _open(self) -> None:
        for name in OPENED:
            try:
                getattr(self, name)
            except RelsentError as error:
                _log.warning("%s", error)
        self.opened.set()

    exports = EXPORTS
    told = TOLD

    @cached_property
    def ways(self) -> list[Way]:
        """The ways to ask this collection, searching first."""
        return [
            Way("/", "Search", "words or a sentence"),
            Way(
                "/question", "A question", "what abstracts find, conclude, and which way it points"
            ),
            Way("/names", "Two names", "how two entities are related, as sentences say it"),
            Way("/themes", "Themes", "a map of what is here"),
            *([Way("/runs", "Runs", "rankings side by side")] if self.measured else []),
        ]

    @cached_property
    def name(self) -> str:
        """The name of the collection: its folder."""
        return self.indexes.folder.resolve().name

    @cached_property
    def is_sample(self) -> bool:
        """Whether records are those of the bundled sample, which are invented."""
        own = sha256(SAMPLE / "sample.xml")
        return any(source.sha256 == own for source in self.indexes.facts.sources)

    @property
    def has_moves(self) -> bool:
        """Whether sentences can be filtered by their moves."""
        return bool(self.indexes.sentences.facts.moves)

    @cached_property
    def has_years(self) -> bool:
        """Whether any record has a year."""
        return self.indexes.abstracts.without_year < len(self.indexes.abstracts)

    @cached_property
    def types(self) -> list[str]:
        """The most frequent publication types, in their alphabetical order."""
        counts = self.indexes.abstracts.values("publication_type")
        return sorted(sorted(counts, key=lambda name: -counts[name])[:TYPES])

    @property
    def ranker(self) -> Reranker | None:
        """The learned ranker, if there is one."""
        name = self.settings.ranker
        return self.once("ranker", lambda: open_reranker(name)) if name else None

    def ranks(self, unit: str) -> bool:
        """Tell whether the learned ranker orders this unit: some order records alone."""
        ranker = self.ranker
        return isinstance(ranker, SentenceReranker) or bool(ranker and unit == "abstracts")

    @property
    def explains(self) -> Explains | None:
        """The learned ranker, if it accounts for its scores."""
        return self.ranker if isinstance(self.ranker, Explains) else None

    @property
    def matcher(self) -> Matcher:
        """The matcher of related sentences."""
        return self.once("matcher", lambda: Matcher(self.indexes, self.settings.related))

    @property
    def calibration(self) -> Calibration | None:
        """The calibration of the scores of related sentences, if the model has one."""
        return getattr(self.matcher.model, "calibration", None)

    @property
    def cut(self) -> float:
        """The least score of a related sentence that is shown under another.

        Raises
        ------
        MismatchError
            If no sentence has a related one in another record.
        """
        return self.once("cut", lambda: reached(best_scores(self.matcher)))

    @property
    def neighbours(self) -> Neighbours:
        """The neighbours of articles."""

        def make() -> Neighbours:
            index = self.indexes.abstracts
            return Neighbours(TermMatrix.read(index), index.facts.analysis)

        return self.once("neighbours", make)

    @property
    def graph(self) -> CitationGraph:
        """The graph of references."""
        return self.once("graph", lambda: read_graph(self.indexes.abstracts))

    @property
    def answers(self) -> AnswerModel:
        """The model of answers."""
        return self.once("answers", default_model)

    @property
    def relations(self) -> RelationRanker:
        """The ranker of sentences that mention two entities."""
        return self.once("relations", default_ranker)

    @property
    def theme_finder(self) -> ThemeFinder:
        """The finder of themes."""
        return self.once("themes", lambda: ThemeFinder(self.indexes))

    def has(self, record_id: str) -> bool:
        """Tell whether a record is in the collection."""
        return bool(self.indexes.abstracts.documents([record_id])[0] >= 0)

    def close(self) -> None:
        """Let go of all files, once all are open."""
        self._opening.join()
        self.aside.shutdown(cancel_futures=True)
        self.collection.close()
