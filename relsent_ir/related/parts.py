"""The parts of words, three characters each: a word that was never seen has a vector by them.

Bojanowski et al.: Enriching word vectors with subword information. TACL 5, 2017; with one length,
which the features of a word have anyhow (`relsent_ir.related.substrings`).
"""

from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from relsent_ir.related.features import Lexicon
from relsent_ir.related.substrings import SHORTEST, Substrings

if TYPE_CHECKING:
    from scipy.sparse import csr_array

LENGTH: Final = 3
_LEVEL: Final = LENGTH - SHORTEST


def count_parts(lexicon: Lexicon) -> int:
    """Give the number of parts that the words of a lexicon have."""
    return len(lexicon.substrings.levels[_LEVEL])


def word_parts(lexicon: Lexicon, words: NDArray[np.integer] | slice) -> "csr_array":
    """Give the parts of some words.

    Returns
    -------
    scipy.sparse.csr_array of float32, shape (words, parts)
        1 / √n at each of a word's n parts, so that long words weigh no more.
    """
    from scipy.sparse import csr_array

    table = lexicon.table[words]
    first = len(lexicon.words) + lexicon.substrings.starts[_LEVEL]
    columns = table.indices - first
    kept = (columns >= 0) & (columns < count_parts(lexicon))
    before = np.append(0, np.cumsum(kept))
    starts = before[table.indptr]
    sizes = np.diff(starts)
    values = np.repeat(1 / np.sqrt(np.maximum(sizes, 1)), sizes).astype(np.float32)
    return csr_array((values, columns[kept], starts), shape=(len(sizes), count_parts(lexicon)))


def locate_parts(lexicon: Lexicon, other: Lexicon) -> NDArray[np.int32]:
    """Give the part here of each of another lexicon's, -1 where there is none."""
    ours, theirs = (
        Substrings(some.substrings.alphabet, some.substrings.levels[: _LEVEL + 1])
        for some in (lexicon, other)
    )
    found = ours.locate(theirs)[theirs.starts[_LEVEL] :]
    return np.where(found < 0, -1, found - np.int32(ours.starts[_LEVEL]))
