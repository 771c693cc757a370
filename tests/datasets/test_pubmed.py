"""Tests of PubMed's numbered files."""

import gzip
import hashlib
import random
from pathlib import Path
from typing import Any

import pytest

from relsent_ir.datasets import fetch
from relsent_ir.datasets.download import Origin
from relsent_ir.datasets.pubmed import Entry, choose, entries, parse_range
from relsent_ir.errors import InputError, MismatchError, MissingError, UsageError

# The page of NCBI's folders: names, dates and rounded sizes between <pre>.
PAGE = """<html><head><title>Index of /pubmed/baseline</title></head><body>
<pre>Name                     Last modified      Size  <hr>
<a href="/pubmed/">Parent Directory</a>                              -
<a href="README.txt">README.txt</a>               2026-01-30 09:54  4.5K
<a href="pubmed25n0009.xml.gz">pubmed25n0009.xml.gz</a>     2025-01-29 14:48   19M
{files}<a href="stats.html">stats.html</a>
</pre><hr></body></html>"""
LINE = """<a href="{0}">{0}</a>     2026-01-29 14:48   {1}
<a href="{0}.md5">{0}.md5</a> 2026-01-29 14:48   60
"""


def name(number: int) -> str:
    """Give a file's name."""
    return f"pubmed26n{number:04}.xml.gz"


def content(number: int) -> bytes:
    """Give a file's invented bytes."""
    return gzip.compress(b"<PubmedArticleSet/>" * number, mtime=0)


def serve(site: Any, folder: str, number: int, of: int | None = None) -> None:
    """Serve a file, and the sum of a file's contents beside it."""
    path = f"/{folder}{name(number)}"
    site.pages[path] = content(number if of is None else of)
    md5 = hashlib.md5(site.pages[path]).hexdigest()
    site.pages[f"{path}.md5"] = f"MD5({name(number)})= {md5}\n".encode()


@pytest.fixture
def baseline(site: Any) -> Any:
    """Serve a baseline of five files, number 4 missing."""
    numbers = [1, 2, 3, 5, 6]
    files = "".join(LINE.format(name(n), f"{n}.5M") for n in reversed(numbers))
    site.pages["/"] = PAGE.format(files=files).encode()
    for n in numbers:
        serve(site, "", n)
    return site


@pytest.mark.parametrize(
    ("text", "pairs"),
    [("all", []), ("3", [(3, 3)]), ("1-20,35", [(1, 20), (35, 35)]), ("7-7, 1", [(7, 7), (1, 1)])],
)
def test_ranges_are_read(text: str, pairs: list[tuple[int, int]]) -> None:
    """Numbers and ranges between commas, or all."""
    assert parse_range(text) == pairs


@pytest.mark.parametrize("text", ["", "x", "5-2", "1-", "-3", "1,,2", "1-2-3", "1.5", "9" * 5000])
def test_what_is_no_range_is_a_usage_error(text: str) -> None:
    """The flag is named, with an example."""
    with pytest.raises(UsageError, match=r"--files .*such as 1-20,35"):
        parse_range(text)


