"""Build the indexes of a collection, file by file; a killed build can be resumed."""

import secrets
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Final

from relsent_ir.errors import InputError, MismatchError
from relsent_ir.executor import Executor
from relsent_ir.files import input_errors, sha256, tell_bytes
from relsent_ir.lucene.analyzers import Analysis
from relsent_ir.lucene.commits import Commits, Facts, SourceFile, read_commits
from relsent_ir.lucene.documents import UNITS, MoveTagger
from relsent_ir.lucene.read.index import Index
from relsent_ir.lucene.read.shards import list_shards
from relsent_ir.lucene.write.batches import Preparing
from relsent_ir.lucene.write.writer import CollectionWriter
from relsent_ir.records.chunks import each_chunk
from relsent_ir.records.reading import EXPORTED, Works, reference_ids, work_of
from relsent_ir.typing import Progress

TICK = 500  # records between two calls of the progress callback


@dataclass(frozen=True)
class Built:
    """The result of a build: the sources that it read, and the facts of the finished index.

    `deleted` counts the records deleted by sources that were read after the inputs, if all inputs
    were indexed before: then the index lacks some of their records. `replaced` counts records that
    replaced others with the same id; it is 0 if one of the sources deletes records. `unsearched`
    counts the records with a text that only ``--own`` finds, by the name of its field.
    """

    read: tuple[SourceFile, ...]
    facts: Facts
    deleted: int = 0
    replaced: int = 0
    unsearched: Mapping[str, int] = field(default_factory=dict)


def build_index(
    inputs: Sequence[tuple[Path, str]],
    folder: Path,
    analysis: Analysis | None = None,
    *,
    append: bool = False,
    optimize: bool = False,
    tagger: MoveTagger | None = None,
    threads: int = 1,
    strict: bool = True,
    share: tuple[int, int] = (0, 1),
    on_skip: Callable[[InputError], None] | None = None,
    progress: Progress | None = None,
) -> Built:
    """Index files of records into `folder`/abstracts and `folder`/sentences.

    Each file is one commit. Called again with the same inputs, it continues where it stopped, or
    does nothing if all inputs are indexed.

    Parameters
    ----------
    inputs : sequence of (path, format)
        Inputs as returned by `relsent_ir.records.list_inputs`.
    analysis : Analysis, optional
        None for that of the index; for a new one, Porter's stemmer and Lucene's stop words.
    append : bool
        Add inputs to a finished index; inputs with the same content as an indexed one are skipped.
    optimize : bool
        Merge each index into one segment at the end, without deleted documents; this also applies
        to an index that is already finished.
    tagger : MoveTagger, optional
        Labels the sentences with moves.
    threads : int
        Number of processes that read, split and tag; it does not affect the index. With one, this
        process does the work; with more, other processes do, and `tagger` must be picklable.
    strict : bool
        Raise the error of a file that cannot be read to its end; otherwise the records before the
        damage are indexed, and the error is passed to `on_skip`.
    share : (int, int)
        The number of a shard and of all shards; only this shard's records are indexed.
    on_skip : callable
        Called with the error of each record left out.
    progress : callable
        Called with the bytes of input read and the total; gzipped files count as they are.

    Raises
    ------
    InputError
        If `strict` and a file cannot be read to its end; the index then ends with the last complete
        file.
    MismatchError
        If the index contains other inputs (without `append`), was analysed or tagged differently,
        or another process is writing.
    MissingError
        If processes that prepare documents die repeatedly; the index then ends with the last
        complete file.
    OutputError
        If the folder cannot be written.
    """
    commits = read_commits(folder)
    moves = tagger.name if tagger else ""
    facts = commits.facts if commits else begun(analysis or Analysis.choose(), moves)
    if analysis and analysis != facts.analysis:
        raise MismatchError(
            f"the index was analysed with stemmer {facts.analysis.stemmer} and "
            f"{len(facts.analysis.stopwords)} stop words, not with the settings given",
            where=folder,
            fix="leave them out, or build another index",
        )
    _check_moves(facts, moves, folder)
    fresh, indexed = _fresh(inputs, facts, share)
    if commits and fresh and not append:
        _check_resumed(inputs, fresh, facts, folder)
    if commits and not fresh:
        if optimize and _scattered(folder):
            with CollectionWriter(folder, facts, commits, tagger) as writer:
                writer.optimize()
        after = max((i for i, s in enumerate(facts.sources) if s.sha256 in indexed), default=0) + 1
        return Built((), facts, sum(source.deleted for source in facts.sources[after:]))
    if append:
        added = (str(path.resolve()) for path, _, _ in fresh)
        plan = tuple(dict.fromkeys((*facts.plan, *added)))
    else:
        plan = tuple(str(path.resolve()) for path, _ in inputs)
    facts = replace(facts, plan=plan)
    return _build(
        fresh, folder, facts, commits, tagger, threads, optimize, strict, share, on_skip, progress
    )


