"""Argumentative feedback: the paper's table beside ours, and what feedback can do here.

Reference
---------
P. Ruch, I. Tbahriti, J. Gobeill, A. R. Aronson. Argumentative feedback: a linguistically-motivated
term expansion for information retrieval. COLING/ACL 2006 posters, 675-682: Table 5.
"""

from dataclasses import replace
from itertools import product
from statistics import mean
from typing import Final

from relsent_ir.experiments.feedback_analysis import Engine, analysis
from relsent_ir.experiments.feedback_peers import peers
from relsent_ir.experiments.feedback_systems import (
    DEFAULT,
    Bench,
    Ranker,
    System,
    paper_splits,
    systems,
)
from relsent_ir.experiments.indexes import collection_index
from relsent_ir.experiments.ohsumed import ohsumed
from relsent_ir.experiments.request import Page, Request, data_path
from relsent_ir.experiments.tables import table
from relsent_ir.feedback import Rocchio, Smart
from relsent_ir.lucene.analyzers import Analysis
from relsent_ir.moves import MOVES
from relsent_ir.text.stopwords import read_stopwords
from relsent_ir.trec import read_cystic_fibrosis_qrels, read_topics, sign
from relsent_ir.tuning import Split, Tuned, select
from relsent_ir.typing import Progress

PAPER: Final = {
    "none": (1020, 0.3871, 0.3066),
    "Rocchio": (1112, 0.4020, 0.353),
    "PURPOSE": (1136, 0.485, 0.4353),
    "CONCLUSION": (1143, 0.550, 0.4999),
}
"""Relevant retrieved (of 1,178), top precision and MAP: Table 5, on OHSUMED."""

M: Final = (10, 20, 40, 80, 160)
K: Final = (5, 10, 15, 20, 30)
ALPHA, BETA = 2.0, 0.75

DTU: Final = Smart.parse("dtu.dtn", 0.14, 146)
ENGINES: Final[dict[str, tuple[Ranker, str]]] = {
    "dtu.dtn": (DTU, "dtu"),
    "BM25": (DEFAULT, "bm25"),
}
"""What searches, and how it weighs the terms of feedback documents."""


def run(request: Request) -> Page:
    """Tune and measure on the cystic fibrosis collection; on OHSUMED too, if it was fetched."""
    topics = read_topics(data_path("cystic-fibrosis", "cfquery"))
    qrels = read_cystic_fibrosis_qrels(data_path("cystic-fibrosis", "cfquery"))
    stops = set(read_stopwords(data_path("lists", "smart-571.txt"))) - {"a"}
    s_stemmer = Analysis("s", tuple(sorted(stops)))
    porter = Bench(collection_index(request, "cystic-fibrosis"), topics, qrels)
    folder = collection_index(request, "cystic-fibrosis", s_stemmer, "cystic-fibrosis-s")
    stemmed = Bench(folder, topics, qrels)
    steps = Steps(request.progress)
    plots: dict[str, bytes] = {}
    parts = [
        _opening(request.full),
        replication("the S-stemmer", stemmed, ENGINES, steps),
        replication("Porter's stemmer", porter, ENGINES, steps),
        analysis(
            {
                "dtu.dtn, S-stemmer": Engine(stemmed, DTU, rocchio_grid("dtu")),
                "BM25, Porter": Engine(porter, DEFAULT, rocchio_grid("bm25")),
            },
            plots,
            steps,
        ),
        peers(porter, steps, request.full),
    ]
    found = ohsumed(request, s_stemmer)
    if found:
        bench = Bench(*found)
        part = replication("OHSUMED, the S-stemmer", bench, ENGINES, steps)
        parts.append("## OHSUMED\n\n" + part.partition("\n\n")[2])
    else:
        parts.append(_OHSUMED)
    return Page("\n".join(parts), plots)


class Steps:
    """Tells how many settings were tried."""

    def __init__(self, progress: Progress) -> None:
        self._progress, self._done = progress, 0

    def __call__(self, _done: int, _total: int | None) -> None:
        """Count one more."""
        self._done += 1
        self._progress(self._done, None)


