"""Labelled abstracts from records."""

import logging
from pathlib import Path

import pytest

from relsent_ir.errors import InputError
from relsent_ir.moves import Abstract
from relsent_ir.moves.labelled import (
    LabelCounts,
    data_facts,
    labelled_abstracts,
    read_abstracts,
    record_ids,
)
from relsent_ir.records import Record, Section

STRUCTURED = Record(
    "001",
    "On murinol",
    sections=(
        Section("Mice ail. We ask why.", "AIM", "OBJECTIVE"),
        Section("Ten mice ran.", "METHODS", "METHODS"),
        Section("All fell.", "FINDINGS"),
        Section("ISRCTN 1.", "TRIAL REGISTRATION", "BACKGROUND"),
        Section("Buy one.", "PRICE", "UNASSIGNED"),
        Section("Odd.", "UNLABELLED"),
    ),
)


def test_abstract_and_census() -> None:
    """Sections without a move are left out and counted; how many moves can be chosen."""
    census = LabelCounts()
    plain = Record("2", sections=(Section("No labels here."),))
    few = Record("3", sections=(Section("A.", "AIM"), Section("R.", "RESULTS")))
    found = list(labelled_abstracts([STRUCTURED, plain, few], census))
    assert len(found) == 1
    assert found[0].id == "001"
    assert found[0].sentences == ("Mice ail.", "We ask why.", "Ten mice ran.", "All fell.")
    assert found[0].moves == ("PURPOSE", "PURPOSE", "METHODS", "RESULTS")
    assert (census.records, census.structured, census.taken, census.sentences) == (3, 2, 1, 4)
    assert census.left_out == {
        "registration, funding, ethics": 1,
        "unknown label": 1,
        "no label": 1,
    }
    assert census.unknown == {"PRICE": 1}
    few = Record("3", sections=(Section("A b.", "AIM"), Section("R s.", "RESULTS")))
    assert len(list(labelled_abstracts([few], least_moves=2))) == 1
    assert list(labelled_abstracts([few])) == []


def test_inline_headings_teach_where_there_are_no_labels() -> None:
    """Headings are taken off, what is before the first is left out; trials say that they are."""
    text = "Old. AIM: We ask why. METHODS: Ten mice ran. They ate. AUTHORS' CONCLUSIONS: Buy one."
    headed = Record("4", "T", sections=(Section(text),), publication_types=("Clinical Trial",))
    two = Record("5", sections=(Section("AIM: We ask. RESULTS: All fell."),))
    census = LabelCounts()
    found = list(labelled_abstracts([headed, two], census, headings=True, source="a"))
    assert found == [
        Abstract(
            "4",
            "T",
            ("We ask why.", "Ten mice ran.", "They ate.", "Buy one."),
            ("PURPOSE", "METHODS", "METHODS", "CONCLUSION"),
            "a trials",
        )
    ]
    assert (census.structured, census.taken, census.headed) == (0, 1, 1)
    assert list(labelled_abstracts([headed])) == []


LABELS = ("AIM", "METHODS", "RESULTS", "PRICE")


def _write(path: Path, labels: tuple[str, ...]) -> Path:
    record = Record("1", "T", sections=tuple(Section(f"On {x}.", x) for x in labels))
    path.write_text(record.to_json() + "\n", encoding="utf-8")
    return path


def test_unknown_labels_are_logged(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """One warning counts and names them."""
    path = _write(tmp_path / "a.jsonl", LABELS)
    with caplog.at_level(logging.WARNING, "relsent_ir"):
        abstracts, census = read_abstracts([path])
    assert [a.moves for a in abstracts] == [("PURPOSE", "METHODS", "RESULTS")]
    assert "left out 1 sections" in caplog.text
    assert "PRICE (1)" in caplog.text
    facts = data_facts([path], census)
    assert facts["files"][0]["name"] == "a.jsonl"
    assert len(facts["files"][0]["sha256"]) == 64
    assert facts["abstracts"] == 1


def test_nothing_to_learn_from(tmp_path: Path) -> None:
    """A file without structured abstracts is a clear line."""
    path = _write(tmp_path / "a.jsonl", ("AIM",))
    with pytest.raises(InputError, match=r"a\.jsonl: none of 1 records"):
        read_abstracts([path])


def test_each_abstract_once(tmp_path: Path) -> None:
    """The first path that holds an abstract counts; ids may be passed over."""
    paths = [_write(tmp_path / name, LABELS) for name in ("a.jsonl", "b.jsonl")]
    abstracts, census = read_abstracts(paths)
    assert [a.source for a in abstracts] == [str(paths[0])]
    assert census.taken == 1
    assert record_ids(paths) == {"1"}
    assert record_ids([]) == set()
    with pytest.raises(InputError, match="none of 0 records"):
        read_abstracts(paths, without={"1"})
