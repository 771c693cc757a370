"""Huber+ among all sentences of a store, in two stages.

1. The sentences that share a word with the query, from the words' lists of sentences::

       γ · sum of idf(w)² over the shared words + β · cosine of the vectors

   Cosines are computed for the sentences of the largest sums, and for all others that a cosine of
   1 would bring among the first. All sentences are candidates where too few share a word.
2. The first of these are scored by the whole model, from the arrays of the store and of this
   module: words, their features, each sentence's own part in each formula, its vector in 8 bits.

A model without associations, such as the packaged one, takes those of the store, and adds the
store's frequencies to its own.
"""

import hashlib
import json
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np

from relsent_ir.errors import InputError
from relsent_ir.lucene.memory.derived import Derived
from relsent_ir.lucene.read.index import Index
from relsent_ir.models import Stored, check_arrays, load_folder, save_folder
from relsent_ir.models.folders import check_places, check_starts
from relsent_ir.related.associations import Associations, learn_associations
from relsent_ir.related.calibration import Signs
from relsent_ir.related.features import (
    Sentences,
    Shared,
    chunks,
    compact,
    presence,
    row_sums,
    without_empty,
)
from relsent_ir.related.huber_plus import HuberPlusModel, to_bytes
from relsent_ir.related.matching.exact import best_rows
from relsent_ir.related.measures import Measures, pair_measures, query_strength
from relsent_ir.related.model import PairMethod
from relsent_ir.related.store import Store
from relsent_ir.related.vectors import sentence_vectors
from relsent_ir.sparse import csr
from relsent_ir.text.vocabulary import ranges
from relsent_ir.typing import Floats, NDArray, Progress, Sparse

Rows = NDArray[np.intp]

KIND: Final = "sentence-measures"
EDITION: Final = 1
DEPTH: Final = 300
"""Default number of sentences that the second stage scores."""
LEARNED_FROM: Final = 1_000_000  # sentences for learning associations, about
COMMON: Final = 0.05  # share of the sentences; words in more are common
_MOST: Final = 16_384  # candidates by shared words: those with the largest sums
_FIRST: Final = 4096  # sentences whose cosines are computed first
_COMPARED: Final = 512  # vectors that fit into a processor's cache; BLAS takes rows by fours


@dataclass(frozen=True)
class StagesQuery:
    """A sentence to be matched, in its own features and in those of the store.

    Attributes
    ----------
    sentences : Sentences
        The sentence alone, with a lexicon of its words.
    words, features : ndarray of int32
        The store's number of each word and feature of this lexicon, -1 if it is missing there.
    counts : scipy.sparse.csr_array of int64, shape (1, features)
        The frequency of each feature of this lexicon.
    methods : list of PairMethod
        The sparse weights and the formulas, on this lexicon.
    alone : ndarray of float64, shape (methods,)
        The number that each method gives the sentence by itself.
    idf : ndarray of float64
        The idf of each word.
    vector : ndarray of float32, shape (dimensions,)
        A unit vector, or 0.
    """

    sentences: Sentences
    words: NDArray[np.int32]
    features: NDArray[np.int32]
    counts: Sparse
    methods: list[PairMethod]
    alone: Floats
    idf: Floats
    vector: NDArray[np.float32]


