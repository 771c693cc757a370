"""The page of similar citations, from small invented collections in the place of the real ones."""

import gzip
import random
import re
from functools import partial
from pathlib import Path

import pytest

from relsent_ir.records import Mesh, Record, Section
from reproduce import Request, reproduce
from reproduce.coupling import Plan
from reproduce.data import FILES
from reproduce.tbahriti_2004 import run as tbahriti_2004
from reproduce.tbahriti_2004.study import Study

SUBJECTS = (
    "ant nest queen larva colony soldier",
    "bee hive honey wax swarm drone",
    "wasp sting venom paper stripe comb",
    "fly egg wing eye maggot leg",
)
WORDS = [f"{first}{last}" for first in ("cold", "warm", "old", "late") for last in "abcdefghijklm"]
RECORDS = 80


def invent(number: int) -> Record:
    """A record with a sentence of each move; a quarter of all records share most references."""
    chance = random.Random(number)
    subject = SUBJECTS[number % 4]
    said = [" ".join(chance.sample(subject.split(), 3) + chance.sample(WORDS, 4)) for _ in range(4)]
    return Record(
        str(number),
        f"On {said[0]}.",
        sections=(
            Section(
                f"We aimed to study {said[0]}. Cases were randomised to {said[1]} or placebo. "
                f"The mean of {said[2]} was 3.5 (p < 0.05). We conclude that {said[3]} matters."
            ),
        ),
        mesh=(Mesh(subject.split()[number % 6].capitalize()),),
        references=tuple(f"work {number % 4} {i}" for i in chance.sample(range(12), 9)),
    )


@pytest.fixture
def collections(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, roughly: None) -> Path:
    """A data folder as the experiment expects it, with two topics a set."""
    lines = "".join(invent(number).to_json() + "\n" for number in range(RECORDS))
    (tmp_path / "all.jsonl").write_text(lines)
    for name in FILES:
        monkeypatch.setitem(FILES, name, ["all.jsonl"])
    monkeypatch.setenv("RELSENT_DATA", str(tmp_path))
    monkeypatch.setattr(tbahriti_2004, "Plan", partial(Plan, queries=2))
    monkeypatch.setattr(tbahriti_2004, "PAIRS", 40)
    return tmp_path


SYNONYMS = "| ltc.atn + T, synonyms |"
DESCRIPTORS = """<DescriptorRecordSet><DescriptorRecord><DescriptorName><String>Ant</String>
</DescriptorName><ConceptList><Concept><TermList><Term><String>Emmet</String></Term></TermList></Concept>
</ConceptList></DescriptorRecord></DescriptorRecordSet>"""


def test_page(collections: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All tables of both collections are there, with their plots; what is tuned is told."""
    monkeypatch.setattr(tbahriti_2004, "DESCRIPTORS", collections)
    with gzip.open(collections / "desc2026.gz", "wt") as file:
        file.write(DESCRIPTORS)
    built = []
    build = Study.build
    monkeypatch.setattr(
        Study, "build", lambda *a, **flags: built.append(build(*a, **flags)) or built[-1]
    )
    steps: list[int] = []
    asked = Request(
        indexes=collections / "indexes", progress=lambda done, _total: steps.append(done)
    )
    page = reproduce("tbahriti-2004", asked, collections / "results").read_text(encoding="utf-8")
    assert steps == list(range(1, len(steps) + 1))
    for name in ("cystic-fibrosis", "rct"):
        assert f"## {name}\n" in page
        assert (collections / "results" / f"tbahriti-2004-{name}.svg").exists()
        assert f"(tbahriti-2004-{name}.svg)" in page
    for title in ("Table 3", "Table 4", "Table 5", "Boosting, on all"):
        assert page.count(title) == 2
    for row in (
        "| pmra |",
        "| BM25, more like this |",
        "| Learned: all |",
        "| ltc.atn + T |",
        SYNONYMS,
    ):
        assert row in page
    assert page.count("- The learned combination of all ") == 2
    assert page.count("- The paper's tuned combination ") == 4  # on sets and all candidates
    plain = re.search(r"\| ltc\.atn \| ([\d.]+) \|", page)
    whole = re.search(r"\| every move \| 100\.0% \| ([\d.]+) \|", page)
    assert plain
    assert whole
    assert plain[1] == whole[1]  # an index that keeps all is the index
    assert float(re.findall(r"\| none \| ([\d.]+)%", page)[0]) < 100
    study = built[0]
    assert [len(places) for places in study.sets] == [2, 2, 2, 2]
    for topic, targets in study.qrels.items():  # who shares two references is of one subject
        assert {int(target) % 4 for target in targets} == {int(topic) % 4}
        assert topic not in targets
