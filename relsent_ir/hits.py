"""Ranked results, in one class for searchers and rerankers; data frames of other packages."""

import operator
from collections import UserDict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from html import escape
from importlib import import_module
from itertools import islice
from numbers import Integral, Real
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from relsent_ir.drawing import cut
from relsent_ir.errors import Advising, InputError, UnknownIdError, UsageError
from relsent_ir.lazy import needed
from relsent_ir.typing import Progress

T = TypeVar("T")

_SHOWN: Final = 3  # hits shown for a topic
_ROWS: Final = 20  # topics shown
_WIDTH: Final = 40  # characters shown of an id

_LARGEST: Final = float(np.finfo(np.float32).max)
_SIGN: Final = 0x80000000
_STEPS: Final = 0x7F7FFFFF  # single-precision steps from 0 to the largest number


COLUMNS: Final = {
    "qid": ("qid", "query_id", "q_id"),
    "query": ("query", "text"),
    "docno": ("docno", "doc_id", "docid"),
    "score": ("score",),
    "label": ("label", "relevance", "rel", "score"),
}
"""The columns of frames: each name as in PyTerrier, then as in ir_measures and ranx."""


class Frame(Protocol):
    """A data frame whose columns can be read by name."""

    @property
    def columns(self) -> Iterable[object]:
        """The names of the columns."""

    def __getitem__(self, name: str, /) -> Iterable[object]: ...


def column(frame: Any, name: str) -> list[Any]:
    """Return a frame's column, under any of its names in `COLUMNS`.

    Raises
    ------
    InputError
        If the frame has no column of these names.
    """
    for known in COLUMNS[name]:
        if known in frame.columns:
            return list(frame[known])
    raise InputError(f"the frame has no column {name!r}", fix=f"or {', '.join(COLUMNS[name][1:])}")


