"""What Huber+'s dense weights are learned for: attempts, on the development records alone.

OHSUMED's records, which no test of ``reproduce smith-wilbur-2010`` holds, are tested on; trained is
without them, on all but the citation-screening records (``--train others``), or on those alone
(``--train screening``: few records, three subjects). Word vectors, sparse weights and scales are
those of one training; what differs is how the weights of the dense features, and how much the
sparse ones count, are found. BIOSSES is shown, and chooses nothing.

Run ``RELSENT_DATA=<data folder> python benchmarks/ranking.py --index DIR --train others``.
"""

import argparse
import os
import sys
import time
from functools import partial
from pathlib import Path
from typing import Any

os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"

import numpy as np
from common import data_file, print_table

from relsent_ir.experiments.page import silent
from relsent_ir.experiments.smith_wilbur_2010.biosses import measure_biosses
from relsent_ir.experiments.smith_wilbur_2010.protocol import SEED
from relsent_ir.experiments.smith_wilbur_2010.sources import APART, TUNED_ON
from relsent_ir.lucene.index import Index
from relsent_ir.related import huber_plus_training, score_pairs
from relsent_ir.related.corpus import read_corpus
from relsent_ir.related.evaluation import break_even
from relsent_ir.related.features import Sentences
from relsent_ir.related.huber_plus import HuberPlusModel
from relsent_ir.related.learning import Task
from relsent_ir.related.pairs import draw_pairs, surviving
from relsent_ir.related.ranking import GROUPS, rank_weights
from relsent_ir.related.retrieval import draw_haystack, measure_retrieval, model_scorer
from relsent_ir.related.scoring import method_scores, query_method_scores
from relsent_ir.related.training import train_task
from relsent_ir.text.stopwords import default_stopwords
from relsent_ir.typing import Floats

PAIRS = 30_000
QUERIES = 300
MORE = 3  # times as many groups as by default
Weights = tuple[float, Floats]  # of the sparse score, and of the scaled dense features


class Weighed(HuberPlusModel):
    """A model whose features are worked out once for many weights."""

    def __init__(self, model: HuberPlusModel, scale: float) -> None:
        self.__dict__.update(model.__dict__)
        self.scale = scale  # of the sparse weights in the model
        self.weights: Weights = scale, model.dense
        self.of: dict[Any, tuple[Floats, Floats]] = {}

    def _score(self, sparse: Floats, dense: Floats) -> Floats:
        return self.weights[0] * sparse + dense @ self.weights[1]

    def scores(self, sentences: Sentences, a: Any, b: Any) -> Floats:
        """Score pairs."""
        key = len(sentences), len(a)
        if key not in self.of:
            bound, measures = self._on(sentences.lexicon)
            found = method_scores([bound, *measures.formulas], sentences, a, b)
            values = measures.of_pairs(found[1:], sentences, a, b)
            self.of[key] = found[0] / self.scale, self.scaling.apply(values)
        return self._score(*self.of[key])

    def query_scores(self, sentences: Sentences, query: int, rows: Any) -> Floats:
        """Score a query's candidates."""
        if query not in self.of:
            bound, measures = self._on(sentences.lexicon)
            some = sentences, query, rows
            found = query_method_scores([bound, *measures.formulas], *some)
            values = self.scaling.apply(measures.of_query(found[1:], *some))
            self.of[query] = found[0] / self.scale, values.astype(np.float32)
        return self._score(*self.of[query])


