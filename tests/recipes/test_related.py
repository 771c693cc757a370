"""The packaged model of related sentences is what its recipe makes, of invented records."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from recipes import related as recipe
from relsent_ir import models
from relsent_ir.lucene.write.indexing import build_index
from relsent_ir.related.huber_plus import HuberPlusModel
from relsent_ir.related.matching.matcher import Matcher
from relsent_ir.related.pairs import held_out
from tests.related.conftest import invent, matching

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def abstracts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Records of two sources; each has a word that no other record of its part has."""
    path = tmp_path_factory.mktemp("abstracts") / "abstracts.jsonl.gz"
    with gzip.open(path, "wt", encoding="utf-8") as file:
        for i, record in enumerate(invent(200, seed=9)):
            source = ("hoc", "cohen2006")[i % 4 > 0]
            third = bool(held_out([record.id], 0, 1 / 3)[0])
            word = "evaluated" if source == "hoc" else ("trained", "tested")[third]
            described = json.loads(record.to_json())
            described["title"] = f"Xq{word} {described['title']}"
            for section in described["sections"]:
                section["text"] = f"Xq{word} {section['text']}"
            file.write(json.dumps({**described, "source": source}) + "\n")
    return path


@pytest.fixture(scope="module")
def index(abstracts: Path) -> Path:
    """Their indexes."""
    build_index([(abstracts, "jsonl")], abstracts.parent / "index")
    return abstracts.parent / "index"


@pytest.fixture(scope="module")
def grades(index: Path) -> Path:
    """Grades of pairs: related where both are of one record's subject."""
    path = index.parent / "grades.tsv"
    rows = ["sentence\tmatch\treader_1"]
    with matching(index, "I1.5") as matcher:
        store = matcher.store
        for row in range(0, 60, 3):
            for other, grade in ((row + 1, "2"), (row + 90, "0")):
                rows.append(f"{store.ids[row]}\t{store.ids[other]}\t{grade}")
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return path


def test_rebuilt(abstracts, index, grades, tmp_path, monkeypatch):
    """Packed, with P, the same bytes again, and no word of what is left out."""
    monkeypatch.setattr(recipe, "RANKED", 400)
    where = ["--index", str(index), "--abstracts", str(abstracts), "--reader", str(grades)]
    for name in ("a", "b"):
        out = ["--output", str(tmp_path / name), "--full", str(tmp_path / "full")]
        recipe.main([*where, "--pairs", "150", *out])
    first, second = (
        {path.name: path.read_bytes() for path in (tmp_path / name).iterdir()} for name in "ab"
    )
    assert first == second
    packaged = {path.name for path in (ROOT / "relsent_ir" / "related" / "default").iterdir()}
    assert set(first) == packaged
    model = models.load(tmp_path / "a", "related")
    whole = models.load(tmp_path / "full", "related")
    assert isinstance(model, HuberPlusModel)
    assert isinstance(whole, HuberPlusModel)
    assert model.packed
    assert not whole.packed
    words = model.sparse.lexicon.words
    known = [words.find(f"xq{word}") for word in ("trained", "tested", "evaluated")]
    assert known[0] >= 0
    assert known[1:] == [-1, -1]
    assert model.reader is not None
    assert model.reader.least == recipe.SHOWN
    shipped = models.load(None, "related").facts
    assert {name: shipped[name] for name in ("command", "seed", "content_share")} == {
        name: model.facts[name] for name in ("command", "seed", "content_share")
    }
    with matching(index, str(tmp_path / "a")) as matcher:
        hits = _related(matcher)
    assert 0.0 < hits.min() <= hits.max() < 1.0


def _related(matcher: Matcher) -> Any:
    return matcher.related({"": "Malaria parasite in mosquito larvae"}, 5)[""].scores
