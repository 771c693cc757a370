"""What records become before they are given to Java: batches of documents, for either index."""

import json
from collections.abc import Callable

from relsent_ir.errors import InputError
from relsent_ir.lucene.documents import (
    UNITS,
    Batch,
    Shared,
    Tagger,
    abstract_document,
    filter_values,
    sentence_documents,
)
from relsent_ir.records import Record

BATCH = 256  # records that go to Java at once; of abstracts, about half a million characters
BATCH_CHARACTERS = 2**20  # or fewer records: an array that Java cannot hold ends the process
LONGEST = 20_000_000  # characters of a field: Jackson, which reads the batches, takes no more


class Batches:
    """Gathers the documents of records, and passes them on as relsent.Feed takes them.

    Parameters
    ----------
    tagger : Tagger or None
        Gives the sentences their moves.
    send : callable
        Takes a unit, and a batch of its documents.
    """

    def __init__(self, tagger: Tagger | None, send: Callable[[str, bytes], None]) -> None:
        self._tagger = tagger
        self._send = send
        self._gathered: dict[str, Batch] = {unit: [] for unit in UNITS}
        self._characters = dict.fromkeys(UNITS, 0)

    def add(self, record: Record) -> int:
        """Add a record, or put it in the place of the one that has its id; count its sentences.

        Raises
        ------
        InputError
            If it is longer than Java can be given; neither index has been touched then.
        """
        document = abstract_document(record)
        if max(map(_utf16, document)) > LONGEST:
            raise InputError(f"it has more than {LONGEST:,} characters", fix="split it")
        self._put("abstracts", record.id, [document], filter_values(record))
        return self.put_sentences(record)

    def put_sentences(self, record: Record) -> int:
        """Write a record's sentences in the place of those that are there; count them."""
        parts = sentence_documents(record, self._tagger)
        self._put("sentences", record.id, parts, filter_values(record))
        return len(parts)

    def delete(self, record_id: str) -> None:
        """Delete a record and its sentences; no matter if it is not there."""
        for unit in UNITS:
            self._put(unit, record_id, [])

    def flush(self) -> None:
        """Pass on what was gathered."""
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
    """Count characters as Java does."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2
