"""Rankers and kinds of feedback over one index, each measured once."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from statistics import mean, stdev
from typing import Final, TypeVar

import numpy as np

from relsent_ir.feedback import FeedbackSearcher, SmartSearcher, TermMatrix
from relsent_ir.feedback.pool import Documents, Pool, TermSource, Topic
from relsent_ir.feedback.sources import TITLE, MoveSentences, Tags
from relsent_ir.files import atomic_writer
from relsent_ir.hits import Run
from relsent_ir.lucene.analyzers import Analysis
from relsent_ir.lucene.read.index import Index
from relsent_ir.lucene.read.search import Searcher
from relsent_ir.lucene.write.indexing import build_index
from relsent_ir.method import parameters
from relsent_ir.methods import BM25, RM3, FromMoves, Rocchio, Smart
from relsent_ir.records import read_records
from relsent_ir.trec import Qrels, evaluate, paired_t, randomisation, read_qrels, read_topics, sign
from relsent_ir.tuning import Tuned, folds, random_splits, select
from relsent_ir.tuning.selection import Split
from relsent_ir.typing import Progress
from reproduce import page
from reproduce.page import Request, compared, interval, table

POOLS: Final = 16


class Remembering:
    """A source that caches its last pools, since settings often differ in other parameters."""

    def __init__(self, source: TermSource) -> None:
        self._source = source
        self._pools: dict[tuple[tuple[str, ...], ...], Pool] = {}

    def pool(self, topics: Mapping[str, Topic], tops: Run) -> Pool:
        """Read the texts of each topic's feedback documents, or return the cached pool."""
        key = tuple((topic, *tops[topic].ids) for topic in topics)
        if key not in self._pools:
            if len(self._pools) == POOLS:
                del self._pools[next(iter(self._pools))]
            self._pools[key] = self._source.pool(topics, tops)
        return self._pools[key]


class Shuffled(Tags):
    """The same moves, distributed at random among the sentences of each abstract: a control."""

    def __init__(self, index: Index, tags: Tags) -> None:
        super().__init__(index)
        self._real = tags

    def of(self, documents: Sequence[str]) -> list[list[tuple[str, str]]]:
        """Return each document's sentences, each with the move of another one."""
        shuffled = []
        for name, tagged in zip(documents, self._real.of(documents), strict=True):
            titles = [sentence for sentence in tagged if sentence[1] == TITLE]
            rest = tagged[len(titles) :]
            order = np.random.default_rng([*name.encode()]).permutation(len(rest))
            moves = [rest[place][1:] for place in order]
            shuffled.append(titles + [(s[0], *move) for s, move in zip(rest, moves, strict=True)])
        return shuffled


MEASURES: Final = ("map", "P.1", "num_rel_ret", "num_rel")
DEPTH: Final = 1000
FIRST: Final = 100  # hits that feedback may read
TRAINING_SHARE: Final = 0.75
SPLITS: Final = 10
DEFAULT, LARGER = BM25(0.9, 0.4), BM25(1.2, 0.75)

Ranker = BM25 | Smart
S = TypeVar("S")
Values = dict[str, dict[str, float]]


@dataclass(frozen=True)
class System:
    """A way of searching.

    Attributes
    ----------
    ranker : BM25 or Smart
    feedback : Rocchio or RM3, optional
    source : str
        Moves with weights as for `--argumentative`, with the optional prefix ``shuffled:``;
        "" for whole documents.
    """

    ranker: Ranker
    feedback: Rocchio | RM3 | None = None
    source: str = ""


