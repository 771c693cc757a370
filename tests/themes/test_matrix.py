"""Terms of texts, and the matrix of their presence."""

import itertools
import json
import tempfile
from collections import Counter
from collections.abc import Iterable
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from relsent_ir.errors import InputError, UsageError
from relsent_ir.lucene.memory.derived import Spool
from relsent_ir.lucene.read.index import Index
from relsent_ir.records import Record
from relsent_ir.themes.matrix import (
    NO_WORD,
    Piece,
    PresenceMatrix,
    Selection,
    Terms,
    Words,
    gather_matrix,
    open_matrix,
)
from relsent_ir.typing import Progress
from tests.themes.conftest import invent, write_index

ALL = Selection(min_records=1, max_share=1)


def build_matrix(ids, texts, stopwords=(), selection=Selection()) -> PresenceMatrix:  # noqa: B008
    """Gather the terms of records that are read in one piece."""
    return gather(ids, [Piece.of(texts, stopwords)], selection)


def gather(
    ids: list[str], pieces: Iterable[Piece], selection: Selection, progress: Progress | None = None
) -> PresenceMatrix:
    """Gather the terms of pieces, the large arrays in files and in memory."""
    spool = partial(Spool, Path(tempfile.gettempdir()))
    allot = lambda dtype, size: np.empty(size, dtype)  # noqa: E731
    return gather_matrix(ids, pieces, selection, progress, spool, allot)


def _terms(matrix: PresenceMatrix, row: int) -> list[str]:
    return [matrix.terms[column] for column in matrix.row(row).tolist()]


def test_words_and_phrases() -> None:
    """Each term once a record, in order; terms of too few and too many records are dropped."""
    texts = [["lung fever", "fever lung fever"], ["a fever"], []]
    matrix = build_matrix(["1", "10", "2"], texts, ["a"], ALL)
    assert list(matrix.terms) == ["fever", "fever lung", "lung", "lung fever"]
    assert [_terms(matrix, row) for row in range(3)] == [list(matrix.terms), ["fever"], []]
    assert matrix.frequencies.tolist() == [2, 1, 1, 1]
    assert matrix.lengths.tolist() == [4, 1, 0]
    assert matrix.presence.toarray().tolist() == [[1, 1, 1, 1], [1, 0, 0, 0], [0, 0, 0, 0]]
    texts = [["x y"], ["x z"], ["x z"], ["x"]]
    matrix = build_matrix(list("abcd"), texts, (), Selection(2, 0.5))
    assert list(matrix.terms) == ["x z", "z"]
    assert not len(build_matrix(list("abcd"), texts).terms)
    assert not len(build_matrix([], []).terms)


def test_progress_over_batches() -> None:
    """Batches give the same matrix as one go."""
    texts = [[f"w{i % 3} w{i % 2} w5"] for i in range(7)]
    ids = list("abcdefg")
    whole = build_matrix(ids, texts, (), ALL)
    seen: list[tuple[int, int | None]] = []
    pieces = (Piece.of(texts[start : start + 2], ()) for start in range(0, 7, 2))
    parts = gather(ids, pieces, ALL, lambda *done: seen.append(done))
    assert seen == [(2, 7), (4, 7), (6, 7), (7, 7)]
    assert (whole.columns == parts.columns).all()
    assert list(whole.terms) == list(parts.terms)


@settings(derandomize=True, deadline=None)
@given(st.lists(st.lists(st.sampled_from("abcd"), max_size=6), min_size=1, max_size=9))
def test_equals_a_loop(records: list[list[str]]) -> None:
    """Terms and frequencies are those that a plain loop counts."""
    expected = [{*words, *(f"{a} {b}" for a, b in itertools.pairwise(words))} for words in records]
    df = Counter(term for terms in expected for term in terms)
    kept = {term for term, count in df.items() if 2 <= count <= 0.75 * len(records)}
    ids = [str(i) for i in range(len(records))]
    matrix = build_matrix(ids, [[" ".join(r)] for r in records], (), Selection(2, 0.75))
    assert list(matrix.terms) == sorted(kept)
    for row, terms in enumerate(expected):
        assert _terms(matrix, row) == sorted(terms & kept)


def test_sums() -> None:
    """Few rows and many rows are added up alike."""
    matrix = build_matrix(list("abcdefgh"), [["x"], ["x y"], *[["y"]] * 6], (), ALL)
    weights = np.array([0.5])
    assert matrix.sums(np.array([1]), weights).tolist() == [0.5, 0.5, 0.5]
    every = np.arange(8)
    assert matrix.sums(every, np.ones(8)).tolist() == matrix.frequencies.tolist()
    assert matrix.sums(np.empty(0, dtype=np.intp), np.empty(0)).tolist() == [0, 0, 0]


def _read(text: str, *stopwords: str) -> list[str]:
    words = Words(stopwords)
    numbers = words.numbers([text]).tolist()
    names = [word for word, number in words.items() if number != NO_WORD]
    return ["" if number == NO_WORD else names[number] for number in numbers]


def test_words_and_breaks() -> None:
    """Signs, stop words and numbers break phrases; a word has one number in all texts."""
    assert _read("Ring-enhanced lesions, in the brain/cord.", "in", "the") == [
        "ring", "enhanced", "lesions", "", "", "", "brain", "cord", "", "",
    ]  # fmt: skip
    assert _read("Mouse’s IL-2 at 23 mg; HHV8 'new'") == [
        "mouse's", "il", "", "at", "", "mg", "", "hhv8", "", "new", "", "",
    ]  # fmt: skip
    words = Words(["of"])
    assert words.numbers(["a of b", "b"]).tolist() == [0, NO_WORD, 1, NO_WORD, 1, NO_WORD]
    assert words.numbers(["c a"]).tolist() == [2, 0, NO_WORD]
    assert words.numbers([]).tolist() == []
    assert words == {"of": NO_WORD, "a": 0, "b": 1, "c": 2}


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


def test_terms_that_cannot_be(tmp_path: Path) -> None:
    """A tenth of three records is none, as is told; unknown fields, impossible shares."""
    records = [Record(str(i), "Plain title") for i in range(3)]
    with Index(write_index(records, tmp_path)) as index:
        with pytest.raises(InputError, match=r"of 3 records.*at most 0.*--max-df"):
            open_matrix(index)
        assert len(open_matrix(index, Terms(selection=Selection(2, 1))).terms) == 3
    with pytest.raises(UsageError, match="no field 'body'"):
        Terms(("body",))
    for selection in (Selection(0, 0.1), Selection(2, 0), Selection(2, 1.5)):
        with pytest.raises(UsageError, match="at least 1, and a share"):
            Terms(selection=selection)


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
