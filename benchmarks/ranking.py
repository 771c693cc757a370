"""What Huber+'s dense weights are learned for: attempts on the development records alone.

Word vectors, sparse weights and scales are those of one training; what differs is how the weights
of the dense features, and how much the sparse ones count, are found (`development` has the rest).

Run ``RELSENT_DATA=<data folder> python -m benchmarks.ranking --index DIR --train others``.
"""

import os
import sys
import time
from functools import partial
from typing import Any

os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"

import numpy as np

from benchmarks.common import print_table
from benchmarks.development import HEADER, Development, arguments
from relsent_ir.related import score_pairs
from relsent_ir.related.features import Sentences
from relsent_ir.related.huber_plus import HuberPlusModel
from relsent_ir.related.model import method_scores, query_method_scores
from relsent_ir.related.quality.retrieval import model_scorer
from relsent_ir.related.training import huber_plus as huber_plus_training
from relsent_ir.related.training.huber_plus import rank_weights
from relsent_ir.typing import Floats

SAMPLES = 3  # of all groups, to see how much hangs on the sample
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
    half = len(values) // 2  # each half of the records has its groups
    size = half // SAMPLES
    firsts = range(0, size * SAMPLES, size)
    parts = [np.concatenate([values[i : i + size], values[half:][i : i + size]]) for i in firsts]
    samples = [rank_weights(part, 1.0) for part in parts]
    few, many = f"ranking, {2 * size:,} groups", f"ranking, {len(values):,} groups"
    found = {f"{few}, ρ = 1, sample {i + 1}": weights for i, weights in enumerate(samples)}
    found[f"mean of these {len(samples)}"] = np.mean(samples, axis=0)
    for ridge in (10, 100):
        found[f"{few}, ρ = {ridge}, sample 1"] = rank_weights(parts[0], ridge)
    for ridge in (1, 3, 10, 30):
        found[f"{many}, ρ = {ridge}"] = rank_weights(values, ridge)
    found["pairs"] = plain
    more = found[f"{many}, ρ = 1"]
    spread = [float((values @ weights).std()) for weights in (plain, more)]
    for share in (0.25, 0.5, 0.75):
        mixed = share * plain / spread[0] + (1 - share) * more / spread[1]
        found[f"pairs {share} and ranking (ρ = 1) {1 - share}, by their spread"] = mixed
    fewer = np.append(0.0, rank_weights(values[..., 1:], 1.0))
    found["ranking (ρ = 1) without the sparse weights"] = fewer
    return {name: (max(float(w[0]), 0.0), w[1:]) for name, w in found.items()}


def main() -> None:
    """Train once, find weights, measure and print."""
    asked = arguments(__doc__)
    on = Development(asked.index, asked.train)
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
    begun = time.process_time()
    model = on.train()
    print(f"{int(on.training.sum()):,} records, {time.process_time() - begun:.0f} s", flush=True)
    turn = seen["turn"]
    weighed = Weighed(model, seen["found"].sparse)
    search = model_scorer(weighed, on.corpus, on.haystack)
    rows = []
    for name, weights in attempts(seen["values"], np.append(1.0, seen["plain"].dense)).items():
        weighed.weights = weights[0], turn @ weights[1]
        scores = weighed.scores(on.corpus.sentences, on.pairs.a, on.pairs.b)
        rows.append(on.measure(name, scores, search, partial(score_pairs, weighed)))
    print_table(HEADER, rows)


if __name__ == "__main__":
    sys.exit(main())