def text_id(name: object) -> str:
    """Return an id as text; a whole number is accepted too.

    Raises
    ------
    UsageError
    """
    if isinstance(name, str):
        return name
    if isinstance(name, Integral) and not isinstance(name, bool):
        return str(name)
    fix = f'"{getattr(name, "id", name)!s:.40}"'
    raise UsageError(f"ids are texts, not {name!r:.40}", fix=fix)


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Hits(Advising):
    """The ranked hits of one topic: by descending score, ties by ascending id.

    A sequence of pairs: ``for id, score in hits``, ``hits[0]``; a slice is again `Hits`. Two are
    equal if their ids and scores are equal in the same order; like arrays, they have no hash.

    Attributes
    ----------
    ids : ndarray of str, shape (n,), dtype object
        Record or sentence ids.
    scores : ndarray of float64, shape (n,)
        Their scores, in descending order.
    basis : object
        Further results of the search, such as its candidates, from which evidence for the hits is
        computed; slices keep it.
    """

    ids: NDArray[np.object_]
    scores: NDArray[np.float64]
    basis: object = None

    @classmethod
    def ranked(cls, ids: Iterable[str], scores: Iterable[float], k: int | None = None) -> "Hits":
        """Sort scored ids by our order and keep the first `k` (all if None).

        Ids are compared by their UTF-8 bytes, as Lucene and trec_eval compare them.
        """
        names = list(ids)
        values = np.fromiter(scores, dtype=np.float64, count=len(names))
        by_id = sorted(range(len(names)), key=lambda i: names[i].encode())
        order = np.array(by_id, dtype=np.intp)
        order = order[np.argsort(-values[order], kind="stable")][:k]
        array = np.empty(len(names), dtype=object)
        array[:] = names
        return cls(array[order], values[order])

    @classmethod
    def of(cls, given: Any) -> "Hits":
        """Return hits from ``{document: score}``, pairs, `Results`, or ids in ranked order.

        Raises
        ------
        UsageError
            If the input is none of these, or a score is not a finite number.
        """
        if isinstance(given, Hits):
            return given
        if isinstance(of := getattr(given, "hits", None), Hits):
            return of
        pairs: list[Any] = []
        if isinstance(given, Mapping):
            pairs = list(given.items())
        elif isinstance(given, Iterable) and not isinstance(given, str):
            listed = list(given)
            pairs = [(one.id, one.score) if hasattr(one, "id") else one for one in listed]
            if all(isinstance(one, str | Integral) for one in listed):
                pairs = list(zip(listed, range(len(listed), 0, -1), strict=True))
        else:
            raise UsageError(f"no hits: {given!r:.60}", fix="as {document: score}")
        for pair in pairs:
            score = pair[1] if isinstance(pair, tuple | list) and len(pair) == 2 else None
            if not isinstance(score, Real) or not np.isfinite(float(score)):
                raise UsageError(f"no hit: {pair!r:.60}", fix="a document and a finite score")
        return cls.ranked([text_id(name) for name, _ in pairs], [float(s) for _, s in pairs])

    def head(self, k: int) -> "Hits":
        """Return the first `k` hits."""
        return Hits(self.ids[:k], self.scores[:k], self.basis)

    def without(self, hit_id: str) -> "Hits":
        """Remove one id, such as the topic's own."""
        rest = self.ids != hit_id
        return Hits(self.ids[rest], self.scores[rest], self.basis)

    def max_passage(self, delimiter: str = ".") -> "Hits":
        """Replace sentences by their records, each with the score of its best sentence.

        A sentence's id is its record's id and a number, split at the last dot. With another
        delimiter, the part before its first occurrence is the document's id, as in Anserini. Ids
        without the delimiter stay unchanged.
        """
        best: dict[str, float] = {}
        for name, score in zip(self.ids, self.scores, strict=True):
            whole = owner(name) if delimiter == "." else name.partition(delimiter)[0]
            best.setdefault(whole or name, score)
        return Hits.ranked(best.keys(), best.values())

    def __len__(self) -> int:
        return len(self.ids)

    def __iter__(self) -> Iterator[tuple[str, float]]:
        return zip(self.ids.tolist(), self.scores.tolist(), strict=True)

    @overload
    def __getitem__(self, key: int) -> tuple[str, float]: ...
    @overload
    def __getitem__(self, key: str) -> float: ...
    @overload
    def __getitem__(self, key: slice) -> "Hits": ...
    def __getitem__(self, key: int | str | slice) -> "tuple[str, float] | float | Hits":
        """Return the pair at a position, the score of an id, or a slice."""
        if isinstance(key, slice):
            return Hits(self.ids[key], self.scores[key], self.basis)
        if isinstance(key, str):
            if key not in self:
                raise UnknownIdError(f"no hit {key!r:.40}")
            return float(self.scores[self.ids == key][0])
        place = operator.index(key)
        return self.ids[place], float(self.scores[place])

    def __contains__(self, hit: object) -> bool:
        return hit in (self.ids.tolist() if isinstance(hit, str) else list(self))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Hits):
            return NotImplemented
        same = np.array_equal(self.ids, other.ids) and np.array_equal(self.scores, other.scores)
        return self is other or same

    def __repr__(self) -> str:
        return f"Hits({len(self):,}: {_first(self)})" if len(self) else "Hits(0)"


class ScoredDoc(NamedTuple):
    """A hit in the form of ir_measures, with its score in a run file."""

    query_id: str
    doc_id: str
    score: float


