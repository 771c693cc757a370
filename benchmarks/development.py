"""Development records of related sentences: OHSUMED's, which no test of the results page holds.

Trained is without them: on all but the citation-screening records (``--train others``), or on those
alone (``--train screening``: few records, three subjects). BIOSSES is shown, and chooses nothing.
"""

import argparse
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.common import data_file
from relsent_ir.lucene.read.index import Index
from relsent_ir.related.huber_plus import HuberPlusModel
from relsent_ir.related.pairs import break_even, draw_pairs, surviving
from relsent_ir.related.quality.retrieval import draw_haystack, measure_retrieval
from relsent_ir.related.store.corpus import read_corpus
from relsent_ir.related.training.learning import Task
from relsent_ir.related.training.train import train_task
from relsent_ir.text.words import default_stopwords
from relsent_ir.typing import Floats
from reproduce.page import silent
from reproduce.smith_wilbur_2010.protocol import SEED
from reproduce.smith_wilbur_2010.sources import (
    APART,
    TRAINING_PAIRS,
    TUNED_ON,
    Score,
    measure_biosses,
)

QUERIES = 300
HEADER = ["", "BE", "MAP", "P@1", "BIOSSES"]


class Development:
    """What is trained on, and what development tests on.

    Parameters
    ----------
    index : Path
        Of the abstracts collection.
    train : {"others", "screening"}
    """

    def __init__(self, index: Path, train: str) -> None:
        self.stopwords = default_stopwords()
        with Index(index) as opened:
            self.corpus = read_corpus(opened, self.stopwords)
        apart, tested = (
            np.array([name.startswith(prefix) for name in self.corpus.records])
            for prefix in (APART, TUNED_ON)
        )
        self.kept = surviving(self.corpus, 1.0)
        self.training: NDArray[np.bool_] = apart if train == "screening" else ~apart & ~tested
        some = self.corpus, self.kept
        self.haystack = draw_haystack(*some, tested, queries=QUERIES, seed=SEED)
        drawn = np.bincount(self.haystack.record, minlength=len(self.corpus.records)) > 0
        self.pairs = draw_pairs(*some, drawn, None, SEED)

    def train(self) -> HuberPlusModel:
        """Train Huber+ by its defaults."""
        task = Task(
            self.corpus, self.kept, self.training, TRAINING_PAIRS, SEED, self.stopwords, None, {},
            lambda _stage: silent,
        )  # fmt: skip
        model = train_task("huber-plus", task, calibrated=False)
        assert isinstance(model, HuberPlusModel)
        return model

    def measure(
        self, name: str, scores: Floats, search: Callable[[int], Floats], people: Score
    ) -> list[str]:
        """Give a row below `HEADER`: of the pairs' scores, and two ways to score other pairs."""
        be = break_even(scores, self.pairs.related, SEED)
        precision, first = measure_retrieval(self.haystack, search, SEED)
        told = measure_biosses(data_file("similarity/biosses.tsv"), {name: people})[name]
        agreed = f"{told.pearson:.3f} / {told.spearman:.3f}"
        return [name, f"{be:.2f}", f"{precision.mean():.3f}", f"{first.mean():.3f}", agreed]


def arguments(what: str | None) -> argparse.Namespace:
    """Read which index, and what to train on."""
    parser = argparse.ArgumentParser(description=what)
    parser.add_argument("--index", type=Path, required=True)
    parser.add_argument("--train", choices=["others", "screening"], required=True)
    return parser.parse_args()
