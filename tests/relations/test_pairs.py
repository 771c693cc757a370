"""Pairs of entities: finding sentences, ranking them, and evidence."""

from collections.abc import Iterator
from pathlib import Path
from time import process_time

import pytest

from recipes.relations.learning import train_ranker
from relsent_ir.api import Collection
from relsent_ir.errors import InputError
from relsent_ir.hits import Hits
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.lucene.write.indexing import build_index
from relsent_ir.methods import Relations
from relsent_ir.models.registry import FAMILIES
from relsent_ir.records import Record, Section, find_abbreviations
from relsent_ir.relations import FeatureSettings, open_ranker, rank
from relsent_ir.relations.candidates import Candidate
from relsent_ir.relations.finding import Finder, Mentions
from relsent_ir.relations.names import Form
from relsent_ir.relations.pairs import PairEvidence, rank_pairs
from relsent_ir.text.names import read_names, read_synonyms
from relsent_ir.text.parsing import default_parser
from tests.invented import index_of

TEXTS = (
    "The new odd factor (NOF) binds murine-7. NOF is old.",
    "New odd factor (NOF) was seen. Murine 7 was lost when NOF met murine7 again.",
    "NOF and mice. Murine-70 and NOF.",
)


@pytest.fixture(scope="module")
def collection(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Indexes]:
    """The indexes of three records."""
    folder = tmp_path_factory.mktemp("finding")
    records = [Record(f"00{n}", "", sections=(Section(text),)) for n, text in enumerate(TEXTS)]
    with Indexes(index_of(folder, records)) as opened:
        yield opened


def _mentions(collection: Indexes, first: str, second: str, literal: bool = False) -> Mentions:
    (mentions,) = Finder(collection, literal=literal).find([(first, second)])
    return mentions


def _found(found: Mentions) -> list[tuple[str, str, str]]:
    return [(c.id, c.text[slice(*c.e1)], c.text[slice(*c.e2)]) for c in found.candidates]


def test_mentions(collection: Indexes) -> None:
    """All pairs of mentions, by abbreviations and variants too; the names are given."""
    found = _mentions(collection, "new odd factor", "murine-7")
    assert [[form.name for form in forms] for forms in found.forms] == [
        ["new odd factor", "NOF"],
        ["murine-7"],
    ]
    assert _found(found) == [
        ("000.1", "new odd factor", "murine-7"),
        ("000.1", "NOF", "murine-7"),
        ("001.2", "NOF", "Murine 7"),
        ("001.2", "NOF", "murine7"),
    ]


def test_literal_and_nothing(collection: Indexes) -> None:
    """Without abbreviations only spellings count; words that no record has give nothing."""
    found = _mentions(collection, "new odd factor", "murine-7", literal=True)
    assert [row[0] for row in _found(found)] == ["000.1"]
    assert _mentions(collection, "zzz", "qqq").candidates == []


def test_short_forms_are_guarded(collection: Indexes) -> None:
    """A short form counts only in records that have another name of the entity."""
    found = _mentions(collection, "new odd factor", "mice")
    assert [form.name for form in found.forms[0]] == ["new odd factor", "NOF"]
    assert found.candidates == []
    assert [row[0] for row in _found(_mentions(collection, "NOF", "mice"))] == ["002.1"]


def test_a_stop_word_is_no_short_form(tmp_path: Path) -> None:
    """Arsenic is not looked for as As, which the index has in every "as"."""
    texts = ["Arsenic (As) was in wells.", "Arsenic (As) was not."] + 4 * ["As was said, it rains."]
    lines = [f'{{"id": "{n}", "title": "", "abstract": "{text}"}}' for n, text in enumerate(texts)]
    (tmp_path / "in.jsonl").write_text("\n".join(lines))
    build_index([(tmp_path / "in.jsonl", "jsonl")], tmp_path / "index")
    with Indexes(tmp_path / "index") as opened:
        finder = Finder(opened)
        assert [form.name for form in finder.entity("arsenic").forms] == ["arsenic"]
        assert (
            finder.count("arsenic")
            == finder.conjunctions.count(finder.literal_query("arsenic"))
            == 2
        )


