"""The page of themes, from small invented collections in the place of the real ones."""

import gzip
from pathlib import Path

import pytest

from relsent_ir.hits import Hits
from relsent_ir.records import Record, Section
from reproduce import Request, reproduce
from reproduce.shatkay_wilbur_2000.examples import COMPLICATIONS
from reproduce.shatkay_wilbur_2000.systems import Kernels, draw, halves

SUBJECTS = (
    "ant nest queen larva",
    "bee hive honey wax",
    "wasp sting venom paper",
    "fly egg wing eye",
)
FILLERS = ("cold", "warm", "small", "large", "old", "young", "early", "late")


def _title(number: int) -> str:
    subject = SUBJECTS[number % 4].split()
    filler = [FILLERS[(number // 4 + i) % 8] for i in range(3)]
    return " ".join((*subject, *filler)).capitalize() + "."


@pytest.fixture
def collections(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder as the experiment expects it."""
    folder = tmp_path / "cystic-fibrosis"
    folder.mkdir()
    numbers = sorted({*range(1, 41), *map(int, COMPLICATIONS)})
    for year in range(74, 80):
        lines = [
            f"PN {year}{n:03}\nRN {n:05}\nTI {_title(n)}\nAB {_title(n)} {_title(n + 4)}\n\n"
            for n in numbers[year - 74 :: 6]
        ]
        (folder / f"cf{year}").write_text("".join(lines))
    queries = []
    for query in range(4):
        relevant = [n for n in numbers if n % 4 == query]
        pairs = " ".join(f"{n} 1000" for n in relevant)
        text = SUBJECTS[query].split()[0]
        queries.append(f"QN {query + 1:05}\nQU {text}\nNR {len(relevant):05}\nRD {pairs}\n\n")
    (folder / "cfquery").write_text("".join(queries))
    (tmp_path / "abstracts").mkdir()
    lines = []
    for n in range(60):
        labels = (f"Cohen:Drug{n % 4}:abstract=1",) if n % 2 else (f"C0{n % 4 + 1}",)
        record = Record(f"a{n}", _title(n), sections=(Section(_title(n + 4)),), labels=labels)
        lines.append(record.to_json() + "\n")
    path = tmp_path / "abstracts" / "abstracts.jsonl.gz"
    path.write_bytes(gzip.compress("".join(lines).encode()))
    monkeypatch.setenv("RELSENT_DATA", str(tmp_path))
    return tmp_path


def test_page(collections: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All parts are there, with their plots, and the same again."""
    monkeypatch.chdir(collections)
    steps: list[int] = []
    request = Request(
        indexes=collections / "indexes", progress=lambda done, _total: steps.append(done)
    )
    path = reproduce("shatkay-wilbur-2000", request, collections / "results")
    page = path.read_text(encoding="utf-8")
    for title in (
        "Ten kernels",
        "mean of the sets",
        "Quality: results",
        "collapse",
        "Several",
        "first hits",
    ):
        assert title in page
    assert "| 193: pneumothorax |" in page
    for row in ("| pmra |", "| Rocchio |", "| themes, published |"):
        assert row in page
    assert (collections / "results" / "shatkay-wilbur-2000-map.svg").exists()
    assert "(shatkay-wilbur-2000-map.svg)" in page
    assert steps == list(range(1, len(steps) + 1))
    short = reproduce(
        "shatkay-wilbur-2000", Request(indexes=request.indexes), collections / "again"
    )
    again = short.read_text(encoding="utf-8")
    assert again == page


def test_kernels() -> None:
    """The same seed draws the same; every other group; hits that are not judged vanish."""
    groups = {"a": {"1", "2", "3"}, "b": {"4"}, "c": {"2", "5"}}
    kernels = draw("x", groups, groups, 2)
    assert kernels == draw("x", groups, groups, 2)
    assert sorted(topic.partition("/")[0] for topic in kernels.kernel) == ["a", "a", "c", "c"]
    for topic, kernel in kernels.kernel.items():
        group = groups[topic.partition("/")[0]]
        assert set(kernels.qrels[topic]) == group - {kernel}
    assert set(kernels.ids) <= {"1", "2", "3", "5"}
    assert halves(["10", "2", "1", "9"]) == (["1", "9"], ["2", "10"])
    kernels = Kernels("x", {}, {"a/1": "1", "b/2": "2"}, frozenset({"3", "5"}))
    run = kernels.run({"1": Hits.ranked(["3", "4", "5"], [3.0, 2.0, 1.0])})
    assert list(run) == ["a/1"]
    assert run["a/1"].ids.tolist() == ["3", "5"]
    assert run["a/1"].scores.tolist() == [3.0, 1.0]
