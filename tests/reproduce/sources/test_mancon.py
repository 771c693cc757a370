"""Tests of fetching ManConCorpus; its files here are invented."""

import hashlib
from pathlib import Path
from typing import Any

import pytest

from relsent_ir.datasets.download import Checksum, Origin
from relsent_ir.errors import InputError, MissingError
from relsent_ir.records import read_records
from relsent_ir.trec import read_qrels, read_topics
from reproduce.sources import mancon
from reproduce.sources.mancon import read_claims

CLAIMS = (("Does murinol help?", "7"), ("Is salt bad?", "8"), ("Does murinol help?", "9"))


def corpus(claims: tuple[tuple[str, str], ...] = CLAIMS) -> bytes:
    """Write claims as ManConCorpus has them."""
    parts = (f'<CLAIM PMID="{pmid}" QUESTION="{text}">So it is.</CLAIM>' for text, pmid in claims)
    return f"<CORPUS><REVIEW>{''.join(parts)}</REVIEW></CORPUS>".encode()


def records(*pmids: str) -> bytes:
    """Write records as PubMed has them."""
    parts = (
        f"<PubmedArticle><MedlineCitation><PMID>{pmid}</PMID><Article><ArticleTitle>On mice"
        "</ArticleTitle></Article></MedlineCitation></PubmedArticle>"
        for pmid in pmids
    )
    return f"<PubmedArticleSet>{''.join(parts)}</PubmedArticleSet>".encode()


@pytest.fixture(autouse=True)
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the invented corpus the right one, and a request two records long."""
    content = corpus()
    digest = hashlib.sha256(content).hexdigest()
    monkeypatch.setattr(mancon, "SUM", Checksum("sha256", digest, len(content)))
    monkeypatch.setattr(mancon, "BATCH", 2)
    monkeypatch.delenv("RELSENT_DATA", raising=False)


def put(folder: Path, **contents: bytes) -> Path:
    """Write files, with their names' dots and dashes."""
    folder.mkdir(exist_ok=True)
    for name, content in contents.items():
        (folder / f"{name.replace('__', '-')}.xml").write_bytes(content)
    return folder


def test_from_a_folder(tmp_path: Path) -> None:
    """Questions are topics, their PMIDs qrels; the second time nothing is new."""
    source = put(
        tmp_path / "from",
        sample_mancon_xml=corpus(),
        mancon__1=records("7", "8"),
        mancon__2=records("9"),
    )
    fetched = mancon.fetch(Origin(mancon.WEB, source), tmp_path, lambda *_: None)
    assert [path.name for path in fetched.files] == ["mancon-1.xml", "mancon-2.xml"]
    assert [r.id for path in fetched.files for r in read_records(path)] == ["7", "8", "9"]
    assert sorted(path.name for path in fetched.folder.iterdir()) == [
        "mancon-1.xml",
        "mancon-2.xml",
    ]
    (topics,), (qrels,) = fetched.topics, fetched.qrels
    assert read_topics(topics) == {"1": "Does murinol help?", "2": "Is salt bad?"}
    assert {t: dict(of) for t, of in read_qrels(qrels).items()} == {
        "1": {"7": 1, "9": 1},
        "2": {"8": 1},
    }
    assert fetched.new == 2
    assert mancon.fetch(Origin(mancon.WEB, source), tmp_path, lambda *_: None).new == 0


def test_from_the_web(site: Any, tmp_path: Path) -> None:
    """The corpus, then the records by PMID, a batch a request; what is there is not asked for."""
    efetch = "/x/efetch.fcgi?db=pubmed&retmode=xml&id="
    site.pages = {
        "/x/sample_mancon_xml.xml": corpus(),
        f"{efetch}7,8": records("7"),  # PubMed has withdrawn one
        f"{efetch}9": records("9"),
    }
    fetched = mancon.fetch(Origin(site.url + "x/"), tmp_path, lambda *_: None)
    assert fetched.new == 2
    assert [path for path, _ in site.requests] == list(site.pages)
    site.requests.clear()
    assert mancon.fetch(Origin(site.url + "x/"), tmp_path, lambda *_: None).new == 0
    assert site.requests == []


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (records("7", "5"), "record 5 was not asked for"),
        (records(), "no record"),
        (b"<html>busy</html>", "no record"),
    ],
)
def test_what_pubmed_should_not_give(content, problem, site, tmp_path):
    """It is named, and not kept."""
    site.pages = {
        "/sample_mancon_xml.xml": corpus(),
        "/efetch.fcgi?db=pubmed&retmode=xml&id=7,8": content,
    }
    with pytest.raises(InputError, match=rf"mancon-1\.xml: .*{problem}"):
        mancon.fetch(Origin(site.url), tmp_path, lambda *_: None)
    assert list((tmp_path / "collections" / "mancon").iterdir()) == []


def test_what_is_missing(site: Any, tmp_path: Path) -> None:
    """A server without the corpus, a folder without records, a corpus that is another."""
    with pytest.raises(MissingError, match="404"):
        mancon.fetch(Origin(site.url), tmp_path, lambda *_: None)
    source = put(tmp_path / "from", sample_mancon_xml=corpus())
    with pytest.raises(InputError, match=r"mancon-1\.xml: cannot read"):
        mancon.fetch(Origin(mancon.WEB, source), tmp_path, lambda *_: None)
    with pytest.raises(InputError, match="none: there is no such file"):
        read_claims(tmp_path / "none")
    with pytest.raises(InputError, match="is a folder"):
        read_claims(tmp_path)
    put(source, sample_mancon_xml=corpus(CLAIMS[:1]))
    with pytest.raises(InputError, match="sample_mancon_xml"):
        mancon.fetch(Origin(mancon.WEB, source), tmp_path / "other", lambda *_: None)
