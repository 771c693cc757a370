"""The trie of substrings."""

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from relsent_ir.related.tokens import split_words
from relsent_ir.text.vocabulary import Vocabulary

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
