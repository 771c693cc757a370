"""The best matches of all sentences of a collection, as in the paper (section 3).

A table is a folder of parts, each for `PART` sentences in the order of the sentence store; each
part is a folder of arrays that appears when it is complete. Existing parts are not matched again,
so that a killed run can be resumed with the same result. The table of an index is in
``DIR/derived/related-all/``, named by the content of the index and the model; all matching of the
index's sentences reads it there. A changed index has another table; the old one is not read.
"""

import hashlib
import json
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, Final, Protocol

import numpy as np

from relsent_ir.errors import InputError, MismatchError
from relsent_ir.executor import SERIAL, Executor
from relsent_ir.hits import Hits, Run
from relsent_ir.lucene.memory.derived import derived_place
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.lucene.read.index import Index
from relsent_ir.models import check_arrays, load_folder, pack_strings, save_folder, unpack_strings
from relsent_ir.models.folders import check_starts
from relsent_ir.related.model import Model, TrainedModel
from relsent_ir.related.store import Store
from relsent_ir.related.tokens import words
from relsent_ir.typing import NDArray, Progress

NAME: Final = "related-all"
KIND: Final = "related-sentences"
EDITION: Final = 1
"""Raise this when the same index and model would give other matches."""
PART: Final = 512
"""Number of sentences of a part."""
_AGAIN: Final = "relsent-ir related all"
OUTDATED: Final = (
    "the matches that related all has stored are of what the index held before, and are not read "
    f"({_AGAIN} matches all again)"
)
_OPEN: Final = 16  # parts cached in memory

_Part = tuple[list[str], list[Hits]]


class Matching(Protocol):
    """The part used here of `relsent_ir.related.matching.matcher.Matcher`, which imports this."""

    collection: Indexes
    index: Index
    store: Store
    model: Model

    def related(self, topics: Mapping[str, str], k: int, *, without_own: bool) -> Run:
        """Find the `k` most related sentences for each topic."""
        ...


def table_path(index: Index, model: Model) -> Path:
    """Return the folder of the table of an index and a model, whether it exists or not."""
    return derived_place(index.folder, NAME, f"{index.content}.{model_digest(model)}")


def is_outdated(index: Index) -> bool:
    """Return whether an index has tables, but only of earlier contents."""
    folder = derived_place(index.folder, NAME, "")
    return not [*folder.glob(f"{index.content}.*")] and bool(_others(folder, index.content))


def _others(folder: Path, content: str) -> list[Path]:
    """Return the tables of an index for other contents."""
    return [path for path in folder.glob("[!.]*.*") if not path.name.startswith(f"{content}.")]


def model_digest(model: Model) -> str:
    """Return a digest of all that a model's scores depend on."""
    facts: dict[str, Any] = {}
    if isinstance(model, TrainedModel):
        facts = {"checksums": model.checksums(), "stopwords": model.stopwords}
    text = json.dumps([EDITION, model.name, facts], sort_keys=True)
    return hashlib.blake2b(text.encode(), digest_size=6).hexdigest()


class StoredMatches:
    """The stored matches of an index's sentences by a model.

    Parameters
    ----------
    index : Index
        The index of the sentences.
    model : Model
    """

    def __init__(self, index: Index, model: Model) -> None:
        self._path = table_path(index, model)
        self._part = lru_cache(_OPEN)(
            lambda path: (load_folder(path, trusted=True).facts["hits"], dict(read_part(path)))
        )

    def best(self, name: str, row: int, k: int) -> Hits | None:
        """Return the `k` best matches of a sentence; None if not so many are stored.

        Parameters
        ----------
        name : str
            The id of the sentence.
        row : int
            The row of the sentence in the sentence store.
        k : int

        Raises
        ------
        InputError
            If a part is damaged.
        """
        path = part_path(self._path, row - row % PART)
        if not path.is_dir():
            return None
        most, matches = self._part(path)
        hits = matches.get(name)
        if hits is None or (k > most and len(hits) == most):
            return None
        return hits.head(k)


def part_path(folder: Path, first: int) -> Path:
    """Return the folder of the part that starts with a row of the sentence store."""
    return folder / f"part-{first:010d}"