class Run(UserDict[str, Hits], Advising):
    """The hits of each topic, by topic id.

    A notebook shows this mapping as a table. ir_measures reads it like a data frame, by `columns`
    and `itertuples`, since it would expect a plain dict to contain dicts.
    """

    columns = ScoredDoc._fields
    instead = "rir.fuse([RUN, RUN])"

    def __init__(self, given: Any = ()) -> None:
        if isinstance(given, str | Path):
            raise UsageError(f"a path is no run: {given}", fix="rir.read_run(path)")
        frame = hasattr(given, "columns") and type(given) is not Run
        try:
            super().__init__(Run.from_dataframe(given) if frame else given)
        except (TypeError, ValueError):
            fix = "{topic: {document: score}}, or a frame"
            raise UsageError(f"no run: {given!r:.60}", fix=fix) from None

    def __setitem__(self, topic: Any, hits: Any) -> None:
        """Set a topic's hits, in any form that `Hits.of` accepts; a number becomes a text id."""
        self.data[text_id(topic)] = hits if isinstance(hits, Hits) else Hits.of(hits)

    def __missing__(self, topic: object) -> Hits:
        if (name := text_id(topic)) in self.data:  # looked up by a number
            return self.data[name]
        raise UnknownIdError(f"no topic {topic!r:.40}")

    def to_dict(self) -> dict[str, dict[str, float]]:
        """Return the scores of a run file by topic and document, in the form of pytrec_eval."""
        return {
            topic: dict(zip(hits.ids.tolist(), map(float, ranked_scores(hits.scores)), strict=True))
            for topic, hits in self.items()
        }

    def write(self, path: str | Path, tag: str = "relsent-ir") -> None:
        """Write a run file, like `relsent_ir.write_run`."""
        import_module("relsent_ir.trec.runs").write_run(path, self, tag)  # a layer above

    def itertuples(self) -> Iterator[ScoredDoc]:
        """Iterate over all hits, with ties lowered as in a run file (`ranked_scores`).

        ir_measures computes the same values from them as from the run file; it also accepts the
        frame ``pd.DataFrame(run.itertuples())``.
        """
        for topic, hits in self.items():
            for name, score in zip(hits.ids, ranked_scores(hits.scores), strict=True):
                yield ScoredDoc(topic, name, float(score))

    def head(self, k: int) -> "Run":
        """Return the first `k` hits of each topic."""
        return Run((topic, hits.head(k)) for topic, hits in self.items())

    def to_dataframe(self, topics: Mapping[str, str] | None = None) -> Any:
        """Return a data frame with a row for each hit, and PyTerrier's column names.

        Parameters
        ----------
        topics : mapping of str to str, optional
            Texts by topic id, which become a column ``query``.

        Returns
        -------
        pandas.DataFrame
            ``qid``, ``docno`` (text), ``score`` (float64), ``rank`` (from 0), and ``query``.
            Topics without hits have no row.

        Raises
        ------
        MissingError
            If pandas is not installed.
        InputError
            If a topic has no text.
        """
        pandas = needed("pandas", "pandas", "pandas")
        lengths = [len(hits) for hits in self.values()]
        columns = {
            "qid": np.repeat(np.array(list(self), dtype=object), lengths),
            "docno": np.concatenate([np.empty(0, object), *(hits.ids for hits in self.values())]),
            # No ties: a measure that reads the frame sorts it by score again.
            "score": np.array([hit.score for hit in self.itertuples()], dtype=np.float64),
            "rank": np.concatenate([np.empty(0, np.int64), *map(np.arange, lengths)]),
        }
        if topics is not None:
            if missing := next((topic for topic in self if topic not in topics), None):
                raise InputError(f"topic {missing} of the run is not among the topics")
            texts = np.array([topics[topic] for topic in self], dtype=object)
            columns["query"] = np.repeat(texts, lengths)
        return pandas.DataFrame(columns)

    @classmethod
    def from_dataframe(cls, frame: Any) -> "Run":
        """Read a frame of `to_dataframe`, or any frame with PyTerrier's columns.

        Parameters
        ----------
        frame : pandas.DataFrame
            ``qid``, ``docno`` and ``score``, or their names in ir_measures and ranx. Equal scores
            are ordered by the column ``rank`` if there is one, else by id from A to Z.

        Raises
        ------
        InputError
            If a column is missing, a score is not a finite number, or a topic has a document twice.
        UsageError
            If an id is neither a text nor a whole number.
        """
        names = {name: column(frame, name) for name in ("qid", "docno", "score")}
        ranks = list(frame["rank"]) if "rank" in frame.columns else None
        places: dict[str, list[int]] = {}
        for place, topic in enumerate(map(text_id, names["qid"])):
            places.setdefault(topic, []).append(place)
        documents = np.array([text_id(name) for name in names["docno"]], dtype=object)
        try:
            numbers = np.array(names["score"], dtype=np.float64)
        except (TypeError, ValueError) as error:
            raise InputError(f"the frame's scores are no numbers: {error}") from None
        run = cls()
        for topic, rows in places.items():
            ids, scores = documents[rows], numbers[rows]
            if not np.isfinite(scores).all():
                bad = ids[~np.isfinite(scores)][0]
                raise InputError(f"topic {topic}: the score of document {bad} is no finite number")
            if len(set(ids)) < len(ids):
                raise InputError(f"topic {topic}: a document is there twice")
            if ranks:
                order = np.lexsort(([ranks[row] for row in rows], -scores))
                run[topic] = Hits(ids[order], scores[order])
            else:
                run[topic] = Hits.ranked(ids, scores)
        return run

    def __repr__(self) -> str:
        return f"Run({len(self):,} topics, {sum(map(len, self.values())):,} hits)"

    def _repr_html_(self) -> str:
        rows = [
            f"<tr><td>{escape(cut(topic, _WIDTH))}</td><td>{len(hits):,}</td>"
            f"<td>{escape(_first(hits))}</td></tr>"
            for topic, hits in list(self.items())[:_ROWS]
        ]
        if len(self) > _ROWS:
            rows.append(f"<tr><td colspan=3>… {len(self) - _ROWS:,} more topics</td></tr>")
        head = "<tr><th>topic</th><th>hits</th><th>first</th></tr>"
        return f"<table>{head}{''.join(rows)}</table>"