class Bench:
    """Measures systems over one index; each system and each stage runs once.

    Parameters
    ----------
    folder : Path
        The collection's indexes.
    topics : dict of str to str
    qrels : Qrels
    """

    def __init__(self, folder: Path, topics: dict[str, str], qrels: Qrels) -> None:
        self.index = Index(folder)
        self.topics = topics
        self.qrels = {topic: qrels[topic] for topic in topics}
        self._tags = Tags(self.index)
        self._rankers: dict[Ranker, Searcher | SmartSearcher] = {}
        self._first: dict[Ranker, Run] = {}
        self._sources: dict[str, TermSource] = {}
        self._values: dict[System, Values] = {}
        self._matrix: TermMatrix | None = None

    def run(self, system: System) -> Run:
        """Search all topics."""
        ranker = self._ranker(system.ranker)
        if system.feedback is None:
            return ranker.search(self.topics, DEPTH)
        if system.ranker not in self._first:
            self._first[system.ranker] = ranker.search(self.topics, FIRST)
        engine = FeedbackSearcher(ranker, self.index, system.feedback, self.source(system.source))
        topics, first = self.topics, self._first[system.ranker]
        return engine.search(topics, DEPTH, first=first, batch_size=len(topics))

    def values(self, system: System) -> Values:
        """Return the measures of each topic."""
        if system not in self._values:
            self._values[system] = evaluate(self.qrels, self.run(system), MEASURES).topics
        return self._values[system]

    def score(self, system: System) -> dict[str, float]:
        """Return the average precision of each topic."""
        return {topic: measured["map"] for topic, measured in self.values(system).items()}

    def tested(self, tuned: Tuned[System], measure: str) -> list[float]:
        """Return the sums of a measure over each split's test topics, with its chosen setting."""
        return [
            sum(self.values(fold.setting)[topic][measure] for topic in fold.split.test)
            for fold in tuned.folds
        ]

    def source(self, name: str) -> TermSource:
        """Return a source of terms."""
        if "=" in name:  # tuned weights: the tags are cached, not each mixture
            return MoveSentences(self._tags, _weights(name))
        if name not in self._sources:
            kind, _, moves = name.rpartition(":")
            tags = Shuffled(self.index, self._tags) if kind == "shuffled" else self._tags
            source: TermSource = Documents(self.index)
            if name:
                source = MoveSentences(tags, _weights(moves))
            self._sources[name] = Remembering(source)
        return self._sources[name]

    def _ranker(self, ranker: Ranker) -> Searcher | SmartSearcher:
        if ranker not in self._rankers:
            if isinstance(ranker, BM25):
                self._rankers[ranker] = Searcher(self.index, ranker, engine="matrix")
            else:
                self._matrix = self._matrix or TermMatrix.read(self.index)
                analysis = self.index.facts.analysis
                self._rankers[ranker] = SmartSearcher(self._matrix, ranker, analysis)
        return self._rankers[ranker]


def paired(a: Tuned[S], b: Tuned[S]) -> tuple[list[float], list[float]]:
    """Return the values of two on the same topics, under settings chosen on other topics."""
    return page.paired(a.held_out(), b.held_out())


def crossed(tuned: Tuned[S]) -> list[str]:
    """Write the mean over held-out topics, and the standard deviation of the folds' means."""
    deviation = stdev(fold.test for fold in tuned.folds)
    return [f"{mean(tuned.held_out().values()):.4f}", f"{deviation:.3f}"]


def gains(a: Tuned[S], b: Tuned[S], tests: Iterable[Callable[..., float]]) -> list[str]:
    """Write the mean difference of two, its interval, and the p of each test."""
    first, second = paired(a, b)
    low, high = interval(first, second)
    difference = [f"{mean(first) - mean(second):+.4f}", f"{low:+.3f} to {high:+.3f}"]
    return [*difference, *(f"{test(first, second):.2g}" for test in tests)]


def systems(
    rankers: Iterable[Ranker], feedbacks: Iterable[Rocchio | RM3], source: str = ""
) -> list[System]:
    """Return all combinations."""
    return [System(ranker, feedback, source) for ranker, feedback in product(rankers, feedbacks)]


def paper_splits(topics: Iterable[str]) -> list[Split]:
    """Return ten random splits, with three quarters of the topics for the choice."""
    names = list(topics)
    return random_splits(names, round(TRAINING_SHARE * len(names)), repeats=SPLITS)


RECORDS: Final = Path("collections", "ohsumed", "ohsumed.88-91")
TOPICS: Final = Path("topics", "ohsumed.tsv")
QRELS: Final = Path("qrels", "ohsumed-88-91.txt")
"""Files of `relsent-ir fetch ohsumed`, below the current folder."""
NAME: Final = "ohsumed-88-91-abstracts"


def ohsumed(request: Request, analysis: Analysis) -> tuple[Path, dict[str, str], Qrels] | None:
    """Index the records with abstracts, and read the topics with a relevant one among them.

    Returns
    -------
    folder of the indexes, topics and qrels; None
        None if the collection is missing.
    """
    if not all(path.exists() for path in (RECORDS, TOPICS, QRELS)):
        return None
    folder = request.indexes / NAME
    records = request.indexes / f"{NAME}.jsonl.gz"
    if not records.exists():
        with atomic_writer(records) as file:
            file.writelines(
                record.to_json() + "\n" for record in read_records(RECORDS) if record.abstract
            )
    build_index([(records, "jsonl")], folder, analysis)
    with Index(folder) as index:
        ids = set(index.ids())
    qrels = {
        topic: {name: grade for name, grade in grades.items() if name in ids}
        for topic, grades in read_qrels(QRELS).items()
    }
    texts = read_topics(TOPICS)
    topics = {topic: texts[topic] for topic in texts if any(qrels.get(topic, {}).values())}
    return folder, topics, {topic: qrels[topic] for topic in topics}


