"""The sentence store, added to what was read before."""

import json
import random
from pathlib import Path
from typing import Any

import numpy as np

from relsent_ir import files
from relsent_ir.executor import Processes
from relsent_ir.lucene.read.index import Index
from relsent_ir.lucene.write.indexing import build_index
from relsent_ir.related import building as store_build
from relsent_ir.related.store import Store, open_store

WORDS = [a + b + c for a in ("mur", "rat", "cat") for b in "aeiou" for c in ("nol", "lin", "tex")]


def written(path: Path, ids: list[str], seed: int) -> tuple[Path, str]:
    """A file of records of drawn words, some of them new each time."""
    chance = random.Random(seed)
    words = [*chance.sample(WORDS, 30), f"novum{seed}"]
    with path.open("w") as file:
        for name in ids:
            text = " ".join(" ".join(chance.choices(words, k=7)).capitalize() + "." for _ in "abc")
            file.write(
                json.dumps({"id": name, "title": f"On {words[0]}.", "abstract": text}) + "\n"
            )
    return path, "jsonl"


def arrays(store: Store) -> dict[str, Any]:
    """All that is in a store's folder."""
    return {path.name: np.load(path) for path in store.path.glob("*.npy")}


def test_what_is_appended_gives_what_a_whole_build_gives(tmp_path, monkeypatch):
    """New records, revised ones, deleted ones: the same arrays, and only what is new is read."""
    monkeypatch.setattr(store_build, "BATCH", 7)
    monkeypatch.setattr(store_build, "_PIECE", 5)
    folder, read = tmp_path / "index", []
    inputs = [written(tmp_path / "0", [f"r.{i}" for i in range(40)] + ["r", "r-1"], 0)]
    deletions = tmp_path / "3.xml"
    deletions.write_text(
        "<PubmedArticleSet><DeleteCitation><PMID Version='1'>r.3</PMID></DeleteCitation>"
        "</PubmedArticleSet>"
    )
    steps = [
        None,
        written(tmp_path / "1", ["s", "r.7"], 1),
        written(tmp_path / "2", [f"a{i}" for i in range(5)], 2),
        (deletions, "pubmed-xml"),
    ]
    for step in steps:
        inputs += [step] if step else []
        build_index(inputs, folder, append=bool(step))
        with Index(folder, "sentences") as index:
            told = [0]

            def tick(done: int, _: int | None, told: list[int] = told) -> None:
                told.append(done)

            found = arrays(open_store(index, (), tick))
            read.append(max(told))
            files.set_cache(tmp_path / f"cache{len(inputs)}")
            whole = arrays(open_store(index, ()))
            files.set_cache(None)
        assert found.keys() == whole.keys()
        for name, array in whole.items():
            assert array.dtype == found[name].dtype, name
            assert np.array_equal(array, found[name]), name
    assert read == [42 * 4, 2 * 4, 5 * 4, 0]


def test_read_by_other_processes(tmp_path: Path) -> None:
    """The store is the same."""
    build_index([written(tmp_path / "0", [str(i) for i in range(30)], 0)], tmp_path / "index")
    with Index(tmp_path / "index", "sentences") as index:
        here = arrays(open_store(index, ("the",)))
        files.set_cache(tmp_path / "cache")
        with Processes(2) as crew:
            there = arrays(open_store(index, ("the",), executor=crew))
        files.set_cache(None)
    assert all(np.array_equal(array, there[name]) for name, array in here.items())
