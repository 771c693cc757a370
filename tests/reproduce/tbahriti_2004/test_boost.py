"""Boosts by hand."""

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
import pytest
from scipy.sparse import csr_array

from relsent_ir.feedback import TermMatrix
from reproduce.tbahriti_2004.articles import Segment
from reproduce.tbahriti_2004.boost import BoostTable

SEGMENTS = [
    Segment("TITLE", 1.0, Counter(["ant"])),
    Segment("PURPOSE", 0.8, Counter(["ant", "bee", "fly"])),
    Segment("PURPOSE", 0.5, Counter(["bee", "wasp"])),
    Segment("RESULTS", 0.9, Counter(["fly"])),
    Segment("CONCLUSION", 0.6, Counter(["wasp"])),
    Segment("MESH", 1.0, Counter(["moth"])),
]
WEIGHTS = {"ant": 2.0, "bee": 3.0, "fly": 4.0, "wasp": 5.0, "moth": 6.0, "none": 7.0}


TERMS = list(WEIGHTS)
MATRIX = TermMatrix(["1"], TERMS, csr_array(np.ones((1, len(TERMS)), np.int32)))


def boost(
    weights: Mapping[str, float],
    segments: Sequence[Segment],
    factors: Mapping[str, float],
    form: str = "sum",
) -> dict[str, float]:
    """Boost one topic."""
    queries = csr_array(np.array([[weights.get(term, 0.0) for term in TERMS]]))
    (found,) = BoostTable.build(MATRIX, queries, [segments]).boosted(factors, form).toarray()
    return {term: weight for term, weight in zip(TERMS, found, strict=True) if term in weights}


def test_boosts() -> None:
    """W·S·k, of which the largest counts; W·(1 + k·S) never takes away; nothing stays."""
    assert boost(WEIGHTS, SEGMENTS, {"PURPOSE": 0.5, "CONCLUSION": 0.5}, "product") == {
        "ant": 2.0,
        "bee": pytest.approx(3.0 * 0.4),
        "fly": 4.0,
        "wasp": pytest.approx(5.0 * 0.3),
        "moth": 6.0,
        "none": 7.0,
    }
    strong = boost(WEIGHTS, SEGMENTS, {"PURPOSE": 10}, "product")
    assert (strong["ant"], strong["bee"], strong["wasp"]) == (16.0, 24.0, 25.0)
    found = boost(WEIGHTS, SEGMENTS, {"PURPOSE": 0.5}, "sum")
    assert found["ant"] == pytest.approx(2.0 * 1.4)
    assert found["bee"] == pytest.approx(3.0 * 1.4)
    assert found["wasp"] == pytest.approx(5.0 * 1.25)
    assert found["moth"] == 6.0
    assert boost(WEIGHTS, SEGMENTS, {}) == WEIGHTS


@pytest.mark.parametrize("form", ["product", "sum"])
@pytest.mark.parametrize("factors", [{}, {"PURPOSE": 0.5}, {"PURPOSE": 3, "CONCLUSION": 0.1}])
def test_many_topics(form: str, factors: dict[str, float]) -> None:
    """Many at once as one by one."""
    queries = csr_array(np.array([list(WEIGHTS.values()), [1.0, 0, 0, 2.0, 0, 0]]))
    table = BoostTable.build(MATRIX, queries, [SEGMENTS, SEGMENTS[3:]])
    expected = [
        boost(WEIGHTS, SEGMENTS, factors, form),
        boost({"ant": 1.0, "wasp": 2.0}, SEGMENTS[3:], factors, form),
    ]
    for row, wanted in zip(table.boosted(factors, form).toarray(), expected, strict=True):
        assert row.tolist() == [wanted.get(term, 0.0) for term in TERMS]