def _build(
    fresh: Sequence[tuple[Path, str, str]],
    folder: Path,
    facts: Facts,
    commits: Commits | None,
    tagger: MoveTagger | None,
    threads: int,
    optimize: bool,
    strict: bool,
    share: tuple[int, int],
    on_skip: Callable[[InputError], None] | None,
    progress: Progress | None,
) -> Built:
    before = len(facts.sources)
    present = {source.sha256 for source in facts.sources}
    new: dict[str, tuple[Path, str]] = {}  # of identical files the first is read
    for path, form, digest in fresh:
        if digest not in present:
            new.setdefault(digest, (path, form))
    tell = _Bytes([path for path, _, _ in fresh], progress)
    total, unsearched = 0, Counter[str]()
    works = _works(list(new.values()), folder, indexed=commits is not None)
    make = partial(Preparing, tagger, [path for path, _ in new.values()], share=share)
    with (
        tell_bytes(tell.read),
        CollectionWriter(folder, facts, commits, tagger) as writer,
        closing(each_chunk(make, list(new.values()), threads, strict=strict, works=works)) as parts,
    ):
        writer.commit(facts)
        documents = writer.count()
        for path, _, digest in fresh:
            place = str(path.resolve())
            records = sentences = deleted = 0
            skipped: list[InputError] = []
            for part in parts if new.pop(digest, None) else ():
                for unit, batch in part.batches:
                    writer.send(unit, batch)
                records += part.records
                sentences += part.sentences
                deleted += part.deleted
                skipped += part.skipped
                unsearched += part.unsearched
                ticks, total = total // TICK, total + part.records
                if total // TICK > ticks:
                    tell.show()
                if part.last:
                    break
            tell.end(path)
            source = SourceFile(place, digest, records, sentences, deleted, len(skipped))
            facts = replace(facts, sources=(*facts.sources, source))
            writer.commit(facts)
            if on_skip:
                for bad in skipped:
                    on_skip(bad)
        documents = writer.count() - documents
        if optimize:
            writer.optimize()
    read = facts.sources[before:]
    replaced = sum(source.records for source in read) - documents
    replaced = 0 if any(source.deleted for source in read) else replaced
    named = dict(sorted(unsearched.items(), key=lambda item: (-item[1], item[0])))
    return Built(read, facts, replaced=replaced, unsearched=named)


def _works(files: Sequence[tuple[Path, str]], folder: Path, *, indexed: bool) -> Works:
    """Return the works that the index already has under the ids of the new references.

    For a new index the ids have no works; no ids if all files or none are references.
    """
    if not indexed and len({form.partition(":")[0] in EXPORTED for _, form in files}) < 2:
        return {}
    names = {name: name for path, form in files for name in reference_ids(path, form)}
    works: Works = {name: {} for name in names}
    if not indexed:
        return works
    with Index(folder) as index:
        while names:
            known = index.documents([*names.values()]) >= 0
            names = {name: names[name] for name, there in zip(names, known, strict=True) if there}
            for name, record in zip(names, index.records([*names.values()]), strict=True):
                work, has = work_of(record)
                works[name][work] = has
            names = {name: f"{name}~{len(works[name]) + 1}" for name in names}
    return works


class _Bytes:
    """Report progress as the number of bytes read of some files."""

    def __init__(self, paths: Sequence[Path], progress: Progress | None) -> None:
        self._progress = progress
        self._sizes = {path: path.stat().st_size for path in paths} if progress else {}
        self._before = self._here = 0

    def read(self, position: int) -> None:
        """Set the position in the file that is being read."""
        self._here = position

    def end(self, path: Path) -> None:
        """Note that a file has been read, or skipped."""
        self._before += self._sizes.get(path, 0)
        self._here = 0
        self.show()

    def show(self) -> None:
        """Call the progress callback."""
        if self._progress:
            self._progress(self._before + self._here, sum(self._sizes.values()))


def begun(analysis: Analysis, moves: str) -> Facts:
    """Return the facts of a new index."""
    return Facts(analysis, moves=moves, build=secrets.token_hex(8))


def _scattered(folder: Path) -> bool:
    """Return whether an index has deleted documents or several segments."""
    for unit in UNITS:
        with Index(folder, unit) as index:
            counts = index.statistics()
            if counts["deleted_documents"] or counts["segments"] > 1:
                return True
    return False


def _fresh(
    inputs: Sequence[tuple[Path, str]], facts: Facts, share: tuple[int, int]
) -> tuple[list[tuple[Path, str, str]], set[str]]:
    """Return the inputs that are not yet indexed, and the checksums of all others.

    A copy of an indexed file counts as new until the build that requested it lists its name.
    """
    present = {source.sha256 for source in facts.sources}
    awaited = set(facts.missing)
    fresh, indexed = [], set()
    for path, form in inputs:
        with input_errors(path):
            digest = sha256(path) + ("-{}-of-{}".format(*share) if share[1] > 1 else "")
        if digest not in present or str(path.resolve()) in awaited:
            fresh.append((path, form, digest))
        else:
            indexed.add(digest)
    return fresh, indexed


