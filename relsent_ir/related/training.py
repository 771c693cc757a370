"""Training a model of related sentences on an index, and calibrating it."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from relsent_ir.errors import InputError
from relsent_ir.lucene.conjunctions import Conjunctions
from relsent_ir.lucene.index import Index
from relsent_ir.related.best_match import first_hits
from relsent_ir.related.calibration import Calibration
from relsent_ir.related.corpus import Corpus, held_out, read_corpus
from relsent_ir.related.huber_plus_training import train_huber_plus
from relsent_ir.related.learning import Stages, Task, train_bayes, train_huber
from relsent_ir.related.pairs import surviving
from relsent_ir.related.scoring import Model, TrainedModel
from relsent_ir.related.workshop import Workshop
from relsent_ir.text.stopwords import default_stopwords
from relsent_ir.typing import Progress

TEST_SHARE: Final = 1 / 3
CALIBRATION_SHARE: Final = 1 / 20  # of the training records; nothing else is learned from these
SAMPLE: Final = 200  # sentences whose first hits are looked for

TRAINERS: Final[dict[str, Callable[[Task], TrainedModel]]] = {
    "huber": train_huber,
    "huber-plus": train_huber_plus,
    "bayes": train_bayes,
}
"""The kinds of model that can be trained."""


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
    workshop: Workshop | None = None,
) -> TrainedModel:
    """Train a model on the neighbouring sentences of an index.

    Parameters
    ----------
    index : Index
        The abstracts of a collection.
    kind : str
        One of `TRAINERS`.
    pairs : int, optional
        How many positive pairs (with as many negative ones); all if None or if there are fewer.
    seed : int
        It decides which third of the records is left for tests, and which pairs are drawn.
    content_share : float
        The share of the sentences that hold a content word.
    all_records : bool
        Train on all records, leaving none for tests.
    stopwords : tuple of str, optional
        Those of `relsent_ir.text.stopwords` if None.
    lambda0 : float, optional
        Huber's λ0; None tunes it.
    tune_on : str
        A query: λ0 is tuned on the records that hold all of its words, the others are learned
        from meanwhile. So the paper tuned, on the subject of cardiovascular disease, where many
        sentences are of one subject and those that are unrelated hard to tell (section 2.1).
        A fifth of all records if empty.
    command : str
        What the model notes as the command that made it.
    progress : callable
        Takes the name of a stage and gives a callback for what is done, and of how much.
    workshop : Workshop, optional
        Where records are read, word pairs counted and Huber's gradients summed.

    Raises
    ------
    InputError
        If the index has no sentences, or no record holds all words of `tune_on`.
    MismatchError
        If it has too few.
    """
    stops = default_stopwords() if stopwords is None else stopwords
    workshop = workshop or Workshop()
    corpus = read_corpus(index, stops, progress=progress("Reading"), spread=workshop.spread)
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
    kept = surviving(corpus, content_share)
    task = Task(
        corpus,
        kept,
        training,
        pairs,
        seed,
        stops,
        lambda0,
        facts,
        progress,
        topical=topical,
        workshop=workshop,
    )
    return train_task(kind, task)


def records_about(index: Index, corpus: Corpus, query: str) -> NDArray[np.bool_]:
    """Tell which records hold all words of a query, stop words aside; shape (records,).

    Raises
    ------
    InputError
        If none does.
    """
    asked = Conjunctions(index)
    words = asked.query([[[word] for word in query.split()]])
    found = asked.search([[words]], len(index)) if words is not None else []
    if not any(map(len, found)):
        raise InputError(f"no record holds all words of {query!r}", fix="give another query")
    return np.isin(corpus.records, found[0].ids)


def train_task(kind: str, task: Task, *, calibrated: bool = True) -> TrainedModel:
    """Train a model on a corpus that was read, and calibrate it.

    A twentieth of the training records is left aside for the calibration.

    Parameters
    ----------
    kind : str
        One of `TRAINERS`.
    task : Task
    calibrated : bool
        Else the calibration is left out, for a model that is to score pairs only.

    Raises
    ------
    MismatchError
        If there are too few sentences.
    """
    corpus, seed = task.corpus, task.seed
    aside = task.training & calibration_records(corpus.records, seed)
    model = TRAINERS[kind](replace(task, training=task.training & ~aside))
    if calibrated:
        tick = task.progress("Calibrating")
        model.calibration = calibrate(model, corpus, task.kept, aside, seed, tick)
    return model


def calibrate(
    model: Model,
    corpus: Corpus,
    kept: NDArray[np.bool_],
    records: NDArray[np.bool_],
    seed: int,
    progress: Progress | None = None,
) -> Calibration | None:
    """Calibrate a model on records that it was not trained on.

    Parameters
    ----------
    model : Model
    corpus : Corpus
    kept : ndarray of bool, shape (sentences,)
        As `relsent_ir.related.pairs.surviving` gives them.
    records : ndarray of bool, shape (records,)
        Those that were left aside.
    seed : int
        For sampling sentences.
    progress : callable, optional
        Gets the number of sentences whose hits were found, and of all.

    Returns
    -------
    Calibration or None
        None if these records have no sentences, or no others are left to be found.
    """
    rows = np.flatnonzero(kept & records[corpus.record])
    sample = np.random.default_rng(seed).permutation(rows)[:SAMPLE]
    found = first_hits(model, corpus, kept, sample, progress)
    if found.own.all() or not found.own.any():
        return None
    best = found.best[np.isfinite(found.best)]
    return Calibration.fit(found.scores, found.own, int(kept.sum()), best)


def calibration_records(records: list[str], seed: int) -> NDArray[np.bool_]:
    """Tell which records a model is calibrated on, if they are training records."""
    return held_out([f"calibration:{name}" for name in records], seed, CALIBRATION_SHARE)
