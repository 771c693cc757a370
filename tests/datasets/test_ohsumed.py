"""Tests of fetching OHSUMED; its files here are invented, in the form that NIST documents."""

import gzip
import hashlib
import io
import tarfile
from pathlib import Path
from typing import Any

import pytest

from relsent_ir.datasets import fetch, ohsumed
from relsent_ir.datasets.download import Checksum
from relsent_ir.errors import InputError


def topic(number: str, title: str, desc: str) -> str:
    """Write a topic as the track does."""
    return (
        f"<top>\n<num> Number: {number}\n<title> {title}\n<desc> Description:\n{desc}\n</top>\n\n"
    )


CONTENTS = {
    "trec9-train/ohsumed.87": ".I 1\n.U\n87000001\n.T\nAn invented title.\n",
    "trec9-train/query.ohsu.1-63": topic("OHSU1", "tall man", "is tea good")
    + topic("OHSU2", "short man", "is coffee bad"),
    "trec9-train/query.mesh.1-4904": topic("MSH1", "Tea", "a drink"),
    "trec9-train/qrels.ohsu.batch.87": "OHSU1\t87000001\t2\n",
    "trec9-train/qrels.ohsu.adapt.87": "OHSU1\t87000001\t2\n",
    "trec9-test/ohsumed.88-91": ".I 2\n.U\n88000001\n.T\nAnother title.\n",
    "trec9-test/qrels.ohsu.88-91": "OHSU1\t88000001\t1\nOHSU2\t88000001\t2\n",
    "pre-test/query.ohsu.test.1-43": topic("OHSU3", "old man", "is water wet"),
    "pre-test/qrels.ohsu.test.87": "OHSU3\t87000001\t1\n",
}
LINK = "ohsu-trec/pre-test/ohsumed.87"


@pytest.fixture
def archive(monkeypatch: pytest.MonkeyPatch) -> bytes:
    """Pack the files as NIST did, a link among them, and make its sum the right one."""
    monkeypatch.delenv("RELSENT_DATA", raising=False)
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w:gz") as tar:
        link = tarfile.TarInfo(LINK)
        link.type, link.linkname = tarfile.SYMTYPE, "../trec9-train/ohsumed.87"
        tar.addfile(link)
        for name, content in CONTENTS.items():
            info = tarfile.TarInfo("ohsu-trec/" + name)
            info.size = len(content)
            tar.addfile(info, io.BytesIO(content.encode()))
    packed = file.getvalue()
    sum_ = Checksum("sha256", hashlib.sha256(packed).hexdigest(), len(packed))
    monkeypatch.setattr(ohsumed, "CHECKSUM", sum_)
    return packed


def written(output: Path, kind: str) -> dict[str, str]:
    """Read the topics or the qrels."""
    return {path.name: path.read_text() for path in (output / kind).iterdir()}


TOPICS = {
    "ohsumed.tsv": "OHSU1\ttall man is tea good\nOHSU2\tshort man is coffee bad\n",
    "ohsumed-pretest.tsv": "OHSU3\told man is water wet\n",
}
QRELS = {
    "ohsumed.txt": "OHSU1 0 87000001 2\nOHSU1 0 88000001 1\nOHSU2 0 88000001 2\n",
    "ohsumed-87.txt": "OHSU1 0 87000001 2\n",
    "ohsumed-88-91.txt": "OHSU1 0 88000001 1\nOHSU2 0 88000001 2\n",
    "ohsumed-pretest.txt": "OHSU3 0 87000001 1\n",
}


def test_it_comes_from_the_web_and_only_once(site: Any, tmp_path: Path, archive: bytes) -> None:
    """Records, topics (title and description) and four-column qrels; MeSH topics stay out."""
    site.pages["/t9.filtering.tar.gz"] = archive
    fetched = fetch("ohsumed", url=site.url, output=tmp_path)
    folder = tmp_path / "collections" / "ohsumed"
    assert fetched.files == (folder / "ohsumed.87", folder / "ohsumed.88-91")
    assert sorted(folder.iterdir()) == sorted(fetched.files)
    assert fetched.files[0].read_text() == CONTENTS["trec9-train/ohsumed.87"]
    assert fetched.new == 2
    assert written(tmp_path, "topics") == TOPICS
    assert written(tmp_path, "qrels") == QRELS
    assert {path.name: number for path, number in fetched.topics.items()} == {
        "ohsumed.tsv": 2,
        "ohsumed-pretest.tsv": 1,
    }
    assert {path.name: number for path, number in fetched.qrels.items()} == {
        name: len(text.splitlines()) for name, text in QRELS.items()
    }
    assert fetch("ohsumed", url=site.url, output=tmp_path).new == 0
    assert len(site.requests) == 1


@pytest.mark.parametrize("form", ["file", "folder"])
def test_an_archive_at_hand_is_used(tmp_path: Path, archive: bytes, form: str) -> None:
    """Named itself, or the folder that it lies in; it is not copied."""
    source = tmp_path / "from"
    source.mkdir()
    (source / "t9.filtering.tar.gz").write_bytes(archive)
    if form == "file":
        source /= "t9.filtering.tar.gz"
    fetch("ohsumed", source=source, output=tmp_path)
    assert written(tmp_path, "qrels") == QRELS
    originals = tmp_path / "collections" / "originals" / "ohsumed"
    assert "t9.filtering.tar.gz" not in {path.name for path in originals.iterdir()}


def test_extracted_files_are_used_without_the_pretest(tmp_path: Path, archive: bytes) -> None:
    """In whatever folders, gzipped or not; what is optional may be missing."""
    source = tmp_path / "from"
    for name, content in CONTENTS.items():
        if not name.startswith("pre-test"):
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            (source / name).write_text(content)
    large = source / "trec9-test" / "ohsumed.88-91"
    large.with_name("ohsumed.88-91.gz").write_bytes(gzip.compress(large.read_bytes()))
    large.unlink()
    fetched = fetch("ohsumed", source=source, output=tmp_path)
    assert fetched.files[1].read_text() == CONTENTS["trec9-test/ohsumed.88-91"]
    assert written(tmp_path, "topics") == {"ohsumed.tsv": TOPICS["ohsumed.tsv"]}
    assert set(written(tmp_path, "qrels")) == set(QRELS) - {"ohsumed-pretest.txt"}


def test_a_file_that_is_missing_is_named(tmp_path: Path, archive: bytes) -> None:
    """An empty folder lacks all that is not optional."""
    source = tmp_path / "from"
    source.mkdir()
    with pytest.raises(
        InputError, match=r"from: there is no ohsumed\.87 and no .*query\.ohsu\.1-63"
    ):
        fetch("ohsumed", source=source, output=tmp_path)
    assert not (tmp_path / "topics").exists()


def test_an_archive_with_another_sum_is_refused(tmp_path: Path, archive: bytes) -> None:
    """The way round it is named."""
    source = tmp_path / "t9.filtering.tar.gz"
    source.write_bytes(archive[:-1])
    with pytest.raises(InputError, match=r"t9.filtering.tar.gz: the file has .*unpack it"):
        fetch("ohsumed", source=source, output=tmp_path)
