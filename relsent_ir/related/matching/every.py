"""The best matches of every sentence of a collection, once: the paper's own use (section 3).

They are written part by part, each a folder of arrays that appears when it is whole. What is there
is not matched again, so that a run that was killed goes on where it stopped, and ends in the same
bytes.
"""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np

from relsent_ir.errors import InputError, MismatchError
from relsent_ir.executor import SERIAL, Executor
from relsent_ir.hits import Hits, Run
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.models import load_folder, pack_strings, save_folder, unpack_strings
from relsent_ir.related.matching.matcher import Matcher
from relsent_ir.related.tokens import words
from relsent_ir.typing import NDArray, Progress

KIND: Final = "related-sentences"
PART: Final = 512
"""Sentences of a part."""

Arrays = dict[str, NDArray[Any]]


def write_every(
    index: Path,
    model: str,
    output: Path,
    k: int,
    *,
    executor: Executor = SERIAL,
    progress: Progress | None = None,
) -> int:
    """Match all sentences with those of other records; return how many there are.

    Parameters
    ----------
    index : Path
        The collection's indexes.
    model : str
        As `Matcher` takes it.
    output : Path
        The folder of the parts, which may hold some already.
    k : int
        How many matches a sentence gets at most.
    executor : Executor
        Where parts are matched.
    progress : callable, optional
        Called with the number of parts that are there, and of all.

    Raises
    ------
    MismatchError
        If a part is there that was made of something else.
    OutputError
        If a part cannot be written.
    """
    with Indexes(index) as collection:
        matcher = Matcher(collection, model)
        n, content = len(matcher.store), matcher.index.content
    facts = {"content": content, "model": model, "hits": k, "sentences": n}
    firsts = range(0, n, PART)
    missing = []
    for first in firsts:
        path = _path(output, first)
        if not path.exists():
            missing.append(first)
        elif any(load_folder(path).facts.get(name) != value for name, value in facts.items()):
            raise MismatchError(
                "these matches are of another index, model or --hits",
                where=path,
                fix="name another folder",
            )
    done = len(firsts) - len(missing)
    make = partial(_matching, index.absolute(), model, k)
    for first, arrays in zip(missing, executor.map(make, missing), strict=True):
        save_folder(_path(output, first), KIND, facts, arrays)
        done += 1
        if progress:
            progress(done, len(firsts))
    return n


def read_every(output: Path) -> Iterator[tuple[str, Hits]]:
    """Read the sentences' ids with their matches, in the order of ids.

    Raises
    ------
    InputError
        If there are none, or a part is damaged.
    """
    paths = sorted(output.glob("part-*"))
    if not paths:
        raise InputError(
            "no related sentences are here", where=output, fix="relsent-ir related all"
        )
    for path in paths:
        arrays = load_folder(path).arrays
        ids = np.array(unpack_strings(arrays["hits"]), dtype=object)
        starts, scores = arrays["starts"], np.asarray(arrays["scores"])
        for i, name in enumerate(unpack_strings(arrays["sentences"])):
            part = slice(int(starts[i]), int(starts[i + 1]))
            yield name, Hits(ids[part], scores[part])


def _path(output: Path, first: int) -> Path:
    return output / f"part-{first:010d}"


def _matching(index: Path, model: str, k: int) -> Callable[[int], Arrays]:
    matcher = Matcher(Indexes(index), model)
    return lambda first: _part(matcher, first, k)


def _part(matcher: Matcher, first: int, k: int) -> Arrays:
    """Match the sentences of some rows; one without a word has no match."""
    store = matcher.store
    ids = [store.ids[row] for row in range(first, min(first + PART, len(store)))]
    texts = dict(zip(ids, matcher.collection.texts(ids), strict=True))
    topics = {n: text for n, text in texts.items() if words(text, matcher.model.stopwords)}
    run = matcher.related(topics, k, without_own=True) if topics else Run()
    hits = [run.get(name, Hits.ranked([], [])) for name in ids]
    return {
        "sentences": pack_strings(ids),
        "starts": np.cumsum([0, *map(len, hits)], dtype=np.int64),
        "hits": pack_strings(str(name) for some in hits for name in some.ids),
        "scores": np.concatenate([some.scores for some in hits]).astype(np.float64),
    }
