"""Why a sentence relates two entities so clearly: the features of its mentions that weigh most."""

from typing import Final

from relsent_ir.relations.candidates import Candidate
from relsent_ir.relations.ranker import Ranker

MOST: Final = 10
"""Features that are named."""

ASSERTED: Final = "status:asserted or not"
"""What the score loses where the relation may be negated or hedged."""


def reasons(ranker: Ranker, candidate: Candidate) -> list[tuple[str, float]]:
    """Give what the score of a pair of mentions is the sum of, the weightiest first."""
    graded = ranker.describe([candidate])
    known = ranker.learned.weights
    parts = [(name, known.get(name, 0.0) * value) for name, value in graded.rows[0].items()]
    parts.append((ASSERTED, float(ranker.learned.hedges(graded.asserted)[0])))
    return sorted((part for part in parts if part[1]), key=lambda one: -abs(one[1]))[:MOST]
