"""Why a sentence has its score."""

import pytest

from relsent_ir.relations import default_ranker
from relsent_ir.relations.candidates import Candidate
from relsent_ir.relations.reasons import ASSERTED, MOST, reasons

TEXT = "Abc1 activates Xyz2 in liver cells."
CANDIDATE = Candidate("", "1", TEXT, (0, 4), (15, 19))


def test_reasons() -> None:
    """All features together are the score; the weightiest of them are told, by size."""
    ranker = default_ranker()
    graded = ranker.describe([CANDIDATE])
    weights = ranker.learned.weights
    parts = {name: weights.get(name, 0.0) * value for name, value in graded.rows[0].items()}
    parts[ASSERTED] = float(ranker.learned.hedges(graded.asserted)[0])
    assert sum(parts.values()) == pytest.approx(float(ranker.score([CANDIDATE])[0]))
    found = reasons(ranker, CANDIDATE)
    assert len(found) == MOST
    assert dict(found).items() <= parts.items()
    least = min(abs(weight) for _, weight in found)
    others = [abs(weight) for name, weight in parts.items() if name not in dict(found)]
    assert least >= max(others)


def test_a_negation_is_a_reason() -> None:
    """What a negated sentence loses is named."""
    text = "Abc1 does not bind Xyz2."
    found = dict(reasons(default_ranker(), Candidate("", "1", text, (0, 4), (19, 23))))
    assert found[ASSERTED] < 0
