"""A test collection without judges: records as topics, and the records that share most with each.

Tbahriti et al. 2004, section 3.1: sets of 25 queries, each with the ten records that share the most
references with it; one set tunes, the others validate. Direct links, co-citation (Small 1973) and
bibliographic coupling (Kessler 1963) are products of sparse matrices, block by block: no array has
the size of records times records.

References
----------
M. M. Kessler. Bibliographic coupling between scientific papers. American Documentation 14, 1963.
H. Small. Co-citation in the scientific literature. JASIS 24, 1973.
"""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any, Final

import numpy as np

from relsent_ir.citation.graph import CitationGraph
from relsent_ir.errors import MismatchError, UsageError
from relsent_ir.trec.qrels import Qrels
from relsent_ir.typing import NDArray, Sparse

VARIANTS: Final = ("coupling", "co-citation", "links")
"""Shared references, shared citing works, references from one record to the other."""
BUDGET: Final = 20_000_000
"""The most products of a block of rows: it bounds the memory, about 12 bytes for each."""
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


def shared(
    graph: CitationGraph,
    variant: str,
    rows: NDArray[np.integer] | None = None,
    budget: int = BUDGET,
) -> Iterator[tuple[NDArray[np.integer], Sparse]]:
    """Count what records share with all others, block by block.

    Parameters
    ----------
    graph : CitationGraph
    variant : str
        One of `VARIANTS`.
    rows : ndarray of int, optional
        The records to compare; all if None.
    budget : int
        The most products of a block.

    Yields
    ------
    ndarray of int, shape (b,)
        Records.
    scipy.sparse.csr_array of int32, shape (b, n)
        The amount that each shares with every record, 0 with itgraph.
    """
    rows = np.arange(len(graph)) if rows is None else np.asarray(rows)
    if variant == "links":
        links = graph.links()
        yield rows, links[rows]
        return
    from scipy.sparse import csr_array

    matrix = graph.references if variant == "coupling" else graph.citations
    degrees = np.bincount(matrix.indices, minlength=matrix.shape[1])
    # Most works belong to one record, and such a work is shared with none.
    several = csr_array(matrix[:, degrees > 1])
    turned = several.T.tocsr()
    costs = several @ degrees[degrees > 1].astype(np.int64)
    for block in _blocks(rows, costs[rows], budget):
        product = several[block] @ turned
        places = np.repeat(np.arange(len(block)), np.diff(product.indptr))
        product.data[product.indices == block[places]] = 0
        product.eliminate_zeros()
        yield block, product


def _blocks(
    rows: NDArray[np.integer], costs: NDArray[np.int64], budget: int
) -> Iterator[NDArray[np.integer]]:
    """Cut rows where a block's costs would exceed the budget; a block has at least one row."""
    start, spent = 0, 0
    for i, cost in enumerate(costs.tolist()):
        if i > start and spent + cost > budget:
            yield rows[start:i]
            start, spent = i, 0
        spent += cost
    if start < len(rows):
        yield rows[start:]


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
    pairs = total = 0
    for block, product in shared(graph, variant):
        places = np.repeat(np.arange(len(block)), np.diff(product.indptr))
        enough = product.data >= min_shared
        partners[block] = np.bincount(places[enough], minlength=len(block))
        most[block] = product.max(axis=1).toarray().ravel() if product.nnz else 0
        pairs += product.nnz
        total += int(product.data.sum())
    return Partners(partners, most, pairs // 2, total // 2)


def find_targets(graph: CitationGraph, rows: NDArray[np.integer], plan: Plan) -> Qrels:
    """Find the records that share most with each topic; ties are broken by id, ascending."""
    targets: Qrels = {}
    for block, product in shared(graph, plan.variant, rows):
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
