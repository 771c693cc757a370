"""Words of sentences."""

from pathlib import Path

import numpy as np
import pytest

from relsent_ir.errors import InputError
from relsent_ir.related.tokens import count_words, read_stopwords, words


def test_words():
    """Every other character breaks; numbers and stop words go; p53 has a letter."""
    text = "The IL-2_receptor (p53) in 12 µM β-cells: 3.5%, was RE-used."
    expected = ["il", "receptor", "p53", "µm", "β", "cells", "re", "used"]
    assert words(text, ["the", "in", "was"]) == expected


def test_count_words_agrees_with_words():
    """The words are numbered in sorted order, sentence after sentence, empty ones too."""
    texts = ["Zinc and iron and zinc.", "", "12 34", "iron ätzend"]
    names, starts, numbers = count_words(iter(texts), ["and"])
    assert names == ["iron", "zinc", "ätzend"]
    assert starts.tolist() == [0, 3, 3, 3, 5]
    assert [names[i] for i in numbers] == ["zinc", "iron", "zinc", "iron", "ätzend"]


def test_count_words_in_several_blocks(monkeypatch: pytest.MonkeyPatch):
    """Many words are put together from blocks without a seam."""
    texts = ["alpha beta " * 400_000, "gamma " * 400_000, "beta"]
    names, starts, numbers = count_words(texts, ())
    assert starts.tolist() == [0, 800_000, 1_200_000, 1_200_001]
    assert np.bincount(numbers).tolist() == [400_000, 400_001, 400_000]
    assert names == ["alpha", "beta", "gamma"]


def test_no_texts():
    """Nothing gives nothing."""
    names, starts, numbers = count_words([], ["and"])
    assert (names, starts.tolist(), numbers.tolist()) == ([], [0], [])


def test_stopword_files(tmp_path: Path):
    """A file's words are broken as sentences are."""
    path = tmp_path / "stop.txt"
    path.write_text("The\nin-vivo\n\n7\n", encoding="utf-8")
    assert read_stopwords(path) == ("in", "the", "vivo")
    path.write_text("7\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"stop\.txt: there are no words"):
        read_stopwords(path)
