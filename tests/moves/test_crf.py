"""The conditional random field."""

import struct
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from relsent_ir.errors import InputError
from relsent_ir.moves import MOVES, Abstract, default_model
from relsent_ir.moves.crf import CRF, CRFSettings, balance, check
from relsent_ir.moves.evaluation import evaluate
from relsent_ir.moves.labelled import read_abstracts


@pytest.fixture(scope="module")
def model(abstracts: list[Abstract]) -> CRF:
    """A model of the invented abstracts."""
    return CRF.train(abstracts)


def test_learns_the_invented_abstracts(model: CRF, held_out: Abstract) -> None:
    """An abstract on another drug gets the right moves; odd sentences get some, too."""
    found = model.predict(held_out.title, held_out.sentences)
    assert tuple(move for move, _ in found) == held_out.moves
    assert all(0.25 <= score <= 1 for _, score in found)
    found = model.predict(
        "", ["", "小鼠吃了。", "Les souris ont mangé.", "\x00\ufffd:\t=", "a" * 9999]
    )
    assert all(move in MOVES and 0 <= score <= 1 for move, score in found)


def test_scores_are_marginals(model: CRF, held_out: Abstract) -> None:
    """The score is the sum of the marginals of the move's two labels, as CRFsuite has them."""
    import pycrfsuite

    from relsent_ir.moves.features import DEFAULT, abstract_features

    tagger = pycrfsuite.Tagger()
    tagger.open_inmemory(model.data)
    tagger.set(abstract_features(held_out.title, held_out.sentences, DEFAULT))
    move, score = model.predict(held_out.title, held_out.sentences)[3]
    assert score == pytest.approx(tagger.marginal(f"B{move}", 3) + tagger.marginal(f"I{move}", 3))


@pytest.mark.parametrize("openings", [False, True])
def test_one_label_a_move_or_two(abstracts: list[Abstract], openings: bool) -> None:
    """Both kinds of labels give moves."""
    model = CRF.train(abstracts, CRFSettings(openings=openings))
    assert {move for move, _ in model.predict("", abstracts[0].sentences)} <= set(MOVES)


@pytest.mark.parametrize("n", [0, 1, 300])
def test_any_length(model: CRF, n: int) -> None:
    """No sentence, one, three hundred."""
    assert len(model.predict("", ["Mice ate."] * n)) == n


def test_what_is_no_model(model: CRF, abstracts: list[Abstract]) -> None:
    """Bytes that CRFsuite would stumble over are refused, and a CRF for something else."""
    data = model.data
    check(data)
    far = data[:28] + struct.pack("<I", 2**31) + data[32:]
    for damaged in (b"", b"lCRF", b"x" * 99, data[:-1], data + b"x", far):
        with pytest.raises(InputError, match="no weights"):
            CRF(damaged, model.settings)
    one = CRF.train(abstracts, CRFSettings(openings=False))
    with pytest.raises(InputError, match="labels"):
        CRF(one.data, CRFSettings(openings=True))


def test_thinned_abstracts(abstracts: list[Abstract]) -> None:
    """Some of the sentences, in order, with their own moves; always the same."""
    thinned = list(balance(abstracts, 3))
    assert 30 <= len(thinned) <= 36
    assert thinned == list(balance(abstracts, 3))
    moves = {pair for a in abstracts for pair in zip(a.sentences, a.moves, strict=True)}
    for abstract in thinned:
        assert set(zip(abstract.sentences, abstract.moves, strict=True)) <= moves
        places = [MOVES.index(move) for move in abstract.moves]
        assert places == sorted(places)


def test_smaller_sources_are_thinned_more_often(abstracts: list[Abstract]) -> None:
    """Of a source with a third of the largest's abstracts three copies; never more than three."""
    sources = ["a"] * 9 + ["b"] * 2 + ["c"]
    mixed = [replace(one, source=s) for one, s in zip(abstracts, sources, strict=True)]
    alone = [a for a in mixed if a.source == "a"]
    assert 9 < len(list(balance(alone, 2))) <= 18
    counts = Counter(a.source for a in balance(mixed, 1))
    assert counts["a"] <= 9
    assert counts["b"] <= 6
    assert counts["c"] <= 3
    assert list(balance(mixed, 1))[-counts["c"] :] == list(balance(mixed[-1:], 3))
    assert list(balance([], 1)) == []


def test_package_model_on_real_abstracts(data: Path) -> None:
    """The figure that docs/results/moves.md promises, on the abstracts that the rule takes."""
    abstracts, census = read_abstracts([data / "rct" / "rct-validation.xml.gz"])
    assert census.taken == 320
    assert evaluate(default_model(), abstracts).macro_f1 >= 0.955


@pytest.fixture(scope="module")
def weights(abstracts: list[Abstract]) -> bytes:
    """A small model."""
    return CRF.train(abstracts).data


def test_sound(weights: bytes) -> None:
    """What CRFsuite writes passes."""
    check(weights)


@pytest.mark.parametrize("word", range(48 // 4))
def test_header(weights: bytes, word: int) -> None:
    """No other number in the header passes where CRFsuite follows it."""
    for value in (2**32 - 1, 2**31, len(weights), len(weights) - 5):
        changed = weights[: 4 * word] + value.to_bytes(4, "little") + weights[4 * word + 4 :]
        if word in (3, 4) or changed == weights:  # the version, and a count that is always 0
            check(changed)
        else:
            with pytest.raises(InputError, match="no weights of a CRF"):
                check(changed)


def test_cut_off(weights: bytes) -> None:
    """No beginning of the file passes, nor one that says it is so long."""
    for end in range(0, len(weights), 97):
        with pytest.raises(InputError):
            check(weights[:end])
        with pytest.raises(InputError):
            check(weights[:4] + end.to_bytes(4, "little") + weights[8:end])


USE = """
import random, sys
from pathlib import Path
from relsent_ir.errors import InputError
from relsent_ir.moves.crf import CRF, CRFSettings

data = Path(sys.argv[1]).read_bytes()
rng = random.Random(int(sys.argv[2]))
refused = 0
for _ in range(int(sys.argv[3])):
    changed = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 8))):
        at = rng.randrange(0, len(data) - 4)
        if rng.random() < 0.5:
            at -= at % 4
            value = rng.choice((0, 1, 2**31, 2**32 - 1, len(data)))
            changed[at : at + 4] = value.to_bytes(4, "little")
        else:
            changed[at] ^= 1 << rng.randrange(8)
    try:
        model = CRF(bytes(changed), CRFSettings())
        for move, score in model.predict("Title 3", ["We aimed high.", "Rats 3 were fed."]):
            assert score == score
    except InputError:
        refused += 1
print(refused)
"""


def test_mutations_do_not_end_the_process(weights: bytes, tmp_path: Path) -> None:
    """Of 400 mutated files each is refused, or read without a crash, in a process of its own."""
    path = tmp_path / "crf"
    path.write_bytes(weights)
    ran = subprocess.run(
        [sys.executable, "-c", USE, str(path), "1", "400"],
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert int(ran.stdout) > 100
