"""Articles as term matrices: whole, and by their parts (title, the sentences of each move, MeSH).

`Candidates` are the hits of a topic, weighed by the statistics of the whole collection. Only the
hits are read, so the cost does not grow with the collection.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Self

import numpy as np
from numpy.typing import ArrayLike

from relsent_ir.citation.documents import MESH, PARTS, TITLE, text_segments, topic_text
from relsent_ir.citation.thesaurus import bag_vectors
from relsent_ir.counts.matrix import stack
from relsent_ir.feedback import TermMatrix
from relsent_ir.hits import Run
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.lucene.read.index import Index, TermVectors
from relsent_ir.moves import default_model
from relsent_ir.records import Record, Sentence
from relsent_ir.sparse import csr
from relsent_ir.typing import NDArray, Sparse

BATCH: Final = 2000  # records that are read together


@dataclass(frozen=True, eq=False)
class Parts:
    """The term counts of articles, and of each of their parts.

    Attributes
    ----------
    matrix : TermMatrix
        Whole articles, n of them.
    counts : dict of str to scipy.sparse.csr_array of int32, shape (n, m)
        By part, over the terms of the matrix.
    """

    matrix: TermMatrix
    counts: dict[str, Sparse]

    @classmethod
    def read(cls, collection: Indexes) -> "Parts":
        """Read the articles of a collection, and the move of every sentence."""
        matrix = TermMatrix.read(collection.abstracts)
        located: list[list[tuple[str, str]]] = []
        for start in range(0, len(matrix), BATCH):
            located += map(_located, collection.moves(matrix.ids[start : start + BATCH]))
        return cls.locate(matrix, located, collection.sentences)

    @classmethod
    def locate(
        cls, matrix: TermMatrix, located: Sequence[Sequence[tuple[str, str]]], by_sentence: Index
    ) -> "Parts":
        """Read the terms of articles' sentences.

        Parameters
        ----------
        matrix : TermMatrix
            The articles.
        located : sequence of sequence of (str, str)
            For each article the ids of its sentences, each with its part.
        by_sentence : Index
        """
        flat = [(row, *sentence) for row, of in enumerate(located) for sentence in of]
        sentences = TermMatrix.read(by_sentence, [name for _, name, _ in flat])
        columns = np.array([matrix.columns.get(term, -1) for term in sentences.terms])
        shared = np.flatnonzero(columns >= 0)
        moved = _ones(shared, columns[shared], (len(columns), len(matrix.terms)))
        counts = {}
        for part in PARTS[:-1]:
            chosen = [place for place, sentence in enumerate(flat) if sentence[2] == part]
            rows = [flat[place][0] for place in chosen]
            joined = _ones(rows, chosen, (matrix.counts.shape[0], len(flat)))
            counts[part] = (joined @ sentences.counts @ moved).tocsr()
        rest = (matrix.counts - sum(counts.values())).tocsr()
        # Terms that the end of a sentence has cut occur in the sentences alone.
        rest.data = np.maximum(rest.data, 0)
        rest.eliminate_zeros()
        return cls(matrix, {**counts, MESH: rest})


def _ones(rows: ArrayLike, columns: ArrayLike, shape: tuple[int, int]) -> Sparse:
    """Return a matrix of int32 with a 1 at each place."""
    places = np.asarray(rows, dtype=np.intp), np.asarray(columns, dtype=np.intp)
    return csr((np.ones(len(places[0]), np.int32), places), shape)


@dataclass(frozen=True, eq=False)
class Sample(TermMatrix):
    """A sample of the documents of a collection, with its N and document frequencies.

    Attributes
    ----------
    frequencies : ndarray of int64, shape (m,)
        Numbers of the collection's documents that have each term.
    size : int
        Number of documents in the collection.
    mean_length : float
        Their mean number of terms.
    """

    frequencies: NDArray[np.int64]
    size: int
    mean_length: float

    def __len__(self) -> int:
        return self.size

    @property
    def df(self) -> NDArray[np.int64]:
        """Numbers of the collection's documents that have each term; shape (m,)."""
        return self.frequencies

    def take(self, rows: NDArray[np.integer]) -> "Sample":
        """Return some of the documents."""
        ids = [self.ids[row] for row in rows.tolist()]
        facts = self.frequencies, self.size, self.mean_length
        return Sample(ids, self.terms, self.counts[rows], *facts)


