"""Measures of a tagger on labelled abstracts: accuracy, precision, recall, F1, confusions."""

from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final

import numpy as np

from relsent_ir.drawing import aligned
from relsent_ir.moves.labelled import Abstract
from relsent_ir.moves.labels import MOVES
from relsent_ir.moves.tagging import MoveModel
from relsent_ir.typing import NDArray, Progress

FOLDS: Final = 5
"""One record in this many is held out."""


@dataclass(frozen=True)
class MoveScores:
    """The measures of a model.

    Attributes
    ----------
    by_abstract : ndarray of int, shape (abstracts, moves, moves)
        Numbers of sentences in each abstract; rows are the moves of the labels, columns those of
        the model, both in the order of `MOVES`.
    """

    by_abstract: NDArray[np.int64]

    @property
    def confusion(self) -> NDArray[np.int64]:
        """The numbers of sentences, summed over the abstracts; shape (moves, moves)."""
        total: NDArray[np.int64] = self.by_abstract.sum(axis=0)
        return total

    @property
    def accuracy(self) -> float:
        """The share of sentences with the right move."""
        counts = self.confusion
        return _share(int(counts.trace()), int(counts.sum()))

    @property
    def macro_f1(self) -> float:
        """The mean F1 of the four moves."""
        return sum(row["f1"] for row in self.moves.values()) / len(MOVES)

    @property
    def moves(self) -> dict[str, dict[str, float]]:
        """Precision, recall, F1 and support of each move; 0 for a move that does not occur."""
        counts = self.confusion
        measures = {}
        for i, move in enumerate(MOVES):
            right = int(counts[i, i])
            support, predicted = int(counts[i].sum()), int(counts[:, i].sum())
            measures[move] = {
                "precision": _share(right, predicted),
                "recall": _share(right, support),
                "f1": _share(2 * right, support + predicted),
                "support": support,
            }
        return measures

    def to_dict(self) -> dict[str, Any]:
        """Return the object that ``moves evaluate --json`` prints."""
        counts = self.confusion
        confusion = {
            gold: {move: int(count) for move, count in zip(MOVES, row, strict=True)}
            for gold, row in zip(MOVES, counts, strict=True)
        }
        return {
            "accuracy": self.accuracy,
            "macro_f1": self.macro_f1,
            "moves": self.moves,
            "confusion": confusion,
            "abstracts": len(self.by_abstract),
            "sentences": int(counts.sum()),
        }

    def __str__(self) -> str:
        shares = ("precision", "recall", "f1")
        head = ["", *shares[:2], "F1", "support", *(move[:4] for move in MOVES)]
        rows = [
            [move, *(f"{of[name]:.4f}" for name in shares), str(of["support"]), *map(str, counts)]
            for (move, of), counts in zip(self.moves.items(), self.confusion, strict=True)
        ]
        return (
            f"{len(self.by_abstract)} abstracts with three moves or four, "
            f"{self.confusion.sum()} sentences\n"
            f"accuracy {self.accuracy:.4f}, macro F1 {self.macro_f1:.4f}\n\n"
            f"{aligned([head, *rows], right=True)}"
        )


def held_out(name: str) -> bool:
    """Return whether a record is held out, by a hash of its id."""
    return int(sha256(name.encode()).hexdigest(), 16) % FOLDS == 0


def evaluate(
    model: MoveModel, abstracts: Iterable[Abstract], progress: Progress | None = None
) -> MoveScores:
    """Tag labelled abstracts without their labels, and count the moves."""
    counts = []
    number = {move: i for i, move in enumerate(MOVES)}
    for n, abstract in enumerate(abstracts, 1):
        predicted = model.predict(abstract.title, abstract.sentences)
        confusion = np.zeros((len(MOVES), len(MOVES)), dtype=np.int64)
        pairs = [number[move] for move in abstract.moves], [number[move] for move, _ in predicted]
        np.add.at(confusion, pairs, 1)
        counts.append(confusion)
        if progress:
            progress(n, None)
    return MoveScores(np.array(counts, dtype=np.int64).reshape(-1, len(MOVES), len(MOVES)))


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0