def ranked_scores(scores: NDArray[np.float64]) -> list[str]:
    """Write the scores of a ranking so that each is lower than the one before, without ties.

    trec_eval ignores the rank column; it orders by score, and ties by document id from Z to A.
    Version 10 compares in double precision; version 9, like pytrec_eval, in single precision. So a
    score that is not below its predecessor in single precision is lowered to the next number that
    is. All others are written exactly: reading them gives the same double.

    Parameters
    ----------
    scores : ndarray of float64, shape (n,)
        Finite, in ranked order.

    Returns
    -------
    list of str, length n
        Texts that `float` reads, of at most 24 characters.
    """
    single = np.clip(scores, -_LARGEST, _LARGEST).astype(np.float32)
    bits = single.view(np.uint32).astype(np.int64)
    # Single-precision numbers get consecutive integers: -1, 0, 1 around zero.
    step = np.where(bits >= _SIGN, _SIGN - bits, bits)
    down = np.arange(len(scores))
    lowered = np.minimum.accumulate(step + down) - down
    # Nothing is below the lowest number: there, the scores before it are raised instead.
    lowered = np.maximum(lowered, down[::-1] - _STEPS)
    bits = np.where(lowered < 0, _SIGN - lowered, lowered).astype(np.uint32)
    values = bits.view(np.float32)
    texts = _digits(scores)
    for i in np.flatnonzero(lowered != step).tolist():
        # Nine digits are within a tenth of a step: reading them as a double and rounding it to
        # single precision gives the same number.
        texts[i] = f"{values[i]:.9g}"
    return texts


def _digits(scores: NDArray[np.float64]) -> list[str]:
    """Write each number as `repr` does, in a ninth of the time."""
    import orjson

    if not len(scores):
        return []
    numbers = np.ascontiguousarray(scores, dtype=np.float64)
    texts = orjson.dumps(numbers, option=orjson.OPT_SERIALIZE_NUMPY)[1:-1].decode().split(",")
    sizes = np.abs(numbers)
    # For other numbers, JSON writes exponents unlike Python, and has no infinity.
    for i in np.flatnonzero(~((sizes >= 1e-4) & (sizes < 1e16) | (sizes == 0))).tolist():
        texts[i] = repr(float(numbers[i]))
    return texts


def owner(sentence: str) -> str:
    """Return the id of a sentence's record: the part of the sentence's id before the last dot."""
    return sentence.rpartition(".")[0]


def scaled(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Scale scores linearly to 0 (lowest) to 1 (highest); equal scores all become 0."""
    spread = np.ptp(scores) if len(scores) else 0.0
    return (scores - scores.min()) / spread if spread > 0 else np.zeros(len(scores))


def batches(
    topics: Mapping[str, T], size: int, progress: Progress | None = None
) -> Iterator[dict[str, T]]:
    """Yield the topics in their order, `size` at a time.

    Parameters
    ----------
    topics : mapping of str to object
    size : int
    progress : callable, optional
        Called with the number of topics done and the total, when the next batch is requested.
    """
    pairs, done = iter(topics.items()), 0
    while batch := dict(islice(pairs, size)):
        yield batch
        done += len(batch)
        if progress:
            progress(done, len(topics))


def _first(hits: Hits) -> str:
    """Write the first hits with their scores."""
    shown = [f"{cut(id_, _WIDTH)} {score:.4f}" for id_, score in hits[:_SHOWN]]
    return ", ".join(shown + ["…"] * (len(hits) > _SHOWN))
