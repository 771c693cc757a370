"""Giving the sentences of an index their argumentative moves, or those of another model."""

from dataclasses import replace
from pathlib import Path

from relsent_ir.lucene.commits import read_commits
from relsent_ir.lucene.documents import Tagger
from relsent_ir.lucene.index import Index
from relsent_ir.lucene.writer import CollectionWriter
from relsent_ir.typing import Progress

_BATCH = 500  # records that are read at once


def tag_index(folder: Path, tagger: Tagger, progress: Progress | None = None) -> int:
    """Write the sentences of all records again, with moves, as one commit.

    Parameters
    ----------
    folder : Path
        The collection's folder.
    tagger : Tagger
    progress : callable
        Gets the number of records done, and of all.

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
        sentences = 0
        with CollectionWriter(folder, facts, commits, tagger) as writer:
            for start in range(0, len(ids), _BATCH):
                batch = ids[start : start + _BATCH]
                sentences += sum(writer.put_sentences(record) for record in index.records(batch))
                if progress:
                    progress(start + len(batch), len(ids))
            writer.commit(facts)
    return sentences
