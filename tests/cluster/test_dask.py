"""The cluster itself: order, errors, workers that die, and what is not there."""

import sys
from functools import partial
from importlib import import_module
from operator import methodcaller
from pathlib import Path

import pytest

from relsent_ir import cluster as module
from relsent_ir.cluster import Dask
from relsent_ir.errors import MismatchError, MissingError, UsageError

UPPER = partial(methodcaller, "upper")


@pytest.mark.slow
def test_order_and_errors(cluster: Dask) -> None:
    """Results come in the items' order; what an item raises is raised in its turn."""
    assert list(cluster.map(UPPER, ["b", "a"] * 20)) == ["B", "A"] * 20
    found = cluster.map(UPPER, ["a", 7, "b"])
    assert next(found) == "A"
    with pytest.raises(AttributeError):
        next(found)
    with pytest.raises(UsageError, match="a worker cannot receive the work"):
        list(cluster.map(lambda: len, ["a"]))


@pytest.mark.slow
def test_work_that_ends_all_workers(cluster: Dask) -> None:
    """One line says so, and the cluster is there for the next."""
    with pytest.raises(MissingError, match="ended again and again over the same work"):
        list(cluster.map(import_module("mortal_work").ending, [3]))
    assert list(cluster.map(UPPER, ["a"])) == ["A"]


@pytest.mark.slow
def test_other_versions_and_threads(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker with another version is not worked with."""
    monkeypatch.setattr(module, "__version__", "0.0.1")
    with pytest.raises(MismatchError, match=r"this is 0\.0\.1"):
        Dask(address).__enter__()


def test_nobody_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """A scheduler that does not answer, an address that is none, TLS without certificates."""
    monkeypatch.setattr(module, "_TIMEOUT", 0.3)
    with pytest.raises(MissingError, match=r"no scheduler answers at tcp://127\.0\.0\.1:9"):
        Dask("9").__enter__()
    for wrong in ("nowhere", "http://a:1", ""):
        with pytest.raises(UsageError, match="cannot read --scheduler"):
            Dask(wrong)
    with pytest.raises(UsageError, match="needs --tls-ca"):
        Dask("tls://a:1")
    with pytest.raises(MissingError, match=r"no scheduler answers at tls|No such file"):
        Dask("127.0.0.1:9", (Path("none.pem"),) * 3).__enter__()


def test_without_dask(monkeypatch: pytest.MonkeyPatch) -> None:
    """The line says what to type."""
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(MissingError, match=r"pip install 'relsent-ir\[cluster\]'"):
        list(Dask("127.0.0.1:8786").map(UPPER, ["a"]))
