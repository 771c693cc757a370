"""BIOSSES, on invented pairs, and McNemar's test."""

from pathlib import Path

import numpy as np
import pytest
from scipy.stats import chi2

from relsent_ir.errors import InputError
from reproduce.smith_wilbur_2010.protocol import mcnemar
from reproduce.smith_wilbur_2010.sources import biosses_table, measure_biosses, read_biosses

HEADER = "id\tsentence1\tsentence2\ta\tmean\n"


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    """Four pairs; a quotation mark is a character like any other."""
    path = tmp_path / "pairs.tsv"
    rows = ['1\tOne "a\tx\t4\t4.0', "2\tb\ty\t3\t2.5", "3\tc\tz\t1\t2.0", "4\td\tz\t0\t0.5"]
    path.write_text(HEADER + "\n".join(rows) + "\n", encoding="utf-8")
    return path


def test_read_and_measure(pairs: Path):
    """Sentences and means; Spearman of one exchange of neighbours among four is 0.8."""
    read, means = read_biosses(pairs)
    assert read[0] == ('One "a', "x")
    assert means.tolist() == [4.0, 2.5, 2.0, 0.5]
    scores = np.array([9.0, 1.0, 3.0, 0.0])
    found = measure_biosses(pairs, {"mine": lambda asked: scores[: len(asked)]})["mine"]
    means = np.array([4.0, 2.5, 2.0, 0.5])
    assert found.pearson == pytest.approx(np.corrcoef(scores, means)[0, 1])
    assert found.spearman == pytest.approx(0.8)
    assert "| mine | 0." in biosses_table({"mine": found})
    assert "| BioSentVec (published) | 0.817 | – |" in biosses_table({})


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (HEADER + "1\ta\tb\t3\tmany\n", "pairs.tsv:2"),
        (HEADER + "1\ta\n", "pairs.tsv:2"),
        ("id\tx\n1\t2\n", "pairs.tsv:2"),
        (HEADER, "no two pairs"),
    ],
)
def test_bad_file(tmp_path: Path, text: str, problem: str):
    """One line names the place."""
    path = tmp_path / "pairs.tsv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=problem):
        read_biosses(path)


def test_real(data: Path):
    """The hundred pairs are there."""
    pairs, means = read_biosses(data / "similarity" / "biosses.tsv")
    assert len(pairs) == 100
    assert means.min() >= 0
    assert means.max() <= 4


def test_mcnemar():
    """By hand: 6 against 2."""
    first = [1] * 6 + [0] * 2 + [1] * 5
    second = [0] * 6 + [1] * 2 + [1] * 5
    assert mcnemar(first, second) == (6, 2, pytest.approx(chi2.sf(2.0, 1)))
    assert mcnemar(first, first) == (0, 0, 1.0)
