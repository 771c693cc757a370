"""Moves of one process beside those of others."""

from collections.abc import Sequence
from pathlib import Path

from relsent_ir.executor import Executor
from relsent_ir.lucene.read.index import Index
from relsent_ir.lucene.write.changing import model_tagger, tag_index
from relsent_ir.lucene.write.indexing import build_index


def tagged_twice(
    files: Sequence[tuple[Path, str]], folder: Path, executor: Executor
) -> tuple[int, list[str], list[str]]:
    """Tag sentences elsewhere, and while they are indexed: how many, and what is stored of each."""
    tagger = model_tagger()
    build_index(files, folder / "here", tagger=tagger)
    build_index(files, folder / "there")
    tagged = tag_index(folder / "there", tagger, executor=executor)
    found = []
    for name in ("here", "there"):
        with Index(folder / name, "sentences") as opened:
            found.append(opened.raw(sorted(opened.ids())))
    return tagged, *found
