"""Sums in one order: linear algebra on one thread, so that the same input gives the same bytes."""

from contextlib import AbstractContextManager
from functools import cache
from typing import Any


def one_thread() -> AbstractContextManager[Any]:
    """Keep BLAS to one thread inside the block."""
    limited: AbstractContextManager[Any] = _controller().limit(limits=1, user_api="blas")
    return limited


@cache
def _controller() -> Any:
    from threadpoolctl import ThreadpoolController  # scikit-learn's dependency

    return ThreadpoolController()
