"""Kernels that cover a collection."""

import itertools

import numpy as np

from relsent_ir.themes.mapping import choose_kernels
from tests.themes.dense import matrix_of

# Two groups of four and of two records, and one without terms.
TABLE = [
    [1, 1, 0, 0, 0],
    [1, 1, 1, 0, 0],
    [1, 0, 1, 0, 0],
    [0, 1, 1, 0, 0],
    [0, 0, 0, 1, 1],
    [0, 0, 0, 1, 1],
    [0, 0, 0, 0, 0],
]


def _similar(table: list[list[int]]) -> np.ndarray:
    dense = np.array(table, dtype=float)
    weighed = dense * np.log(len(dense) / np.maximum(dense.sum(axis=0), 1))
    norms = np.sqrt((weighed**2).sum(axis=1, keepdims=True))
    units = np.divide(weighed, norms, out=np.zeros_like(weighed), where=norms > 0)
    return units @ units.T


def test_one_kernel_for_each_group() -> None:
    """The record that is most like the larger group, then one of the smaller."""
    assert choose_kernels(matrix_of(TABLE), 2).tolist() == [1, 4]


def test_nothing_is_left() -> None:
    """Two records are alike, so that four kernels cover the larger group and one the smaller."""
    found = choose_kernels(matrix_of(TABLE), 7).tolist()
    assert len(found) == 5
    assert len({4, 5} & set(found)) == 1
    assert 6 not in found


def test_near_the_best_choice() -> None:
    """Greedy choices cover at least 1 - 1/e of what the best choice of as many covers."""
    chance = np.random.default_rng(0)
    for _ in range(20):
        table = (chance.random((9, 6)) < 0.4).astype(int).tolist()
        similar = _similar(table)
        best = max(
            similar[list(some)].max(axis=0).sum()
            for some in itertools.combinations(range(len(table)), 3)
        )
        found = choose_kernels(matrix_of(table), 3)
        assert similar[found].max(axis=0).sum() >= (1 - 1 / np.e) * best - 1e-6


def test_candidates_are_drawn() -> None:
    """Of a few candidates alone, the same ones with the same seed."""
    some = choose_kernels(matrix_of(TABLE), 6, candidates=3, seed=1)
    assert len(some) <= 3
    assert some.tolist() == choose_kernels(matrix_of(TABLE), 6, candidates=3, seed=1).tolist()
