"""Records, topics and qrels of ir_datasets (``irds:NAME``), local or downloaded.

References
----------
S. MacAvaney, A. Yates, S. Feldman, D. Downey, A. Cohan, N. Goharian. Simplified data wrangling with
ir_datasets. SIGIR 2021, 2429-2436.
"""

import atexit
import json
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, Final

from relsent_ir.datasets.catalogue import Fetched, write_judged
from relsent_ir.errors import InputError, MissingError, UsageError
from relsent_ir.files import atomic_writer

PREFIX: Final = "irds:"


class _NotHereError(Exception):
    """A file of a dataset would have to be downloaded."""


def fetch(name: str, output: Path, *, download: bool = False) -> Fetched:
    """Write the topics and qrels that a dataset has, in TREC formats, and its records in JSONL.

    Records that are not on this machine are left out unless `download` is True.

    Parameters
    ----------
    name : str
        The name of the dataset in ir_datasets, which follows `PREFIX`.
    output : Path
        The folder for ``topics/``, ``qrels/`` and ``collections/``; names are ``irds-NAME`` with
        ``-`` for each ``/``.
    download : bool
        Whether missing files may be downloaded.

    Raises
    ------
    MissingError
        If ir_datasets is not installed, or a file is missing and `download` is False.
    UsageError
        If the dataset is unknown.
    InputError
        If it has no records, topics or qrels, or cannot be read.
    """
    leaf = name.replace(":", "-").replace("/", "-")
    judged = _judged(name, output, leaf, download=download)
    corpus = output / "collections" / leaf / "corpus.jsonl.gz"
    known = corpus.is_file()
    try:
        with _files(name, download) as dataset:
            if not known and dataset.has_docs():
                corpus.parent.mkdir(parents=True, exist_ok=True)
                with atomic_writer(corpus) as file:
                    file.writelines(map(_line, dataset.docs_iter()))
    except MissingError:
        if not any(judged):
            raise
    files = (corpus,) if corpus.is_file() else ()
    if not files and not any(judged):
        raise InputError("it has neither records nor topics nor qrels", where=name)
    return Fetched(name, corpus.parent, files, int(bool(files) and not known), *judged)


def _line(document: Any) -> str:
    """Write a document as a line of JSON: all its text fields, or its only text."""
    fields = {name: of for name, of in document._asdict().items() if isinstance(of, str) and of}
    if fields.keys().isdisjoint(("title", "abstract", "text", "body")):
        fields["text"] = document.default_text()
    return f"{json.dumps({'id': fields.pop('doc_id'), **fields}, ensure_ascii=False)}\n"


def _judged(
    name: str, output: Path, leaf: str, *, download: bool
) -> tuple[dict[Path, int], dict[Path, int]]:
    """Write topics and qrels, with `write_judged`."""
    with _files(name, download) as dataset:
        topics = {}
        for query in dataset.queries_iter() if dataset.has_queries() else ():
            # The text that a dataset uses for searching, such as the title of a TREC topic.
            text = query.default_text() if hasattr(query, "default_text") else query.text
            topics[query.query_id] = " ".join(text.split())
        qrels: dict[str, dict[str, int]] = {}
        for qrel in dataset.qrels_iter() if dataset.has_qrels() else ():
            qrels.setdefault(qrel.query_id, {})[qrel.doc_id] = int(qrel.relevance)
    return write_judged(output, leaf, topics, qrels)


@cache
def file_of(name: str, kind: str) -> Path:
    """Return a temporary file with the ``topics`` or ``qrels`` of a dataset.

    Raises
    ------
    MissingError, UsageError, InputError
        As in `fetch`; also if the dataset has no such file.
    """
    folder = Path(tempfile.mkdtemp(prefix="relsent-ir-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    topics, qrels = _judged(name, folder, "irds", download=False)
    files = topics if kind == "topics" else qrels
    if not files:
        raise InputError(f"it has no {kind}", where=name)
    return next(iter(files))


@contextmanager
def _files(name: str, download: bool) -> Iterator[Any]:
    """Load a dataset, and turn its exceptions into our errors."""
    try:
        import ir_datasets
        import requests
    except ImportError as error:
        missing = f"{PREFIX} names need the package ir_datasets"
        raise MissingError(missing, fix="pip install 'relsent-ir[irds]'") from error

    def refuse(*_: Any, **__: Any) -> None:
        raise _NotHereError

    session: Any = requests.Session
    send = session.send
    if not download:
        session.send = refuse
    try:
        yield ir_datasets.load(name.removeprefix(PREFIX))
    except _NotHereError as error:
        raise MissingError(
            "its files are not on this machine",
            where=name,
            fix=f"relsent-ir fetch {name} --download gets them",
        ) from error
    except KeyError as error:
        problem = f"ir_datasets has no dataset {name.removeprefix(PREFIX)}"
        raise UsageError(problem, fix="https://ir-datasets.com lists them") from error
    except (OSError, RuntimeError, ValueError, AttributeError) as error:
        message = " ".join(str(error).split())[:200]
        raise InputError(f"cannot be read: {message}", where=name) from error
    finally:
        session.send = send
