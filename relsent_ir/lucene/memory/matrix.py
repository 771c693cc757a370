"""Searching in memory: the postings beside an index, and the scores that Lucene would give.

A term's part of a score is computed by Lucene's own similarity from the same counts, codes of
lengths and statistics; parts are added up in double precision and rounded once, as Lucene does. So
a run does not tell which engine made it. Lucene passes over documents that cannot be among the
first k; this reads all postings of a topic's terms, one array after the other.
"""

from collections.abc import Mapping, Sequence
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
"""With fewer topics at once, mapping the postings is not worth it."""
MANY: Final = 200
"""From so many topics on, searched one after the other, reading the postings is worth it."""

_ATTEMPTS: Final = 3
_MAPPED: Final = "documents", "counts", "starts", "lengths", "terms", "term_ends", "ranks"

Query: TypeAlias = str | Mapping[str, float]


class Opened:
    """The postings of an index by field, and the number of topics, for all its searchers."""

    def __init__(self) -> None:
        self.topics = 0
        self._fields: dict[str, tuple[Postings, Any]] = {}

    def field(self, index: OpenIndex, name: str) -> tuple[Postings, Any]:
        """Return the postings of a field, for Python and for Java."""
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
    """Map the files of postings for Java, which another process may have removed meanwhile."""
    folder = postings.folder.absolute()
    starts = [(folder / f"{part}.npy").stat().st_size - postings.sizes[part] for part in _MAPPED]
    about = index.reader, name, str(folder), starts, postings.counts.dtype.itemsize == 4
    with exclusive():
        return index.call("Postings.open", *about)


_opened: WeakKeyDictionary[OpenIndex, Opened] = WeakKeyDictionary()


def opened(index: OpenIndex) -> Opened:
    """Return the postings that the searchers of an index share."""
    if index not in _opened:
        _opened[index] = Opened()
    return _opened[index]


class Matrix:
    """A search in the postings of an index.

    Parameters
    ----------
    index : Index
    searcher : org.apache.lucene.search.IndexSearcher
        Of that index, with its similarity.
    analyzer : org.apache.lucene.analysis.Analyzer
    fields : mapping of str to float, optional
        What texts are searched in; weighted terms are searched in `contents`.
    passing : org.apache.lucene.search.Query, optional
        What hits must match.

    Raises
    ------
    InputError
        If the postings are damaged.
    OutputError
        If they are not there yet and cannot be written.
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
        # no term of an index has a NUL, and none is empty
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
    """Tell whether topics are to be searched in memory.

    ``auto`` leaves to Lucene fewer than `FEW` topics at once, unless a `whole` ranking is required,
    in which Lucene can pass over no document, and, while the postings are not beside
    the index yet, the first `MANY` of all; and an index whose postings are over the limit (`fits`),
    or cannot be written.

    Raises
    ------
    MismatchError
        If the engine is ``matrix`` and the postings are over the limit.
    OutputError
        If it is ``matrix`` and they cannot be written.
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
    """Unpack the hits of relsent.Matrix."""
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
