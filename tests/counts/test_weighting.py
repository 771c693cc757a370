"""Weights of terms, against loops over the formulas, and against Lucene."""

import math
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from scipy.sparse import csr_array

from relsent_ir.counts.matrix import Counts
from relsent_ir.counts.weighting import (
    MU,
    Rows,
    TermQuery,
    bm25_idf,
    bm25_weights,
    row_sums,
    weigh_rows,
)
from relsent_ir.errors import UsageError
from relsent_ir.feedback import TermMatrix
from relsent_ir.lucene.read.index import Index
from relsent_ir.lucene.read.search import Searcher
from relsent_ir.methods import BM25, DF, NORM, TF, Smart

COUNTS = [[3, 0, 1, 1, 0], [0, 0, 0, 0, 0], [1, 2, 0, 7, 0], [1, 1, 1, 0, 1]]
N, DFS = 4, [3, 2, 2, 2, 1]
SLOPE, PIVOT = 0.3, 2.5

TF_OF: dict[str, Callable[[int, list[int]], float]] = {
    "n": lambda tf, _: tf,
    "b": lambda _tf, _: 1,
    "l": lambda tf, _: 1 + math.log(tf),
    "L": lambda tf, row: (1 + math.log(tf)) / (1 + math.log(sum(row) / sum(x > 0 for x in row))),
    "a": lambda tf, row: 0.5 + 0.5 * tf / max(row),
    "m": lambda tf, row: tf / max(row),
    "d": lambda tf, _: 1 + math.log(1 + math.log(tf)),
}
DF_OF: dict[str, Callable[[int], float]] = {
    "n": lambda _: 1,
    "t": lambda df: math.log(N / df),
    "p": lambda df: max(0.0, math.log((N - df) / df)),
    "f": lambda df: 1 / df,
}
NORM_OF: dict[str, Callable[[list[float], int], float]] = {
    "n": lambda _row, _distinct: 1,
    "c": lambda row, _: math.sqrt(sum(w * w for w in row)),
    "s": lambda row, _: sum(row),
    "u": lambda _, distinct: (1 - SLOPE) * PIVOT + SLOPE * distinct,
}


def matrix() -> TermMatrix:
    """Four documents over five terms."""
    return TermMatrix(list("abcd"), list("vwxyz"), csr_array(np.array(COUNTS, dtype=np.int32)))


def by_hand(triple: str, counts: list[list[int]]) -> list[list[float]]:
    """Weigh rows as the formulas say."""
    rows = []
    for row in counts:
        weights = [
            TF_OF[triple[0]](tf, row) * DF_OF[triple[1]](df) if tf else 0.0
            for tf, df in zip(row, DFS, strict=True)
        ]
        by = NORM_OF[triple[2]](weights, sum(tf > 0 for tf in row)) if any(weights) else 1
        rows.append([w / by for w in weights])
    return rows


@pytest.mark.parametrize("triple", [f"{t}{d}{n}" for t in TF for d in DF for n in NORM])
def test_every_triple(triple: str) -> None:
    """Documents and queries weigh as the formulas say, an empty row nothing."""
    smart = Smart(f"{triple}.{triple}", SLOPE, PIVOT)
    found = weigh_rows(smart, smart.document, matrix().counts, matrix())
    np.testing.assert_allclose(found.toarray(), by_hand(triple, COUNTS), atol=1e-12)
    asked = [[2, 0, 0, 1, 0], [0, 0, 0, 0, 5]]
    found = weigh_rows(smart, smart.query, csr_array(np.array(asked)), matrix())
    np.testing.assert_allclose(found.toarray(), by_hand(triple, asked), atol=1e-12)


def test_pivots() -> None:
    """With Ruch's constants, and the mean where none is given."""
    smart = Smart("dtu.dtn", slope=0.14, pivot=146)
    given = TermMatrix(["1", "2"], list("abcd"), csr_array(np.array([[3, 1, 1, 1], [0, 1, 1, 1]])))
    expected = (math.log(math.log(3) + 1) + 1) * math.log(2 / 1) / (0.86 * 146 + 0.14 * 4)
    found = weigh_rows(smart, smart.document, given.counts, given).toarray()[0, 0]
    assert found == pytest.approx(expected, rel=1e-12)
    mean = (3 + 0 + 3 + 4) / 4
    given = weigh_rows(Smart("nnu.nnn", SLOPE, mean), "nnu", matrix().counts, matrix())
    found = weigh_rows(Smart("nnu.nnn", SLOPE), "nnu", matrix().counts, matrix())
    np.testing.assert_array_equal(found.toarray(), given.toarray())


@pytest.mark.parametrize("text", ["ltc", "ltc.at", "xtc.atn", "lxc.atn", "ltx.atn", "LTC.atn", ""])
def test_unknown_schemes(text: str) -> None:
    """A scheme that is none is refused, with the letters that there are."""
    with pytest.raises(UsageError, match=r"ddd\.qqq.*tf nblLamd, df ntpf, norm ncsu"):
        Smart(text)


@pytest.mark.parametrize(("slope", "pivot"), [(-0.1, 1), (1.1, 1), (0.2, 0), (math.nan, 1)])
def test_impossible_pivots(slope: float, pivot: float) -> None:
    """Slope and pivot have their ranges."""
    with pytest.raises(UsageError, match=r"Smart with (slope|pivot)"):
        Smart("dtu.dtn", slope, pivot)