class Stages:
    """Match the sentences of a store by Huber+; threads may share an object.

    Parameters
    ----------
    store : Store
    model : HuberPlusModel
        The model; if it is packed, with the store's statistics and associations.
    arrays : mapping of str to ndarray
        The arrays that `open_stages` computes.
    """

    def __init__(
        self, store: Store, model: HuberPlusModel, arrays: dict[str, NDArray[Any]]
    ) -> None:
        self.store = store
        self.model = model
        self._number, self._idf = arrays["number"], arrays["idf"]
        self._vectors, self._sizes = arrays["vectors"], arrays["vector_sizes"]
        self._alone, self._columns = arrays["alone"], arrays["alone_columns"]
        self._starts, self._rows = arrays["posting_starts"], arrays["posting_rows"]

    def query(self, sentences: Sentences, row: int) -> StagesQuery:
        """Prepare a sentence, which may be in the store, for matching."""
        single = compact(sentences, np.array([row]))
        lexicon = single.lexicon
        features = self.store.lexicon.locate(lexicon)
        measures = Measures(self.model.knowledge, lexicon)
        methods: list[PairMethod] = [self.model.sparse.on(lexicon), *measures.formulas]
        counts = single.counts(slice(None))
        sorted_counts = counts.copy()  # SciPy sorts a matrix in place to find a maximum
        return StagesQuery(
            single,
            features[: len(lexicon.words)],
            features,
            counts,
            methods,
            np.array([method.sentence(sorted_counts)[0] for method in methods]),
            measures.idf,
            sentence_vectors(single.words, measures.vectors)[0],
        )

    def first(
        self,
        query: StagesQuery,
        depth: int,
        record: int = -1,
        passing: NDArray[np.bool_] | None = None,
    ) -> Rows:
        """Find the sentences for the second stage, the best first.

        Parameters
        ----------
        query : StagesQuery
        depth : int
        record : int
            The record to leave out, as its place in the store's records; -1 for none.
        passing : ndarray of bool, shape (sentences,), optional
            The sentences that can be hits; all if None.
        """
        weight, cosine = self.model.candidates.weights.tolist()
        sums = np.zeros(len(self.store), dtype=np.float32)
        for word, idf in zip(query.words.tolist(), query.idf.tolist(), strict=True):
            if word >= 0:
                sums[self._rows[self._starts[word] : self._starts[word + 1]]] += weight * idf**2
        possible = self.store.record != record
        if passing is not None:
            possible &= passing
        rows = np.flatnonzero(possible & (sums > 0.0))
        if len(rows) > _MOST:
            rows = rows[np.argpartition(-sums[rows], _MOST)[:_MOST]]
        if len(rows) < depth:
            rows = np.flatnonzero(possible)
        size, rest = max(_FIRST, 2 * depth), rows[:0]
        if len(rows) > size:
            rows, rest = np.split(rows[np.argpartition(-sums[rows], size)], [size])
        scores = sums[rows] + cosine * self.cosines(query.vector, rows)
        if len(rest):
            least = np.partition(scores, len(scores) - depth)[len(scores) - depth]
            rest = rest[sums[rest] + cosine >= least]
            scores = np.append(scores, sums[rest] + cosine * self.cosines(query.vector, rest))
            rows = np.append(rows, rest)
        return best_rows(rows, scores, depth)[0]

    def scores(self, query: StagesQuery, rows: Rows) -> tuple[Floats, float]:
        """Score sentences; return scores of shape (rows,), and the query's score with itself."""
        small, used, place = self._together(query, rows)
        shared = self._shared(query, small, used)
        alone = np.empty((len(query.methods), len(rows) + 1))
        alone[:] = query.alone[:, None]
        alone[:, :-1][self._columns >= 0] = self._alone[:, rows][self._columns[self._columns >= 0]]
        formulas = np.stack(
            [
                method.pair(shared, np.repeat(query.alone[i], len(rows) + 1), alone[i])
                for i, method in enumerate(query.methods)
            ]
        )
        n = len(used)
        idf = np.zeros(small.shape[1])
        idf[:n], idf[place] = self._idf[used], query.idf
        number = np.full(len(idf), -1, dtype=np.int64)
        number[:n] = self._number[used]
        strength = query_strength(self.model.knowledge.associations, number, place)
        a, b = np.zeros(len(rows) + 1, dtype=np.intp), np.arange(len(rows) + 1) + 1
        b[-1] = 0
        cosines = np.append(self.cosines(query.vector, rows), query.vector @ query.vector)
        pairs = small, a, b, idf
        names = self.model.knowledge.measures
        measures = pair_measures(names, formulas[1:], *pairs, strength, cosines.__getitem__)
        scores = formulas[0] + self.model.weigh(measures)
        return scores[:-1], float(scores[-1])

    def signs(
        self, query: StagesQuery, rows: Rows, scored: tuple[Floats, float], record: int = -1
    ) -> Signs:
        """Return the signs of sentences that have been scored.

        Parameters
        ----------
        query : StagesQuery
        rows : ndarray of int
        scored : (ndarray of float64, float)
            The result of `scores`.
        record : int
            The query's record, as its place in the store's records; -1 for none.
        """
        scores, own = scored
        relative = scores / own if own > 0.0 else np.zeros(len(rows))
        words = shared_content(self.store, query.words, rows)
        cosine = self.cosines(query.vector, rows).astype(np.float64)
        subject = np.zeros(len(self._idf))
        if record < 0:
            counts = query.sentences.words
            columns, weights = query.words[counts.indices], query.idf[counts.indices] * counts.data
            subject[columns[columns >= 0]] = weights[columns >= 0]
            size = float(np.linalg.norm(weights))
        else:
            body = self.store.sentences.words[self._rows_of(np.array([record]))[0]]
            np.add.at(subject, body.indices, body.data * self._idf[body.indices])
            size = float(np.linalg.norm(subject))
        alike = self._subjects(rows, subject / size if size > 0.0 else subject)
        return Signs(relative, words, cosine, alike, record < 0)

    def _subjects(self, rows: Rows, subject: Floats) -> Floats:
        """Compare records of sentences with a record by tf idf; `subject` has length 1, or is 0."""
        records, place = np.unique(self.store.record[rows], return_inverse=True)
        members, sizes = self._rows_of(records)
        parts = np.ones(len(members)), np.arange(len(members)), np.append(0, np.cumsum(sizes))
        together = csr(parts, shape=(len(records), len(members)))
        words, used = without_empty(self.store.sentences.words[members])
        table = together @ words
        table.data = table.data * self._idf[used][table.indices]
        norms = np.sqrt(row_sums(table, table.data**2))
        alike = np.asarray(table @ subject[used])
        cosines = np.divide(alike, norms, out=np.zeros(len(norms)), where=norms > 0.0)
        return np.asarray(cosines[place])

    def _rows_of(self, records: NDArray[np.integer]) -> tuple[Rows, NDArray[np.intp]]:
        """Return the rows of records, one record after another, and their number for each."""
        order, starts = self._of_records
        sizes = starts[records + 1] - starts[records]
        return order[ranges(starts[records], sizes)], sizes

    @cached_property
    def _of_records(self) -> tuple[Rows, Rows]:
        """The rows ordered by record, and the start of each record's rows."""
        order = np.argsort(self.store.record, kind="stable")
        return order, np.searchsorted(
            self.store.record[order], np.arange(len(self.store.records) + 1)
        )

    def cosines(self, vector: NDArray[np.float32], rows: Rows) -> NDArray[np.float32]:
        """Return the cosines of sentences with a vector; shape (rows,)."""
        products = np.empty(len(rows), dtype=np.float32)
        for part in chunks(len(rows), _COMPARED):
            products[part] = self._vectors[rows[part]].astype(np.float32) @ vector
        return np.asarray(products * self._sizes[rows])

    def _together(
        self, query: StagesQuery, rows: Rows
    ) -> tuple[Sparse, NDArray[np.intp], NDArray[np.intp]]:
        """Put the query and sentences on few columns: the words that any of them has.

        Returns the words' counts, the query first; the store's words of the first columns; and the
        column of each of the query's words, which the store may lack.
        """
        words, own = self.store.sentences.words[rows], query.sentences.words
        unknown = np.flatnonzero(query.words < 0)
        column = query.words.astype(np.intp)
        column[unknown] = words.shape[1] + np.arange(len(unknown))
        arrays = (
            np.append(own.data, words.data),
            np.append(column[own.indices], words.indices),
            np.append(0, own.nnz + words.indptr),
        )
        shape = len(rows) + 1, words.shape[1] + len(unknown)
        small, used = without_empty(csr(arrays, shape=shape))
        small.sort_indices()
        return small, used[: len(used) - len(unknown)], np.searchsorted(used, column)

    def _shared(self, query: StagesQuery, small: Sparse, used: NDArray[np.intp]) -> Shared:
        """Return the features that the query shares with each sentence, and last with itself."""
        table = self.store.lexicon.table
        begins = table.indptr[used].astype(np.intp)
        sizes = table.indptr[used + 1] - begins
        places = ranges(begins, sizes)
        number = np.zeros(table.shape[1], dtype=np.int32)  # the query's features, counted from 1
        own_features = np.flatnonzero(query.features >= 0)
        number[query.features[own_features]] = own_features + 1
        column = number[table.indices[places]]
        shared = column > 0
        ends = np.append(0, np.cumsum(shared))
        starts = ends[np.append(0, np.cumsum(sizes))]
        counted = table.data[places[shared]].astype(np.int64)
        shape = (len(used), len(query.features))
        of_words = csr((counted, column[shared] - 1, starts), shape=shape)
        first = small.indptr[1]  # behind the query's own words
        arrays = (
            small.data[first:].astype(np.int64),
            small.indices[first:],
            small.indptr[1:] - first,
        )
        counts = csr(arrays, shape=(small.shape[0] - 1, len(used))) @ of_words
        own = query.counts
        mean = np.zeros(len(query.features), dtype=np.int64)
        mean[own.indices] = own.data
        return Shared(
            np.append(counts.indptr, counts.nnz + own.nnz).astype(np.int64),
            np.append(counts.indices, own.indices).astype(np.int32),
            np.append(mean[counts.indices], own.data),
            np.append(counts.data, own.data),
        )


