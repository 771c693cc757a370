"""``relsent-ir entity``: an entity's terms, each with its best sentence."""

import json
from pathlib import Path

import pytest

from relsent_ir.lucene.write.indexing import build_index
from relsent_ir.records import Record, Section
from tests.invented import index_of

TEXTS = (
    "Zorbin lowers gallows fever in rats.",
    "Gallows fever was less frequent with zorbin.",
    "Zorbin binds quinase.",
    "Quinase is bound by zorbin.",
    "Zorbin mends quinase deficiency.",
    "Quinase deficiency is mended by zorbin.",
    *(f"Rats of cage {number} slept." for number in range(300)),
)


@pytest.fixture
def index(tmp_path, monkeypatch) -> Path:
    """An index of a record for each sentence."""
    monkeypatch.chdir(tmp_path)
    records = [Record(f"r{n}", "", sections=(Section(text),)) for n, text in enumerate(TEXTS)]
    return index_of(tmp_path, records)


def test_terms(relsent, index):
    """Phrases of two records that stand beside the entity, and their best sentences."""
    found = json.loads(relsent("entity", "zorbin", "--index", index, "--json").out)
    assert found["names"] == ["zorbin"]
    assert found["sentences"] == 6
    terms = {term["name"].lower(): term for term in found["terms"]}
    assert "quinase" in terms
    assert (terms["quinase"]["group"], terms["quinase"]["sentences"]) == ("genes and proteins", 4)
    assert terms["quinase"]["id"] in ("r2.1", "r3.1")
    assert "quinase deficiency" not in terms  # a narrower name of what stands there
    text = relsent("entity", "zorbin", "--index", index).out
    assert "zorbin: 6 sentences" in text
    assert "[Zorbin]" in text or "[zorbin]" in text


def test_entity_in_every_sentence(relsent, tmp_path):
    """Where every sentence has the entity, no term stands out."""
    records = [Record(f"r{n}", "", sections=(Section(text),)) for n, text in enumerate(TEXTS[:4])]
    source = tmp_path / "in.jsonl"
    source.write_text("".join(r.to_json() + "\n" for r in records), encoding="utf-8")
    build_index([(source, "jsonl")], tmp_path / "few")
    ran = relsent("entity", "zorbin", "--index", tmp_path / "few", "--json")
    assert (ran.code, json.loads(ran.out)["terms"]) == (0, [])


def test_given_terms(relsent, index):
    """Names of a file in the place of terms; no name is a mistake, a common word is hinted at."""
    Path("names.txt").write_text("rats\nxyz\n", encoding="utf-8")
    ran = relsent("entity", "zorbin", "--index", index, "--with", "names.txt", "--json")
    terms = json.loads(ran.out)["terms"]
    assert [(term["name"], term["sentences"]) for term in terms] == [("rats", 1), ("xyz", 0)]
    assert relsent("entity", "?", "--index", index).code == 2
    ran = relsent("entity", "the", "--index", index)
    assert ran.code == 0
    assert "'the' is a common word" in ran.out
