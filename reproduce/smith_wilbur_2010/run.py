"""Trains and tests the models, and makes the page's tables."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Final

import numpy as np

from recipes.data import data_path
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.lucene.read.index import Index
from relsent_ir.models import load
from relsent_ir.related import score_pairs
from relsent_ir.related.calibration import reached
from relsent_ir.related.matching.matcher import Matcher
from relsent_ir.related.pairs import read_corpus
from relsent_ir.text.words import default_stopwords
from reproduce.data import collection_index
from reproduce.page import SIGNIFICANT, Page, Request, Steps, compared, plot, prose, table
from reproduce.smith_wilbur_2010 import protocol
from reproduce.smith_wilbur_2010.sources import (
    biosses_table,
    directions,
    measure_biosses,
    run_sources,
    train_plus,
)

FORMULA: Final = "I1.5"
SHOWN: Final = 10


Best = dict[str, dict[str, tuple[str, float]]]
"""By method and sentence, the best match's id and score."""


def best_matches(
    collection: Indexes, models: Mapping[str, Path], topics: Mapping[str, str]
) -> Best:
    """Match sentences of an index with all others, exactly, by a formula and by trained models."""
    best: Best = {}
    for name, model in {FORMULA: FORMULA, **models}.items():
        run = Matcher(collection, str(model)).related(topics, 1, without_own=True)
        best[name] = {t: (str(hits.ids[0]), float(hits.scores[0])) for t, hits in run.items()}
    return best


def shown_matches(best: Best, model: Path) -> list[str]:
    """Name the first sentences whose match by the last model is one that people would confirm."""
    calibration = load(model, "related").calibration
    least = reached(calibration.best) if calibration else -np.inf
    last = list(best.values())[-1]
    return [topic for topic, (_, score) in last.items() if score >= least][:SHOWN]


def match_texts(
    collection: Indexes, topics: Mapping[str, str], shown: Sequence[str], best: Best
) -> str:
    """Write each shown sentence with its matches under it."""
    parts = []
    for topic in shown:
        parts.append(f"{topic}  {topics[topic]}\n")
        for name, matches in best.items():
            match, score = matches[topic]
            (text,) = collection.texts([match])
            parts.append(f"- {name} {score:.3g}: {match}  {text}\n")
    return "\n".join(parts)


SHARES: Final = (1.0, 0.5)
SIZES: Final = (10_000, protocol.TRAINING)  # positive training pairs
QUERIES: Final = 200  # sentences whose best match is looked for
PAPER: Final = {
    "D": 84.12,
    "T1": 85.35,
    "O3": 86.89,
    "I0.5": 87.23,
    "O2": 87.73,
    "O1": 88.34,
    "I3": 88.39,
    "T2": 88.69,
    "I1.5": 88.77,
    "huber": 91.08,
}
"""Break-even in percent, Table 3; the text that survives of it lacks the other figures."""


def run(request: Request) -> Page:
    """Train every model on two thirds of the abstracts collection, and test on the other third.

    Trained models are kept in ``models/smith-wilbur-2010`` beside the indexes, for the next run on
    the same data.
    """
    biosses = data_path("similarity", "biosses.tsv")
    folder = collection_index(request, "abstracts")
    stopwords = default_stopwords()
    with Index(folder) as index:
        corpus = read_corpus(index, stopwords)
    trainer = protocol.Trainer(
        corpus,
        stopwords,
        request.indexes.parent / "models" / "smith-wilbur-2010",
        "python -m reproduce smith-wilbur-2010",
        Steps(request),
    )
    sources = directions(trainer) if request.full else {}
    for direction in sources.values():
        train_plus(direction)
    protocols = whole, half = [protocol.run_protocol(trainer, share) for share in SHARES]
    curve = protocol.learning_curve(trainer, whole, SIZES)
    plots: dict[str, bytes] = {}
    _plot_curve(plots, curve)
    _plot_scores(plots, whole)
    measured = protocol.measure_reliability(
        trainer.model("huber-plus", whole.share), trainer, whole.share
    )
    methods = {
        name: (lambda texts, model=model: score_pairs(model, texts))
        for name, model in whole.models.items()
    }
    agreement = measure_biosses(biosses, methods)
    queries = _queries(trainer, whole.share)
    paths = {name: trainer.path(name, whole.share) for name in protocol.LEARNED}
    with Indexes(folder) as collection:
        topics = dict(zip(queries, collection.texts(queries), strict=True))
        best = best_matches(collection, paths, topics)
        shown = shown_matches(best, paths[protocol.LEARNED[-1]])
        texts = match_texts(collection, topics, shown, best) if request.full else ""
    text = prose(
        __name__,
        records=f"{len(corpus.records):,}",
        sentences=f"{len(corpus):,}",
        test_pairs=f"{len(whole.pairs) // 2:,}",
        seed=str(protocol.SEED),
        whole_training=f"{whole.training:,}",
        half_training=f"{half.training:,}",
        break_even=_break_even(protocols),
        paper_order=" · ".join(sorted(PAPER, key=lambda name: PAPER[name])),
        orders="\n\n".join(map(_order, protocols)),
        learned=_learned(protocols),
        curve=_learning(curve),
        limits=_limits(whole),
        queries=f"{len(queries):,}",
        agreement=_matches(best),
        biosses=biosses_table(agreement),
        **protocol.reliability_marks(*measured, plots),
        reliability_sentences=f"{min(protocol.SENTENCES, len(corpus)):,}",
        full=prose(__name__, "full.md", **run_sources(sources, biosses)) if sources else "",
    )
    return Page(text, plots, texts)


