"""Learning weights of features."""

import numpy as np
import pytest

from relsent_ir.errors import MismatchError
from relsent_ir.hits import Hits
from relsent_ir.trec import evaluate
from reproduce.tbahriti_2004.features import STRENGTHS, average_precision, fit, learn


def invent(seed, topics=12, articles=60):
    """A feature that tells, one that tells a little, one of chance; five targets a topic."""
    chance = np.random.default_rng(seed)
    targets = np.zeros((topics, articles), dtype=bool)
    for row in targets:
        row[chance.choice(articles, 5, replace=False)] = True
    noise = chance.random((topics, articles, 3))
    noise[..., 0] += 0.6 * targets
    noise[..., 1] += 0.2 * targets
    return noise, targets, np.arange(topics)


def test_weights_follow_what_tells():
    """The telling feature weighs most, and the combination beats it on other topics."""
    features, targets, own = invent(1)
    weights, _ = fit(features, targets, own, features[..., 0])
    assert weights.argmax() == 0
    others, wanted, rows = invent(2)
    alone = average_precision(others[..., 0], wanted, rows).mean()
    assert average_precision(others @ weights, wanted, rows).mean() > alone


def test_same_twice_and_nothing():
    """Nothing is left to chance; topics without targets are an error."""
    features, targets, own = invent(3)
    one, other = (fit(features, targets, own, features[..., 0]) for _ in "ab")
    assert (one[0] == other[0]).all()
    assert one[1] == other[1]
    features, targets, own = invent(4)
    with pytest.raises(MismatchError):
        fit(features, np.zeros_like(targets), own, features[..., 0])


def test_average_precision_is_trec_evals():
    """The same numbers as trec_eval over complete rankings, the topic's own article left out."""
    features, targets, own = invent(5)
    scores = features[..., 1]
    names = np.array([f"{i:02d}" for i in range(scores.shape[1])], dtype=object)
    run, qrels = {}, {}
    for topic, row in enumerate(own):
        qrels[str(topic)] = {names[i]: 1 for i in np.flatnonzero(targets[topic])}
        order = np.argsort(-scores[topic])
        run[str(topic)] = Hits(names[order], scores[topic][order]).without(names[row])
        qrels[str(topic)].pop(names[row], None)
        targets[topic, row] = False
    expected = evaluate(qrels, run, ["map"]).topics
    found = average_precision(scores, targets, own)
    assert found == pytest.approx([expected[str(topic)]["map"] for topic in own])


def test_learned_from_candidates():
    """A feature that tells targets has the greater weight; nothing to learn is an error."""
    features, targets, _ = invent(6)

    def measure(held, weights):
        places = np.full(len(held), -1)
        return average_precision(features[held] @ weights, targets[held], places)

    weights, strength = learn(features, targets, measure)
    assert weights[0] > abs(weights[1:]).max()
    assert strength in STRENGTHS
    with pytest.raises(MismatchError, match="no targets"):
        learn(features, np.zeros_like(targets), measure)
