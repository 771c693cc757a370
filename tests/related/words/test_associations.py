"""Word associations by hand, and those of a text."""

import math
from collections import Counter
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array

from relsent_ir.errors import RelsentError, UsageError
from relsent_ir.lucene.read.index import Index
from relsent_ir.lucene.write.indexing import build_index
from relsent_ir.models import save
from relsent_ir.records import Record, Section
from relsent_ir.related.huber_plus import HuberPlusModel
from relsent_ir.related.opening import open_associations
from relsent_ir.related.training.train import train
from relsent_ir.related.words import associations
from relsent_ir.related.words.associations import Associations, WordAssociations, learn_associations
from relsent_ir.text.vocabulary import Vocabulary
from tests.related.conftest import STOPWORDS

CHANCE = np.random.default_rng(3)
SENTENCES = [sorted(set(CHANCE.integers(0, 12, CHANCE.integers(0, 6)))) for _ in range(60)]
RECORD = np.sort(CHANCE.integers(0, 6, 60))


def _matrix(sentences: list[list[int]], words: int, value: int = 2) -> csr_array:
    starts = np.cumsum([0, *map(len, sentences)])
    numbers = np.array([w for sentence in sentences for w in sentence], dtype=np.int32)
    return csr_array(
        (np.full(len(numbers), value), numbers, starts), shape=(len(starts) - 1, words)
    )


def _slowly(sentences: list[list[int]], record: np.ndarray, words: int) -> np.ndarray:
    """The formula of the docstring, pair by pair."""
    pairs, n, both = 0, Counter(), Counter()
    for i, j in combinations(range(len(sentences)), 2):
        if record[i] != record[j] or j - i > 5:
            continue
        pairs += 1
        n.update(sentences[i])
        n.update(sentences[j])
        for w in sentences[i]:
            for v in sentences[j]:
                both[w, v] += 1
                both[v, w] += 1
    table = np.zeros((words, words))
    for (w, v), count in both.items():
        if count >= 3:
            information = math.log(count * 2 * pairs / (n[w] * n[v]))
            table[w, v] = max(0.0, information) * count / (count + 3)
    return table


@pytest.fixture
def learned(monkeypatch: pytest.MonkeyPatch) -> Associations:
    """Counted in blocks of five words."""
    monkeypatch.setattr(associations, "_BLOCK", 5)
    return learn_associations(_matrix(SENTENCES, 13), RECORD)


def test_counts(learned: Associations):
    """Every entry, and no other; repeated words of a sentence count once."""
    expected = _slowly(SENTENCES, RECORD, 13)
    assert (expected > 0).any()
    np.testing.assert_allclose(learned.matrix.toarray(), expected, rtol=1e-3)
    assert len(learned.values) == (expected > 0).sum()


@given(
    st.lists(
        st.lists(st.integers(0, 4), max_size=4, unique=True).map(sorted), min_size=1, max_size=25
    ),
    st.lists(st.integers(0, 2), min_size=25, max_size=25).map(sorted),
)
@settings(derandomize=True, deadline=None, max_examples=50)
def test_counts_of_anything(sentences: list[list[int]], record: list[int]):
    """Empty sentences, one record, records of one sentence."""
    records = np.array(record[: len(sentences)])
    found = learn_associations(_matrix(sentences, 5), records).matrix.toarray()
    np.testing.assert_allclose(found, _slowly(sentences, records, 5), rtol=1e-3, atol=1e-6)
    assert (found == found.T).all()


def test_between(learned: Associations):
    """All pairs of words; an unknown word has none."""
    table = np.pad(learned.matrix.toarray(), (0, 1))
    w, v = (x.reshape(-1) for x in np.meshgrid(np.arange(-1, 13), np.arange(-1, 13)))
    np.testing.assert_array_equal(learned.between(w, v), table[w, v])


def test_rows(learned: Associations):
    """All associations of some words, an unknown one among them."""
    table = np.pad(learned.matrix.toarray(), (0, 1))
    others = np.append(np.arange(13), -1)
    rows = learned.rows(np.array([4, -1, 0]), others)
    np.testing.assert_array_equal(rows, table[[4, 13, 0]])
    others, values = learned.of(4)
    np.testing.assert_array_equal(table[4, others], values)
    assert (np.diff(others) > 0).all()


def test_arrays(learned: Associations):
    """Stored and read again."""
    again = Associations.from_arrays(learned.to_arrays())
    np.testing.assert_array_equal(again.matrix.toarray(), learned.matrix.toarray())


def test_nothing_close():
    """Records of one sentence teach nothing."""
    learned = learn_associations(_matrix([[0, 1], [0, 1]], 2), np.array([0, 1]))
    assert not len(learned.values)
    assert learned.between(np.array([0]), np.array([1])).tolist() == [0.0]


