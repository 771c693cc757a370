"""Words and substrings of sentences."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from relsent_ir.errors import InputError
from relsent_ir.related.tokens import count_words, read_stopwords, split_words, words
from relsent_ir.text.vocabulary import Vocabulary


def test_words():
    """Every other character breaks; numbers and stop words go; words are numbered in order."""
    text = "The IL-2_receptor (p53) in 12 µM β-cells: 3.5%, was RE-used."
    expected = ["il", "receptor", "p53", "µm", "β", "cells", "re", "used"]
    assert words(text, ["the", "in", "was"]) == expected
    texts = ["Zinc and iron and zinc.", "", "12 34", "iron ätzend"]
    names, starts, numbers = count_words(iter(texts), ["and"])
    assert names == ["iron", "zinc", "ätzend"]
    assert starts.tolist() == [0, 3, 3, 3, 5]
    assert [names[i] for i in numbers] == ["zinc", "iron", "zinc", "iron", "ätzend"]
    names, starts, numbers = count_words([], ["and"])
    assert (names, starts.tolist(), numbers.tolist()) == ([], [0], [])


def test_count_words_in_several_blocks(monkeypatch: pytest.MonkeyPatch):
    """Many words are put together from blocks without a seam."""
    texts = ["alpha beta " * 400_000, "gamma " * 400_000, "beta"]
    names, starts, numbers = count_words(texts, ())
    assert starts.tolist() == [0, 800_000, 1_200_000, 1_200_001]
    assert np.bincount(numbers).tolist() == [400_000, 400_001, 400_000]
    assert names == ["alpha", "beta", "gamma"]


def test_stopword_files(tmp_path: Path):
    """A file's words are broken as sentences are."""
    path = tmp_path / "stop.txt"
    path.write_text("The\nin-vivo\n\n7\n", encoding="utf-8")
    assert read_stopwords(path) == ("in", "the", "vivo")
    path.write_text("7\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"stop\.txt: there are no words"):
        read_stopwords(path)


WORDS = st.sets(st.text(st.sampled_from("aab7éβ字\U0001f9ec"), min_size=1, max_size=9), max_size=8)


def _pieces(word: str) -> Counter[str]:
    cut = (word[i : i + n] for n in range(2, 7) for i in range(len(word) - n + 1))
    return Counter(piece for piece in cut if not piece.isnumeric())


@given(WORDS)
@settings(derandomize=True, deadline=None)
def test_split(words: set[str]):
    """Each word's substrings with a letter, as often as they occur in it, spelled right."""
    vocabulary = Vocabulary.of(words)
    substrings, word, number = split_words(vocabulary)
    found = Counter((vocabulary[w], substrings.name(s)) for w, s in zip(word, number, strict=True))
    expected = Counter({(w, s): n for w in words for s, n in _pieces(w).items()})
    assert found == expected
    names = [substrings.name(i) for i in range(len(substrings))]
    assert len(set(names)) == len(names)


@given(WORDS, WORDS)
@settings(derandomize=True, deadline=None)
def test_locate(ours: set[str], theirs: set[str]):
    """A trie finds another's substrings by their spelling, whatever the two alphabets."""
    here, there = (split_words(Vocabulary.of(words))[0] for words in (ours, theirs))
    places = {here.name(i): i for i in range(len(here))}
    expected = [places.get(there.name(i), -1) for i in range(len(there))]
    assert here.locate(there).tolist() == expected
