"""Taking some sentences out."""

import numpy as np

from relsent_ir.related.compact import compact
from relsent_ir.related.features import Sentences

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