def test_progress():
    """Counts words."""
    told: list[tuple[int, int | None]] = []
    learn_associations(
        _matrix(SENTENCES, 13), RECORD, progress=lambda done, total: told.append((done, total))
    )
    assert told == [(13, 13)]


WORDS = ("calcium", "ion", "lung", "mucus", "rabbit", "salt")
TABLE = [
    [1.0, 2.0, 0.0, 0.5, 1.0, 0.0],
    [2.0, 0.0, 0.0, 0.0, 0.0, 0.0],
    [0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
    [0.5, 0.0, 0.0, 0.0, 1.0, 0.25],
    [1.0, 0.0, 0.0, 1.0, 0.0, 0.0],
    [0.0, 0.0, 0.0, 0.25, 0.0, 0.0],
]
IDF = np.array([1.0, 2.0, 3.0, 4.0, 5.0, 6.0])


@pytest.fixture
def known() -> WordAssociations:
    """Six words, the table written out."""
    rows = np.array(TABLE)
    starts = np.cumsum([0, *np.count_nonzero(rows, axis=1)])
    others = np.nonzero(rows)[1].astype(np.int32)
    table = Associations(starts, others, rows[rows > 0].astype(np.float16))
    return WordAssociations(Vocabulary.of(WORDS), IDF, table, ("in",))


def test_strength(known: WordAssociations) -> None:
    """Sums of idf times association, without the text's own words, by strength, then by word."""
    found = known.of("Calcium in MUCUS, mucus and unknownium", 10)
    assert found == {
        "rabbit": (1.0 * 1 + 4.0 * 1, ["calcium", "mucus"]),
        "ion": (1.0 * 2, ["calcium"]),
        "salt": (4.0 * 0.25, ["mucus"]),
    }
    assert list(found) == ["rabbit", "ion", "salt"]
    assert list(known.of("calcium", 1)) == ["ion"]
    assert known.of("lung", 5) == {}
    assert known.of("unknownium in 17", 5) == {}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Records in which calcium is always beside mucus, in the next sentence."""
    folder = tmp_path_factory.mktemp("associated")
    texts = [
        f"Calcium was high in {where}. Mucus was thick then. Nobody else was seen."
        for where in ("ducts", "glands", "lungs", "kidneys")
    ]
    texts += [f"The {animal} slept well. The {animal} was old." for animal in ("dog", "cat", "ox")]
    records = [Record(f"r{n}", "A note", sections=(Section(t),)) for n, t in enumerate(texts)]
    (folder / "records.jsonl").write_text("".join(r.to_json() + "\n" for r in records))
    build_index([(folder / "records.jsonl", "jsonl")], folder / "index")
    return folder / "index"


def test_learned_from_a_collection(folder: Path) -> None:
    """By hand: calcium and mucus meet in four pairs of sentences."""
    done: list[int] = []
    found = open_associations(folder, lambda n, _total: done.append(n))
    strength, words = found.of("mucus", 50)["calcium"]
    # all of a record's sentences are close: 6 pairs of four (with the title), 3 pairs of three
    pairs, meets = 4 * 6 + 3 * 3, 4
    association = meets / (meets + 3) * math.log(meets * 2 * pairs / (12 * 12))
    assert strength == pytest.approx(association * math.log(25 / 4), rel=1e-3)
    assert words == ["mucus"]
    assert done
    again = open_associations(folder, lambda *_: pytest.fail("learned twice"))
    assert again.of("mucus", 50) == found.of("mucus", 50)


def test_of_a_model(collection: Path, tmp_path: Path) -> None:
    """Huber+ lends its table; a model of another kind has none, and a missing one is missed."""
    with Index(collection) as index:
        for kind in ("huber-plus", "huber"):
            made = train(index, kind, content_share=1.0, stopwords=STOPWORDS)
            save(tmp_path / kind, made)
            if isinstance(made, HuberPlusModel):
                model = made
    found = open_associations(tmp_path / "huber-plus")
    words = list(model.knowledge.statistics.lexicon.words)
    place = next(n for n in range(len(words)) if len(model.knowledge.associations.of(n)[0]) > 1)
    text = words[place]
    frequency = model.knowledge.statistics.frequency[place]
    idf = math.log(model.knowledge.statistics.sentences / frequency)
    strengths = {w: idf * model.association([w], [text])[0] for w in words if w != text}
    expected = {w: value for w, value in strengths.items() if value > 0}
    assert {w: value for w, (value, _) in found.of(text, 9999).items()} == pytest.approx(expected)
    with pytest.raises(UsageError, match="huber, which has no word associations"):
        open_associations(tmp_path / "huber")
    with pytest.raises(RelsentError):
        open_associations(tmp_path / "nothing")