def attempts(values: Floats, plain: Floats) -> dict[str, Weights]:
    """Find weights in different ways.

    Parameters
    ----------
    values : ndarray of float64, shape (groups, 1 + others, 1 + dense)
        The sparse score, and the dense features.
    plain : ndarray of float64, shape (1 + dense,)
        The weights that minimise the Huber cost on pairs.
    """
    half, size = len(values) // 2, GROUPS // 2  # each half of the records has its groups
    firsts = range(0, half - size + 1, size)
    parts = [np.concatenate([values[i : i + size], values[half:][i : i + size]]) for i in firsts]
    samples = [rank_weights(part, 1.0) for part in parts]
    found = {f"ranking, {GROUPS:,} groups, ρ = 1, sample {i + 1}": w for i, w in enumerate(samples)}
    found[f"mean of these {len(samples)}"] = np.mean(samples, axis=0)
    for ridge in (10, 100):
        found[f"ranking, {GROUPS:,} groups, ρ = {ridge}, sample 1"] = rank_weights(parts[0], ridge)
    for ridge in (1, 3, 10, 30):
        found[f"ranking, {len(values):,} groups, ρ = {ridge}"] = rank_weights(values, ridge)
    found["pairs"] = plain
    more = found[f"ranking, {len(values):,} groups, ρ = 1"]
    spread = [float((values @ weights).std()) for weights in (plain, more)]
    for share in (0.25, 0.5, 0.75):
        mixed = share * plain / spread[0] + (1 - share) * more / spread[1]
        found[f"pairs {share} and ranking (ρ = 1) {1 - share}, by their spread"] = mixed
    fewer = np.append(0.0, rank_weights(values[..., 1:], 1.0))
    found["ranking (ρ = 1) without the sparse weights"] = fewer
    return {name: (max(float(w[0]), 0.0), w[1:]) for name, w in found.items()}


def main() -> None:
    """Train once, find weights, measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--index", type=Path, required=True)
    parser.add_argument("--train", choices=["others", "screening"], required=True)
    asked = parser.parse_args()
    stopwords = default_stopwords()
    with Index(asked.index) as index:
        corpus = read_corpus(index, stopwords)
    apart, tested = (
        np.array([name.startswith(prefix) for name in corpus.records])
        for prefix in (APART, TUNED_ON)
    )
    kept = surviving(corpus, 1.0)
    training = apart if asked.train == "screening" else ~apart & ~tested
    seen: dict[str, Any] = {}
    rank = huber_plus_training._ranked

    def watched(*given: Any) -> Any:
        seen.update(turn=given[-2], plain=given[-1], found=rank(*given))
        return seen["found"]

    def watched_weights(values: Floats) -> Floats:
        seen["values"] = values  # the last call's are those of all features
        return rank_weights(values)

    huber_plus_training._ranked = watched
    huber_plus_training.rank_weights = watched_weights
    huber_plus_training.GROUPS = MORE * GROUPS
    begun = time.process_time()
    task = Task(
        corpus, kept, training, PAIRS, SEED, stopwords, None, {}, lambda _stage: silent
    )  # fmt: skip
    model = train_task("huber-plus", task, calibrated=False)
    assert isinstance(model, HuberPlusModel)
    print(f"{int(training.sum()):,} records, {time.process_time() - begun:.0f} s", flush=True)
    turn = seen["turn"]
    ways = attempts(seen["values"], np.append(1.0, seen["plain"].dense))
    haystack = draw_haystack(corpus, kept, tested, queries=QUERIES, seed=SEED)
    drawn = np.bincount(haystack.record, minlength=len(corpus.records)) > 0
    pairs = draw_pairs(corpus, kept, drawn, None, SEED)
    weighed = Weighed(model, seen["found"].sparse)
    search = model_scorer(weighed, corpus, haystack)
    rows = []
    for name, (sparse, dense) in ways.items():
        weighed.weights = sparse, turn @ dense
        be = break_even(weighed.scores(corpus.sentences, pairs.a, pairs.b), pairs.related, SEED)
        precision, first = measure_retrieval(haystack, search, SEED)
        people = data_file("similarity/biosses.tsv")
        told = measure_biosses(people, {name: partial(score_pairs, weighed)})[name]
        agreed = f"{told.pearson:.3f} / {told.spearman:.3f}"
        rows.append([name, f"{be:.2f}", f"{precision.mean():.3f}", f"{first.mean():.3f}", agreed])
    print_table(["weights", "BE", "MAP", "P@1", "BIOSSES"], rows)


if __name__ == "__main__":
    sys.exit(main())
