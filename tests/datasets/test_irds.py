"""Records, topics and qrels of ir_datasets, which a stand-in is for here."""

import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest

from relsent_ir.datasets import fetch, irds
from relsent_ir.errors import InputError, MissingError, UsageError
from relsent_ir.records import Record, Section, read_records


class Session:
    """As of requests, which ir_datasets downloads with."""

    def send(self) -> str:
        """Download."""
        return "  do mice\n run? "


class Document(NamedTuple):
    """A document, as ir_datasets has it."""

    doc_id: str
    text: str
    year: int


class Dataset:
    """As ir_datasets has them; its topics must be downloaded, its qrels are here."""

    def has_docs(self) -> bool:  # noqa: D102
        return True

    def docs_iter(self) -> Iterator[Any]:  # noqa: D102
        yield Document("a", Session().send(), 1999)

    def has_queries(self) -> bool:  # noqa: D102
        return True

    def has_qrels(self) -> bool:  # noqa: D102
        return True

    def queries_iter(self) -> Iterator[Any]:  # noqa: D102
        yield SimpleNamespace(query_id="1", default_text=lambda: Session().send())
        yield SimpleNamespace(query_id="2", text="rats")

    def qrels_iter(self) -> Iterator[Any]:  # noqa: D102
        yield SimpleNamespace(query_id="1", doc_id="a", relevance=2)
        yield SimpleNamespace(query_id="1", doc_id="b", relevance=0)


@pytest.fixture(autouse=True)
def known(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The datasets that there are."""
    known: dict[str, Any] = {"toy/test": Dataset(), "none": SimpleNamespace()}
    nothing = known["none"]
    nothing.has_docs = nothing.has_queries = nothing.has_qrels = lambda: False
    package = SimpleNamespace(load=lambda name: known[name])
    monkeypatch.setitem(sys.modules, "ir_datasets", package)
    monkeypatch.setitem(sys.modules, "requests", SimpleNamespace(Session=Session))
    irds.file_of.cache_clear()
    return known


def test_download_has_its_flag(tmp_path: Path) -> None:
    """Nothing is downloaded without it, and what refuses downloads goes away again."""
    with pytest.raises(MissingError, match="not on this machine") as raised:
        fetch("irds:toy/test", output=tmp_path)
    assert raised.value.fix == "relsent-ir fetch irds:toy/test --download gets them"
    assert Session().send()
    fetched = fetch("irds:toy/test", output=tmp_path, download=True)
    topics, qrels = tmp_path / "topics/irds-toy-test.tsv", tmp_path / "qrels/irds-toy-test.txt"
    assert (fetched.topics, fetched.qrels) == ({topics: 2}, {qrels: 2})
    assert topics.read_text() == "1\tdo mice run?\n2\trats\n"
    assert qrels.read_text() == "1 0 a 2\n1 0 b 0\n"
    (corpus,) = fetched.files
    assert list(read_records(corpus)) == [Record(id="a", sections=(Section("do mice run?"),))]


def test_what_is_here_needs_none(known: dict[str, Any], tmp_path: Path) -> None:
    """A file with the topics, and one with the qrels."""
    known["toy/test"].queries_iter = lambda: [SimpleNamespace(query_id="7", text="mice")]
    assert irds.file_of("irds:toy/test", "topics").read_text() == "7\tmice\n"
    assert irds.file_of("irds:toy/test", "qrels").read_text().startswith("1 0 a 2")
    assert fetch("irds:toy/test", output=tmp_path).files == ()  # they would be downloaded


def test_what_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No such dataset, one without topics, flags that mean nothing here, no ir_datasets."""
    with pytest.raises(UsageError, match="no dataset nothing"):
        fetch("irds:nothing", output=tmp_path)
    with pytest.raises(InputError, match="neither records nor topics"):
        fetch("irds:none", output=tmp_path)
    with pytest.raises(UsageError, match="leave the others out"):
        fetch("irds:toy/test", output=tmp_path, files="1")
    with pytest.raises(UsageError, match="--download is for"):
        fetch("sample", output=tmp_path, download=True)
    monkeypatch.setitem(sys.modules, "ir_datasets", None)
    with pytest.raises(MissingError, match="need the package") as raised:
        fetch("irds:toy/test", output=tmp_path)
    assert raised.value.fix == "pip install 'relsent-ir[irds]'"
