"""Themes from several kernels, and from a query's first hits, on the cystic fibrosis collection."""

from collections.abc import Callable
from pathlib import Path

from relsent_ir.experiments.request import data_path
from relsent_ir.experiments.tables import table
from relsent_ir.experiments.theme_kernels import Groups, draw, halves
from relsent_ir.experiments.theme_runs import MEASURES, OURS, PUBLISHED, scores
from relsent_ir.feedback import FeedbackSearcher, RelevanceModel
from relsent_ir.lucene.index import Index
from relsent_ir.lucene.search import Searcher
from relsent_ir.themes import Topic
from relsent_ir.trec import evaluate, read_topics


def several(index: Path, groups: Groups, steps: Callable[[], None]) -> str:
    """Give each test topic one, two and five kernels; all five are left out of every run."""
    names = [name for name in halves(groups)[1] if len(groups[name]) > 5]
    drawn = draw("cystic-fibrosis", groups, names, 5)
    kernels: dict[str, list[str]] = {}
    for topic, kernel in drawn.kernel.items():
        kernels.setdefault(topic.partition("/")[0], []).append(kernel)
    qrels = {n: dict.fromkeys(sorted(groups[n] - set(kernels[n])), 1) for n in kernels}
    rows = []
    for label, variant in (("published", PUBLISHED), ("ours", OURS)):
        with variant.open(index) as finder:
            for count in (1, 2, 5):
                topics = {name: Topic(tuple(of[:count])) for name, of in kernels.items()}
                run = finder.run(topics, 1000 + 5)
                for name, hits in run.items():
                    for kernel in kernels[name]:
                        hits = hits.without(kernel)
                    run[name] = hits.head(1000)
                rows.append(
                    [
                        f"{label}, {count} kernel{'s' * (count > 1)}",
                        *scores(evaluate(qrels, run, MEASURES)),
                    ]
                )
        steps()
    return f"""## Several kernels

{len(names)} test topics of the cystic fibrosis collection with more than five relevant records,
five of them drawn as kernels, which are left out of all runs.

{table(["", "MAP", "P@10"], rows)}"""


def queries(index: Path, groups: Groups) -> str:
    """Let the queries' own first hits be the kernels."""
    names = halves(groups)[1]
    texts = read_topics(data_path("cystic-fibrosis", "cfquery"))
    asked = {name: texts[name] for name in names}
    qrels = {name: dict.fromkeys(sorted(groups[name]), 1) for name in names}
    with Index(index) as opened:
        searcher = Searcher(opened)
        runs = {
            "BM25": searcher.search(asked),
            "BM25 + RM3": FeedbackSearcher(searcher, opened, RelevanceModel()).search(asked),
        }
    for label, variant in (("published", PUBLISHED), ("ours", OURS)):
        with variant.open(index) as finder:
            for count in (1, 5, 10):
                topics = finder.from_hits(asked, count)
                runs[f"{label}, {count} hit{'s' * (count > 1)}"] = finder.run(topics, 1000)
    rows = [[label, *scores(evaluate(qrels, run, MEASURES))] for label, run in runs.items()]
    return f"""## Themes from a query's first hits

The {len(names)} queries of the cystic fibrosis collection in the test half, as texts; the kernels
are the first hits of BM25 (`--from-hits`), and stay in the run. Nothing was tuned for this.

{table(["", "MAP", "P@10"], rows)}"""
