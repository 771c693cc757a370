"""Measures the methods of `similar` on both halves; the development halves choose."""

from collections.abc import Mapping
from dataclasses import replace
from itertools import product
from statistics import mean
from typing import Final

from recipes.data import data_path
from relsent_ir.citation.graph import CitationGraph
from relsent_ir.citation.similar import BETA, DEFAULT, NEAREST, Neighbours, find_similar
from relsent_ir.feedback import TermMatrix
from relsent_ir.hits import Run
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.methods import Similar
from relsent_ir.records import read_records
from relsent_ir.trec import compare, evaluate
from relsent_ir.trec.evaluation import Evaluation
from relsent_ir.trec.qrels import Qrels
from reproduce.coupling import Plan, build_benchmark
from reproduce.data import FILES, collection_index
from reproduce.page import Page, Request, Steps, prose, table

COLLECTIONS: Final = {"cystic-fibrosis": 2, "rct": 1}
"""The fewest references that a target shares with its topic, by collection."""
HITS: Final = 1000
MEASURES: Final = ("map", "P_10")
PEERS: Final = {
    "pmra": Similar("pmra"),
    "BM25 (0.9, 0.4)": Similar("bm25"),
    "BM25 (1.2, 0.75)": Similar("bm25", 1.2, 0.75),
    "more like this": Similar("more-like-this", 1.2, 0.75),
}
"""Methods that users know, with their usual settings."""
OTHERS: Final = {
    **{
        f"pmra, λ {rate:g}, μ {mu:g}": Similar("pmra", lambda_=rate, mu=mu)
        for rate, mu in ((0.022, 0.018), (0.015, 0.01), (0.03, 0.025))
    },
    **{scheme: Similar(scheme) for scheme in ("ltc.atn", "atn.ltc", "ltc.ltc", "lnc.ltn")},
}
GRID: Final = tuple(product((5, 10, 20), (0.5, 1.0, 2.0)))
"""Numbers of neighbours that a topic moves to, and weights of the move."""


Halves = tuple[dict[str, Evaluation], dict[str, Evaluation]]
"""Systems on the development half and on the test half of a collection."""


def run(request: Request) -> Page:
    """Measure every system on both halves of both collections."""
    steps = Steps(request)
    measured = {name: _measure(request, name, of, steps) for name, of in COLLECTIONS.items()}
    points = {
        system: mean(halves[0][system].summary["map"] for halves in measured.values())
        for system in next(iter(measured.values()))[0]
    }
    chosen = max(points, key=points.__getitem__)
    rows = [
        [
            system,
            *(f"{halves[0][system].summary['map']:.4f}" for halves in measured.values()),
            f"{point:.4f}",
        ]
        for system, point in points.items()
    ]
    text = prose(
        __name__,
        command=request.command("similar"),
        topics="; ".join(
            f"{name} {len(halves[0][chosen].topics)} and {len(halves[1][chosen].topics)}"
            for name, halves in measured.items()
        ),
        development=table(["development halves: MAP", *measured, "mean"], rows),
        chosen=chosen,
        default=_label(NEAREST, BETA),
        test="\n".join(_tested(name, halves[1]) for name, halves in measured.items()),
    )
    return Page(text)


def _measure(request: Request, name: str, min_shared: int, steps: Steps) -> Halves:
    """Cut all candidates of a collection into two halves, and measure every system on both."""
    graph = CitationGraph.build(r for file in FILES[name] for r in read_records(data_path(file)))
    plan = Plan(queries=1, sets=1, min_shared=min_shared)
    candidates = int(build_benchmark(graph, plan).summary["candidates"])
    halves = build_benchmark(graph, replace(plan, queries=candidates // 2, sets=2)).sets
    qrels: Qrels = {topic: grades for half in halves for topic, grades in half.items()}
    evaluations: dict[str, list[Evaluation]] = {}
    with Indexes(collection_index(request, name)) as collection:
        ids = list(qrels)
        neighbours = Neighbours(TermMatrix.read(collection.abstracts), collection.facts.analysis)
        for system, method in {**PEERS, **OTHERS}.items():
            run = find_similar(collection, ids, method, HITS)
            evaluations[system] = _evaluated(halves, run)
            steps()
        for nearest, beta in GRID:
            run = neighbours.search(ids, HITS + 1, nearest=nearest, beta=beta)
            others = Run((topic, hits.without(topic).head(HITS)) for topic, hits in run.items())
            evaluations[_label(nearest, beta)] = _evaluated(halves, others)
            steps()
    development, test = ({s: of[half] for s, of in evaluations.items()} for half in (0, 1))
    return development, test


def _evaluated(halves: list[Qrels], run: Run) -> list[Evaluation]:
    return [evaluate(half, {topic: run[topic] for topic in half}, MEASURES) for half in halves]


def _label(nearest: int, beta: float) -> str:
    return f"{DEFAULT}, {nearest}, β {beta:g}"


def _tested(name: str, test: Mapping[str, Evaluation]) -> str:
    """Compare the default with each peer on the half that was not used to choose."""
    default = _label(NEAREST, BETA)
    comparisons = compare(test[default], [test[peer] for peer in PEERS], ["map"])
    values = test[default].summary
    rows = [[default, f"{values['map']:.4f}", f"{values['P_10']:.4f}", "", "", "", ""]]
    for peer, result in zip(PEERS, comparisons, strict=True):
        assert result.low is not None
        assert result.high is not None
        rows.append(
            [
                peer,
                f"{result.mean:.4f}",
                f"{test[peer].summary['P_10']:.4f}",
                f"{-result.difference:+.4f}",
                f"{-result.high:+.4f} to {-result.low:+.4f}",
                f"{result.losses}/{result.wins}/{result.ties}",
                f"{result.holm['t']:.2g}",
            ]
        )
    header = [f"{name}, test half", "MAP", "P@10", "the default is above by", "95 %"]
    return table([*header, "won/lost/tied", "p (t, Holm)"], rows)
