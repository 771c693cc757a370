"""Rows beside an index: what is encoded, resumed, taken over and imported."""

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from relsent_ir.datasets.bundled import SAMPLE
from relsent_ir.dense.encoder import open_encoder
from relsent_ir.dense.rows import Built, Source, encode_index, open_rows, sources_of
from relsent_ir.errors import InputError, MismatchError, UsageError
from relsent_ir.executor import Executor, Processes
from relsent_ir.lucene.memory.derived import check_derived
from relsent_ir.lucene.read.index import Index
from relsent_ir.lucene.write.indexing import build_index
from tests.dense.tiny import write_model


class KilledError(Exception):
    """Stands for a process that ends."""


class Dying(Executor):
    """Ends after so many batches."""

    def __init__(self, batches: int) -> None:
        self.batches = batches

    def map(self, make: Callable[[], Any], items: Iterable[Any]) -> Iterator[Any]:
        """Map until then."""
        for number, result in enumerate(super().map(make, items)):
            if number == self.batches:
                raise KilledError
            yield result


def encode(folder: Path, model: Path, unit: str = "abstracts", **settings: Any) -> Built:
    """Encode an index by NumPy."""
    executor = settings.pop("executor", Executor())
    with Index(folder, unit) as index:
        source = Source(open_encoder(model, compute="numpy"), **settings)
        return encode_index(index, source, executor=executor)


def stored(folder: Path) -> dict[str, bytes]:
    """All files of vectors, by their paths."""
    root = folder / "derived" / "dense"
    return {str(p.relative_to(root)): p.read_bytes() for p in root.rglob("*") if p.is_file()}


def test_rows_are_the_vectors(sample: Path, tiny: Path) -> None:
    """In Lucene's order, of title and abstract, within what 8 bits can say."""
    built = encode(sample, tiny)
    assert built.encoded == len(built.rows)
    encoder = open_encoder(tiny, compute="numpy")
    with Index(sample) as index:
        names = index.ids()
        assert list(built.rows.names) == names
        rows = open_rows(index, tiny)
        record = index.records(names[3:4])[0]
        assert check_derived(sample, {"abstracts": index.content}) == (1, 0)
    vector = rows.vectors(rows.locate([record.id]))[0]
    expected = encoder.encode(f"{record.title} {record.abstract}").vector
    assert np.abs(vector - expected).max() < np.abs(expected).max() / 127
    assert abs(float(np.linalg.norm(vector)) - 1) < 1e-6
    with pytest.raises(MismatchError, match="nobody has no vector"):
        rows.locate(["nobody"])
    assert encode(sample, tiny).encoded == 0


def test_sentences(sample: Path, tiny: Path) -> None:
    """They have rows of their own, by their ids."""
    built = encode(sample, tiny, "sentences")
    with Index(sample, "sentences") as index:
        assert sorted(built.rows.names) == sorted(index.ids())
        assert len(open_rows(index, tiny)) == len(index)
    with Index(sample) as index, pytest.raises(MismatchError, match="relsent-ir encode"):
        open_rows(index, tiny)