def shared_content(
    store: Store, words: NDArray[np.integer], rows: NDArray[np.integer]
) -> NDArray[np.int64]:
    """Count the content words that sentences share with some words (-1 for unknown words).

    Content words are words in at most a share `COMMON` of all sentences.
    """
    held = store.sentences.words[rows]
    chosen = np.zeros(held.shape[1], dtype=bool)
    chosen[content_words(store, words)] = True
    return row_sums(held, chosen[held.indices]).astype(np.int64)


def content_words(store: Store, words: NDArray[np.integer]) -> NDArray[np.integer]:
    """Return the known words that are not common."""
    words = words[words >= 0]
    frequency = store.statistics.frequency[words]
    return np.asarray(words[frequency <= max(2, COMMON * store.statistics.sentences)])


def open_stages(store: Store, model: HuberPlusModel, progress: Progress | None = None) -> Stages:
    """Open the measures of a store's sentences by a model; the first time, compute and save them.

    Parameters
    ----------
    store : Store
    model : HuberPlusModel
        A model that `joined` returned.
    progress : callable, optional
        Called with the number of sentences done, and of all, the first time.

    Raises
    ------
    InputError
        If the stored measures are damaged.
    OutputError
        If the measures cannot be saved.
    """
    checksums = dict(model.checksums())
    for name in ("reader", "calibration_line", "calibration_best"):  # whatever scores mean
        checksums.pop(name, None)
    text = json.dumps([EDITION, model.name, checksums], sort_keys=True)
    digest = hashlib.blake2b(text.encode(), digest_size=6).hexdigest()
    path = store.path.with_name(f"{store.path.name}-{digest}")
    if not path.exists():
        save_folder(path, KIND, {"edition": EDITION}, _measured(store, model, progress))
    arrays = load_folder(path, trusted=True).arrays
    words, n = len(store.lexicon.words), len(store)
    kinds = {
        "number": "int words",
        "idf": "float words",
        "vectors": "int n dimensions",
        "vector_sizes": "float n",
        "alone": "float columns n",
        "alone_columns": "int methods",
        "posting_starts": "int starts",
        "posting_rows": "int entries",
    }
    methods = 1 + len(model.knowledge.formulas)
    try:
        check_arrays(arrays, kinds, words=words, n=n, starts=words + 1, methods=methods)
        check_starts(arrays["posting_starts"], len(arrays["posting_rows"]))
    except (KeyError, ValueError) as error:
        problem = "these are no sentences' measures"
        raise InputError(problem, where=path, fix="delete the folder") from error
    return Stages(store, model, arrays)


