"""Rows beside an index: what is encoded, resumed, taken over and imported."""

import json
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from relsent_ir.datasets.bundled import SAMPLE
from relsent_ir.dense.bert import read_weights
from relsent_ir.dense.encoder import open_encoder
from relsent_ir.dense.retrieval import Vectors
from relsent_ir.dense.rows import Encoding, Source, VectorRows, encode_index, open_rows, sources_of
from relsent_ir.errors import InputError, MismatchError, UsageError
from relsent_ir.executor import Executor, Processes
from relsent_ir.lucene.memory.derived import check_derived
from relsent_ir.lucene.read.index import Index
from relsent_ir.lucene.write.indexing import build_index
from tests.dense.tiny import named, write_model, write_safetensors


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


def encode(folder: Path, model: Path, unit: str = "abstracts", **settings: Any) -> Encoding:
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
        assert named(built.rows) == names
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
        assert sorted(named(built.rows)) == sorted(index.ids())
        assert len(open_rows(index, tiny)) == len(index)
    with Index(sample) as index, pytest.raises(MismatchError, match="relsent-ir encode"):
        open_rows(index, tiny)
    encode(sample, tiny)  # takes nothing away from those of the sentences
    assert encode(sample, tiny, "sentences").encoded == 0
    with Index(sample) as index:
        assert len(open_rows(index, tiny)) == len(index)


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


MORTAL = """
import os, signal, sys
from pathlib import Path
from relsent_ir.dense import rows
from relsent_ir.dense.encoder import open_encoder
from relsent_ir.lucene.read.index import Index

left = int(sys.argv[3])

def count():
    global left
    left -= 1
    if left < 0:
        os.kill(os.getpid(), signal.SIGKILL)

def hook(event, given):
    if event in ("open", "os.rename", "os.mkdir", "os.remove", "os.rmdir", "os.truncate"):
        if "/derived/" in str(given[0]) and (event != "open" or given[2] & os.O_ACCMODE):
            count()

quantized = rows.eight_bits
rows.eight_bits = lambda vector: (count(), quantized(vector))[1]
rows._PIECE = 2
sys.addaudithook(hook)
with Index(Path(sys.argv[1])) as index:
    rows.encode_index(index, rows.Source(open_encoder(sys.argv[2], compute="numpy")))
print(left)
"""
"""Encodes, and is killed before the vector, file or folder of a number, counted from 0."""


@pytest.mark.slow
def test_killed_by_the_system(sample: Path, tiny: Path) -> None:
    """By SIGKILL at 20 places, from the first folder to the last: the bytes of one build."""

    def ran(left: int) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", MORTAL, str(sample), str(tiny), str(left)]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    def clear() -> None:
        shutil.rmtree(sample / "derived")

    steps = 1_000_000 - int(ran(1_000_000).stdout)
    expected = stored(sample)
    assert steps > len(open_rows_of(sample, tiny)) + 8  # the arrays' files, and their folder
    for place in sorted({round(number * (steps - 1) / 19) for number in range(20)}):
        clear()
        assert ran(place).returncode == -signal.SIGKILL
        assert encode(sample, tiny).encoded >= 0
        assert stored(sample) == expected, place


def open_rows_of(folder: Path, model: Path) -> VectorRows:
    """The rows of an index's records."""
    with Index(folder) as index:
        return open_rows(index, model)


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
    assert named(afresh) == named(grown)
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
def test_imported_vectors_that_are_none(sample, tiny, tmp_path, rows, names, error, problem):
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


def test_a_model_that_gives_no_vectors(sample: Path, tmp_path: Path) -> None:
    """Of weights so large that states overflow, the record whose vector is none is named."""
    model = write_model(tmp_path / "m")
    weights = {
        name: np.full_like(array, 3e38) if name.endswith("output.LayerNorm.weight") else array
        for name, array in read_weights(model / "model.safetensors").items()
    }
    write_safetensors(model / "model.safetensors", weights)
    with Index(sample) as index:
        first = index.ids()[0]
    with (
        np.errstate(all="ignore"),
        pytest.raises(InputError, match=rf"record {first}: a vector that is not finite"),
    ):
        encode(sample, model)


@pytest.mark.parametrize("name", ["rows.npy", "scales.npy", "order.npy", "model.json"])
def test_damaged_rows(sample: Path, tiny: Path, name: str) -> None:
    """What was cut is refused in a line that says what to delete."""
    encode(sample, tiny)
    (path,) = (sample / "derived" / "dense").rglob(name)
    path.write_bytes(path.read_bytes()[:-30])
    with Index(sample) as index, pytest.raises((InputError, MismatchError)) as told:
        open_rows(index, tiny)
    assert "delete the folder" in str(told.value) or "relsent-ir encode" in str(told.value)


def test_queries_by_another_encoder(sample: Path, tmp_path: Path) -> None:
    """One of another dimension is refused when the vectors are opened, and one that has changed."""
    model, query = write_model(tmp_path / "m"), write_model(tmp_path / "q", seed=2)
    encode(sample, model, query=query)
    with Index(sample) as index:
        assert Vectors.open(index, str(model)).encode("lung").shape == (24,)
        write_model(tmp_path / "other", seed=3)
        (tmp_path / "other" / "model.safetensors").replace(query / "model.safetensors")
        with pytest.raises(MismatchError, match="the encoder of queries has changed"):
            Vectors.open(index, str(model))
