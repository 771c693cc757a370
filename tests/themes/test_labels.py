"""The terms that tell what a theme is about."""

import numpy as np
import pytest

from relsent_ir.text.vocabulary import Vocabulary
from relsent_ir.themes.em import Model, Posterior, Theme
from relsent_ir.themes.matrix import PresenceMatrix
from relsent_ir.themes.reading import label_theme, stem

TERMS = ["cor", "cor pulmonale", "heart", "hearts", "kidney", "often", "pulmonale", "rare"]
# Of 12 records the first four are on theme: the first two say cor pulmonale, a third cor alone.
TABLE = [
    [1, 1, 1, 0, 0, 1, 1, 1],
    [1, 1, 1, 0, 0, 1, 1, 0],
    [1, 0, 0, 1, 1, 1, 0, 0],
    [0, 0, 0, 1, 1, 1, 0, 0],
    *([[0, 0, 0, 0, 0, 1, 0, 0]] * 8),
]


def _theme(on: list[float]) -> tuple[PresenceMatrix, Theme]:
    dense = np.array(TABLE)
    rows, columns = np.nonzero(dense)
    starts = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=len(dense)))])
    matrix = PresenceMatrix(
        Vocabulary.of(f"r{i:02}" for i in range(len(dense))),
        Vocabulary.of(TERMS),
        starts.astype(np.int32),
        columns.astype(np.int32),
    )
    half = np.full(len(TERMS), 0.5)
    model = Model(half, half, half, dense.mean(axis=0), 0.1)
    likely = np.array(on)
    odds = np.log(likely / (1 - likely))
    return matrix, Theme(
        np.array([0]), odds, likely, model, Posterior.of(model), [1.0], [0.0], True
    )


def test_terms_cover_the_theme_and_share_no_word() -> None:
    """A phrase stands for its words, plurals are one word, what all records have is no label."""
    matrix, theme = _theme([1 - 1e-9] * 4 + [1e-9] * 8)
    found = label_theme(matrix, theme)
    # cor is in three of the four (3·ln 3), the phrase in two of these three: more than 0.6 of them.
    # Of the two records that it leaves at a half, and two in full, kidney and hearts say most.
    assert [term.term for term in found] == ["cor pulmonale", "kidney", "hearts"]
    assert found[0].support == pytest.approx(2)
    assert found[0].lift == pytest.approx(2 / 4 * 12 / 2)
    assert found[0].db == pytest.approx(2 / 12)
    assert [term.term for term in label_theme(matrix, theme, 1)] == ["cor pulmonale"]
    assert label_theme(matrix, theme, 0) == []


def test_a_theme_of_one_record_has_terms() -> None:
    """Where fewer records are on theme than a term needs, half of them are enough."""
    matrix, theme = _theme([1 - 1e-9] + [1e-9] * 11)
    assert "rare" in [term.term for term in label_theme(matrix, theme)]


@pytest.mark.parametrize(
    ("word", "expected"),
    [("polyps", "polyp"), ("arteries", "artery"), ("fibrosis", "fibrosis"), ("virus", "virus"),
     ("illness", "illness"), ("ige", "ige")],
)  # fmt: skip
def test_plurals(word: str, expected: str) -> None:
    """Endings of the plural go, others stay."""
    assert stem(word) == expected
