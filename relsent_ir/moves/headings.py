"""Inline headings: "METHODS: We …" in an abstract that has no sections.

A heading is a label that the table knows (labels.py), at the start of a sentence: in capitals, or
with a colon. It gives the sentence's move. The sentences behind it have the same move if headings
name at least three of the four moves; one lone "Conclusion:" says nothing of its neighbours.
"""

import re
from collections.abc import Sequence
from typing import Final

from relsent_ir.moves.labels import KNOWN, LEAST_MOVES, has_no_move, label_move

_COLON: Final = re.compile(r"([A-Z][\w&/,()’' -]{2,60}?)\s?:(?:\s+|$)")
_CAPITALS: Final = re.compile(
    r"([A-Z]{3,}(?:(?: |, |/| & )(?:[A-Z]{3,}|OF)){0,8})(?:\.(?:\s+|$)|\s+(?=[A-Z\d(]))"
)


def heading(sentence: str) -> tuple[str, int]:
    """Find the heading that a sentence begins with.

    Returns
    -------
    (str, int)
        The move, "" for none, and where the text behind the heading begins, 0 without a heading.
        A heading without a move ("TRIAL REGISTRATION: …") gives "" and that place.
    """
    found = _COLON.match(sentence)
    if found:
        label = found[1]
        if label.isupper() or label.lower() in KNOWN:
            move = label_move(label)
            if move or has_no_move(label):
                return move, found.end()
    found = _CAPITALS.match(sentence)
    if found and (label_move(found[1]) or has_no_move(found[1])):
        return label_move(found[1]), found.end()
    return "", 0


def given_moves(sentences: Sequence[str]) -> tuple[list[str], list[str]]:
    """Read the moves that inline headings give, and take the headings off.

    Returns
    -------
    moves : list of str
        One a sentence, "" where no heading gives one.
    texts : list of str
        The sentences without their headings.
    """
    heads = [heading(sentence) for sentence in sentences]
    texts = [sentence[start:] for sentence, (_, start) in zip(sentences, heads, strict=True)]
    covers = len({move for move, _ in heads if move}) >= LEAST_MOVES
    moves = []
    current = ""
    alone = False  # the sentence before is nothing but a heading
    for (move, start), text in zip(heads, texts, strict=True):
        if start:
            current = move
        moves.append(current if start or covers or alone else "")
        alone = bool(start) and not text
    return moves, texts
