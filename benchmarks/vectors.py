"""How word vectors are tuned: attempts, on the development records alone.

OHSUMED's records, which no test of ``reproduce smith-wilbur-2010`` holds, are tested on; trained is
without them, on all but the citation-screening records (``--train others``), or on those alone
(``--train screening``: few records, three subjects). The rows are the cosine of the vectors alone,
with and without the vectors of words' parts, and with several shares of the words left out; the
last is Huber+ with the vectors as they are by default. BIOSSES is shown, and chooses nothing.

Run ``RELSENT_DATA=<data folder> python benchmarks/vectors.py --index DIR --train others``.
"""

import argparse
import os
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"

import numpy as np
from common import data_file, print_table

from relsent_ir.experiments.page import silent
from relsent_ir.experiments.smith_wilbur_2010.biosses import Score, measure_biosses
from relsent_ir.experiments.smith_wilbur_2010.protocol import SEED
from relsent_ir.experiments.smith_wilbur_2010.sources import APART, TRAINING_PAIRS, TUNED_ON
from relsent_ir.lucene.index import Index
from relsent_ir.related import contrast, score_pairs
from relsent_ir.related.associations import learn_associations
from relsent_ir.related.corpus import read_corpus
from relsent_ir.related.evaluation import break_even
from relsent_ir.related.features import Sentences
from relsent_ir.related.learning import Task
from relsent_ir.related.measures import Knowledge
from relsent_ir.related.pairs import draw_pairs, surviving
from relsent_ir.related.parts import word_parts
from relsent_ir.related.retrieval import draw_haystack, measure_retrieval, model_scorer
from relsent_ir.related.statistics import Statistics
from relsent_ir.related.training import train_task
from relsent_ir.related.vectors import vector_cosines, word_vectors
from relsent_ir.text.stopwords import default_stopwords
from relsent_ir.typing import Floats

QUERIES = 300
DEFAULT = contrast.LEFT_OUT
ATTEMPTS = (
    (False, 0.0), (False, DEFAULT), (True, 0.0), (True, 0.2), (True, DEFAULT), (True, 0.6),
)  # fmt: skip


def main() -> None:
    """Tune, measure and print."""
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
    sentences = corpus.sentences
    rows = np.flatnonzero(training[corpus.record])
    learned_from = sentences.words[rows], corpus.record[rows]
    haystack = draw_haystack(corpus, kept, tested, queries=QUERIES, seed=SEED)
    drawn = np.bincount(haystack.record, minlength=len(corpus.records)) > 0
    pairs = draw_pairs(corpus, kept, drawn, None, SEED)
    table = []

    def measure(
        name: str, begun: float, scores: Floats, search: Callable[[int], Floats], people: Score
    ) -> None:
        took = time.process_time() - begun
        be = break_even(scores, pairs.related, SEED)
        precision, first = measure_retrieval(haystack, search, SEED)
        told = measure_biosses(data_file("similarity/biosses.tsv"), {name: people})[name]
        agreed = f"{told.pearson:.3f} / {told.spearman:.3f}"
        figures = f"{be:.2f}", f"{precision.mean():.3f}", f"{first.mean():.3f}", agreed
        table.append([name, *figures, f"{took:.0f}"])

    associations = learn_associations(*learned_from)
    start = word_vectors(associations)
    statistics = Statistics.collect(sentences, rows)
    parts = word_parts(sentences.lexicon, slice(None))
    for with_parts, left_out in ATTEMPTS:
        contrast.LEFT_OUT = left_out
        begun = time.process_time()
        some = parts if with_parts else parts * np.float32(0)
        tuned = contrast.tuned_vectors(*learned_from, start, some, seed=SEED)
        known = Knowledge(statistics, associations, *tuned)
        unit = known.on(sentences.lexicon).sentence_vectors(sentences.words[haystack.rows])
        name = f"{'words and parts' if with_parts else 'words'}, {left_out:.1f} left out"
        scores = vector_cosines(sentences.words, pairs.a, pairs.b, tuned.words)
        measure(
            name, begun, scores, lambda query, unit=unit: unit @ unit[query],
            partial(_cosines, known, stopwords),
        )  # fmt: skip
    contrast.LEFT_OUT = DEFAULT
    begun = time.process_time()
    task = Task(
        corpus, kept, training, TRAINING_PAIRS, SEED, stopwords, None, {}, lambda _stage: silent
    )  # fmt: skip
    model = train_task("huber-plus", task, calibrated=False)
    scores = model.scores(sentences, pairs.a, pairs.b)
    search = model_scorer(model, corpus, haystack)
    measure("Huber+", begun, scores, search, partial(score_pairs, model))
    print(f"{int(training.sum()):,} records")
    print_table(["", "BE", "MAP", "P@1", "BIOSSES", "CPU s"], table)


def _cosines(known: Knowledge, stopwords: tuple[str, ...], texts: list[tuple[str, str]]) -> Floats:
    some = Sentences.from_texts((text for pair in texts for text in pair), stopwords)
    places = np.arange(0, 2 * len(texts), 2)
    return vector_cosines(some.words, places, places + 1, known.on(some.lexicon).vectors)


if __name__ == "__main__":
    sys.exit(main())
