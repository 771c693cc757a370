"""What Huber+ learns of words from the sentences of some records, before any pair is drawn."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from relsent_ir.related.associations import Associations, learn_associations
from relsent_ir.related.contrast import PAIRS, tuned_vectors
from relsent_ir.related.corpus import Corpus
from relsent_ir.related.parts import word_parts
from relsent_ir.related.vectors import word_vectors
from relsent_ir.related.workshop import Workshop
from relsent_ir.typing import Progress


class WordKnowledge(NamedTuple):
    """Associations of the words of a corpus, vectors of these and of their parts.

    The vectors are of shape (words, dimensions) and (parts, dimensions).
    """

    associations: Associations
    vectors: NDArray[np.float16]
    parts: NDArray[np.float16]


def learn_words(
    corpus: Corpus,
    records: NDArray[np.bool_],
    seed: int,
    progress: Callable[[str], Progress],
    workshop: Workshop | None = None,
) -> WordKnowledge:
    """Learn associations and vectors.

    Parameters
    ----------
    corpus : Corpus
    records : ndarray of bool, shape (records,)
        Those to learn from.
    seed : int
        For the order in which the vectors see pairs.
    progress : callable
        Takes the name of a stage and gives its callback.
    workshop : Workshop, optional
        Where word pairs are counted.
    """
    rows = np.flatnonzero(records[corpus.record])
    learned_from = corpus.sentences.words[rows], corpus.record[rows]
    tick = progress("Learning associations")
    associations = learn_associations(*learned_from, progress=tick, workshop=workshop)
    progress("Decomposing")(0, None)
    tuned = tuned_vectors(
        *learned_from,
        word_vectors(associations),
        word_parts(corpus.sentences.lexicon, slice(None)),
        pairs=round(PAIRS * len(rows) / max(1, len(corpus))),
        seed=seed,
        progress=progress("Tuning vectors"),
    )
    return WordKnowledge(associations, *tuned)
