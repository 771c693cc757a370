"""The sentence store."""

from pathlib import Path

import numpy as np
import pytest

from relsent_ir.errors import InputError, MismatchError, OutputError
from relsent_ir.related.features import Sentences
from relsent_ir.related.formulas import Statistics
from relsent_ir.related.store import open_store
from tests.related.stored import Listed

TEXTS = {
    "b.10": "Malaria net",
    "b.2": "Fever, fever and chloroquine",
    "b.0": "Parasites",
    "a-b.1": "Insulin lowers glucose",
    "a.1": "The islet 42",
    "a.0": "",
}
ORDER = ["a-b.1", "a.0", "a.1", "b.0", "b.10", "b.2"]


def test_holds_what_the_index_holds(tmp_path: Path):
    """Rows are in the order of ids; words, features and records are those of the texts."""
    store = open_store(Listed(tmp_path, TEXTS), ("the", "and"))
    assert list(store.ids) == ORDER
    assert [store.records[r] for r in store.record] == ["a-b", "a", "a", "b", "b", "b"]
    plain = Sentences.from_texts((TEXTS[name] for name in ORDER), ("the", "and"))
    assert list(store.lexicon.words) == list(plain.lexicon.words)
    assert (store.sentences.words != plain.words).nnz == 0
    assert (store.sentences.lexicon.table != plain.lexicon.table).nnz == 0
    across = plain.lexicon.table.tocsc()
    assert np.array_equal(store.lexicon.feature_starts, across.indptr)
    assert np.array_equal(store.lexicon.feature_words, across.indices)
    counted = Statistics.collect(plain, np.array([0, 2, 4, 5]))
    assert np.array_equal(store.statistics.frequency, counted.frequency)
    assert store.statistics.sentences == 4


def test_finds_rows_and_records(tmp_path: Path):
    """By bisection and by dictionary; an unknown sentence is an error, an unknown record -1."""
    store = open_store(Listed(tmp_path, TEXTS), ())
    assert store.rows(["b.2", "a.1"]).tolist() == [5, 2]
    assert store.rows(["a.1"] * 3000).tolist() == [2] * 3000
    assert store.rows([]).tolist() == []
    names = [store.record_of(name) for name in ("b", "b.10", "a-b.1", "c", "b.11")]
    assert names == [2, 2, 1, -1, -1]
    with pytest.raises(MismatchError, match=r"no sentence 'c\.1'"):
        store.rows(["c.1"])


def test_is_built_once(tmp_path: Path):
    """It is read again as it is, and built anew, without the old one, when the index changes."""
    told: list[int] = []
    first = open_store(Listed(tmp_path, TEXTS), (), lambda done, _: told.append(done))
    second = open_store(Listed(tmp_path, TEXTS), (), lambda done, _: told.append(done))
    assert (second.path, told) == (first.path, [6])
    other = open_store(Listed(tmp_path, TEXTS), ("and",))
    assert other.path != first.path
    assert first.path.exists()
    changed = open_store(Listed(tmp_path, {**TEXTS, "c.0": "Bone"}, "1"), ())
    assert len(changed) == 7
    assert [path.name for path in changed.path.parent.glob("[!.]*")] == [changed.path.name]


def test_refuses(tmp_path: Path):
    """An index without sentences, a place that cannot be written, a damaged store."""
    with pytest.raises(InputError, match="no sentences"):
        open_store(Listed(tmp_path, {}), ())
    store = open_store(Listed(tmp_path, TEXTS), ())
    np.save(store.path / "record.npy", np.zeros(3, dtype=np.int32))
    with pytest.raises(InputError, match=r"record\.npy: .* \(delete the folder\)"):
        open_store(Listed(tmp_path, TEXTS), ())
    (tmp_path / "file").mkdir()
    (tmp_path / "file" / "derived").write_text("in the way")
    with pytest.raises(OutputError):
        open_store(Listed(tmp_path / "file", TEXTS), ())
