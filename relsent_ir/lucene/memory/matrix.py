"""Search in memory, in the postings stored beside an index; scores are equal to Lucene's.

The part of a term in a score is computed by Lucene's own similarity from the same counts, length
codes and statistics; the parts are added in double precision and rounded once, as Lucene does. So a
run is the same from either engine. Lucene skips documents that cannot reach the first k; this
module reads all postings of a topic's terms, one array after the other.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any, Final, TypeAlias
from weakref import WeakKeyDictionary

import numpy as np

from relsent_ir.errors import InputError, MismatchError, OutputError
from relsent_ir.hits import Hits
from relsent_ir.lucene.analyzers import encodable
from relsent_ir.lucene.jvm import exclusive
from relsent_ir.lucene.memory.derived import OpenIndex
from relsent_ir.lucene.memory.postings import (
    FIELD,
    LIMIT_VARIABLE,
    Postings,
    fits,
    has_postings,
    open_postings,
)

AUTO: Final = "auto"
ENGINES: Final = (AUTO, "lucene", "matrix")
FEW: Final = 20
"""Fewer topics at once are not worth mapping the postings."""
MANY: Final = 200
"""Number of topics, searched one after the other, from which on reading the postings pays off."""

_ATTEMPTS: Final = 3
_MAPPED: Final = "documents", "counts", "starts", "lengths", "terms", "term_ends", "ranks"

Query: TypeAlias = str | Mapping[str, float]


@dataclass(eq=False)
class Opened:
    """Hold the postings of an index by field, and the number of topics of all its searchers."""

    topics: int = 0
    _fields: dict[str, tuple[Postings, Any]] = field(default_factory=dict)

    def field(self, index: OpenIndex, name: str) -> tuple[Postings, Any]:
        """Return the postings of a field, as Python's arrays and as Java's."""
        if name not in self._fields:
            for attempt in range(_ATTEMPTS):
                postings = open_postings(index, name)
                try:
                    self._fields[name] = postings, _mapped(index, name, postings)
                except (InputError, OSError):
                    if attempt == _ATTEMPTS - 1 or postings.folder.is_dir():
                        raise
                else:
                    break
        return self._fields[name]


def _mapped(index: OpenIndex, name: str, postings: Postings) -> Any:
    """Map the files of postings into Java; another process may have removed them meanwhile."""
    folder = postings.folder.absolute()
    starts = [(folder / f"{part}.npy").stat().st_size - postings.sizes[part] for part in _MAPPED]
    about = index.reader, name, str(folder), starts, postings.counts.dtype.itemsize == 4
    with exclusive():
        return index.call("Postings.open", *about)


_opened: WeakKeyDictionary[OpenIndex, Opened] = WeakKeyDictionary()


def opened(index: OpenIndex) -> Opened:
    """Return the postings that all searchers of an index share."""
    if index not in _opened:
        _opened[index] = Opened()
    return _opened[index]


class Matrix:
    """Search the postings of an index.

    Parameters
    ----------
    index : Index
    searcher : org.apache.lucene.search.IndexSearcher
        A searcher of this index, with its similarity.
    analyzer : org.apache.lucene.analysis.Analyzer
    fields : mapping of str to float, optional
        The fields in which texts are searched; weighted terms are searched in `contents`.
    passing : org.apache.lucene.search.Query, optional
        A query that hits must match.

    Raises
    ------
    InputError
        If the postings are damaged.
    OutputError
        If the postings do not exist yet and cannot be written.
    """

    def __init__(
        self,
        index: OpenIndex,
        searcher: Any,
        analyzer: Any,
        fields: Mapping[str, float] | None = None,
        passing: Any = None,
    ) -> None:
        self._index = index
        self._java = searcher, passing
        self._analyzer = analyzer
        self.fields = dict(fields or {FIELD: 1.0})
        self._made: dict[tuple[tuple[str, float], ...], tuple[Postings, Any]] = {}

    def search(self, topics: Sequence[Query], k: int, threads: int) -> list[Hits]:
        """Find the first `k` documents for each topic, a text or weighted terms."""
        texts = [encodable(topic) for topic in topics if isinstance(topic, str)]
        # Neither a term with a NUL nor an empty term is in an index.
        bags = [
            [(term, abs(weight)) for term, weight in topic.items() if term and "\0" not in term]
            for topic in topics
            if not isinstance(topic, str)
        ]
        hits: dict[bool, list[Hits]] = {True: [], False: []}
        if texts:
            postings, matrix = self._matrix(True)
            data = self._index.call("Matrix.texts", matrix, self._analyzer, texts, k, threads)
            hits[True] = _hits(data.tostring(), len(texts), postings)
        if bags:
            postings, matrix = self._matrix(False)
            terms = "".join(term + "\0" for bag in bags for term, _ in bag)
            boosts = [weight for bag in bags for _, weight in bag]
            ends = list(accumulate(map(len, bags)))
            data = self._index.call(
                "Matrix.weighted", matrix, encodable(terms), boosts, ends, k, threads
            )
            hits[False] = _hits(data.tostring(), len(bags), postings)
        answers = {kind: iter(some) for kind, some in hits.items()}
        return [next(answers[isinstance(topic, str)]) for topic in topics]

    def _matrix(self, of_texts: bool) -> tuple[Postings, Any]:
        fields = tuple(self.fields.items()) if of_texts else ((FIELD, 1.0),)
        if fields not in self._made:
            shared = opened(self._index)
            parts = [shared.field(self._index, name) for name, _ in fields]
            searcher, passing = self._java
            mapped, weights = [part for _, part in parts], [weight for _, weight in fields]
            with exclusive():
                made = self._index.call("Matrix.open", searcher, mapped, weights, passing)
            self._made[fields] = parts[0][0], made
        return self._made[fields]


def worth(
    engine: str,
    index: OpenIndex,
    topics: Sequence[Query],
    fields: Mapping[str, float],
    *,
    whole: bool = False,
) -> bool:
    """Return whether topics should be searched in memory.

    With ``auto``, Lucene searches fewer than `FEW` topics at once (unless a `whole` ranking is
    required, in which Lucene cannot skip documents); the first `MANY` of all topics while the index
    has no stored postings; and an index whose postings exceed the limit (`fits`) or cannot be
    written.

    Raises
    ------
    MismatchError
        If the engine is ``matrix`` and the postings exceed the limit.
    OutputError
        If the engine is ``matrix`` and the postings cannot be written.
    """
    shared = opened(index)
    shared.topics += len(topics)
    if engine == "lucene" or (engine == AUTO and len(topics) < FEW and not whole):
        return False
    names = dict.fromkeys([*fields, FIELD])
    waits = engine == AUTO and shared.topics < MANY
    if waits and not all(has_postings(index, name) for name in names):
        return False
    if not all(fits(index, name) for name in names):
        if engine == AUTO:
            return False
        raise MismatchError(
            "its postings are over the limit",
            where=index.folder,
            fix=f"set {LIMIT_VARIABLE} to more, or --engine lucene",
        )
    try:
        for name in names:
            shared.field(index, name)
    except OutputError:
        if engine == AUTO:
            return False
        raise
    return True


def _hits(data: bytes, count: int, postings: Postings) -> list[Hits]:
    """Unpack the hits that relsent.Matrix returns."""
    answers = []
    numbers = np.frombuffer(data, "<i4")
    scores = numbers.view("<f4")
    at = 1
    for _ in range(count):
        n = int(numbers[at - 1])
        ids = postings.named(numbers[at + n : at + 2 * n])
        answers.append(Hits(ids, scores[at : at + n].astype(np.float64)))
        at += 2 * n + 1
    return answers
