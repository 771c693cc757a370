"""Similar records by each method, against loops and by hand."""

import math

import numpy as np
import pytest
from scipy.sparse import csr_array

from relsent_ir.citation.candidates import topic_text
from relsent_ir.citation.similar import (
    METHODS,
    Neighbours,
    document_terms,
    find_similar,
    more_like_this,
    named_rows,
    pmra_search,
)
from relsent_ir.counts.weighting import pmra_weights, weigh_rows
from relsent_ir.errors import InputError, UsageError
from relsent_ir.feedback import TermMatrix
from relsent_ir.lucene.analyzers import Analysis
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.lucene.read.search import Searcher
from relsent_ir.methods import Similar, Smart


@pytest.fixture
def collection(folder):
    """The articles."""
    with Indexes(folder) as opened:
        yield opened


@pytest.fixture
def index(collection):
    """The abstracts."""
    return collection.abstracts


@pytest.mark.parametrize("method", [*METHODS, "ltc.atn", "dtu.dtn"])
def test_every_method(collection, method):
    """Articles on the same subject come first, never the article itself, no more than asked."""
    run = find_similar(collection, ["000", "004"], method, 5)
    for name, hits in run.items():
        assert len(hits) <= 5
        assert name not in hits.ids
        assert all(int(other) % 3 == int(name) % 3 for other in hits.ids[:3])


def test_bm25_is_the_text_searched(collection, index, records):
    """The article's terms by their counts are its text as a topic."""
    (hits,) = find_similar(collection, ["007"], "bm25", 50).values()
    text = Searcher(index).search({"007": topic_text(records[7])})["007"].without("007")
    assert hits.ids.tolist() == text.ids.tolist()
    assert hits.scores == pytest.approx(text.scores, rel=1e-5)


def test_errors_and_rates(collection):
    """Unknown methods and records; the two rates of pmra reach it, and none is 0."""
    with pytest.raises(UsageError, match="no method 'bliss'"):
        find_similar(collection, ["007"], "bliss")
    for method in (*METHODS, "ltc.atn"):
        with pytest.raises(InputError, match="no document '99999'"):
            find_similar(collection, ["99999"], method)
    plain = find_similar(collection, ["007"], "pmra", 50)["007"]
    other = find_similar(collection, ["007"], Similar("pmra", lambda_=0.022, mu=0.018), 50)["007"]
    assert sorted(plain.ids) == sorted(other.ids)
    assert plain.scores.tolist() != other.scores.tolist()
    with pytest.raises(UsageError, match="mu 0"):
        find_similar(collection, ["007"], Similar("pmra", mu=0.0))


def test_terms(index, records):
    """The counts of the index, and only the entries of the row."""
    (found,) = document_terms(index, ["003"]).values()
    assert np.sum(list(found.values())) == len(index.facts.analysis.terms(topic_text(records[3])))
    rows = csr_array(np.array([[0.0, 2.5], [0.0, 0.0]]))
    assert named_rows(MATRIX, rows, ["a", "b"]) == {"a": {"y": 2.5}, "b": {}}


MATRIX = TermMatrix(["a", "b"], ["x", "y"], csr_array(np.array([[2, 0], [1, 1]], np.int32)))


COUNTS = {"often": 5, "rare": 2, "once": 1, "common": 2, "alone": 3}
DF = {"often": 50, "rare": 5, "once": 5, "common": 90, "alone": 1}


def test_more_like_this():
    """Twice in the document, in five documents, by tf and idf; the best alone; ties by term."""
    assert list(more_like_this(COUNTS, DF, 100)) == ["often", "rare", "common"]
    assert more_like_this(COUNTS, DF, 100, max_terms=1, min_tf=1) == {"often": 1.0}
    terms = more_like_this({"b": 1, "a": 1}, {"a": 1, "b": 1}, 9, max_terms=1, min_tf=1, min_df=1)
    assert list(terms) == ["a"]


PLAIN = Analysis("none", ())
NEIGHBOURS_COUNTS = np.random.default_rng(3).poisson(0.4, (12, 20))
NEIGHBOURS_MATRIX = TermMatrix(
    [f"d{n:02}" for n in range(12)], [f"t{n}" for n in range(20)], csr_array(NEIGHBOURS_COUNTS)
)


@pytest.mark.parametrize(("nearest", "beta"), [(3, 1.0), (2, 0.5), (50, 2.0)])
def test_formula(nearest: int, beta: float) -> None:
    """The topic, and beta times the unit mean of its nearest, each by 1/√rank; itself is none."""
    vectors = weigh_rows(
        Smart("ltc.ltc"), Smart("ltc.ltc").document, NEIGHBOURS_MATRIX.counts, NEIGHBOURS_MATRIX
    ).toarray()
    run = Neighbours(NEIGHBOURS_MATRIX, PLAIN).search(
        ["d04", "d09"], 50, nearest=nearest, beta=beta
    )
    for row, name in ((4, "d04"), (9, "d09")):
        first = vectors @ vectors[row]
        first[row] = 0
        order = [n for n in np.argsort(-first, kind="stable") if first[n] > 0][:nearest]
        towards = sum(vectors[n] / np.sqrt(rank) for rank, n in enumerate(order, 1))
        query = vectors[row] + beta * towards / np.linalg.norm(towards)
        scores = dict(zip(NEIGHBOURS_MATRIX.ids, vectors @ query, strict=True))
        assert run[name].scores == pytest.approx([scores[one] for one in run[name].ids])
        assert len(run[name]) == sum(score > 1e-12 for score in scores.values())


def test_a_document_without_neighbours() -> None:
    """It finds itself alone, as it would without feedback."""
    matrix = TermMatrix(["a", "b"], ["x", "y"], csr_array(np.array([[2, 0], [0, 1]])))
    (hits,) = Neighbours(matrix, PLAIN).search(["a"]).values()
    assert (hits.ids.tolist(), hits.scores.tolist()) == (["a"], [pytest.approx(1)])


PMRA_COUNTS = np.array([[3, 1, 0, 2], [1, 0, 4, 0], [2, 2, 0, 0], [0, 0, 0, 1]], np.int32)
PMRA_MATRIX = TermMatrix(["a", "b", "c", "d"], ["w", "x", "y", "z"], csr_array(PMRA_COUNTS))


def weight(document, term):
    """The paper's weight of a term in a document."""
    tf, length = PMRA_COUNTS[document, term], PMRA_COUNTS[document].sum()
    if not tf:
        return 0.0
    idf = math.log(4 / (PMRA_COUNTS[:, term] > 0).sum())
    not_about = (0.013 / 0.022) ** (tf - 1) * math.exp(-(0.013 - 0.022) * length)
    return math.sqrt(idf) / (1 + not_about)


def test_pmra():
    """Each weight by the formula; scores are sums of products; what underflows is 0."""
    expected = [[weight(d, t) for t in range(4)] for d in range(4)]
    assert pmra_weights(PMRA_MATRIX).toarray() == pytest.approx(np.array(expected))
    run = pmra_search(PMRA_MATRIX, Analysis("none", ()), ["c"])
    assert run["c"].ids[0] == "c"
    scores = dict(zip(run["c"].ids, run["c"].scores, strict=True))
    assert scores["a"] == pytest.approx(sum(weight(2, t) * weight(0, t) for t in range(4)))
    assert "d" not in scores
    counts = csr_array(np.array([[200_000], [0]], np.int32))
    matrix = TermMatrix(["a", "b"], ["w"], counts)
    assert 0 <= pmra_weights(matrix).toarray()[0, 0] <= 1
