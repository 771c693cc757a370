"""Terms of texts, and the matrix of their presence."""

import itertools
from collections import Counter

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from relsent_ir.themes import matrix as module
from relsent_ir.themes.matrix import NO_WORD, Piece, Selection, Words, gather_matrix

ALL = Selection(min_records=1, max_share=1)


def build_matrix(ids, texts, stopwords=(), selection=Selection()) -> module.PresenceMatrix:  # noqa: B008
    """Gather the terms of records that are read in one piece."""
    return gather_matrix(ids, [Piece.of(texts, stopwords)], selection)


def _terms(matrix: module.PresenceMatrix, row: int) -> list[str]:
    return [matrix.terms[column] for column in matrix.row(row).tolist()]


def test_words_and_phrases() -> None:
    """Each term once a record, in order; no phrase over the border of two texts."""
    texts = [["lung fever", "fever lung fever"], ["a fever"], []]
    matrix = build_matrix(["1", "10", "2"], texts, ["a"], ALL)
    assert list(matrix.terms) == ["fever", "fever lung", "lung", "lung fever"]
    assert [_terms(matrix, row) for row in range(3)] == [list(matrix.terms), ["fever"], []]
    assert matrix.frequencies.tolist() == [2, 1, 1, 1]
    assert matrix.lengths.tolist() == [4, 1, 0]
    assert matrix.presence.toarray().tolist() == [[1, 1, 1, 1], [1, 0, 0, 0], [0, 0, 0, 0]]


def test_selection() -> None:
    """Terms of too few and of too many records are dropped."""
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
    parts = gather_matrix(ids, pieces, ALL, lambda *done: seen.append(done))
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
    names = words.names()
    return ["" if number == NO_WORD else names[number] for number in numbers]


def test_words_and_breaks() -> None:
    """Signs and stop words break phrases; hyphens and slashes do not."""
    assert _read("Ring-enhanced lesions, in the brain/cord.", "in", "the") == [
        "ring", "enhanced", "lesions", "", "", "", "brain", "cord", "", "",
    ]  # fmt: skip


def test_apostrophes_and_numbers() -> None:
    """An apostrophe inside a word belongs to it; a number is no word, a name with one is."""
    assert _read("Mouse’s IL-2 at 23 mg; HHV8 'new'") == [
        "mouse's", "il", "", "at", "", "mg", "", "hhv8", "", "new", "", "",
    ]  # fmt: skip


def test_numbers_go_on_over_texts() -> None:
    """A word has one number in all texts, and each text ends in a break."""
    words = Words(["of"])
    assert words.numbers(["a of b", "b"]).tolist() == [0, NO_WORD, 1, NO_WORD, 1, NO_WORD]
    assert words.numbers(["c a"]).tolist() == [2, 0, NO_WORD]
    assert words.numbers([]).tolist() == []
    assert words.names() == ["a", "b", "c"]