def test_one_entity_twice(collection: Indexes) -> None:
    """A mention does not stand beside itself."""
    assert _mentions(collection, "mice", "mice").candidates == []


def test_rank() -> None:
    """Groups are topics; a sentence counts by its best mention; ties by id; at most k."""
    known = [Candidate(g, name, "", (0, 0), (0, 0)) for g, name in ("g1", "g2", "g1", "h1", "g3")]
    run = rank(known, [1.0, 2.0, 3.0, -1.0, 2.0], k=2)
    assert list(run) == ["g", "h"]
    assert run["g"].ids.tolist() == ["1", "2"]
    assert run["g"].scores.tolist() == [3.0, 2.0]
    assert run["h"].scores.tolist() == [-1.0]


PAIRS_TEXTS = (
    "Abc1 activates Xyz9. Abc-1 was seen, and so was, in the end, some of the old Xyz9 of mice.",
    "Old name binds Xyz9. The xyz-9 is here, like ABC1.",
)


@pytest.fixture(scope="module")
def paired(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Indexes]:
    """The indexes of two records."""
    folder = tmp_path_factory.mktemp("pairs")
    records = [Record(f"r{n}", "", sections=(Section(text),)) for n, text in enumerate(PAIRS_TEXTS)]
    with Indexes(index_of(folder, records)) as opened:
        yield opened


def test_pairs(paired: Indexes) -> None:
    """Each pair has its own sentences, the clearest first, and its counts."""
    pairs = [("abc1", "xyz9"), ("abc1", "mice"), ("zzz", "mice")]
    first, second, third = rank_pairs(Finder(paired), open_ranker(), pairs)
    assert (first.group, first.sentences, first.records) == ("1", 3, 2)
    assert first.hits.ids[0] == "r0.1"
    assert (second.group, second.hits.ids.tolist()) == ("2", ["r0.2"])
    assert (third.group, third.sentences, len(third.hits)) == ("3", 0, 0)


def test_by_record(paired: Indexes) -> None:
    """Of each record only the best sentence; at most k hits."""
    pairs = [("abc1", "xyz9")]
    finder, ranker = Finder(paired), open_ranker()
    (one,) = rank_pairs(finder, ranker, pairs, by_record=True)
    assert sorted(one.hits.ids) == ["r0.1", "r1.2"]
    assert one.sentences == 3
    (one,) = rank_pairs(finder, ranker, pairs, 1, by_record=True)
    assert one.hits.ids.tolist() == ["r0.1"]


def test_evidence(paired: Indexes) -> None:
    """Both names are marked, the pattern told, and how the relation is stated."""
    ranker = open_ranker()
    (one,) = rank_pairs(Finder(paired), ranker, [("xyz9", "abc1")], 1)
    explains = PairEvidence(one, ranker)
    (found,) = explains.evidence(Collection(paired), "", Hits.ranked(["r0.1"], [1]))
    assert [(s.start, s.end, s.label) for s in found.spans] == [(0, 4, "abc1"), (15, 19, "xyz9")]
    assert found.values
    assert found.values["pattern"] == "X ACT Y"
    said = {"status": "asserted", "polarity": "increases", "agent": "abc1"}
    probability = round(one.probabilities["r0.1"], 2)
    assert explains.statements(["r0.1"]) == [{"probability": probability, **said}]
    assert said.items() <= found.values.items()
    assert 0 < probability < 1


def test_without_the_weights_of_statements(paired, monkeypatch):
    """Where they were taken out for their licence, rankers learn and rank, and P alone is told."""
    monkeypatch.setitem(FAMILIES, "statements", ("statements", "relations/taken out"))  # type: ignore[attr-defined]
    texts = ("Abc1 activates Xyz9.", "Abc1 ran, and so did Xyz9.")
    graded = [
        Candidate(str(n), text, text, (0, 4), (text.index("Xyz9"), text.index("Xyz9") + 4), grade)
        for n in range(3)
        for text, grade in zip(texts, (1, 0), strict=True)
    ]
    ranker = train_ranker([graded], default_parser(), FeatureSettings())
    (one,) = rank_pairs(Finder(paired), ranker, [("abc1", "xyz9")])
    explains = PairEvidence(one, ranker)
    (said,) = explains.statements(["r0.1"])
    assert list(said) == ["probability"]
    (found,) = explains.evidence(Collection(paired), "", Hits.ranked(["r0.1"], [1]))
    assert found.values
    assert "status" not in found.values


