"""Where P of a related sentence stops rising: ceilings on the score, on training records alone.

Sentences of the records that the training left aside for the calibration are searched for, as the
calibration does, but more of them. The share of right hits by quantiles of the score; then the
calibration is fitted to 200 of the sentences of four fifths, three times, and tells the hits of
the last fifth, five times over: squared error (Brier) and log loss by the share of hits above the
ceiling (the package's is ``TAIL``).

Run ``python -m benchmarks.calibration --index DIR --model MODEL [--sentences N]``; the model is one
of ``train related`` without ``--all``, on this index, all sentences of three words or more.
"""

import argparse
import os
import sys
from pathlib import Path

os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"

import numpy as np

from benchmarks.common import print_table
from relsent_ir import models
from relsent_ir.lucene.read.index import Index
from relsent_ir.related.calibration import Calibration
from relsent_ir.related.pairs import held_out, read_corpus, surviving
from relsent_ir.related.training.train import (
    CALIBRATION_SHARE,
    HITS,
    SAMPLE,
    TEST_SHARE,
    first_hits,
)

SEED = 0
QUANTILES = (0.0, 0.2, 0.4, 0.6, 0.8, 0.9, 0.95, 0.98, 0.99, 1.0)
TAILS = (0.0, 0.02, 0.05, 0.1, 0.2, 0.3)
FOLDS, REPEATS = 5, 3


def main() -> None:
    """Search, fit, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--index", type=Path, required=True)
    parser.add_argument("--model", required=True)
    parser.add_argument("--sentences", type=int, default=600)
    asked = parser.parse_args()
    model = models.load(asked.model, "related")
    with Index(asked.index) as index:
        corpus = read_corpus(index, model.stopwords)
    kept = surviving(corpus, 1.0)
    names = [f"calibration:{name}" for name in corpus.records]
    aside = held_out(names, SEED, CALIBRATION_SHARE)
    aside &= ~held_out(corpus.records, SEED, TEST_SHARE)
    rows = np.flatnonzero(kept & aside[corpus.record])
    sample = np.random.default_rng(SEED).permutation(rows)[: asked.sentences]
    found = first_hits(model, corpus, kept, sample)
    edges = np.quantile(found.scores, QUANTILES)
    place = np.clip(np.searchsorted(edges, found.scores, "right"), 1, len(edges) - 1)
    print_table(
        ["scores from", "hits", "of the same abstract"],
        [
            [
                f"{edges[i - 1]:.1f}",
                f"{(place == i).sum():,}",
                f"{found.own[place == i].mean():.3f}",
            ]
            for i in range(1, len(edges))
        ],
    )
    scores, own = (values.reshape(-1, HITS) for values in (found.scores, found.own))
    generator = np.random.default_rng(SEED + 1)
    fold = generator.permutation(len(scores)) % FOLDS
    told: dict[float, list[tuple[float, float]]] = {tail: [] for tail in TAILS}
    for i in range(FOLDS):
        asked_for, others = scores[fold == i].ravel(), np.flatnonzero(fold != i)
        right = own[fold == i].ravel()
        for _ in range(REPEATS):
            some = generator.permutation(others)[:SAMPLE]
            for tail, errors in told.items():
                fitted = Calibration.fit(scores[some].ravel(), own[some].ravel(), 1, [], tail)
                p = fitted.probability(asked_for)
                loss = -np.log(np.where(right, p, 1.0 - p)).mean()
                errors.append((float(np.mean((p - right) ** 2)), float(loss)))
    means = [(tail, *np.mean(errors, axis=0)) for tail, errors in told.items()]
    print_table(
        ["share above the ceiling", "Brier", "log loss"],
        [[f"{tail:g}", f"{brier:.4f}", f"{loss:.4f}"] for tail, brier, loss in means],
    )


if __name__ == "__main__":
    sys.exit(main())
