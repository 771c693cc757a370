"""Four binary naive Bayes classifiers, with and without the Markov model."""

from itertools import pairwise, product

import numpy as np
import pytest
from sklearn.feature_selection import chi2

from relsent_ir.moves import Abstract
from relsent_ir.moves.labels import MOVES
from reproduce.moves.bayes import Bayes, Markov, ngrams

SEQUENCES = [
    ["PURPOSE", "METHODS", "RESULTS", "CONCLUSION"],
    ["PURPOSE", "PURPOSE", "METHODS", "METHODS", "RESULTS"],
]


def test_counts() -> None:
    """Two abstracts, counted by hand; half is added to each of five ways on, and four ways in."""
    markov = Markov.count(SEQUENCES)
    assert np.exp(markov.start) == pytest.approx([2.5 / 4, 0.5 / 4, 0.5 / 4, 0.5 / 4])
    # after PURPOSE: once PURPOSE, twice METHODS; two moves and the end never
    assert np.exp(markov.steps[0]) == pytest.approx([1.5 / 5.5, 2.5 / 5.5, 0.5 / 5.5, 0.5 / 5.5])
    assert np.exp(markov.end[0]) == pytest.approx(0.5 / 5.5)
    assert np.exp(markov.steps).sum(axis=1) + np.exp(markov.end) == pytest.approx(np.ones(4))


@pytest.mark.parametrize("n", [1, 2, 4])
def test_posteriors_are_sums_over_all_orders(n: int) -> None:
    """Forward-backward gives what adding up every sequence of moves gives."""
    markov = Markov.count(SEQUENCES)
    scores = np.random.default_rng(3).normal(size=(n, len(MOVES)))
    expected = np.zeros((n, len(MOVES)))
    for path in product(range(len(MOVES)), repeat=n):
        log = markov.start[path[0]] + markov.end[path[-1]]
        log += sum(scores[t, move] for t, move in enumerate(path))
        log += sum(markov.steps[a, b] for a, b in pairwise(path))
        for t, move in enumerate(path):
            expected[t, move] += np.exp(log)
    expected /= expected.sum(axis=1, keepdims=True)
    assert markov.posteriors(scores) == pytest.approx(expected)


def test_ngrams_are_words_and_pairs_once() -> None:
    """A word that comes twice is one n-gram."""
    assert ngrams("Mice ate mice.") == ["mice", "ate", "mice_ate", "ate_mice"]


def test_weights_by_hand() -> None:
    """The weight of an n-gram is the difference of its smoothed logarithms."""
    abstract = Abstract(
        "1",
        "",
        ("Aim one.", "Aim two.", "Done one.", "Found two.", "Good one."),
        ("PURPOSE", "PURPOSE", "METHODS", "RESULTS", "CONCLUSION"),
    )
    model = Bayes.train([abstract], markov=False)
    row = model.weights[model.rows["aim"]]
    # in 2 of 2 PURPOSE and 0 of 3 others; in 0 of 1 METHODS and 2 of 4 others
    assert row[0] == pytest.approx(np.log(2.5 / 3) - np.log(0.5 / 4))
    assert row[1] == pytest.approx(np.log(0.5 / 2) - np.log(2.5 / 5))
    assert model.prior[0] == pytest.approx(np.log(3) - np.log(4))
    assert set(model.rows) == {"aim", "one", "two"}  # the others occur once


def test_selection_keeps_the_best_by_chi_square(abstracts: list[Abstract]) -> None:
    """The n-grams that stay are those of the highest chi-square, as scikit-learn has it."""
    k = 5
    model = Bayes.train(abstracts, markov=False, selected=k)
    everything = Bayes.train(abstracts, markov=False)
    names = list(everything.rows)
    sentences = [s for a in abstracts for s in a.sentences]
    is_purpose = np.array([m == "PURPOSE" for a in abstracts for m in a.moves])
    present = np.array([[name in ngrams(s) for name in names] for s in sentences], dtype=float)
    absent = 1 - present
    pearson = chi2(present, is_purpose)[0] + chi2(absent, is_purpose)[0]
    kept = {name for name, row in model.rows.items() if model.weights[row, 0]}
    assert len(kept) == k
    least = sorted(pearson)[-k]
    assert all(pearson[names.index(name)] >= least - 1e-9 for name in kept)


@pytest.mark.parametrize("markov", [False, True])
def test_scores_are_shares(abstracts: list[Abstract], held_out: Abstract, markov: bool) -> None:
    """Each sentence has a move and a share between a quarter and one."""
    model = Bayes.train(abstracts, markov=markov)
    found = model.predict("", held_out.sentences)
    assert len(found) == len(held_out.sentences)
    assert all(move in MOVES and 0.25 <= score <= 1 for move, score in found)
    assert model.predict("", []) == []


def test_markov_puts_an_unknown_sentence_in_order(abstracts, held_out):
    """A sentence without a known word takes its move from its neighbours."""
    model = Bayes.train(abstracts, markov=True)
    plain = Bayes.train(abstracts, markov=False)
    sentences = [*held_out.sentences[:4], "Qqq.", *held_out.sentences[4:]]
    assert held_out.moves[3] == held_out.moves[4] == "METHODS"
    assert model.predict("", sentences)[4][0] == "METHODS"
    assert plain.predict("", sentences)[4][0] == plain.predict("", ["Qqq."])[0][0] == "PURPOSE"