PEERS: Final = ("Anserini's RM3, tuned", "Anserini's Rocchio, tuned")
OURS: Final = "ours, drawn"
DRAWN: Final = 128  # as many as the peers' settings
SEED: Final = 0
FOLDS: Final = 5
TESTS: Final = (sign, paired_t, randomisation)
RANKERS: Final = (DEFAULT, LARGER)
RM3S: Final = [
    RM3(m, k, w) for m, k, w in product((5, 10, 20, 40), (5, 10, 15, 20), (0.2, 0.35, 0.5, 0.65))
]
ANSERINI: Final = [
    Rocchio(m, k, 1.0, beta)
    for m, k, beta in product((10, 20, 40, 80), (5, 10, 15, 20), (0.5, 0.75, 1.5, 3.0))
]


def methods() -> dict[str, list[System]]:
    """Return the settings of the peers and of ours, by row."""
    return {
        "Anserini's BM25, untuned": [System(DEFAULT)],
        "Anserini's RM3, untuned": [System(DEFAULT, RM3())],
        "Anserini's Rocchio, untuned": [System(DEFAULT, Rocchio())],
        PEERS[0]: systems(RANKERS, RM3S),
        PEERS[1]: systems(RANKERS, ANSERINI),
        OURS: _drawn(),
    }


def _drawn() -> list[System]:
    """Draw settings from the whole range of Rocchio here."""
    everything = [
        System(ranker, Rocchio(m, k, 1.0, beta, 0.0, 10, 10, weighting, documents, True, most))
        for ranker, m, k, beta, weighting, documents, most in product(
            RANKERS,
            (10, 20, 50, 100),
            (5, 10, 20, 30),
            (0.5, 1.0, 2.0, 4.0, 8.0),
            ("tf", "bm25", "ltn", "dtn"),
            ("uniform", "rank", "score"),
            (0.1, 0.2, 0.5),
        )
    ]
    places = np.random.default_rng(SEED).choice(len(everything), DRAWN, replace=False)
    return [everything[place] for place in sorted(places.tolist())]


def peers(bench: Bench, steps: Progress) -> dict[str, str]:
    """Compare ours with Anserini's."""
    topics = list(bench.topics)
    several, five = paper_splits(topics), folds(topics, FOLDS)
    tuned: dict[str, tuple[Tuned[System], Tuned[System]]] = {}
    for name, settings in methods().items():
        ten = select(settings, bench.score, several, progress=steps)
        tuned[name] = ten, select(settings, bench.score, five)
    peer = max(PEERS, key=lambda name: tuned[name][0].mean)
    rows = [_row(name, *tuned[name], tuned[peer][1] if name != peer else None) for name in tuned]
    header = [
        *("", "settings", "MAP, 10 splits", "± sd", "MAP, 5 folds", "± sd"),
        *("more than the better peer", "95 %", "p (sign)", "p (t)", "p (randomisation)"),
    ]
    return {
        **_verdict(tuned[OURS][1], tuned[peer][1]),
        "peer": peer,
        "seed": str(SEED),
        "peers": table(header, rows),
        "chosen": _described(tuned[OURS][0]),
    }


def _row(
    name: str, repeated: Tuned[System], folded: Tuned[System], peer: Tuned[System] | None
) -> list[str]:
    row = [name, str(len(repeated.settings)), f"{repeated.mean:.4f}", f"{repeated.spread:.3f}"]
    against = [""] * 5 if peer is None else gains(folded, peer, TESTS)
    return [*row, *crossed(folded), *against]


def _verdict(ours: Tuned[System], theirs: Tuned[System]) -> dict[str, str]:
    a, b = paired(ours, theirs)
    low, high = interval(a, b)
    return {
        "ours": f"{mean(a):.4f}",
        "theirs": f"{mean(b):.4f}",
        "difference": f"{mean(a) - mean(b):+.4f}",
        "low": f"{low:+.4f}",
        "high": f"{high:+.4f}",
        "told": compared(mean(a), mean(b), paired_t(a, b)),
        "ahead": str(sum(x > y for x, y in zip(a, b, strict=True))),
        "topics": str(len(a)),
    }


def _described(tuned: Tuned[System]) -> str:
    chosen = [fold.setting for fold in tuned.folds]
    most = max(chosen, key=chosen.count)
    assert isinstance(most.feedback, Rocchio)
    assert isinstance(most.ranker, BM25)
    return (
        f"{most.feedback.weighting}, {most.feedback.documents}, share {most.feedback.max_df:g}, "
        f"{most.feedback.fb_terms} terms of {most.feedback.fb_docs} documents, beta "
        f"{most.feedback.beta:g}, BM25 ({most.ranker.k1}, {most.ranker.b}), "
        f"{chosen.count(most)} of {len(chosen)}"
    )


def _weights(moves: str) -> Mapping[str, float]:
    """Parse moves with weights as ``search --argumentative`` does."""
    (weights,) = parameters(FromMoves)
    return FromMoves(weights.read(moves)).weights
