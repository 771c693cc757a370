"""Sections of the page of `tudor_2012`: other corpora, cross-validation, ablation."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from relsent_ir.experiments import relations_protocol as protocol
from relsent_ir.experiments.relations_protocol import (
    ALL,
    FULL,
    PAPER,
    PAPER_PLAIN,
    PLAIN,
    SYSTEMS,
    Set,
)
from relsent_ir.experiments.tables import table
from relsent_ir.relations import Candidate, RankingScores, Settings, evaluate
from relsent_ir.relations import features as paper_features
from relsent_ir.relations import lexical as lexical_features
from relsent_ir.relations.ranker import COSTS

MEASURES: Final = ("pair accuracy", "grade of the first", "nDCG")
Ranked = Mapping[str, NDArray[np.float64]]
"""Scores by the system's name."""


def interactions(others: Mapping[str, tuple[list[Candidate], Ranked]]) -> str:
    """Tell the figures on corpora of which nothing was learned."""
    text = """## Untouched: interaction corpora

Pair accuracy in percent, on corpora of which nothing was learned or tuned: grade 1 if the proteins
interact. They compete inside a document, then with the other sentences on the same two names.
"""
    for title, regroup in (("Documents", list), ("Entities", protocol.by_entities)):
        counts: dict[str, str] = {}
        cells: dict[str, list[str]] = {name: [] for name in ALL}
        for corpus, (candidates, scores) in others.items():
            grouped = regroup(candidates)
            for name in ALL:
                found = evaluate(grouped, scores[name])
                cells[name].append(percent(100 * found.pair_accuracy))
                counts[corpus] = f"{corpus} ({found.pairs} pairs, {len(found.groups)} groups)"
        text += f"\n{table([title, *counts.values()], [[n, *row] for n, row in cells.items()])}"
    return f"{text}\n{_all_corpora(others)}"


def _all_corpora(others: Mapping[str, tuple[list[Candidate], Ranked]]) -> str:
    """Test what the simplifier adds, over the documents of all corpora."""
    text = "What the simplifier adds, over the documents of the four corpora:\n"
    candidates = [candidate for known, _ in others.values() for candidate in known]
    for a, b in ((PAPER, PAPER_PLAIN), (FULL, PLAIN)):
        first, second = (
            evaluate(candidates, np.concatenate([scores[name] for _, scores in others.values()]))
            for name in (a, b)
        )
        gain = 100 * (first.pair_accuracy - second.pair_accuracy)
        p = protocol.significance(first, second)
        text += f"\n- {a}: {gain:+.2f} over all pairs (randomisation test, p = {p[0]:.2g})"
    return f"{text}\n"


def validation(known: Set, step: Callable[[], None]) -> str:
    """Tell the figures of cross-validation."""
    found = {name: evaluate(known.candidates, of) for name, of in known.baselines.items()}
    for name, settings in SYSTEMS.items():
        found[name] = evaluate(known.candidates, protocol.cross_validate(known, settings))
        step()
    rows = [[name, *cells(found[name])] for name in ALL]
    p = protocol.significance(found[FULL], found[PLAIN])
    return f"""## Cross-validation on the training part

{protocol.FOLDS} folds by article. The features of the package's model are those that are best here
(what the simplifier adds to the lexical features: p = {p[0]:.2g} by the randomisation test).

{table(["", *MEASURES], rows)}"""


def ablation(known: Set, test: Set, step: Callable[[], None]) -> str:
    """Leave out the paper's groups of features, one by one."""
    rows = []
    for settings in _without("paper", paper_features.GROUPS):
        folds = evaluate(known.candidates, protocol.cross_validate(known, settings))
        weights = protocol.fit(known, settings)
        held = evaluate(test.candidates, protocol.apply(weights, test.rows(settings)))
        rows.append([_named(settings), *cells(folds), *cells(held)])
        step()
    header = ["", *(f"{part}: {m}" for part in ("folds", "devel") for m in MEASURES)]
    return f"""## Ablation: {PAPER}

Without one group of features: cross-validation on the training part, and the devel part.

{table(header, rows)}"""


def lexical_ablation(known: Set, step: Callable[[], None]) -> str:
    """Leave out our groups of features, one by one."""
    rows = []
    for settings in _without("lexical", lexical_features.GROUPS):
        scores = protocol.cross_validate(known, settings)
        rows.append([_named(settings), *cells(evaluate(known.candidates, scores))])
        step()
    return f"""## Ablation: {FULL}

Without one group of our features: cross-validation on the training part.

{table(["", *MEASURES], rows)}"""


def _without(kind: str, groups: Sequence[str]) -> list[Settings]:
    return [Settings(kind), *(Settings(kind, without=(group,)) for group in groups)]


def _named(settings: Settings) -> str:
    return f"− {settings.without[0]}" if settings.without else "all"


def costs(known: Set, step: Callable[[], None]) -> str:
    """Try other values of the SVM's C."""
    rows = []
    for name in (PAPER, FULL):
        settings = SYSTEMS[name]
        for factor in (1 / 3, 1, 3):
            cost = COSTS[settings.kind] * factor
            scores = evaluate(known.candidates, protocol.cross_validate(known, settings, cost))
            rows.append([f"{name}, C = {cost:.2g}", *cells(scores)])
            step()
    return f"""## The SVM's C

Cross-validation on the training part.

{table(["", *MEASURES], rows)}"""


def cells(scores: RankingScores) -> list[str]:
    """Write the three measures of a ranking."""
    values = (100 * scores.pair_accuracy, scores.mean("top_grade"), 100 * scores.mean("ndcg"))
    return [f"{value:.{places}f}" for value, places in zip(values, (2, 3, 2), strict=True)]


def percent(value: float | None) -> str:
    """Write a percentage; a dash for None."""
    return "–" if value is None else f"{value:.2f}"
