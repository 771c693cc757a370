"""A test collection without judges: records as topics, and the records that share most with each.

Tbahriti et al. 2004, section 3.1: sets of 25 queries, each with the ten records that share the most
references with it; one set tunes, the others validate.
"""

from dataclasses import asdict, dataclass
from typing import Any, Final

import numpy as np

from relsent_ir.citation.graph import VARIANTS, CitationGraph
from relsent_ir.errors import MismatchError, UsageError
from relsent_ir.trec.qrels import Qrels
from relsent_ir.typing import NDArray

HIGHEST_GRADE: Final = 127
"""The highest grade of qrels; larger numbers of shared references are cut to it."""
SHARED_WORDS: Final = {"coupling": "references", "co-citation": "citing works", "links": "links"}


@dataclass(frozen=True)
class Plan:
    """The plan of a benchmark.

    Attributes
    ----------
    queries, sets : int
        Numbers of topics in a set, and of sets; no topic is in two sets.
    relevant : int
        The most targets of a topic.
    least : int or None
        The fewest targets of a topic; `relevant` if None.
    min_shared : int
        The least that a target and the topic must share.
    variant : str
        One of `VARIANTS`.
    seed : int
        Of drawing the topics, which does not depend on the order of the records.
    """

    queries: int = 25
    sets: int = 4
    relevant: int = 10
    least: int | None = None
    min_shared: int = 2
    variant: str = "coupling"
    seed: int = 0

    def __post_init__(self) -> None:
        if self.variant not in VARIANTS:
            raise UsageError(f"no variant {self.variant!r}", fix="one of " + ", ".join(VARIANTS))
        if min(self.queries, self.sets, self.relevant, self.min_shared, self.needed) < 1:
            raise UsageError("queries, sets, relevant and shared must be at least 1")
        if self.needed > self.relevant:
            raise UsageError(
                f"topics with at least {self.needed} targets, of which {self.relevant} are taken",
                fix="ask for at most as many as are taken",
            )

    @property
    def needed(self) -> int:
        """The fewest targets of a topic."""
        return self.relevant if self.least is None else self.least


@dataclass(frozen=True)
class Benchmark:
    """Topics in sets, with their graded targets.

    Attributes
    ----------
    sets : list of Qrels
        For each set the grades of targets by topic, the amounts that they share with it. Topics in
        the order of the draw, targets by descending grade, ties by id.
    summary : dict of str to JSON value
        The plan, the census of the references, and statistics.
    """

    sets: list[Qrels]
    summary: dict[str, Any]


def build_benchmark(
    graph: CitationGraph, plan: Plan, eligible: NDArray[np.bool_] | None = None
) -> Benchmark:
    """Draw topics, and find their targets.

    Parameters
    ----------
    graph : CitationGraph
    plan : Plan
    eligible : ndarray of bool, shape (n,), optional
        Records that may be topics; all if None. Any record may be a target.

    Raises
    ------
    MismatchError
        If no record has references, or too few have enough targets.
    """
    counted = count_partners(graph, plan.variant, plan.min_shared)
    if not counted.most.any():
        raise MismatchError(_nothing(graph, plan), fix="index records that have reference lists")
    usable = counted.partners >= plan.needed
    if eligible is not None:
        usable &= eligible
    candidates = np.array(sorted(np.flatnonzero(usable), key=lambda row: graph.ids[row].encode()))
    count = plan.queries * plan.sets
    if len(candidates) < count:
        words = SHARED_WORDS[plan.variant]
        raise MismatchError(
            f"{len(candidates)} records can be topics with {plan.needed} others that share "
            f"{plan.min_shared} {words} or more, not {plan.sets} x {plan.queries}",
            fix="ask for fewer",
        )
    drawn = np.random.default_rng(plan.seed).permutation(candidates)[:count]
    targets = find_targets(graph, drawn, plan)
    names = [graph.ids[row] for row in drawn]
    sets = [
        {name: targets[name] for name in names[start : start + plan.queries]}
        for start in range(0, count, plan.queries)
    ]
    summary = {
        "plan": asdict(plan) | {"least": plan.needed},
        "census": asdict(graph.census),
        "candidates": len(candidates),
        "topics": count,
        **_statistics(graph, counted, drawn, targets),
    }
    return Benchmark(sets, summary)


