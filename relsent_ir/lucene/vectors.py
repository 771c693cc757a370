"""Term vectors of many documents, from the postings beside an index.

Lucene decompresses a block of documents for each one's vector, which takes a third of a
millisecond; all postings are looked through in a few hundredths of a second.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from relsent_ir.lucene.index import Index, TermVectors
from relsent_ir.lucene.postings import Postings, fits, has_postings, open_postings

EACH: Final = 50_000
"""Postings that are looked through in the time that Lucene takes for a document."""
_LEAST: Final = 100  # documents; for fewer, opening the postings is not worth it
_PIECE: Final = 2_000_000  # postings that are looked at at once


def vectors(index: Index, ids: Sequence[str]) -> TermVectors:
    """Read documents' terms and counts where it is faster; the same as `Index.vectors` gives.

    Raises
    ------
    InputError
        If an id is not in the index.
    """
    if len(ids) >= _LEAST and has_postings(index) and fits(index):
        postings = open_postings(index)
        numbers = index.documents(ids)
        several = len(np.unique(numbers)) == len(numbers) and numbers.min() >= 0
        if several and len(postings.documents) <= EACH * len(ids):
            return of_documents(postings, numbers)
    return index.vectors(ids)


def of_documents(postings: Postings, numbers: NDArray[np.int32]) -> TermVectors:
    """Gather the postings of some documents: a row for each.

    Parameters
    ----------
    postings : Postings
    numbers : ndarray of int, shape (n,)
        Lucene's numbers of the documents, each once.
    """
    from scipy.sparse import csr_array

    rows = np.full(len(postings.ranks), -1, np.int32)
    rows[numbers] = np.arange(len(numbers), dtype=np.int32)
    places = [np.empty(0, np.int64)]
    for start in range(0, len(postings.documents), _PIECE):
        piece = postings.documents[start : start + _PIECE]
        places.append(np.flatnonzero(rows[piece] >= 0) + start)
    found = np.concatenate(places)
    terms = np.searchsorted(postings.starts, found, side="right") - 1
    of_row = rows[postings.documents[found]]
    order = np.argsort(of_row, kind="stable")  # within a row, terms stay in order
    found, terms = found[order], terms[order]
    known, first, inverse = np.unique(terms, return_index=True, return_inverse=True)
    by_first = np.argsort(first)
    columns = np.empty(len(known), np.int32)
    columns[by_first] = np.arange(len(known), dtype=np.int32)
    ends = np.searchsorted(of_row[order], np.arange(len(numbers) + 1)).astype(np.int32)
    counts = csr_array(
        (postings.counts[found].astype(np.int32), columns[inverse.ravel()], ends),
        shape=(len(numbers), len(known)),
    )
    return TermVectors(counts, [postings.terms[term] for term in known[by_first].tolist()])
