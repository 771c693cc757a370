"""What pages of several experiments share."""

import pytest

from relsent_ir.related.training import huber


@pytest.fixture
def roughly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Huber's cost is minimised in a few steps: no figure of invented records is looked at."""
    monkeypatch.setattr(huber, "_MOST_STEPS", 3)
    monkeypatch.setattr(huber, "_MOST_INNER", 10)
