"""Ranking weights: the loss by hand, its gradient, what is drawn."""

import numpy as np
import pytest

from relsent_ir.related.features import Sentences
from relsent_ir.related.pairs import Corpus
from relsent_ir.related.training import huber_plus as ranking
from relsent_ir.related.training.huber_plus import draw_groups, rank_weights, softmax_loss


@pytest.fixture
def corpus() -> Corpus:
    """Five records of four sentences, and one of a single one."""
    record = np.append(np.repeat(np.arange(5), 4), 5).astype(np.int32)
    texts = [f"word{i} malaria" for i in range(len(record))]
    names = [f"r{i}" for i in range(6)]
    number = np.arange(len(record), dtype=np.int32) % 4 + 1
    return Corpus(Sentences.from_texts(texts, ()), names, record, number)


def test_groups(corpus: Corpus):
    """The first other sentence is of the same record, the rest are of others; of kept ones only."""
    kept = np.arange(len(corpus)) % 4 != 3
    asked = np.array([True, True, False, False, False, True])
    others = np.array([False, True, True, False, True, True])
    groups = draw_groups(corpus, kept, asked, others, 100)
    rows = groups.a[:, 0]
    assert sorted(rows.tolist()) == [0, 1, 2, 4, 5, 6]
    assert (groups.a == rows[:, None]).all()
    record = corpus.record
    assert (record[groups.b[:, 0]] == record[rows]).all()
    assert (groups.b[:, 0] != rows).all()
    assert (record[groups.b[:, 1:]] != record[rows][:, None]).all()
    assert others[record[groups.b[:, 1:]]].all()
    assert kept[groups.b].all()
    assert groups.b.shape == (6, 1 + ranking.OTHERS)
    assert len(draw_groups(corpus, kept, asked, others, 2).a) == 2


def test_no_groups_and_loss(corpus: Corpus, monkeypatch: pytest.MonkeyPatch):
    """Nothing to be set against is no group; one column, one other that stands for ten."""
    kept, every = np.ones(len(corpus), dtype=bool), np.ones(6, dtype=bool)
    assert len(draw_groups(corpus, kept, every, ~every, 9).a) == 0
    assert len(draw_groups(corpus, kept, np.arange(6) == 5, every, 9).a) == 0
    assert len(draw_groups(corpus, kept, np.arange(6) == 0, np.arange(6) == 0, 9).a) == 0
    monkeypatch.setattr(ranking, "AMONG", 10)
    values = np.array([[[2.0], [1.0]]])
    loss, gradient = softmax_loss(np.array([1.0]), values, 0.5)
    odds = 10 * np.exp(1.0 - 2.0)
    assert loss == pytest.approx(np.log(1 + odds) + 0.25)
    assert gradient == pytest.approx([odds / (1 + odds) * (1.0 - 2.0) + 0.5])


def test_minimum():
    """The gradient is that of the loss, and vanishes where the weights end."""
    chance = np.random.default_rng(0)
    values = chance.normal(size=(40, 6, 3))
    values[:, 0] += [1.0, 0.0, -0.5]
    weights = rank_weights(values, 4.0)
    loss, gradient = softmax_loss(weights, values, 0.1)
    np.testing.assert_allclose(gradient, 0.0, atol=1e-3)
    assert weights[0] > 0 > weights[2]
    for i, step in enumerate(1e-5 * np.eye(3)):
        at = weights + 0.3
        up, down = (softmax_loss(at + sign * step, values, 0.1)[0] for sign in (1, -1))
        assert softmax_loss(at, values, 0.1)[1][i] == pytest.approx((up - down) / 2e-5, abs=1e-6)
        assert softmax_loss(weights + 100 * step, values, 0.1)[0] > loss
