"""Articles as term matrices: whole, and by their parts (title, the sentences of each move, MeSH).

`Candidates` are the hits of a topic, weighed by the statistics of the whole collection: what is
read grows with the hits, not with the collection.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Self

import numpy as np

from relsent_ir.citation.documents import MESH, PARTS, TITLE, text_segments, topic_text
from relsent_ir.counts.matrix import stack
from relsent_ir.feedback import TermMatrix
from relsent_ir.hits import Run
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.lucene.read.index import Index, TermVectors
from relsent_ir.moves import default_model
from relsent_ir.records import Record
from relsent_ir.sparse import csr
from relsent_ir.typing import NDArray, Sparse

BATCH: Final = 2000  # records that are read at a time


@dataclass(frozen=True, eq=False)
class Parts:
    """The term counts of articles, and of each of their parts.

    Attributes
    ----------
    matrix : TermMatrix
        Whole articles, n of them.
    counts : dict of str to scipy.sparse.csr_array of int32, shape (n, m)
        By part, over the matrix's terms.
    """

    matrix: TermMatrix
    counts: dict[str, Sparse]

    @classmethod
    def read(cls, collection: Indexes) -> "Parts":
        """Read the articles of a collection, and the move of every sentence."""
        matrix = TermMatrix.read(collection.abstracts)
        located: list[list[tuple[str, str]]] = []
        for start in range(0, len(matrix), BATCH):
            tagged = collection.moves(matrix.ids[start : start + BATCH])
            located += [[(s.id, s.move if s.n else TITLE) for s in some] for some in tagged]
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
            Of each article the ids of its sentences, with the part that each belongs to.
        by_sentence : Index
        """
        rows, parts, names = [], [], []
        for row, sentences in enumerate(located):
            for name, part in sentences:
                rows.append(row)
                parts.append(PARTS.index(part))
                names.append(name)
        spoken = TermMatrix.read(by_sentence, names)
        columns = np.array([matrix.columns.get(term, -1) for term in spoken.terms])
        known = np.flatnonzero(columns >= 0)
        ones = np.ones(len(known), np.int32)
        places = known, columns[known]
        moved = csr((ones, places), (len(columns), len(matrix.terms)))
        counts = {}
        for number, part in enumerate(PARTS[:-1]):
            of_part = np.flatnonzero(np.array(parts) == number)
            places = np.array(rows)[of_part], of_part
            shape = matrix.counts.shape[0], len(names)
            chosen = csr((np.ones(len(of_part), np.int32), places), shape)
            counts[part] = (chosen @ spoken.counts @ moved).tocsr()
        rest = (matrix.counts - sum(counts.values())).tocsr()
        # Terms that a sentence's end has cut are in the sentences alone.
        rest.data = np.maximum(rest.data, 0)
        rest.eliminate_zeros()
        return cls(matrix, {**counts, MESH: rest})


@dataclass(frozen=True, eq=False)
class Sample(TermMatrix):
    """A sample of the documents of a collection, with its N and document frequencies.

    Attributes
    ----------
    frequencies : ndarray of int64, shape (m,)
        In how many documents of the collection each term is.
    size : int
        How many documents the collection has.
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
        """In how many documents of the collection each term is; shape (m,)."""
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
        Their parts, where asked for.
    places : dict of str to ndarray of int
        By topic, the row of the topic, then those of its hits.
    """

    matrix: Sample
    parts: Parts | None
    places: dict[str, NDArray[np.int64]]

    @classmethod
    def read(cls, collection: Indexes, run: Run, topics: Mapping[str, str], *, parts: bool) -> Self:
        """Read the hits of a run, which are records, and its topics.

        A topic that is an article of the index, by its id and its text (title, abstract, MeSH), is
        that article; any other is a text.

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
        bags = _vectors([Counter(analysis.terms(text)) for text in texts.values()])
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
    known = index.documents(list(topics)) >= 0
    names = [name for name, there in zip(topics, known, strict=True) if there]
    records = dict(zip(names, index.records(names), strict=True)) if names else {}
    return {
        name: record
        for name, record in records.items()
        if topic_text(record) == " ".join(topics[name].split())
    }


def _vectors(bags: Sequence[Mapping[str, int]]) -> TermVectors:
    """Write bags of terms as rows."""
    terms = sorted({term for bag in bags for term in bag})
    columns = {term: column for column, term in enumerate(terms)}
    starts = np.cumsum([0, *map(len, bags)])
    places = np.array([columns[term] for bag in bags for term in bag], dtype=np.int32)
    values = np.array([count for bag in bags for count in bag.values()], dtype=np.int32)
    return TermVectors(csr((values, places, starts), (len(bags), len(terms))), terms)


def _parts(collection: Indexes, matrix: Sample, articles: int, texts: Sequence[str]) -> Parts:
    """Find the parts of articles, the first rows of a matrix, and of texts, the others."""
    from scipy.sparse import vstack

    records = collection.abstracts.records(matrix.ids[:articles])
    located = [
        [(sentence.id, sentence.move if sentence.n else TITLE) for sentence in some]
        for some in collection.tagged(records)
    ]
    rows = np.arange(articles)
    of_articles = Parts.locate(matrix.take(rows), located, collection.sentences)
    if not texts:
        return Parts(matrix, of_articles.counts)
    analysis = collection.facts.analysis
    spoken: list[dict[str, Counter[str]]] = []
    for text in texts:
        bags: dict[str, Counter[str]] = {part: Counter() for part in PARTS}
        for segment in text_segments(text, default_model(), analysis):
            bags[segment.part].update(segment.terms)
        spoken.append(bags)
    counts: dict[str, Sparse] = {
        part: vstack(
            [of_articles.counts[part], matrix.bags([bags[part] for bags in spoken])], format="csr"
        )
        for part in PARTS
    }
    return Parts(matrix, counts)
