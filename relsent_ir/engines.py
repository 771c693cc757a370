"""Questions that an open index answers, be it Lucene's on this machine or a cluster's elsewhere.

A folder is opened by `relsent_ir.lucene`; an address, ``opensearch://host:9200/medline``, by the
entry point of the group ``relsent_ir.engines`` that has its scheme's name. Queries and documents'
numbers are the engine's own: they are only handed back to the index that gave them.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol, runtime_checkable

import numpy as np

from relsent_ir.errors import MismatchError, UsageError
from relsent_ir.typing import NDArray, Sparse

ENGINES: Final = "relsent_ir.engines"
"""The group of entry points: by scheme, a function of an address, a unit and a reader of facts."""
HEAVIEST: Final = 1e30  # more makes infinite scores, by which Lucene takes an index for damaged
_ADDRESS: Final = re.compile(r"([a-z]+)(\+http)?:/{1,2}[^/]+/.+")


def engine_of(place: Path | str) -> str:
    """Return the scheme of an address; "" for a folder. A `Path` keeps one slash of the two."""
    found = _ADDRESS.fullmatch(str(place))
    return found[1] if found else ""


def need_folder(place: Path | str) -> None:
    """Refuse an address where an index on this machine is needed.

    Raises
    ------
    MismatchError
    """
    if engine_of(place):
        problem = "this needs all of an index, which is not there over a cluster"
        where = re.sub(":/+", "://", str(place), count=1)
        raise MismatchError(problem, where=where, fix="name the folder it was exported from")


def listed(ids: Sequence[str]) -> Sequence[str]:
    """Refuse one id where several are wanted: its letters would be taken for ids."""
    if isinstance(ids, str):
        raise UsageError(f"{ids!r} is one id, not a sequence of ids", fix=f"write [{ids!r}]")
    return ids


def check_topics(
    topics: Mapping[str, str | Mapping[str, float]], k: int, threads: int, batch_size: int
) -> None:
    """Refuse topics, and numbers, that no search takes.

    Raises
    ------
    UsageError
    """
    if not isinstance(topics, Mapping):
        problem = f"topics are a mapping of ids to texts, not {topics!r:.80}"
        raise UsageError(problem, fix='write {"1": "the text"}')
    for topic in topics.values():
        if not isinstance(topic, str):
            check_weights(topic, "term")
    if k < 1 or threads < 1 or batch_size < 1:
        raise UsageError("hits, threads and batch size must be at least 1")


def check_weights(weights: Mapping[str, float], what: str) -> None:
    """Refuse negative weights, and those that make infinite scores."""
    for name, weight in weights.items():
        if not 0 <= weight <= HEAVIEST:
            problem = f"the weight {weight} of {what} {name!r}"
            raise UsageError(problem, fix=f"from 0 to {HEAVIEST:g}")


@dataclass(frozen=True)
class TermVectors:
    """Term counts of documents.

    Attributes
    ----------
    counts : scipy.sparse.csr_array of int32, shape (documents, terms)
    terms : list of str
        The columns' terms, in order of first appearance.
    frequencies : ndarray of int64, shape (terms,), optional
        In how many documents of the index each term is, where reading them has told.
    """

    counts: Sparse
    terms: list[str]
    frequencies: NDArray[np.int64] | None = None


@runtime_checkable
class SearchIndex(Protocol):
    """Either index of a collection, open for reading, in whatever engine.

    Attributes
    ----------
    folder : Path
        The collection's folder or address.
    unit : {"abstracts", "sentences"}
    facts : relsent_ir.lucene.commits.Facts
        How it was analysed, and what is in it.
    content : str
        A short digest of all that it holds.
    """

    folder: Path
    unit: str
    facts: Any
    content: str

    def __len__(self) -> int: ...

    def ids(self, most: int | None = None) -> list[str]:
        """Return all ids, or so many of them."""

    def documents(self, ids: Sequence[str]) -> NDArray[np.int32]:
        """Return the number of each id, -1 where there is none; shape (len(ids),)."""

    def raw(self, ids: Sequence[str]) -> list[str]:
        """Return the stored JSON of documents; an id that is not there is an `InputError`."""

    def records(self, ids: Sequence[str]) -> list[Any]:
        """Return the records themselves, from the abstract index."""

    def vectors(self, ids: Sequence[str]) -> TermVectors:
        """Return the analysed terms of documents, with their counts."""

    def frequencies(self, terms: Sequence[str], field: str = "contents") -> NDArray[np.int64]:
        """Return the number of documents of each term of a field; shape (len(terms),)."""

    def values(self, field: str) -> dict[str, int]:
        """Return the values of a field of filters, each with its number of documents."""

    def near(self, term: str) -> list[str]:
        """Return the terms that at most two changes make of one, the likeliest first."""

    def statistics(self) -> dict[str, Any]:
        """Count documents, terms, postings and tokens."""

    def is_current(self) -> bool:
        """Tell whether the collection is still the one that is open."""

    def close(self) -> None:
        """Let go of files and connections."""

    @property
    def mean_length(self) -> float:
        """The mean number of terms of the documents that have any."""

    @property
    def mean_distinct(self) -> float:
        """The mean number of different terms of the documents that have any."""

    @property
    def without_year(self) -> int:
        """The number of documents without a year."""

    @property
    def has_deletions(self) -> bool:
        """Whether frequencies count documents that are deleted."""

    def filter(self, years: Sequence[int], fields: Sequence[str], terms: Sequence[str]) -> Any:
        """Build the query of a range of years, and of any of the terms of each field."""

    def like(self, field: str, pattern: str) -> Any:
        """Build the query of the values of a field that match a regular expression."""

    def strategy(self, *steps: Sequence[Any]) -> Any:
        """Build the query of a strategy in postfix: kinds, fields, texts, numbers, others."""

    def expansions(self, field: str, beginning: str) -> int:
        """Count the terms of a field that begin so; 0 if the engine itself refuses too many."""

    def both(self, first: Any, second: Any) -> Any:
        """Build the query of what two queries find; it scores 0."""

    def without(self, query: Any, field: str, value: str) -> Any:
        """Build the query for what a query finds, without documents of this value in a field."""

    def count(self, query: Any) -> int:
        """Count the documents that a query finds."""

    def facets(
        self, found: Any, numbers: Sequence[str], names: Sequence[str], most: int
    ) -> tuple[int, Mapping[str, list[tuple[str, int]]]]:
        """Count the values of documents, by ids or a query: how many documents, and by field."""
