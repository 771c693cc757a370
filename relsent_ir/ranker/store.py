"""The data for features: term counts, and the references, links and headings of records.

The counts are those of `relsent_ir.counts.store`; the other data are read from the records once,
and stored beside the index in ``DIR/derived/ranker/``.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from relsent_ir.citation.graph import CitationGraph
from relsent_ir.counts.store import CountStore, open_counts, pack_counts, unpack_counts
from relsent_ir.lucene.memory.derived import Derived
from relsent_ir.lucene.read.collection import Indexes, read_all
from relsent_ir.models import Stored
from relsent_ir.records import Record
from relsent_ir.typing import NDArray, Progress, Sparse

NAME: Final = "ranker"
LAYOUT: Final = 3
"""The edition of the arrays; raise it when they change."""


def open_store(collection: Indexes, progress: Progress | None = None) -> CountStore:
    """Map the store of a collection into memory; build it first if it is missing.

    Its counts are those of terms, of ``references`` to works that several records cite, of
    ``links`` to and from other records, and of MeSH ``headings``, if there are any.

    Parameters
    ----------
    collection : Indexes
    progress : callable, optional
        Called while the store is built, with the number of records read and the total.

    Raises
    ------
    InputError
        If the stored arrays are damaged.
    OutputError
        If the store cannot be written.
    """
    terms = open_counts(collection)

    def read(stored: Stored) -> CountStore:
        counts = terms.counts | unpack_counts(stored.arrays)
        of_records = (each for name, each in counts.items() if name != "sentences")
        if any(len(terms) != each.matrix.shape[0] for each in of_records):
            raise ValueError("its arrays do not fit")
        return replace(terms, counts=counts)

    derived = Derived(collection.abstracts, NAME, {}, LAYOUT)
    return derived.open(lambda: _build(collection, list(terms.ids), progress), read)


def _build(
    collection: Indexes, ids: Sequence[str], progress: Progress | None
) -> dict[str, NDArray[Any]]:
    records = list(read_all(collection.abstracts, progress, ids))
    graph = CitationGraph.build(records)
    degrees = np.bincount(graph.references.indices, minlength=graph.references.shape[1])
    counts = {
        "references": graph.references[:, np.flatnonzero(degrees > 1)].tocsr(),
        "links": graph.links(),
        "headings": _headings(records),
    }
    arrays: dict[str, NDArray[Any]] = {}
    for name, matrix in counts.items():
        if matrix.nnz:
            arrays |= pack_counts(name, matrix)
    return arrays


def _headings(records: Sequence[Record]) -> Sparse:
    """Write 1 for each heading of a record, with or without qualifiers."""
    from scipy.sparse import csr_array

    codes: dict[str, int] = {}
    coded = [
        [codes.setdefault(name, len(codes)) for name in dict.fromkeys(headings)]
        for headings in ([mesh.heading.casefold() for mesh in record.mesh] for record in records)
    ]
    starts = np.cumsum([0, *map(len, coded)]).astype(np.int32)
    columns = np.array([code for row in coded for code in row], dtype=np.int32)
    ones = np.ones(len(columns), np.int32)
    return csr_array((ones, columns, starts), shape=(len(records), len(codes)))
