"""Tests of an index of PubMed that is kept up to date, from a stand-in for NLM's server."""

import gzip
import hashlib
import random
from pathlib import Path
from typing import Any

import pytest

from relsent_ir.cli.main import main
from relsent_ir.datasets import fetch
from relsent_ir.datasets.updating import update_index
from relsent_ir.errors import InputError, MismatchError, RelsentError
from relsent_ir.lucene.read.index import Index
from relsent_ir.lucene.write.indexing import build_index
from relsent_ir.lucene.write.writer import CollectionWriter

ARTICLE = """<PubmedArticle><MedlineCitation><PMID Version="1">{0}</PMID><Article>
<ArticleTitle>{1}</ArticleTitle></Article></MedlineCitation></PubmedArticle>"""


def name(number: int) -> str:
    """Give a file's name."""
    return f"pubmed26n{number:04}.xml.gz"


def xml(titles: dict[int, str], deleted: list[int] | None = None) -> bytes:
    """Give a file with records, and what it withdraws."""
    gone = "".join(f"<PMID>{pmid}</PMID>" for pmid in deleted or [])
    parts = [ARTICLE.format(*item) for item in titles.items()]
    parts += [f"<DeleteCitation>{gone}</DeleteCitation>"] if gone else []
    text = f"<?xml version='1.0'?><PubmedArticleSet>{''.join(parts)}</PubmedArticleSet>"
    return gzip.compress(text.encode(), mtime=0)


def publish(site: Any, folder: str, files: dict[int, bytes]) -> None:
    """Put files on the server, with their sums and the folder's page, beside those there."""
    for number, content in files.items():
        site.pages[f"/{folder}/{name(number)}"] = content
        md5 = hashlib.md5(content).hexdigest()
        site.pages[f"/{folder}/{name(number)}.md5"] = f"MD5({name(number)})= {md5}\n".encode()
    there = [path for path in site.pages if path.startswith(f"/{folder}/pubmed")]
    links = "".join(f'<a href="{path.rpartition("/")[2]}">x</a>\n' for path in there)
    site.pages[f"/{folder}/"] = f"<html><body><pre>{links}</pre></body></html>".encode()


