"""``relsent-ir encode``: the vectors of an index's records or sentences."""

import logging
from pathlib import Path
from typing import TYPE_CHECKING, Any

from relsent_ir.cli import options
from relsent_ir.cli.output import Outcome, progress
from relsent_ir.errors import MissingError, UsageError

if TYPE_CHECKING:
    from relsent_ir.dense.rows import Encoding, Source
    from relsent_ir.executor import Executor
    from relsent_ir.lucene.read.index import Index

_log = logging.getLogger("relsent_ir")


@options.verb()
def command(
    index: Path = options.index,
    model: str | None = options.option(
        "A BERT's folder, or its id at Hugging Face.  [default: those that the index has vectors "
        "of, which are brought up to date; else all-MiniLM-L6-v2, downloaded once]",
        metavar="DIR|ID",
    ),
    unit: str = options.unit,
    request: dict[str, Any] = options.grouped(
        dict,
        compute=options.choice(
            "By ONNX Runtime, in 8 bits or in 32, or by NumPy.  [default: 8bit]",
            choices=("8bit", "fp32", "numpy"),
            needs="--model",
        ),
        pooling=options.choice(
            "The mean of the tokens, or the first.  [default: as the folder says]",
            choices=("mean", "cls"),
            needs="--model",
        ),
        query_prefix=options.option(
            "Before queries.  [default: as the folder says]", metavar="TEXT", needs="--model"
        ),
        passage_prefix=options.option(
            "Before texts.  [default: as the folder says]", metavar="TEXT", needs="--model"
        ),
    ),
    query_model: str | None = options.option(
        "Another encoder, for queries.", metavar="DIR|ID", needs="--model", excludes="--import"
    ),
    arrays: tuple[Path, ...] = options.files(
        "--import",
        "Take published vectors of records; --model is then the encoder of queries.",
        metavar="NPY...",
        needs="--model",
    ),
    ids: tuple[Path, ...] = options.files(
        "Their PMIDs: a list for each array.", metavar="JSON...", needs="--import"
    ),
    executor: "Executor" = options.executor("Processes that encode; the vectors are the same."),
) -> Outcome:
    """Encode the records of an index, or its sentences, as vectors for search.

    They are kept beside the index, in 8 bits a number. What is there is not encoded again, and the
    same command goes on where a killed one stopped.
    """
    from relsent_ir.dense.encoder import find_model, open_encoder
    from relsent_ir.dense.minilm import default_model
    from relsent_ir.dense.rows import Source, sources_of, stored_models
    from relsent_ir.lucene.read.index import Index

    if len(arrays) != len(ids):
        raise UsageError(f"{len(arrays)} arrays to import, and {len(ids)} lists of ids")
    if arrays and unit != "abstracts":
        raise UsageError("--import needs the unit abstracts")
    with Index(index, unit) as opened, executor:
        if model is None:
            sources = sources_of(opened)
            if not sources and not stored_models(opened, current=False):
                sources = [Source(open_encoder(default_model()))]
        else:
            query = find_model(query_model) if query_model else None
            pairs = tuple(zip(arrays, ids, strict=True))
            sources = [Source(open_encoder(model, **request), query, pairs)]
        models = [_facts(encoded) for encoded in encode_all(opened, sources, executor)]
    lines = [_line(index, unit, facts) for facts in models]
    values = {"index": str(index), "models": models}
    return Outcome(values, *lines if models else (f"{index}: nothing to encode",))


def encode_all(index: "Index", sources: "list[Source]", executor: "Executor") -> "list[Encoding]":
    """Encode an index with models, and warn of texts that were cut."""
    from relsent_ir.dense.rows import encode_index

    done = []
    for source in sources:
        with progress("Encoding", index.unit) as tick:
            built = encode_index(index, source, executor=executor, progress=tick)
        done.append(built)
        if built.cut and built.encoded:
            share, limit = built.cut / max(1, len(built.rows)), source.model.way.limit
            text = "%.1f%% of the texts have more than %d tokens, and are cut there"
            _log.warning(text, 100 * share, limit)
    return done


def follow(index: Path, executor: "Executor") -> list[tuple[dict[str, Any], str]]:
    """Update the vectors of an index that has changed, if it has any.

    Returns
    -------
    list of (dict, str)
        What was done for each model and unit, with its line of text.

    Raises
    ------
    InputError, OutputError
        As raised by `encode_index`.
    """
    from relsent_ir.dense.rows import FOLDER, sources_of
    from relsent_ir.lucene.memory.derived import derived_place
    from relsent_ir.lucene.read.index import Index

    done = []
    for unit in ("abstracts", "sentences") if derived_place(index, FOLDER, "").is_dir() else ():
        with Index(index, unit) as opened, executor:
            try:
                built = encode_all(opened, sources_of(opened), executor)
            except MissingError as error:
                fix = f"{error.problem}; then relsent-ir encode --index {index} --unit {unit}"
                _log.warning("%s: vectors are of what it held before: %s", index, fix)
                continue
        models = [{"unit": unit, **_facts(encoded)} for encoded in built]
        done += [(facts, _line(index, unit, facts)) for facts in models]
    return done


def _line(index: Path, unit: str, facts: dict[str, Any]) -> str:
    return (
        f"{index}: {facts['vectors']} {unit} have vectors of {facts['dimension']} numbers by "
        f"{facts['model']}, {facts['new']} of them new; {facts['lacking']} have none"
    )


def _facts(built: "Encoding") -> dict[str, Any]:
    rows = built.rows
    return {
        "model": str(rows.folder),
        "vectors": len(rows) - built.lacking,
        "dimension": rows.rows.shape[1],
        "new": built.encoded,
        "cut": built.cut,
        "lacking": built.lacking,
    }
