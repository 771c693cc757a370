"""Folds by record."""

import numpy as np

from relsent_ir.answers.questions import fold, folds


def test_a_record_is_in_one_fold() -> None:
    """Each place is in one fold, and those of one record are together."""
    records = [str(n % 30) for n in range(90)]
    found = np.array(list(folds(records, 5)))
    assert (found.sum(axis=0) == 1).all()
    assert (found[:, :30] == found[:, 30:60]).all()


def test_the_hash_decides() -> None:
    """The fold depends on id and seed, and on nothing else."""
    assert fold("123", 10) == fold("123", 10)
    assert {fold(str(n), 3) for n in range(50)} == {0, 1, 2}
    assert [fold(str(n), 9, 0) for n in range(20)] != [fold(str(n), 9, 1) for n in range(20)]
