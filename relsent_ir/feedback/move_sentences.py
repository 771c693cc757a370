"""Argumentative feedback's source of terms: the sentences of one move, or of several.

Reference
---------
Ruch et al.: Argumentative feedback. COLING/ACL 2006 posters, 675-682.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Final

from relsent_ir.errors import UsageError
from relsent_ir.feedback.pool import Pool, Topic, make_pool, rows_of, vectors_of
from relsent_ir.feedback.terms import stack
from relsent_ir.hits import Run
from relsent_ir.lucene.collection import Collection
from relsent_ir.lucene.index import Index
from relsent_ir.moves import MOVES

DOCUMENT: Final = "DOCUMENT"
"""Stands for the whole document among the moves, so that its sentences can be emphasised."""
TITLE: Final = "TITLE"
NAMES: Final = (*MOVES, TITLE, DOCUMENT)


class Tags:
    """The sentences of the documents of an index as feedback takes them, with their moves.

    Parameters
    ----------
    index : Index
        Of abstracts.
    """

    def __init__(self, index: Index) -> None:
        if index.unit != "abstracts":
            raise UsageError("feedback from moves needs --unit abstracts")
        self.index = index
        self.collection = Collection.of(index)

    def of(self, documents: Sequence[str]) -> list[list[tuple[str, str, float]]]:
        """Give each document's sentences: id, move or TITLE, and the classifier's score."""
        names = list(dict.fromkeys(documents))
        tagged = dict(zip(names, self.collection.moves(names), strict=True))
        return [
            [(s.id, s.move, s.score) if s.n else (s.id, TITLE, 1.0) for s in tagged[name]]
            for name in documents
        ]


class MoveSentences:
    """The sentences of the feedback documents that have a move.

    Parameters
    ----------
    tags : Tags
    moves : mapping of str to float
        The weight of each move's sentences, of the TITLE, and of the DOCUMENT, above 0.
    soft : bool
        A sentence's weight is multiplied by the classifier's score.
    """

    def __init__(self, tags: Tags, moves: Mapping[str, float], *, soft: bool = False) -> None:
        unknown = [move for move in moves if move not in NAMES]
        if unknown or not moves:
            raise UsageError(
                f"no move {unknown[0]!r}" if unknown else "no moves",
                fix=f"one of {', '.join(NAMES)}",
            )
        if not all(0 < weight < math.inf for weight in moves.values()):
            raise UsageError("the weight of a move is not above 0", fix="CONCLUSION=2")
        self.tags = tags
        self.moves = dict(moves)
        self.soft = soft

    def pool(self, topics: Mapping[str, Topic], tops: Run) -> Pool:
        """Read the sentences of each topic's hits that have one of the moves."""
        rows = rows_of(topics, tops)
        whole = DOCUMENT in self.moves
        documents = list(dict.fromkeys(rows[0]))
        number = {name: part for part, name in enumerate(documents if whole else ())}
        sentence_parts: dict[str, int] = {}
        chosen = []
        for row, (name, tagged) in enumerate(zip(rows[0], self.tags.of(rows[0]), strict=True)):
            if whole:
                chosen.append((row, number[name], self.moves[DOCUMENT]))
            for sentence, move, score in tagged:
                if move in self.moves:
                    part = sentence_parts.setdefault(sentence, len(number) + len(sentence_parts))
                    chosen.append((row, part, self.moves[move] * (score if self.soft else 1)))
        index = self.tags.index
        vectors = vectors_of(self.tags.collection.sentences, list(sentence_parts))
        if whole:
            vectors = stack([vectors_of(index, documents), vectors])
        parts = [*number, *sentence_parts]
        return make_pool(index, rows, parts, chosen, vectors, whole=whole)


def parse_moves(text: str) -> dict[str, float]:
    """Read ``MOVE[=WEIGHT],...``, as ``CONCLUSION,PURPOSE=0.5``.

    Raises
    ------
    UsageError
        If a weight is no number; `MoveSentences` sees to the names.
    """
    moves: dict[str, float] = {}
    for item in text.split(","):
        name, given, weight = item.partition("=")
        try:
            moves[name.strip().upper()] = float(weight) if given else 1.0
        except ValueError:
            raise UsageError(
                f"cannot read the weight of {item!r}", fix="write CONCLUSION,PURPOSE=0.5"
            ) from None
    return moves
