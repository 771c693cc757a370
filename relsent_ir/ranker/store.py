"""What features are computed from: the counts of an index by document, mapped into memory.

Lucene keeps, for each term, the documents that have it; features of some candidates need, for each
candidate, the terms that it has. The postings are turned round once, and kept beside the index in
``DIR/derived/ranker/``; a topic reads the rows of its candidates, however large the collection is.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from relsent_ir.citation.graph import CitationGraph
from relsent_ir.counts.matrix import Counts
from relsent_ir.errors import MismatchError
from relsent_ir.lucene.memory.derived import open_derived
from relsent_ir.lucene.memory.postings import Postings, open_postings
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.lucene.read.index import Index
from relsent_ir.models import Stored
from relsent_ir.moves import MOVES
from relsent_ir.records import Record
from relsent_ir.text.vocabulary import Vocabulary
from relsent_ir.typing import Progress

if TYPE_CHECKING:
    from scipy.sparse import csr_array

NAME: Final = "ranker"
LAYOUT: Final = 1
"""Of the arrays; another where they change."""
FIELDS: Final = ("title", "abstract", "mesh")
TYPES: Final = ("review", "case reports", "clinical trial", "randomized controlled trial")
"""Publication types that a record's own features tell."""
NO_MOVE: Final = -1
_BATCH: Final = 20_000  # documents that are read at a time
_PARTS: Final = "data", "columns", "starts"


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


def open_store(collection: Indexes, progress: Progress | None = None) -> Store:
    """Map the store of a collection into memory; build it first if it is not there.

    Parameters
    ----------
    collection : Indexes
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


def build_arrays(collection: Indexes, progress: Progress | None) -> dict[str, NDArray[Any]]:
    """Give the arrays of the store of a collection (`relsent_ir.ranker.store.Store`).

    Parameters
    ----------
    collection : Indexes
    progress : callable or None
        Gets the number of records read, and of all.
    """
    index = collection.abstracts
    whole = open_postings(index)
    names, terms = list(whole.ids), whole.terms
    arrays: dict[str, NDArray[Any]] = {
        "ids": whole.ids.text,
        "id_ends": whole.ids.ends,
        "terms": terms.text,
        "term_ends": terms.ends,
    }
    contents = _turned(whole, terms, len(names))
    arrays |= _arrays("contents", contents)
    total = np.zeros(len(terms), np.int64)
    np.add.at(total, contents.indices, contents.data)
    arrays["frequencies"] = total
    for field in FIELDS:
        found = _turned(open_postings(index, field), terms, len(names))
        if found.nnz:
            arrays |= _arrays(field, found)
    arrays |= _sentences(collection, whole.ids, terms)
    records = _records(index, names, progress)
    graph = CitationGraph.build(records)
    degrees = np.bincount(graph.references.indices, minlength=graph.references.shape[1])
    shared = graph.references[:, np.flatnonzero(degrees > 1)].tocsr()
    for name, found in (
        ("references", shared),
        ("links", graph.links()),
        ("headings", _headings(records)),
    ):
        if found.nnz:
            arrays |= _arrays(name, found)
    arrays["records"] = _facts(records)
    return arrays


def _turned(postings: Postings, terms: Vocabulary, n: int) -> "csr_array":
    """Turn postings round: a row for each document, over the given terms."""
    from scipy.sparse import csr_array

    places = terms.locate(postings.terms)
    columns: NDArray[np.int32] = np.repeat(places, np.diff(postings.starts))
    rows: NDArray[np.int32] = postings.ranks[postings.documents]
    kept = (rows >= 0) & (columns >= 0)
    coded = rows[kept].astype(np.int32), columns[kept].astype(np.int32)
    found = csr_array((postings.counts[kept].astype(np.int32), coded), shape=(n, len(terms)))
    found.sort_indices()
    return found


def _arrays(name: str, matrix: "csr_array") -> dict[str, NDArray[Any]]:
    data = (
        matrix.data.astype(np.uint16)
        if matrix.nnz and int(matrix.data.max()) < 2**16
        else matrix.data
    )
    sums = np.asarray(matrix.sum(axis=1)).ravel()
    df = np.bincount(matrix.indices, minlength=matrix.shape[1]).astype(np.int32)
    return {
        f"{name}_data": data,
        f"{name}_columns": matrix.indices.astype(np.int32),
        f"{name}_starts": matrix.indptr.astype(np.int32),
        f"{name}_df": df,
        f"{name}_mean": np.array([sums[sums > 0].mean() if sums.any() else 1.0]),
    }


def _sentences(collection: Indexes, ids: Vocabulary, terms: Vocabulary) -> dict[str, NDArray[Any]]:
    """Give the sentences of all records, in their order."""
    index = collection.sentences
    postings = open_postings(index)
    split = [name.rpartition(".") for name in postings.ids]
    owners = ids.locate([owner for owner, _, _ in split]).astype(np.int64)
    numbers = np.array([int(number) for _, _, number in split], dtype=np.int64)
    kept = np.flatnonzero(owners >= 0)
    order = kept[np.lexsort((numbers[kept], owners[kept]))]
    counts = _turned(postings, terms, len(split))[order]
    moves = np.full(len(split), NO_MOVE, np.int8)
    if index.facts.moves:
        place = {move: number for number, move in enumerate(MOVES)}
        names = list(postings.ids)
        for start in range(0, len(names), _BATCH):
            some = names[start : start + _BATCH]
            moves[start : start + len(some)] = [
                place.get(json.loads(line).get("move", ""), NO_MOVE) for line in index.raw(some)
            ]
    sizes = np.bincount(owners[kept], minlength=len(ids))
    return {
        **_arrays("sentences", counts),
        "sentence_starts": np.cumsum(np.append(0, sizes)).astype(np.int32),
        "places": order.astype(np.int32),
        "titles": numbers[order] == 0,
        "moves": moves[order],
    }


def _records(index: Index, names: Sequence[str], progress: Progress | None) -> list[Record]:
    found: list[Record] = []
    for start in range(0, len(names), _BATCH):
        found += index.records(names[start : start + _BATCH])
        if progress:
            progress(len(found), len(names))
    return found


def _headings(records: Sequence[Record]) -> "csr_array":
    """1 where a record has a heading, with or without qualifiers."""
    return _coded([[mesh.heading.casefold() for mesh in record.mesh] for record in records])


def _coded(keys: Sequence[Sequence[str]]) -> "csr_array":
    from scipy.sparse import csr_array

    codes: dict[str, int] = {}
    some = [[codes.setdefault(key, len(codes)) for key in dict.fromkeys(of)] for of in keys]
    starts = np.cumsum([0, *map(len, some)]).astype(np.int32)
    columns = np.array([code for of in some for code in of], dtype=np.int32)
    ones = np.ones(len(columns), np.int32)
    return csr_array((ones, columns, starts), shape=(len(keys), len(codes)))


def _facts(records: Sequence[Record]) -> NDArray[np.float32]:
    found = np.zeros((len(records), 2 + len(TYPES)), np.float32)
    for row, record in enumerate(records):
        types = {name.casefold() for name in record.publication_types}
        year = int(record.year) if record.year.isascii() and record.year.isdecimal() else 0
        found[row] = [bool(record.sections), min(year, 9999), *(name in types for name in TYPES)]
    return found
