"""Giving the sentences of an index their argumentative moves, or those of another model."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from relsent_ir.executor import SERIAL, Executor
from relsent_ir.lucene.commits import read_commits
from relsent_ir.lucene.documents import MoveTagger
from relsent_ir.lucene.read.index import Index
from relsent_ir.lucene.write.batches import Prepared, Preparing
from relsent_ir.lucene.write.writer import CollectionWriter
from relsent_ir.records.chunks import CHUNK, Packed
from relsent_ir.typing import Progress

if TYPE_CHECKING:
    from relsent_ir.moves.tagging import MoveModel
    from relsent_ir.records import Record, Sentence


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
