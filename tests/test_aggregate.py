"""How sentences make a record's score."""

import numpy as np
import pytest

from relsent_ir.aggregate import BEST, Aggregate
from relsent_ir.errors import UsageError

NAN = np.nan
SCORES = np.array([3.0, -1.0, 2.0, 5.0, NAN, NAN, 4.0])
SIZES = np.array([3, 1, 1, 2])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("best", [3, 5, NAN, 4]),
        ("mean:1", [3, 5, NAN, 4]),
        ("mean:2", [2.5, 5, NAN, 4]),
        ("mean:9", [4 / 3, 5, NAN, 4]),
        ("sum:0", [5, 5, NAN, 4]),
        ("sum:2.5", [0.5, 2.5, NAN, 1.5]),
        ("sum:9", [0, 0, NAN, 0]),
        ("decay:1", [4, 5, NAN, 4]),
        ("decay:0.5", [3 + 1 - 0.25, 5, NAN, 4]),
    ],
)
def test_by_hand(text: str, expected: list[float]) -> None:
    """Sentences without a score are passed over; a record of such has none."""
    np.testing.assert_allclose(Aggregate.parse(text)(SCORES, SIZES), expected)


def test_nothing() -> None:
    """No records, no scores."""
    assert len(BEST(np.zeros(0), np.zeros(0, dtype=int))) == 0


@pytest.mark.parametrize(
    "text",
    ["", "worst", "best:1", "mean", "mean:0", "mean:1.5", "sum:", "sum:nan", "decay:0", "decay:2"],
)
def test_mistakes(text: str) -> None:
    """One line says what there is."""
    with pytest.raises(UsageError, match="best, mean:K"):
        Aggregate.parse(text)
