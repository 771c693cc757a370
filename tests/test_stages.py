"""Stages are made once while they are shared, and each time otherwise."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from relsent_ir.stages import is_sharing, shared, shared_open, sharing


def test_shared() -> None:
    """One key, one value, in one block."""
    made: list[int] = []

    def make() -> int:
        made.append(len(made))
        return made[-1]

    assert [shared("a", make), shared("a", make)] == [0, 1]
    with sharing():
        assert is_sharing()
        assert [shared("a", make), shared("b", make), shared("a", make)] == [2, 3, 2]
        with sharing():
            assert shared("a", make) == 2
    assert not is_sharing()
    assert shared("a", make) == 4


def test_shared_open() -> None:
    """What is open stays open until the outer block ends, also when it ends badly."""
    events: list[str] = []

    @contextmanager
    def opening() -> Iterator[str]:
        events.append("open")
        yield "it"
        events.append("close")

    with shared_open("a", opening) as value:
        assert value == "it"
    assert events == ["open", "close"]
    events.clear()
    with sharing():
        for _ in range(2):
            with shared_open("a", opening) as value:
                assert value == "it"
        assert events == ["open"]
    assert events == ["open", "close"]
    with pytest.raises(RuntimeError), sharing():
        raise RuntimeError
    assert not is_sharing()
