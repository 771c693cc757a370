"""The test protocol: how well a model tells pairs apart, of records that it has not seen."""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from relsent_ir import models
from relsent_ir.errors import MismatchError
from relsent_ir.lucene.index import Index
from relsent_ir.related.corpus import Corpus, held_out, read_corpus
from relsent_ir.related.evaluation import break_even
from relsent_ir.related.formulas import FormulaModel
from relsent_ir.related.model import check_model, is_formula
from relsent_ir.related.pairs import draw_pairs, surviving
from relsent_ir.related.retrieval import (
    QUERIES,
    draw_haystack,
    measure_retrieval,
    model_scorer,
)
from relsent_ir.related.scoring import TrainedModel
from relsent_ir.related.statistics import Statistics
from relsent_ir.related.training import TEST_SHARE
from relsent_ir.text.stopwords import default_stopwords
from relsent_ir.typing import Progress


def unseen_records(corpus: Corpus, facts: dict[str, Any]) -> NDArray[np.bool_]:
    """Tell which records of a corpus a model was not trained on.

    On an index that shares a source file with the one it was trained on these are the third that
    its seed holds out, or none if it was trained on all records; elsewhere all records.

    Parameters
    ----------
    corpus : Corpus
    facts : dict of str to Any
        The model's: ``data``, ``seed``, ``all_records``.
    """
    if set(corpus.sources).isdisjoint(facts["data"]["sources"]):
        return np.ones(len(corpus.records), dtype=bool)
    if facts["all_records"]:
        return np.zeros(len(corpus.records), dtype=bool)
    return held_out(corpus.records, facts["seed"], TEST_SHARE)


def formula_model(
    name: str, corpus: Corpus, rows: NDArray[np.integer], stopwords: tuple[str, ...]
) -> FormulaModel:
    """Give a formula the statistics of some sentences."""
    return FormulaModel(name, Statistics.collect(corpus.sentences, rows), stopwords)


def evaluate_model(
    index: Index,
    name: str,
    *,
    pairs: int,
    seed: int = 0,
    content_share: float | None = None,
    queries: int = QUERIES,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Measure break-even and retrieval on records that the model has not seen.

    A formula is tested on the third that `seed` holds out, with the frequencies of the other two.

    Parameters
    ----------
    index : Index
        The abstracts of a collection.
    name : str
        A formula's name, or the folder of a trained model.
    pairs : int
        How many positive pairs; as many negative ones are added.
    seed : int
        For drawing pairs and breaking ties.
    content_share : float, optional
        As `relsent_ir.related.training.train`; None takes the model's, 0.5 for a formula.
    queries : int
        How many sentences look for the others of their record; see
        `relsent_ir.related.retrieval`. 0 leaves that out.
    progress : callable, optional
        Gets the number of records read, and of all.

    Returns
    -------
    dict
        ``be`` in percent, and ``pairs``, how many positive ones there were; ``retrieval``: ``map``,
        ``p_at_1``, ``queries`` and ``sentences``.

    Raises
    ------
    MismatchError
        If no unseen record is left.
    """
    check_model(name)
    trained: TrainedModel | None = None if is_formula(name) else models.load(name, "related")
    stopwords = trained.stopwords if trained else default_stopwords()
    corpus = read_corpus(index, stopwords, progress=progress)
    if content_share is None:
        content_share = trained.facts["content_share"] if trained else 0.5
    kept = surviving(corpus, content_share)
    if trained:
        records = unseen_records(corpus, trained.facts)
        if not records.any():
            raise MismatchError(
                f"no record of {index.folder} is left to test on: the model was trained on them",
                where=Path(name),
                fix="train without --all, or evaluate on another index",
            )
    else:
        records = held_out(corpus.records, seed, TEST_SHARE)
    drawn = draw_pairs(corpus, kept, records, pairs, seed)
    model = trained or formula_model(
        name, corpus, np.flatnonzero(kept & ~records[corpus.record]), stopwords
    )
    scores = model.scores(corpus.sentences, drawn.a, drawn.b)
    measured: dict[str, Any] = {
        "be": break_even(scores, drawn.related, seed),
        "pairs": len(drawn) // 2,
    }
    if queries:
        haystack = draw_haystack(corpus, kept, records, queries=queries, seed=seed)
        score = model_scorer(model, corpus, haystack)
        precision, first = measure_retrieval(haystack, score, seed)
        measured["retrieval"] = {
            "map": float(precision.mean()),
            "p_at_1": float(first.mean()),
            "queries": len(haystack.queries),
            "sentences": len(haystack.rows),
        }
    return measured
