"""The store of counts, against counts of the analysed texts."""

import shutil
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from relsent_ir.counts.store import NAME, NO_MOVE, CountStore, open_counts
from relsent_ir.errors import InputError, MismatchError
from relsent_ir.lucene.documents import abstract_document
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.records import Record


def bag(store: CountStore, name: str, row: int) -> dict[str, int]:
    """The counts of a row by term."""
    counts = store.counts[name].matrix[[row]]
    terms = [store.terms[column] for column in counts.indices.tolist()]
    return dict(zip(terms, counts.data.tolist(), strict=True))


def test_counts(folder: Path, records: list[Record]) -> None:
    """Records, their fields and their sentences have the counts of their texts, by id."""
    with Indexes(folder) as collection:
        store = open_counts(collection)
        analyse = collection.facts.analysis.terms
    assert list(store.ids) == sorted(record.id for record in records)
    lengths = []
    for record in records[::7]:
        row = int(store.rows([record.id])[0])
        contents = Counter(analyse(abstract_document(record)[1]))
        lengths.append(contents.total())
        assert bag(store, "contents", row) == contents
        assert bag(store, "title", row) == Counter(analyse(record.title))
        assert bag(store, "abstract", row) == Counter(analyse(record.abstract))
        start, end = store.starts[row : row + 2].tolist()
        sentences = list(record.sentences())
        assert end - start == len(sentences)
        assert store.titles[start:end].tolist() == [not s.n for s in sentences]
        for place, sentence in enumerate(sentences, start):
            assert bag(store, "sentences", place) == Counter(analyse(sentence.text))
    with pytest.raises(MismatchError, match="r999 is not a record of the index"):
        store.rows(["r1", "r999"])


def test_statistics(folder: Path) -> None:
    """Document frequencies, mean lengths and totals are those of the whole collection."""
    with Indexes(folder) as collection:
        store = open_counts(collection)
        index = collection.abstracts
        contents = store.counts["contents"]
        assert contents.size == len(index) == len(store)
        assert contents.mean == pytest.approx(index.mean_length)
        assert contents.df.tolist() == index.frequencies(list(store.terms)).tolist()
    assert store.frequencies.sum() == contents.matrix.sum()
    assert (store.moves == NO_MOVE).all()
    assert not store.tagged


def test_order_of_sentences(folder: Path) -> None:
    """Sentences stand in the order of their numbers; `places` leads back to that of ids."""
    with Indexes(folder) as collection:
        store = open_counts(collection)
        names = sorted(collection.sentences.ids(), key=str.encode)
    ordered = [names[place] for place in store.places.tolist()]
    row = int(store.rows(["r1"])[0])
    start, end = store.starts[row : row + 2].tolist()
    assert ordered[start:end] == [f"r1.{n}" for n in range(end - start)]
    assert sorted(store.places.tolist()) == list(range(len(names)))


def test_damaged(tmp_path: Path, folder: Path) -> None:
    """A store whose arrays do not fit is refused in one line that says what to do."""
    shutil.copytree(folder, tmp_path / "ix")
    with Indexes(tmp_path / "ix") as collection:
        open_counts(collection)
    (path,) = (tmp_path / "ix" / "derived" / NAME).glob("*/contents_df.npy")
    np.save(path, np.load(path)[:-1])
    with Indexes(tmp_path / "ix") as collection, pytest.raises(InputError, match="damaged") as told:
        open_counts(collection)
    assert "delete the folder" in str(told.value)