def _queries(trainer: protocol.Trainer, share: float) -> list[str]:
    """Draw sentences of the records that no model was trained on."""
    rows = np.flatnonzero(trainer.eligible(share) & trainer.unseen[trainer.corpus.record])
    drawn = np.random.default_rng(protocol.SEED).permutation(rows)[:QUERIES]
    return [trainer.corpus.ids[row] for row in drawn]


def _break_even(protocols: list[protocol.Protocol]) -> str:
    rows = []
    for name in (*protocol.FIXED, *protocol.LEARNED):
        row = [name, f"{PAPER[name]:.2f}" if name in PAPER else "–"]
        for tested in protocols:
            best = tested.best_formula()
            b, c, p = tested.against(name, best)
            test = "best formula" if name == best else f"{b:,} : {c:,}, p {p:.1e}"
            row += [f"{tested.be(name):.2f}", test]
        rows.append(row)
    header = ["Method", "paper"]
    for tested in protocols:
        header += [f"share {tested.share}", "McNemar against the best formula"]
    return table(header, rows)


def _order(tested: protocol.Protocol) -> str:
    """Order the methods, and name the pairs that the test shows in the paper's reverse order."""
    paper = sorted(PAPER, key=lambda name: PAPER[name])
    swapped = [
        f"{a} above {b}"
        for a, b in combinations(paper, 2)
        if tested.be(a) > tested.be(b) and tested.against(a, b)[2] < SIGNIFICANT
    ]
    return (
        f"Ours at share {tested.share}: {' · '.join(sorted(paper, key=tested.be))}. Pairs of "
        f"methods in the other order with p < {SIGNIFICANT}: {', '.join(swapped) or 'none'}."
    )


def _learned(protocols: list[protocol.Protocol]) -> str:
    """Compare learned models with the best formula, and with each other."""
    lines = []
    for tested in protocols:
        best = tested.best_formula()
        each = [f"{name} {compared(*tested.against(name, best))}" for name in protocol.LEARNED]
        results = ", ".join(each)
        lines.append(f"- At share {tested.share}, against the best formula, {best}: {results}.")
    for first, second in (("huber", "bayes"), ("huber-plus", "huber")):
        b, c, p = protocols[0].against(first, second)
        result = f"{b:,} : {c:,}, {compared(b, c, p)}"
        lines.append(f"- {first} against {second} at share {protocols[0].share}: {result}.")
    return "\n".join(lines)


def _learning(curve: dict[str, dict[int, float]]) -> str:
    sizes = sorted({size for points in curve.values() for size in points})
    rows = [
        [name, *(f"{points[size]:.2f}" if size in points else "" for size in sizes)]
        for name, points in curve.items()
    ]
    header = ["Positive training pairs", *(f"{size:,}" for size in sizes)]
    return table(header, rows)


def _plot_curve(plots: dict[str, bytes], curve: dict[str, dict[int, float]]) -> None:
    with plot(plots, "smith-wilbur-2010-curve", "positive training pairs", "BE, %") as axes:
        for name, points in curve.items():
            axes.plot(list(points), list(points.values()), marker="o", label=name)
        axes.set_xscale("log")


def _plot_scores(plots: dict[str, bytes], whole: protocol.Protocol) -> None:
    related = whole.pairs.related
    for name in ("huber", "huber-plus"):
        scores = whole.scores[name]
        low, high = np.quantile(scores, [0.001, 0.999])
        bins = np.linspace(low, high, 80)
        with plot(plots, f"smith-wilbur-2010-{name}", f"{name} score", "test pairs") as axes:
            for label, chosen in (("neighbours", related), ("permuted", ~related)):
                axes.hist(scores[chosen], bins.tolist(), histtype="step", label=label)


def _limits(whole: protocol.Protocol) -> str:
    """Show the score of the best match of a fifth of all sentences, and its probability."""
    limits = []
    for name in protocol.LEARNED:
        calibration = getattr(whole.models[name], "calibration", None)
        if calibration:
            limit = reached(calibration.best)
            limits.append([name, f"{limit:.2f}", f"{calibration.probability(limit):.3f}"])
    return table(["Model", "score", "P"], limits)


def _matches(best: Best) -> str:
    """Show how often two methods name the same match."""
    names = list(best)
    agreed = [
        [a, *("" if a == b else f"{_agreement(best[a], best[b]):.3f}" for b in names)]
        for a in names
    ]
    return table(["", *names], agreed)


def _agreement(a: Mapping[str, tuple[str, float]], b: Mapping[str, tuple[str, float]]) -> float:
    return float(np.mean([match == b[topic][0] for topic, (match, _) in a.items()]))
