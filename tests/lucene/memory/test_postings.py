"""Postings that are added to what was read before."""

import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from relsent_ir.lucene.memory import postings
from relsent_ir.lucene.memory.postings import Postings, TermPostings, merged, open_postings
from relsent_ir.lucene.read.index import Index
from relsent_ir.lucene.read.search import Searcher
from relsent_ir.lucene.write.indexing import build_index
from relsent_ir.records import Record, Section
from relsent_ir.text.vocabulary import Vocabulary

Lists = dict[str, list[tuple[int, int]]]
ARRAYS = ("ranks", "starts", "documents", "counts", "lengths")


def made(lists: Lists, dtype: Any = np.uint16) -> TermPostings:
    """Postings of lists of documents and counts."""
    names = sorted(lists, key=str.encode)
    entries = [entry for name in names for entry in lists[name]]
    starts = np.cumsum([0, *(len(lists[name]) for name in names)], dtype=np.int32)
    documents = np.array([document for document, _ in entries], np.int32)
    return TermPostings(
        Vocabulary.of(names), starts, documents, np.array([count for _, count in entries], dtype)
    )


def read(terms: TermPostings) -> Lists:
    """The lists of postings."""
    return {
        name: list(zip(terms.documents[a:b].tolist(), terms.counts[a:b].tolist(), strict=True))
        for name, a, b in zip(terms.names, terms.starts[:-1], terms.starts[1:], strict=True)
    }


def drawn(chance: random.Random, first: int) -> Lists:
    """Lists of a few terms, of documents from a number on."""
    names = {"".join(chance.choices("abé\u4e00", k=chance.randint(1, 3))) for _ in range(9)}
    return {
        name: [
            (document, chance.randint(1, 9))
            for document in sorted(chance.sample(range(first, first + 40), chance.randint(1, 12)))
        ]
        for name in sorted(names)[: chance.randint(0, 9)]
    }


def test_lists_are_joined(monkeypatch: pytest.MonkeyPatch) -> None:
    """As dictionaries of lists are, in pieces of any size."""
    for seed in range(200):
        chance = random.Random(seed)
        before, after = drawn(chance, 0), drawn(chance, 40)
        wanted = {name: before.get(name, []) + after.get(name, []) for name in {**before, **after}}
        monkeypatch.setattr(postings, "_PIECE", chance.randint(1, 30))
        found = merged(made(before), made(after), lambda dtype, size: np.empty(size, dtype))
        assert read(found) == wanted
        assert list(found.names) == sorted(wanted, key=str.encode)
        assert found.counts.dtype == np.uint16


def opened(folder: Path, unit: str) -> Postings:
    """The postings of an index."""
    with Index(folder, unit) as index:
        return open_postings(index)


def same(found: Postings, wanted: Postings) -> bool:
    """Whether all of them are alike, to the type."""
    arrays = [(getattr(found, name), getattr(wanted, name)) for name in ARRAYS]
    return (
        list(found.ids) == list(wanted.ids)
        and list(found.terms) == list(wanted.terms)
        and all(a.dtype == b.dtype and np.array_equal(a, b) for a, b in arrays)
    )


@pytest.fixture
def firsts(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """From which segment on they were read, each time."""
    seen: list[int] = []
    original = postings._read

    def watched(index: Index, field: str, first: int, *rest: Any) -> TermPostings:
        seen.append(first)
        return original(index, field, first, *rest)

    monkeypatch.setattr(postings, "_read", watched)
    return seen


@pytest.mark.parametrize("unit", ["abstracts", "sentences"])
def test_appended_to(tmp_path, invent, write, firsts, unit):
    """New, replaced and deleted documents: what is there afterwards is as if read anew."""
    folder = tmp_path / "index"
    often = Record("often", sections=(Section("mouse " * 70_000),))
    groups = [invent(60, 1, "a"), [*invent(20, 2, "b"), *invent(9, 3, "a")], [often]]
    for number, group in enumerate(groups):
        build_index([write(tmp_path / f"{number}.jsonl", group)], folder, append=True)
        found = opened(folder, unit)
        fresh = tmp_path / f"fresh{number}"
        shutil.copytree(folder, fresh, ignore=shutil.ignore_patterns("derived"))
        assert same(found, opened(fresh, unit))
    assert firsts == [0, 0, 1, 0, 2, 0]
    assert found.counts.dtype == np.int32
    assert len(list((folder / "derived" / f"postings-{unit}").glob("*-*"))) == 1
    with Index(folder, unit) as index:
        topics = {"1": groups[0][20].title, "2": groups[1][3].title}
        runs = [Searcher(index, engine=name).search(topics, k=30) for name in ("lucene", "matrix")]
    assert all(runs[0][name].ids.tolist() == runs[1][name].ids.tolist() for name in topics)


def test_merged_segments_are_read_again(tmp_path, invent, write, firsts):
    """Then document numbers are others; so are they if the first segment has gone."""
    inputs = [write(tmp_path / f"{c}.jsonl", invent(20, i, c)) for i, c in enumerate("ab")]
    build_index(inputs, tmp_path / "index")
    opened(tmp_path / "index", "abstracts")
    build_index(inputs, tmp_path / "index", optimize=True)
    opened(tmp_path / "index", "abstracts")
    assert firsts == [0, 0]


def test_edition(build: Callable[..., Path]) -> None:
    """Other arrays of the same index need another edition, or stored ones are taken for them."""
    records = [
        Record("2", "Mucus of mice", sections=(Section("Mice ran and ran. They slept."),)),
        Record("1", "Lungs", sections=(Section("Calcium in lungs."),)),
    ]
    with Index(build(records)) as index:
        stored = open_postings(index)
        arrays = {name: getattr(stored, name).tolist() for name in ARRAYS}
        assert (list(stored.ids), list(stored.terms)) == (
            ["1", "2"],
            ["calcium", "lung", "mice", "mucu", "ran", "slept"],
        )
    assert postings.EDITION == 1
    assert arrays == {
        "ranks": [1, 0],
        "starts": [0, 1, 2, 3, 4, 5, 6],
        "documents": [1, 1, 0, 0, 0, 0],
        "counts": [1, 2, 2, 1, 2, 1],
        "lengths": [6, 3],
    }
