"""Related sentences: the best ones by Huber+ with its associations, or another trained model.

Of each candidate the sentences are scored that BM25 finds best, and the title.
"""

from typing import Final

import numpy as np

from relsent_ir.ranker.candidates import Candidates
from relsent_ir.ranker.features.group import Group
from relsent_ir.typing import Floats

SENTENCES: Final = 2
"""How many of each candidate's sentences are scored, besides the title."""


def _compute(candidates: Candidates) -> dict[str, Floats]:
    from relsent_ir.related.features import with_text

    assert candidates.related
    model, store = candidates.related.model, candidates.related.store
    sentences = candidates.sentences
    title = np.flatnonzero(sentences.title)
    best = sentences.leading(sentences.expanded, ~sentences.title, SENTENCES)
    places = np.concatenate([title, best])
    stored = candidates.store.places[sentences.numbers[places]]
    few = with_text(candidates.text, store.sentences, stored, model.stopwords)
    scores = model.query_scores(few, 0, 1 + np.arange(len(places)))
    least = float(scores.min(initial=0.0))
    owners = sentences.owners[places]
    found = {}
    for name, chosen in (
        ("related-title", slice(0, len(title))),
        ("related", slice(len(title), None)),
    ):
        found[name] = np.full(len(candidates), least)
        np.maximum.at(found[name], owners[chosen], scores[chosen])
    return found


GROUP: Final = Group(
    "related",
    "Smith & Wilbur 2010 (Huber), with learned associations (Huber+)",
    {
        "related": f"Huber+ of the best of {SENTENCES} sentences",
        "related-title": "Huber+ of the title",
    },
    _compute,
)