@dataclass(frozen=True, eq=False)
class Candidates:
    """The topics and hits of a run.

    Attributes
    ----------
    matrix : Sample
        All articles, and the topics that are texts.
    parts : Parts or None
        Their parts, if requested.
    places : dict of str to ndarray of int
        By topic, the row of the topic, then the rows of its hits.
    """

    matrix: Sample
    parts: Parts | None
    places: dict[str, NDArray[np.int64]]

    @classmethod
    def read(cls, collection: Indexes, run: Run, topics: Mapping[str, str], *, parts: bool) -> Self:
        """Read the hits of a run, which are records, and its topics.

        A topic that equals an article of the index, by id and text (title, abstract, MeSH), is that
        article; any other topic is a text.

        Raises
        ------
        InputError
            If a hit is not in the index.
        """
        index = collection.abstracts
        texts_of_run = {topic: topics[topic] for topic in run}
        own = known_articles(index, texts_of_run)
        names = list(dict.fromkeys([*(n for h in run.values() for n in h.ids), *own]))
        texts = {topic: text for topic, text in texts_of_run.items() if topic not in own}
        analysis = index.facts.analysis
        read = TermMatrix.read(index, names)
        bags = bag_vectors([Counter(analysis.terms(text)) for text in texts.values()])
        both = stack([TermVectors(read.counts, read.terms), bags])
        both.counts.sort_indices()
        frequencies = index.frequencies(both.terms).astype(np.int64)
        facts = frequencies, len(index), index.mean_length
        matrix = Sample([*names, *texts], both.terms, both.counts, *facts)
        row = {name: place for place, name in enumerate(names)}
        first = {topic: len(names) + place for place, topic in enumerate(texts)}
        first |= {topic: row[topic] for topic in own}
        places = {
            topic: np.array([first[topic], *(row[name] for name in hits.ids)], dtype=np.int64)
            for topic, hits in run.items()
        }
        located = _parts(collection, matrix, len(names), list(texts.values())) if parts else None
        return cls(matrix, located, places)

    def of(self, topic: str) -> Sample:
        """Return the articles of a topic, the topic itself first."""
        return self.matrix.take(self.places[topic])

    def parts_of(self, topic: str) -> Parts:
        """Return the parts of the articles of a topic."""
        assert self.parts
        rows = self.places[topic]
        return Parts(self.of(topic), {part: c[rows] for part, c in self.parts.counts.items()})


def known_articles(index: Index, topics: Mapping[str, str]) -> dict[str, Record]:
    """Return the topics that are records of the index, by their ids and their texts."""
    indexed = index.documents(list(topics)) >= 0
    names = [name for name, there in zip(topics, indexed, strict=True) if there]
    records = zip(names, index.records(names) if names else (), strict=True)
    return {
        name: record
        for name, record in records
        if topic_text(record) == " ".join(topics[name].split())
    }


def _located(sentences: Iterable[Sentence]) -> list[tuple[str, str]]:
    """Return the ids of an article's sentences, each with its part."""
    return [(sentence.id, sentence.move if sentence.n else TITLE) for sentence in sentences]


def _parts(collection: Indexes, matrix: Sample, articles: int, texts: Sequence[str]) -> Parts:
    """Return the parts of articles, the first rows of a matrix, and of texts, the other rows."""
    from scipy.sparse import vstack

    records = collection.abstracts.records(matrix.ids[:articles])
    located = list(map(_located, collection.tagged(records)))
    rows = np.arange(articles)
    of_articles = Parts.locate(matrix.take(rows), located, collection.sentences)
    if not texts:
        return Parts(matrix, of_articles.counts)
    analysis = collection.facts.analysis
    segments = [text_segments(text, default_model(), analysis) for text in texts]
    counts: dict[str, Sparse] = {}
    for part in PARTS:
        bags = [sum((s.terms for s in of if s.part == part), Counter[str]()) for of in segments]
        counts[part] = vstack([of_articles.counts[part], matrix.bags(bags)], format="csr")
    return Parts(matrix, counts)
