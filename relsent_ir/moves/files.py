"""Tagging files of records, here or in several processes."""

from collections import Counter
from collections.abc import Generator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from relsent_ir import models
from relsent_ir.errors import InputError
from relsent_ir.moves.store import MoveModel
from relsent_ir.moves.tagging import tag_record
from relsent_ir.records import Record
from relsent_ir.records.chunks import Chunk, Files, Packed, each_chunk


@dataclass
class Tagged:
    """Some records, tagged.

    Attributes
    ----------
    lines : list of str
        A sentence each: its id, move, score and text between tabs.
    records : int
    moves : Counter of str
        How many sentences have each.
    skipped : list of InputError
        Of the records that could not be read.
    """

    lines: list[str] = field(default_factory=list)
    records: int = 0
    moves: Counter[str] = field(default_factory=Counter)
    skipped: list[InputError] = field(default_factory=list)


def tag_files(
    files: Files, model: Path | None = None, *, labels: bool = True, threads: int = 1
) -> Generator[Tagged, None, None]:
    """Tag the sentences of abstracts, in the order of the files.

    Parameters
    ----------
    files : sequence of (path, format)
    model : Path, optional
        The folder of a model; None is the model that comes with the package.
    labels : bool
        As for `tag_record`.
    threads : int
        As for `each_chunk`, with its errors.
    """
    return each_chunk(partial(_Tagging, model, labels), files, threads)


class _Tagging:
    def __init__(self, model: Path | None, labels: bool) -> None:
        self._model: MoveModel = models.load(model, "moves")
        self._labels = labels

    def __call__(self, chunk: Chunk | Packed) -> Tagged:
        done = Tagged()
        for entry in chunk.entries:
            if isinstance(entry, Record):
                done.records += 1
                for sentence in tag_record(self._model, entry, labels=self._labels):
                    done.moves[sentence.move] += 1
                    text = " ".join(sentence.text.split())
                    done.lines.append(
                        f"{sentence.id}\t{sentence.move}\t{sentence.score:.4f}\t{text}\n"
                    )
            elif isinstance(entry, InputError):
                done.skipped.append(entry)
        return done
