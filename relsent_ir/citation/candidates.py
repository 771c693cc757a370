"""The hits of a topic as terms and parts, weighed by the statistics of the whole collection.

What is read grows with the hits, not with the collection.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

import numpy as np
from numpy.typing import NDArray

from relsent_ir.citation.documents import PARTS, TITLE, text_segments, topic_text
from relsent_ir.citation.parts import Parts
from relsent_ir.counts.matrix import stack
from relsent_ir.feedback import TermMatrix
from relsent_ir.hits import Run
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.lucene.read.index import Index, TermVectors
from relsent_ir.moves import default_model
from relsent_ir.records import Record

if TYPE_CHECKING:
    from scipy.sparse import csr_array


@dataclass(frozen=True, eq=False)
class Sample(TermMatrix):
    """Some documents of a collection, with its N and document frequencies.

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
        """Give some of the documents."""
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
        asked = {topic: topics[topic] for topic in run}
        own = known_articles(index, asked)
        names = list(dict.fromkeys([*(n for h in run.values() for n in h.ids), *own]))
        texts = {topic: text for topic, text in asked.items() if topic not in own}
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
        found = _parts(collection, matrix, len(names), list(texts.values())) if parts else None
        return cls(matrix, found, places)

    def of(self, topic: str) -> Sample:
        """Give the articles of a topic, the topic itself first."""
        return self.matrix.take(self.places[topic])

    def parts_of(self, topic: str) -> Parts:
        """Give the parts of the articles of a topic."""
        assert self.parts
        rows = self.places[topic]
        return Parts(self.of(topic), {part: c[rows] for part, c in self.parts.counts.items()})


def known_articles(index: Index, topics: Mapping[str, str]) -> dict[str, Record]:
    """Give the topics that are records of the index, by their ids and their texts."""
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
    from scipy.sparse import csr_array

    terms = sorted({term for bag in bags for term in bag})
    columns = {term: column for column, term in enumerate(terms)}
    starts = np.cumsum([0, *map(len, bags)])
    places = np.array([columns[term] for bag in bags for term in bag], dtype=np.int32)
    values = np.array([count for bag in bags for count in bag.values()], dtype=np.int32)
    return TermVectors(csr_array((values, places, starts), shape=(len(bags), len(terms))), terms)


def _parts(collection: Indexes, matrix: Sample, articles: int, texts: Sequence[str]) -> Parts:
    """Find the parts of articles, the first rows of a matrix, and of texts, the others."""
    from scipy.sparse import vstack

    records = collection.abstracts.records(matrix.ids[:articles])
    located = [
        [(sentence.id, sentence.move if sentence.n else TITLE) for sentence in some]
        for some in collection.tagged(records)
    ]
    rows = np.arange(articles)
    found = Parts.locate(matrix.take(rows), located, collection.sentences)
    if not texts:
        return Parts(matrix, found.counts)
    analysis = collection.facts.analysis
    spoken: list[dict[str, Counter[str]]] = []
    for text in texts:
        bags: dict[str, Counter[str]] = {part: Counter() for part in PARTS}
        for segment in text_segments(text, default_model(), analysis):
            bags[segment.part].update(segment.terms)
        spoken.append(bags)
    counts: dict[str, csr_array] = {
        part: vstack(
            [found.counts[part], matrix.bags([bags[part] for bags in spoken])], format="csr"
        )
        for part in PARTS
    }
    return Parts(matrix, counts)
