"""The vectors of all sentences of a store, kept beside it, and their cosines with those of texts.

They are computed when a model is first used, saved as float16, and mapped into memory.
"""

import hashlib
from dataclasses import dataclass
from typing import Final

import numpy as np

from relsent_ir.errors import InputError
from relsent_ir.models import load_folder, save_folder
from relsent_ir.related.features import Sentences, chunks
from relsent_ir.related.store.sentences import Store
from relsent_ir.related.words.measures import Knowledge
from relsent_ir.related.words.vectors import Vectors
from relsent_ir.typing import Floats, NDArray, Progress

KIND: Final = "sentence-vectors"
_BLOCK: Final = 1 << 14  # sentences whose vectors are in float32 at a time


@dataclass(frozen=True)
class Cosines:
    """Cosines between texts and the sentences of a store, times a weight.

    Attributes
    ----------
    vectors : ndarray of float16, shape (sentences, dimensions)
        Of length 1, or 0 for a sentence without a known word.
    knowledge : Knowledge
        The model's part that made them.
    weight : float
    """

    vectors: NDArray[np.float16]
    knowledge: Knowledge
    weight: float

    def of_queries(self, texts: Sentences) -> Vectors:
        """Return texts' vectors times the weight; shape (texts, dimensions)."""
        unit = self.knowledge.on(texts.lexicon).sentence_vectors(texts.words)
        return unit * np.float32(self.weight)

    def of_rows(self, query: Vectors, rows: NDArray[np.integer]) -> Floats:
        """Multiply sentences' vectors by a query's; a product is the same in any selection."""
        vectors = self.vectors[rows].astype(np.float32)
        products: Vectors = np.einsum("ij,j->i", vectors, query)
        return products.astype(np.float64)

    def add_all(self, queries: Vectors, sums: Vectors, first: int = 0) -> None:
        """Add to `sums` the products of queries with the sentences from `first` on.

        Parameters
        ----------
        queries : ndarray of float32, shape (queries, dimensions)
        sums : ndarray of float32, shape (sentences, queries)
        first : int
        """
        turned = np.ascontiguousarray(queries.T)
        for start in range(0, len(sums), _BLOCK):
            part = slice(start, min(start + _BLOCK, len(sums)))
            vectors = self.vectors[first + part.start : first + part.stop]
            sums[part] += vectors.astype(np.float32) @ turned

    @property
    def slack(self) -> float:
        """The most that two float32 sums of the same products may differ.

        A sum of n products is off by n * 2**-24 times the sum of their sizes, which is the weight
        at most, as both vectors have length 1 but for the float16.
        """
        return float(2.0 * (self.vectors.shape[1] + 4) * 2.0**-24 * 1.01 * abs(self.weight))


def open_cosines(
    store: Store, knowledge: Knowledge, weight: float, progress: Progress | None = None
) -> Cosines:
    """Open the cosines of a store by a model's word vectors; compute and save them at first.

    Parameters
    ----------
    store : Store
    knowledge : Knowledge
    weight : float
        The factor of cosines.
    progress : callable, optional
        Called with the number of sentences done, and of all, the first time.

    Raises
    ------
    OutputError
        If the vectors cannot be saved.
    """
    digest = hashlib.blake2b(digest_size=6)
    words = knowledge.statistics.lexicon.words
    for array in (knowledge.vectors, knowledge.parts, words.text, words.ends):
        digest.update(array.tobytes())
    path = store.path.with_name(f"{store.path.name}-{digest.hexdigest()}")
    shape = len(store), knowledge.vectors.shape[1]
    if not path.exists():
        measures = knowledge.on(store.lexicon)
        vectors = np.empty(shape, dtype=np.float16)
        for part in chunks(len(store)):
            vectors[part] = measures.sentence_vectors(store.sentences.words[part])
            if progress:
                progress(part.stop, len(store))
        save_folder(path, KIND, {}, {"vectors": vectors})
    stored = load_folder(path).arrays.get("vectors", np.zeros(0))
    if stored.shape != shape:
        raise InputError("these are no sentences' vectors", where=path, fix="delete the folder")
    return Cosines(np.asarray(stored), knowledge, weight)
