"""Expansion by word associations: beside feedback, or alone where feedback has no documents.

Q' gains delta times A, the terms of the words that are most strongly associated with the topic's
(`relsent_ir.related.words.associations`), brought to the length of what the topic itself gives to
Q'.

Reference
---------
Jing, Croft: An association thesaurus for information retrieval. RIAO 1994.
"""

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from relsent_ir.feedback.expansion import Expansion
from relsent_ir.lucene.analyzers import Analysis
from relsent_ir.lucene.read.index import Index
from relsent_ir.methods import MOST

if TYPE_CHECKING:
    from relsent_ir.related.words.associations import WordAssociations

WORDS: Final = 300
"""Associated words to look up: several may have the same stem, or not be in the index."""

CACHED: Final = 4096
"""Texts whose terms are in memory."""


class AssociatedTerms:
    """The terms of an index that a text is associated with; those of recent texts are cached.

    Parameters
    ----------
    associations : WordAssociations
    index : Index
        The index that is searched.
    analysis : Analysis
        How topics become terms.
    """

    def __init__(self, associations: "WordAssociations", index: Index, analysis: Analysis) -> None:
        self.associations = associations
        self.index = index
        self.analysis = analysis
        self._cached: dict[str, dict[str, tuple[float, list[str]]]] = {}

    def of(self, text: str) -> Mapping[str, tuple[float, list[str]]]:
        """Find terms, from the strongest: how strongly, and with which words of the text.

        A term is as strong as its strongest word. Those of the text itself are not among them, nor
        those that the index lacks or has in more than a tenth of its documents.
        """
        terms = self._cached.get(text)
        if terms is None:
            own = set(self.analysis.terms(text))
            strengths: dict[str, tuple[float, list[str]]] = {}
            for word, (strength, words) in self.associations.of(text, WORDS).items():
                for term in self.analysis.terms(word):
                    if term not in own:
                        earlier = strengths.get(term, (strength, []))
                        strengths[term] = earlier[0], list(dict.fromkeys([*earlier[1], *words]))
            counts = self.index.frequencies(list(strengths))
            if len(self._cached) == CACHED:
                self._cached.clear()
            terms = {
                term: strength
                for (term, strength), count in zip(strengths.items(), counts, strict=True)
                if 0 < count <= MOST * len(self.index)
            }
            self._cached[text] = terms
        return terms

    def add(self, text: str, expansion: Expansion, count: int, weight: float) -> Expansion:
        """Add terms of a text to the topic after feedback.

        Parameters
        ----------
        text : str
        expansion : Expansion
        count : int
            How many terms at most.
        weight : float
            delta.
        """
        terms = dict(list(self.of(text).items())[:count])
        length = _length({term: strength for term, (strength, _) in terms.items()})
        own = _length(expansion.original) or _length(expansion.weights) or 1.0
        if not length or not weight:
            return expansion
        scale = weight * own / length
        gains = {term: scale * strength for term, (strength, _) in terms.items()}
        weights = dict(expansion.weights)
        for term, gain in gains.items():
            weights[term] = weights.get(term, 0.0) + gain
        ordered = sorted(weights.items(), key=lambda pair: -pair[1])
        return replace(expansion, weights=dict(ordered), associated=gains)


def _length(weights: Mapping[str, float]) -> float:
    return math.sqrt(sum(weight * weight for weight in weights.values()))
