"""Term vectors from the postings are those that Lucene stores."""

from pathlib import Path

import numpy as np
import pytest

from relsent_ir.errors import InputError
from relsent_ir.lucene.memory.postings import open_postings
from relsent_ir.lucene.read import index as module
from relsent_ir.lucene.read.index import Index, TermVectors, vectors
from relsent_ir.records import Record
from tests.lucene.memory.test_matrix import WORDS, write


def same(one: TermVectors, other: TermVectors) -> bool:
    """Whether all arrays and the terms' order are equal."""
    return one.terms == other.terms and all(
        np.array_equal(getattr(one.counts, name), getattr(other.counts, name))
        and getattr(one.counts, name).dtype == getattr(other.counts, name).dtype
        for name in ("indptr", "indices", "data")
    )


def test_are_lucenes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In any order, with empty and deleted documents, over segments; few are read from Lucene."""
    chance = np.random.default_rng(3)
    records = [
        Record(f"r{n}", " ".join(chance.choice(WORDS, size=chance.integers(0, 9))))
        for n in range(60)
    ]
    write(tmp_path, [[*records[:40]], ["r7", *records[40:], Record("r3", "dose naïve")]])
    with Index(tmp_path) as index:
        ids = chance.permutation(index.ids()).tolist()
        expected = index.vectors(ids)
        assert same(vectors(index, ids), expected)
        asked: list[int] = []
        original = module.of_documents
        monkeypatch.setattr(
            module, "of_documents", lambda *a: asked.append(len(a[1])) or original(*a)
        )
        monkeypatch.setattr(module, "_LEAST", 10)
        assert same(vectors(index, ids), expected)
        assert not asked  # there are no postings yet, and nobody waits for them
        open_postings(index)
        monkeypatch.setattr(module, "_PIECE", 7)
        told = vectors(index, ids)
        assert same(told, expected)
        assert told.frequencies is not None
        assert told.frequencies.tolist() == index.frequencies(told.terms).tolist()
        assert asked == [len(ids)]
        assert same(vectors(index, ids[:9]), index.vectors(ids[:9]))
        assert same(vectors(index, [*ids, ids[0]]), index.vectors([*ids, ids[0]]))
        monkeypatch.setattr(module, "EACH", 1)
        assert same(vectors(index, ids), expected)
        assert asked == [len(ids)]
        with pytest.raises(InputError, match="no document 'r7'"):
            vectors(index, [*ids, "r7"])
