"""The best matches of every sentence of a collection, once: the paper's own use (section 3).

They are written part by part (`relsent_ir.related.matching.table`). Parts that are there are not
matched again, so that a killed run goes on where it stopped, and ends in the same bytes.
"""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import numpy as np

from relsent_ir.errors import InputError
from relsent_ir.executor import SERIAL, Executor
from relsent_ir.hits import Hits, Run
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.related.matching import table
from relsent_ir.related.matching.matcher import Matcher
from relsent_ir.related.matching.table import Table, model_digest, read_part, table_path
from relsent_ir.related.tokens import words
from relsent_ir.typing import Progress

Part = tuple[list[str], list[Hits]]


def write_every(
    index: Path,
    model: str,
    k: int,
    output: Path | None = None,
    *,
    executor: Executor = SERIAL,
    progress: Progress | None = None,
) -> Table:
    """Match all sentences with those of other records.

    Parameters
    ----------
    index : Path
        The collection's indexes.
    model : str
        As `Matcher` takes it.
    k : int
        The most matches of a sentence.
    output : Path, optional
        The folder of the parts, which may hold some already; if None, the place beside the index
        where `Matcher` reads them, which is cleared of tables of earlier contents.
    executor : Executor
        Matches the parts.
    progress : callable, optional
        Called with the number of parts that are there, and of all.

    Raises
    ------
    MismatchError
        If a part was made of another index, model or `k`.
    OutputError
        If a part cannot be written.
    """
    with Indexes(index) as collection:
        matcher = Matcher(collection, model)
        n, source = len(matcher.store), matcher.index
        path = output or table_path(source, matcher.model)
        matches = Table(path, source.content, model_digest(matcher.model), k, n)
    if output is None:
        matches.clear_older()
    missing = matches.missing()
    parts = -(-n // table.PART)
    matched = executor.map(partial(_matching, index.absolute(), model, k), missing)
    for done, (first, part) in enumerate(zip(missing, matched, strict=True), 1):
        matches.save(first, *part)
        if progress:
            progress(parts - len(missing) + done, parts)
    return matches


def read_every(folder: Path) -> Iterator[tuple[str, Hits]]:
    """Read the sentences' ids with their matches, in the order of ids.

    Raises
    ------
    InputError
        If there are none, or a part is damaged.
    """
    paths = sorted(folder.glob("part-*"))
    if not paths:
        raise InputError(
            "no related sentences are here", where=folder, fix="relsent-ir related all"
        )
    for path in paths:
        yield from read_part(path)


def _matching(index: Path, model: str, k: int) -> Callable[[int], Part]:
    matcher = Matcher(Indexes(index), model)

    def match(first: int) -> Part:
        """Match the sentences of a part; those without a word have no match."""
        rows = np.arange(first, min(first + table.PART, len(matcher.store)))
        ids = matcher.store.ids.take(rows)
        texts = zip(ids, matcher.collection.texts(ids), strict=True)
        topics = {name: text for name, text in texts if words(text, matcher.model.stopwords)}
        run = matcher.related(topics, k, without_own=True) if topics else Run()
        return ids, [run.get(name, Hits.ranked([], [])) for name in ids]

    return match
