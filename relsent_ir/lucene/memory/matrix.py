"""Searching in memory: Lucene's scores from the postings beside an index.

A term's part of a score is computed by Lucene's own similarity from the same counts, codes of
lengths and statistics; parts are added in double precision and rounded once, as Lucene does. So
both engines write the same run. Lucene skips documents that cannot be among the first k; this
engine reads all postings of a topic's terms, one array after the other.
"""

from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any, Final, TypeAlias
from weakref import WeakKeyDictionary

import numpy as np

from relsent_ir.errors import InputError, MismatchError, OutputError, UsageError
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
"""Topics at once from which mapping the postings pays."""
MANY: Final = 200
"""Topics in all, searched one after the other, from which reading the postings pays."""

_ATTEMPTS: Final = 3
_MAPPED: Final = "documents", "counts", "starts", "lengths", "terms", "term_ends", "ranks"

Query: TypeAlias = str | Mapping[str, float]


class Opened:
    """The postings of an index by field, and its number of topics, shared by its searchers."""

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
    """Map the files of postings for Java; another process may have removed them meanwhile."""
    folder = postings.folder.absolute()
    starts = [(folder / f"{part}.npy").stat().st_size - postings.sizes[part] for part in _MAPPED]
    wide = postings.counts.dtype.itemsize == 4
    with exclusive():
        return index.call("Postings.open", index.reader, name, str(folder), starts, wide)


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
        The fields that texts are searched in; weighted terms are searched in `contents`.
    passing : org.apache.lucene.search.Query, optional
        A filter of hits.

    Raises
    ------
    InputError
        If the postings are damaged.
    OutputError
        If they are missing and cannot be written.
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
        self._matrices: dict[bool, tuple[Postings, Any]] = {}

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
            terms = encodable("".join(term + "\0" for bag in bags for term, _ in bag))
            boosts = [weight for bag in bags for _, weight in bag]
            ends = list(accumulate(map(len, bags)))
            data = self._index.call("Matrix.weighted", matrix, terms, boosts, ends, k, threads)
            hits[False] = _hits(data.tostring(), len(bags), postings)
        answers = {kind: iter(of_kind) for kind, of_kind in hits.items()}
        return [next(answers[isinstance(topic, str)]) for topic in topics]

    def _matrix(self, of_texts: bool) -> tuple[Postings, Any]:
        if of_texts not in self._matrices:
            fields = self.fields if of_texts else {FIELD: 1.0}
            shared = opened(self._index)
            parts = [shared.field(self._index, name) for name in fields]
            searcher, passing = self._java
            mapped = [part for _, part in parts]
            weights = list(fields.values())
            with exclusive():
                matrix = self._index.call("Matrix.open", searcher, mapped, weights, passing)
            self._matrices[of_texts] = parts[0][0], matrix
        return self._matrices[of_texts]


def check_engine(engine: str) -> None:
    """Refuse an unknown engine.

    Raises
    ------
    UsageError
    """
    if engine not in ENGINES:
        raise UsageError(f"no engine {engine!r}", fix=f"one of {', '.join(ENGINES)}")


def worth(
    engine: str,
    index: OpenIndex,
    topics: Sequence[Query],
    fields: Mapping[str, float],
    *,
    whole: bool = False,
) -> bool:
    """Tell whether topics are to be searched in memory.

    ``auto`` uses Lucene for fewer than `FEW` topics at once, unless the ranking is `whole`, so that
    Lucene can skip no document; for the first `MANY` topics of all, as long as the postings are not
    stored; and if the postings are over the limit (`fits`) or cannot be written.

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
    early = engine == AUTO and shared.topics < MANY
    if early and not all(has_postings(index, name) for name in names):
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
        ids = postings.ids_at(numbers[at + n : at + 2 * n])
        answers.append(Hits(ids, scores[at : at + n].astype(np.float64)))
        at += 2 * n + 1
    return answers
