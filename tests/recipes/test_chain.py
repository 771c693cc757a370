"""Learning the weights of a linear-chain CRF."""

from recipes.chain import Stream, fingerprint, learn
from relsent_ir.text.parsing import default_parser

SENTENCES = [["the", "cat", "runs"], ["a", "dog", "runs"], ["the", "dog", "sleeps"]] * 4
LABELS = [["D", "N", "V"]] * 12


def _word(word: str) -> list[str]:
    return [f"w{word}"]


def _end(word: str) -> list[str]:
    return [f"s{word[-1:]}"]


def test_barred_steps() -> None:
    """Steps that training never saw can be barred."""
    streams = [Stream(SENTENCES, {0: _word})]
    barred = learn(streams, LABELS, c1=0, c2=1, iterations=5, bar_unseen=True)
    place = {label: i for i, label in enumerate(barred.labels)}
    assert barred.steps[place["V"], place["D"]] < -1000 < barred.steps[place["D"], place["N"]]


def test_several_streams() -> None:
    """Features of all streams are learned, each at its offsets, and none has a weight of 0."""
    streams = [Stream(SENTENCES, {0: _word}), Stream(SENTENCES, {-1: _end, 1: _end})]
    found = learn(streams, LABELS, c1=0, c2=0.1, iterations=20)
    assert {"0wcat", "-1st", "1ss"} <= set(found.names)
    assert not {"0st", "-1wcat"} & set(found.names)
    assert found.names == sorted(found.names)
    assert found.values.all()


def test_fingerprint() -> None:
    """The packaged tagger and chunker are told apart from others by sixteen digits."""
    assert len(fingerprint(default_parser())) == 16
