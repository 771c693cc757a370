"""What ranks: searchers find hits for topics, rerankers put them into another order.

A method joins the others by being one of these. What a reranker can say of a hit that is shown is
its `Evidence`; the command line, JSON and the reader's page show it in one shape.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias, runtime_checkable

from relsent_ir.hits import Run
from relsent_ir.lucene.collection import Collection
from relsent_ir.typing import Progress

Query: TypeAlias = str | Mapping[str, float]
"""What is asked for: a text, or terms of the index with their weights."""


class Searcher(Protocol):
    """Finds hits for topics in one index."""

    def search(
        self,
        topics: Mapping[str, Query],
        k: int = 1000,
        *,
        threads: int = 1,
        batch_size: int = 64,
        progress: Progress | None = None,
    ) -> Run:
        """Find the first `k` hits of each topic; an entry for every topic, in their order."""
        ...


class Reranker(Protocol):
    """Orders the hits of a run."""

    def rerank(
        self,
        collection: Collection,
        run: Run,
        topics: Mapping[str, str],
        *,
        progress: Progress | None = None,
    ) -> Run:
        """Score all hits of a run, sentences or records of the collection, against the topics.

        Returns
        -------
        Run
            The same topics with the same hits, in the order of their new scores.
        """
        ...


@dataclass(frozen=True)
class Span:
    """A part of a text that is marked.

    Attributes
    ----------
    start, end : int
        Characters of the text, the end not included.
    label : str
        Why it is marked: a term of the topic, a name, an association.
    """

    start: int
    end: int
    label: str = ""


@dataclass(frozen=True)
class Evidence:
    """What a reranker says of a hit.

    Attributes
    ----------
    sentence : str
        Id of the sentence that decides; "" if none does.
    text : str
        Its text, or the title.
    spans : tuple of Span
        The parts of `text` to mark, in their order, not overlapping.
    values : dict of str to (str, float or list of str)
        What was found, by name: slot, direction, polarity, missing words.
    features : tuple of (str, float)
        What the score is the sum of, the weightiest first.
    """

    sentence: str = ""
    text: str = ""
    spans: tuple[Span, ...] = ()
    values: Mapping[str, str | float | list[str]] | None = None
    features: tuple[tuple[str, float], ...] = ()


@runtime_checkable
class Explains(Protocol):
    """A reranker that can account for its scores."""

    def evidence(self, collection: Collection, topic: str, ids: Sequence[str]) -> list[Evidence]:
        """Say why each hit has its score for the text of a topic; in the order of the ids."""
        ...
