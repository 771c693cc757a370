"""Files of records in pieces, for one process or several."""

import gzip
import pickle
from functools import partial
from operator import attrgetter
from pathlib import Path

import pytest

from relsent_ir.errors import InputError
from relsent_ir.records import Deletion, Record, Section
from relsent_ir.records import chunks as chunks_module
from relsent_ir.records.chunks import Packed, each_chunk, read_chunks


def test_entries_cross() -> None:
    """Records, deletions and errors come back in their order, whatever is in them."""
    entries = [
        Record("001", "α < β\n\u2028", sections=(Section("Ran.\ud800", "AIM", "OBJECTIVE"),)),
        Deletion("2"),
        InputError("no id", where="a.jsonl:3", fix="give it one"),
        InputError("no json"),
    ]
    back = Packed(0, 0, False, pickle.dumps(entries)).entries
    assert back[:2] == entries[:2]
    assert [str(error) for error in back[2:]] == ["a.jsonl:3: no id (give it one)", "no json"]


def test_chunks_end_files_and_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By entries or characters; reading goes on after any chunk."""
    monkeypatch.setattr(chunks_module, "CHUNK", 4)
    monkeypatch.setattr(chunks_module, "CHARACTERS", 1000)
    long = Record("long", sections=(Section("x" * 1000),))
    short = [Record(str(n), "Mice ran") for n in range(8)]
    files = []
    for name, records in (("a", short), ("b", [long, *short[:2]])):
        path = tmp_path / f"{name}.jsonl"
        path.write_text("".join(record.to_json() + "\n" for record in records))
        files.append((path, "jsonl"))
    chunks = list(read_chunks(files))
    places = [(chunk.file, chunk.number, chunk.last, len(chunk.entries)) for chunk in chunks]
    first = [(0, 0, False, 4), (0, 1, False, 4), (0, 2, True, 0)]
    assert places == [*first, (1, 0, False, 1), (1, 1, True, 2)]
    for n, chunk in enumerate(chunks):
        assert list(read_chunks(files, (chunk.file, chunk.number))) == chunks[n + 1 :]
    lasts = partial(attrgetter, "last")
    assert list(each_chunk(lasts, files)) == [chunk.last for chunk in chunks]
    assert list(each_chunk(lasts, files, 2)) == [True, True]  # they have their own bounds


def test_works_of_several_files(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Another work under an id of the file before gets its own; the same one replaces it."""
    files = []
    for name, titles in (("a", ("Ants", "Bees")), ("b", ("Moths", "Bees"))):
        path = tmp_path / f"{name}.bib"
        path.write_text(
            "".join(f"@article{{k{n}, title = {{{title}}}}}\n" for n, title in enumerate(titles))
        )
        files.append((path, "bibtex"))
    for threads in (1, 2):
        read = [entry.id for chunk in each_chunk(_same, files, threads) for entry in chunk]
        assert read == ["k0", "k1", "k0~2", "k1"]
    assert "b.bib: other works have the ids of 1 records: k0~2" in caplog.text
    assert "b.bib: 1 works came before, and these replace them" in caplog.text


def _same() -> partial[list[Record]]:
    return partial(_entries)


def _entries(chunk: "chunks_module.Chunk") -> list[Record]:
    return list(chunk.entries)  # type: ignore[arg-type]


def test_a_damaged_file(tmp_path: Path) -> None:
    """Its error is an entry behind the records before the damage, unless all is to be read."""
    whole = tmp_path / "whole.jsonl"
    whole.write_text(Record("b", "Bees").to_json())
    cut = tmp_path / "cut.ris.gz"
    data = gzip.compress(
        b"".join(b"TY  - JOUR\nAN  - %d\nTI  - A%d\nER  - \n" % (n, n * n) for n in range(9000))
    )
    cut.write_bytes(data[: len(data) // 2])
    files = [(cut, "ris"), (whole, "jsonl")]
    entries = [entry for chunk in read_chunks(files, strict=False) for entry in chunk.entries]
    *before, error, last = entries
    assert len(before) > 1000
    assert isinstance(error, InputError)
    assert f"after record {before[-1].id}" in str(error)  # type: ignore[union-attr]
    assert last == Record("b", "Bees")
    with pytest.raises(InputError, match="after record"):
        list(read_chunks(files))
