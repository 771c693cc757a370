"""How word vectors are tuned: attempts on the development records alone (`development`).

The rows are the cosine of the vectors alone, with and without the vectors of words' parts, and with
several shares of the words left out; the last is Huber+ with the vectors as they are by default.

Run ``RELSENT_DATA=<data folder> python -m benchmarks.vectors --index DIR --train others``.
"""

import os
import sys
import time
from functools import partial

os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"

import numpy as np

from benchmarks.common import print_table
from benchmarks.development import HEADER, Development, arguments
from relsent_ir.related import score_pairs
from relsent_ir.related.features import Sentences
from relsent_ir.related.formulas import Statistics
from relsent_ir.related.quality.retrieval import model_scorer
from relsent_ir.related.words import vectors as contrast
from relsent_ir.related.words.associations import learn_associations
from relsent_ir.related.words.measures import Knowledge
from relsent_ir.related.words.vectors import vector_cosines, word_parts, word_vectors
from relsent_ir.typing import Floats
from reproduce.smith_wilbur_2010.protocol import SEED

DEFAULT = contrast.LEFT_OUT
# With parts or without, and the share left out.
ATTEMPTS = (
    (False, 0.0), (False, DEFAULT), (True, 0.0), (True, 0.2), (True, DEFAULT), (True, 0.6),
)  # fmt: skip


def main() -> None:
    """Tune, measure and print."""
    asked = arguments(__doc__)
    on = Development(asked.index, asked.train)
    sentences = on.corpus.sentences
    rows = np.flatnonzero(on.training[on.corpus.record])
    learned_from = sentences.words[rows], on.corpus.record[rows]
    associations = learn_associations(*learned_from)
    start = word_vectors(associations)
    statistics = Statistics.collect(sentences, rows)
    parts = word_parts(sentences.lexicon, slice(None))
    table = []
    for with_parts, left_out in ATTEMPTS:
        contrast.LEFT_OUT = left_out
        begun = time.process_time()
        some = parts if with_parts else parts * np.float32(0)
        tuned = contrast.tuned_vectors(*learned_from, start, some, seed=SEED)
        took = time.process_time() - begun
        known = Knowledge(statistics, associations, *tuned)
        unit = known.on(sentences.lexicon).sentence_vectors(sentences.words[on.haystack.rows])
        name = f"{'words and parts' if with_parts else 'words'}, {left_out:.1f} left out"
        scores = vector_cosines(sentences.words, on.pairs.a, on.pairs.b, tuned.words)
        people = partial(_cosines, known, on.stopwords)
        row = on.measure(name, scores, lambda query, unit=unit: unit @ unit[query], people)
        table.append([*row, f"{took:.0f}"])
    contrast.LEFT_OUT = DEFAULT
    begun = time.process_time()
    model = on.train()
    took = time.process_time() - begun
    scores = model.scores(sentences, on.pairs.a, on.pairs.b)
    search = model_scorer(model, on.corpus, on.haystack)
    row = on.measure("Huber+", scores, search, partial(score_pairs, model))
    table.append([*row, f"{took:.0f}"])
    print(f"{int(on.training.sum()):,} records")
    print_table([*HEADER, "CPU s"], table)


def _cosines(known: Knowledge, stopwords: tuple[str, ...], texts: list[tuple[str, str]]) -> Floats:
    some = Sentences.from_texts((text for pair in texts for text in pair), stopwords)
    places = np.arange(0, 2 * len(texts), 2)
    return vector_cosines(some.words, places, places + 1, known.on(some.lexicon).vectors)


if __name__ == "__main__":
    sys.exit(main())
