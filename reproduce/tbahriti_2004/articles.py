"""Articles by part (title, the sentences of each move, MeSH): as term matrices, and as topics."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from relsent_ir.citation.candidates import mesh_text, topic_text
from relsent_ir.feedback import TermMatrix
from relsent_ir.lucene.analyzers import Analysis
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.lucene.read.index import Index
from relsent_ir.moves import MOVES
from relsent_ir.records import Record, Sentence
from relsent_ir.sparse import csr
from relsent_ir.typing import Sparse

TITLE: Final = "TITLE"
MESH: Final = "MESH"
PARTS: Final = (TITLE, *MOVES, MESH)
"""The parts of an article; chemicals belong to MESH."""

_BATCH: Final = 2000  # records that are read together


@dataclass(frozen=True)
class Segment:
    """A piece of a topic.

    Attributes
    ----------
    part : str
        One of `PARTS`.
    score : float
        The classifier's score of a sentence, from 0 to 1; 1 for other parts.
    terms : Counter of str
        Its analysed terms.
    """

    part: str
    score: float
    terms: Counter[str]


def record_segments(
    record: Record, tagged: Iterable[Sentence], analysis: Analysis
) -> list[Segment]:
    """Cut a record into its title, its sentences with their moves, and its MeSH headings.

    Parameters
    ----------
    record : Record
    tagged : iterable of Sentence
        Its sentences with their moves, from `Indexes.tagged`.
    analysis : Analysis
    """
    title = topic_text(record, ["title"])
    pieces = [(TITLE, 1.0, title)]
    pieces += [(sentence.move, sentence.score, sentence.text) for sentence in tagged if sentence.n]
    pieces.append((MESH, 1.0, mesh_text(record)))
    return [
        Segment(part, score, Counter(analysis.terms(text))) for part, score, text in pieces if text
    ]


@dataclass(frozen=True, eq=False)
class Parts:
    """The term counts of articles, and of each of their parts.

    Attributes
    ----------
    matrix : TermMatrix
        Whole articles, n of them.
    counts : dict of str to scipy.sparse.csr_array of int32, shape (n, m)
        By part, over the terms of the matrix.
    """

    matrix: TermMatrix
    counts: dict[str, Sparse]

    @classmethod
    def read(cls, collection: Indexes) -> "Parts":
        """Read the articles of a collection, and the move of every sentence."""
        matrix = TermMatrix.read(collection.abstracts)
        located: list[list[tuple[str, str]]] = []
        for start in range(0, len(matrix), _BATCH):
            located += map(_located, collection.moves(matrix.ids[start : start + _BATCH]))
        return cls.locate(matrix, located, collection.sentences)

    @classmethod
    def locate(
        cls, matrix: TermMatrix, located: Sequence[Sequence[tuple[str, str]]], by_sentence: Index
    ) -> "Parts":
        """Read the terms of articles' sentences.

        Parameters
        ----------
        matrix : TermMatrix
            The articles.
        located : sequence of sequence of (str, str)
            For each article the ids of its sentences, each with its part.
        by_sentence : Index
        """
        flat = [(row, *sentence) for row, of in enumerate(located) for sentence in of]
        sentences = TermMatrix.read(by_sentence, [name for _, name, _ in flat])
        columns = np.array([matrix.columns.get(term, -1) for term in sentences.terms])
        shared = np.flatnonzero(columns >= 0)
        moved = _ones(shared, columns[shared], (len(columns), len(matrix.terms)))
        counts = {}
        for part in PARTS[:-1]:
            chosen = [place for place, sentence in enumerate(flat) if sentence[2] == part]
            rows = [flat[place][0] for place in chosen]
            joined = _ones(rows, chosen, (matrix.counts.shape[0], len(flat)))
            counts[part] = (joined @ sentences.counts @ moved).tocsr()
        rest = (matrix.counts - sum(counts.values())).tocsr()
        # Terms that the end of a sentence has cut occur in the sentences alone.
        rest.data = np.maximum(rest.data, 0)
        rest.eliminate_zeros()
        return cls(matrix, {**counts, MESH: rest})


def _ones(rows: ArrayLike, columns: ArrayLike, shape: tuple[int, int]) -> Sparse:
    """Return a matrix of int32 with a 1 at each place."""
    places = np.asarray(rows, dtype=np.intp), np.asarray(columns, dtype=np.intp)
    return csr((np.ones(len(places[0]), np.int32), places), shape)


def _located(sentences: Iterable[Sentence]) -> list[tuple[str, str]]:
    """Return the ids of an article's sentences, each with its part."""
    return [(sentence.id, sentence.move if sentence.n else TITLE) for sentence in sentences]
