"""Building the indexes of a collection, file by file: a killed build goes on where it was."""

import hashlib
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from relsent_ir.collection import Deletion, read_entries
from relsent_ir.errors import InputError, MismatchError
from relsent_ir.lucene.analyzers import Analysis
from relsent_ir.lucene.commits import Commits, Facts, Source, read_commits
from relsent_ir.lucene.documents import UNITS
from relsent_ir.lucene.writer import CollectionWriter

TICK = 500  # records between two calls of the progress callback


@dataclass(frozen=True)
class Built:
    """What a build did: the sources that it read, and the facts of the finished index."""

    read: tuple[Source, ...]
    facts: Facts


def build_index(
    inputs: Sequence[tuple[Path, str]],
    folder: Path,
    analysis: Analysis | None = None,
    *,
    append: bool = False,
    optimize: bool = False,
    on_skip: Callable[[InputError], None] | None = None,
    progress: Callable[[int, int | None], None] | None = None,
) -> Built:
    """Index files of records into `folder`/abstracts and `folder`/sentences.

    Each file is one commit. Called again with the same inputs, it goes on where it stopped, or
    finds that nothing is left to do.

    Parameters
    ----------
    inputs : sequence of (path, format)
        As `relsent_ir.collection.list_inputs` gives them.
    analysis : Analysis, optional
        None takes that of the index, or Porter's with Lucene's stop words for a new one.
    append : bool
        Add inputs to a finished index; those that it has (by content) are passed over.
    optimize : bool
        Merge each index into one segment at the end.
    on_skip : callable
        Gets the error of each record that was left out.
    progress : callable
        Gets the number of records read so far, and None.

    Raises
    ------
    InputError
        If a file cannot be read to its end; the index is then as it was after the last whole file.
    MismatchError
        If the index holds other inputs (and not `append`), was analysed otherwise, or another
        process is writing.
    OutputError
        If the folder cannot be written.
    """
    commits = read_commits(folder)
    facts = commits.facts if commits else Facts(analysis or Analysis.choose())
    if analysis and analysis != facts.analysis:
        raise MismatchError(
            f"the index was analysed with stemmer {facts.analysis.stemmer} and "
            f"{len(facts.analysis.stopwords)} stop words, not with the settings given",
            where=folder,
            fix="leave them out, or build another index",
        )
    fresh = _fresh(inputs, facts)
    if commits and fresh and not append:
        _check_resumed(inputs, fresh, facts, folder)
    if commits and not fresh:
        return Built((), facts)
    paths = tuple(str(path.resolve()) for path, _ in inputs)
    plan = tuple(dict.fromkeys((*facts.plan, *paths))) if append else paths
    try:
        return _build(
            fresh, folder, replace(facts, plan=plan), commits, optimize, on_skip, progress
        )
    except BaseException:
        if commits is None:
            _remove_if_empty(folder)
        raise


def _build(
    fresh: Sequence[tuple[Path, str, str]],
    folder: Path,
    facts: Facts,
    commits: Commits | None,
    optimize: bool,
    on_skip: Callable[[InputError], None] | None,
    progress: Callable[[int, int | None], None] | None,
) -> Built:
    before = len(facts.sources)
    total = 0
    with CollectionWriter(folder, facts, commits) as writer:
        writer.commit(facts)
        for path, form, digest in fresh:
            if any(source.sha256 == digest for source in facts.sources):
                continue
            records = sentences = deleted = 0
            skipped: list[InputError] = []
            for entry in read_entries(path, form, on_skip=skipped.append):
                if isinstance(entry, Deletion):
                    writer.delete(entry.id)
                    deleted += 1
                else:
                    sentences += writer.add(entry)
                    records += 1
                    if progress and (total + records) % TICK == 0:
                        progress(total + records, None)
            total += records
            source = Source(str(path.resolve()), digest, records, sentences, deleted, len(skipped))
            facts = replace(facts, sources=(*facts.sources, source))
            writer.commit(facts)
            if on_skip:
                for error in skipped:
                    on_skip(error)
        if progress:
            progress(total, None)
        if optimize:
            writer.optimize()
    return Built(facts.sources[before:], facts)


def _fresh(inputs: Sequence[tuple[Path, str]], facts: Facts) -> list[tuple[Path, str, str]]:
    """The inputs whose bytes are not in the index, with their checksums."""
    known = {source.sha256 for source in facts.sources}
    fresh = []
    for path, form in inputs:
        try:
            with path.open("rb") as file:
                digest = hashlib.file_digest(file, "sha256").hexdigest()
        except OSError as error:
            raise InputError(f"cannot be read: {error.strerror}", where=path) from error
        if digest not in known:
            fresh.append((path, form, digest))
    return fresh


def _check_resumed(
    inputs: Sequence[tuple[Path, str]],
    fresh: Sequence[tuple[Path, str, str]],
    facts: Facts,
    folder: Path,
) -> None:
    """Without --append only the build that was begun may go on."""
    done = {source.path for source in facts.sources}
    other = [path for path, _, _ in fresh if str(path.resolve()) in done]
    if other:
        raise MismatchError(
            f"{other[0]} has changed since it was indexed",
            where=folder,
            fix="--append to read it again as an update",
        )
    if [str(path.resolve()) for path, _ in inputs] != list(facts.plan):
        raise MismatchError(
            f"the index was built from other inputs; {fresh[0][0]} is not in it",
            where=folder,
            fix="--append to add it, or give another --index",
        )


def _remove_if_empty(folder: Path) -> None:
    """Take away what a build left that did not get through its first file."""
    commits = read_commits(folder)
    if commits is None or not commits.facts.sources:
        for unit in UNITS:
            shutil.rmtree(folder / unit, ignore_errors=True)
        if folder.is_dir() and not any(folder.iterdir()):
            folder.rmdir()
