"""Any two entities: each corpus ranked by weights learned from the others; calibration."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from recipes.data import data_path
from recipes.relations.corpora import PLACES, SHARES, read_named
from recipes.relations.learning import COSTS, GradedCorpus, calibrate, combine, stating
from relsent_ir.relations import FeatureSettings
from relsent_ir.relations.candidates import Candidate
from relsent_ir.relations.describing import PAPER_GROUPS as PAPER_GROUPS
from relsent_ir.relations.describing import describe
from relsent_ir.relations.ranker import GradedCandidates
from relsent_ir.text.parsing import Parser
from relsent_ir.typing import Floats
from reproduce.page import Steps, brier, compared, table
from reproduce.tudor_2012.measures import evaluate, foremost, shortest
from reproduce.tudor_2012.protocol import PPI, RESAMPLES, apply, bootstrap_p, interactions, learn

NAMES: Final = {"ge": "GE", "ddi": "DDI", "ppr": "PPR", **{name: name for name in PPI}}
OURS, JOINED = "ours", "joined"
PAPER, BAG = "paper's features, joined", "bag of words, joined"
SYSTEMS: Final = ("shortest", "foremost", "distance", BAG, PAPER, JOINED, OURS)


def read_corpora() -> dict[str, list[Candidate]]:
    """Read the training parts of all corpora, by name."""
    candidates = {name: list(read_named(name, data_path(*PLACES[name]))) for name in PLACES}
    candidates |= {name: interactions(name, ["train"]) for name in PPI}
    ppr = data_path("relations", "ppr", "train.jsonl.gz")
    return candidates | {"ppr": list(read_named("ppr", ppr))}


def corpora(parser: Parser, step: Steps) -> dict[str, GradedCorpus]:
    """Learn from each corpus alone."""
    learned = {}
    for name, candidates in read_corpora().items():
        graded = GradedCandidates.of(candidates, describe(candidates, parser, FeatureSettings()))
        learned[name] = GradedCorpus.learn(graded, COSTS["lexical"])
        step()
    return learned


def packaged(
    trained: Mapping[str, GradedCorpus], test: GradedCandidates, bare: GradedCandidates
) -> str:
    """Measure the components of the packaged ranker on the devel part.

    Parameters
    ----------
    trained : mapping of str to GradedCorpus
    test, bare : GradedCandidates
        The devel part, with the probabilities that its relations are asserted, and without.
    """
    events, drugs = trained["ge"], trained["ddi"]
    mixed = combine([events, drugs], [SHARES["ge"], SHARES["ddi"]])
    rows = []
    for name, learned, graded in (
        ("events", combine([events]), bare),
        ("events, asserted or not", combine([events]), test),
        ("events and drugs", mixed, bare),
        ("events and drugs, asserted or not: the default", mixed, test),
    ):
        scores = learned.scores(graded)
        all_pairs = evaluate(graded.candidates, scores)
        places = [i for i, candidate in enumerate(graded.candidates) if candidate.grade]
        some = [graded.candidates[i] for i in places]
        asserted = evaluate(some, scores[places]).pair_accuracy
        figures = (all_pairs.pair_accuracy, all_pairs.mean("accuracy"), asserted)
        rows.append([name, *(f"{100 * x:.2f}" for x in figures)])
    return table(["learned from", "all pairs", "mean of documents", "grade 2 over 1"], rows)


def left_out(trained: Mapping[str, GradedCorpus], parser: Parser, step: Steps) -> dict[str, str]:
    """Rank each corpus by weights learned from the others; return the marks of the page."""
    measured: dict[str, dict[str, list[float]]] = {name: {} for name in SYSTEMS}
    for name, corpus in trained.items():
        rest = [other for other in trained.values() if other is not corpus]
        for system, scores in _scores(corpus.graded, rest, parser):
            groups = evaluate(corpus.graded.candidates, scores).groups
            measured[system][name] = [group.accuracy for group in groups.values()]
        step()
    means = {
        system: float(np.mean([np.mean(of[name]) for name in trained]))
        for system, of in measured.items()
    }
    draws = _draws(measured[OURS])
    rows = []
    for system in SYSTEMS:
        of = measured[system]
        low, high = np.percentile(_resampled(of, draws), [2.5, 97.5])
        cells = [f"{100 * np.mean(of[name]):.1f}" for name in trained]
        interval = f"{100 * low:.1f} to {100 * high:.1f}"
        rows.append([system, *cells, f"{100 * means[system]:.2f}", interval])
        if system == JOINED:
            gains = _resampled(measured[OURS], draws) - _resampled(of, draws)
            verdict = compared(means[OURS], means[system], bootstrap_p(gains))
    titles = [NAMES[name] for name in trained]
    return {
        "left_out": table(["", *titles, "mean", "95 %"], rows),
        "left_out_verdict": verdict,
        "documents_of": ", ".join(
            f"{NAMES[name]} {len(of)}" for name, of in measured[OURS].items()
        ),
    }


def _scores(
    graded: GradedCandidates, rest: Sequence[GradedCorpus], parser: Parser
) -> Iterator[tuple[str, Floats]]:
    """Score a corpus by each system; the others train the learned ones."""
    candidates = graded.candidates
    yield "shortest", shortest(candidates)
    yield "foremost", foremost(candidates, parser)
    yield "distance", -np.array([row.get("length:between", 100.0) for row in graded.rows])
    for system, chosen, cost in (
        (BAG, _is_bag, COSTS["lexical"]),
        (PAPER, lambda name: name.partition(":")[0] in PAPER_GROUPS, COSTS["paper"]),
        (JOINED, bool, COSTS["lexical"]),
    ):
        yield system, apply(joined(rest, cost, chosen), graded.rows)
    yield OURS, combine(rest).raw(graded)


def joined(
    corpora: Sequence[GradedCorpus], cost: float, chosen: Callable[[str], bool]
) -> Mapping[str, float]:
    """Learn weights of chosen features by one SVM on the preferences of several corpora."""
    rows = [
        {name: value for name, value in row.items() if chosen(name)}
        for corpus in corpora
        for row in corpus.graded.rows
    ]
    candidates = [
        replace(candidate, group=f"{place} {candidate.group}")
        for place, corpus in enumerate(corpora)
        for candidate in corpus.graded.candidates
    ]
    return learn(candidates, rows, cost)


def _is_bag(name: str) -> bool:
    group, _, word = name.partition(":")
    return group in ("between", "beside") and len(word.split()) == 1 + (group == "beside")


def _draws(of: Mapping[str, Sequence[float]]) -> dict[str, NDArray[np.intp]]:
    """Draw documents of each corpus with replacement, the same for all systems."""
    draw = np.random.default_rng(0)
    return {name: draw.integers(0, len(v), (RESAMPLES, len(v))) for name, v in of.items()}


def _resampled(of: Mapping[str, Sequence[float]], draws: Mapping[str, NDArray[np.intp]]) -> Floats:
    """Return each resample's mean over corpora of the means over documents."""
    means = [np.asarray(of[name])[draws[name]].mean(axis=1) for name in of]
    return np.asarray(np.mean(means, axis=0))


def probabilities(trained: Mapping[str, GradedCorpus], step: Steps) -> dict[str, str]:
    """Measure the probabilities of each corpus, calibrated on the others."""
    rows = []
    for name, corpus in trained.items():
        rest = [other for other in trained.values() if other is not corpus]
        learned = combine(rest)
        slope, intercept = calibrate(rest, COSTS["lexical"])
        scores = learned.raw(corpus.graded) / learned.spread
        p = 1 / (1 + np.exp(-(slope * scores + intercept)))
        stated = stating(corpus.graded)
        base = float(stated.mean())
        figures = (f"{brier(p, stated):.3f}", f"{base * (1 - base):.3f}")
        rows.append([NAMES[name], f"{base:.2f}", *figures])
        step()
    return {"brier": table(["left out", "stated", "Brier", "Brier of the share"], rows)}
