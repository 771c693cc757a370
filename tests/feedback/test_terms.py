"""The term matrix of an index."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from relsent_ir.errors import InputError, MismatchError
from relsent_ir.feedback import terms
from relsent_ir.feedback.terms import TermMatrix
from relsent_ir.lucene.documents import abstract_document
from relsent_ir.lucene.index import Index
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
    monkeypatch.setattr(terms, "BATCH", 37)
    seen: list[tuple[int, int | None]] = []
    with Index(folder) as index:
        matrix = TermMatrix.read(index, progress=lambda *step: seen.append(step))
        analyse = index.facts.analysis.terms
        expected = {r.id: dict(Counter(analyse(abstract_document(r)[1]))) for r in records}
    assert bags(matrix) == expected
    assert seen[0] == (37, 300)
    assert seen[-1] == (300, 300)
    df = Counter(term for bag in expected.values() for term in bag)
    assert dict(zip(matrix.terms, matrix.df.tolist(), strict=True)) == df
    assert matrix.distinct.tolist() == [len(expected[name]) for name in matrix.ids]
    by_rank = sorted(zip(matrix.order.tolist(), matrix.ids, strict=True))
    assert [name for _, name in by_rank] == sorted(matrix.ids)


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
