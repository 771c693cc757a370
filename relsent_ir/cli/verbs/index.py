"""``relsent-ir index``, ``merge`` and ``plan``: Lucene indexes of files of MEDLINE records."""

import logging
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from relsent_ir.cli import options
from relsent_ir.cli.output import Outcome, progress
from relsent_ir.errors import InputError, UsageError
from relsent_ir.files import open_text

if TYPE_CHECKING:
    from relsent_ir.executor import Executor
    from relsent_ir.lucene.commits import SourceFile
    from relsent_ir.lucene.documents import MoveTagger
    from relsent_ir.lucene.write.indexing import Part


BEIR = "Beir"
COLLECTIONS = {"JsonCollection": "jsonl", BEIR: "jsonl"}
"""Anserini's collections whose files can be our records, or a folder in BEIR's layout, with our
names of their formats."""

SHOWN = 10  # skipped records that get a warning of their own
NAMED = 3  # own fields of the source that a warning names


pyserini = options.grouped(
    lambda collection, **_flags: collection,
    collection=options.choice(choices=list(COLLECTIONS), hidden=True, excludes="--format"),
    generator=options.choice(choices=["DefaultLuceneDocumentGenerator"], hidden=True),
    **{
        name: options.flag(f"--{name}", hidden=True)
        for name in ("storePositions", "storeDocvectors", "storeRaw", "storeContents")
    },
)
"""Flags of ``pyserini.index.lucene`` for what is always done here, and of the collection."""


@options.verb()
def command(
    inputs: tuple[Path, ...] = options.files(
        "--input", "Files and folders of records, in any mixture of formats."
    ),
    shards: tuple[Path, ...] = options.files(
        "Instead of files: finished indexes, which DIR is to be searched as one of.",
        metavar="DIR...",
        excludes="--input --moves --parts",
    ),
    index: Path = options.folder(required=True),
    collection: str | None = pyserini,
    form: str | None = options.records_format,
    strict: bool = options.flag("End with an error if anything was skipped, at a damaged file."),
    delete: tuple[str, ...] = options.option(
        "Delete these records: ids, or files of them.", multiple=True, metavar="ID|FILE..."
    ),
    append: bool = options.flag("Add to an index that holds other inputs."),
    stemmer: str | None = options.option("porter (the default), krovetz, s or none."),
    stopwords: Path | None = options.file(
        "A stop list, one word a line.  [default: Lucene's English]", metavar="FILE"
    ),
    keep_stopwords: bool = options.flag("--keep-stopwords", "--keepStopwords", "Use no stop list."),
    moves: str | None = options.option(
        "Store each sentence's argumentative move; without --input, in the index that is there.",
        is_flag=False,
        flag_value="default",
        metavar="[MODEL]",
    ),
    optimize: bool = options.flag("Merge each index into one segment, without deleted documents."),
    parts: int | None = options.count(
        "Build N shards of the files in DIR, several at a time, and search them as one.",
        metavar="N",
        needs="--input",
        excludes="--append",
    ),
    executor: "Executor" = options.executor(
        "Processes that read, split and tag; the result is the same, however many."
    ),
) -> Outcome:
    """Build the indexes of a collection: DIR/abstracts and DIR/sentences.

    Positions, vectors and the records themselves are always stored; Pyserini's flags that ask for
    it are accepted; --collection JsonCollection is --format jsonl, and of --collection Beir the
    input is a folder with corpus.jsonl.

    Each input file is one commit: the same command again goes on where a killed one stopped.
    Records with a known id replace the old ones, and NLM's deletions delete.
    """
    from relsent_ir.cluster import Dask
    from relsent_ir.executor import Processes
    from relsent_ir.lucene.analyzers import Analysis
    from relsent_ir.lucene.write.changing import model_tagger
    from relsent_ir.lucene.write.indexing import build_index, build_parts
    from relsent_ir.records import list_inputs

    form = COLLECTIONS[collection] if collection else form
    if collection == BEIR:
        from relsent_ir.datasets.beir import corpus_of

        inputs = tuple(map(corpus_of, inputs))
    if shards:
        return _list(index, shards)
    if delete:
        if inputs or moves or parts or append:
            problem = "--delete takes records away"
            raise UsageError(problem, fix="leave --input, --moves, --parts, --append out")
        return _delete(index, delete, executor)
    tagger = model_tagger(None if moves == "default" else Path(moves)) if moves else None
    if not inputs:
        if tagger is None:
            raise UsageError("index needs --input, or --moves to tag the index that is there")
        return _tag(index, tagger, executor)
    logger = logging.getLogger("relsent_ir")
    skipped: list[InputError] = []

    def on_skip(error: InputError) -> None:
        skipped.append(error)
        if len(skipped) <= SHOWN:
            logger.warning("skipped: %s", error)

    files, left_out = list_inputs(inputs, form)
    analysis = Analysis.choose(stemmer or "porter", stopwords, keep=keep_stopwords)
    ways: dict[str, Any] = {"tagger": tagger, "optimize": optimize, "on_skip": on_skip}
    ways["strict"] = strict or not any(path.is_dir() for path in inputs)
    if parts:
        with executor, progress("Building", "shards") as tick:
            built_parts = build_parts(
                files, index, parts, executor, analysis, progress=tick, **ways
            )
        error = _lacking(strict, index, len(skipped), len(left_out))
        _tell_ambiguous(index)
        return _list_parts(index, built_parts, error)
    if isinstance(executor, Dask):
        raise UsageError("one writer writes one index", fix="--parts N builds shards on a cluster")
    with progress("Indexing", "B") as tick:
        built = build_index(
            files,
            index,
            analysis if stemmer or stopwords or keep_stopwords else None,
            append=append,
            threads=executor.processes if isinstance(executor, Processes) else 1,
            progress=tick,
            **ways,
        )
    error = _lacking(strict, index, len(skipped), len(left_out))
    if built.read:
        _tell_ambiguous(index)
    line = f"{index} is finished: all of the inputs are in it"
    if built.deleted:
        line = (
            f"{index} is finished: all of the inputs have been read, and files after them deleted "
            f"{built.deleted} records"
        )
    elif built.read:
        line = described_sources(index, built.read, "file")
        if built.replaced:
            line += f"; {built.replaced} took the place of others with their ids"
        line += _unsearched(built.unsearched)
    read = [asdict(source) for source in built.read]
    values = {"index": str(index), "read": read, "deleted_since": built.deleted}
    values |= {"replaced": built.replaced} if built.replaced else {}
    values |= {"unsearched": built.unsearched} if built.unsearched else {}
    return followed(index, executor, values, line, error=error)