def _measured(
    store: Store, model: HuberPlusModel, progress: Progress | None
) -> dict[str, NDArray[Any]]:
    """Compute the arrays of `Stages`."""
    measures = Measures(model.knowledge, store.lexicon)
    methods: list[PairMethod] = [model.sparse.on(store.lexicon), *measures.formulas]
    with_parts = [i for i, m in enumerate(methods) if type(m).sentence is not PairMethod.sentence]
    columns = np.full(len(methods), -1, dtype=np.int32)
    columns[with_parts] = np.arange(len(with_parts))
    alone = np.empty((len(with_parts), len(store)), dtype=np.float32)
    vectors = np.empty((len(store), model.knowledge.vectors.shape[1]), dtype=np.int8)
    sizes = np.empty(len(store), dtype=np.float32)
    for part in chunks(len(store)):
        counts = store.sentences.counts(part)
        for i, method in enumerate(with_parts):
            alone[i, part] = methods[method].sentence(counts)
        unit = sentence_vectors(store.sentences.words[part], measures.vectors)
        vectors[part], sizes[part] = to_bytes(unit)
        if progress:
            progress(part.stop, len(store))
    postings = presence(store.sentences.words, np.int8).tocsc()
    return {
        "number": measures.associated,
        "idf": measures.idf,
        "vectors": vectors,
        "vector_sizes": sizes,
        "alone": alone,
        "alone_columns": columns,
        "posting_starts": postings.indptr.astype(np.int64),
        "posting_rows": postings.indices.astype(np.int32),
    }


def joined(index: Index, store: Store, model: HuberPlusModel) -> HuberPlusModel:
    """Add the frequencies of a store, and the associations of its words, to a packed model.

    The associations are learned and saved the first time; in a large collection from a sample.

    Parameters
    ----------
    index : Index
        The index of the store's sentences.
    store : Store
    model : HuberPlusModel
        A model; if it is not packed, it is returned unchanged.

    Raises
    ------
    OutputError
        If the associations cannot be saved.
    """
    if not model.packed or model.knowledge.collection:
        return model

    def build() -> dict[str, NDArray[Any]]:
        step = max(1, len(store) // LEARNED_FROM)
        record = store.record
        rows = np.lexsort((store.numbers, record))
        rows = rows[record[rows] % step == 0]
        return learn_associations(store.sentences.words[rows], record[rows]).to_arrays()

    def read(stored: Stored) -> Associations:
        associations = Associations.from_arrays(stored.arrays)
        check_places(np.array([len(associations)]), len(store.lexicon.words) + 1)
        return associations

    settings = {"store": store.path.name}
    associations = Derived(index, "related-associations", settings, EDITION).open(build, read)
    return model.joined(store.statistics, associations)
