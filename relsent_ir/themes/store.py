"""The terms of an index's records as arrays beside it, mapped into memory.

They are computed once for each choice of terms, and stored in ``DIR/derived/themes/``. They cannot
come from the postings (`relsent_ir.counts`): phrases consist of words as written in the text, which
no analyzer has stemmed.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from relsent_ir.errors import InputError, UsageError
from relsent_ir.lucene.memory.derived import Derived
from relsent_ir.lucene.read.index import Index
from relsent_ir.models import Stored
from relsent_ir.records import Record
from relsent_ir.text.vocabulary import Vocabulary
from relsent_ir.text.words import default_stopwords
from relsent_ir.themes.matrix import Piece, PresenceMatrix, Selection, gather_matrix
from relsent_ir.typing import NDArray, Progress

NAME: Final = "themes"
EDITION: Final = 1
"""Version of the arrays; it changes when an index would give different ones."""
FIELDS: Final[dict[str, Callable[[Record], Sequence[str]]]] = {
    "title": lambda record: (record.title, record.vernacular_title),
    "abstract": lambda record: [section.text for section in record.sections],
    "mesh": lambda record: [heading.heading for heading in record.mesh],
    "chemicals": lambda record: record.chemicals,
}
"""Texts of a record that may supply terms, by name."""

_BATCH: Final = 5000  # records that are read together


@dataclass(frozen=True)
class Terms:
    """The texts that supply terms, and the choice of terms.

    Attributes
    ----------
    fields : tuple of str
        Out of `FIELDS`.
    stopwords : tuple of str or None
        In lower case; scikit-learn's 318 if None.
    selection : Selection
    """

    fields: tuple[str, ...] = ("title", "abstract")
    stopwords: tuple[str, ...] | None = None
    selection: Selection = field(default_factory=Selection)

    def __post_init__(self) -> None:
        for name in self.fields:
            if name not in FIELDS:
                raise UsageError(f"no field {name!r}", fix=f"one of {', '.join(FIELDS)}")
        if self.selection.min_records < 1 or not 0 < self.selection.max_share <= 1:
            raise UsageError(
                f"terms in at least {self.selection.min_records} records and at most a share of "
                f"{self.selection.max_share}",
                fix="at least 1, and a share above 0 up to 1",
            )


def open_matrix(
    index: Index, terms: Terms | None = None, progress: Progress | None = None
) -> PresenceMatrix:
    """Map the terms of an index's records into memory; compute them first if they are missing.

    Parameters
    ----------
    index : Index
        The abstracts of a collection.
    terms : Terms, optional
    progress : callable, optional
        Gets the number of records read, and of all, during the computation.

    Raises
    ------
    InputError
        If the index has no record, or none of its terms is chosen, or the store is damaged.
    OutputError
        If the store cannot be written.
    """
    terms = terms or Terms()
    stopwords = default_stopwords() if terms.stopwords is None else terms.stopwords
    chosen = {"fields": terms.fields, "stopwords": stopwords, **vars(terms.selection)}
    derived = Derived(index, NAME, chosen, EDITION)

    def build() -> dict[str, NDArray[Any]]:
        matrix = _build(index, terms, stopwords, progress, derived)
        return {
            "ids": matrix.ids.text,
            "id_ends": matrix.ids.ends,
            "terms": matrix.terms.text,
            "term_ends": matrix.terms.ends,
            "starts": matrix.starts,
            "columns": matrix.columns,
        }

    return derived.open(build, _read)


def _build(
    index: Index,
    terms: Terms,
    stopwords: Sequence[str],
    progress: Progress | None,
    derived: Derived,
) -> PresenceMatrix:
    ids = sorted(index.ids())
    if not ids:
        raise InputError("the index has no records", where=index.folder)

    def read(start: int) -> Piece:
        records = index.records(ids[start : start + _BATCH])
        texts = ([text for name in terms.fields for text in FIELDS[name](r)] for r in records)
        return Piece.of(texts, tuple(stopwords))

    pieces = map(read, range(0, len(ids), _BATCH))
    matrix = gather_matrix(ids, pieces, terms.selection, progress, derived.spool, derived.scratch)
    if not len(matrix.terms):
        least, most = terms.selection.min_records, terms.selection.max_share
        raise InputError(
            f"of {len(ids)} records, no term is in at least {least} and at most "
            f"{int(most * len(ids))}",
            where=index.folder,
            fix="take a larger --max-df, or more records",
        )
    return matrix


def _read(stored: Stored) -> PresenceMatrix:
    arrays = stored.arrays
    ids = Vocabulary(arrays["ids"], arrays["id_ends"])
    terms = Vocabulary(arrays["terms"], arrays["term_ends"])
    matrix = PresenceMatrix(ids, terms, np.asarray(arrays["starts"]), np.asarray(arrays["columns"]))
    if len(matrix.starts) != len(ids) + 1 or matrix.starts[-1] != len(matrix.columns):
        raise ValueError("its arrays do not fit")
    if len(matrix.columns) and matrix.columns.max() >= len(terms):
        raise ValueError("a term is out of range")
    return matrix
