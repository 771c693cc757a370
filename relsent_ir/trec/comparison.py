"""Compare runs with a baseline or with each other: size, number of topics, and significance."""

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
"""The names of the tests."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """The comparison of a run with the baseline, or another run, in one measure.

    Attributes
    ----------
    run : int
        The index of the run, from 0.
    other : int
        The run with which it is compared: -1 for the baseline, else an index.
    measure : str
        The name of the measure.
    baseline, mean, difference : float
        The mean of the baseline (or the other run) over the topics, the mean of the run, and the
        run's mean minus the baseline's.
    low, high : float or None
        The 95 % interval of the difference; None if there is a single topic.
    wins, losses, ties : int
        Numbers of topics for which the run's value is higher, lower and equal.
    p, holm : dict of str to float
        By test: p, and p corrected for all comparisons with this test.
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
    """Compare runs with a baseline over the topics on which all of them were measured.

    Parameters
    ----------
    baseline : Evaluation
        The run with which the others are compared.
    runs : sequence of Evaluation
        The other runs.
    measures : iterable of str
        Measures with a value for each topic; all evaluations must contain them.
    tests : iterable of str
        A subset of `TESTS`.
    pairs : bool
        Also compare each run with all runs before it, of which the baseline is the first.
    permutations, seed : int
        Parameters of the randomisation test.

    Returns
    -------
    list of Comparison
        Ordered by run, then by measure.
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
