"""SMART weights, against loops over the formulas."""

import math
from collections.abc import Callable

import numpy as np
import pytest
from scipy.sparse import csr_array

from relsent_ir.errors import UsageError
from relsent_ir.feedback import Smart, TermMatrix
from relsent_ir.feedback.factors import DF, NORM, TF

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
    smart = Smart.parse(f"{triple}.{triple}", SLOPE, PIVOT)
    found = smart.weigh_documents(matrix())
    np.testing.assert_allclose(found.toarray(), by_hand(triple, COUNTS), atol=1e-12)
    asked = [[2, 0, 0, 1, 0], [0, 0, 0, 0, 5]]
    found = smart.weigh_queries(matrix(), csr_array(np.array(asked)))
    np.testing.assert_allclose(found.toarray(), by_hand(triple, asked), atol=1e-12)


def test_ruch_equation_1() -> None:
    """A term that is there three times, one of four distinct terms, with Ruch's constants."""
    smart = Smart.parse("dtu.dtn", slope=0.14, pivot=146)
    given = TermMatrix(["1", "2"], list("abcd"), csr_array(np.array([[3, 1, 1, 1], [0, 1, 1, 1]])))
    expected = (math.log(math.log(3) + 1) + 1) * math.log(2 / 1) / (0.86 * 146 + 0.14 * 4)
    assert smart.weigh_documents(given).toarray()[0, 0] == pytest.approx(expected, rel=1e-12)


def test_pivot_is_the_mean() -> None:
    """Without a pivot it is the mean number of distinct terms of a document."""
    mean = (3 + 0 + 3 + 4) / 4
    given = Smart.parse("nnu.nnn", SLOPE, mean).weigh_documents(matrix())
    found = Smart.parse("nnu.nnn", SLOPE).weigh_documents(matrix())
    np.testing.assert_array_equal(found.toarray(), given.toarray())


@pytest.mark.parametrize("text", ["ltc", "ltc.at", "xtc.atn", "lxc.atn", "ltx.atn", "LTC.atn", ""])
def test_unknown_schemes(text: str) -> None:
    """A scheme that is none is refused, with the letters that there are."""
    with pytest.raises(UsageError, match=r"ddd\.qqq.*tf nblLamd, df ntpf, norm ncsu"):
        Smart.parse(text)


@pytest.mark.parametrize(("slope", "pivot"), [(-0.1, 1), (1.1, 1), (0.2, 0), (math.nan, 1)])
def test_impossible_pivots(slope: float, pivot: float) -> None:
    """Slope and pivot have their ranges."""
    with pytest.raises(UsageError, match="a slope from 0 to 1"):
        Smart.parse("dtu.dtn", slope, pivot)


def test_name() -> None:
    """A scheme prints as it is written."""
    assert str(Smart.parse("Ltu.atn")) == "Ltu.atn"