@dataclass(frozen=True)
class Partners:
    """The overlap of each record with the others.

    Attributes
    ----------
    partners : ndarray of int, shape (n,)
        Other records that share at least the required amount.
    most : ndarray of int, shape (n,)
        The amount shared with the record that shares most.
    pairs : int
        Pairs of records that share anything.
    shared : int
        The sum of the amounts that these pairs share.
    """

    partners: NDArray[np.int64]
    most: NDArray[np.int64]
    pairs: int
    shared: int


def count_partners(graph: CitationGraph, variant: str, min_shared: int) -> Partners:
    """Count for every record the others that share at least `min_shared` with it."""
    n = len(graph)
    partners, most = np.zeros(n, np.int64), np.zeros(n, np.int64)
    pairs = shared = 0
    for block, product in graph.shared(variant):
        places = np.repeat(np.arange(len(block)), np.diff(product.indptr))
        enough = product.data >= min_shared
        partners[block] = np.bincount(places[enough], minlength=len(block))
        most[block] = product.max(axis=1).toarray().ravel() if product.nnz else 0
        pairs += product.nnz
        shared += int(product.data.sum())
    return Partners(partners, most, pairs // 2, shared // 2)


def find_targets(graph: CitationGraph, rows: NDArray[np.integer], plan: Plan) -> Qrels:
    """Find the records that share most with each topic; ties are broken by id, ascending."""
    targets: Qrels = {}
    for block, product in graph.shared(plan.variant, rows):
        for place, row in enumerate(block):
            span = slice(product.indptr[place], product.indptr[place + 1])
            graded = [
                (graph.ids[other], count)
                for other, count in zip(
                    product.indices[span], product.data[span].tolist(), strict=True
                )
                if count >= plan.min_shared
            ]
            graded.sort(key=lambda item: (-item[1], item[0].encode()))
            targets[graph.ids[row]] = {
                name: min(count, HIGHEST_GRADE) for name, count in graded[: plan.relevant]
            }
    return targets


def _nothing(graph: CitationGraph, plan: Plan) -> str:
    if not graph.census.references and not graph.census.citations:
        return f"none of the {len(graph)} records has references"
    return f"no two of the {len(graph)} records share {SHARED_WORDS[plan.variant]}"


def _statistics(
    graph: CitationGraph, counted: Partners, drawn: NDArray[np.integer], targets: Qrels
) -> dict[str, Any]:
    """Return the paper's figures for the collection and for the topics."""
    references = np.diff(graph.references.indptr)
    grades = [np.array(list(of.values())) for of in targets.values()]
    return {
        "references_of_a_record": spread(references[references > 0]),
        "most_shared_of_a_record": spread(counted.most[counted.most > 0]),
        "pairs_that_share": counted.pairs,
        "shared_of_a_pair": counted.shared / counted.pairs if counted.pairs else 0.0,
        "references_of_a_topic": spread(references[drawn]),
        "partners_of_a_topic": spread(counted.partners[drawn]),
        "targets_of_a_topic": spread(np.array(list(map(len, grades)))),
        "shared_of_a_target": spread(np.concatenate(grades)),
    }


def spread(values: NDArray[np.integer]) -> dict[str, float]:
    """Return mean, standard deviation, and the mean's 95 % confidence interval (normal)."""
    if not len(values):
        return {"n": 0, "mean": 0.0, "sd": 0.0, "low": 0.0, "high": 0.0}
    mean = float(values.mean())
    sd = float(values.std(ddof=1)) if len(values) > 1 else 0.0
    half = 1.96 * sd / len(values) ** 0.5
    return {"n": len(values), "mean": mean, "sd": sd, "low": mean - half, "high": mean + half}
