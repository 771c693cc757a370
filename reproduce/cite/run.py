"""Leaves out the references of one record at a time, and measures how many are found."""

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Final

import numpy as np

from relsent_ir.citation.candidates import topic_text
from relsent_ir.citation.graph import CitationGraph
from relsent_ir.citation.similar import find_similar
from relsent_ir.citation.suggestions import CitationFinder
from relsent_ir.hits import Run
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.methods import Cite
from relsent_ir.trec import compare, evaluate
from relsent_ir.trec.evaluation import Evaluation
from relsent_ir.trec.qrels import Qrels
from reproduce.data import collection_index
from reproduce.page import Page, Request, Steps, prose, table

LEAST: Final = {"cystic-fibrosis": 3, "rct": 1}
"""The fewest references of a topic to records of the collection, by collection."""
TEST: Final = 200
"""Test topics of cystic fibrosis."""
SEED: Final = 2004
MEASURES: Final = ("recall_20", "recip_rank", "map")
PEERS: Final = {"BM25": "bm25", "similar": "neighbours"}
GRID: Final = tuple(product((10, 20, 50, 100), (1.0, 2.0, 4.0, 8.0, 16.0)))
"""Numbers of nearest records, and weights of votes."""


def run(request: Request) -> Page:
    """Choose on development topics; measure on test topics and on another collection."""
    steps = Steps(request)
    with Indexes(collection_index(request, "cystic-fibrosis")) as collection:
        finder = CitationFinder(collection)
        topics = _topics(finder.graph, "cystic-fibrosis")
        drawn = np.random.default_rng(SEED).permutation(topics).tolist()
        test, development = _qrels(finder.graph, drawn[:TEST]), _qrels(finder.graph, drawn[TEST:])
        points = {}
        for nearest, votes in GRID:
            run = _find(collection, finder, development, Cite(nearest, votes))
            points[nearest, votes] = evaluate(development, run, MEASURES).summary
            steps()
        systems = _measure(collection, finder, test)
    with Indexes(collection_index(request, "rct")) as collection:
        finder = CitationFinder(collection)
        others = _qrels(finder.graph, _topics(finder.graph, "rct"))
        elsewhere = _measure(collection, finder, others)
    best = max(points, key=lambda setting: points[setting]["recall_20"])
    rows = [
        [f"{nearest}, {votes:g}", *(f"{of[name]:.4f}" for name in MEASURES)]
        for (nearest, votes), of in points.items()
        if nearest == best[0] or votes == best[1]
    ]
    return Page(
        prose(
            __name__,
            command=request.command("cite"),
            development=table([f"{len(development)} records: nearest, votes", *_HEADER], rows),
            best=f"{best[0]}, {best[1]:g}",
            default=f"{Cite().nearest}, {Cite().votes:g}",
            test=_table(f"cystic fibrosis, {len(test)} records", systems),
            elsewhere=_table(f"rct, {len(others)} records", elsewhere),
        )
    )


_HEADER: Final = ("recall in 20", "reciprocal rank", "MAP")


def _topics(graph: CitationGraph, name: str) -> list[str]:
    """Return the records that refer to enough others that did not appear later."""
    return [topic for topic, cited in _cited(graph).items() if len(cited) >= LEAST[name]]


def _cited(graph: CitationGraph) -> dict[str, list[str]]:
    rows = graph.references[:, : len(graph)].tocsr()
    cited = {}
    for row, topic in enumerate(graph.ids):
        columns = rows.indices[rows.indptr[row] : rows.indptr[row + 1]]
        earlier = [c for c in columns if graph.years[c] <= (graph.years[row] or 9999)]
        cited[topic] = [graph.ids[column] for column in earlier]
    return cited


def _qrels(graph: CitationGraph, topics: Sequence[str]) -> Qrels:
    cited = _cited(graph)
    return {topic: dict.fromkeys(cited[topic], 1) for topic in sorted(topics)}


def _find(collection: Indexes, finder: CitationFinder, qrels: Qrels, method: Cite) -> Run:
    records = collection.records(list(qrels))
    texts = {record.id: topic_text(record) for record in records}
    return finder.find(texts, method, len(finder.graph), known=True)


def _measure(collection: Indexes, finder: CitationFinder, qrels: Qrels) -> dict[str, Evaluation]:
    """Measure `cite`, and its peers without records that appeared after a topic."""
    years = dict(zip(finder.graph.ids, finder.graph.years.tolist(), strict=True))
    systems = {}
    for name, method in PEERS.items():
        run = find_similar(collection, list(qrels), method, len(finder.graph))
        for topic, hits in run.items():
            early = [years[hit] <= (years[topic] or 9999) for hit in hits.ids.tolist()]
            run[topic] = type(hits)(hits.ids[early], hits.scores[early])
        systems[name] = evaluate(qrels, run, MEASURES)
    systems["cite"] = evaluate(qrels, _find(collection, finder, qrels, Cite()), MEASURES)
    return systems


def _table(title: str, systems: Mapping[str, Evaluation]) -> str:
    """Compare `cite` with its peers."""
    against = compare(systems["cite"], [systems[name] for name in PEERS], ["recall_20"])
    tests = dict(zip(PEERS, against, strict=True))
    rows = []
    for name, system in systems.items():
        row = [name, *(f"{system.summary[measure]:.4f}" for measure in MEASURES)]
        if name in tests:
            one = tests[name]
            assert one.low is not None
            assert one.high is not None
            row += [f"{-one.difference:+.4f}", f"{-one.high:+.4f} to {-one.low:+.4f}"]
            row += [f"{one.holm['t']:.2g}"]
        rows.append([*row, *[""] * (7 - len(row))])
    return table([title, *_HEADER, "cite is above by", "95 %", "p (t, Holm)"], rows)
