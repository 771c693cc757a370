"""Sources of feedback terms other than whole documents: sentences with some moves.

Argumentative feedback uses the sentences with one move, or several parts (Ruch et al. 2006).

References
----------
Ruch et al.: Argumentative feedback. COLING/ACL 2006 posters, 675-682.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Any, Final

import numpy as np

from relsent_ir.counts.matrix import stack
from relsent_ir.engines import TermVectors
from relsent_ir.errors import UsageError
from relsent_ir.feedback.pool import Pool, Topic, make_pool, rows_of, vectors_of
from relsent_ir.hits import Run
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.lucene.read.index import Index
from relsent_ir.moves import MOVES
from relsent_ir.sparse import csr

DOCUMENT: Final = "DOCUMENT"
"""The name of the whole document among the moves, so that its sentences can be emphasised."""
TITLE: Final = "TITLE"
MESH: Final = "MESH"
"""The name of a record's headings and chemicals: its terms that are in no sentence."""
NAMES: Final = (*MOVES, TITLE, MESH, DOCUMENT)


CACHED: Final = 64
"""Number of parts in the memory of `Tags`, each for a list of documents."""


@dataclass(frozen=True, eq=False)
class DocumentPart:
    """The texts that form one part of documents.

    Attributes
    ----------
    names : list of str, length p
        Ids of sentences or records, or ids of records with ``.MESH``.
    of : list of int, length p
        The document of each text.
    places : list of int, length p
        The place of the text in its document: a sentence's number; less for other parts.
    vectors : TermVectors
        The term vectors of the texts, with p rows.
    """

    names: list[str]
    of: list[int]
    places: list[int]
    vectors: TermVectors


class Tags:
    """The sentences of an index's documents for feedback, with their moves.

    Parameters
    ----------
    index : Index
        The index of abstracts.
    """

    def __init__(self, index: Index) -> None:
        if index.unit != "abstracts":
            raise UsageError("feedback from moves needs --unit abstracts")
        self.index = index
        self.collection = Indexes.of(index)
        self._parts: dict[tuple[str, ...], DocumentPart] = {}
        self._lock = Lock()

    def of(self, documents: Sequence[str]) -> list[list[tuple[str, str]]]:
        """Return the sentences of each document: id, and move or TITLE."""
        names = list(dict.fromkeys(documents))
        tagged = dict(zip(names, self.collection.moves(names), strict=True))
        return [[(s.id, s.move if s.n else TITLE) for s in tagged[name]] for name in documents]

    def part(self, name: str, documents: Sequence[str]) -> DocumentPart:
        """Read one part of documents, or get it from the cache, as when weights are tuned."""
        key = (name, *documents)
        part = self._parts.get(key)
        if part is None:
            part = self._read(name, documents)
            with self._lock:  # a server's threads share the tags
                while len(self._parts) >= CACHED:
                    del self._parts[next(iter(self._parts))]
                self._parts[key] = part
        return part

    def _read(self, name: str, documents: Sequence[str]) -> DocumentPart:
        n, by_sentence = len(documents), self.collection.sentences
        if name == DOCUMENT:
            vectors = vectors_of(self.index, documents)
            return DocumentPart(list(documents), list(range(n)), [-2] * n, vectors)
        tagged = self.of(documents)
        if name == MESH:
            names = [f"{document}.{MESH}" for document in documents]
            sentences = [[sentence for sentence, *_ in own] for own in tagged]
            vectors = headings(self.index, by_sentence, documents, sentences)
            return DocumentPart(names, list(range(n)), [-1] * n, vectors)
        chosen = [
            (sentence, document, place)
            for document, own in enumerate(tagged)
            for place, (sentence, move) in enumerate(own)
            if move == name
        ]
        names = [sentence for sentence, *_ in chosen]
        return DocumentPart(
            names,
            [document for _, document, _ in chosen],
            [place for *_, place in chosen],
            vectors_of(by_sentence, names),
        )


class MoveSentences:
    """Use sentences of the feedback documents that have some moves.

    Parameters
    ----------
    tags : Tags
    moves : mapping of str to float
        The weight, above 0, of the sentences with each move, of the TITLE, of the MESH headings and
        of the whole DOCUMENT.
    """

    def __init__(self, tags: Tags, moves: Mapping[str, float]) -> None:
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

    def pool(self, topics: Mapping[str, Topic], tops: Run) -> Pool:
        """Read the parts with weights of each topic's hits."""
        rows = rows_of(topics, tops)
        documents = list(dict.fromkeys(rows[0]))
        parts = [self.tags.part(name, documents) for name in self.moves]
        held: dict[str, list[tuple[int, int, float]]] = {name: [] for name in documents}
        number = 0
        for part, weight in zip(parts, self.moves.values(), strict=True):
            for document, place in zip(part.of, part.places, strict=True):
                held[documents[document]].append((place, number, weight))
                number += 1
        chosen = [
            (row, number, weight)
            for row, name in enumerate(rows[0])
            for _, number, weight in sorted(held[name])
        ]
        names = [name for part in parts for name in part.names]
        vectors = stack([part.vectors for part in parts])
        whole = DOCUMENT in self.moves
        return make_pool(self.tags.index, rows, names, chosen, vectors, whole=whole)


def headings(
    index: Index, by_sentence: Index, documents: Sequence[str], sentences: Sequence[Sequence[str]]
) -> TermVectors:
    """Subtract the sentences of documents from them: MeSH headings and chemicals remain.

    Parameters
    ----------
    index, by_sentence : Index
        The indexes of the documents and of their sentences.
    documents : sequence of str, length n
    sentences : sequence of sequence of str, length n
        The sentences of each document.

    Returns
    -------
    TermVectors
        Term vectors with n rows. They may include a term that a sentence boundary cut in two.
    """
    from scipy.sparse import eye_array, hstack

    flat = [sentence for own in sentences for sentence in own]
    together = stack([vectors_of(index, documents), vectors_of(by_sentence, flat)])
    starts = np.cumsum([0, *map(len, sentences)])
    shape = (len(documents), len(flat))
    taken = csr((np.full(len(flat), -1, np.int32), np.arange(len(flat)), starts), shape=shape)
    signs = hstack([eye_array(len(documents), dtype=np.int32), taken])
    rest: Any = signs @ together.counts
    rest.data = np.maximum(rest.data, 0)
    rest.eliminate_zeros()
    return TermVectors(rest, together.terms)