def read_part(path: Path) -> Iterator[tuple[str, Hits]]:
    """Read the ids of a part with their matches.

    Raises
    ------
    InputError
        If the part is damaged.
    """
    arrays = load_folder(path).arrays
    try:
        names, ids = unpack_strings(arrays["sentences"]), unpack_strings(arrays["hits"])
        starts, scores = arrays["starts"], arrays["scores"]
        check_arrays(arrays, {"starts": "int parts", "scores": "float n"}, parts=len(names) + 1)
        check_starts(starts, len(scores))
        if len(ids) != len(scores):
            raise ValueError("ids and scores do not fit together")
    except (KeyError, ValueError) as error:
        raise InputError(
            "these are no matches", where=path, fix=f"delete the folder, {_AGAIN}"
        ) from error
    hits = np.array(ids, dtype=object)
    for i, name in enumerate(names):
        part = slice(int(starts[i]), int(starts[i + 1]))
        yield name, Hits(hits[part], scores[part])


def write_every(
    open_matcher: Callable[[], Matching],
    k: int,
    output: Path | None = None,
    *,
    executor: Executor = SERIAL,
    progress: Progress | None = None,
) -> tuple[Path, int]:
    """Match all sentences with the sentences of other records.

    Parameters
    ----------
    open_matcher : callable
        Opens the indexes and the model; each process of the executor calls it.
    k : int
        Largest number of matches of a sentence.
    output : Path, optional
        The folder of the parts; finished parts in it are kept. If None, the place beside the index
        where matchers read them; tables of an index's earlier contents are deleted there.
    executor : Executor
        Matches the parts.
    progress : callable, optional
        Called with the number of existing parts and the total.

    Returns
    -------
    Path
        The folder of the parts. Each is stored with the index's content, the model's digest, the
        most hits of a sentence, and the number of sentences.
    int
        The number of sentences.

    Raises
    ------
    MismatchError
        If an existing part was made from another index, model or `k`.
    OutputError
        If a part cannot be written.
    """
    matcher = open_matcher()
    with matcher.collection:
        n, source = len(matcher.store), matcher.index
        path = output or table_path(source, matcher.model)
        facts: dict[str, Any] = {"content": source.content}
        facts["model"] = model_digest(matcher.model)
        facts |= {"hits": k, "sentences": n}
    for other in [] if output else _others(path.parent, source.content):
        with suppress(OSError):
            shutil.rmtree(other)
    missing = []
    for first in range(0, n, PART):
        place = part_path(path, first)
        if not place.exists():
            missing.append(first)
            continue
        stored = load_folder(place, trusted=True).facts
        if any(stored.get(name) != value for name, value in facts.items()):
            raise MismatchError(
                "these matches are of another index, model or --hits",
                where=place,
                fix="delete the folder, or name another",
            )
    parts = -(-n // PART)
    matched = executor.map(partial(_matching, open_matcher, k), missing)
    for done, (first, (ids, hits)) in enumerate(zip(missing, matched, strict=True), 1):
        arrays: dict[str, NDArray[Any]] = {
            "sentences": pack_strings(ids),
            "starts": np.cumsum([0, *map(len, hits)], dtype=np.int64),
            "hits": pack_strings(str(name) for some in hits for name in some.ids),
            "scores": np.concatenate([some.scores for some in hits]).astype(np.float64),
        }
        save_folder(part_path(path, first), KIND, facts, arrays)
        if progress:
            progress(parts - len(missing) + done, parts)
    return path, n


def _matching(open_matcher: Callable[[], Matching], k: int) -> Callable[[int], _Part]:
    matcher = open_matcher()

    def match(first: int) -> _Part:
        """Match the sentences of a part; sentences without words have no matches."""
        rows = np.arange(first, min(first + PART, len(matcher.store)))
        ids = matcher.store.ids.take(rows)
        texts = zip(ids, matcher.collection.texts(ids), strict=True)
        topics = {name: text for name, text in texts if words(text, matcher.model.stopwords)}
        run = matcher.related(topics, k, without_own=True) if topics else Run()
        return ids, [run.get(name, Hits.ranked([], [])) for name in ids]

    return match
