"""Files of records in pieces, for one process or several."""

from functools import partial
from operator import attrgetter
from pathlib import Path

import pytest

from relsent_ir.errors import InputError
from relsent_ir.records import Deletion, Record, Section
from relsent_ir.records import chunks as chunks_module
from relsent_ir.records.chunks import each_chunk, pack, read_chunks, unpack


def test_entries_cross_as_lines() -> None:
    """Records, deletions and errors come back in their order, whatever is in them."""
    entries = [
        Record("001", "α < β\n\u2028", sections=(Section("Ran.\ud800", "AIM", "OBJECTIVE"),)),
        Deletion("2"),
        InputError("no id", where="a.jsonl:3", fix="give it one"),
        InputError("no json"),
    ]
    back = list(unpack(pack(entries)))
    assert back[:2] == entries[:2]
    assert [str(error) for error in back[2:]] == ["a.jsonl:3: no id (give it one)", "no json"]
    assert list(unpack(pack([]))) == []


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
