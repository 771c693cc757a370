"""The linear-chain CRF: decoding against brute force, features by word, stored weights."""

import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise, product

import numpy as np
import pytest

from recipes.chain import Stream, learn
from relsent_ir.text.chain import ChainWeights, Emissions, decode, split

SENTENCES = [["the", "cat", "runs"], ["a", "dog", "runs"], ["the", "dog", "sleeps"]] * 4
LABELS = [["D", "N", "V"]] * 12


def _features(word: str) -> list[str]:
    return [f"w{word}", f"s{word[-1:]}"]


FEATURES = {0: _features, -1: _features}


@pytest.fixture(scope="module")
def weights() -> ChainWeights:
    """ChainWeights of a tiny tagger."""
    return learn([Stream(SENTENCES, FEATURES)], LABELS, c1=0.01, c2=0.01, iterations=50)


def test_decode_finds_the_best_path() -> None:
    """With the whole beam, Viterbi's path is the best of all paths of every sentence."""
    draw = np.random.default_rng(3)
    lengths = [3, 0, 1, 4]
    steps = draw.normal(size=(3, 3)).astype(np.float32)
    scores = draw.normal(size=(8, 3)).astype(np.float32)
    found = split([str(x) for x in decode(scores, lengths, steps)], lengths)
    at = 0
    for length, path in zip(lengths, found, strict=True):
        part = scores[at : at + length]
        totals = {
            labels: sum(part[i, label] for i, label in enumerate(labels))
            + sum(steps[a, b] for a, b in pairwise(labels))
            for labels in product(range(3), repeat=length)
        }
        assert "".join(path) == "".join(map(str, max(totals, key=totals.__getitem__)))
        at += length


def test_decode_in_a_beam() -> None:
    """Labels outside a token's highest scores are not taken; nothing in, nothing out."""
    steps = np.zeros((3, 3), dtype=np.float32)
    steps[:, 2] = 5
    scores = np.array([[2, 1, 0], [2, 1, 0]], dtype=np.float32)
    assert decode(scores, [2], steps).tolist() == [0, 2]
    assert decode(scores, [2], steps, beam=2).tolist() == [0, 0]
    steps = np.zeros((2, 2), dtype=np.float32)
    assert decode(np.zeros((0, 2), dtype=np.float32), [0, 0], steps).tolist() == []


def test_emissions_are_sums_of_weights(weights: ChainWeights) -> None:
    """A token's scores are the weights of its own features and of the word before it."""
    emissions = Emissions(weights, FEATURES)
    found = emissions.scores([["a", "cat"], ["runs"]])
    known = {name: i for i, name in enumerate(weights.names)}
    expected = np.zeros(len(weights.labels))
    for name in ("0wcat", "0st", "-1wa", "-1sa"):
        if name in known:
            part = slice(weights.starts[known[name]], weights.starts[known[name] + 1])
            expected[weights.columns[part]] += weights.values[part]
    assert np.allclose(found[1], expected, atol=1e-3)


def test_forgetting_words(weights: ChainWeights) -> None:
    """When more words come than are kept, the scores stay the same."""
    small, large = Emissions(weights, FEATURES, capacity=4), Emissions(weights, FEATURES)
    for sentences in (SENTENCES[:1], SENTENCES[1:2], SENTENCES):
        assert np.array_equal(small.scores(sentences), large.scores(sentences))


def test_threads_share_a_table(weights: ChainWeights) -> None:
    """Eight threads that meet new words at once, and forget some, get the scores of one."""
    draw = np.random.default_rng(5)
    words = [
        "cat",
        "dog",
        "runs",
        "sleeps",
        "the",
        *(f"{n}{end}" for n in range(300) for end in "esg"),
    ]
    texts = [[str(word) for word in draw.choice(words, 12)] for _ in range(400)]
    alone = Emissions(weights, FEATURES)
    expected = [alone.scores([text]) for text in texts]
    shared = Emissions(weights, FEATURES, capacity=200)
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(8) as threads:
            found = list(threads.map(lambda text: shared.scores([text]), texts))
    finally:
        sys.setswitchinterval(interval)
    assert all((a == b).all() for a, b in zip(found, expected, strict=True))


def test_learning(weights: ChainWeights) -> None:
    """The training sentences get their labels back; what is stored is what is read."""
    scores = Emissions(weights, FEATURES).scores(SENTENCES)
    lengths = [3] * len(SENTENCES)
    found = decode(scores, lengths, weights.steps)
    assert split([weights.labels[i] for i in found], lengths) == LABELS
    again = ChainWeights.from_arrays(weights.arrays())
    assert again.names == weights.names
    assert again.labels == weights.labels
    assert np.array_equal(again.values, weights.values)


@pytest.mark.parametrize("name", ["labels", "names", "steps", "starts", "columns", "values"])
def test_damaged_arrays(weights: ChainWeights, name: str) -> None:
    """Arrays that do not fit together are refused."""
    arrays = weights.arrays()
    for damaged in (
        {key: array for key, array in arrays.items() if key != name},
        {**arrays, name: np.concatenate([arrays[name], arrays[name]])},
    ):
        with pytest.raises((KeyError, ValueError, IndexError, TypeError)):
            ChainWeights.from_arrays(damaged)
