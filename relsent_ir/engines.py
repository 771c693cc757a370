"""What an open index can be asked, be it a Lucene index on this machine or an OpenSearch cluster.

`relsent_ir.lucene` opens a folder. An address such as ``opensearch://host:9200/medline`` is opened
by the entry point of the group ``relsent_ir.engines`` that has the name of its scheme. Queries and
document numbers belong to the index that gave them and are only handed back to it.
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
"""Entry points by scheme: each is a function of an address, a unit and a reader of facts."""
HEAVIEST: Final = 1e30  # more makes scores infinite, and Lucene then takes the index for damaged
_ADDRESS: Final = re.compile(r"([a-z]+)(\+http)?:/{1,2}[^/]+/.+")


def engine_of(place: Path | str) -> str:
    """Return the scheme of an address, "" for a folder; a `Path` keeps one slash of ``://``."""
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
    """Refuse a single id where several are needed: its letters would be taken for ids."""
    if isinstance(ids, str):
        raise UsageError(f"{ids!r} is one id, not a sequence of ids", fix=f"write [{ids!r}]")
    return ids


def check_topics(
    topics: Mapping[str, str | Mapping[str, float]], k: int, threads: int, batch_size: int
) -> None:
    """Refuse topics and numbers that no search accepts.

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
    """Refuse negative weights and weights that make scores infinite."""
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
        Number of documents of the index that have each term; None if reading did not count them.
    """

    counts: Sparse
    terms: list[str]
    frequencies: NDArray[np.int64] | None = None


@runtime_checkable
class SearchIndex(Protocol):
    """An index of a collection's abstracts or sentences, open for reading, in any engine.

    Attributes
    ----------
    folder : Path
        The collection's folder or address.
    unit : {"abstracts", "sentences"}
    facts : relsent_ir.lucene.commits.Facts
        The analysis of the index and facts about its contents.
    content : str
        A short digest of the whole content.
    """

    folder: Path
    unit: str
    facts: Any
    content: str

    def __len__(self) -> int: ...

    def ids(self, most: int | None = None) -> list[str]:
        """Return all ids, or the first `most` of them."""

    def documents(self, ids: Sequence[str]) -> NDArray[np.int32]:
        """Return the number of each id, -1 where there is none; shape (len(ids),)."""

    def raw(self, ids: Sequence[str]) -> list[str]:
        """Return the stored JSON of documents; an unknown id is an `InputError`."""

    def records(self, ids: Sequence[str]) -> list[Any]:
        """Return the records of the abstract index."""

    def vectors(self, ids: Sequence[str]) -> TermVectors:
        """Return the analysed terms of documents, with their counts."""

    def frequencies(self, terms: Sequence[str], field: str = "contents") -> NDArray[np.int64]:
        """Return how many documents have each term in a field; shape (len(terms),)."""

    def values(self, field: str) -> dict[str, int]:
        """Return the values of a filter's field, each with its number of documents."""

    def near(self, term: str) -> list[str]:
        """Return the terms within two edits of a term, the likeliest first."""

    def statistics(self) -> dict[str, Any]:
        """Count documents, terms, postings and tokens."""

    def is_current(self) -> bool:
        """Return whether the open index is still the current one of its collection."""

    def close(self) -> None:
        """Release files and connections."""

    @property
    def mean_length(self) -> float:
        """The mean number of terms of the documents that have terms."""

    @property
    def mean_distinct(self) -> float:
        """The mean number of different terms of the documents that have terms."""

    @property
    def without_year(self) -> int:
        """The number of documents without a year."""

    @property
    def has_deletions(self) -> bool:
        """Whether term frequencies still count deleted documents."""

    def filter(self, years: Sequence[int], fields: Sequence[str], terms: Sequence[str]) -> Any:
        """Build the query for a range of years and, for each field, any one of the given terms."""

    def like(self, field: str, pattern: str) -> Any:
        """Build the query for the values of a field that match a regular expression."""

    def strategy(self, *steps: Sequence[Any]) -> Any:
        """Build a strategy's query from postfix: kinds, fields, texts, numbers, other queries."""

    def expansions(self, field: str, word: str) -> int:
        """Count the terms that match a word with a star or ?; 0 if the engine limits them."""

    def both(self, first: Any, second: Any) -> Any:
        """Build the query for the documents that both queries match; it scores 0."""

    def without(self, query: Any, field: str, value: str) -> Any:
        """Build a query that leaves out the documents with this value of a field."""

    def count(self, query: Any) -> int:
        """Count the documents that match a query."""

    def facets(
        self, found: Any, numbers: Sequence[str], names: Sequence[str], most: int
    ) -> tuple[int, Mapping[str, list[tuple[str, int]]]]:
        """Count documents, given by ids or a query, in all and by the values of each field."""
