"""The invented abstracts of the moves' tests."""

from tests.moves.conftest import abstracts, held_out

__all__ = ["abstracts", "held_out"]
