"""Ours beside Anserini's RM3 and Rocchio, all tuned on the same splits."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from statistics import mean, stdev
from typing import Final

import numpy as np

from relsent_ir.feedback import RM3, Rocchio
from relsent_ir.lucene.read.search import BM25
from relsent_ir.trec import paired_t, randomisation, sign
from relsent_ir.tuning import Tuned, folds, select
from relsent_ir.typing import Progress
from reproduce.page import compared, interval, table
from reproduce.ruch_2006.systems import (
    DEFAULT,
    LARGER,
    Bench,
    System,
    paired,
    paper_splits,
    systems,
)

PEERS: Final = ("Anserini's RM3, tuned", "Anserini's Rocchio, tuned")
OURS: Final = "ours, drawn"
FIXED: Final = "ltn, 1/√rank, a fifth of the records"
DRAWN: Final = 128  # as many as the peers' settings
SEED: Final = 0
FOLDS: Final = 5
TESTS: Final = (sign, paired_t, randomisation)
RANKERS: Final = (DEFAULT, LARGER)
RM3S: Final = [
    RM3(m, k, w) for m, k, w in product((5, 10, 20, 40), (5, 10, 15, 20), (0.2, 0.35, 0.5, 0.65))
]
ANSERINI: Final = [
    Rocchio(m, k, 1.0, beta)
    for m, k, beta in product((10, 20, 40, 80), (5, 10, 15, 20), (0.5, 0.75, 1.5, 3.0))
]
BEST: Final = [
    Rocchio(m, k, 1.0, beta, weighting="ltn", documents="rank", max_df=0.2)
    for m, k, beta in product((20, 50, 100), (5, 10, 20, 30), (1.0, 2.0, 4.0, 8.0))
]


def methods(full: bool) -> dict[str, list[System]]:
    """The settings of the peers, of ours, and of ours with one thing less or more, by row."""
    found = {
        "Anserini's BM25, untuned": [System(DEFAULT)],
        "Anserini's RM3, untuned": [System(DEFAULT, RM3())],
        "Anserini's Rocchio, untuned": [System(DEFAULT, Rocchio())],
        PEERS[0]: systems(RANKERS, RM3S),
        PEERS[1]: systems(RANKERS, ANSERINI),
        OURS: _drawn(),
        FIXED: systems(RANKERS, BEST),
    }
    if full:
        variants: dict[str, tuple[Sequence[Rocchio | RM3], str]] = {
            "BM25 (1.2, 0.75) only": (BEST, ""),
            "… documents alike": ([replace(one, documents="uniform") for one in BEST], ""),
            "… terms by counts": ([replace(one, weighting="tf") for one in BEST], ""),
            "… a tenth of the records": ([replace(one, max_df=0.1) for one in BEST], ""),
            "… CONCLUSION emphasised": (BEST, "DOCUMENT,CONCLUSION"),
            "… PURPOSE emphasised": (BEST, "DOCUMENT,PURPOSE"),
            "… both, by score": (BEST, "soft:DOCUMENT,PURPOSE,CONCLUSION"),
            "… PURPOSE and CONCLUSION only": (BEST, "PURPOSE,CONCLUSION"),
            "… 20 Huber-related sentences only": (BEST, "related:20"),
            "RM3 from PURPOSE and CONCLUSION": (RM3S, "PURPOSE,CONCLUSION"),
        }
        for name, (settings, source) in variants.items():
            found[name] = systems([LARGER], settings, source)
    return found


def _drawn() -> list[System]:
    """Settings drawn from all that Rocchio here can do."""
    everything = [
        System(ranker, Rocchio(m, k, 1.0, beta, 0.0, 10, 10, weighting, documents, True, most))
        for ranker, m, k, beta, weighting, documents, most in product(
            RANKERS,
            (10, 20, 50, 100),
            (5, 10, 20, 30),
            (0.5, 1.0, 2.0, 4.0, 8.0),
            ("tf", "bm25", "ltn", "dtn"),
            ("uniform", "rank", "score"),
            (0.1, 0.2, 0.5),
        )
    ]
    places = np.random.default_rng(SEED).choice(len(everything), DRAWN, replace=False)
    return [everything[place] for place in sorted(places.tolist())]


def peers(bench: Bench, steps: Progress, full: bool) -> dict[str, str]:
    """Set ours beside Anserini's."""
    topics = list(bench.topics)
    several, five = paper_splits(topics), folds(topics, FOLDS)
    tuned: dict[str, tuple[Tuned[System], Tuned[System]]] = {}
    for name, settings in methods(full).items():
        ten = select(settings, bench.score, several, progress=steps)
        tuned[name] = ten, select(settings, bench.score, five)
    peer = max(PEERS, key=lambda name: tuned[name][0].mean)
    rows = [_row(name, *tuned[name], tuned[peer][1] if name != peer else None) for name in tuned]
    header = [
        *("", "settings", "MAP, 10 splits", "± sd", "MAP, 5 folds", "± sd"),
        *("more than the better peer", "95 %", "p (sign)", "p (t)", "p (randomisation)"),
    ]
    return {
        **_verdict(tuned[OURS][1], tuned[peer][1]),
        "peer": peer,
        "seed": str(SEED),
        "peers": table(header, rows),
        "chosen": _described(tuned[OURS][0]),
    }


def _row(
    name: str, repeated: Tuned[System], crossed: Tuned[System], peer: Tuned[System] | None
) -> list[str]:
    row = [name, str(len(repeated.settings)), f"{repeated.mean:.4f}", f"{repeated.spread:.3f}"]
    row += [f"{mean(crossed.held_out().values()):.4f}"]
    row += [f"{stdev(fold.test for fold in crossed.folds):.3f}"]
    if peer is None:
        return [*row, *[""] * 5]
    a, b = paired(crossed, peer)
    low, high = interval(a, b)
    tests = [f"{test(a, b):.2g}" for test in TESTS]
    return [*row, f"{mean(a) - mean(b):+.4f}", f"{low:+.3f} to {high:+.3f}", *tests]


def _verdict(ours: Tuned[System], theirs: Tuned[System]) -> dict[str, str]:
    a, b = paired(ours, theirs)
    low, high = interval(a, b)
    return {
        "ours": f"{mean(a):.4f}",
        "theirs": f"{mean(b):.4f}",
        "difference": f"{mean(a) - mean(b):+.4f}",
        "low": f"{low:+.4f}",
        "high": f"{high:+.4f}",
        "told": compared(mean(a), mean(b), paired_t(a, b)),
        "ahead": str(sum(x > y for x, y in zip(a, b, strict=True))),
        "topics": str(len(a)),
    }


def _described(tuned: Tuned[System]) -> str:
    chosen = [fold.setting for fold in tuned.folds]
    most = max(chosen, key=chosen.count)
    assert isinstance(most.feedback, Rocchio)
    assert isinstance(most.ranker, BM25)
    return (
        f"{most.feedback.weighting}, {most.feedback.documents}, share {most.feedback.max_df:g}, "
        f"{most.feedback.fb_terms} terms of {most.feedback.fb_docs} documents, beta "
        f"{most.feedback.beta:g}, BM25 ({most.ranker.k1}, {most.ranker.b}), "
        f"{chosen.count(most)} of {len(chosen)}"
    )
