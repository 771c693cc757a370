"""The parts of all articles as term matrices: title, the sentences of each move, MeSH."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from relsent_ir.citation.documents import MESH, PARTS, TITLE
from relsent_ir.feedback import TermMatrix
from relsent_ir.lucene.collection import Collection

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
    def read(cls, collection: Collection) -> "Parts":
        """Read the articles of a collection, and the move of every sentence."""
        from scipy.sparse import csr_array

        matrix = TermMatrix.read(collection.abstracts)
        rows, parts, names = [], [], []
        for start in range(0, len(matrix), BATCH):
            for row, tagged in enumerate(
                collection.moves(matrix.ids[start : start + BATCH]), start
            ):
                for sentence in tagged:
                    rows.append(row)
                    parts.append(PARTS.index(sentence.move if sentence.n else TITLE))
                    names.append(sentence.id)
        spoken = TermMatrix.read(collection.sentences, names)
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
                shape=(len(matrix), len(names)),
            )
            counts[part] = (chosen @ spoken.counts @ moved).tocsr()
        rest = (matrix.counts - sum(counts.values())).tocsr()
        # Terms that a sentence's end has cut are in the sentences alone.
        rest.data = np.maximum(rest.data, 0)
        rest.eliminate_zeros()
        return cls(matrix, {**counts, MESH: rest})
