"""Turn records into batches of documents for both indexes, here or in several processes."""

import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from zlib import crc32

from relsent_ir.errors import InputError
from relsent_ir.lucene.documents import UNITS, MoveTagger, abstract_document, sentence_documents
from relsent_ir.lucene.read.filters import Shared, filter_values
from relsent_ir.records import Deletion, Record
from relsent_ir.records.chunks import Chunk, Packed
from relsent_ir.records.fields import JOURNAL, placed

BATCH = 256  # records passed to Java at once; abstracts have about half a million characters
BATCH_CHARACTERS = 2**20  # or fewer records: the process ends if Java cannot hold an array
TEXT = 10  # words from which a value of a source's own field is a text, and not a fact
LONGEST = 20_000_000  # characters of a field: Jackson, which parses the batches, accepts no more

Batch = list[tuple[str, list[tuple[str, ...]], Shared]]
"""A batch for relsent.Feed: for each record its id, its documents' fields, shared values."""


class Batches:
    """Collect the documents of records, and pass them on in batches for relsent.Feed.

    Parameters
    ----------
    tagger : MoveTagger or None
        Labels the sentences with moves.
    send : callable
        Called with a unit and a batch of its documents.
    """

    def __init__(self, tagger: MoveTagger | None, send: Callable[[str, bytes], None]) -> None:
        self._tagger = tagger
        self._send = send
        self._gathered: dict[str, Batch] = {unit: [] for unit in UNITS}
        self._characters = dict.fromkeys(UNITS, 0)

    def add(self, record: Record) -> int:
        """Add a record, replacing any record with the same id; return its number of sentences.

        Raises
        ------
        InputError
            If it is too long for Java; in this case neither index was changed.
        """
        document = abstract_document(record)
        if max(map(_utf16, document)) > LONGEST:
            raise InputError(f"it has more than {LONGEST:,} characters", fix="split it")
        shared = filter_values(record)
        self._put("abstracts", record.id, [document], shared)
        return self.put_sentences(record, shared)

    def put_sentences(self, record: Record, shared: Shared | None = None) -> int:
        """Replace the sentences of a record; return their number."""
        parts = sentence_documents(record, self._tagger)
        self._put("sentences", record.id, parts, shared or filter_values(record))
        return len(parts)

    def delete(self, record_id: str) -> None:
        """Delete a record and its sentences, if they exist."""
        for unit in UNITS:
            self._put(unit, record_id, [])

    def flush(self) -> None:
        """Pass on the collected documents."""
        for unit, batch in self._gathered.items():
            if batch:
                self._send(unit, json.dumps(batch, ensure_ascii=False).encode())
                self._gathered[unit] = []
                self._characters[unit] = 0

    def _put(
        self, unit: str, record_id: str, documents: list[tuple[str, ...]], shared: Shared = ()
    ) -> None:
        batch = self._gathered[unit]
        batch.append((record_id, documents, shared))
        self._characters[unit] += sum(len(text) for fields in documents for text in fields)
        if len(batch) >= BATCH or self._characters[unit] >= BATCH_CHARACTERS:
            self.flush()


def _utf16(text: str) -> int:
    """Count the UTF-16 characters of a text, as Java does."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


@dataclass
class Prepared:
    """The documents of a chunk for relsent.Feed, and its counts.

    `skipped` lists the records left out, in file order; `last` is true at the end of a file.
    `unsearched` counts the records with a text in a field of the source's own, by its name.
    """

    last: bool = False
    records: int = 0
    sentences: int = 0
    deleted: int = 0
    skipped: list[InputError] = field(default_factory=list)
    unsearched: Counter[str] = field(default_factory=Counter)
    batches: list[tuple[str, bytes]] = field(default_factory=list)


class Preparing:
    """Create the documents of chunks of records.

    Parameters
    ----------
    tagger : MoveTagger or None
    paths : sequence of Path
        The files, from which the places of skipped records are named.
    sentences_alone : bool
        Whether to leave the index of abstracts unchanged.
    share : (int, int)
        The number of a shard and of all shards; a record's id decides which shard it belongs to.
    """

    def __init__(
        self,
        tagger: MoveTagger | None,
        paths: Sequence[Path],
        *,
        sentences_alone: bool = False,
        share: tuple[int, int] = (0, 1),
    ) -> None:
        self._paths = paths
        self._share = share
        self._alone = sentences_alone
        self._made: list[tuple[str, bytes]] = []
        self._batches = Batches(tagger, lambda *made: self._made.append(made))

    def __call__(self, chunk: Chunk | Packed) -> Prepared:
        """Create the documents of a chunk."""
        done = Prepared(chunk.last)
        number, shards = self._share
        for entry in chunk.entries:
            name = "" if isinstance(entry, InputError) else entry.id
            if crc32(name.encode(errors="surrogatepass")) % shards != number:
                continue
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
            done.unsearched.update(
                {n for n, value in record.own if n != JOURNAL and value.count(" ") + 1 >= TEXT}
            )
