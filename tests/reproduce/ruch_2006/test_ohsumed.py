"""OHSUMED's way into the experiment of Ruch et al., from invented files in its format."""

from pathlib import Path

import pytest

from relsent_ir.datasets import fetch
from relsent_ir.lucene.analyzers import Analysis
from relsent_ir.lucene.read.index import Index
from reproduce import Request
from reproduce.ruch_2006.systems import ohsumed

ANALYSIS = Analysis("s", ("the",))
ABSTRACTS = {
    "88000001": "We asked what ants eat. We watched ants. Ants ate sugar. In conclusion, ants eat.",
    "88000002": "",
    "88000003": "We asked what bees drink. Bees drank nectar. We conclude that bees drink.",
}


def record(number: int, ui: str, abstract: str) -> str:
    """Write a record; without an abstract it has no .W."""
    text = f".W\n{abstract}\n" if abstract else ""
    return (
        f".I {number}\n.U\n{ui}\n.S\nJ Insects 8803; 4(6):491-5\n.M\nInsects/*ME.\n"
        f".T\nInsects of {ui}.\n.P\nJOURNAL ARTICLE.\n{text}.A\nRossi AB.\n"
    )


def topic(number: int, title: str, desc: str) -> str:
    """Write a topic as the track does."""
    return (
        f"<top>\n<num> Number: OHSU{number}\n<title> {title}\n<desc> Description:\n{desc}\n</top>\n"
    )


FILES = {
    "ohsumed.87": record(1, "87000001", "Flies fly."),
    "ohsumed.88-91": "".join(record(n, *both) for n, both in enumerate(ABSTRACTS.items(), 2)),
    "query.ohsu.1-63": topic(1, "ant farm", "what do ants eat")
    + topic(2, "letter", "a letter on insects")
    + topic(3, "fly", "do flies fly")
    + topic(4, "bee hive", "what do bees drink"),
    "qrels.ohsu.batch.87": "OHSU3\t87000001\t2\n",
    "qrels.ohsu.88-91": "OHSU1\t88000001\t1\nOHSU1\t88000002\t2\nOHSU2\t88000002\t2\n"
    "OHSU4\t88000003\t2\n",
}


@pytest.fixture
def fetched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with OHSUMED fetched into it; three-column qrels become four."""
    monkeypatch.chdir(tmp_path)
    source = tmp_path / "source"
    source.mkdir()
    for name, content in FILES.items():
        (source / name).write_text(content)
    fetch("ohsumed", source=source, output=Path())
    return tmp_path


def test_records_with_abstracts(fetched: Path) -> None:
    """Records of 1988-91 with an abstract, and topics that have a relevant one among them."""
    assert Path("qrels/ohsumed-88-91.txt").read_text().startswith("OHSU1 0 88000001 1\n")
    request = Request(indexes=fetched / "indexes")
    for _ in range(2):  # the second time the index is there
        found = ohsumed(request, ANALYSIS)
        assert found
        folder, topics, qrels = found
        with Index(folder) as index:
            assert sorted(index.ids()) == ["88000001", "88000003"]
            assert index.facts.analysis == ANALYSIS
        assert topics == {
            "OHSU1": "ant farm what do ants eat",
            "OHSU4": "bee hive what do bees drink",
        }
        assert qrels == {"OHSU1": {"88000001": 1}, "OHSU4": {"88000003": 2}}


def test_not_fetched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the files there is nothing, and nothing is built."""
    monkeypatch.chdir(tmp_path)
    assert ohsumed(Request(indexes=tmp_path / "indexes"), ANALYSIS) is None
    assert not (tmp_path / "indexes").exists()
