"""Writing the two indexes of a collection as if they were one."""

import json
from pathlib import Path
from types import TracebackType
from typing import Any

from relsent_ir.collection import Record
from relsent_ir.errors import OutputError
from relsent_ir.lucene.commits import FACTS, GENERATION, Commits, Facts, open_directory
from relsent_ir.lucene.documents import (
    KEYS,
    UNITS,
    Batch,
    abstract_document,
    sentence_documents,
)
from relsent_ir.lucene.jvm import java, java_errors

BATCH = 256  # records; about half a megabyte of text
BUFFER_MB = 128.0  # each index's share of the heap before it flushes a segment


class CollectionWriter:
    """Adds, replaces and deletes records in both indexes; a commit holds for both or for neither.

    Use as a context manager: what was not committed is rolled back.

    Parameters
    ----------
    folder : Path
        The collection's folder; made if it is not there.
    facts : Facts
        What to store with the first commit.
    commits : Commits, optional
        Where to go on from; None starts an empty collection.

    Raises
    ------
    MismatchError
        If another process is writing.
    OutputError
        If the folder cannot be written.
    """

    def __init__(self, folder: Path, facts: Facts, commits: Commits | None) -> None:
        self.folder = folder
        self.facts = facts
        self._generation = commits.newest if commits else 0
        self._batches: dict[str, Batch] = {unit: [] for unit in UNITS}
        self._writers: dict[str, Any] = {}
        self._feeds: dict[str, Any] = {}
        self._policies: dict[str, Any] = {}
        try:
            for unit in UNITS:
                self._open(unit, commits)
        except BaseException:
            self.rollback()
            raise

    def _open(self, unit: str, commits: Commits | None) -> None:
        path = self.folder / unit
        try:
            path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise OutputError(f"cannot make the folder: {error.strerror}", where=path) from error
        with java_errors(path):
            config = java("org.apache.lucene.index.IndexWriterConfig")(self.facts.analysis.analyzer)
            config.setRAMBufferSizeMB(BUFFER_MB)
            config.setCommitOnClose(False)
            kept = str(commits.generation) if commits else ""
            policy = java("relsent.KeepGeneration")(GENERATION, kept)
            config.setIndexDeletionPolicy(policy)
            if commits:
                config.setIndexCommit(commits.of[unit])
            writer = java("org.apache.lucene.index.IndexWriter")(open_directory(path), config)
            self._writers[unit] = writer
            self._policies[unit] = policy
            fields = UNITS[unit]
            names, kinds = list(fields), list(fields.values())
            self._feeds[unit] = java("relsent.Feed")(writer, KEYS[unit], names, kinds)

    def add(self, record: Record) -> int:
        """Add a record, or put it in the place of the one that has its id; count its sentences."""
        parts = sentence_documents(record)
        self._put("abstracts", record.id, [abstract_document(record)])
        self._put("sentences", record.id, parts)
        return len(parts)

    def delete(self, record_id: str) -> None:
        """Delete a record and its sentences; no matter if it is not there."""
        for unit in UNITS:
            self._put(unit, record_id, [])

    def _put(self, unit: str, record_id: str, documents: list[tuple[str, ...]]) -> None:
        batch = self._batches[unit]
        batch.append((record_id, documents))
        if len(batch) >= BATCH:
            self._send(unit)

    def _send(self, unit: str) -> None:
        batch = json.dumps(self._batches[unit], ensure_ascii=False).encode()
        self._batches[unit] = []
        with java_errors(self.folder / unit):
            self._feeds[unit].add(batch)

    def commit(self, facts: Facts) -> None:
        """Make all that was added so far last, with `facts` beside it."""
        for unit in UNITS:
            self._send(unit)
        for unit, feed in self._feeds.items():
            with java_errors(self.folder / unit):
                feed.drain()
        self.facts = facts
        self._generation += 1
        self._commit()

    def _commit(self) -> None:
        data = java("java.util.HashMap")()
        data.put(GENERATION, str(self._generation))
        data.put(FACTS, self.facts.to_json())
        for step in ("prepareCommit", "commit"):
            for unit, writer in self._writers.items():
                with java_errors(self.folder / unit):
                    if step == "prepareCommit":
                        writer.setLiveCommitData(data.entrySet())
                        writer.prepareCommit()
                    else:
                        writer.commit()
        for policy in self._policies.values():
            policy.keep(str(self._generation))

    def optimize(self) -> None:
        """Merge each index into one segment."""
        for unit, writer in self._writers.items():
            with java_errors(self.folder / unit):
                writer.forceMerge(1)

    def close(self) -> None:
        """End; the same generation is committed again, to let go of the one before it."""
        self._commit()
        for unit, writer in self._writers.items():
            self._feeds.pop(unit).close()
            with java_errors(self.folder / unit):
                writer.close()
        self._writers = {}

    def rollback(self) -> None:
        """Forget all since the last commit, and end."""
        for feed in self._feeds.values():
            feed.close()
        for writer in self._writers.values():
            writer.rollback()
        self._feeds, self._writers = {}, {}

    def __enter__(self) -> "CollectionWriter":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if kind is None:
            self.close()
        else:
            self.rollback()
