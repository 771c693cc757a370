"""Indexes of records that a test invents."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from relsent_ir.lucene.write.indexing import build_index
from relsent_ir.records import Record


def index_of(folder: Path, records: Iterable[Record], **settings: Any) -> Path:
    """Write records into a folder, and index them there."""
    path = folder / "in.jsonl"
    path.write_text("".join(record.to_json() + "\n" for record in records), encoding="utf-8")
    build_index([(path, "jsonl")], folder / "index", **settings)
    return folder / "index"
