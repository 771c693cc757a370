"""The parts of all articles as term matrices: title, the sentences of each move, MeSH."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from relsent_ir.citation.documents import MESH, PARTS, TITLE
from relsent_ir.feedback import TermMatrix
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.lucene.read.index import Index

if TYPE_CHECKING:
    from scipy.sparse import csr_array

BATCH: Final = 2000  # records that are read at a time


@dataclass(frozen=True, eq=False)
class Parts:
    """The term counts of articles, and of each of their parts.

    Attributes
    ----------
    matrix : TermMatrix
        Whole articles, n of them.
    counts : dict of str to scipy.sparse.csr_array of int32, shape (n, m)
        By part, over the matrix's terms.
    """

    matrix: TermMatrix
    counts: "dict[str, csr_array]"

    @classmethod
    def read(cls, collection: Indexes) -> "Parts":
        """Read the articles of a collection, and the move of every sentence."""
        matrix = TermMatrix.read(collection.abstracts)
        located: list[list[tuple[str, str]]] = []
        for start in range(0, len(matrix), BATCH):
            tagged = collection.moves(matrix.ids[start : start + BATCH])
            located += [[(s.id, s.move if s.n else TITLE) for s in some] for some in tagged]
        return cls.locate(matrix, located, collection.sentences)

    @classmethod
    def locate(
        cls,
        matrix: TermMatrix,
        located: Sequence[Sequence[tuple[str, str]]],
        by_sentence: Index,
    ) -> "Parts":
        """Read the terms of articles' sentences.

        Parameters
        ----------
        matrix : TermMatrix
            The articles.
        located : sequence of sequence of (str, str)
            Of each article the ids of its sentences, with the part that each belongs to.
        by_sentence : Index
        """
        from scipy.sparse import csr_array

        rows, parts, names = [], [], []
        for row, sentences in enumerate(located):
            for name, part in sentences:
                rows.append(row)
                parts.append(PARTS.index(part))
                names.append(name)
        spoken = TermMatrix.read(by_sentence, names)
        columns = np.array([matrix.columns.get(term, -1) for term in spoken.terms])
        kept = np.flatnonzero(columns >= 0)
        moved = csr_array(
            (np.ones(len(kept), np.int32), (kept, columns[kept])),
            shape=(len(columns), len(matrix.terms)),
        )
        counts = {}
        for number, part in enumerate(PARTS[:-1]):
            some = np.flatnonzero(np.array(parts) == number)
            chosen = csr_array(
                (np.ones(len(some), np.int32), (np.array(rows)[some], some)),
                shape=(matrix.counts.shape[0], len(names)),
            )
            counts[part] = (chosen @ spoken.counts @ moved).tocsr()
        rest = (matrix.counts - sum(counts.values())).tocsr()
        # Terms that a sentence's end has cut are in the sentences alone.
        rest.data = np.maximum(rest.data, 0)
        rest.eliminate_zeros()
        return cls(matrix, {**counts, MESH: rest})