def _lacking(strict: bool, index: Path, records: int, files: int) -> InputError | None:
    """Warn of many skipped records; with --strict, return the error for what was skipped."""
    if records > SHOWN:
        logging.getLogger("relsent_ir").warning("skipped %d records in all", records)
    if not (strict and (records or files)):
        return None
    problem = f"--strict: {records} records and {files} files were skipped"
    return InputError(problem, where=index, fix="mend them, or leave them out")


def described_sources(index: Path, sources: "Sequence[SourceFile]", noun: str) -> str:
    """Return a line with the numbers of files and records of an index."""
    from relsent_ir.lucene.commits import totals

    sums = ", ".join(f"{count} {name}" for name, count in totals(sources).items())
    return f"{index}: {len(sources)} {noun}{'s' * (len(sources) != 1)}, {sums}"


def _unsearched(counts: Mapping[str, int]) -> str:
    """Say which fields of the source's own hold texts, those of most records first."""
    first = list(counts.items())[:NAMED]
    named = [f"{name} ({count} record{'s' * (count != 1)})" for name, count in first]
    named += [f"{len(counts) - NAMED} more"] if len(counts) > NAMED else []
    return f"; kept, but not searched as text: {', '.join(named)}" if named else ""


def _tell_ambiguous(index: Path) -> None:
    """Warn of ids that, in a run, may be those of records or of sentences."""
    from relsent_ir.lucene.read.collection import Indexes

    with Indexes(index) as collection:
        ambiguous = collection.ambiguous()
    if ambiguous:
        logging.getLogger("relsent_ir").warning(
            "ids of records that are also ids of sentences: %d, such as %s (stats lists them)",
            len(ambiguous),
            ambiguous[0],
        )


def followed(
    index: Path,
    executor: "Executor",
    values: dict[str, Any],
    *lines: str,
    error: InputError | None = None,
) -> Outcome:
    """Update the data stored beside a changed index, or warn that they are outdated.

    Vectors of new and changed documents are encoded; the outcome lists them after the values and
    lines of the change itself.
    """
    from relsent_ir.cli.verbs.encode import follow
    from relsent_ir.lucene.read.index import Index
    from relsent_ir.related.matching.every import OUTDATED, is_outdated

    with Index(index, "sentences") as opened:
        if is_outdated(opened):
            logging.getLogger("relsent_ir").warning("%s: %s", index, OUTDATED)
    vectors = follow(index, executor)
    encoded = {"encoded": [facts for facts, _ in vectors]} if vectors else {}
    return Outcome({**values, **encoded}, *lines, *(line for _, line in vectors), error=error)


