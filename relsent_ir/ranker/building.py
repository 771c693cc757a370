"""Building the store: postings turned round, sentences beside their records, lists as columns."""

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from relsent_ir.citation.graph import CitationGraph
from relsent_ir.lucene.collection import Collection
from relsent_ir.lucene.index import Index
from relsent_ir.lucene.postings import Postings, open_postings
from relsent_ir.moves import MOVES
from relsent_ir.records import Record
from relsent_ir.text.vocabulary import Vocabulary
from relsent_ir.typing import Progress

if TYPE_CHECKING:
    from scipy.sparse import csr_array

FIELDS: Final = ("title", "abstract", "mesh")
TYPES: Final = ("review", "case reports", "clinical trial", "randomized controlled trial")
"""Publication types that a record's own features tell."""
NO_MOVE: Final = -1
_BATCH: Final = 20_000  # documents that are read at a time


def build_arrays(collection: Collection, progress: Progress | None) -> dict[str, NDArray[Any]]:
    """Give the arrays of the store of a collection (`relsent_ir.ranker.store.Store`).

    Parameters
    ----------
    collection : Collection
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


def _sentences(
    collection: Collection, ids: Vocabulary, terms: Vocabulary
) -> dict[str, NDArray[Any]]:
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
