"""Claim zones: the RESULTS and CONCLUSION sentences of an abstract (Alamri & Stevenson 2015).

Labels and inline headings give the moves; where there are none, the CRF of `relsent_ir.moves`.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from relsent_ir.moves import MOVES, MoveModel, default_model, tag_record
from relsent_ir.records import Record, Sentence

ZONE: Final = ("RESULTS", "CONCLUSION")


def tag_abstract(
    record: Record, moves: MoveModel | None = None, *, labels: bool = True
) -> list[Sentence]:
    """Give the sentences of an abstract with their moves.

    Parameters
    ----------
    record : Record
    moves : MoveModel, optional
        The one that comes with the package if None.
    labels : bool
        Take the moves of a structured abstract from its labels.
    """
    return tag_record(moves or default_model(), record, labels=labels)


def claim_zone(tagged: Sequence[Sentence]) -> NDArray[np.bool_]:
    """Tell which sentences are in the claim zone; all, where none is RESULTS or CONCLUSION."""
    zone = np.array([sentence.move in ZONE for sentence in tagged], dtype=bool)
    return zone if zone.any() else np.ones(len(tagged), dtype=bool)


def move_probabilities(tagged: Sequence[Sentence]) -> NDArray[np.float64]:
    """Spread over the other moves what a sentence's score leaves; shape (sentences, moves)."""
    found = np.empty((len(tagged), len(MOVES)))
    for row, sentence in zip(found, tagged, strict=True):
        row[:] = (1.0 - sentence.score) / (len(MOVES) - 1)
        row[MOVES.index(sentence.move)] = sentence.score
    return found
