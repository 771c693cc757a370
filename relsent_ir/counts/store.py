"""Term counts by record, field and sentence: arrays stored beside an index, mapped into memory.

Lucene stores the documents of each term; features of candidates need the terms of each candidate.
So the postings are transposed once and stored beside the index in ``DIR/derived/counts/``; a topic
reads the rows of its candidates only, at any size of the collection.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from relsent_ir.counts.matrix import Counts
from relsent_ir.engines import TermVectors
from relsent_ir.errors import MismatchError
from relsent_ir.lucene.memory.derived import Derived
from relsent_ir.lucene.memory.postings import Postings, open_postings
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.models import Stored
from relsent_ir.moves import MOVES
from relsent_ir.sparse import csr
from relsent_ir.text.vocabulary import Vocabulary
from relsent_ir.typing import NDArray, Sparse

NAME: Final = "counts"
LAYOUT: Final = 1
"""The edition of the arrays; raise it when they change."""
FIELDS: Final = ("title", "abstract", "mesh")
NO_MOVE: Final = -1
_BATCH: Final = 20_000  # sentences read at a time


@dataclass(frozen=True, eq=False)
class CountStore:
    """The counts of all records of a collection, sorted by the ids' UTF-8 bytes.

    Attributes
    ----------
    ids : Vocabulary
        The ids of the records, of length n.
    terms : Vocabulary
        The analysed terms, of length m.
    counts : dict of str to Counts
        Counts by name: ``contents``, ``title``, ``abstract`` and ``mesh`` of the records, and
        ``sentences``, all over the same terms. Empty counts are left out.
    frequencies : ndarray of int64, shape (m,)
        The total count of each term in `contents` of all records.
    starts : ndarray of int32, shape (n + 1,)
        The first of each record's sentences, which start with the title.
    places : ndarray of int32, shape (sentences,)
        The rank of each sentence by its id's UTF-8 bytes, as in `relsent_ir.related.store`.
    titles : ndarray of bool, shape (sentences,)
        Whether each sentence is a title.
    moves : ndarray of int8, shape (sentences,)
        The index of each sentence's move in `relsent_ir.moves.MOVES`, or `NO_MOVE`.
    """

    ids: Vocabulary
    terms: Vocabulary
    counts: dict[str, Counts]
    frequencies: NDArray[np.int64]
    starts: NDArray[np.int32]
    places: NDArray[np.int32]
    titles: NDArray[np.bool_]
    moves: NDArray[np.int8]

    def __len__(self) -> int:
        return len(self.ids)

    def rows(self, ids: Sequence[str]) -> NDArray[np.intp]:
        """Return the row of each record.

        Raises
        ------
        MismatchError
            If a record is not in the collection.
        """
        rows = self.ids.locate(ids).astype(np.intp)
        if len(rows) and rows.min() < 0:
            raise MismatchError(f"{ids[int(rows.argmin())]} is not a record of the index")
        return rows

    def vectors(self, ids: Sequence[str]) -> TermVectors:
        """Return the terms of records with their counts, like `Index.vectors`.

        The frequencies exclude deleted records.

        Raises
        ------
        MismatchError
            If a record is not in the collection.
        """
        contents = self.counts["contents"]
        rows = contents.matrix[self.rows(ids)]
        used, first, columns = np.unique(rows.indices, return_index=True, return_inverse=True)
        order = np.argsort(first)
        places = np.argsort(order).astype(np.int32)
        parts = rows.data.astype(np.int32), places[columns], rows.indptr
        counts = csr(parts, shape=(len(ids), len(used)))
        used = used[order]
        return TermVectors(counts, self.terms.take(used), contents.df[used].astype(np.int64))


def open_counts(collection: Indexes) -> CountStore:
    """Map the counts of a collection into memory; build them first if they are missing.

    Raises
    ------
    InputError
        If the stored arrays are damaged.
    OutputError
        If the counts cannot be written.
    """
    return Derived(collection, NAME, {}, LAYOUT).open(lambda: _build(collection), _read)


def pack_counts(name: str, matrix: Sparse) -> dict[str, NDArray[Any]]:
    """Return the arrays that store a matrix of counts; `unpack_counts` reads them."""
    data = matrix.data
    if matrix.nnz and int(data.max()) < 2**16:
        data = data.astype(np.uint16)
    sums = np.asarray(matrix.sum(axis=1)).ravel()
    return {
        f"{name}_data": data,
        f"{name}_columns": matrix.indices.astype(np.int32),
        f"{name}_starts": matrix.indptr.astype(np.int32),
        f"{name}_df": np.bincount(matrix.indices, minlength=matrix.shape[1]).astype(np.int32),
        f"{name}_mean": np.array([sums[sums > 0].mean() if sums.any() else 1.0]),
    }


def unpack_counts(stored: Mapping[str, NDArray[Any]]) -> dict[str, Counts]:
    """Read all matrices of counts among stored arrays, by name."""
    counts = {}
    for name in [key.removesuffix("_df") for key in stored if key.endswith("_df")]:
        parts = "data", "columns", "starts"
        data, columns, starts = (stored[f"{name}_{part}"] for part in parts)
        df = stored[f"{name}_df"]
        matrix = csr((data, columns, starts), shape=(len(starts) - 1, len(df)))
        counts[name] = Counts(matrix, df, float(stored[f"{name}_mean"][0]))
    return counts


def _build(collection: Indexes) -> dict[str, NDArray[Any]]:
    index = collection.abstracts
    whole = open_postings(index)
    ids, terms = whole.ids, whole.terms
    contents = _turned(whole, terms)
    frequencies = np.zeros(len(terms), np.int64)
    np.add.at(frequencies, contents.indices, contents.data)
    arrays: dict[str, NDArray[Any]] = {
        "ids": ids.text,
        "id_ends": ids.ends,
        "terms": terms.text,
        "term_ends": terms.ends,
        **pack_counts("contents", contents),
        "frequencies": frequencies,
    }
    for field in FIELDS:
        counts = _turned(open_postings(index, field), terms)
        if counts.nnz:
            arrays |= pack_counts(field, counts)
    return arrays | _sentences(collection, ids, terms)


def _turned(postings: Postings, terms: Vocabulary) -> Sparse:
    """Transpose postings: a row for each document, in the order of ids, over the given terms."""
    places = terms.locate(postings.terms)
    columns: NDArray[np.int32] = np.repeat(places, np.diff(postings.starts))
    rows: NDArray[np.int32] = postings.ranks[postings.documents]
    live = (rows >= 0) & (columns >= 0)
    coordinates = rows[live].astype(np.int32), columns[live].astype(np.int32)
    data = postings.counts[live].astype(np.int32)
    counts = csr((data, coordinates), shape=(len(postings.ids), len(terms)))
    counts.sort_indices()
    return counts


def _sentences(collection: Indexes, ids: Vocabulary, terms: Vocabulary) -> dict[str, NDArray[Any]]:
    """Count the terms of all sentences, record by record, and read their moves."""
    index = collection.sentences
    postings = open_postings(index)
    split = [name.rpartition(".") for name in postings.ids]
    owners = ids.locate([owner for owner, _, _ in split]).astype(np.int64)
    numbers = np.array([int(number) for _, _, number in split], dtype=np.int64)
    owned = np.flatnonzero(owners >= 0)
    order = owned[np.lexsort((numbers[owned], owners[owned]))]
    counts = _turned(postings, terms)[order]
    moves = np.full(len(split), NO_MOVE, np.int8)
    if index.facts.moves:
        place = {move: number for number, move in enumerate(MOVES)}
        names = list(postings.ids)
        for start in range(0, len(names), _BATCH):
            batch = names[start : start + _BATCH]
            moves[start : start + len(batch)] = [
                place.get(json.loads(line).get("move", ""), NO_MOVE) for line in index.raw(batch)
            ]
    sizes = np.bincount(owners[owned], minlength=len(ids))
    return {
        **pack_counts("sentences", counts),
        "sentence_starts": np.cumsum(np.append(0, sizes)).astype(np.int32),
        "places": order.astype(np.int32),
        "titles": numbers[order] == 0,
        "moves": moves[order],
    }


def _read(stored: Stored) -> CountStore:
    arrays = stored.arrays
    ids = Vocabulary(arrays["ids"], arrays["id_ends"])
    terms = Vocabulary(arrays["terms"], arrays["term_ends"])
    counts = unpack_counts(arrays)
    if "contents" not in counts or counts["contents"].matrix.shape != (len(ids), len(terms)):
        raise ValueError("its arrays do not fit")
    return CountStore(
        ids,
        terms,
        counts,
        arrays["frequencies"],
        arrays["sentence_starts"],
        arrays["places"],
        arrays["titles"],
        arrays["moves"],
    )
