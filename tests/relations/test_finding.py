"""Sentences of an index that mention two entities; runs."""

from collections.abc import Iterator

import pytest

from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.lucene.write.indexing import build_index
from relsent_ir.records import Record, Section
from relsent_ir.relations import Candidate, Mentions, find_mentions, rank

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
    source = folder / "in.jsonl"
    source.write_text("".join(r.to_json() + "\n" for r in records), encoding="utf-8")
    build_index([(source, "jsonl")], folder / "index")
    with Indexes(folder / "index") as opened:
        yield opened


def _found(found: Mentions) -> list[tuple[str, str, str]]:
    return [(c.id, c.text[slice(*c.e1)], c.text[slice(*c.e2)]) for c in found.candidates]


def test_mentions(collection: Indexes) -> None:
    """All pairs of mentions, by abbreviations and variants too; the names are given."""
    found = find_mentions(collection, ("new odd factor", "murine-7"))
    assert found.names == [["new odd factor", "NOF"], ["murine-7"]]
    assert _found(found) == [
        ("000.1", "new odd factor", "murine-7"),
        ("000.1", "NOF", "murine-7"),
        ("001.2", "NOF", "Murine 7"),
        ("001.2", "NOF", "murine7"),
    ]


def test_literal(collection: Indexes) -> None:
    """Without abbreviations only spellings count."""
    found = find_mentions(collection, ("new odd factor", "murine-7"), literal=True)
    assert [row[0] for row in _found(found)] == ["000.1"]


def test_short_forms_are_guarded(collection: Indexes) -> None:
    """A short form counts only in records that have another name of the entity."""
    found = find_mentions(collection, ("new odd factor", "mice"))
    assert found.names[0] == ["new odd factor", "NOF"]
    assert found.candidates == []
    assert [row[0] for row in _found(find_mentions(collection, ("NOF", "mice")))] == ["002.1"]


def test_one_entity_twice(collection: Indexes) -> None:
    """A mention does not stand beside itself."""
    assert find_mentions(collection, ("mice", "mice")).candidates == []


def test_nothing(collection: Indexes) -> None:
    """Words that no record has give nothing."""
    assert find_mentions(collection, ("zzz", "qqq")).candidates == []


def test_rank() -> None:
    """Groups are topics; a sentence counts by its best mention; ties by id; at most k."""
    known = [Candidate(g, name, "", (0, 0), (0, 0)) for g, name in ("g1", "g2", "g1", "h1", "g3")]
    run = rank(known, [1.0, 2.0, 3.0, -1.0, 2.0], k=2)
    assert list(run) == ["g", "h"]
    assert run["g"].ids.tolist() == ["1", "2"]
    assert run["g"].scores.tolist() == [3.0, 2.0]
    assert run["h"].scores.tolist() == [-1.0]