def test_the_folders_page_gives_the_newest_years_files(baseline: Any) -> None:
    """By number, with sizes; last year's left-over is not among them."""
    listed = entries(Origin(baseline.url))
    mega = 1 << 20
    assert listed[0] == Entry("pubmed26n0001.xml.gz", "26", 1, mega * 3 // 2)
    assert [entry.number for entry in listed] == [1, 2, 3, 5, 6]


@pytest.mark.parametrize("size", ["1.2.3M", "-", "M", "9" * 400, "nan", "1e3"])
def test_sizes_that_are_none(baseline: Any, size: str) -> None:
    """A mirror's page whose sizes cannot be read still lists the files."""
    baseline.pages["/"] = PAGE.format(files=LINE.format(name(1), size)).encode()
    assert entries(Origin(baseline.url)) == [Entry(name(1), "26", 1, None)]


def test_numbers_choose_files() -> None:
    """A range takes what lies in it; its ends must be there."""
    listed = [Entry(name(n), "26", n, None) for n in (1, 2, 3, 5)]
    assert [entry.number for entry in choose(listed, [(2, 5)])] == [2, 3, 5]
    assert [entry.number for entry in choose(listed, [(5, 5), (1, 1), (1, 2)])] == [1, 2, 5]
    assert choose(listed, []) == listed
    with pytest.raises(UsageError, match=r"no file 4 \(there are 4 files, numbers 1 to 5\)"):
        choose(listed, [(1, 4)])


def test_the_chosen_files_are_fetched_and_checked_once(baseline: Any, tmp_path: Path) -> None:
    """A second call fetches only what is new, or has changed at NLM."""
    seen = []
    fetched = fetch(
        "pubmed-baseline",
        output=tmp_path,
        url=baseline.url,
        files="2-3",
        tick=lambda done, total: seen.append(done),
    )
    folder = tmp_path / "collections" / "pubmed-baseline"
    assert fetched.files == (folder / name(2), folder / name(3))
    assert (fetched.folder, fetched.new, fetched.topics, fetched.qrels) == (folder, 2, {}, {})
    assert [path.read_bytes() for path in fetched.files] == [content(2), content(3)]
    assert sorted(path.name for path in folder.iterdir()) == [name(2), name(3)]
    assert seen == sorted(seen)
    assert seen[-1] == len(content(2)) + len(content(3))

    serve(baseline, "", 3, of=7)
    baseline.pages[f"/{name(3)}.md5"] = baseline.pages[f"/{name(3)}.md5"].upper()
    again = fetch("pubmed-baseline", output=tmp_path, url=baseline.url, files="1-3")
    assert again.new == 2
    assert again.files[2].read_bytes() == content(7)


def test_fetches_that_are_refused(baseline: Any, tmp_path: Path) -> None:
    """Without files the extent is said; a wrong sum, or none, stops the fetch."""
    with pytest.raises(UsageError, match=r"5 files, numbers 1 to 6, about 0.0 GB \(choose with"):
        fetch("pubmed-baseline", output=tmp_path, url=baseline.url)
    assert len(baseline.requests) == 1
    baseline.pages[f"/{name(2)}.md5"] = b"0" * 32
    with pytest.raises(InputError, match=rf"{name(2)}: its md5 sum is .* where 0{{32}} is"):
        fetch("pubmed-updates", output=tmp_path, url=baseline.url, files="all", connections=1)
    folder = tmp_path / "collections" / "pubmed-updates"
    assert [path.name for path in folder.iterdir()] == [name(1)]
    baseline.pages[f"/{name(1)}.md5"] = b"<html>moved</html>"
    with pytest.raises(InputError, match=r"\.md5: there is no MD5 sum"):
        fetch("pubmed-baseline", output=tmp_path, url=baseline.url, files="1")


@pytest.mark.parametrize("page", [b"", b"<!-- -->", b"<html>Welcome</html>", b"\x00\xff"])
def test_a_page_without_files_is_a_missing_error(site: Any, tmp_path: Path, page: bytes) -> None:
    """A mirror's address that leads elsewhere is named."""
    site.pages["/"] = page
    with pytest.raises(MissingError, match=rf"{site.url}: there are no files"):
        fetch("pubmed-baseline", output=tmp_path, url=site.url, files="all")


def test_files_come_from_a_folder_with_their_sums(tmp_path: Path) -> None:
    """A file without its .md5 beside it is refused; so is a folder without files."""
    source = tmp_path / "from"
    source.mkdir()
    with pytest.raises(InputError, match="from: there are no files"):
        fetch("pubmed-baseline", output=tmp_path, source=source, files="all")
    (source / name(1)).write_bytes(content(1))
    with pytest.raises(InputError, match=r"n0001.xml.gz.md5: cannot read the sum"):
        fetch("pubmed-baseline", output=tmp_path, source=source, files="all")
    (source / f"{name(1)}.md5").write_text(hashlib.md5(content(1)).hexdigest())
    fetched = fetch("pubmed-baseline", output=tmp_path, source=source, files="all")
    assert fetched.files[0].read_bytes() == content(1)


@pytest.fixture
def nlm(site: Any) -> Any:
    """Serve a baseline of numbers 1 to 3 and updates of 4 to 6, with their sums."""
    for folder, numbers in (("baseline", (1, 2, 3)), ("updatefiles", (4, 5, 6))):
        files = "".join(LINE.format(name(n), "1K") for n in numbers)
        site.pages[f"/{folder}/"] = PAGE.format(files=files).encode()
        for n in numbers:
            serve(site, f"{folder}/", n)
    return site


def test_baseline_and_updates_come_into_one_folder(nlm: Any, tmp_path: Path) -> None:
    """In the order in which they are to be indexed; a second call fetches nothing."""
    settings = {"output": tmp_path, "url": nlm.url, "baseline": "2-3", "updates": "all"}
    fetched = fetch("pubmed", connections=3, **settings)
    assert [path.name for path in fetched.files] == [name(n) for n in (2, 3, 4, 5, 6)]
    assert sorted(fetched.folder.iterdir()) == list(fetched.files)
    assert [path.read_bytes() for path in fetched.files] == [content(n) for n in (2, 3, 4, 5, 6)]
    assert fetched.new == 5
    assert fetch("pubmed", **settings).new == 0


def test_what_pubmed_has_is_said(nlm: Any, tmp_path: Path) -> None:
    """Without a choice both extents; each flag is named in its mistakes; years must agree."""
    settings = {"output": tmp_path, "url": nlm.url}
    with pytest.raises(
        UsageError, match=r"baseline has 3 files, .* 1 to 3.*updatefiles has 3 files"
    ):
        fetch("pubmed", **settings)
    with pytest.raises(UsageError, match=r"--updates: there is no file 3"):
        fetch("pubmed", updates="3", **settings)
    with pytest.raises(UsageError, match=r"--baseline '1-x': '1-x' is no range"):
        fetch("pubmed", baseline="1-x", **settings)
    with pytest.raises(UsageError, match="--baseline and --updates choose files of pubmed"):
        fetch("pubmed-baseline", baseline="1", **settings)
    with pytest.raises(UsageError, match="--files chooses PubMed's files"):
        fetch("pubmed", files="1", **settings)
    files = LINE.format("pubmed27n0004.xml.gz", "1K")
    nlm.pages["/updatefiles/"] = PAGE.format(files=files).encode()
    with pytest.raises(MismatchError, match="of different years, 2026 and 2027"):
        fetch("pubmed", baseline="all", updates="all", **settings)


@pytest.mark.parametrize("seed", range(4))
def test_a_server_in_trouble(nlm: Any, tmp_path: Path, seed: int) -> None:
    """Cut connections, 429 and 503 at any moment: all files come, whole."""
    nlm.faults = ["cut", "drop", 429, 503, *[None] * 8]  # four: after five in a row we give up
    random.Random(seed).shuffle(nlm.faults)
    fetched = fetch("pubmed", output=tmp_path, url=nlm.url, baseline="all", updates="all")
    assert [path.read_bytes() for path in fetched.files] == [content(n) for n in range(1, 7)]
    assert sorted(fetched.folder.iterdir()) == list(fetched.files)


def test_a_sum_that_is_wrong_once(nlm: Any, tmp_path: Path) -> None:
    """NLM may be about to replace a file: it is fetched anew, with its sum."""
    right = nlm.pages[f"/baseline/{name(2)}.md5"]
    nlm.pages[f"/baseline/{name(2)}.md5"] = b"0" * 32

    class Mending(list):
        """The requests; the sum is right after the file has been sent."""

        def append(self, request: Any) -> None:
            if (request[0].endswith(name(2) + ".md5")) and request in self:
                nlm.pages[request[0]] = right
            super().append(request)

    nlm.requests = Mending()
    fetched = fetch("pubmed", output=tmp_path, url=nlm.url, baseline="2")
    assert fetched.files[0].read_bytes() == content(2)


def test_an_interrupted_fetch_goes_on(nlm: Any, tmp_path: Path) -> None:
    """What was whole stays, what was begun is continued."""
    nlm.pages[f"/baseline/{name(3)}.md5"] = b"0" * 32
    with pytest.raises(InputError, match="md5"):
        fetch("pubmed", output=tmp_path, url=nlm.url, baseline="all", connections=1)
    serve(nlm, "baseline/", 3)
    nlm.requests.clear()
    assert fetch("pubmed", output=tmp_path, url=nlm.url, baseline="all").new == 1
    asked = {path for path, _ in nlm.requests if path.endswith(".gz")}
    assert asked == {f"/baseline/{name(3)}"}
