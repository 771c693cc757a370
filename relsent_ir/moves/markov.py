"""A Markov model of the order of moves, and what it makes of the sentences of an abstract.

States are the moves, with a start before the first sentence and an end behind the last.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from relsent_ir.moves.labels import MOVES

_SMOOTHING = 0.5  # added to each count, so that no order is impossible


@dataclass(frozen=True)
class Markov:
    """Logarithms of the probabilities that one move follows another.

    Attributes
    ----------
    start, end : ndarray of float64, shape (moves,)
        Of the first sentence's move, and that the abstract ends after a move.
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
        """Each sentence's probability of each move given the whole abstract (forward-backward).

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
