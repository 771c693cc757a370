"""Draws the kernels, finds their themes, runs the peers, and makes the page."""

from collections.abc import Mapping
from itertools import product
from math import sqrt
from pathlib import Path
from statistics import mean, median, variance
from typing import Final

from recipes.data import data_path
from relsent_ir.feedback import FeedbackSearcher
from relsent_ir.hits import Run
from relsent_ir.lucene.memory.postings import open_postings
from relsent_ir.lucene.read.index import Index
from relsent_ir.lucene.read.search import Searcher
from relsent_ir.methods import RM3
from relsent_ir.themes import Selection, Terms, ThemeSettings, ThemeTopic
from relsent_ir.trec import Evaluation, evaluate, holm, read_topics
from reproduce.data import collection_index
from reproduce.page import Page, Request, Steps, compared, plot, prose, table
from reproduce.shatkay_wilbur_2000 import systems
from reproduce.shatkay_wilbur_2000.examples import examples
from reproduce.shatkay_wilbur_2000.systems import (
    MEASURES,
    SETS,
    Found,
    Groups,
    Kernels,
    Variant,
    draw,
    find,
    halves,
    peers,
)

MEAN: Final = "mean of the sets"
OURS: Final = "themes, ours"

_SEVERAL: Final = (("published", systems.PUBLISHED, (1, 2, 5)), ("ours", systems.OURS, (1, 2, 5)))
"""Ways to find themes from several kernels, and numbers of kernels."""


def quality(
    test: Mapping[str, Kernels],
    measured: Mapping[str, Mapping[str, Found | Run]],
    plots: dict[str, bytes],
) -> dict[str, str]:
    """Compare the methods, and ours with each of the others."""
    scores = {
        name: {
            label: evaluate(
                test[name].qrels, result.run if isinstance(result, Found) else result, MEASURES
            )
            for label, result in by.items()
        }
        for name, by in measured.items()
    }
    labels = list(next(iter(scores.values())))
    shown = (*test, *[MEAN] * (len(test) > 1))
    rows = [[label] for label in labels]
    for row in rows:
        for name in shown:
            sets = test if name == MEAN else [name]
            summaries = [scores[each][row[0]].summary for each in sets]
            row += [f"{mean(summary[m] for summary in summaries):.4f}" for m in MEASURES]
    header = ["", *(f"{name}: {m}" for name in shown for m in ("MAP", "P@10"))]
    with plot(plots, f"{systems.PLOT}-map", "", "MAP") as axes:
        for i, label in enumerate(labels):
            heights = [scores[name][label].summary["map"] for name in test]
            axes.bar([j + 0.11 * (i - 3) for j in range(len(test))], heights, 0.1, label=label)
        axes.set_xticks(range(len(test)), test)
    compared_with = list(product(shown, [label for label in labels if label != OURS], MEASURES))
    tests = [_difference(name, label, m, scores) for name, label, m in compared_with]
    body, losses = [], []
    corrected = holm([p for *_, p in tests])
    for (name, label, m), test_of, holms in zip(compared_with, tests, corrected, strict=True):
        gain, (low, high), won, p = test_of
        title = {"map": "MAP", "P_10": "P@10"}[m]
        cells = [f"{gain:+.4f}", f"{low:+.4f} to {high:+.4f}", won, f"{p:.2g}", f"{holms:.2g}"]
        if name == shown[-1]:
            body.append([f"{name}: {label}", title, *cells])
        if gain < 0:
            losses.append(f"{label}, {title} on {name}, {gain:+.4f}, {compared(gain, 0, holms)}")
    versus = ["ours against", "", "difference", "95 %", "won/lost/tied", "p (t)", "Holm"]
    return {
        "results": table(header, rows),
        "against": table(versus, body),
        "lower": "; ".join(losses) or "nowhere",
    }


def _difference(
    name: str, label: str, measure: str, scores: Mapping[str, Mapping[str, Evaluation]]
) -> tuple[float, tuple[float, float], str, float]:
    """Compare kernel by kernel by Student's t; in the mean of the sets all sets count alike.

    Returns
    -------
    (float, (float, float), str, float)
        Ours minus the other's, its 95 % interval, kernels won/lost/tied, and p.
    """
    from scipy.stats import t

    sets = list(scores) if name == MEAN else [name]
    by_set = []
    for each in sets:
        ours, other = (scores[each][by].topics for by in (OURS, label))
        by_set.append([ours[topic][measure] - other[topic][measure] for topic in ours])
    center = mean(map(mean, by_set))
    error = sqrt(sum(variance(of) / len(of) for of in by_set)) / len(sets)
    freedom = sum(map(len, by_set)) - len(sets)
    reach = error * t.ppf(0.975, freedom)
    every = [difference for of in by_set for difference in of]
    won, lost = sum(x > 0 for x in every), sum(x < 0 for x in every)
    p = float(2 * t.sf(abs(center) / error, freedom)) if error else float(not center)
    counts = f"{won}/{lost}/{len(every) - won - lost}"
    return center, (center - reach, center + reach), counts, p


def several(index: Path, groups: Groups, steps: Steps) -> dict[str, str]:
    """Measure one, two and five kernels of each test topic; no run contains any of the five."""
    names = [name for name in halves(groups)[1] if len(groups[name]) > 5]
    drawn = draw("cystic-fibrosis", groups, names, 5)
    kernels: dict[str, list[str]] = {}
    for topic, kernel in drawn.kernel.items():
        kernels.setdefault(topic.partition("/")[0], []).append(kernel)
    qrels = {n: dict.fromkeys(sorted(groups[n] - set(kernels[n])), 1) for n in kernels}
    rows = []
    for label, variant, counts in _SEVERAL:
        with variant.open(index) as finder:
            for count in counts:
                topics = {name: ThemeTopic(tuple(of[:count])) for name, of in kernels.items()}
                run = finder.run(topics, 1000 + 5)
                for name, hits in run.items():
                    for kernel in kernels[name]:
                        hits = hits.without(kernel)
                    run[name] = hits.head(1000)
                figures = systems.scores(evaluate(qrels, run, MEASURES))
                rows.append([f"{label}, {count} kernel{'s' * (count > 1)}", *figures])
        steps()
    return {"several_topics": str(len(names)), "several": table(["", "MAP", "P@10"], rows)}