def _list_parts(index: Path, shards: "list[Part]", error: InputError | None) -> Outcome:
    """Return the shards that were built."""
    from relsent_ir.lucene.commits import totals

    sources = [source for part in shards for source in part.built.facts.sources]
    sums, paths = totals(sources), [str(index / part.folder.name) for part in shards]
    counts = sum((Counter(part.built.unsearched) for part in shards), Counter[str]())
    unsearched = dict(counts.most_common())
    values = {"index": str(index), "shards": paths, "read": list(map(asdict, sources))}
    return Outcome(
        values | ({"unsearched": unsearched} if unsearched else {}),
        f"{index}: {len(shards)} shards of {len({source.path for source in sources})} files, "
        f"{sums['records']} records, "
        f"{sums['sentences']} sentences, searched as one{_unsearched(unsearched)}",
        error=error,
    )


def _list(index: Path, shards: tuple[Path, ...]) -> Outcome:
    """Make a folder that is one collection of several."""
    from relsent_ir.lucene.read.shards import list_shards

    sources = list_shards(index, shards).sources
    _tell_ambiguous(index)
    line = f"{index}: {len(shards)} shards of {len(sources)} files, searched as one"
    return Outcome({"index": str(index), "shards": list(map(str, shards))}, line)


def _delete(index: Path, arguments: tuple[str, ...], executor: "Executor") -> Outcome:
    """Delete records by id, or by the ids in files."""
    from relsent_ir.lucene.write.changing import delete_records

    ids: list[str] = []
    for name in arguments:
        if Path(name).is_file():
            with open_text(name) as file:
                ids += file.read().split()
        else:
            ids.append(name)
    count = delete_records(index, ids)
    absent = len(set(ids)) - count
    values = {"index": str(index), "deleted": count, "absent": absent}
    line = f"{index}: {count} deleted" + (f", {absent} not there" if absent else "")
    return followed(index, executor, values, line)


def _tag(index: Path, tagger: "MoveTagger", executor: "Executor") -> Outcome:
    """Tag the sentences of an existing index with moves."""
    from relsent_ir.lucene.write.changing import tag_index

    with executor, progress("Tagging", "records") as tick:
        sentences = tag_index(index, tagger, tick, executor)
    done = f"{sentences} sentences tagged"
    line = f"{index}: {done if sentences else 'its sentences have the moves of this model'}"
    values = {"index": str(index), "tagged": sentences, "moves": tagger.name}
    return followed(index, executor, values, line)


@options.verb()
def merge(
    folders: tuple[Path, ...] = options.argument("DIR...", nargs=-1),
    output: Path = options.folder("--output", "The index to write.", required=True),
) -> Outcome:
    """Write one index of the records of several, which may overlap.

    Of a record that several have, the last one's is taken: name the newest last.
    """
    from relsent_ir.lucene.write.changing import merge_indexes

    with progress("Merging", "records") as tick:
        records, again = merge_indexes(folders, output, tick)
    values = {"index": str(output), "records": records, "again": again}
    return Outcome(values, f"{output}: {records} records; {again} that a later index had again")


@options.verb()
def plan(
    inputs: tuple[Path, ...] = options.files(
        "--input", "Files and folders of records, in any mixture of formats.", required=True
    ),
    index: Path = options.folder("Where it is to be.  [default: this folder]", default=Path()),
    form: str | None = options.records_format,
    moves: str | None = options.option(
        "As for index.", is_flag=False, flag_value="default", metavar="[MODEL]"
    ),
    threads: int = options.processes,
) -> Outcome:
    """Foresee the disk, memory and time of an index, from a sample of its files.

    The sample is indexed in a folder for temporary files; nothing is written to DIR.
    """
    from relsent_ir.lucene.write.changing import model_tagger
    from relsent_ir.lucene.write.planning import plan_index
    from relsent_ir.records import list_inputs

    tagger = model_tagger(None if moves == "default" else Path(moves)) if moves else None
    files, _ = list_inputs(inputs, form)
    with progress("Sampling", "steps") as tick:
        plan = plan_index(files, index, tagger=tagger, threads=threads, progress=tick)
    return Outcome({**asdict(plan), "fits": plan.fits}, str(plan))
