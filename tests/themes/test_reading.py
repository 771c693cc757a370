"""Records and terms of themes."""

import numpy as np
import pytest

from relsent_ir.text.vocabulary import Vocabulary
from relsent_ir.themes.em import Mixture, Posterior, Theme
from relsent_ir.themes.matrix import PresenceMatrix
from relsent_ir.themes.reading import ThemeTerm, label_theme, records_on_theme, stem, terms_of_theme
from tests.themes.dense import matrix_of

MATRIX = matrix_of([[1, 1, 0, 0], [1, 0, 1, 0], [0, 1, 1, 1], [0, 0, 0, 1]])


def _theme(log_odds: list[float], model: Mixture, kernels: list[int]) -> Theme:
    odds = np.array(log_odds)
    on = 1 / (1 + np.exp(-odds))
    posterior = Posterior.of(model)
    return Theme(np.array(kernels), odds, on, model, posterior, [1.0], [0.0], True, 0.0)


def _model(p: list[float], q: list[float], lam: list[float]) -> Mixture:
    return Mixture(np.array(p), np.array(q), np.array(lam), np.array([0.5, 0.5, 0.5, 0.02]), 0.1)


FLAT = _model([0.5] * 4, [0.5] * 4, [0.5] * 4)


def test_records_by_log_odds() -> None:
    """Descending, ties by id, the kernel left out unless kept; more than there are is all."""
    theme = _theme([9.0, 2.0, 2.0, -40.0], FLAT, [0])
    assert records_on_theme(MATRIX, theme, 2).ids.tolist() == ["r1", "r2"]
    assert records_on_theme(MATRIX, theme, 1).ids.tolist() == ["r1"]
    kept = records_on_theme(MATRIX, theme, 99, keep_kernel=True)
    assert kept.ids.tolist() == ["r0", "r1", "r2", "r3"]
    assert kept.scores.tolist() == [9.0, 2.0, 2.0, -40.0]
    assert not len(records_on_theme(MATRIX, _theme([1.0] * 4, FLAT, [0, 1, 2, 3])))


def test_terms_by_the_papers_rule() -> None:
    """Likely made by p in a record on theme, or p much above DB; ordered by p / q."""
    # t0: 0.9·0.9 of 0.1·0.5 + 0.9·0.9 is 0.94, with a record at 0.73 on theme: 0.69.
    # t1 comes from DB: 0.1·0.9 of 0.9·0.5 + 0.1·0.9 is 0.17.
    # t2 is in no record that is 0.6 on theme. t3 is ten times as likely as in the collection.
    model = _model([0.9, 0.9, 0.9, 0.2], [0.3, 0.1, 0.1, 0.01], [0.1, 0.9, 0.1, 0.9])
    theme = _theme([1.0, -1.0, -1.0, -1.0], model, [0])
    found = terms_of_theme(MATRIX, theme)
    assert [term.term for term in found] == ["t3", "t0"]
    # t3 is in the two last records, each 0.27 on theme, of 1.54 in all; 0.02 of all have it
    off = 1 / (1 + np.exp(1))
    lift = 2 * off / (1 + 2 * off) / 0.02
    assert found[0] == ThemeTerm(
        "t3", 0.2, 0.01, 0.9, 0.02, pytest.approx(2 * off), pytest.approx(lift)
    )
    assert [term.term for term in terms_of_theme(MATRIX, theme, 1)] == ["t0"]
    assert terms_of_theme(MATRIX, theme, 0) == []


def test_ratio_of_a_term_that_is_never_off_theme() -> None:
    """Its ratio is infinite: it is the first in the list."""
    model = _model([0.9, 0.9, 0.9, 0.9], [0.3, 0.0, 1e-320, 0.1], [0.1] * 4)
    theme = _theme([5.0] * 4, model, [0])
    assert terms_of_theme(MATRIX, theme)[0].term == "t1"


TERMS = ["cor", "cor pulmonale", "heart", "hearts", "kidney", "often", "pulmonale", "rare"]
# Of 12 records the first four are on theme: the first two say cor pulmonale, a third cor alone.
TABLE = [
    [1, 1, 1, 0, 0, 1, 1, 1],
    [1, 1, 1, 0, 0, 1, 1, 0],
    [1, 0, 0, 1, 1, 1, 0, 0],
    [0, 0, 0, 1, 1, 1, 0, 0],
    *([[0, 0, 0, 0, 0, 1, 0, 0]] * 8),
]


def _labels_theme(on: list[float]) -> tuple[PresenceMatrix, Theme]:
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
    model = Mixture(half, half, half, dense.mean(axis=0), 0.1)
    likely = np.array(on)
    odds = np.log(likely / (1 - likely))
    return matrix, Theme(
        np.array([0]), odds, likely, model, Posterior.of(model), [1.0], [0.0], True, 0.0
    )


def test_terms_cover_the_theme_and_share_no_word() -> None:
    """A phrase stands for its words, plurals are one word, what all records have is no label."""
    matrix, theme = _labels_theme([1 - 1e-9] * 4 + [1e-9] * 8)
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
    matrix, theme = _labels_theme([1 - 1e-9] + [1e-9] * 11)
    assert "rare" in [term.term for term in label_theme(matrix, theme)]


@pytest.mark.parametrize(
    ("word", "expected"),
    [("polyps", "polyp"), ("arteries", "artery"), ("fibrosis", "fibrosis"), ("virus", "virus"),
     ("illness", "illness"), ("ige", "ige")],
)  # fmt: skip
def test_plurals(word: str, expected: str) -> None:
    """Endings of the plural go, others stay."""
    assert stem(word) == expected
