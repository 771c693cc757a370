"""Topics: texts by topic id, in the formats that collections use."""

import logging
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from numbers import Real
from pathlib import Path
from typing import Any, TypeAlias

from relsent_ir.errors import InputError, UsageError, checked
from relsent_ir.files import atomic_writer, open_text
from relsent_ir.hits import Frame, column, text_id
from relsent_ir.trec import cystic_fibrosis, topic_formats
from relsent_ir.trec.columns import check_ids
from relsent_ir.trec.topic_formats import Topic

_READERS: dict[str, Callable[[str], Iterator[Topic]]] = {
    "tsv": topic_formats.read_tsv,
    "jsonl": topic_formats.read_jsonl,
    "trec": topic_formats.read_trec,
    "ohsumed": topic_formats.read_ohsumed,
    "smart": topic_formats.read_smart,
    "cystic-fibrosis": cystic_fibrosis.read_topics,
}

_ANSERINI = {
    "TsvString": "tsv",
    "TsvInt": "tsv",
    "JsonString": "jsonl",
    "JsonInt": "jsonl",
    "Trec": "trec",
}

TOPIC_FORMATS = (*_READERS, *_ANSERINI)
"""Names of the formats: ours, followed by those of Anserini and Pyserini for the same formats."""

AnyTopics: TypeAlias = (
    Mapping[str, object] | Mapping[int, object] | Frame | Path | list[str] | list[tuple[str, str]]
)
"""Topics: ``{topic: text}``, a frame, the path of a file, or texts."""

_log = logging.getLogger(__name__)


@checked
def read_topics(
    path: str | Path,
    format: str | None = None,  # noqa: A002 - the name that all readers of this package use
    *,
    field: str = "title",
) -> dict[str, str]:
    """Read topics, gzipped or plain.

    Parameters
    ----------
    path : str or Path
        The file.
    format : str, optional
        One of `TOPIC_FORMATS`; recognised by the content if None.
    field : str
        The part of the topic: ``title``, ``desc``, ``narr``, or several joined by ``+``. Only the
        formats ``trec`` and ``ohsumed`` have more than a title.

    Returns
    -------
    dict of str to str
        Text by topic id, in the order of the file; ids as they are written there (except in
        the cystic fibrosis collection, whose judgements write them without leading zeros), white
        space in texts collapsed. An empty text is kept, with a warning in the log.

    Raises
    ------
    InputError
        If a line or topic does not fit the format, an id is repeated, or there are no topics.
    UsageError
        If the format is unknown, or no topic of the file has the field.
    """
    with open_text(path) as file:
        text = file.read()
    if format is not None and format not in TOPIC_FORMATS:
        raise UsageError(f"no topics format {format}", fix="one of " + ", ".join(TOPIC_FORMATS))
    reader = _READERS[_ANSERINI.get(format, format) if format else _format_of(text, path)]
    topics: dict[str, Topic] = {}
    try:
        for topic in reader(text):
            first = topics.setdefault(topic.id, topic)
            if first is not topic:
                raise InputError(
                    f"topic id {topic.id} is used already in line {first.line}",
                    where=str(topic.line),
                    fix="give one of the two another id",
                )
            if topic.id.encode().split() != [topic.id.encode()]:
                raise InputError(
                    f"the topic id {topic.id!r} is empty or has white space", where=str(topic.line)
                )
    except InputError as error:
        # The reader of the format has named the line; add the name of the file.
        raise InputError(error.problem, where=f"{path}:{error.where}", fix=error.fix) from None
    if not topics:
        raise InputError("there are no topics in this file", where=path)
    return _select(topics.values(), field, path)


def topics_of(given: AnyTopics | str) -> dict[str, Any]:
    """Return topics as a dict from ids to texts or weighted terms.

    Parameters
    ----------
    given : str, mapping, DataFrame, Path or sequence
        A single text, which gets the id ""; a frame with the columns ``qid`` and ``query``, or
        their names in ir_measures; texts in a list are numbered from 1, as in PyTerrier.

    Raises
    ------
    InputError
        If a frame lacks a column.
    UsageError
        If the value has no topics.
    """
    if isinstance(given, str):
        if given.endswith((".tsv", ".txt", ".jsonl", ".gz")):
            raise UsageError(f"a path is no text: {given:.60}", fix="rir.read_topics(path)")
        return {"": given}
    if isinstance(given, Path):
        return read_topics(given)
    pairs: list[Any]
    if isinstance(given, Mapping):
        pairs = list(given.items())
    elif hasattr(given, "columns"):
        texts: dict[object, object] = {}
        for topic, text in zip(column(given, "qid"), column(given, "query"), strict=True):
            texts.setdefault(topic, text)
        pairs = list(texts.items())
    elif isinstance(given, Sequence) and all(isinstance(text, str) for text in given):
        pairs = list(enumerate(given, 1))
    elif isinstance(given, Sequence) and all(isinstance(g, tuple) and len(g) == 2 for g in given):
        pairs = list(given)
    else:
        problem = f"topics are a mapping of ids to texts, not {given!r:.80}"
        raise UsageError(problem, fix='write {"1": "the text"}')
    topics = {text_id(topic): text for topic, text in pairs}
    for name, text in topics.items():
        weighted = isinstance(text, Mapping) and all(isinstance(w, Real) for w in text.values())
        if not isinstance(text, str) and not weighted:
            problem = f"topic {name} is {text!r:.60}"
            raise UsageError(problem, fix="a text, or terms with their weights")
    return topics


@checked
def write_topics(path: str | Path, topics: AnyTopics) -> None:
    """Write topics as id, tab and text; gzipped if the name ends in ``.gz``."""
    topics = topics_of(topics)
    check_ids(topics, "topic id")
    with atomic_writer(path) as file:
        file.writelines(f"{topic}\t{' '.join(text.split())}\n" for topic, text in topics.items())


def _format_of(text: str, path: str | Path) -> str:
    """Recognise the format by the first line that is not empty."""
    line = text.lstrip().partition("\n")[0]
    if line[:5].lower() == "<top>":
        return "trec"
    if line.startswith("{"):
        return "jsonl"
    if topic_formats.DOTTED.match(line):
        return "ohsumed" if topic_formats.PATIENT.match(text) else "smart"
    if cystic_fibrosis.FIRST_LINE.match(line):
        return "cystic-fibrosis"
    if "\t" in line or not line:
        return "tsv"
    raise InputError(
        "these are no topics in a format that we know",
        where=f"{path}:1",
        fix="one topic a line, id and text with a tab between; or name the format",
    )


def _select(topics: Collection[Topic], field: str, path: str | Path) -> dict[str, str]:
    """Join the requested fields of each topic."""
    names = field.split("+")
    fields = dict.fromkeys(name for topic in topics for name in topic.fields)
    for name in names:
        if name not in fields:
            raise UsageError(
                f"no topic has a field {name!r}", where=path, fix="there is " + ", ".join(fields)
            )
    texts = {
        topic.id: " ".join(" ".join(topic.fields.get(name, "") for name in names).split())
        for topic in topics
    }
    for topic in topics:
        if not texts[topic.id]:
            _log.warning("%s:%d: topic %s has no text", path, topic.line, topic.id)
    return texts