def queries(index: Path, groups: Groups) -> dict[str, str]:
    """Measure themes whose kernels are the first hits of the queries."""
    names = halves(groups)[1]
    texts = read_topics(data_path("cystic-fibrosis", "cfquery"))
    topics = {name: texts[name] for name in names}
    qrels = {name: dict.fromkeys(sorted(groups[name]), 1) for name in names}
    with Index(index) as opened:
        runs = {
            "BM25": Searcher(opened).search(topics),
            "BM25 + RM3": FeedbackSearcher(Searcher(opened), opened, RM3()).search(topics),
        }
    for label, variant in (("published", systems.PUBLISHED), ("ours", systems.OURS)):
        with variant.open(index) as finder:
            for count in (1, 5, 10):
                kernels = finder.from_hits(topics, count)
                runs[f"{label}, {count} hit{'s' * (count > 1)}"] = finder.run(kernels, 1000)
    rows = [[label, *systems.scores(evaluate(qrels, run, MEASURES))] for label, run in runs.items()]
    return {"queries_topics": str(len(names)), "queries": table(["", "MAP", "P@10"], rows)}


def protocol(groups: Mapping[str, Groups], test: Mapping[str, Kernels]) -> str:
    """Count topics, kernels and relevant records."""
    rows = []
    for name, kernels in test.items():
        used = {topic.partition("/")[0] for topic in kernels.kernel}
        sizes = [len(relevant) for relevant in kernels.qrels.values()]
        counts = (len(groups[name]), len(used), len(kernels.kernel))
        rows.append([name, *map(str, counts), f"{median(sizes):.0f}"])
    counted = ("topics", "in the test half", "kernels", "relevant records, median")
    return table(["", *counted], rows)


def sizes(index: Path, kernels: Kernels, measured: Mapping[str, Mapping[str, Found | Run]]) -> str:
    """Count the themes that collapse or explode."""
    rows = []
    for name, by in measured.items():
        for label, result in by.items():
            if isinstance(result, Found):
                rows.append(_size_row(f"{name}: {label}", result))
    for label, selection in (
        ("all terms kept", Selection(1, 1.0)),
        ("terms of one record kept", Selection(1, 0.1)),
    ):
        with Variant(ThemeSettings(), Terms(selection=selection)).open(index) as finder:
            rows.append(_size_row(f"{SETS[0]}: published, {label}", find(finder, kernels)))
    header = ["", "alone", "over 10 %", "records on theme, median", "largest", "iterations, mean"]
    return table(header, rows)


def _size_row(label: str, found: Found) -> list[str]:
    values = (median(found.sizes), max(found.sizes), mean(found.iterations))
    shares = (f"{100 * share:.0f} %" for share in (found.alone, found.exploded))
    return [label, *shares, *(f"{value:.0f}" for value in values)]


TEST: Final = (3, 8, 5)  # kernels a group, by set


def run(request: Request) -> Page:
    """Show ten themes, and measure kernels of the test half."""
    indexes = {n: collection_index(request, n) for n in ("cystic-fibrosis", "abstracts")}
    groups_of_sets = (systems.cystic_fibrosis_groups(), *systems.labelled_groups())
    groups = dict(zip(SETS, groups_of_sets, strict=True))
    steps = Steps(request)
    plots: dict[str, bytes] = {}
    test = _kernels(groups)
    shown = examples(indexes["cystic-fibrosis"])
    measured = _measure(indexes, test, steps)
    text = prose(
        __name__,
        command=request.command("shatkay-wilbur-2000"),
        examples=shown,
        judged=f"{len(test[SETS[2]].judged):,}",
        protocol=protocol(groups, test),
        **quality(test, measured, plots),
        sizes=sizes(indexes["cystic-fibrosis"], test[SETS[0]], measured),
        **several(indexes["cystic-fibrosis"], groups[SETS[0]], steps),
        **queries(indexes["cystic-fibrosis"], groups[SETS[0]]),
    )
    return Page(text, plots)


def _kernels(groups: Mapping[str, Groups]) -> dict[str, Kernels]:
    """Draw kernels of the test half of each set's groups."""
    return {
        name: draw(
            "cystic-fibrosis" if name == SETS[0] else "abstracts",
            groups[name],
            halves(groups[name])[1],
            count,
            condensed=name == SETS[2],
        )
        for name, count in zip(SETS, TEST, strict=True)
    }


def _measure(
    indexes: Mapping[str, Path], test: Mapping[str, Kernels], steps: Steps
) -> dict[str, dict[str, Found | Run]]:
    """Run all systems on the kernels of each set."""
    results: dict[str, dict[str, Found | Run]] = {}
    for name, kernels in test.items():
        with Index(indexes[kernels.collection]) as index:
            open_postings(index)
            results[name] = dict(peers(index, kernels))
        steps()
        for label, variant in (
            ("themes, published", systems.PUBLISHED),
            ("themes, published + MeSH", Variant(ThemeSettings(), systems.OURS.terms)),
            ("themes, ours", systems.OURS),
        ):
            with variant.open(indexes[kernels.collection]) as finder:
                results[name][label] = find(finder, kernels)
            steps()
    return results
