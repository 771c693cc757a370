"""Many pairs of entities at once."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from relsent_ir.errors import InputError
from relsent_ir.hits import Hits
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.lucene.write.indexing import build_index
from relsent_ir.models.registry import FAMILIES
from relsent_ir.records import Record, Section
from relsent_ir.relations import Candidate, Ranker, default_ranker
from relsent_ir.relations.finding import Finder
from relsent_ir.relations.names import Form, read_names, read_synonyms
from relsent_ir.relations.pairs import PairEvidence, rank_pairs
from relsent_ir.text.parsing import default_parser

TEXTS = (
    "Abc1 activates Xyz9. Abc-1 was seen, and so was, in the end, some of the old Xyz9 of mice.",
    "Old name binds Xyz9. The xyz-9 is here, like ABC1.",
)


@pytest.fixture(scope="module")
def collection(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Indexes]:
    """The indexes of two records."""
    folder = tmp_path_factory.mktemp("pairs")
    records = [Record(f"r{n}", "", sections=(Section(text),)) for n, text in enumerate(TEXTS)]
    source = folder / "in.jsonl"
    source.write_text("".join(r.to_json() + "\n" for r in records), encoding="utf-8")
    build_index([(source, "jsonl")], folder / "index")
    with Indexes(folder / "index") as opened:
        yield opened


def test_pairs(collection: Indexes) -> None:
    """Each pair has its own sentences, the clearest first, and its counts."""
    pairs = [("abc1", "xyz9"), ("abc1", "mice"), ("zzz", "mice")]
    first, second, third = rank_pairs(Finder(collection), default_ranker(), pairs)
    assert (first.group, first.sentences, first.records) == ("1", 3, 2)
    assert first.hits.ids[0] == "r0.1"
    assert (second.group, second.hits.ids.tolist()) == ("2", ["r0.2"])
    assert (third.group, third.sentences, len(third.hits)) == ("3", 0, 0)


def test_by_record(collection: Indexes) -> None:
    """Of each record only the best sentence; at most k hits."""
    pairs = [("abc1", "xyz9")]
    finder, ranker = Finder(collection), default_ranker()
    (one,) = rank_pairs(finder, ranker, pairs, by_record=True)
    assert sorted(one.hits.ids) == ["r0.1", "r1.2"]
    assert one.sentences == 3
    (one,) = rank_pairs(finder, ranker, pairs, 1, by_record=True)
    assert one.hits.ids.tolist() == ["r0.1"]


def test_evidence(collection: Indexes) -> None:
    """Both names are marked, the pattern told, and how the relation is stated."""
    ranker = default_ranker()
    (one,) = rank_pairs(Finder(collection), ranker, [("xyz9", "abc1")], 1)
    explains = PairEvidence(one, ranker)
    (found,) = explains.evidence(collection, "", Hits.ranked(["r0.1"], [1]))
    assert [(s.start, s.end, s.label) for s in found.spans] == [(0, 4, "abc1"), (15, 19, "xyz9")]
    assert found.values
    assert found.values["pattern"] == "X ACT Y"
    said = {"status": "asserted", "polarity": "increases", "agent": "abc1"}
    probability = round(one.probabilities["r0.1"], 2)
    assert explains.statements(["r0.1"]) == [{"probability": probability, **said}]
    assert said.items() <= found.values.items()
    assert 0 < probability < 1


def test_without_the_weights_of_statements(
    collection: Indexes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where they were taken out for their licence, rankers learn and rank, and P alone is told."""
    monkeypatch.setitem(FAMILIES, "statements", ("statements", "relations/taken out"))  # type: ignore[attr-defined]
    texts = ("Abc1 activates Xyz9.", "Abc1 ran, and so did Xyz9.")
    graded = [
        Candidate(str(n), text, text, (0, 4), (text.index("Xyz9"), text.index("Xyz9") + 4), grade)
        for n in range(3)
        for text, grade in zip(texts, (1, 0), strict=True)
    ]
    ranker = Ranker.train([graded], default_parser())
    (one,) = rank_pairs(Finder(collection), ranker, [("abc1", "xyz9")])
    explains = PairEvidence(one, ranker)
    (said,) = explains.statements(["r0.1"])
    assert list(said) == ["probability"]
    (found,) = explains.evidence(collection, "", Hits.ranked(["r0.1"], [1]))
    assert found.values
    assert "status" not in found.values


def test_synonyms(collection: Indexes, tmp_path: Path) -> None:
    """Names of a file are searched too, in any writing of theirs; what joins is one group."""
    path = tmp_path / "names.tsv"
    path.write_text("# two columns\nABC-1\told name\nold  name\tolder name\n", encoding="utf-8")
    known = read_synonyms(path)
    finder = Finder(collection, known)
    assert finder.forms("abc1")[0] == Form("abc1")
    assert [form.name for form in finder.forms("abc1")] == ["abc1", "old name", "older name"]
    (found,) = finder.find([("abc1", "xyz9")])
    assert {c.id for c in found.candidates} == {"r0.1", "r0.2", "r1.1", "r1.2"}


@pytest.mark.parametrize("text", ["one name\n", "a\tb\tc\n", "a\t-\n"])
def test_bad_synonyms(tmp_path: Path, text: str) -> None:
    """A line without two names is named."""
    path = tmp_path / "names.tsv"
    path.write_text("x\ty\n" + text, encoding="utf-8")
    with pytest.raises(InputError, match="no names") as error:
        read_synonyms(path)
    assert error.value.where == f"{path}:2"


def test_no_names(tmp_path: Path) -> None:
    """A file without names is an error."""
    path = tmp_path / "names.txt"
    path.write_text("# nothing\n\n", encoding="utf-8")
    with pytest.raises(InputError, match="no names in this file"):
        read_names(path, 1)
