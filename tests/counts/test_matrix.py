"""The term matrix of an index."""

import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from relsent_ir.counts import matrix as module
from relsent_ir.counts.matrix import TermMatrix
from relsent_ir.errors import InputError, MismatchError
from relsent_ir.lucene.documents import abstract_document
from relsent_ir.lucene.read.index import Index
from relsent_ir.lucene.write.indexing import build_index
from relsent_ir.records import Record


def bags(matrix: TermMatrix) -> dict[str, dict[str, int]]:
    """Each document's counts by term."""
    dense = matrix.counts.toarray()
    return {
        name: {matrix.terms[column]: int(row[column]) for column in np.flatnonzero(row)}
        for name, row in zip(matrix.ids, dense, strict=True)
    }


def test_read(folder: Path, records: list[Record], monkeypatch: pytest.MonkeyPatch) -> None:
    """The counts are those of the analysed texts, also when they are read in many batches."""
    monkeypatch.setattr(module, "BATCH", 37)
    seen: list[tuple[int, int | None]] = []
    with Index(folder) as index:
        matrix = TermMatrix.read(index, index.ids(), progress=lambda *step: seen.append(step))
        analyse = index.facts.analysis.terms
        expected = {r.id: dict(Counter(analyse(abstract_document(r)[1]))) for r in records}
    assert bags(matrix) == expected
    assert seen[0] == (37, 300)
    assert seen[-1] == (300, 300)
    df = Counter(term for bag in expected.values() for term in bag)
    assert dict(zip(matrix.terms, matrix.df.tolist(), strict=True)) == df
    by_rank = sorted(zip(matrix.order.tolist(), matrix.ids, strict=True))
    assert [name for _, name in by_rank] == sorted(matrix.ids)


def test_the_whole_is_read_from_postings(build, records, monkeypatch):
    """It is the same as document by document, which it is where postings cannot be kept."""
    folder = build(records)
    seen: list[tuple[int, int | None]] = []
    with Index(folder) as index:
        wanted = TermMatrix.read(index, index.ids())
        whole = TermMatrix.read(index, progress=lambda *step: seen.append(step))
        monkeypatch.setenv("RELSENT_POSTINGS", "0m")
        over = TermMatrix.read(index)
        monkeypatch.delenv("RELSENT_POSTINGS")
        shutil.rmtree(folder / "derived")
        (folder / "derived").write_text("in the way")
        unwritten = TermMatrix.read(index)
    for matrix in (whole, over, unwritten):
        assert matrix.ids == wanted.ids
        assert matrix.terms == wanted.terms
        for part in ("indptr", "indices", "data"):
            assert np.array_equal(getattr(matrix.counts, part), getattr(wanted.counts, part))
    assert seen == [(wanted.counts.nnz, wanted.counts.nnz)]


def test_deleted_documents(tmp_path: Path) -> None:
    """They have no row, and what only they hold has no column."""
    paths = [tmp_path / f"{n}.jsonl" for n in range(2)]
    old = [Record("1", "Mucus"), Record("2", "Sodium and lung"), Record("3", "Lung")]
    for path, some in zip(paths, (old, [Record("2", "Airway")]), strict=True):
        path.write_text("".join(r.to_json() + "\n" for r in some), encoding="utf-8")
        build_index([(path, "jsonl")], tmp_path / "index", append=path is paths[1])
    with Index(tmp_path / "index") as index:
        assert bags(TermMatrix.read(index)) == {
            "1": {"mucu": 1},
            "2": {"airwai": 1},
            "3": {"lung": 1},
        }


def test_some_documents(folder: Path) -> None:
    """Only the documents that are named are read, in their order."""
    with Index(folder) as index:
        matrix = TermMatrix.read(index, ["r9", "r4"])
        whole = bags(TermMatrix.read(index))
        with pytest.raises(InputError, match="no document 'r900'"):
            TermMatrix.read(index, ["r9", "r900"])
    assert matrix.ids == ["r9", "r4"]
    assert bags(matrix) == {"r9": whole["r9"], "r4": whole["r4"]}


def test_bags_and_rows(folder: Path) -> None:
    """Bags become rows over the matrix's columns; unknown terms are left out, documents refused."""
    with Index(folder) as index:
        matrix = TermMatrix.read(index)
    first, second = matrix.terms[:2]
    found = matrix.bags([{second: 2.5, "qqqq": 3.0}, {}, {first: 1}]).toarray()
    assert found.shape == (3, len(matrix.terms))
    assert found[:, :2].tolist() == [[0, 2.5], [0, 0], [1, 0]]
    assert not found[:, 2:].any()
    assert matrix.rows(["r3", "r0"]).tolist() == [matrix.ids.index("r3"), matrix.ids.index("r0")]
    with pytest.raises(MismatchError, match="x is not among"):
        matrix.rows(["r3", "x"])


def test_no_documents(build: Callable[..., Path]) -> None:
    """An index whose only record has no word has an empty matrix."""
    with Index(build([Record("1", "the")])) as index:
        matrix = TermMatrix.read(index)
    assert len(matrix) == 1
    assert matrix.terms == []
    assert matrix.bags([{"calcium": 1}]).shape == (1, 0)
