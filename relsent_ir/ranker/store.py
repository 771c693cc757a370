"""What features are computed from: the counts of an index by document, mapped into memory.

Lucene keeps, for each term, the documents that have it; features of some candidates need, for each
candidate, the terms that it has. The postings are turned round once, and kept beside the index in
``DIR/derived/ranker/``; a topic reads the rows of its candidates, however large the collection is.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from relsent_ir.errors import MismatchError
from relsent_ir.lucene.collection import Collection
from relsent_ir.lucene.derived import open_derived
from relsent_ir.models import Stored
from relsent_ir.ranker.building import NO_MOVE, build_arrays
from relsent_ir.text.vocabulary import Vocabulary
from relsent_ir.typing import Progress

if TYPE_CHECKING:
    from scipy.sparse import csr_array

NAME: Final = "ranker"
LAYOUT: Final = 1
"""Of the arrays; another where they change."""
_PARTS: Final = "data", "columns", "starts"


@dataclass(frozen=True, eq=False)
class Counts:
    """Counts by row, with what a weighting needs to know of all rows.

    Attributes
    ----------
    matrix : scipy.sparse.csr_array, shape (rows, columns)
    df : ndarray of int32, shape (columns,)
        In how many rows each column is.
    mean : float
        The mean sum of a row that has any.
    """

    matrix: "csr_array"
    df: NDArray[np.int32]
    mean: float

    @property
    def size(self) -> int:
        """How many rows there are."""
        return int(self.matrix.shape[0])


@dataclass(frozen=True, eq=False)
class Store:
    """All records of a collection, in the order of their ids' UTF-8 bytes.

    Attributes
    ----------
    ids : Vocabulary
        The records', length n.
    terms : Vocabulary
        The analysed terms, length m.
    counts : dict of str to Counts
        By name: ``contents``, ``title``, ``abstract`` and ``mesh`` of the records, ``sentences``,
        all over the same terms; ``references`` to works that several records refer to, ``links``
        to and from other records, ``headings`` of MeSH. One that is empty throughout is not there.
    frequencies : ndarray of int64, shape (m,)
        How often each term is in `contents` of all records.
    starts : ndarray of int32, shape (n + 1,)
        Where each record's sentences begin among all, the title first.
    places : ndarray of int32, shape (sentences,)
        The place of each sentence among all by their ids' UTF-8 bytes, as in
        `relsent_ir.related.store.sentences`.
    titles : ndarray of bool, shape (sentences,)
        Which sentences are titles.
    moves : ndarray of int8, shape (sentences,)
        The place of each sentence's move in `relsent_ir.moves.MOVES`, or `NO_MOVE`.
    records : ndarray of float32, shape (n, 2 + len(TYPES))
        Has an abstract; the year, 0 for unknown; is of each of `building.TYPES`.
    """

    ids: Vocabulary
    terms: Vocabulary
    counts: dict[str, Counts]
    frequencies: NDArray[np.int64]
    starts: NDArray[np.int32]
    places: NDArray[np.int32]
    titles: NDArray[np.bool_]
    moves: NDArray[np.int8]
    records: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.ids)

    def rows(self, ids: Sequence[str]) -> NDArray[np.intp]:
        """Give the row of each record.

        Raises
        ------
        MismatchError
            If one is not in the collection.
        """
        rows = self.ids.locate(ids).astype(np.intp)
        if len(rows) and rows.min() < 0:
            raise MismatchError(f"{ids[int(rows.argmin())]} is not a record of the index")
        return rows

    @cached_property
    def tagged(self) -> bool:
        """Whether sentences have moves."""
        return bool((self.moves != NO_MOVE).any())


def open_store(collection: Collection, progress: Progress | None = None) -> Store:
    """Map the store of a collection into memory; build it first if it is not there.

    Parameters
    ----------
    collection : Collection
    progress : callable, optional
        Gets the number of records read, and of all, while it is built.

    Raises
    ------
    InputError
        If what is stored is damaged.
    OutputError
        If it cannot be written.
    """

    def build() -> dict[str, NDArray[Any]]:
        return build_arrays(collection, progress)

    return open_derived(collection.abstracts, NAME, {"layout": LAYOUT}, build, _read)


def _read(stored: Stored) -> Store:
    from scipy.sparse import csr_array

    arrays = {name: np.asarray(array) for name, array in stored.arrays.items()}
    ids = Vocabulary(arrays["ids"], arrays["id_ends"])
    terms = Vocabulary(arrays["terms"], arrays["term_ends"])
    counts = {}
    for name in [key.removesuffix("_df") for key in arrays if key.endswith("_df")]:
        data, columns, starts = (arrays[f"{name}_{part}"] for part in _PARTS)
        df = arrays[f"{name}_df"]
        matrix = csr_array((data, columns, starts), shape=(len(starts) - 1, len(df)))
        counts[name] = Counts(matrix, df, float(arrays[f"{name}_mean"][0]))
    if "contents" not in counts or counts["contents"].matrix.shape != (len(ids), len(terms)):
        raise ValueError("its arrays do not fit")
    return Store(
        ids,
        terms,
        counts,
        arrays["frequencies"],
        arrays["sentence_starts"],
        arrays["places"],
        arrays["titles"],
        arrays["moves"],
        arrays["records"],
    )
