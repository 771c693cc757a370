"""What a model's columns mean, recorded and checked."""

from pathlib import Path
from typing import Any

import pytest

from relsent_ir.errors import MismatchError
from relsent_ir.models import Stored, check_columns, digest, figures

TOLD = {"length": [1.0, 0.25], "cues": "0a1b"}


def _stored(**facts: Any) -> Stored:
    return Stored(Path("models/m"), "test", facts, {})


def test_unchanged() -> None:
    """Values that agree to six digits are the same."""
    check_columns(_stored(columns=TOLD), {"length": [1.0 + 1e-8, 0.25], "cues": "0a1b"})


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"length": [1.0, 0.26], "cues": "0a1b"}, "other features than this version's: length"),
        ({"length": [1.0, 0.25], "cues": "0a1c"}, "other features than this version's: cues"),
        ({"length": [1.0], "cues": "0a1b"}, "this version's: length"),
        ({"length": "0a", "cues": "0a1b"}, "this version's: length"),
        ({**TOLD, "new": [1.0]}, "this version's: new"),
        ({"cues": "0a1b"}, "this version's: length"),
        ({"cues": "0a1b", "length": [1.0, 0.25]}, "this version's: their order"),
        ({}, "this version's: length, cues"),
    ],
)
def test_changed(columns: dict[str, Any], message: str) -> None:
    """A value, a digest, a column more or less, or another order: one line says to train again."""
    with pytest.raises(MismatchError, match=message) as raised:
        check_columns(_stored(columns=TOLD), columns)
    assert str(raised.value).startswith("models/m: ")
    assert str(raised.value).endswith("(train it again with this version)")


def test_not_recorded() -> None:
    """A model of before is refused too."""
    with pytest.raises(MismatchError, match="does not say what its features are"):
        check_columns(_stored(), TOLD)


def test_helpers() -> None:
    """Nine digits; sets in any order have one digest."""
    assert figures([1 / 3, 2.0]) == [0.333333333, 2.0]
    assert digest(frozenset("ab"), 1) == digest(frozenset("ba"), 1) != digest(frozenset("ab"), 2)
