"""Rocchio beyond Anserini's, against a loop over the formula; settings that make no sense."""

import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from scipy.sparse import csr_array

from relsent_ir.errors import UsageError
from relsent_ir.feedback import FeedbackSearcher
from relsent_ir.feedback.expansion import expand
from relsent_ir.feedback.pool import Documents, Pool
from relsent_ir.hits import Hits
from relsent_ir.lucene.read.index import Index, TermVectors
from relsent_ir.lucene.read.search import Searcher
from relsent_ir.methods import Rocchio
from relsent_ir.records import Record

TEXTS = {
    "a": "mucus mucus sodium sweat",
    "b": "mucus sweat sweat chloride",
    "c": "lung",
    **{f"x{i}": "filler" for i in range(40)},
}


@pytest.fixture(scope="module")
def index(build: Callable[..., Path]) -> Index:
    """Three records of interest among forty others, without stemming or stop words."""
    from relsent_ir.lucene.analyzers import Analysis

    records = [Record(name, text) for name, text in TEXTS.items()]
    return Index(build(records, analysis=Analysis("none", ())))


def by_hand(rocchio: Rocchio, weigh: Callable[[int, int], float]) -> dict[str, float]:
    """Expand the query {lung: 1} by the documents a (score 4) and b (score 1)."""
    n = len(TEXTS)
    df = {term: sum(term in text.split() for text in TEXTS.values()) for term in
          ("mucus", "sodium", "sweat", "chloride")}  # fmt: skip
    shares = {"uniform": (1, 1), "rank": (1, 1 / math.sqrt(2)), "score": (4, 1)}[rocchio.documents]
    mean = dict.fromkeys(df, 0.0)
    for name, share in zip("ab", shares, strict=True):
        words = TEXTS[name].split()
        vector = {t: weigh(words.count(t), df[t]) for t in df if t in words}
        length = math.sqrt(sum(w * w for w in vector.values())) if rocchio.scaled else 1
        for term, weight in vector.items():
            mean[term] += weight / length * share / sum(shares)
    assert n == 43
    best = sorted(mean, key=lambda term: (-mean[term], term))[: rocchio.fb_terms]
    length = math.sqrt(sum(mean[t] ** 2 for t in best)) if rocchio.scaled else 1
    return {"lung": rocchio.alpha} | {t: rocchio.beta * mean[t] / length for t in best}


@pytest.mark.parametrize("documents", ["uniform", "rank", "score"])
@pytest.mark.parametrize("scaled", [True, False])
@pytest.mark.parametrize("weighting", ["tf", "ltn", "btn"])
def test_formula(index: Index, documents: str, scaled: bool, weighting: str) -> None:
    """Every weighting of terms and documents, scaled and not."""
    weigh = {
        "tf": lambda tf, _: tf,
        "ltn": lambda tf, df: (1 + math.log(tf)) * math.log(43 / df),
        "btn": lambda _, df: math.log(43 / df),
    }[weighting]
    rocchio = Rocchio(3, 2, 2.0, 0.75, weighting=weighting, documents=documents, scaled=scaled)
    topics = {"1": "lung"}
    pool = Documents(index).pool(topics, {"1": Hits.ranked(["a", "b"], [4.0, 1.0])})
    (found,) = expand(rocchio, [{"lung": 1.0}], pool)
    assert found.weights == pytest.approx(by_hand(rocchio, weigh), rel=1e-5)
    assert list(found.weights.values()) == sorted(found.weights.values(), reverse=True)
    assert found.original == {"lung": 2.0}
    assert set(found.feedback) == set(found.weights) - {"lung"}


def test_bm25_weighting(index: Index) -> None:
    """A term's part of BM25's score, k1 0.9 and b 0.4."""
    pool = Documents(index).pool({"1": ""}, {"1": Hits.ranked(["a"], [1.0])})
    rocchio = Rocchio(1, 1, 0.0, 1.0, weighting="bm25", scaled=False)
    (found,) = expand(rocchio, [{}], pool)
    mean = (4 + 4 + 1 + 40) / 43
    tf = 2 / (2 + 0.9 * (1 - 0.4 + 0.4 * 4 / mean))
    idf = math.log(1 + (43 - 2 + 0.5) / 2.5)
    assert found.weights == pytest.approx({"mucus": tf * idf}, rel=1e-5)


