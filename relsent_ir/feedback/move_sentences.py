"""Argumentative feedback's source of terms: the sentences of one move, or of several parts.

Reference
---------
Ruch et al.: Argumentative feedback. COLING/ACL 2006 posters, 675-682.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from relsent_ir.errors import UsageError
from relsent_ir.feedback.pool import Pool, Topic, make_pool, rows_of, vectors_of
from relsent_ir.feedback.terms import stack
from relsent_ir.hits import Run
from relsent_ir.lucene.collection import Collection
from relsent_ir.lucene.index import Index, TermVectors
from relsent_ir.moves import MOVES

DOCUMENT: Final = "DOCUMENT"
"""Stands for the whole document among the moves, so that its sentences can be emphasised."""
TITLE: Final = "TITLE"
MESH: Final = "MESH"
"""Stands for a record's headings and chemicals: its terms that are in no sentence."""
NAMES: Final = (*MOVES, TITLE, MESH, DOCUMENT)


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
        The weight of each move's sentences, of the TITLE, of the MESH headings and of the whole
        DOCUMENT, above 0.
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
        """Read the parts of each topic's hits that were asked for."""
        rows = rows_of(topics, tops)
        documents = list(dict.fromkeys(rows[0]))
        tagged = dict(zip(documents, self.tags.of(documents), strict=True))
        number: dict[str, int] = {}
        if DOCUMENT in self.moves:
            number.update((name, len(number)) for name in documents)
        if MESH in self.moves:
            number.update((f"{name}.{MESH}", len(number)) for name in documents)
        first = len(number)
        chosen = []
        for row, name in enumerate(rows[0]):
            if DOCUMENT in self.moves:
                chosen.append((row, number[name], self.moves[DOCUMENT]))
            if MESH in self.moves:
                chosen.append((row, number[f"{name}.{MESH}"], self.moves[MESH]))
            for sentence, move, score in tagged[name]:
                if move in self.moves:
                    part = number.setdefault(sentence, len(number))
                    chosen.append((row, part, self.moves[move] * (score if self.soft else 1)))
        index, by_sentence = self.tags.index, self.tags.collection.sentences
        vectors = [vectors_of(by_sentence, list(number)[first:])]
        if MESH in self.moves:
            sentences = [[sentence for sentence, *_ in tagged[name]] for name in documents]
            vectors.insert(0, headings(index, by_sentence, documents, sentences))
        if DOCUMENT in self.moves:
            vectors.insert(0, vectors_of(index, documents))
        whole = DOCUMENT in self.moves
        return make_pool(index, rows, list(number), chosen, stack(vectors), whole=whole)


def headings(
    index: Index,
    by_sentence: Index,
    documents: Sequence[str],
    sentences: Sequence[Sequence[str]],
) -> TermVectors:
    """Give what documents hold beside their sentences: MeSH headings and chemicals.

    Parameters
    ----------
    index, by_sentence : Index
        Of documents, and of their sentences.
    documents : sequence of str, length n
    sentences : sequence of sequence of str, length n
        Each document's.

    Returns
    -------
    TermVectors
        Of n rows. A term that a sentence's border cut in two may be among them.
    """
    from scipy.sparse import csr_array, eye_array, hstack

    flat = [sentence for some in sentences for sentence in some]
    all_ = stack([vectors_of(index, documents), vectors_of(by_sentence, flat)])
    starts = np.cumsum([0, *map(len, sentences)])
    shape = (len(documents), len(flat))
    taken = csr_array((np.full(len(flat), -1, np.int32), np.arange(len(flat)), starts), shape=shape)
    signs = hstack([eye_array(len(documents), dtype=np.int32), taken])
    rest = csr_array(signs @ all_.counts)
    rest.data = np.maximum(rest.data, 0)
    rest.eliminate_zeros()
    return TermVectors(rest, all_.terms)


def parse_moves(text: str) -> dict[str, float]:
    """Read ``MOVE[=WEIGHT],...``, as ``CONCLUSION,PURPOSE=0.5``; a weight of 0 leaves it out.

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
    return {name: weight for name, weight in moves.items() if weight}
