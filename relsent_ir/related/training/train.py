"""Train a model of related sentences on an index, and calibrate it.

The calibration needs the first hits of sampled sentences, with their scores. The search is like
`relsent_ir.related.matching.exact`, but simpler, among sentences in memory: they are scored in
order of an upper bound until no other can be better. Huber+ scores its best candidates.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from relsent_ir.errors import InputError
from relsent_ir.executor import SERIAL, Executor
from relsent_ir.lucene.read.conjunctions import Conjunctions
from relsent_ir.lucene.read.index import Index
from relsent_ir.related.calibration import Calibration
from relsent_ir.related.features import presence
from relsent_ir.related.huber_plus import CandidateModel, HuberPlusModel
from relsent_ir.related.matching.exact import sentence_numbers
from relsent_ir.related.measures import Measures
from relsent_ir.related.model import Model, TrainedModel, query_method_scores
from relsent_ir.related.pairs import Corpus, held_out, read_corpus, surviving
from relsent_ir.related.training.huber_plus import train_huber_plus
from relsent_ir.related.training.learning import Stages, Task, train_bayes, train_huber
from relsent_ir.related.vectors import Vectors, sentence_vectors
from relsent_ir.related.weights import BoundWeights, WeightModel
from relsent_ir.text.words import default_stopwords
from relsent_ir.typing import Floats, NDArray, Progress

CANDIDATES: Final = 1000
HITS: Final = 10
_FIRST: Final = 4096  # sentences scored first


@dataclass(frozen=True)
class FirstHits:
    """The first hits of sampled sentences among all other sentences.

    Attributes
    ----------
    scores : ndarray of float64, shape (hits,)
        Scores of the first `HITS` sentences for each sample, including those of its own record.
    own : ndarray of bool, shape (hits,)
        Whether the hit is from the sentence's own record.
    best : ndarray of float64, shape (sampled sentences,)
        The best score of a sentence of another record; minus infinity if there is none.
    """

    scores: Floats
    own: NDArray[np.bool_]
    best: Floats


def first_hits(
    model: Model,
    corpus: Corpus,
    eligible: NDArray[np.bool_],
    sample: NDArray[np.integer],
    progress: Progress | None = None,
) -> FirstHits:
    """Find the first hits of sentences, and the scores of the best matches in other records.

    Parameters
    ----------
    model : Model
        A model of weights, or Huber+.
    corpus : Corpus
    eligible : ndarray of bool, shape (sentences,)
        The sentences that can be hits.
    sample : ndarray of int
        Rows of the corpus to search with.
    progress : callable, optional
        Called with the number of sentences done and the total.
    """
    sentences, linear = corpus.sentences, model
    unit, weight = np.zeros((len(corpus), 1), dtype=np.float32), 0.0
    if isinstance(model, HuberPlusModel):
        linear, weight = model.candidates, float(model.candidate_weights[1])
        vectors = Measures(model.knowledge, sentences.lexicon).vectors
        unit = sentence_vectors(sentences.words, vectors)
    assert isinstance(linear, WeightModel | CandidateModel)
    search = _searching(linear.on(sentences.lexicon), corpus, eligible, unit, weight)
    best = np.full(len(sample), -np.inf)
    hits, owns = [np.empty(0)], [np.empty(0, dtype=bool)]
    for i, query in enumerate(sample.tolist()):
        if model is linear:
            scores = search(query, HITS)[1]
        else:
            rows = search(query, CANDIDATES)[0]
            scores = model.query_scores(sentences, query, rows)
        best[i] = scores.max(initial=-np.inf)
        beside = np.flatnonzero(eligible & (corpus.record == corpus.record[query]))
        beside = beside[beside != query]
        together = np.append(scores, model.query_scores(sentences, query, beside))
        first = np.argsort(-together, kind="stable")[:HITS]
        hits.append(together[first])
        owns.append(first >= len(scores))
        if progress:
            progress(i + 1, len(sample))
    return FirstHits(np.concatenate(hits), np.concatenate(owns), best)


def _searching(
    method: BoundWeights, corpus: Corpus, eligible: NDArray[np.bool_], unit: Vectors, weight: float
) -> Callable[[int, int], tuple[NDArray[np.intp], Floats]]:
    """Return a function that searches a corpus by linear weights and the cosines of vectors."""
    sentences, record = corpus.sentences, corpus.record
    alone = sentence_numbers(method, sentences)
    words = presence(sentences.words, np.float64)
    table = presence(sentences.lexicon.table, np.float64)

    def search(query: int, k: int) -> tuple[NDArray[np.intp], Floats]:
        """Find the `k` best sentences of other records; return rows and scores, unsorted."""
        features = sentences.counts(slice(query, query + 1)).indices
        gains = np.zeros(len(sentences.lexicon))
        gains[features] = np.maximum(method.shared[features], 0.0)
        bounds = words @ (table @ gains)
        cosines = weight * (unit @ unit[query]).astype(np.float64)
        bounds += alone + alone[query] + method.threshold + cosines
        bounds[~eligible | (record == record[query])] = -np.inf
        possible = int(np.isfinite(bounds).sum())
        count = min(max(_FIRST, k), possible)
        while True:
            rows = np.argpartition(-bounds, count - 1)[:count] if count else np.arange(0)
            scores = query_method_scores([method], sentences, query, rows)[0] + cosines[rows]
            first = np.argsort(-scores, kind="stable")[:k]
            if count == possible or scores[first[-1]] >= bounds[rows].min():
                return rows[first], scores[first]
            count = min(4 * count, possible)

    return search


TEST_SHARE: Final = 1 / 3
CALIBRATION_SHARE: Final = 1 / 20  # of the training records, used for nothing else
SAMPLE: Final = 200  # sentences whose first hits are used for calibration

TRAINERS: Final[dict[str, Callable[[Task], TrainedModel]]] = {
    "huber": train_huber,
    "huber-plus": train_huber_plus,
    "bayes": train_bayes,
}
"""The kinds of models that can be trained."""


def train(
    index: Index,
    kind: str,
    *,
    pairs: int | None = None,
    seed: int = 0,
    content_share: float = 0.5,
    all_records: bool = False,
    stopwords: tuple[str, ...] | None = None,
    lambda0: float | None = None,
    tune_on: str = "",
    command: str = "",
    progress: Stages = lambda _: lambda _done, _total: None,
    executor: Executor = SERIAL,
) -> TrainedModel:
    """Train a model on neighbouring sentences of an index.

    Parameters
    ----------
    index : Index
        The index of the abstracts of a collection.
    kind : str
        One of `TRAINERS`.
    pairs : int, optional
        The number of positive pairs, with as many negative pairs; if None or too large, all are
        used.
    seed : int
        Seed for the third of the records held out for tests, and for the pairs.
    content_share : float
        The share of sentences that count as having a content word.
    all_records : bool
        Train on all records, without holding out any for tests.
    stopwords : tuple of str, optional
        If None, the stop words of `relsent_ir.text.words`.
    lambda0 : float, optional
        λ0 of Huber; None to tune it.
    tune_on : str
        A query: λ0 is tuned on the records that have all its words, with weights learned from the
        others. The paper tuned on cardiovascular disease, a topic with many sentences, where
        unrelated ones are hard to recognise (section 2.1). If empty, λ0 is tuned on a fifth of all.
    command : str
        The command that trained the model, stored with its facts.
    progress : callable
        Called with the name of a stage; returns a progress callback for it.
    executor : Executor
        Reads the sentences if the store is missing.

    Raises
    ------
    InputError
        If the index has no sentences, or no record has all words of `tune_on`.
    MismatchError
        If the index has too few sentences.
    """
    stops = default_stopwords() if stopwords is None else stopwords
    corpus = read_corpus(index, stops, progress=progress("Reading"), executor=executor)
    training = np.ones(len(corpus.records), dtype=bool)
    if not all_records:
        training = ~held_out(corpus.records, seed, TEST_SHARE)
    topical = records_about(index, corpus, tune_on) if tune_on else None
    facts: dict[str, Any] = {
        "command": command,
        "data": corpus.fingerprint,
        "seed": seed,
        "all_records": all_records,
        "content_share": content_share,
    }
    if topical is not None:
        facts["tuned_on"] = {"query": tune_on, "records": int((topical & training).sum())}
    eligible = surviving(corpus, content_share)
    settings = pairs, seed, stops, lambda0, facts, progress
    task = Task(corpus, eligible, training, *settings, topical=topical)
    return train_task(kind, task)


def records_about(index: Index, corpus: Corpus, query: str) -> NDArray[np.bool_]:
    """Select the records that have all words of a query except stop words; shape (records,).

    Raises
    ------
    InputError
        If there is no such record.
    """
    conjunctions = Conjunctions(index)
    words = conjunctions.words(query)
    hits = conjunctions.search([[words]], len(index)) if words is not None else []
    if not any(map(len, hits)):
        raise InputError(f"no record holds all words of {query!r}", fix="give another query")
    return np.isin(corpus.records, hits[0].ids)


def train_task(kind: str, task: Task, *, calibrated: bool = True) -> TrainedModel:
    """Train a model on the corpus of a task, and calibrate it.

    A twentieth of the training records is reserved for the calibration; there is none if these
    records have no sentences, or there are no others to search.

    Parameters
    ----------
    kind : str
        One of `TRAINERS`.
    task : Task
    calibrated : bool
        Whether to calibrate; this is unnecessary for a model that only scores pairs.

    Raises
    ------
    MismatchError
        If there are too few sentences.
    """
    corpus, eligible, seed = task.corpus, task.eligible, task.seed
    names = [f"calibration:{name}" for name in corpus.records]
    aside = task.training & held_out(names, seed, CALIBRATION_SHARE)
    model = TRAINERS[kind](replace(task, training=task.training & ~aside))
    if calibrated:
        rows = np.flatnonzero(eligible & aside[corpus.record])
        sample = np.random.default_rng(seed).permutation(rows)[:SAMPLE]
        hits = first_hits(model, corpus, eligible, sample, task.progress("Calibrating"))
        if hits.own.any() and not hits.own.all():
            best = hits.best[np.isfinite(hits.best)]
            model.calibration = Calibration.fit(hits.scores, hits.own, int(eligible.sum()), best)
    return model
