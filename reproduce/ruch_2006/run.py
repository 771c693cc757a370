"""Tunes and measures the paper's systems with each engine."""

from dataclasses import replace
from itertools import product
from statistics import mean
from typing import Final

from recipes.data import data_path
from relsent_ir.lucene.analyzers import Analysis
from relsent_ir.methods import Rocchio, Smart
from relsent_ir.moves import MOVES
from relsent_ir.text.words import read_stopwords
from relsent_ir.trec import read_cystic_fibrosis_qrels, read_topics, sign
from relsent_ir.tuning import Tuned, select
from relsent_ir.tuning.selection import Split
from reproduce.data import collection_index
from reproduce.page import Page, Request, Steps, prose, table
from reproduce.ruch_2006.analysis import Engine, analysis
from reproduce.ruch_2006.systems import (
    DEFAULT,
    Bench,
    Ranker,
    System,
    ohsumed,
    paired,
    paper_splits,
    peers,
    systems,
)

PAPER: Final = {
    "none": (1020, 0.3871, 0.3066),
    "Rocchio": (1112, 0.4020, 0.353),
    "PURPOSE": (1136, 0.485, 0.4353),
    "CONCLUSION": (1143, 0.550, 0.4999),
}
"""Relevant retrieved (of 1,178), top precision and MAP: Table 5, on OHSUMED."""

M: Final = (10, 20, 40, 80, 160)
K: Final = (5, 10, 11, 15, 20)
ALPHA, BETA = 2.0, 0.75

DTU: Final = Smart("dtu.dtn", 0.14, 146)
ENGINES: Final[dict[str, tuple[Ranker, str]]] = {"dtu.dtn": (DTU, "dtu"), "BM25": (DEFAULT, "bm25")}
"""Rankers, and the weighting of the terms of feedback documents."""


def run(request: Request) -> Page:
    """Tune and measure on the cystic fibrosis collection; on OHSUMED too, if it was fetched."""
    topics = read_topics(data_path("cystic-fibrosis", "cfquery"))
    qrels = read_cystic_fibrosis_qrels(data_path("cystic-fibrosis", "cfquery"))
    stops = set(read_stopwords(data_path("lists", "smart-571.txt"))) - {"a"}
    s_stemmer = Analysis("s", tuple(sorted(stops)))
    porter = Bench(collection_index(request, "cystic-fibrosis"), topics, qrels)
    folder = collection_index(request, "cystic-fibrosis", s_stemmer, "cystic-fibrosis-s")
    stemmed = Bench(folder, topics, qrels)
    steps = Steps(request)
    plots: dict[str, bytes] = {}
    s_table = replication(stemmed, ENGINES, steps)
    engines = {
        "dtu.dtn, S-stemmer": Engine(stemmed, DTU, rocchio_grid("dtu")),
        "BM25, Porter": Engine(porter, DEFAULT, rocchio_grid("bm25")),
    }
    analysed = analysis(engines, plots, steps)
    collection = ohsumed(request, s_stemmer)
    result = replication(Bench(*collection), ENGINES, steps) if collection else None
    text = prose(
        __name__,
        command=request.command("ruch-2006"),
        pairs=str(len(M) * len(K)),
        s_stemmer=s_table,
        **analysed,
        **peers(porter, steps),
        ohsumed=result or prose(__name__, "no_ohsumed.md"),
    )
    return Page(text, plots)


def rocchio_grid(weighting: str) -> list[Rocchio]:
    """Return the paper's Rocchio with each m and k."""
    pivot = DTU.pivot if weighting == "dtu" else None  # as in the ranker's weights of documents
    return [Rocchio(m, k, ALPHA, BETA, weighting=weighting, pivot=pivot) for m, k in product(M, K)]


def replication(bench: Bench, engines: dict[str, tuple[Ranker, str]], steps: Steps) -> str:
    """Compare the paper's rows with ours, for each engine."""
    splits = paper_splits(bench.topics)
    parts = []
    for name, (ranker, weighting) in engines.items():
        grid = rocchio_grid(weighting)
        literal = [replace(setting, scaled=False) for setting in grid]
        methods = {
            "none": [System(ranker)],
            "Rocchio": systems([ranker], grid),
            **{move: systems([ranker], grid, move) for move in MOVES},
            "Rocchio, unscaled": systems([ranker], literal),
            **{
                f"{move}, unscaled": systems([ranker], literal, move)
                for move in ("PURPOSE", "CONCLUSION")
            },
        }
        tuned = {
            method: select(settings, bench.score, splits, progress=steps)
            for method, settings in methods.items()
        }
        rows = [_row(bench, method, tuned, splits) for method in methods]
        header = [
            name,
            *(f"{column}, paper (OHSUMED)" for column in ("relevant", "top precision", "MAP")),
            *("relevant", "top precision", "MAP", "± sd", "less Rocchio's", "p (sign)", "m/k"),
        ]
        parts.append(table(header, rows))
    return "\n".join(parts)


def _row(
    bench: Bench, method: str, tuned: dict[str, Tuned[System]], splits: list[Split]
) -> list[str]:
    """Write relevant retrieved, top precision and MAP on test topics, as means over the splits."""
    ours = tuned[method]
    sizes = [len(split.test) for split in splits]
    top = [total / n for total, n in zip(bench.tested(ours, "P_1"), sizes, strict=True)]
    relevant = mean(bench.tested(ours, "num_rel_ret")) / mean(bench.tested(ours, "num_rel"))
    cells = ["–", "–", "–"]
    if method in PAPER:
        count, precision, average = PAPER[method]
        cells = [f"{count / 1178:.1%}", f"{precision:.3f}", f"{average:.3f}"]
    cells += [f"{relevant:.1%}", f"{mean(top):.3f}", f"{ours.mean:.4f}", f"{ours.spread:.3f}"]
    if method == "Rocchio":
        return [method, *cells, "", "", _chosen(ours)]
    less, p = ours.mean - tuned["Rocchio"].mean, sign(*paired(ours, tuned["Rocchio"]))
    return [method, *cells, f"{less:+.4f}", f"{p:.2g}", _chosen(ours)]


def _chosen(tuned: Tuned[System]) -> str:
    """Write the m and k that most splits chose."""
    names = [
        f"{f.setting.feedback.fb_terms}/{f.setting.feedback.fb_docs}"
        for f in tuned.folds
        if f.setting.feedback
    ]
    return max(names, key=names.count) if names else "–"
