"""Articles as topics: texts, segments, and boosts by hand."""

from collections import Counter

import numpy as np
import pytest

from relsent_ir.citation.documents import (
    MESH,
    TITLE,
    Segment,
    boost,
    check_factors,
    mesh_text,
    record_segments,
    text_segments,
    topic_text,
)
from relsent_ir.errors import UsageError
from relsent_ir.feedback import TermMatrix
from relsent_ir.lucene.analyzers import Analysis
from relsent_ir.moves import default_model, tag_record
from relsent_ir.records import Mesh, Record, Section
from reproduce.tbahriti_2004.study import BoostTable

RECORD = Record(
    "1",
    title="Ants at work.",
    sections=(
        Section("We study ants.", "OBJECTIVE", "OBJECTIVE"),
        Section("Ants sleep.", "RESULTS", "RESULTS"),
    ),
    mesh=(Mesh("Ants", ("*behavior",), True),),
    chemicals=("Formic acid",),
)
ANALYSIS = Analysis("none", ())
TAGGED = (*RECORD.title_sentence(), *tag_record(default_model(), RECORD))


def test_text():
    """Title, abstract, headings with qualifiers and chemicals; or some of them."""
    assert mesh_text(RECORD) == "Ants *behavior Formic acid"
    assert topic_text(RECORD) == (
        "Ants at work. We study ants. Ants sleep. Ants *behavior Formic acid"
    )
    assert topic_text(RECORD, ["title"]) == "Ants at work."
    assert topic_text(Record("2")) == ""


def test_segments():
    """Labels give the moves, with score 1."""
    found = record_segments(RECORD, TAGGED, ANALYSIS)
    assert [(s.part, s.score) for s in found] == [
        (TITLE, 1.0), ("PURPOSE", 1.0), ("RESULTS", 1.0), (MESH, 1.0),
    ]  # fmt: skip
    assert found[2].terms == Counter(["ants", "sleep"])
    assert record_segments(Record("2"), (), ANALYSIS) == []


def test_segments_of_a_text():
    """A text is split into sentences; each has one of the moves."""
    found = text_segments("We study ants. They sleep.", default_model(), ANALYSIS)
    assert [s.terms for s in found] == [
        Counter(["we", "study", "ants"]), Counter(["they", "sleep"])
    ]  # fmt: skip
    assert text_segments("", default_model(), ANALYSIS) == []


SEGMENTS = [
    Segment("TITLE", 1.0, Counter(["ant"])),
    Segment("PURPOSE", 0.8, Counter(["ant", "bee", "fly"])),
    Segment("PURPOSE", 0.5, Counter(["bee", "wasp"])),
    Segment("RESULTS", 0.9, Counter(["fly"])),
    Segment("CONCLUSION", 0.6, Counter(["wasp"])),
    Segment("MESH", 1.0, Counter(["moth"])),
]
WEIGHTS = {"ant": 2.0, "bee": 3.0, "fly": 4.0, "wasp": 5.0, "moth": 6.0, "none": 7.0}


def test_product():
    """W·S·k; title, MeSH, other moves and terms in no segment count 1; the largest counts."""
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


def test_sum():
    """W·(1 + k·S) never takes weight away."""
    found = boost(WEIGHTS, SEGMENTS, {"PURPOSE": 0.5}, "sum")
    assert found["ant"] == pytest.approx(2.0 * 1.4)
    assert found["bee"] == pytest.approx(3.0 * 1.4)
    assert found["wasp"] == pytest.approx(5.0 * 1.25)
    assert found["moth"] == 6.0


def test_nothing_boosted():
    """Without factors all stays as it is."""
    assert boost(WEIGHTS, SEGMENTS, {}) == WEIGHTS


@pytest.mark.parametrize(
    ("factors", "form"), [({"BLISS": 1}, "sum"), ({"PURPOSE": -1}, "sum"), ({}, "root")]
)
def test_bad_factors(factors, form):
    """Unknown moves and forms, numbers under 0."""
    with pytest.raises(UsageError):
        check_factors(factors, form)


@pytest.mark.parametrize("form", ["product", "sum"])
@pytest.mark.parametrize("factors", [{}, {"PURPOSE": 0.5}, {"PURPOSE": 3, "CONCLUSION": 0.1}])
def test_table_does_the_same(form, factors):
    """Many topics at once as one by one."""
    from scipy.sparse import csr_array

    terms = list(WEIGHTS)
    matrix = TermMatrix(["1"], terms, csr_array(np.ones((1, len(terms)), np.int32)))
    queries = csr_array(np.array([list(WEIGHTS.values()), [1.0, 0, 0, 2.0, 0, 0]]))
    found = BoostTable.build(matrix, queries, [SEGMENTS, SEGMENTS[3:]]).boosted(factors, form)
    expected = [
        boost(WEIGHTS, SEGMENTS, factors, form),
        boost({"ant": 1.0, "wasp": 2.0}, SEGMENTS[3:], factors, form),
    ]
    for row, wanted in zip(found.toarray(), expected, strict=True):
        assert dict(zip(terms, row, strict=True)) == pytest.approx(
            {term: wanted.get(term, 0.0) for term in terms}
        )