def rocchio_grid(weighting: str) -> list[Rocchio]:
    """The paper's Rocchio, m and k free."""
    return [Rocchio(m, k, ALPHA, BETA, weighting=weighting) for m, k in product(M, K)]


def replication(
    title: str, bench: Bench, engines: dict[str, tuple[Ranker, str]], steps: Steps
) -> str:
    """Set the paper's rows beside ours, for each engine."""
    splits = paper_splits(bench.topics)
    text = f"## With {title}\n"
    for name, (ranker, weighting) in engines.items():
        grid = rocchio_grid(weighting)
        literal = [replace(one, scaled=False) for one in grid]
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
            *(f"{column}, paper" for column in ("relevant", "top precision", "MAP")),
            *("relevant", "top precision", "MAP", "± sd", "less Rocchio's", "p (sign)", "m/k"),
        ]
        text += f"\n{table(header, rows)}"
    return text


def _row(
    bench: Bench, method: str, tuned: dict[str, Tuned[System]], splits: list[Split]
) -> list[str]:
    """Relevant retrieved, top precision and MAP on the test topics, means over the splits."""
    found = tuned[method]
    sizes = [len(split.test) for split in splits]
    top = [total / n for total, n in zip(bench.tested(found, "P_1"), sizes, strict=True)]
    relevant = mean(bench.tested(found, "num_rel_ret")) / mean(bench.tested(found, "num_rel"))
    cells = ["–", "–", "–"]
    if method in PAPER:
        count, precision, average = PAPER[method]
        cells = [f"{count / 1178:.1%}", f"{precision:.3f}", f"{average:.3f}"]
    cells += [f"{relevant:.1%}", f"{mean(top):.3f}", f"{found.mean:.4f}", f"{found.spread:.3f}"]
    if method == "Rocchio":
        return [method, *cells, "", "", _chosen(found)]
    ours, theirs = found.held_out(), tuned["Rocchio"].held_out()
    p = sign(list(ours.values()), [theirs[topic] for topic in ours])
    return [
        method,
        *cells,
        f"{found.mean - tuned['Rocchio'].mean:+.4f}",
        f"{p:.2g}",
        _chosen(found),
    ]


def _chosen(tuned: Tuned[System]) -> str:
    """The m and k that most splits chose."""
    names = [
        f"{f.setting.feedback.fb_terms}/{f.setting.feedback.fb_docs}"
        for f in tuned.folds
        if f.setting.feedback
    ]
    return max(names, key=names.count) if names else "–"


def _opening(full: bool) -> str:
    command = f"relsent-ir reproduce ruch-2006{' --full' if full else ''}"
    return f"""# Argumentative feedback

Written by `{command}`. [The methods](../feedback.md).

The paper's collection, OHSUMED, is not at hand everywhere; this page is about the cystic fibrosis
collection (1,239 records, 100 topics, relevant = any judge says so), with the paper's protocol: m
(terms) and k (documents) are chosen by MAP on 75 random topics, from {len(M) * len(K)} pairs, and
measured on the other 25; ten fixed splits. "Relevant" is the share of the relevant records among
the first 1,000, and "top precision" that of the first record. Q' = 2 Q + 0.75 R; Q and R are
vectors of length 1 (literally, as in the rows "unscaled", R's weights are so much smaller than Q's
under dtu.dtn that they hardly count). Terms in more than a tenth of the records are not taken. The
sign test compares topics with Rocchio, each topic by its mean over the splits that test it. m/k is
what most splits chose. Moves are those of the CRF that comes with the package; slope 0.14, pivot
146. The S-stemmer goes with SMART's 571 stop words but "a", Porter's with Lucene's 33.
"""


_OHSUMED: Final = """## OHSUMED

Not here. `relsent-ir fetch ohsumed` in this folder, then the same command adds the table: 63
topics, the records of 1988-91 that have an abstract, three quarters of the topics to choose on.
"""
