"""Claim zones."""

import numpy as np

from relsent_ir.answers.features import claim_zone, move_probabilities, tag_abstract
from relsent_ir.records import Record, Section, Sentence
from tests.answers.conftest import invented


def _tagged(*moves: str) -> list[Sentence]:
    return [Sentence("1", n, "Text.", move, 0.7) for n, move in enumerate(moves, 1)]


def test_labels_give_the_zone() -> None:
    """RESULTS and CONCLUSION sections are the zone; structure may be ignored."""
    tagged = tag_abstract(invented(1, "murinol"))
    assert claim_zone(tagged).tolist() == [False] * 4 + [True] * 4
    assert {sentence.score for sentence in tagged} == {1.0}
    guessed = tag_abstract(invented(1, "murinol"), labels=False)
    assert max(sentence.score for sentence in guessed) < 1.0


def test_without_a_zone_all_sentences_are_taken() -> None:
    """An abstract of aims and methods only is searched whole."""
    assert claim_zone(_tagged("PURPOSE", "METHODS")).tolist() == [True, True]
    assert claim_zone([]).shape == (0,)
    methods = Record("1", sections=(Section("Mice were weighed. They ran.", "METHODS"),))
    assert claim_zone(tag_abstract(methods)).all()


def test_probabilities() -> None:
    """What the score leaves is spread over the other moves."""
    found = move_probabilities(_tagged("RESULTS"))
    assert np.allclose(found, [[0.1, 0.1, 0.7, 0.1]])
    assert move_probabilities([]).shape == (0, 4)
