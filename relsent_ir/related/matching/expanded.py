"""Topics for Lucene, expanded by the words that a model's weights favour for a sentence.

A word's weight is what it can add to a score (see `relsent_ir.related.matching.exact`), divided by
its inverse document frequency, which BM25 multiplies in again; without length and repetition (k1 =
b = 0) the Lucene score is then the sum of what a sentence's words can add.
"""

from collections.abc import Mapping
from typing import Final

import numpy as np

from relsent_ir.lucene.analyzers import Analysis
from relsent_ir.lucene.read.search import BM25
from relsent_ir.related.matching.linear import LinearScorer, Query
from relsent_ir.text.vocabulary import Vocabulary

WORDS: Final = 128  # of a topic, its own and others
SIMILARITY: Final = BM25(k1=0.0, b=0.0)


class Expander:
    """Makes weighted terms of sentences.

    Parameters
    ----------
    scorer : LinearScorer
    analysis : Analysis
        The index's.
    """

    def __init__(self, scorer: LinearScorer, analysis: Analysis) -> None:
        self.scorer = scorer
        self.analysis = analysis
        store = scorer.store
        n = np.bincount(store.sentences.words.indices, minlength=len(store.lexicon.words))
        self._idf = np.log1p(len(store) / np.maximum(n, 1))
        self._terms: dict[int, list[str]] = {}

    def terms(self, query: Query) -> Mapping[str, float]:
        """Weigh the terms of the words of most weight; a term has that of its best word."""
        values = self.scorer.word_values(query) / self._idf
        n = min(WORDS, len(values))
        words = np.argpartition(values, len(values) - n)[len(values) - n :]
        weights: dict[str, float] = {}
        for word in words[np.argsort(-values[words], kind="stable")]:
            if values[word] > 0:
                for term in self._analysed(int(word), self.scorer.store.lexicon.words):
                    weights.setdefault(term, float(values[word]))
        return weights

    def _analysed(self, word: int, words: Vocabulary) -> list[str]:
        if word not in self._terms:
            self._terms[word] = self.analysis.terms(words[word])
        return self._terms[word]
