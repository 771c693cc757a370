"""Exact search by cosines, alone or joined with a lexical run, and feedback with vectors.

All rows are compared in blocks, so that memory does not grow with their number. The scores of hits
are computed again in double precision and row by row, so that they do not depend on a row's block
or on other topics.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from relsent_ir.dense.bert import Array
from relsent_ir.dense.encoder import Encoder, Way, digest_of
from relsent_ir.dense.rows import VectorRows, open_rows
from relsent_ir.errors import MismatchError, UsageError
from relsent_ir.hits import Hits, Run, scaled
from relsent_ir.lucene.analyzers import Analysis
from relsent_ir.lucene.read.filters import Filters
from relsent_ir.lucene.read.index import Index
from relsent_ir.methods import Dense, Hybrid
from relsent_ir.typing import Floats, NDArray, Progress

_BLOCK: Final = 1024  # rows compared at once
_CELLS: Final = 1 << 23  # cosines in memory at once
_SLACK: Final = 1e-5  # error of a cosine in single precision


@dataclass(frozen=True, eq=False)
class Vectors:
    """The vectors of an index's documents, and the encoder of queries."""

    rows: VectorRows
    encoder: Encoder
    _cached: dict[str, Array] = field(default_factory=dict)

    @classmethod
    def open(cls, index: Index, model: str) -> "Vectors":
        """Open the vectors of an index by a model, as in `open_rows`.

        Raises
        ------
        MismatchError
            If there are none, or they were made for another encoder of queries.
        """
        rows = open_rows(index, model)
        facts = rows.facts
        way = Way(facts["pooling"], facts["query"], facts["passage"], facts["limit"])
        encoder = Encoder(rows.query_folder, way, "numpy")
        if digest_of(rows.query_folder) != facts.get("query_weights", facts["weights"]):
            raise MismatchError("the encoder of queries has changed", where=rows.query_folder)
        if encoder.bert.hidden != rows.rows.shape[1]:
            raise MismatchError("vectors of another dimension", where=rows.query_folder)
        return cls(rows, encoder)

    def encode(self, text: str) -> Array:
        """Return the vector of a query; shape (dimension,)."""
        if text not in self._cached:
            self._cached[text] = self.encoder.encode(self.encoder.way.query + text).vector
        return self._cached[text]

    def cosines(self, vector: Array, ids: Sequence[str]) -> Floats:
        """Return the cosine of each document, NaN if it has no vector; shape (len(ids),)."""
        return self._exact(vector, self.rows.locate(ids))

    def nearest(
        self, vectors: Array, k: int, passing: NDArray[np.bool_] | None = None
    ) -> list[Hits]:
        """Find the documents with the highest cosines.

        Parameters
        ----------
        vectors : ndarray of float32, shape (m, dimension)
        k : int
            Number of hits for each vector; ties are broken by id.
        passing : ndarray of bool, shape (documents,), optional
            The documents that can be hits, in Lucene's order; all if None.
        """
        candidates: NDArray[np.bool_] = self.rows.scales > 0
        if passing is not None:
            candidates &= passing
        hits = []
        step = max(1, _CELLS // max(1, len(self.rows)))
        for start in range(0, len(vectors), step):
            batch = vectors[start : start + step]
            for vector, all_cosines in zip(batch, self._compare(batch), strict=True):
                likeness = np.where(candidates, all_cosines, -np.inf)
                count = min(k, int(candidates.sum()))
                if not count:
                    hits.append(Hits.ranked([], []))
                    continue
                least = np.partition(likeness, len(likeness) - count)[len(likeness) - count]
                places = np.flatnonzero(likeness >= least - _SLACK)
                exact = self._exact(vector, places)
                hits.append(Hits.ranked(self.rows.names(places), exact, k))
        return hits

    def _compare(self, vectors: Array) -> Array:
        """Return all cosines in single precision; shape (m, documents)."""
        rows, scales = self.rows.rows, self.rows.scales
        turned = np.ascontiguousarray(vectors.T)
        products = np.empty((len(rows), len(vectors)), np.float32)
        block = np.empty((_BLOCK, rows.shape[1]), np.float32)
        for start in range(0, len(rows), _BLOCK):
            piece = rows[start : start + _BLOCK]
            np.copyto(block[: len(piece)], piece)
            np.matmul(block[: len(piece)], turned, out=products[start : start + len(piece)])
        products *= scales[:, None]
        return products.T

    def _exact(self, vector: Array, places: NDArray[np.intp]) -> Floats:
        """Return cosines computed row by row; NaN for a document without a vector."""
        rows = self.rows.rows[places].astype(np.float64)
        products = np.einsum("ij,j->i", rows, vector.astype(np.float64))
        scales = self.rows.scales[places].astype(np.float64)
        return np.where(scales > 0, np.round(products * scales, 9), np.nan)


class DenseSearcher:
    """Rank documents by vectors (`Dense`), or join vectors with a lexical run (`Hybrid`).

    Parameters
    ----------
    index : Index
    vectors : Vectors
    method : Dense or Hybrid
    filters : Filters, optional
        Only documents that pass can be hits.
    """

    def __init__(
        self, index: Index, vectors: Vectors, method: Dense | Hybrid, filters: Filters | None = None
    ) -> None:
        self.analysis: Analysis = index.facts.analysis
        self._vectors = vectors
        self._method = method
        self._passing = filters.passing(index)[index.live()] if filters else None

    def search(
        self,
        topics: Mapping[str, str | Mapping[str, float]],
        k: int = 1000,
        *,
        threads: int = 1,  # noqa: ARG002 (as of `rank.TopicSearcher`)
        batch_size: int = 64,
        progress: Progress | None = None,
    ) -> Run:
        """Find the first `k` documents of each topic by vectors only.

        Raises
        ------
        UsageError
            If a topic consists of weighted terms.
        """
        texts = {name: topic for name, topic in topics.items() if isinstance(topic, str)}
        if len(texts) < len(topics):
            raise UsageError("a topic of weighted terms", fix="an encoder needs its text")
        return self._each(texts, None, k, min(batch_size, 64), progress)

    def join(
        self, run: Run, topics: Mapping[str, str], k: int, progress: Progress | None = None
    ) -> Run:
        """Join a lexical run with the hits by vectors, the first 1,000 of each."""
        return self._each(topics, run, k, 64, progress)

    def _each(
        self,
        topics: Mapping[str, str],
        run: Run | None,
        k: int,
        size: int,
        progress: Progress | None,
    ) -> Run:
        result, names, fb_docs = Run(), list(topics), self._method.fb_docs
        depth = Hybrid.depth if isinstance(self._method, Hybrid) else max(k, fb_docs)
        for start in range(0, len(names), size):
            batch = names[start : start + size]
            vectors = np.stack([self._vectors.encode(topics[name]) for name in batch])
            hits: list[Hits] = []
            for feedback in (False, True)[: 1 + bool(fb_docs)]:
                if feedback:
                    vectors = np.stack([*map(self._moved, vectors, hits)])
                hits = self._vectors.nearest(vectors, depth, self._passing)
                if run is not None:
                    lexical = [run[name] for name in batch]
                    hits = [*map(self._joined, lexical, vectors, hits)]
            result.update((name, of.head(k)) for name, of in zip(batch, hits, strict=True))
            if progress:
                progress(len(result), len(names))
        return result

    def _moved(self, vector: Array, hits: Hits) -> Array:
        """Move a topic's vector halfway to the first hits of its run (Rocchio, with vectors)."""
        rows = self._vectors.rows
        ids, centre = hits.ids[: self._method.fb_docs].tolist(), vector
        if ids:
            total = rows.vectors(rows.locate(ids)).astype(np.float64).sum(axis=0)
            centre = np.asarray(total / (float(np.linalg.norm(total)) or 1.0), dtype=np.float32)
        moved = 0.5 * vector + 0.5 * centre
        length = float(np.linalg.norm(moved))
        return np.asarray(moved / length if length else vector, np.float32)

    def _joined(self, lexical: Hits, vector: Array, dense: Hits) -> Hits:
        assert isinstance(self._method, Hybrid)
        weight, lexical = self._method.weight, lexical.head(Hybrid.depth)
        by_id = dict(lexical)
        ids = list(dict.fromkeys([*by_id, *dense.ids.tolist()]))
        least = float(lexical.scores.min()) if len(lexical) else 0.0
        scores = scaled(np.array([by_id.get(name, least) for name in ids]))
        cosines = self._vectors.cosines(vector, ids)
        missing = np.isnan(cosines)
        cosines[missing] = 0.0 if missing.all() else np.nanmin(cosines)
        return Hits.ranked(ids, weight * scaled(cosines) + (1 - weight) * scores)
