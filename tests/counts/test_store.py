"""The store of counts, against counts of the analysed texts."""

import shutil
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from relsent_ir.counts.store import NAME, NO_MOVE, CountStore, open_counts
from relsent_ir.errors import InputError, MismatchError
from relsent_ir.feedback.pool import Documents
from relsent_ir.hits import Hits, Run
from relsent_ir.lucene.documents import abstract_document
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.lucene.write.indexing import build_index
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
        assert contents.matrix.shape[0] == len(index) == len(store)
        assert contents.mean == pytest.approx(index.mean_length)
        assert contents.df.tolist() == index.frequencies(list(store.terms)).tolist()
    assert store.frequencies.sum() == contents.matrix.sum()
    assert (store.moves == NO_MOVE).all()


def test_vectors(folder: Path) -> None:
    """Terms of records are those that Lucene reads, in its order; no record is no record."""
    with Indexes(folder) as collection:
        store, index = open_counts(collection), collection.abstracts
        ids = ["r30", "r2", "r31", "r2"]
        told, read = store.vectors(ids), index.vectors(ids)
        assert told.terms == read.terms
        assert told.frequencies is not None
        assert told.frequencies.tolist() == index.frequencies(told.terms).tolist()
    for part in ("indptr", "indices", "data"):
        assert getattr(told.counts, part).tolist() == getattr(read.counts, part).tolist()
        assert getattr(told.counts, part).dtype == getattr(read.counts, part).dtype
    with pytest.raises(MismatchError, match="r999 is not a record of the index"):
        store.vectors(["r999"])


def test_feedback_reads_them(sample, sample_update, tmp_path):
    """A pool is the same from Lucene and from the store, as long as deleted records count, too."""
    build_index([sample], tmp_path)
    for _ in range(2):
        with Indexes(tmp_path) as collection:
            names = collection.abstracts.ids()[:9]
            run = Run(
                {"1": Hits.ranked(names[:5], range(5)), "2": Hits.ranked(names[3:], range(6))}
            )
            of_lucene, of_store = (Documents(collection.abstracts) for _ in range(2))
            of_store.counts = open_counts(collection)
            one, other = (some.pool({"1": "", "2": ""}, run) for some in (of_lucene, of_store))
            assert one.terms == other.terms
            assert one.frequencies.tolist() == other.frequencies.tolist()
            assert (one.counts.tocsr() != other.counts.tocsr()).nnz == 0
            deleted = collection.abstracts.has_deletions
        build_index([sample_update], tmp_path, append=True)
    assert deleted


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
