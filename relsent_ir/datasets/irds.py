"""Topics and qrels of ir_datasets (``irds:NAME``), on this machine or downloaded.

References
----------
S. MacAvaney, A. Yates, S. Feldman, D. Downey, A. Cohan, N. Goharian. Simplified data wrangling with
ir_datasets. SIGIR 2021, 2429-2436.
"""

import atexit
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, Final

from relsent_ir.datasets.catalogue import Fetched, write_judged
from relsent_ir.errors import InputError, MissingError, UsageError

PREFIX: Final = "irds:"


class _NotHereError(Exception):
    """A file of a dataset would have to be downloaded."""


def fetch(name: str, output: Path, *, download: bool = False) -> Fetched:
    """Write a dataset's topics and qrels, those that it has, in TREC form.

    Parameters
    ----------
    name : str
        As ir_datasets has it, after `PREFIX`.
    output : Path
        Where ``topics/`` and ``qrels/`` are written, ``irds-NAME`` with ``-`` for each ``/``.
    download : bool
        Files that are not on this machine may be fetched from the web.

    Raises
    ------
    MissingError
        If ir_datasets is not installed, or a file is not here and `download` is not given.
    UsageError
        If there is no such dataset.
    InputError
        If it has neither topics nor qrels, or cannot be read.
    """
    with _files(name, download) as dataset:
        topics = {}
        for query in dataset.queries_iter() if dataset.has_queries() else ():
            # The text that a dataset searches with, such as a TREC topic's title.
            text = query.default_text() if hasattr(query, "default_text") else query.text
            topics[query.query_id] = " ".join(text.split())
        qrels: dict[str, dict[str, int]] = {}
        for qrel in dataset.qrels_iter() if dataset.has_qrels() else ():
            qrels.setdefault(qrel.query_id, {})[qrel.doc_id] = int(qrel.relevance)
    if not topics and not qrels:
        raise InputError("it has neither topics nor qrels", where=name)
    leaf = name.replace(":", "-").replace("/", "-")
    return Fetched(name, output / "topics", (), 0, *write_judged(output, leaf, topics, qrels))


@cache
def file_of(name: str, kind: str) -> Path:
    """Return a file with a dataset's ``topics`` or ``qrels``, which goes when the process ends.

    Raises
    ------
    MissingError, UsageError, InputError
        As `fetch`; and if the dataset has none.
    """
    folder = Path(tempfile.mkdtemp(prefix="relsent-ir-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    fetched = fetch(name, folder)
    files = fetched.topics if kind == "topics" else fetched.qrels
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
