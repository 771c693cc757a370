"""The topics and hits of a run as term matrices, weighted by collection-wide statistics.

Only the hits are read, so the cost is independent of the size of the collection.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Self

import numpy as np

from relsent_ir.counts.matrix import stack
from relsent_ir.counts.weighting import pmra_weights
from relsent_ir.engines import TermVectors
from relsent_ir.feedback import TermMatrix
from relsent_ir.hits import Run
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.lucene.read.index import Index
from relsent_ir.rank import RecordReranker
from relsent_ir.records import Record
from relsent_ir.sparse import csr
from relsent_ir.typing import Floats, NDArray

if TYPE_CHECKING:
    from relsent_ir.rank import Collection

FIELDS: Final = ("title", "abstract", "mesh")
"""Fields that make up a topic, as in the paper."""


def topic_text(record: Record, fields: Iterable[str] = FIELDS) -> str:
    """Return the text of a record as a topic, in one line."""
    parts = {
        "title": " ".join(filter(None, (record.title, record.vernacular_title))),
        "abstract": record.abstract,
        "mesh": mesh_text(record),
    }
    return " ".join(" ".join(parts[field] for field in fields).split())


def mesh_text(record: Record) -> str:
    """Return headings with their qualifiers, and chemicals, as one text."""
    headings = (" ".join((mesh.heading, *mesh.qualifiers)) for mesh in record.mesh)
    return " ".join((*headings, *record.chemicals))


@dataclass(frozen=True, eq=False)
class Sample(TermMatrix):
    """A sample of the documents of a collection, with its N and document frequencies.

    Attributes
    ----------
    frequencies : ndarray of int64, shape (m,)
        Numbers of the collection's documents that have each term.
    size : int
        Number of documents in the collection.
    """

    frequencies: NDArray[np.int64]
    size: int

    def __len__(self) -> int:
        return self.size

    @property
    def df(self) -> NDArray[np.int64]:
        """Numbers of the collection's documents that have each term; shape (m,)."""
        return self.frequencies

    def take(self, rows: NDArray[np.integer]) -> "Sample":
        """Return some of the documents."""
        ids = [self.ids[row] for row in rows.tolist()]
        return Sample(ids, self.terms, self.counts[rows], self.frequencies, self.size)


@dataclass(frozen=True, eq=False)
class Candidates:
    """The topics and hits of a run as rows of a matrix.

    Attributes
    ----------
    matrix : Sample
        All records among the hits, and the topics that are texts.
    places : dict of str to ndarray of int
        For each topic, its own row, followed by the rows of its hits.
    """

    matrix: Sample
    places: dict[str, NDArray[np.int64]]

    @classmethod
    def read(cls, collection: Indexes, run: Run, topics: Mapping[str, str]) -> Self:
        """Read the topics of a run and its hits, which must be records.

        A topic that has the id and the text (title, abstract, MeSH) of a record of the index stands
        for this record; any other topic is a text.

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
        matrix = Sample([*names, *texts], both.terms, both.counts, frequencies, len(index))
        row = {name: place for place, name in enumerate(names)}
        first = {topic: len(names) + place for place, topic in enumerate(texts)}
        first |= {topic: row[topic] for topic in own}
        places = {
            topic: np.array([first[topic], *(row[name] for name in hits.ids)], dtype=np.int64)
            for topic, hits in run.items()
        }
        return cls(matrix, places)


def known_articles(index: Index, topics: Mapping[str, str]) -> dict[str, Record]:
    """Return the topics that are records of the index, by id and text."""
    indexed = index.documents(list(topics)) >= 0
    names = [name for name, there in zip(topics, indexed, strict=True) if there]
    records = zip(names, index.records(names) if names else (), strict=True)
    return {
        name: record
        for name, record in records
        if topic_text(record) == " ".join(topics[name].split())
    }


def bag_vectors(bags: Sequence[Mapping[str, int]]) -> TermVectors:
    """Return bags of terms as rows of a matrix; its terms are sorted."""
    terms = sorted({term for bag in bags for term in bag})
    columns = {term: column for column, term in enumerate(terms)}
    starts = np.cumsum([0, *map(len, bags)])
    places = np.array([columns[term] for bag in bags for term in bag], dtype=np.int32)
    values = np.array([count for bag in bags for count in bag.values()], dtype=np.int32)
    return TermVectors(csr((values, places, starts), (len(bags), len(terms))), terms)


@dataclass(eq=False)
class PmraReranker(RecordReranker):
    """Order records by PubMed's similar-articles model (`relsent_ir.citation.similar`).

    The text of a topic that is not a record of the index is weighted as if it were one.
    """

    name: str = "pmra"

    def score(
        self, collection: "Collection", run: Run, topics: Mapping[str, str]
    ) -> Iterator[Floats]:
        """Score hits that are records; see `relsent_ir.rank.RecordReranker`."""
        read = Candidates.read(collection.indexes, run, topics)
        for topic in run:
            weights = pmra_weights(read.matrix.take(read.places[topic]))
            yield (weights[1:] @ weights[[0]].T).toarray().ravel()
