"""A writer that is given records, as tests have them, in the place of prepared batches."""

from pathlib import Path

from relsent_ir.lucene.commits import Commits, Facts
from relsent_ir.lucene.documents import MoveTagger
from relsent_ir.lucene.write.batches import Batches
from relsent_ir.lucene.write.writer import CollectionWriter
from relsent_ir.records import Record


class RecordWriter(CollectionWriter):
    """Adds, replaces and deletes records."""

    def __init__(
        self, folder: Path, facts: Facts, commits: Commits | None, tagger: MoveTagger | None = None
    ) -> None:
        self._batches = Batches(tagger, self.send)
        super().__init__(folder, facts, commits, tagger)

    def add(self, record: Record) -> int:
        """Add a record, or put it in the place of the one that has its id; count its sentences."""
        return self._batches.add(record)

    def delete(self, record_id: str) -> None:
        """Delete a record and its sentences; no matter if it is not there."""
        self._batches.delete(record_id)

    def commit(self, facts: Facts) -> None:
        """Make all that was added so far last, with `facts` beside it."""
        self._batches.flush()
        super().commit(facts)
