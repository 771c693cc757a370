"""Any two entities: each corpus ranked by what the others taught; and what a probability means."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from relsent_ir.datasets.catalogue import data_path
from relsent_ir.relations import FeatureSettings, evaluate, foremost, shortest
from relsent_ir.relations.candidates import Candidate
from relsent_ir.relations.corpora import PLACES, SHARES, read_named
from relsent_ir.relations.describing import PAPER_GROUPS as PAPER_GROUPS
from relsent_ir.relations.describing import Features
from relsent_ir.relations.learning import COSTS, Graded, GradedCorpus, calibrate, combine, stating
from relsent_ir.text.parsing import Parser
from relsent_ir.typing import Floats
from reproduce.page import Steps, brier, compared, table
from reproduce.tudor_2012.protocol import PPI, apply, read_pairs

NAMES: Final = {"ge": "GE", "ddi": "DDI", "ppr": "PPR", **{name: name for name in PPI}}
OURS, JOINED = "ours", "joined"
PAPER, BAG = "paper's features, joined", "bag of words, joined"
SYSTEMS: Final = ("shortest", "foremost", "distance", BAG, PAPER, JOINED, OURS)
RESAMPLES: Final = 2000
BINS: Final = (0.0, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0)


def read_corpora() -> dict[str, list[Candidate]]:
    """Read the training parts of all corpora, by name."""
    ppi, ppr = data_path("relations", "ppi"), data_path("relations", "ppr", "train.jsonl.gz")
    found = {name: list(read_named(name, data_path(*PLACES[name]))) for name in PLACES}
    for name in PPI:
        masked, named = ppi / f"{name}-train.csv", ppi / f"wop_{name}-train.csv"
        found[name] = list(read_pairs(masked, named))
    found["ppr"] = list(read_named("ppr", ppr))
    return found


def corpora(parser: Parser, step: Steps) -> dict[str, GradedCorpus]:
    """Learn from each corpus alone."""
    found = {}
    for name, candidates in read_corpora().items():
        graded = Graded.of(candidates, parser, FeatureSettings())
        found[name] = GradedCorpus.learn(graded, COSTS["lexical"])
        step()
    return found


def packaged(known: Mapping[str, GradedCorpus], test: Graded, bare: Graded) -> str:
    """Measure on the devel part what the package's ranker is made of.

    Parameters
    ----------
    known : mapping of str to GradedCorpus
    test, bare : Graded
        The devel part, with the probabilities that its relations are asserted, and without.
    """
    events, drugs = known["ge"], known["ddi"]
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
        places = [i for i, one in enumerate(graded.candidates) if one.grade]
        some = [graded.candidates[i] for i in places]
        asserted = evaluate(some, scores[places]).pair_accuracy
        figures = (all_pairs.pair_accuracy, all_pairs.mean("accuracy"), asserted)
        rows.append([name, *(f"{100 * x:.2f}" for x in figures)])
    return table(["learned from", "all pairs", "mean of documents", "grade 2 over 1"], rows)


def left_out(known: Mapping[str, GradedCorpus], parser: Parser, step: Steps) -> dict[str, str]:
    """Rank each corpus by what the others taught: the tables and marks of the page."""
    measured: dict[str, dict[str, list[float]]] = {name: {} for name in SYSTEMS}
    for name, corpus in known.items():
        rest = [one for other, one in known.items() if other != name]
        for system, scores in _scores(corpus.graded, rest, parser):
            groups = evaluate(corpus.graded.candidates, scores).groups
            measured[system][name] = [group.accuracy for group in groups.values()]
        step()
    means = {
        system: float(np.mean([np.mean(of[name]) for name in known]))
        for system, of in measured.items()
    }
    draws = _draws(measured[OURS])
    rows, differences = [], []
    for system in SYSTEMS:
        of = measured[system]
        low, high = np.percentile(_resampled(of, draws), [2.5, 97.5])
        cells = [f"{100 * np.mean(of[name]):.1f}" for name in known]
        interval = f"{100 * low:.1f} to {100 * high:.1f}"
        rows.append([system, *cells, f"{100 * means[system]:.2f}", interval])
        if system != OURS:
            gains = _resampled(measured[OURS], draws) - _resampled(of, draws)
            low, high = 100 * np.percentile(gains, [2.5, 97.5])
            p = min(1.0, 2 * (1 + float((gains <= 0).sum())) / (1 + RESAMPLES))
            gain = 100 * (means[OURS] - means[system])
            differences.append([system, f"{gain:+.2f}", f"{low:+.2f} to {high:+.2f}", f"{p:.2g}"])
            if system == JOINED:
                verdict = compared(means[OURS], means[system], p)
    titles = [NAMES[name] for name in known]
    return {
        "left_out": table(["", *titles, "mean", "95 %"], rows),
        "left_out_gains": table(["ours over", "", "95 %", "p"], differences),
        "left_out_verdict": verdict,
        "documents_of": ", ".join(
            f"{NAMES[name]} {len(of)}" for name, of in measured[OURS].items()
        ),
    }


def _scores(
    graded: Graded, rest: Sequence[GradedCorpus], parser: Parser
) -> Iterator[tuple[str, Floats]]:
    """Score a corpus by each system, the learned ones from the others."""
    candidates = graded.candidates
    yield "shortest", shortest(candidates)
    yield "foremost", foremost(candidates, parser)
    yield "distance", -np.array([row.get("length:between", 100.0) for row in graded.rows])
    for system, kept, cost in (
        (BAG, _is_bag, COSTS["lexical"]),
        (PAPER, lambda name: name.partition(":")[0] in PAPER_GROUPS, COSTS["paper"]),
        (JOINED, bool, COSTS["lexical"]),
    ):
        yield system, apply(joined(rest, cost, kept), graded.rows)
    yield OURS, combine(rest).raw(graded)


def joined(
    corpora: Sequence[GradedCorpus], cost: float, kept: Callable[[str], bool] = bool
) -> Mapping[str, float]:
    """Learn weights by one SVM on the preferences of several corpora, from some features."""
    rows = [_kept(row, kept) for one in corpora for row in one.graded.rows]
    candidates = [
        Candidate(f"{place} {c.group}", c.id, c.text, c.e1, c.e2, c.grade)
        for place, one in enumerate(corpora)
        for c in one.graded.candidates
    ]
    return GradedCorpus.learn(Graded(candidates, rows, np.ones(len(rows))), cost).weights


def _kept(row: Features, kept: Callable[[str], bool]) -> Features:
    return {name: value for name, value in row.items() if kept(name)}


def _is_bag(name: str) -> bool:
    group, _, word = name.partition(":")
    return group in ("between", "beside") and len(word.split()) == 1 + (group == "beside")


def _draws(of: Mapping[str, Sequence[float]]) -> dict[str, NDArray[np.intp]]:
    """Draw documents of each corpus with replacement, the same for all systems."""
    draw = np.random.default_rng(0)
    return {name: draw.integers(0, len(v), (RESAMPLES, len(v))) for name, v in of.items()}


def _resampled(of: Mapping[str, Sequence[float]], draws: Mapping[str, NDArray[np.intp]]) -> Floats:
    """Return the mean over corpora of each resample's means over documents."""
    means = [np.asarray(of[name])[draws[name]].mean(axis=1) for name in of]
    return np.asarray(np.mean(means, axis=0))


