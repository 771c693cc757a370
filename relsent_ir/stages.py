"""Stages that several settings of a method share are computed once while the settings are tried.

A verb asks for a stage with `shared`; outside of a `sharing` block it is computed each time::

    with sharing():
        for k in (5, 10, 20):
            first = shared(("BM25", index.folder), lambda: searcher.search(topics))
"""

from collections.abc import Callable, Hashable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar

T = TypeVar("T")


class _Stages:
    def __init__(self) -> None:
        self.made: dict[Hashable, Any] = {}
        self.open = ExitStack()


_stages: ContextVar[_Stages | None] = ContextVar("stages", default=None)


@contextmanager
def sharing() -> Iterator[None]:
    """Keep what `shared` and `shared_open` make, until the block ends."""
    stages = _stages.get()
    if stages is not None:
        yield
        return
    stages = _Stages()
    token = _stages.set(stages)
    try:
        with stages.open:
            yield
    finally:
        _stages.reset(token)


def is_sharing() -> bool:
    """Whether a `sharing` block is around."""
    return _stages.get() is not None


def shared(key: Hashable, make: Callable[[], T]) -> T:
    """Give what was made for this key, or make it.

    Parameters
    ----------
    key : hashable
        All that the stage depends on.
    """
    stages = _stages.get()
    if stages is None:
        return make()
    if key not in stages.made:
        stages.made[key] = make()
    made: T = stages.made[key]
    return made


@contextmanager
def shared_open(key: Hashable, make: Callable[[], AbstractContextManager[T]]) -> Iterator[T]:
    """Open something for a block; while stages are shared, it stays open for the next block."""
    stages = _stages.get()
    if stages is None:
        with make() as value:
            yield value
    else:
        yield shared(key, lambda: stages.open.enter_context(make()))