@pytest.fixture
def nlm(site: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A baseline of two files, which is indexed, and two days' updates."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("RELSENT_DATA", raising=False)
    publish(site, "baseline", {1: xml({1: "Mice ran", 2: "Rats ran"}), 2: xml({3: "Cats ran"})})
    publish(
        site,
        "updatefiles",
        {3: xml({1: "Mice slept", 4: "Dogs ran"}), 4: xml({4: "Dogs slept"}, deleted=[2])},
    )
    fetched = fetch("pubmed", url=site.url, output=tmp_path, baseline="all")
    build_index([(path, "pubmed-xml") for path in fetched.files], tmp_path / "index")
    site.requests.clear()
    return site


def titles(folder: Path) -> dict[str, str]:
    """What the index holds."""
    with Index(folder) as index:
        return {record.id: record.title for record in index.records(index.ids())}


DAY_ONE = {"1": "Mice slept", "3": "Cats ran", "4": "Dogs slept"}


def test_day_by_day(nlm: Any, tmp_path: Path) -> None:
    """New, revised, withdrawn; then nothing; then the next day's file alone."""
    done = update_index(tmp_path / "index", url=nlm.url, output=tmp_path)
    assert titles(tmp_path / "index") == DAY_ONE
    assert [(s.records, s.deleted) for s in done.built.read] == [(2, 0), (1, 1)]
    assert done.fetched.new == 2
    nlm.requests.clear()
    assert update_index(tmp_path / "index", url=nlm.url, output=tmp_path).built.read == ()
    publish(nlm, "updatefiles", {5: xml({5: "Cows ran"}, deleted=[3])})
    update_index(tmp_path / "index", url=nlm.url, output=tmp_path)
    assert titles(tmp_path / "index") == {"1": "Mice slept", "4": "Dogs slept", "5": "Cows ran"}
    assert {path for path, _ in nlm.requests if path.endswith(".gz")} == {f"/updatefiles/{name(5)}"}


@pytest.mark.parametrize("seed", range(3))
def test_a_server_in_trouble(nlm: Any, tmp_path: Path, seed: int) -> None:
    """Truncated answers, hang-ups, 429 and 503: the index is what it would be anyway."""
    nlm.faults = ["cut", "drop", 429, 503, *[None] * 8]  # four: after five in a row we give up
    random.Random(seed).shuffle(nlm.faults)
    update_index(tmp_path / "index", url=nlm.url, output=tmp_path)
    assert titles(tmp_path / "index") == DAY_ONE


def test_a_file_that_does_not_match_its_sum(nlm: Any, tmp_path: Path) -> None:
    """Nothing is indexed; when NLM has mended it, the update goes on."""
    right = nlm.pages[f"/updatefiles/{name(4)}"]
    nlm.pages[f"/updatefiles/{name(4)}"] = right[:-9]  # whole for HTTP, cut off all the same
    before = titles(tmp_path / "index")
    with pytest.raises(InputError, match=rf"{name(4)}: its md5 sum is .*partial file was deleted"):
        update_index(tmp_path / "index", url=nlm.url, output=tmp_path)
    assert titles(tmp_path / "index") == before
    nlm.pages[f"/updatefiles/{name(4)}"] = right
    assert len(update_index(tmp_path / "index", url=nlm.url, output=tmp_path).built.read) == 2
    assert titles(tmp_path / "index") == DAY_ONE


def test_an_interrupted_update_goes_on(nlm, tmp_path, monkeypatch):
    """Ctrl-C while the second file is read: the first is in, the second comes the next time."""
    commit, left = CollectionWriter.commit, [2]

    def interrupted(self: CollectionWriter, facts: Any) -> None:
        left[0] -= 1
        if left[0] < 0:
            raise KeyboardInterrupt
        commit(self, facts)

    monkeypatch.setattr(CollectionWriter, "commit", interrupted)
    with pytest.raises(KeyboardInterrupt):
        update_index(tmp_path / "index", url=nlm.url, output=tmp_path)
    monkeypatch.undo()
    assert titles(tmp_path / "index")["4"] == "Dogs ran"
    assert len(update_index(tmp_path / "index", url=nlm.url, output=tmp_path).built.read) == 1
    assert titles(tmp_path / "index") == DAY_ONE


def test_indexes_that_cannot_be_updated(nlm: Any, tmp_path: Path) -> None:
    """None, one of something else, one of another year, one that skipped a file."""

    def fails(
        problem: str, folder: str = "index", kind: type[RelsentError] = MismatchError
    ) -> None:
        with pytest.raises(kind, match=problem):
            update_index(tmp_path / folder, url=nlm.url, output=tmp_path)

    fails("there is no index", "nowhere", InputError)
    other = tmp_path / "other.jsonl"
    other.write_text('{"id": "1", "contents": "Mice"}\n')
    build_index([(other, "jsonl")], tmp_path / "other")
    fails("none of its files is one of PubMed's", "other")
    (tmp_path / name(4)).write_bytes(nlm.pages[f"/updatefiles/{name(4)}"])
    build_index([(tmp_path / name(4), "pubmed-xml")], tmp_path / "index", append=True)
    fails(rf"{name(3)} is not in it, and the newer file 4 is")
    for path in [path for path in nlm.pages if path.startswith("/updatefiles/pubmed")]:
        nlm.pages[path.replace("26n", "27n")] = nlm.pages.pop(path)
    publish(nlm, "updatefiles", {})
    fails("of PubMed 2026, the updates are of 2027")


def test_the_verb(nlm: Any, tmp_path: Path, capsys: Any) -> None:
    """What it says the first time and the second."""
    command = ["update", "--index", str(tmp_path / "index"), "--url", nlm.url]
    assert main(command) == 0
    line = f"{tmp_path}/index: 2 update files, 3 records, 3 sentences, 1 deleted, 0 skipped\n"
    assert capsys.readouterr().out == line
    assert main(command) == 0
    assert capsys.readouterr().out == f"{tmp_path}/index is up to date\n"
    assert sorted(path.name for path in Path("collections/pubmed").iterdir()) == [
        name(n) for n in (1, 2, 3, 4)
    ]
