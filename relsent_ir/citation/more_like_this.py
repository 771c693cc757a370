"""Lucene's "more like this": the terms of a document that tell most, as a query.

``org.apache.lucene.queries.mlt.MoreLikeThis`` with its defaults: of the terms that the document has
at least twice and at least five documents have, the 25 with the highest tf · idf, each counting
alike.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class MoreLikeThis:
    """Which terms are taken.

    Attributes
    ----------
    max_terms : int
    min_tf : int
        In the document.
    min_df : int
        Documents of the index that have the term.
    """

    max_terms: int = 25
    min_tf: int = 2
    min_df: int = 5

    def query(self, counts: Mapping[str, int], df: Mapping[str, int], n: int) -> dict[str, float]:
        """Choose the terms of a document.

        Parameters
        ----------
        counts : mapping of str to int
            How often the document has each term.
        df : mapping of str to int
            How many documents have it.
        n : int
            Documents of the index.

        Returns
        -------
        dict of str to float
            1 for each term, the best first; ties by term.
        """
        scored = [
            (-tf * (1 + math.log((n + 1) / (df[term] + 1))), term)
            for term, tf in counts.items()
            if tf >= self.min_tf and df[term] >= self.min_df
        ]
        return {term: 1.0 for _, term in sorted(scored)[: self.max_terms]}
