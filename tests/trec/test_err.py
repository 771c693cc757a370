"""Expected reciprocal rank, by hand and as the probabilities of where a reader stops."""

import pytest

from relsent_ir.errors import MismatchError
from relsent_ir.trec.own_measures import err

GRADES = {"a": 1, "b": 3, "c": 0, "d": -2}


def test_by_hand():
    """Grades 3 and 1 of 4 at ranks 1 and 3: stops with 7/16, then with 1/16."""
    assert err(list("bca"), GRADES) == pytest.approx(7 / 16 + 9 / 16 * 1 / 16 / 3)
    assert err(list("xdc"), GRADES) == 0
    assert err([], GRADES) == 0


def test_the_highest_grade_counts():
    """The same hits have a higher value where no grade above 3 is thought of."""
    assert err(list("b"), GRADES, max_rel=3) == pytest.approx(7 / 8)
    assert err(list("b"), {"b": 1}, max_rel=10**9) == 0


def test_grades_above_the_highest():
    """Such as the cystic fibrosis collection's sums of four scores; the line says what to write."""
    with pytest.raises(MismatchError, match=r"up to 4, and the qrels have 8 \(as ERR\(max_rel=8\)"):
        err(list("a"), {"a": 8})