def probabilities(known: Mapping[str, GradedCorpus], step: Steps) -> dict[str, str]:
    """Measure the probabilities of each corpus, calibrated on the others."""
    rows, told, true = [], [], []
    for name, corpus in known.items():
        rest = [one for other, one in known.items() if other != name]
        learned = combine(rest)
        slope, intercept = calibrate(rest, COSTS["lexical"])
        scores = learned.raw(corpus.graded) / learned.spread
        found = 1 / (1 + np.exp(-(slope * scores + intercept)))
        stated = stating(corpus.graded)
        base = float(stated.mean())
        figures = (f"{brier(found, stated):.3f}", f"{base * (1 - base):.3f}")
        rows.append([NAMES[name], f"{base:.2f}", *figures])
        told.append(found)
        true.append(stated)
        step()
    weights = np.concatenate([np.full(len(x), 1 / len(x)) for x in told])
    pooled, stated = np.concatenate(told), np.concatenate(true)
    bins = []
    for low, high in pairwise(BINS):
        inside = (pooled >= low) & ((pooled < high) | (high == 1))
        if inside.any():
            shares = weights[inside] / weights[inside].sum()
            mean, share = shares @ pooled[inside], shares @ stated[inside]
            cells = [str(int(inside.sum())), f"{mean:.2f}", f"{share:.2f}"]
            bins.append([f"{low:.1f} to {high:.1f}", *cells])
    return {
        "brier": table(["left out", "stated", "Brier", "Brier of the share"], rows),
        "reliability": table(["P", "candidates", "mean P", "stated"], bins),
    }
