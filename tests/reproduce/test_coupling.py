"""Benchmarks drawn from reference lists."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from relsent_ir.citation.graph import CitationGraph
from relsent_ir.errors import MismatchError, UsageError
from reproduce.coupling import (
    HIGHEST_GRADE,
    VARIANTS,
    Plan,
    build_benchmark,
    count_partners,
    find_targets,
    shared,
    spread,
)

# a and b share x, y, z; a and c share x, y; b and c too; d shares x with all; e shares nothing.
IDS = ["a", "b", "c", "d", "e"]
REFERENCES = [["x", "y", "z"], ["x", "y", "z"], ["x", "y"], ["x"], ["w"]]
KEYS = [*"abcde", "v", "w", "x", "y"]
LISTS = st.lists(st.lists(st.sampled_from(KEYS), max_size=6), min_size=5, max_size=5)


@pytest.fixture
def graph():
    """Five records."""
    return CitationGraph.from_keys(IDS, REFERENCES)


def test_targets_and_grades(graph):
    """From the highest grade down, ties by id, no more than were asked for, never itself."""
    found = find_targets(graph, np.array([0, 2, 3]), Plan(relevant=3, min_shared=1))
    assert list(found["a"].items()) == [("b", 3), ("c", 2), ("d", 1)]
    assert list(found["c"].items()) == [("a", 2), ("b", 2), ("d", 1)]
    assert list(found["d"].items()) == [("a", 1), ("b", 1), ("c", 1)]
    assert find_targets(graph, np.array([3]), Plan(relevant=3)) == {"d": {}}


def test_partners(graph):
    """How many share enough, and the most that is shared."""
    counted = count_partners(graph, "coupling", 2)
    assert counted.partners.tolist() == [2, 2, 2, 0, 0]
    assert counted.most.tolist() == [3, 3, 2, 1, 0]
    assert (counted.pairs, counted.shared) == (6, 3 + 2 + 2 + 1 + 1 + 1)


def test_sets(graph):
    """Sets do not overlap, whatever the order; too few eligible records are an error."""
    plan = Plan(queries=1, sets=3, relevant=2)
    made = build_benchmark(graph, plan)
    assert sorted(name for qrels in made.sets for name in qrels) == ["a", "b", "c"]
    assert [list(q) for q in made.sets] == [list(q) for q in build_benchmark(graph, plan).sets]
    assert made.summary["candidates"] == made.summary["topics"] == 3
    assert made.summary["census"]["references"] == 10
    order = [3, 1, 4, 0, 2]
    other = CitationGraph.from_keys([IDS[i] for i in order], [REFERENCES[i] for i in order])
    plan = Plan(queries=1, sets=2, relevant=2, seed=7)
    assert build_benchmark(graph, plan).sets == build_benchmark(other, plan).sets
    made = build_benchmark(
        graph, Plan(queries=1, sets=1, relevant=2), np.array([False, False, True, True, True])
    )
    assert made.sets == [{"c": {"a": 2, "b": 2}}]
    with pytest.raises(MismatchError, match=r"^3 records can be topics with 2 others that share 2"):
        build_benchmark(graph, Plan(relevant=2))


@pytest.mark.parametrize(
    ("references", "variant", "message"),
    [
        ([[], []], "coupling", "none of the 2 records has references"),
        ([["x"], ["y"]], "coupling", "no two of the 2"),
        ([["x"], ["x"]], "co-citation", "no two of the 2"),
        ([["x"], ["x"]], "links", "no two of the 2"),
    ],
)
def test_nothing_to_share(references, variant, message):
    """A collection without references, without a common one, or that cites no record of itself."""
    with pytest.raises(MismatchError, match=message):
        build_benchmark(CitationGraph.from_keys(["a", "b"], references), Plan(variant=variant))


@pytest.mark.parametrize(
    "wrong", [{"queries": 0}, {"variant": "bliss"}, {"relevant": 3, "least": 4}, {"min_shared": 0}]
)
def test_bad_plans(wrong):
    """Numbers under 1, unknown variants, more needed than taken."""
    with pytest.raises(UsageError):
        Plan(**wrong)


def test_least(graph):
    """Topics may have fewer targets than are taken at most."""
    made = build_benchmark(graph, Plan(queries=1, sets=3, relevant=10, least=2))
    assert {len(of) for qrels in made.sets for of in qrels.values()} == {2}


def test_grades_fit_qrels():
    """What is above the highest grade of qrels is lowered to it."""
    many = [f"x{i}" for i in range(HIGHEST_GRADE + 5)]
    graph = CitationGraph.from_keys(["a", "b"], [many, many])
    assert find_targets(graph, np.array([0]), Plan()) == {"a": {"b": HIGHEST_GRADE}}


def test_spread():
    """Mean, deviation with n - 1, normal interval."""
    found = spread(np.array([1, 2, 3]))
    assert (found["n"], found["mean"], found["sd"]) == (3, 2, 1)
    assert found["high"] - 2 == pytest.approx(1.96 / 3**0.5)
    assert spread(np.array([], int))["n"] == 0
    assert spread(np.array([4]))["sd"] == 0


@settings(derandomize=True, deadline=None, max_examples=50)
@given(st.lists(st.lists(st.sampled_from("uvwxyz"), max_size=5), min_size=6, max_size=6))
def test_targets_against_sets(references):
    """The targets of every record, by brute force."""
    ids = list("abcdef")
    graph = CitationGraph.from_keys(ids, references)
    found = find_targets(graph, np.arange(6), Plan(relevant=3, min_shared=1))
    for one, own in zip(ids, references, strict=True):
        common = {
            other: len(set(own) & set(of))
            for other, of in zip(ids, references, strict=True)
            if other != one and set(own) & set(of)
        }
        best = sorted(common.items(), key=lambda item: (-item[1], item[0]))[:3]
        assert list(found[one].items()) == best


def dense(graph, variant, **settings):
    """Put the blocks of a variant together."""
    out = np.zeros((len(graph), len(graph)), int)
    for block, counts in shared(graph, variant, **settings):
        out[block] = counts.toarray()
    return out


def brute(references, citations):
    """Count by sets what `shared` counts by products."""
    ids = KEYS[:5]
    refers = {a: set(of) - {a} for a, of in zip(ids, references, strict=True)}
    cited = {
        a: (set(of) | {b for b in ids if a in refers[b]}) - {a}
        for a, of in zip(ids, citations, strict=True)
    }
    found = {variant: np.zeros((5, 5), int) for variant in VARIANTS}
    for (i, a), (j, b) in product(enumerate(ids), repeat=2):
        if a != b:
            found["coupling"][i, j] = len(refers[a] & refers[b])
            found["co-citation"][i, j] = len(cited[a] & cited[b])
            found["links"][i, j] = (a in cited[b]) + (b in cited[a])
    return found


@settings(derandomize=True, deadline=None)
@given(LISTS, LISTS, st.integers(1, 30))
def test_against_sets(references, citations, budget):
    """Every variant, whatever the size of the blocks."""
    graph = CitationGraph.from_keys(KEYS[:5], references, citations)
    expected = brute(references, citations)
    for variant in VARIANTS:
        assert (dense(graph, variant, budget=budget) == expected[variant]).all()


def test_rows_and_blocks():
    """Only the records asked for, in order; what all share is counted within the budget."""
    graph = CitationGraph.from_keys(["a", "b", "c"], [["x"], ["x", "y"], ["x", "y"]])
    ((rows, counts),) = shared(graph, "coupling", np.array([2, 0]))
    assert rows.tolist() == [2, 0]
    assert counts.toarray().tolist() == [[1, 2, 0], [0, 1, 1]]
    n = 3000
    graph = CitationGraph.from_keys([str(i) for i in range(n)], [["x"]] * n)
    sizes = [counts.nnz for _, counts in shared(graph, "coupling", budget=30_000)]
    assert max(sizes) <= 30_000
    assert sum(sizes) == n * (n - 1)
