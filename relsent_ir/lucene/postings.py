"""The postings of an index as arrays beside it, mapped into memory.

They are read once for each field that is asked for, and kept in ``DIR/derived/postings-UNIT/``;
when segments come to the index, theirs are added (`postings_build`).
What Lucene counts is counted here: deleted documents are in them until Lucene merges them away.
"""

import os
import re
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from relsent_ir.errors import UsageError
from relsent_ir.lucene.derived import is_derived, older, open_derived, scratch
from relsent_ir.lucene.index import Index
from relsent_ir.lucene.jvm import call
from relsent_ir.models import Stored
from relsent_ir.typing import Progress

if TYPE_CHECKING:
    from relsent_ir.text.vocabulary import Vocabulary

NAME: Final = "postings"
FIELD: Final = "contents"
LIMIT_VARIABLE: Final = "RELSENT_POSTINGS"
DEFAULT_LIMIT: Final = "2g"
MOST: Final = 2**29 - 1
"""Postings of a field: Java maps 2 GB at once."""

_ENTRY: Final = 8  # bytes
_FEW: Final = 1 << 20  # documents whose ids may all be in memory, as strings


@dataclass(frozen=True, eq=False)
class Postings:
    """Which documents have each term of a field, and how often.

    Attributes
    ----------
    ids : Vocabulary
        Of all documents that are not deleted, in the order of their UTF-8 bytes.
    ranks : ndarray of int32, shape (documents,)
        By Lucene's number of a document, its id's place in `ids`; -1 for a deleted one.
    terms : Vocabulary
        The analysed terms, those of deleted documents too.
    starts : ndarray of int32, shape (terms + 1,)
        Where each term's documents begin in `documents`.
    documents : ndarray of int32, shape (postings,)
        Lucene's numbers, ascending within each term.
    counts : ndarray of uint16 or int32, shape (postings,)
        How often each has the term.
    lengths : ndarray of uint8, shape (documents,)
        Lucene's code of each document's length (``SmallFloat.intToByte4``).
    folder : Path
        Where the files are.
    sizes : dict of str to int
        By the name of a file, the bytes of its array.
    """

    ids: "Vocabulary"
    ranks: NDArray[np.int32]
    terms: "Vocabulary"
    starts: NDArray[np.int32]
    documents: NDArray[np.integer]
    counts: NDArray[np.integer]
    lengths: NDArray[np.uint8]
    folder: Path
    sizes: dict[str, int]

    @cached_property
    def names(self) -> NDArray[np.object_]:
        """The ids as an array."""
        names = np.empty(len(self.ids), dtype=object)
        names[:] = list(self.ids)
        return names

    def named(self, places: NDArray[np.integer]) -> NDArray[np.object_]:
        """Give some ids; of many documents, without an array of all."""
        names = np.empty(len(places), dtype=object)
        if len(self.ids) <= _FEW:
            names[:] = self.names[places]
            return names
        names[:] = [self.ids[place] for place in places.tolist()]
        return names


def open_postings(
    index: Index, field: str = FIELD, *, progress: Progress | None = None
) -> Postings:
    """Map the postings of a field into memory; read them from the index first if need be.

    Parameters
    ----------
    index : Index
    field : str
        An indexed field with text.
    progress : callable, optional
        Gets the number of postings read, and of all, while they are.

    Raises
    ------
    InputError
        If what is stored is damaged.
    OutputError
        If it cannot be written.
    """
    name, settings = _name(index), {"field": field}

    def build() -> dict[str, NDArray[Any]]:
        from relsent_ir.lucene.postings_build import build as build_arrays

        allot = partial(scratch, index, name, settings)
        return build_arrays(index, field, older(index, name, settings), allot, progress)

    return open_derived(index, name, settings, build, _made)


def has_postings(index: Index, field: str = FIELD) -> bool:
    """Whether they are there already."""
    return is_derived(index, _name(index), {"field": field})


def fits(index: Index, field: str = FIELD) -> bool:
    """Whether a field's postings are below the limit: ``RELSENT_POSTINGS``, 2g if it is not set.

    Raises
    ------
    UsageError
        If the limit cannot be read.
    """
    limit = os.environ.get(LIMIT_VARIABLE) or DEFAULT_LIMIT
    found = re.fullmatch(r"(\d+)([mgMG])", limit)
    if not found:
        raise UsageError(f"no size: {limit!r}", where=LIMIT_VARIABLE, fix="write it as 512m or 4g")
    size = int(found[1]) << (30 if found[2] in "gG" else 20)
    postings = int(call("PostingsWalk.size", index.reader, field, 0, where=index.folder))
    return postings <= MOST and postings * _ENTRY <= size


def _name(index: Index) -> str:
    return f"{NAME}-{index.unit}"


def _made(stored: Stored) -> Postings:
    from relsent_ir.text.vocabulary import Vocabulary

    arrays = {name: np.asarray(array) for name, array in stored.arrays.items()}
    made = Postings(
        Vocabulary(arrays["ids"], arrays["id_ends"]),
        arrays["ranks"],
        Vocabulary(arrays["terms"], arrays["term_ends"]),
        arrays["starts"],
        arrays["documents"],
        arrays["counts"],
        arrays["lengths"],
        stored.path,
        {name: array.nbytes for name, array in arrays.items()},
    )
    sizes = len(made.starts) - 1, len(made.counts), len(made.lengths)
    if sizes != (len(made.terms), len(made.documents), len(made.ranks)):
        raise ValueError("its arrays do not fit")
    if made.starts[-1] != len(made.documents):
        raise ValueError("its terms do not fit")
    return made
