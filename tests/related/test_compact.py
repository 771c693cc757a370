"""Taking some sentences out."""

import numpy as np

from relsent_ir.related.features import Sentences, compact, with_text

TEXTS = ["insulin lowers glucose", "", "glucose and glucose", "malaria nets"]


def test_compact():
    """As if only these sentences had been read, in the order asked for."""
    some = compact(Sentences.from_texts(TEXTS, ("and",)), np.array([2, 1, 0]))
    alone = Sentences.from_texts([TEXTS[2], TEXTS[1], TEXTS[0]], ("and",))
    assert list(some.lexicon.words) == list(alone.lexicon.words)
    np.testing.assert_array_equal(some.words.toarray(), alone.words.toarray())
    np.testing.assert_array_equal(
        some.counts(slice(None)).toarray(), alone.counts(slice(None)).toarray()
    )


def test_with_text():
    """As if the text had been read before these sentences; it may bring words and have none."""
    whole = Sentences.from_texts(TEXTS, ("and",))
    for text in ("insulin and Zinc", "and"):
        some = with_text(text, whole, np.array([3, 0]), ("and",))
        alone = Sentences.from_texts([text, TEXTS[3], TEXTS[0]], ("and",))
        assert list(some.lexicon.words) == list(alone.lexicon.words)
        np.testing.assert_array_equal(some.words.toarray(), alone.words.toarray())
        assert some.words.has_sorted_indices