def _check_moves(facts: Facts, moves: str, folder: Path) -> None:
    """Refuse to mix moves of different taggers, or sentences with and without moves."""
    if moves == facts.moves:
        return
    if not moves:
        problem, fix = "the sentences of this index have moves", "give --moves, and its model"
    elif not facts.moves:
        problem = "the sentences of this index have no moves"
        fix = "leave out --moves, or tag it first: index --moves without --input"
    else:
        problem = "the sentences of this index have the moves of another model"
        fix = "give that model, or tag it again: index --moves MODEL without --input"
    raise MismatchError(problem, where=folder, fix=fix)


def _check_resumed(
    inputs: Sequence[tuple[Path, str]],
    fresh: Sequence[tuple[Path, str, str]],
    facts: Facts,
    folder: Path,
) -> None:
    """Refuse inputs that differ from those of the earlier build."""
    done = {source.path for source in facts.sources}
    changed = [path for path, _, _ in fresh if str(path.resolve()) in done]
    if changed:
        raise MismatchError(
            f"{changed[0]} has changed since it was indexed",
            where=folder,
            fix="append (--append, append=True) to read it again as an update",
        )
    if [str(path.resolve()) for path, _ in inputs] != list(facts.plan):
        raise MismatchError(
            f"the index was built from other inputs; {fresh[0][0]} is not in it",
            where=folder,
            fix="append (--append, append=True) to add it, or another folder",
        )


NAME: Final = "part-{:04d}"

Inputs = Sequence[tuple[Path, str]]


@dataclass(frozen=True)
class Part:
    """A shard that was built, and the errors of records left out."""

    folder: Path
    built: Built
    skipped: tuple[InputError, ...]


def build_parts(
    inputs: Inputs,
    folder: Path,
    parts: int,
    executor: Executor,
    analysis: Analysis | None = None,
    *,
    tagger: MoveTagger | None = None,
    optimize: bool = False,
    strict: bool = True,
    on_skip: Callable[[InputError], None] | None = None,
    progress: Progress | None = None,
) -> list[Part]:
    """Build `parts` shards in `folder`/part-0000 and so on, and list them in `folder`.

    Each gets consecutive files of about the same number of bytes. If there are fewer files than
    parts, each shard reads all files and takes the records whose ids belong to it. Called again
    with the same inputs, every shard continues where it stopped.

    Parameters
    ----------
    inputs : sequence of (path, format)
        Inputs as returned by `relsent_ir.records.list_inputs`.
    folder : Path
        A folder in which all workers can write.
    parts : int
    executor : Executor
        Runs the builds of the shards.
    analysis, tagger, optimize, strict, on_skip
        As for `relsent_ir.lucene.write.indexing.build_index`.
    progress : callable
        Called with the number of shards built and the total.

    Raises
    ------
    Exception
        As raised by `build_index` and `list_shards`.
    """
    spread = len(inputs) < parts
    files = [inputs] * parts if spread else _shares(inputs, parts)
    # Each process gets a function of its own, which builds one shard after the other.
    make = partial(partial, _build_part, analysis or Analysis.choose(), tagger, optimize, strict)
    places = [folder.absolute() / NAME.format(number) for number in range(parts)]
    items = [
        ([(path.absolute(), form) for path, form in some], place, (n, parts) if spread else (0, 1))
        for n, (some, place) in enumerate(zip(files, places, strict=True))
    ]
    done: list[Part] = []
    for part in executor.map(make, items):
        done.append(part)
        if on_skip:
            for error in part.skipped:
                on_skip(error)
        if progress:
            progress(len(done), parts)
    list_shards(folder, [folder / place.name for place in places])
    return done


def _build_part(
    analysis: Analysis,
    tagger: MoveTagger | None,
    optimize: bool,
    strict: bool,
    item: tuple[Inputs, Path, tuple[int, int]],
) -> Part:
    skipped: list[InputError] = []
    inputs, folder, share = item
    built = build_index(
        *(inputs, folder, analysis),
        tagger=tagger,
        optimize=optimize,
        strict=strict,
        share=share,
        on_skip=skipped.append,
    )
    return Part(folder, built, tuple(skipped))


def _shares(inputs: Inputs, parts: int) -> list[Inputs]:
    """Split a list of files into parts of about equal bytes; none is empty."""
    sizes = [path.stat().st_size for path, _ in inputs]
    total, cuts, before = sum(sizes), [0], 0
    for number, size in enumerate(sizes):
        due = len(cuts) * total / parts
        rest = len(inputs) - number
        if len(cuts) < parts and number > cuts[-1] and (before >= due or rest <= parts - len(cuts)):
            cuts.append(number)
        before += size
    return [inputs[a:b] for a, b in zip(cuts, [*cuts[1:], len(inputs)], strict=True)]