def test_a_killed_build_goes_on(sample: Path, tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Killed at any of 20 places, in the middle of a row too, the bytes are those of one build."""
    monkeypatch.setattr("relsent_ir.dense.rows._PIECE", 2)
    whole = encode(sample, tiny).encoded
    expected = stored(sample)
    places = sorted({round(place * (whole // 2 - 1) / 19) for place in range(20)})
    for place in places:
        for path in sorted((sample / "derived" / "dense").rglob("*"), reverse=True):
            path.unlink() if path.is_file() else path.rmdir()
        with pytest.raises(KilledError):
            encode(sample, tiny, executor=Dying(place))
        (partial,) = (sample / "derived" / "dense" / "tiny").glob(".*.rows")
        with partial.open("ab") as file:
            file.write(b"half a row")
        assert encode(sample, tiny).encoded == whole - 2 * place
        assert stored(sample) == expected


@pytest.mark.slow
def test_processes(sample: Path, tiny: Path) -> None:
    """They give the same bytes."""
    encode(sample, tiny)
    expected = stored(sample)
    for path in sorted((sample / "derived" / "dense").rglob("*"), reverse=True):
        path.unlink() if path.is_file() else path.rmdir()
    with Processes(2) as executor:
        encode(sample, tiny, executor=executor)
    assert stored(sample) == expected


def test_an_index_that_has_grown(sample: Path, tiny: Path, tmp_path: Path) -> None:
    """Only new and changed records are encoded; before that the rows are of another state."""
    whole = encode(sample, tiny).encoded
    with Index(sample) as index:
        first, second = index.records(index.ids()[:2])
    changed = first.to_json().replace(first.title, "The lung and the heart")
    added = second.to_json().replace(f'"{second.id}"', '"new1"')
    (tmp_path / "more.jsonl").write_text(f"{changed}\n{added}\n")
    build_index([(tmp_path / "more.jsonl", "jsonl")], sample, append=True)
    with Index(sample) as index:
        with pytest.raises(MismatchError, match="another state of the index"):
            open_rows(index, tiny)
        (source,) = sources_of(index)
        built = encode_index(index, source)
        assert (built.encoded, len(built.rows)) == (2, whole + 1)
        assert sources_of(index) == []
        grown = open_rows(index, tiny)
    direct = tmp_path / "direct"
    build_index([(SAMPLE / "sample.xml", "pubmed-xml")], direct)
    build_index([(tmp_path / "more.jsonl", "jsonl")], direct, append=True)
    afresh = encode(direct, tiny).rows
    assert list(afresh.names) == list(grown.names)
    assert np.array_equal(afresh.rows, grown.rows)
    assert np.array_equal(afresh.scales, grown.scales)


def test_another_model(sample: Path, tiny: Path, tmp_path: Path) -> None:
    """Rows of one model are not read for another."""
    other = write_model(tmp_path / "other", seed=1)
    encode(sample, other)
    with Index(sample) as index, pytest.raises(MismatchError, match=r"another model \(other\)"):
        open_rows(index, tiny)


def test_other_settings(sample: Path, tiny: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Of two ways of one model it is told which is read, and where it lies; of one, nothing."""
    encode(sample, tiny)
    with Index(sample) as index:
        open_rows(index, tiny)
        assert not caplog.messages
        source = Source(open_encoder(tiny, compute="numpy", pooling="cls"))
        encode_index(index, source, executor=Executor())
        caplog.clear()
        read = open_rows(index, tiny)
    (told,) = caplog.messages
    assert "vectors of tiny with 2 settings; those in" in told
    (place,) = (path for path in (sample / "derived/dense/tiny").iterdir() if str(path) in told)
    assert json.loads((place / "model.json").read_text())["pooling"] == read.facts["pooling"]


def published(folder: Path, ids: list[Any], rows: Any) -> tuple[Path, Path]:
    """Vectors as somebody may publish them."""
    np.save(folder / "v.npy", rows)
    (folder / "ids.json").write_text(json.dumps(ids))
    return folder / "v.npy", folder / "ids.json"


def test_imported_vectors(sample: Path, tiny: Path, tmp_path: Path) -> None:
    """They are joined by PMID; the others have none."""
    with Index(sample) as index:
        records = index.records(index.ids())
    pmids = [record.pmid or record.id for record in records]
    vectors = np.random.default_rng(0).normal(0, 3, (3, 24)).astype(np.float16)
    pair = published(tmp_path, [pmids[5], "unknown", int(pmids[2])], vectors)
    built = encode(sample, tiny, imported=(pair,))
    assert (built.encoded, built.lacking) == (2, len(records) - 2)
    mine = built.rows.vectors(built.rows.locate([records[2].id]))[0]
    expected = vectors[2].astype(float) / np.linalg.norm(vectors[2].astype(float))
    assert np.abs(mine - expected).max() < 0.01


@pytest.mark.parametrize(
    ("rows", "names", "error", "problem"),
    [
        (np.ones((1, 7), "f4"), 1, MismatchError, "7 numbers, the encoder's have 24"),
        (np.ones((2, 24), "f4"), 1, MismatchError, "for 1 ids"),
        (np.ones((1, 24), "i4"), 1, MismatchError, "int32"),
        (np.zeros((1, 24), "f4"), 1, InputError, "record .*: a vector that is 0 throughout"),
        (np.full((1, 24), np.nan, "f4"), 1, InputError, "record .*: a vector that is not finite"),
        (np.ones((2, 24), "f4"), [0, 0], MismatchError, "two vectors of record"),
        (np.ones((1, 24), "f4"), {"a": 1}, InputError, "no list of ids"),
    ],
)
def test_imported_vectors_that_are_none(
    sample: Path, tiny: Path, tmp_path: Path, rows: Any, names: Any, error: Any, problem: str
) -> None:
    """Each is refused in a line."""
    with Index(sample) as index:
        record = index.records(index.ids()[:1])[0]
    if not isinstance(names, dict):
        count = names if isinstance(names, int) else len(names)
        names = [record.pmid or record.id] * count
    with pytest.raises(error, match=problem):
        encode(sample, tiny, imported=(published(tmp_path, names, rows),))


def test_a_pooling_that_nobody_says(tmp_path: Path) -> None:
    """It is asked for."""
    with pytest.raises(UsageError, match="pooled"):
        open_encoder(write_model(tmp_path / "m", pooling=None))
