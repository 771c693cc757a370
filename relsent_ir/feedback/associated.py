"""Expansion by word associations: beside feedback, or alone where feedback has nothing to read.

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

from relsent_ir.feedback.expansion import MOST, Expansion
from relsent_ir.lucene.analyzers import Analysis
from relsent_ir.lucene.read.index import Index

if TYPE_CHECKING:
    from relsent_ir.related.words.associations import WordAssociations

WORDS: Final = 300
"""Associated words that are looked at: several have one stem, some are not in the index."""

KEPT: Final = 4096
"""Texts whose terms are remembered."""


class AssociatedTerms:
    """The terms of an index that a text is associated with; what was found is remembered.

    Parameters
    ----------
    associations : WordAssociations
    index : Index
        The one that is searched.
    analysis : Analysis
        How topics become terms.
    """

    def __init__(self, associations: "WordAssociations", index: Index, analysis: Analysis) -> None:
        self.associations = associations
        self.index = index
        self.analysis = analysis
        self._known: dict[str, dict[str, tuple[float, list[str]]]] = {}

    def of(self, text: str) -> Mapping[str, tuple[float, list[str]]]:
        """Give terms, from the strongest: how strongly, and with which words of the text.

        A term is as strong as its strongest word. Those of the text itself are not among them, nor
        those that the index lacks or has in more than a tenth of its documents.
        """
        kept = self._known.get(text)
        if kept is None:
            own = set(self.analysis.terms(text))
            found: dict[str, tuple[float, list[str]]] = {}
            for word, (strength, words) in self.associations.of(text, WORDS).items():
                for term in self.analysis.terms(word):
                    if term not in own:
                        before = found.get(term, (strength, []))
                        found[term] = before[0], list(dict.fromkeys([*before[1], *words]))
            counts = self.index.frequencies(list(found))
            if len(self._known) == KEPT:
                self._known.clear()
            kept = {
                term: of
                for (term, of), count in zip(found.items(), counts, strict=True)
                if 0 < count <= MOST * len(self.index)
            }
            self._known[text] = kept
        return kept

    def add(self, text: str, expansion: Expansion, count: int, weight: float) -> Expansion:
        """Add terms of a text to what the topic became otherwise.

        Parameters
        ----------
        text : str
        expansion : Expansion
        count : int
            How many terms at most.
        weight : float
            delta.
        """
        found = dict(list(self.of(text).items())[:count])
        length = _length({term: strength for term, (strength, _) in found.items()})
        own = _length(expansion.original) or _length(expansion.weights) or 1.0
        if not length or not weight:
            return expansion
        scale = weight * own / length
        gains = {term: scale * strength for term, (strength, _) in found.items()}
        weights = dict(expansion.weights)
        for term, gain in gains.items():
            weights[term] = weights.get(term, 0.0) + gain
        ordered = sorted(weights.items(), key=lambda pair: -pair[1])
        return replace(expansion, weights=dict(ordered), associated=gains)


def _length(weights: Mapping[str, float]) -> float:
    return math.sqrt(sum(weight * weight for weight in weights.values()))
