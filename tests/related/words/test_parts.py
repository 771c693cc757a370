"""Parts of words, against words cut by hand."""

import math

import numpy as np

from relsent_ir.related.features import Lexicon
from relsent_ir.related.words.vectors import count_parts, locate_parts, word_parts

LEXICON = Lexicon.of(["insulin", "sulin", "p53", "aaaa", "ab", "1234", "éèê"])


def _name(lexicon: Lexicon, part: int) -> str:
    return lexicon.substrings.name(lexicon.substrings.starts[1] + part)


def test_word_parts():
    """Each once, 1 / √n; none without a letter, none of a short word."""
    found = word_parts(LEXICON, slice(None))
    assert found.shape == (7, count_parts(LEXICON))
    assert found.dtype == np.float32
    spelt = {}
    for word, start, end in zip(LEXICON.words, found.indptr[:-1], found.indptr[1:], strict=True):
        spelt[word] = sorted(_name(LEXICON, part) for part in found.indices[start:end])
        np.testing.assert_allclose(found.data[start:end], 1 / math.sqrt(max(1, end - start)))
    assert spelt == {
        "insulin": ["ins", "lin", "nsu", "sul", "uli"],
        "sulin": ["lin", "sul", "uli"],
        "p53": ["p53"],
        "aaaa": ["aaa"],
        "ab": [],
        "1234": [],
        "éèê": ["éèê"],
    }
    some = word_parts(LEXICON, np.array([5, 0]))
    np.testing.assert_array_equal(some.toarray(), found.toarray()[[5, 0]])


def test_locate():
    """By their letters, in a lexicon of other words and another alphabet."""
    other = Lexicon.of(["sulina", "xyz", "ins"])
    found = locate_parts(LEXICON, other)
    assert len(found) == count_parts(other)
    told = {_name(other, i): _name(LEXICON, p) if p >= 0 else None for i, p in enumerate(found)}
    assert told == {
        "sul": "sul",
        "uli": "uli",
        "lin": "lin",
        "ins": "ins",
        "ina": None,
        "xyz": None,
    }
    assert not len(locate_parts(LEXICON, Lexicon.of([])))
    assert (locate_parts(Lexicon.of([]), LEXICON) == -1).all()
