"""Runs against a baseline: how much, on how many topics, and by chance or not."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from relsent_ir.errors import MismatchError, UsageError
from relsent_ir.trec.evaluation import Evaluation
from relsent_ir.trec.measures import parse_measures
from relsent_ir.trec.significance import (
    differences,
    holm,
    paired_t,
    randomisation,
    sign,
    wilcoxon,
)

TESTS = ("t", "sign", "wilcoxon", "randomisation")
"""Names of the tests."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """One run against the baseline by one measure.

    Attributes
    ----------
    run : int
        Which run, from 0.
    measure : str
        Its name.
    baseline, mean, difference : float
        Means over the topics, and the run's less the baseline's.
    wins, losses, ties : int
        Topics where the run's value is above, under and at the baseline's.
    p, holm : dict of str to float
        By test: p, and p corrected over all comparisons made with that test.
    """

    run: int
    measure: str
    baseline: float
    mean: float
    difference: float
    wins: int
    losses: int
    ties: int
    p: dict[str, float]
    holm: dict[str, float] = field(default_factory=dict)


def compare(
    baseline: Evaluation,
    runs: Sequence[Evaluation],
    measures: Iterable[str],
    tests: Iterable[str] = ("t",),
    *,
    permutations: int = 100_000,
    seed: int = 0,
) -> list[Comparison]:
    """Compare runs with a baseline over the topics that all of them were measured on.

    Parameters
    ----------
    baseline : Evaluation
        The run that the others are compared with.
    runs : sequence of Evaluation
        The others.
    measures : iterable of str
        Measures that have a value for each topic; all evaluations hold them.
    tests : iterable of str
        Out of `TESTS`.
    permutations, seed : int
        For the randomisation test.

    Returns
    -------
    list of Comparison
        Run by run, in each measure by measure.
    """
    wanted = parse_measures(measures)
    names = [measure.name for measure in wanted]
    tests = list(dict.fromkeys(tests))
    if without := next((m.name for m in wanted if not m.has_topics), None):
        raise UsageError(f"{without} has no value for a single topic", fix="take another measure")
    for test in tests:
        if test not in TESTS:
            raise UsageError(f"no test {test}", fix="one of " + ", ".join(TESTS))
    topics = [t for t in baseline.topics if all(t in run.topics for run in runs)]
    if not topics:
        raise MismatchError("the runs have no judged topic in common")
    found = []
    for i, run in enumerate(runs):
        for name in names:
            a = [run.topics[topic][name] for topic in topics]
            b = [baseline.topics[topic][name] for topic in topics]
            d = differences(a, b)
            p = {test: _p(test, a, b, permutations, seed) for test in tests}
            found.append(
                Comparison(
                    run=i,
                    measure=name,
                    baseline=float(np.mean(b)),
                    mean=float(np.mean(a)),
                    difference=float(np.mean(a) - np.mean(b)),
                    wins=int((d > 0).sum()),
                    losses=int((d < 0).sum()),
                    ties=int((d == 0).sum()),
                    p=p,
                )
            )
    for test in tests:
        for one, corrected in zip(found, holm([one.p[test] for one in found]), strict=True):
            one.holm[test] = corrected
    return found


def _p(test: str, a: list[float], b: list[float], permutations: int, seed: int) -> float:
    if test == "randomisation":
        return randomisation(a, b, permutations=permutations, seed=seed)
    return {"t": paired_t, "sign": sign, "wilcoxon": wilcoxon}[test](a, b)
