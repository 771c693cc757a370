"""Change existing indexes: delete records, merge several, tag sentences with moves."""

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from itertools import compress
from pathlib import Path
from typing import TYPE_CHECKING

from relsent_ir.errors import MismatchError, OutputError, UsageError
from relsent_ir.executor import SERIAL, Executor
from relsent_ir.lucene.commits import need_commits, read_commits
from relsent_ir.lucene.documents import MoveTagger
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.lucene.read.index import Index
from relsent_ir.lucene.write.batches import Batches, Prepared, Preparing
from relsent_ir.lucene.write.indexing import begun
from relsent_ir.lucene.write.writer import CollectionWriter
from relsent_ir.records.chunks import CHUNK, Chunk
from relsent_ir.typing import Progress

if TYPE_CHECKING:
    from relsent_ir.moves.tagging import MoveModel
    from relsent_ir.records import Record, Sentence

_BATCH = 500  # records read at a time


def delete_records(folder: Path, ids: Sequence[str]) -> int:
    """Delete those of some records that exist, with their sentences; return their number.

    Raises
    ------
    InputError
        If there is no index.
    MismatchError
        If another process is writing, or the index has not been built to its end.
    """
    commits = need_commits(folder)
    if commits.facts.missing:
        raise MismatchError(
            "this index is incomplete", where=folder, fix="run its index command again"
        )
    names = list(dict.fromkeys(ids))
    with Index(folder) as index:
        there = index.documents(names) >= 0
    names = list(compress(names, there))
    if not names:
        return 0
    tagger = MoveTagger(commits.facts.moves, lambda _: ()) if commits.facts.moves else None
    with CollectionWriter(folder, commits.facts, commits, tagger) as writer:
        batches = Batches(tagger, writer.send)
        for name in names:
            batches.delete(name)
        batches.flush()
        writer.commit(commits.facts)
    return len(names)


def merge_indexes(
    folders: Sequence[Path], output: Path, progress: Progress | None = None
) -> tuple[int, int]:
    """Write the records of several indexes to one; do nothing if this was done before.

    Parameters
    ----------
    folders : sequence of Path
        If several contain a record, the last one is used: name the newest index last.
    output : Path
        A folder without an index, or with the result of the same indexes.
    progress : callable
        Called with the number of records written and the total.

    Returns
    -------
    (int, int)
        The number of records written, and of records replaced by those of a later index.

    Raises
    ------
    InputError
        If one of the folders contains no index.
    MismatchError
        If the indexes were analysed or tagged differently.
    OutputError
        If `output` contains another index.
    UsageError
        If fewer than two folders are given.
    """
    if len(folders) < 2:
        raise UsageError("two indexes or more are merged", fix="name their folders")
    existing = read_commits(output)
    with ExitStack() as opened:
        collections = [opened.enter_context(Indexes(folder)) for folder in folders]
        facts = collections[0].facts
        for collection in collections[1:]:
            for name in ("analysis", "moves"):
                if getattr(collection.facts, name) != getattr(facts, name):
                    raise MismatchError(
                        f"{name} of this index and of {folders[0]} differ",
                        where=collection.folder,
                        fix="build both with the same settings",
                    )
        owner = {name: n for n, one in enumerate(collections) for name in one.abstracts.ids()}
        total = sum(len(collection.abstracts) for collection in collections)
        sources = {s.sha256: s for collection in collections for s in collection.facts.sources}
        made = replace(
            begun(facts.analysis, facts.moves),
            sources=tuple(sources.values()),
            plan=tuple(dict.fromkeys(source.path for source in sources.values())),
        )
        counts = len(owner), total - len(owner)
        if existing:
            merged = opened.enter_context(Index(output)).ids()
            if replace(existing.facts, build=made.build) == made and set(merged) == owner.keys():
                return counts  # written earlier from the same indexes
            raise OutputError("has an index of its own", where=output, fix="name another folder")
        current = collections[0]

        def tag(record: "Record") -> "Sequence[Sentence]":
            return [sentence for sentence in current.tagged([record])[0] if sentence.n]

        tagger = MoveTagger(facts.moves, tag) if facts.moves else None
        done = 0
        with CollectionWriter(output, made, None, tagger) as writer:
            batches = Batches(tagger, writer.send)
            for number, current in enumerate(collections):
                own = [name for name in current.abstracts.ids() if owner[name] == number]
                for start in range(0, len(own), _BATCH):
                    ids = own[start : start + _BATCH]
                    for record in current.records(ids):
                        batches.add(record)
                    done += len(ids)
                    if progress:
                        progress(done, len(owner))
            batches.flush()
            writer.commit(made)
    return counts


class ModelMoves:
    """Label moves with the model in a folder; each process that receives this reads the model.

    Parameters
    ----------
    path : Path, optional
        The folder; None for the packaged model.
    """

    def __init__(self, path: Path | None = None) -> None:
        from relsent_ir import models

        self._path = path
        self._model: MoveModel = models.load(path, "moves")

    def __call__(self, record: "Record") -> "Sequence[Sentence]":
        """Return the sentences of a record's abstract, with moves and scores."""
        from relsent_ir.moves import tag_record

        return tag_record(self._model, record)

    def __reduce__(self) -> tuple[type["ModelMoves"], tuple[Path | None]]:
        return type(self), (self._path and self._path.absolute(),)


def model_tagger(path: Path | None = None) -> MoveTagger:
    """Create the tagger for the model in a folder, or for the packaged model.

    Raises
    ------
    InputError
        If the folder contains no model of moves.
    """
    from relsent_ir.moves.tagging import fingerprint

    return MoveTagger(fingerprint(path), ModelMoves(path))


def tag_index(
    folder: Path, tagger: MoveTagger, progress: Progress | None = None, executor: Executor = SERIAL
) -> int:
    """Rewrite the sentences of all records with moves, as one commit.

    Parameters
    ----------
    folder : Path
        The collection's folder.
    tagger : MoveTagger
    progress : callable
        Called with the number of records done and the total.
    executor : Executor
        Runs the tagger; the sentences are written in this process.

    Returns
    -------
    int
        Number of sentences written; 0 if they already had this tagger's moves.

    Raises
    ------
    InputError
        If there is no index.
    MismatchError
        If another process is writing.
    MissingError
        If processes that tag die repeatedly; the index is then unchanged.
    OutputError
        If the folder cannot be written; the index is then unchanged.
    """
    commits = read_commits(folder)  # before the index: the writer sees if they have changed since
    with Index(folder) as index:
        assert commits
        if commits.facts.moves == tagger.name:
            return 0
        facts = replace(commits.facts, moves=tagger.name)
        ids = index.ids()
        sentences = done = 0
        batches = (ids[start : start + CHUNK] for start in range(0, len(ids), CHUNK))
        with CollectionWriter(folder, facts, commits, tagger) as writer:
            for part in executor.map(partial(_tagging, index, tagger), batches):
                for unit, batch in part.batches:
                    writer.send(unit, batch)
                sentences += part.sentences
                done += part.records
                if progress:
                    progress(done, len(ids))
            writer.commit(facts)
    return sentences


def _tagging(index: Index, tagger: MoveTagger) -> Callable[[Sequence[str]], Prepared]:
    """Return a function that makes the documents of the sentences of indexed records."""
    prepare = Preparing(tagger, (), sentences_alone=True)
    return lambda ids: prepare(Chunk(0, 0, False, index.records(ids)))
