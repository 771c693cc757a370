"""From records to the documents of both indexes, here or in several processes."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from relsent_ir.errors import InputError
from relsent_ir.lucene.batches import Batches
from relsent_ir.lucene.documents import Tagger
from relsent_ir.records import Deletion, Record
from relsent_ir.records.chunks import Chunk, Files, Packed, each_chunk
from relsent_ir.records.fields import placed


@dataclass
class Prepared:
    """The documents of a chunk, as relsent.Feed takes them, and what was counted.

    `skipped` are the records that were left out, in file order; `last` ends a file.
    """

    last: bool = False
    records: int = 0
    sentences: int = 0
    deleted: int = 0
    skipped: list[InputError] = field(default_factory=list)
    batches: list[tuple[str, bytes]] = field(default_factory=list)


def prepared(
    files: Files, tagger: Tagger | None = None, threads: int = 1
) -> Generator[Prepared, None, None]:
    """Give the documents of files, one file after the other, each to its `last`.

    `tagger` gives the sentences their moves; for the rest see `each_chunk`.
    """
    make = partial(Preparing, tagger, [path for path, _ in files])
    return each_chunk(make, files, threads)


class Preparing:
    """Makes documents of chunks.

    Parameters
    ----------
    tagger : Tagger or None
    paths : sequence of Path
        Of the files, to name the place of a record that is left out.
    sentences_alone : bool
        Leave the index of abstracts as it is.
    """

    def __init__(
        self, tagger: Tagger | None, paths: Sequence[Path], *, sentences_alone: bool = False
    ) -> None:
        self._paths = paths
        self._alone = sentences_alone
        self._made: list[tuple[str, bytes]] = []
        self._batches = Batches(tagger, lambda *made: self._made.append(made))

    def __call__(self, chunk: Chunk | Packed) -> Prepared:
        """Make the documents of a chunk."""
        done = Prepared(chunk.last)
        for entry in chunk.entries:
            if isinstance(entry, InputError):
                done.skipped.append(entry)
            elif isinstance(entry, Deletion):
                self._batches.delete(entry.id)
                done.deleted += 1
            else:
                self._add(entry, chunk.file, done)
        self._batches.flush()
        done.batches, self._made = self._made, []
        return done

    def _add(self, record: Record, file: int, done: Prepared) -> None:
        put = self._batches.put_sentences if self._alone else self._batches.add
        try:
            done.sentences += put(record)
        except InputError as error:
            done.skipped.append(placed(error, f"{self._paths[file]}, record {record.id[:80]}"))
        else:
            done.records += 1
