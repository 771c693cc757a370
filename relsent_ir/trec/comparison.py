"""Runs against a baseline, or each other: how much, on how many topics, and by chance or not."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from relsent_ir.errors import MismatchError, UsageError
from relsent_ir.trec.evaluation import Evaluation
from relsent_ir.trec.measures import parse_measures
from relsent_ir.trec.significance import (
    differences,
    holm,
    interval,
    paired_t,
    randomisation,
    sign,
    wilcoxon,
)

TESTS = ("t", "sign", "wilcoxon", "randomisation")
"""Names of the tests."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """The comparison of a run with the baseline, or with another run, by one measure.

    Attributes
    ----------
    run : int
        The number of the run, from 0.
    other : int
        The run that it is compared with: -1 for the baseline, else its number.
    measure : str
        Its name.
    baseline, mean, difference : float
        Means over the topics, the baseline's being the other run's if it is one, and the run's
        less that.
    low, high : float or None
        The 95 % interval of the difference; None of one topic.
    wins, losses, ties : int
        Topics where the run's value is above, under and at the baseline's.
    p, holm : dict of str to float
        By test: p, and p corrected over all comparisons made with that test.
    """

    run: int
    other: int
    measure: str
    baseline: float
    mean: float
    difference: float
    low: float | None
    high: float | None
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
    pairs: bool = False,
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
    pairs : bool
        Compare each run with all before it too, the baseline being the first.
    permutations, seed : int
        For the randomisation test.

    Returns
    -------
    list of Comparison
        Run by run, in each measure by measure.
    """
    parsed = parse_measures(measures)
    names = [measure.name for measure in parsed]
    tests = list(dict.fromkeys(tests))
    if without := next((m.name for m in parsed if not m.has_topics), None):
        raise UsageError(f"{without} has no value for a single topic", fix="take another measure")
    for test in tests:
        if test not in TESTS:
            raise UsageError(f"no test {test}", fix="one of " + ", ".join(TESTS))
    topics = [t for t in baseline.topics if all(t in run.topics for run in runs)]
    if not topics:
        raise MismatchError("the runs have no judged topic in common")
    drawn = partial(randomisation, permutations=permutations, seed=seed)
    by_name: dict[str, Callable[[list[float], list[float]], float]] = dict(
        zip(TESTS, (paired_t, sign, wilcoxon, drawn), strict=True)
    )
    several = [baseline, *runs]
    comparisons = []
    compared = [(i, j) for i in range(1, len(several)) for j in range(i if pairs else 1)]
    for i, j in compared:
        for name in names:
            a = [several[i].topics[topic][name] for topic in topics]
            b = [several[j].topics[topic][name] for topic in topics]
            d = differences(a, b)
            low, high = interval(a, b) if len(topics) > 1 else (None, None)
            comparisons.append(
                Comparison(
                    run=i - 1,
                    other=j - 1,
                    measure=name,
                    baseline=float(np.mean(b)),
                    mean=float(np.mean(a)),
                    difference=float(np.mean(a) - np.mean(b)),
                    low=low,
                    high=high,
                    wins=int((d > 0).sum()),
                    losses=int((d < 0).sum()),
                    ties=int((d == 0).sum()),
                    p={test: by_name[test](a, b) for test in tests},
                )
            )
    for test in tests:
        corrected = holm([comparison.p[test] for comparison in comparisons])
        for comparison, p in zip(comparisons, corrected, strict=True):
            comparison.holm[test] = p
    return comparisons
