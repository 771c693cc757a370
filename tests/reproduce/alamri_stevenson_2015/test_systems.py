"""What the page of answers measures."""

from dataclasses import replace

import numpy as np
import pytest

from recipes.answers.vectors import learn_vectors
from recipes.answers.weights import Example
from relsent_ir.answers.classifiers import Verdict
from relsent_ir.answers.questions import Asked, Posed
from relsent_ir.answers.sentence_features import tag_abstract
from relsent_ir.records import Record, Section, Sentence
from reproduce.alamri_stevenson_2015.systems import (
    Prepared,
    best_only,
    claim_zone,
    cross_validate_linear,
    in_zone,
)
from tests.answers.conftest import invented

TEXTS = ("Forty mice ran.", "Weight fell by a half.", "Ears grew.", "We conclude so.")
MOVES = ("METHODS", "RESULTS", "RESULTS", "CONCLUSION")


def test_claim_zones() -> None:
    """RESULTS and CONCLUSION are the zone; an abstract of aims and methods is searched whole."""
    tagged = tag_abstract(invented(1, "murinol"))
    assert claim_zone(tagged).tolist() == [False] * 4 + [True] * 4
    aims = [Sentence("1", n, "Text.", move) for n, move in enumerate(("PURPOSE", "METHODS"), 1)]
    assert claim_zone(aims).tolist() == [True, True]
    assert claim_zone([]).shape == (0,)
    methods = Record("1", sections=(Section("Mice were weighed. They ran.", "METHODS"),))
    assert claim_zone(tag_abstract(methods)).all()


def _data() -> Prepared:
    pairs = enumerate(zip(MOVES, TEXTS, strict=True), 1)
    tagged = tuple(Sentence("1", n, text, move, 1.0) for n, (move, text) in pairs)
    evidence = ("Weight fell by a half.", "Forty mice ran.")
    return Prepared(
        [Posed(Asked("q", "Weight?", Record("1"), evidence), tagged)], learn_vectors([])
    )


def _judged(*scores: float) -> Verdict:
    values = np.array(scores)
    return Verdict(values, values, values > 0.5)


def test_one_sentence_each() -> None:
    """The first sentence is the only answer; an empty abstract has none."""
    found = best_only([_judged(0.6, 0.9, 0.2, 0.7), _judged()])
    assert found[0].answers.tolist() == [False, True, False, False]
    assert found[1].answers.shape == (0,)


def test_counting_in_the_zone() -> None:
    """The answer outside the zone is neither found nor missed."""
    data = _data()
    assert data.zones[0].tolist() == [False, True, True, True]
    found = in_zone(data, [_judged(0.9, 0.8, 0.7, 0.1)])
    assert found.counts.tolist() == [[1, 1, 0]]


def test_nobody_is_judged_by_a_model_that_saw_it() -> None:
    """What only one record shows cannot be known to the model that judges it."""
    rng = np.random.default_rng(0)
    examples = []
    for n in range(40):
        features = np.column_stack([rng.normal(size=4), np.zeros(4)])
        answers = np.arange(4) == 2
        features[:, 1] = answers if n == 7 else 0
        examples.append(Example(str(n), features, np.zeros(1), answers))
    names = [str(n) for n in range(40)]
    judged = cross_validate_linear(examples, {"form": examples}, names, unseen=())
    assert len(judged["form"]) == 40
    lonely = judged["form"][7]
    without_it = [replace(e, features=e.features * [1.0, 0.0]) for e in examples]
    same = cross_validate_linear(examples, {"form": without_it}, names, unseen=())
    assert lonely.scores == pytest.approx(same["form"][7].scores)
