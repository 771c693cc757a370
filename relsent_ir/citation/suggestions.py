"""Records that a text may cite: similar records, and records that similar records cite.

Records near the text are retrieved like similar records (`relsent_ir.citation.similar`); each of
the nearest votes for its references with its similarity. The score of a record is its similarity
over the highest, plus `Cite.votes` times its share of all votes. For a record, suggestions exclude
those that it cites already and those that appeared after it, which do not vote either.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from relsent_ir.citation.candidates import known_articles
from relsent_ir.citation.graph import Census, CitationGraph, own_reference, read_graph, unify
from relsent_ir.citation.similar import Neighbours
from relsent_ir.feedback import TermMatrix
from relsent_ir.hits import Hits, Run
from relsent_ir.lucene.memory.derived import Derived
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.lucene.read.index import Index
from relsent_ir.methods import Cite
from relsent_ir.models import Stored
from relsent_ir.sparse import csr
from relsent_ir.typing import NDArray

NAME: Final = "citations"
MATRICES: Final = ("references", "citations")
DEPTH: Final = 1000
"""Number of records nearest to a text that are scored."""


def open_graph(index: Index) -> CitationGraph:
    """Map the citation graph of an index into memory; build it first if it is missing."""

    def build() -> dict[str, NDArray[Any]]:
        graph = read_graph(index)
        census = np.array([getattr(graph.census, name) for name in Census.__annotations__])
        arrays: dict[str, NDArray[Any]] = {"census": census, "years": graph.years}
        for name in MATRICES:
            matrix = getattr(graph, name)
            arrays |= {f"{name}_columns": matrix.indices, f"{name}_starts": matrix.indptr}
        return arrays | {"works": np.array([graph.references.shape[1]])}

    def read(stored: Stored) -> CitationGraph:
        arrays = {name: np.asarray(array) for name, array in stored.arrays.items()}
        ids, works = index.ids(), int(arrays["works"][0])
        census = Census(*arrays["census"].tolist())
        links = [(arrays[f"{n}_columns"], arrays[f"{n}_starts"]) for n in MATRICES]
        references, citations = (
            csr((np.ones(len(columns), np.int32), columns, starts), (len(ids), works))
            for columns, starts in links
        )
        return CitationGraph(tuple(ids), references, citations, census, arrays["years"])

    return Derived(index, NAME, {}).open(build, read)


class CitationFinder:
    """Find records that texts may cite.

    Parameters
    ----------
    collection : Indexes
    graph : CitationGraph, optional
        The citation graph of the collection; by default that of the index.
    """

    def __init__(self, collection: Indexes, graph: CitationGraph | None = None) -> None:
        self.collection = collection
        self.graph = graph or open_graph(collection.abstracts)
        self._analysis = collection.facts.analysis
        self._neighbours = Neighbours(TermMatrix.read(collection.abstracts), self._analysis)
        self._rows = {name: row for row, name in enumerate(self.graph.ids)}
        self._cited = self.graph.references[:, : len(self.graph)].tocsr()

    def find(
        self, topics: Mapping[str, str], method: Cite = Cite(), k: int = 10, *, known: bool = False
    ) -> Run:
        """Rank the records that topics may cite.

        Parameters
        ----------
        topics : mapping of str to str
            Texts, each a title and an abstract; one with the id and text of a record of the index
            stands for this record.
        method : Cite
        k : int
            Number of hits for each topic.
        known : bool
            Whether to keep the records that a record already cites, as a measurement requires.

        Returns
        -------
        Run
            The basis of the hits is the number of the nearest records that cite each, keyed by id.
        """
        articles = known_articles(self.collection.abstracts, topics)
        run = Run()
        for name, hits in self._near(topics, articles).items():
            own = self._rows[name] if name in articles else None
            similar = np.zeros(len(self.graph))
            similar[[self._rows[hit] for hit in hits.ids.tolist()]] = hits.scores
            if own is not None:
                similar[self._excluded(own)] = 0
            nearest = np.argsort(-similar, kind="stable")[: method.nearest]
            nearest = nearest[similar[nearest] > 0]
            links = self._cited[nearest]
            votes = similar[nearest] @ links / (similar[nearest].sum() or 1)
            if own is not None:
                excluded = self._excluded(own, known=known)
                similar[excluded] = votes[excluded] = 0
            scores = similar / (similar.max(initial=0) or 1) + method.votes * votes
            rows = np.flatnonzero(scores)
            ids = [self.graph.ids[row] for row in rows]
            ranked = Hits.ranked(ids, scores[rows], k)
            citing = Counter(self.graph.ids[row] for row in links.indices.tolist())
            run[name] = Hits(ranked.ids, ranked.scores, {hit: citing[hit] for hit in ranked.ids})
        return run

    def outside(
        self, topics: Mapping[str, str], method: Cite = Cite()
    ) -> dict[str, list[tuple[str, int]]]:
        """Count the works outside the collection that the nearest records of topics cite.

        Returns
        -------
        dict of str to list of (str, int)
            For each topic its references, in the spelling of the first record, with the number of
            records that have them, the most frequent first. References of a single record, and
            those of the topic's own record, are left out.
        """
        articles = known_articles(self.collection.abstracts, topics)
        counts = {}
        for name, hits in self._near(topics, articles).items():
            rows = [self._rows[hit] for hit in hits.ids.tolist()]
            if name in articles:
                later = self._later(self._rows[name])
                rows = [row for row in rows if not later[row]]
            ids = [self.graph.ids[row] for row in rows[: method.nearest]]
            counts[name] = self._counted(ids, [articles[name].id] if name in articles else [])
        return counts

    def _near(self, topics: Mapping[str, str], articles: Mapping[str, object]) -> Run:
        """Rank the records near topics, without a topic's own record."""
        counts = [Counter(self._analysis.terms(text)) for text in topics.values()]
        weights = self._neighbours.weigh(counts)
        own = [name if name in articles else None for name in topics]
        run = self._neighbours.search_weights(weights, list(topics), own, DEPTH + 1)
        return Run(
            (name, (hits.without(name) if name in articles else hits).head(DEPTH))
            for name, hits in run.items()
        )

    def _later(self, row: int) -> NDArray[np.bool_]:
        years = self.graph.years
        return np.asarray(years > (years[row] or years.max()))

    def _excluded(self, row: int, *, known: bool = True) -> NDArray[np.bool_]:
        """Return the records that a record cannot cite and, unless `known`, those that it cites."""
        excluded = self._later(row)
        excluded[row] = True
        if not known:
            excluded[self._cited[[row]].indices] = True
        return excluded

    def _counted(self, nearest: Sequence[str], own: Sequence[str]) -> list[tuple[str, int]]:
        """Count references of records by work, without works inside and those that `own` has."""
        records = self.collection.records([*nearest, *own])
        cited = {other for name in (*nearest, *own) for other in self.graph.cited(name)}
        inside = [own_reference(r) or r.id for r in self.collection.records(sorted(cited))]
        keys = unify([text for r in records for text in r.references] + inside)
        left_out = {keys[text] for text in inside} | cited
        left_out |= {keys[text] for r in records[len(nearest) :] for text in r.references}
        counts: Counter[str] = Counter()
        texts: dict[str, str] = {}
        for record in records[: len(nearest)]:
            for key, text in {keys[text]: text for text in record.references}.items():
                texts.setdefault(key, text)
                counts[key] += 1
        several = [(texts[key], n) for key, n in counts.items() if n > 1 and key not in left_out]
        return sorted(several, key=lambda work: (-work[1], work[0]))


def citing(hits: Hits) -> dict[str, dict[str, object]]:
    """Return the values shown with hits: the number of the nearest records that cite each."""
    counts = hits.basis if isinstance(hits.basis, dict) else {}
    return {
        name: {"cited_by_nearest": counts[name]} if counts.get(name) else {}
        for name in hits.ids.tolist()
    }
