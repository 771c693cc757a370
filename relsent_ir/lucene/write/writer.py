"""Writing the two indexes of a collection as if they were one."""

import shutil
from contextlib import suppress
from pathlib import Path
from typing import Any

from relsent_ir.errors import MismatchError, OutputError, RelsentError
from relsent_ir.files import Closing
from relsent_ir.lucene.commits import (
    FACTS,
    GENERATION,
    Commits,
    Facts,
    check_path,
    open_directory,
    read_commits,
)
from relsent_ir.lucene.documents import KEYS, TAGGED_FIELDS, UNITS, MoveTagger
from relsent_ir.lucene.jvm import call, java, java_errors
from relsent_ir.lucene.read.filters import FILTER_FIELDS

BUFFER_SHARE = 1 / 8  # of the heap: buffered documents of each index before it writes a segment


class CollectionWriter(Closing):
    """Write both indexes so that a commit takes effect in both or in neither.

    Use this as a context manager: uncommitted changes are rolled back, and new folders are removed
    if no source was committed.

    Parameters
    ----------
    folder : Path
        The folder of the collection; it is created if missing.
    facts : Facts
        Facts to store with the first commit.
    commits : Commits, optional
        The commits from which to continue; None for an empty collection.
    tagger : MoveTagger, optional
        Labels the sentences with moves.

    Raises
    ------
    MismatchError
        If another process is writing, or has written since `commits` were read.
    OutputError
        If the folder cannot be written.
    """

    def __init__(
        self, folder: Path, facts: Facts, commits: Commits | None, tagger: MoveTagger | None = None
    ) -> None:
        self.folder = folder
        self.facts = facts
        self._tagger = tagger
        self._generation = commits.newest if commits else 0
        self._writers: dict[str, Any] = {}
        self._feeds: dict[str, Any] = {}
        self._policies: dict[str, Any] = {}
        self._made = [] if folder.exists() else [folder]
        try:
            for unit in UNITS:
                self._open(unit, commits)
            self._check_unchanged(commits)
        except BaseException:
            self.rollback()
            raise

    def _open(self, unit: str, commits: Commits | None) -> None:
        path = self.folder / unit
        new = not path.exists()
        check_path(path)
        try:
            path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise OutputError(f"cannot make the folder: {error.strerror}", where=path) from error
        with java_errors(path):
            generation = str(commits.generation) if commits else ""
            policy = java("relsent.KeepGeneration")(GENERATION, generation)
            config = self._configuration(policy)
            directory = open_directory(path)
            if commits:
                config.setIndexCommit(commits.of[unit])
                directory = commits.of[unit].getDirectory()  # Lucene requires the same object
            else:
                modes = java("org.apache.lucene.index.IndexWriterConfig$OpenMode")
                config.setOpenMode(modes.CREATE)
            writer = java("org.apache.lucene.index.IndexWriter")(directory, config)
            self._writers[unit] = writer
            if new:  # and locked by us: folders of other processes must stay
                self._made.append(path)
            self._policies[unit] = policy
            fields = TAGGED_FIELDS if self._tagger and unit == "sentences" else UNITS[unit]
            names, kinds = list(fields), list(fields.values())
            shared, shared_kinds = list(FILTER_FIELDS), list(FILTER_FIELDS.values())
            feed = java("relsent.Feed")
            self._feeds[unit] = feed(writer, KEYS[unit], names, kinds, shared, shared_kinds)

    def _configuration(self, policy: Any) -> Any:
        analyzer = java("relsent.WordsBeside")(self.facts.analysis.analyzer)
        config = java("org.apache.lucene.index.IndexWriterConfig")(analyzer)
        heap = java("java.lang.Runtime").getRuntime().maxMemory() / 2**20
        config.setRAMBufferSizeMB(heap * BUFFER_SHARE)
        config.setCommitOnClose(False)
        config.setMergeScheduler(java("relsent.QuietMerges")())
        config.setIndexDeletionPolicy(policy)
        return config

    def _check_unchanged(self, commits: Commits | None) -> None:
        """Check, now that both indexes are locked, that they have not changed since `commits`."""
        now = read_commits(self.folder)
        if (now and now.newest) != (commits and commits.newest):
            self._made = []
            raise MismatchError(
                "another process has written to this index meanwhile",
                where=self.folder,
                fix="run the command again",
            )

    def send(self, unit: str, batch: bytes) -> None:
        """Write a batch of documents (`Batches`), which replace those of the same records."""
        self._call("Feed.add", unit, self._feeds[unit], batch)

    def commit(self, facts: Facts) -> None:
        """Commit all changes so far, with these facts."""
        for unit, feed in self._feeds.items():
            self._call("Feed.drain", unit, feed)
        self._generation += 1
        self._commit(facts)
        self.facts = facts

    def _commit(self, facts: Facts) -> None:
        data = {GENERATION: str(self._generation), FACTS: facts.to_json()}
        for unit in self._writers:
            self._write("prepare", unit, list(data), list(data.values()))
        for unit in self._writers:
            self._write("commit", unit)
        with java_errors(self.folder):
            for policy in self._policies.values():
                policy.keep(str(self._generation))

    def _write(self, step: str, unit: str, *arguments: Any) -> None:
        self._call(f"Writing.{step}", unit, self._writers[unit], *arguments)

    def _call(self, method: str, unit: str, *arguments: Any) -> None:
        call(method, *arguments, where=self.folder / unit)

    def count(self) -> int:
        """Return the number of records, including uncommitted changes."""
        with java_errors(self.folder):
            return int(self._writers["abstracts"].getDocStats().numDocs)

    def optimize(self) -> None:
        """Merge each index into one segment."""
        for unit in self._writers:
            self._write("merge", unit)

    def close(self) -> None:
        """Close the indexes; the same generation is committed again, to release the one before."""
        self._commit(self.facts)
        for unit in self._writers:
            self._call("Feed.close", unit, self._feeds.pop(unit))
            self._write("close", unit)
        self._writers = {}

    def rollback(self) -> None:
        """Undo all changes since the last commit, and close."""
        for unit, feed in self._feeds.items():
            with suppress(RelsentError):
                self._call("Feed.close", unit, feed)
        for unit, writer in self._writers.items():
            # If this fails too, the last commit is still on disk.
            with suppress(RelsentError), java_errors(self.folder / unit):
                failed, directory = writer.getTragicException(), writer.getDirectory()
                writer.rollback()
                if failed:  # its files stay; the next writer removes files of no commit
                    configuration = self._configuration(self._policies[unit])
                    java("org.apache.lucene.index.IndexWriter")(directory, configuration).rollback()
        self._feeds, self._writers = {}, {}
        if not self.facts.sources:
            for path in reversed(self._made):
                if path != self.folder:
                    shutil.rmtree(path, ignore_errors=True)
                elif path.is_dir() and not any(path.iterdir()):
                    path.rmdir()

    def __exit__(self, *raised: object) -> None:
        if raised[0] is not None:
            self.rollback()
            return
        try:
            self.close()
        except BaseException:
            self.rollback()
            raise