def test_synonyms(paired: Indexes, tmp_path: Path) -> None:
    """Names of a file are searched too, in any writing of theirs; what joins is one group."""
    path = tmp_path / "names.tsv"
    path.write_text("# two columns\nABC-1\told name\nold  name\tolder name\n", encoding="utf-8")
    known = read_synonyms(path)
    finder = Finder(paired, known)
    assert finder.entity("abc1").forms[0] == Form("abc1")
    assert [form.name for form in finder.entity("abc1").forms] == ["abc1", "old name", "older name"]
    (found,) = finder.find([("abc1", "xyz9")])
    assert {c.id for c in found.candidates} == {"r0.1", "r0.2", "r1.1", "r1.2"}


def test_mesh_beside_an_index(paired, tmp_path, monkeypatch):
    """MeSH's terms are searched too, but not literally; its trees tell a protein from a disease."""
    folder = tmp_path / "synonyms"
    folder.mkdir()
    (folder / "mesh.tsv").write_text("Formic Ague\tABC-1\nQueen\tKing\n")
    (folder / "mesh-trees.tsv").write_text("Formic Ague\tC10.2\nZorbin\tD12.776.5\n")
    monkeypatch.setattr(paired, "folder", tmp_path)
    finder = Finder.of(paired, Relations())
    assert [form.name for form in finder.entity("abc1").forms][:2] == ["abc1", "Formic Ague"]
    assert len(Finder.of(paired, Relations(literal=True)).entity("abc1").forms) == 1
    kinds = {name: finder.is_molecule(name) for name in ("ABC1", "zorbin", "XYZ9", "mice")}
    assert kinds == {"ABC1": False, "zorbin": True, "XYZ9": True, "mice": False}
    path = tmp_path / "names.tsv"
    path.write_text("ABC-1\told name\n")
    forms = Finder.of(paired, Relations(synonyms=str(path))).entity("abc1").forms
    assert [form.name for form in forms][:2] == ["abc1", "old name"]


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


def test_no_explosion(tmp_path: Path) -> None:
    """Thirty adverbs cost no more than one, and other names than molecules' have no direction."""
    text = f"Aspirin {'clearly ' * 30}induced pain."
    source = tmp_path / "adverbs.jsonl"
    source.write_text(Record("1", sections=(Section(text),)).to_json() + "\n", encoding="utf-8")
    build_index([(source, "jsonl")], tmp_path / "index")
    started = process_time()
    with Indexes(tmp_path / "index") as opened:
        (pair,) = rank_pairs(Finder(opened), open_ranker(), [("aspirin", "pain")], 10)
        (said,) = PairEvidence(pair, open_ranker()).statements(pair.hits.ids.tolist())
    assert process_time() - started < 2.0
    assert said["status"] == "asserted"
    assert not {"polarity", "agent"} & set(said)


@pytest.mark.slow
def test_no_entity_counts_more_than_its_names(cystic_fibrosis: Path) -> None:
    """Over every abbreviation and long form of a real collection: no name is a common word."""
    with Indexes(cystic_fibrosis) as opened:
        finder = Finder(opened)
        records = opened.records(opened.abstracts.ids())
        pairs = {pair for record in records for pair in find_abbreviations(record.abstract)}
        names = sorted({name for pair in pairs for name in pair})
        assert len(names) > 400
        for name in names:
            if finder.entity(name).hint:
                continue
            forms = [form.name for form in finder.entity(name).forms]
            counts = [finder.conjunctions.count(finder.literal_query(form)) for form in forms]
            assert max(counts) <= finder.count(name) <= sum(counts), name
            assert len(forms) == 1 or max(counts[1:]) < 0.5 * len(opened.sentences), name
