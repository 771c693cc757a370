"""Moves by four binary naive Bayes classifiers over n-grams, with a Markov model of their order.

Each classifier separates one move from the three others by the n-grams of the sentence alone, and
uses only n-grams selected for it by chi-square. With the Markov model a sentence gets the most
probable move given the whole abstract; without, given the sentence. The states of the Markov model
are the moves, with a start before the first sentence and an end after the last.

References
----------
P. Ruch, I. Tbahriti, J. Gobeill, A. R. Aronson. Argumentative feedback: a linguistically-motivated
term expansion for information retrieval. COLING/ACL 2006 posters, 675-682.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from relsent_ir.moves.labelled import Abstract
from relsent_ir.moves.labels import MOVES
from relsent_ir.text.words import bigrams, words

_SMOOTHING = 0.5  # added to each count, so that no order is impossible


@dataclass(frozen=True)
class Markov:
    """Logarithms of the probabilities that one move follows another.

    Attributes
    ----------
    start, end : ndarray of float64, shape (moves,)
        For the move of the first sentence, and for the end of the abstract after a move.
    steps : ndarray of float64, shape (moves, moves)
        Row: the move before; column: the move after. A row and its `end` sum to one.
    """

    start: NDArray[np.float64]
    steps: NDArray[np.float64]
    end: NDArray[np.float64]

    @classmethod
    def count(cls, sequences: Iterable[Sequence[str]]) -> "Markov":
        """Estimate from the moves of abstracts."""
        n = len(MOVES)
        counts = np.full((n + 1, n + 1), _SMOOTHING)  # the last row is start, the last column end
        counts[n, n] = 0.0
        number = {move: i for i, move in enumerate(MOVES)}
        for moves in sequences:
            states = [n, *(number[move] for move in moves), n]
            np.add.at(counts, (states[:-1], states[1:]), 1)
        counts /= counts.sum(axis=1, keepdims=True)
        with np.errstate(divide="ignore"):
            logs = np.log(counts)
        return cls(logs[n, :n], logs[:n, :n], logs[:n, n])

    def posteriors(self, scores: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return each sentence's probability of each move given the abstract (forward-backward).

        Parameters
        ----------
        scores : ndarray of float64, shape (sentences, moves)
            Logarithm of each sentence's likelihood under each move, up to a constant.

        Returns
        -------
        ndarray of float64, shape (sentences, moves)
            Rows sum to one.
        """
        n = len(scores)
        forward, backward = np.empty_like(scores), np.empty_like(scores)
        forward[0] = self.start + scores[0]
        for t in range(1, n):
            forward[t] = np.logaddexp.reduce(forward[t - 1][:, None] + self.steps, 0) + scores[t]
        backward[-1] = self.end
        for t in range(n - 2, -1, -1):
            backward[t] = np.logaddexp.reduce(self.steps + scores[t + 1] + backward[t + 1], axis=1)
        both = forward + backward
        probabilities: NDArray[np.float64] = np.exp(
            both - np.logaddexp.reduce(both, axis=1, keepdims=True)
        )
        return probabilities


SELECTED = 12_000
"""N-grams selected for each classifier."""

LEAST = 2
"""Fewest training sentences with an n-gram."""

DAMPING = 0.12
"""Weight of n-grams against the Markov model: those of a sentence are not independent."""


def ngrams(sentence: str) -> list[str]:
    """Return the words and word pairs of a sentence, each once."""
    tokens = words(sentence)
    return list(dict.fromkeys([*tokens, *bigrams(tokens)]))


@dataclass(frozen=True)
class Bayes:
    """Four binary naive Bayes classifiers, with an optional Markov model.

    Attributes
    ----------
    rows : dict of str to int
        The row of each n-gram that is selected for a classifier.
    weights : ndarray of float64, shape (n-grams, moves)
        ln p(n-gram | move) - ln p(n-gram | other moves); 0 where it was not selected.
    prior : ndarray of float64, shape (moves,)
        Log odds of each move.
    markov : Markov or None
    """

    rows: dict[str, int]
    weights: NDArray[np.float64]
    prior: NDArray[np.float64]
    markov: Markov | None

    @classmethod
    def train(
        cls, abstracts: Sequence[Abstract], *, markov: bool, selected: int = SELECTED
    ) -> "Bayes":
        """Learn from labelled abstracts."""
        counts: dict[str, list[int]] = {}
        totals = Counter(move for abstract in abstracts for move in abstract.moves)
        number = {move: i for i, move in enumerate(MOVES)}
        for abstract in abstracts:
            for sentence, move in zip(abstract.sentences, abstract.moves, strict=True):
                for ngram in ngrams(sentence):
                    counts.setdefault(ngram, [0] * len(MOVES))[number[move]] += 1
        frequent = sorted(ngram for ngram, by_move in counts.items() if sum(by_move) >= LEAST)
        inside = np.array([counts[ngram] for ngram in frequent], dtype=np.float64)
        inside = inside.reshape(len(frequent), len(MOVES))
        total = np.array([totals[move] for move in MOVES], dtype=np.float64)
        weights = _weights(inside, total, selected)
        weighted = np.flatnonzero(weights.any(axis=1))
        order = Markov.count(abstract.moves for abstract in abstracts) if markov else None
        rows = {frequent[old]: new for new, old in enumerate(weighted)}
        prior = np.log(total + 1) - np.log(total.sum() - total + 1)
        return cls(rows, weights[weighted], prior, order)

    def predict(self, title: str, sentences: Iterable[str]) -> list[tuple[str, float]]:  # noqa: ARG002 (the models' interface)
        """Return each sentence's move and its score, a share of one."""
        odds = np.array([self._odds(sentence) for sentence in sentences])
        if not len(odds):
            return []
        if self.markov:
            scores = self.markov.posteriors(DAMPING * odds)
        else:
            binary = 1 / (1 + np.exp(-DAMPING * (odds + self.prior)))
            scores = binary / binary.sum(axis=1, keepdims=True)
        best = scores.argmax(axis=1)
        return [(MOVES[move], float(row[move])) for move, row in zip(best, scores, strict=True)]

    def _odds(self, sentence: str) -> NDArray[np.float64]:
        """Return the log likelihood ratio of each move to the others; shape (moves,)."""
        rows = [row for row in map(self.rows.get, ngrams(sentence)) if row is not None]
        ratio: NDArray[np.float64] = self.weights[rows].sum(axis=0)
        return ratio


def _weights(
    inside: NDArray[np.float64], total: NDArray[np.float64], selected: int
) -> NDArray[np.float64]:
    """Weigh the n-grams of each classifier, with 0 for all but the `selected` best by chi-square.

    Parameters
    ----------
    inside : ndarray, shape (n-grams, moves)
        Numbers of sentences of each move with the n-gram.
    total : ndarray, shape (moves,)
        Numbers of sentences of each move.
    """
    outside = inside.sum(axis=1, keepdims=True) - inside
    others = total.sum() - total
    weights: NDArray[np.float64] = np.log((inside + 0.5) / (total + 1)) - np.log(
        (outside + 0.5) / (others + 1)
    )
    without = total - inside, others - outside
    with np.errstate(divide="ignore", invalid="ignore"):
        chi2 = (inside * without[1] - outside * without[0]) ** 2 / (
            (inside + outside) * (without[0] + without[1])
        )
    chi2 = np.nan_to_num(chi2)
    for move in range(len(MOVES)):
        weights[np.argsort(-chi2[:, move], kind="stable")[selected:], move] = 0.0
    return weights
