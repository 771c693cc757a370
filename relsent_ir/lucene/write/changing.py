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
from relsent_ir.records.chunks import CHUNK, Packed
from relsent_ir.typing import Progress

if TYPE_CHECKING:
    from relsent_ir.moves.tagging import MoveModel
    from relsent_ir.records import Record, Sentence

_BATCH = 500  # records that are read at a time


def delete_records(folder: Path, ids: Sequence[str]) -> int:
    """Delete the records that are there, and their sentences, as one commit; return their number.

    Raises
    ------
    InputError
        If there is no index.
    MismatchError
        If another process is writing, or the index' build has not ended.
    """
    commits = need_commits(folder)
    if commits.facts.missing:
        raise MismatchError("its build has not ended", where=folder, fix="end it first")
    names = list(dict.fromkeys(ids))
    with Index(folder) as index:
        there = index.documents(names) >= 0
    names = list(compress(names, there))
    if not names:
        return 0
    tagger = MoveTagger(commits.facts.moves, _untagged) if commits.facts.moves else None
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
    """Write one index of the records of several; nothing if it is written already.

    Parameters
    ----------
    folders : sequence of Path
        Where several have a record, the last one wins: name the newest last.
    output : Path
        A folder without an index of others.
    progress : callable
        Gets the number of records written, and of all.

    Returns
    -------
    (int, int)
        Records written, and those that a later index had again.

    Raises
    ------
    InputError
        If there is no index in one of them.
    MismatchError
        If they were analysed or tagged differently.
    OutputError
        If there is another index in `output`.
    UsageError
        If fewer than two are named.
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
                return counts  # of the same indexes
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


def _untagged(_: "Record") -> "Sequence[Sentence]":
    raise AssertionError("nothing is written")


class ModelMoves:
    """Tags by the model in a folder, which each process that it is given to reads for itself.

    Parameters
    ----------
    path : Path, optional
        None is the model that comes with the package.
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
    """Make the tagger of a model's folder, or of the model that comes with the package.

    Raises
    ------
    InputError
        If there is no model of moves there.
    """
    from relsent_ir.moves.tagging import fingerprint

    return MoveTagger(fingerprint(path), ModelMoves(path))


def tag_index(
    folder: Path, tagger: MoveTagger, progress: Progress | None = None, executor: Executor = SERIAL
) -> int:
    """Write the sentences of all records again, with moves, as one commit.

    Parameters
    ----------
    folder : Path
        The collection's folder.
    tagger : MoveTagger
    progress : callable
        Gets the number of records done, and of all.
    executor : Executor
        Where they are tagged; they are written here.

    Returns
    -------
    int
        Sentences written; 0 if they had the moves of this tagger.

    Raises
    ------
    InputError
        If there is no index.
    MismatchError
        If another process is writing.
    MissingError
        If other processes that tag die again and again; the index is then as it was.
    OutputError
        If the folder cannot be written; the index is then as it was.
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
    """Make the documents of the sentences of records that are in an index."""
    prepare = Preparing(tagger, (), sentences_alone=True)
    return lambda ids: prepare(Packed(0, 0, False, "\n".join(index.raw(ids)).encode()))