@pytest.mark.parametrize(("slope", "pivot"), [(0.14, None), (0.3, 2.0)])
def test_pivoted_weighting(index: Index, slope: float, pivot: float | None) -> None:
    """Letter u takes the slope and the pivot given, or the collection's mean; 47 terms in 43."""
    pool = Documents(index).pool({"1": ""}, {"1": Hits.ranked(["a"], [1.0])})
    rocchio = Rocchio(1, 1, 0.0, 1.0, weighting="ntu", scaled=False, slope=slope, pivot=pivot)
    (found,) = expand(rocchio, [{}], pool)
    mean = (3 + 3 + 1 + 40) / 43 if pivot is None else pivot
    weight = 2 * math.log(43 / 2) / ((1 - slope) * mean + slope * 3)
    assert found.weights == pytest.approx({"mucus": weight}, rel=1e-5)


def test_no_topic_depends_on_another(folder: Path, topics: dict[str, str]) -> None:
    """The paper's literal formula gives a topic alone, and in batches, what it has among others."""
    with Index(folder) as index:
        rocchio = Rocchio(20, 5, 2.0, weighting="dtu", scaled=False)
        searcher = FeedbackSearcher(Searcher(index), index, rocchio)
        together = searcher.search(topics, 50)
        batches = searcher.search(topics, 50, batch_size=4)
        for name, text in topics.items():
            (alone,) = searcher.search({name: text}, 50).values()
            for found in (together, batches):
                assert found[name].ids.tolist() == alone.ids.tolist()
                assert found[name].scores.tolist() == alone.scores.tolist()


def test_shares_and_moving_away(index: Index) -> None:
    """Terms of too many documents are not taken; the last hits' terms lose weight."""
    searcher = Searcher(index)
    for most, taken in ((0.1, set()), (1.0, {"filler"})):
        rocchio = Rocchio(max_df=most, fb_docs=2)
        (found,) = FeedbackSearcher(searcher, index, rocchio).expand({"1": "filler"}).values()
        assert set(found.weights) == {"filler"}
        assert set(found.feedback) == taken
    first = {"1": Hits.ranked(["a", "b"], [2.0, 1.0])}
    rocchio = Rocchio(10, 1, 1.0, 1.0, 10.0, bottom_fb_docs=1)
    (found,) = (
        FeedbackSearcher(Searcher(index), index, rocchio)
        .expand({"1": "lung"}, first=first)
        .values()
    )
    assert set(found.weights) == {"lung", "sodium"}


@pytest.mark.parametrize(
    "settings",
    [
        {"fb_terms": 0},
        {"fb_docs": 0},
        {"bottom_fb_docs": 0},
        {"alpha": -1.0},
        {"beta": math.nan},
        {"gamma": math.inf},
        {"alpha": 0.0, "beta": 0.0},
        {"weighting": "bm24"},
        {"weighting": "xtn"},
        {"documents": "some"},
        {"max_df": 0.0},
        {"max_df": 1.5},
        {"slope": 1.5},
        {"pivot": 0.0},
    ],
    ids=str,
)
def test_impossible_settings(settings: dict[str, float]) -> None:
    """Each is refused in a line that names it."""
    with pytest.raises(UsageError):
        Rocchio(**settings)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("terms", "ranks"),
    [
        (["b", "", "ab", "a"], [3, 0, 2, 1]),
        (["\ud7ff", "b", "é"], [2, 0, 1]),
        (["\uff21", "b", "\U00010400", "\ue000"], [3, 0, 1, 2]),  # D801 DC00 in UTF-16
    ],
)
def test_terms_are_ordered_as_java_orders_them(terms: list[str], ranks: list[int]) -> None:
    """By units of UTF-16: what needs two of them comes before the last letters that need one."""
    vectors = TermVectors(csr_array((1, len(terms))), terms)
    none = np.empty(0)
    pool = Pool([], none, none, [], csr_array((0, 1)), vectors, none, 0, 0.0, 0.0)
    assert pool.ranks.tolist() == ranks
