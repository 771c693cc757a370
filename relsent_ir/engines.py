"""What an open index can be asked, be it a Lucene index on this machine or an OpenSearch cluster.

`relsent_ir.lucene` opens a folder. An address such as ``opensearch://host:9200/medline`` is opened
by the entry point of the group ``relsent_ir.engines`` that has the name of its scheme. Queries and
document numbers belong to the index that gave them and are only handed back to it.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

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


INDEX_METHODS: Final = (
    *("__len__", "ids", "documents", "raw", "records", "vectors", "frequencies", "values", "near"),
    *("statistics", "mean_length", "mean_distinct", "without_year", "has_deletions"),
    *("filter", "like", "strategy", "expansions", "both", "without", "count", "facets"),
    *("is_current", "close"),
)
"""The methods and properties of an open index of any engine, described by
`relsent_ir.lucene.read.index.Index`; it also has `folder`, `unit`, `facts` and `content`, a short
digest of the whole content."""