def test_text_form() -> None:
    """A scheme prints as it is written."""
    assert str(Smart("Ltu.atn")) == 'Smart("Ltu.atn")'


DENSE = np.array([[2, 1, 0, 0], [0, 3, 1, 0], [1, 0, 0, 4], [0, 0, 0, 0]])
DF = (DENSE > 0).sum(axis=0).astype(np.int32)
OF_DENSE = Counts(csr_array(DENSE.astype(np.uint16)), DF, float(DENSE.sum() / 3))
QUERY = TermQuery(np.array([0, 1]), np.array([1.0, 2.0]))


def test_bm25() -> None:
    """BM25 is the sum over terms of weight, idf and saturated count; empty rows are 0."""
    expected = []
    for row in DENSE:
        score = 0.0
        for column, weight in zip(QUERY.columns, QUERY.weights, strict=True):
            if row[column]:
                idf = math.log(1 + (4 - DF[column] + 0.5) / (DF[column] + 0.5))
                long = 0.9 * (0.6 + 0.4 * row.sum() / OF_DENSE.mean)
                score += weight * idf * row[column] / (row[column] + long)
        expected.append(score)
    found = Rows(OF_DENSE, np.arange(4)).bm25(QUERY, 0.9, 0.4)
    assert found == pytest.approx(expected)
    assert row_sums(np.array([1, 2, 3]), np.array([0, 2, 2, 3, 3])).tolist() == [3, 0, 3, 0]


def test_likelihood_and_cosine() -> None:
    """Each by its formula; where nothing is asked there is nothing."""
    shares = np.array([0.3, 0.4])
    expected = []
    for row in DENSE:
        score = 0.0
        for column, weight, share in zip(QUERY.columns, QUERY.weights, shares, strict=True):
            score += weight * math.log((row[column] + MU * share) / (row.sum() + MU))
            score -= weight * math.log(share)
        expected.append(score)
    assert Rows(OF_DENSE, np.arange(4)).likelihood(QUERY, shares) == pytest.approx(expected)
    rows = Rows(OF_DENSE, np.array([2, 0, 3]))
    dense = rows.cosine.toarray()
    assert np.linalg.norm(dense, axis=1) == pytest.approx([1, 1, 0])
    idf = np.log(4 / DF)
    assert dense[1, 0] / dense[1, 1] == pytest.approx((1 + math.log(2)) * idf[0] / idf[1])
    assert rows.covered(QUERY) == pytest.approx([idf[0] / (idf[0] + idf[1]), 1, 0])
    empty = TermQuery(np.empty(0, np.intp), np.empty(0))
    rows = Rows(OF_DENSE, np.arange(4))
    for scores in (rows.bm25(empty, 0.9, 0.4), rows.smart(empty), rows.covered(empty)):
        assert not scores.any()


STORED = np.array(
    [*range(24), *(24 + (c if c < 8 else (c & 7 | 8) << (c >> 3) - 1) for c in range(232))]
)
"""The lengths that Lucene's bytes stand for (``SmallFloat.byte4ToInt``)."""


def test_as_lucene(folder: Path, topics: dict[str, str]) -> None:
    """With lengths rounded down as in a byte of Lucene's BM25 has its scores; not else."""
    with Index(folder) as index:
        matrix = TermMatrix.read(index)
        counts = Counts(matrix.counts, matrix.df.astype(np.int32), index.mean_length)
        run = Searcher(index, BM25(0.9, 0.4)).search(topics, len(matrix))
        analyse = index.facts.analysis.terms
    weights = bm25_weights(matrix.counts, bm25_idf(matrix.df, len(matrix)), counts.mean, 0.9, 0.4)
    differ = 0
    for topic, hits in run.items():
        bag = Counter(analyse(topics[topic]))
        columns = np.array([matrix.columns[term] for term in bag])
        query = TermQuery(columns, np.array(list(bag.values()), dtype=np.float64))
        rows = matrix.rows(hits.ids)
        exact, rounded = Rows(counts, rows), Rows(counts, rows)
        rounded.lengths = STORED[np.searchsorted(STORED, exact.lengths, side="right") - 1]
        assert rounded.bm25(query, 0.9, 0.4) == pytest.approx(hits.scores)
        scores = exact.bm25(query, 0.9, 0.4)
        assert (weights @ query.over(len(matrix.terms)))[rows] == pytest.approx(scores)
        differ += (scores != pytest.approx(hits.scores)) is True
    assert differ


def test_bm25_once() -> None:
    """No other module of the package has the formula of BM25, nor that of its idf."""
    parts = r"\+ saturation\b", r"log\(1 \+ \(.* \+ 0\.5\) / \(", r"1 - (\w+\.)?b \+ (\w+\.)?b \*"
    formula = re.compile("|".join(parts), re.IGNORECASE)
    package = Path(__file__).parents[2] / "relsent_ir"
    where = [path for path in package.rglob("*.py") if formula.search(path.read_text())]
    assert [path.relative_to(package).as_posix() for path in where] == ["counts/weighting.py"]
