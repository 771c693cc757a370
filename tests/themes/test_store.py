"""The term matrix beside an index."""

import json
from pathlib import Path

import numpy as np
import pytest

from relsent_ir.errors import InputError, UsageError
from relsent_ir.lucene.read.index import Index
from relsent_ir.records import Record
from relsent_ir.themes.matrix import Selection
from relsent_ir.themes.store import Terms, open_matrix
from tests.themes.conftest import invent, write_index

WIDE = Selection(2, 0.5)


def test_read_once(tmp_path: Path) -> None:
    """Built the first time, read the next; other terms are another folder."""
    folder = write_index(invent(8), tmp_path)
    with Index(folder) as index:
        seen: list[tuple[int, int | None]] = []
        terms = Terms(selection=WIDE)
        first = open_matrix(index, terms, lambda *done: seen.append(done))
        assert seen == [(9, 9)]
        again = open_matrix(index, terms, lambda *_: pytest.fail("read again"))
        assert list(again.ids) == sorted(first.ids)
        assert (again.columns == first.columns).all()
        assert "ant" in list(first.terms)
        assert "insect" not in list(first.terms)
        mesh = open_matrix(index, Terms(("mesh",), (), Selection(2, 1)))
        assert next(iter(mesh.terms)) == "0x"
        assert "insect 1x" in list(mesh.terms)
    assert len(list((folder / "derived" / "themes").glob("[!.]*"))) == 2


def test_changed_index_gets_a_new_matrix(tmp_path: Path) -> None:
    """The old one is removed."""
    folder = write_index(invent(8), tmp_path)
    with Index(folder) as index:
        assert len(open_matrix(index, Terms(selection=WIDE)).ids) == 9
    other = tmp_path / "other"
    other.mkdir()
    moved = write_index(invent(12), other)
    (folder / "derived").rename(moved / "derived")
    with Index(moved) as index:
        assert len(open_matrix(index, Terms(selection=WIDE)).ids) == 13
    assert len(list((moved / "derived" / "themes").glob("[!.]*"))) == 1


def test_three_records_have_no_term(tmp_path: Path) -> None:
    """A tenth of three records is none: the message says what to change."""
    records = [Record(str(i), "Plain title") for i in range(3)]
    with Index(write_index(records, tmp_path)) as index:
        with pytest.raises(InputError, match=r"of 3 records.*at most 0.*--max-df"):
            open_matrix(index)
        assert len(open_matrix(index, Terms(selection=Selection(2, 1))).terms) == 3


def test_damaged(tmp_path: Path) -> None:
    """Arrays that do not fit are named, with what to do."""
    folder = write_index(invent(8), tmp_path)
    terms = Terms(selection=WIDE)
    with Index(folder) as index:
        open_matrix(index, terms)
        (path,) = (folder / "derived" / "themes").glob("[!.]*")
        starts = np.load(path / "starts.npy")
        np.save(path / "starts.npy", starts + 1)
        with pytest.raises(InputError, match="delete the folder"):
            open_matrix(index, terms)
        facts = json.loads((path / "model.json").read_text())
        del facts["arrays"]["ids"]
        (path / "model.json").write_text(json.dumps(facts))
        with pytest.raises(InputError, match="damaged"):
            open_matrix(index, terms)


def test_bad_terms() -> None:
    """An unknown field and impossible shares are refused."""
    with pytest.raises(UsageError, match="no field 'body'"):
        Terms(("body",))
    for selection in (Selection(0, 0.1), Selection(2, 0), Selection(2, 1.5)):
        with pytest.raises(UsageError, match="at least 1, and a share"):
            Terms(selection=selection)
