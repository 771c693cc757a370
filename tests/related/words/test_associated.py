"""Words that a text is associated with: from a collection, from a model, and what has none."""

import math
from pathlib import Path

import numpy as np
import pytest

from relsent_ir.errors import RelsentError, UsageError
from relsent_ir.lucene.read.index import Index
from relsent_ir.lucene.write.indexing import build_index
from relsent_ir.models import save
from relsent_ir.records import Record, Section
from relsent_ir.related.huber_plus import HuberPlusModel
from relsent_ir.related.opening import open_associations
from relsent_ir.related.training.train import train
from relsent_ir.related.words.associations import Associations, WordAssociations
from relsent_ir.text.vocabulary import Vocabulary
from tests.related.conftest import STOPWORDS

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
    strengths = {w: idf * model.association(w, [text]) for w in words if w != text}
    expected = {w: value for w, value in strengths.items() if value > 0}
    assert {w: value for w, (value, _) in found.of(text, 9999).items()} == pytest.approx(expected)
    with pytest.raises(UsageError, match="huber, which has no word associations"):
        open_associations(tmp_path / "huber")
    with pytest.raises(RelsentError):
        open_associations(tmp_path / "nothing")
