"""Both indexes of a collection, and their records, sentences and moves, in one object."""

from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Final

import numpy as np
import orjson
from numpy.typing import NDArray

from relsent_ir.budget import check
from relsent_ir.engines import listed
from relsent_ir.errors import InputError, MismatchError, UsageError
from relsent_ir.files import Closing
from relsent_ir.hits import Run, owner
from relsent_ir.lucene.commits import Facts, need_commits, open_directory
from relsent_ir.lucene.documents import UNITS
from relsent_ir.lucene.jvm import call, java_errors
from relsent_ir.lucene.memory.derived import check_derived
from relsent_ir.lucene.read.index import Index, open_index
from relsent_ir.lucene.read.search import open_searcher
from relsent_ir.lucene.read.shards import shard_folders
from relsent_ir.typing import Progress

if TYPE_CHECKING:
    from relsent_ir.records import Record, Sentence

KEPT: Final = 20_000
"""Records whose tagged sentences are cached by default, about 10 kB each."""
PARSED: Final = 2_000
"""Number of records that are cached."""
_BATCH: Final = 2_000  # records that are read together


@dataclass(frozen=True)
class Passage:
    """A hit with the texts that the indexes hold for it.

    Attributes
    ----------
    id : str
        The id of the hit.
    record : Record
        The hit itself, or the record that contains the sentence.
    sentences : tuple of Sentence
        The sentence alone, or all sentences of the record, the title first.
    whole : bool
        Whether the hit is a record.
    """

    id: str
    record: "Record"
    sentences: "tuple[Sentence, ...]"
    whole: bool


@dataclass
class _Cache:
    """Cache records, and their tagged sentences, by the records' ids.

    A full dictionary is replaced, not emptied, since another thread may be reading it.
    """

    records: "dict[str, Record]" = field(default_factory=dict)
    tagged: "dict[str, tuple[Sentence, ...]]" = field(default_factory=dict)


class Indexes(Closing):
    """Both indexes of a collection; each is opened at its first use.

    A record and a sentence of another record may share an id: ``10.7``, and the seventh sentence of
    ``10``. Ids that are looked up together are records if all of them can be; otherwise each is a
    sentence if there is one with this id, else a record. `resolving` decides for all ids of a run
    together.

    Parameters
    ----------
    folder : Path or str
        The folder of the collection, written by ``relsent-ir index``.

    Attributes
    ----------
    kept : int
        Number of records whose tagged sentences are cached, about 10 kB each.

    Raises
    ------
    InputError
        On first use, if there is no index.
    """

    unit = "both"
    """The name of data that are derived from both indexes."""

    def __init__(self, folder: Path | str) -> None:
        self.folder = Path(folder)
        self.kept = KEPT
        self._lock = Lock()
        self._opened: dict[str, Index] = {}
        self._closed = False
        self._cache = _Cache()
        self._records_first: bool | None = None

    @classmethod
    def of(cls, *indexes: Index) -> "Indexes":
        """Return the collection whose halves are these open indexes (one or both)."""
        collection = cls(indexes[0].folder)
        collection._opened.update({index.unit: index for index in indexes})
        return collection

    @property
    def abstracts(self) -> Index:
        """The index of records."""
        return self.index("abstracts")

    @property
    def sentences(self) -> Index:
        """The index of sentences."""
        return self.index("sentences")

    def index(self, unit: str) -> Index:
        """Return the index with a unit, ``abstracts`` or ``sentences``."""
        with self._lock:
            if self._closed:
                raise UsageError(f"{self.folder} is closed", fix="open the collection again")
            if unit not in self._opened:
                self._opened[unit] = open_index(self.folder, unit)
            return self._opened[unit]

    @property
    def facts(self) -> Facts:
        """The analysis and the sources of the collection."""
        return self.abstracts.facts

    def is_current(self) -> bool:
        """Return whether both open indexes are still the current ones on disk."""
        return self.abstracts.is_current() and self.sentences.is_current()

    @cached_property
    def content(self) -> str:
        """A short digest of the content of both indexes, including moves."""
        parts = self.abstracts.content, self.sentences.content
        return blake2b(" ".join(parts).encode(), digest_size=6).hexdigest()

    def among(self, unit: str) -> "Indexes":
        """Return a view of the indexes that looks up ids first among those of a unit."""
        view = copy(self)
        view._records_first = unit == "abstracts"
        return view

    def resolving(self, run: Run) -> "Indexes":
        """Return a view of the indexes that looks up ids as the hits of a run.

        Ids are records if all hits of the run can be records; otherwise they are looked up among
        sentences first. On the result of `among`, its unit stays the first.
        """
        if self._records_first is not None:
            return self
        names = list(dict.fromkeys(name for hits in run.values() for name in hits.ids))
        is_record = self.abstracts.documents(names) >= 0
        return self.among("abstracts" if is_record.all() else "sentences")

    def whole(self, ids: Sequence[str], *, strict: bool = True) -> NDArray[np.bool_]:
        """Return which ids are records; the others are sentences. Shape (len(ids),).

        Parameters
        ----------
        ids : sequence of str
        strict : bool
            Refuse an id that is neither; otherwise it counts as a record.

        Raises
        ------
        MismatchError
            If `strict` and an id is neither a sentence nor a record of the collection.
        """
        first, second = "abstracts", "sentences"
        if self._records_first is False:
            first, second = second, first
        there = self.index(first).documents(ids) >= 0
        if self._records_first is None and not there.all():
            first, second = second, first
            there = self.index(first).documents(ids) >= 0
        whole: NDArray[np.bool_] = there if first == "abstracts" else ~there
        rest = np.flatnonzero(~there)
        if len(rest):
            in_second = self.index(second).documents([ids[int(place)] for place in rest]) >= 0
            missing = rest[~in_second]
            if strict and len(missing):
                raise MismatchError(
                    f"{ids[int(missing[0])]} is neither a sentence nor a record of the index",
                    where=self.folder,
                )
            whole[missing] = True
        return whole

    def read(self, ids: Sequence[str], *, moves: bool = True) -> list[Passage]:
        """Read the records and sentences of hits; each record is read once.

        Parameters
        ----------
        ids : sequence of str
            Ids of records or of sentences.
        moves : bool
            Whether sentences get moves as in `tagged`; otherwise only stored moves are read.

        Raises
        ------
        MismatchError
            If an id is neither a sentence nor a record of the collection.
        """
        whole = self.whole(listed(ids)).tolist()
        owners = [n if yes else owner(n) for n, yes in zip(ids, whole, strict=True)]
        records = self.records(owners)
        if moves:
            own = dict(zip(owners, self.tagged(records), strict=True))
            sentences = [
                own[record] if yes else tuple(s for s in own[record] if s.id == name)
                for name, record, yes in zip(ids, owners, whole, strict=True)
            ]
        else:
            sentences = self._parts(ids, whole)
        return [Passage(*each) for each in zip(ids, records, sentences, whole, strict=True)]

    def records(self, ids: Sequence[str]) -> "list[Record]":
        """Return the records with these ids.

        Raises
        ------
        InputError
            If an id is unknown.
        """
        names = dict.fromkeys(listed(ids))
        cached = self._cache.records  # another thread may replace the dictionary
        records = {name: cached[name] for name in names if name in cached}
        new = [name for name in names if name not in records]
        read = dict(zip(new, self.abstracts.records(new), strict=True))
        if len(cached) + len(read) > PARSED:
            cached = self._cache.records = {}
        cached.update(list(read.items())[:PARSED])
        records.update(read)
        return [records[name] for name in ids]

    def texts(self, ids: Sequence[str]) -> list[str]:
        """Return the texts of the sentences with these ids.

        Raises
        ------
        InputError
            If an id is unknown.
        """
        texts = []
        for line in self.sentences.raw(ids):
            check()
            texts.append(str(orjson.loads(line)["contents"]))
        return texts

    def parts(self, ids: Sequence[str]) -> "dict[str, tuple[Sentence, ...]]":
        """Return the sentences of each hit: the sentence, or those of the record, title first.

        Sentences have the moves that the index stores.

        Raises
        ------
        MismatchError
            If an id is neither a sentence nor a record of the collection.
        """
        names = list(dict.fromkeys(listed(ids)))
        return dict(zip(names, self._parts(names, self.whole(names).tolist()), strict=True))

    def tagged(self, records: "Sequence[Record]") -> "list[tuple[Sentence, ...]]":
        """Return the sentences of records, the title first, each with its move.

        Moves that the index stores (``relsent-ir index --moves``) are used; without these, the
        packaged model labels the sentences. Titles have no move.
        """
        cached = self._cache.tagged
        new = {record.id: record for record in records if record.id not in cached}
        if len(cached) + len(new) > self.kept:
            cached = {record.id: cached[record.id] for record in records if record.id in cached}
            self._cache.tagged = cached
        if self.sentences.facts.moves:
            cached.update(zip(new, self._sentences(list(new.values())), strict=True))
        elif new:
            from relsent_ir.moves import default_model, tag_record

            model = default_model()
            for name, record in new.items():
                check()
                cached[name] = (*record.title_sentence(), *tag_record(model, record))
        return [cached[record.id] for record in records]

    def moves(self, ids: Sequence[str]) -> "list[tuple[Sentence, ...]]":
        """Return the sentences of records, by the records' ids, as `tagged` does."""
        names = dict.fromkeys(listed(ids))
        cached = self._cache.tagged
        moves = {name: cached[name] for name in names if name in cached}
        new = [name for name in names if name not in moves]
        moves.update(zip(new, self.tagged(self.records(new)), strict=True))
        return [moves[name] for name in ids]

    def ambiguous(self) -> list[str]:
        """Return the ids of records that are also ids of other records' sentences, sorted."""
        abstracts = self.abstracts
        query = abstracts.like("id", r".+\.[0-9]+")
        count = abstracts.count(query)
        hits = open_searcher(abstracts).search_queries([query], count)[0] if count else ()
        ids = sorted(name for name, _ in hits)
        is_sentence = self.sentences.documents(ids) >= 0
        return [name for name, yes in zip(ids, is_sentence, strict=True) if yes]

    def close(self) -> None:
        """Close the files."""
        with self._lock:
            self._closed = True
            while self._opened:
                self._opened.popitem()[1].close()

    def _parts(self, ids: Sequence[str], whole: Sequence[bool]) -> "list[tuple[Sentence, ...]]":
        """Return the sentences of hits; `whole` says which hits are records."""
        records = [name for name, yes in zip(ids, whole, strict=True) if yes]
        others = [name for name, yes in zip(ids, whole, strict=True) if not yes]
        sentences = iter(self._stored(others))
        of_records = iter(self._sentences(self.records(records)))
        return [next(of_records) if yes else (next(sentences),) for yes in whole]

    def _sentences(self, records: "Sequence[Record]") -> "list[tuple[Sentence, ...]]":
        """Return all sentences of records as they are stored in the index."""
        split = [record.sentences() for record in records]
        if not self.sentences.facts.moves:
            return split
        stored = iter(self._stored([s.id for sentences in split for s in sentences]))
        return [tuple(next(stored) for _ in sentences) for sentences in split]

    def _stored(self, ids: Sequence[str]) -> "list[Sentence]":
        """Return sentences by their ids, as they are stored in the index."""
        if not ids:
            return []
        from relsent_ir.records import Sentence

        sentences = []
        for name, line in zip(ids, self.sentences.raw(ids), strict=True):
            check()
            record, _, n = name.rpartition(".")
            stored = orjson.loads(line)
            move, score = stored.get("move", ""), float(stored.get("score") or 0)
            sentences.append(Sentence(record, int(n), stored["contents"], move, score))
        return sentences


def read_all(
    index: Index, progress: Progress | None = None, ids: Sequence[str] | None = None
) -> "Iterator[Record]":
    """Read the records of an index in batches, in the order of the index or of `ids`."""
    ids = index.ids() if ids is None else ids
    for start in range(0, len(ids), _BATCH):
        yield from index.records(ids[start : start + _BATCH])
        if progress:
            progress(min(start + _BATCH, len(ids)), len(ids))


def check_index(folder: Path) -> str:
    """Check both indexes completely, with Lucene's CheckIndex, and all derived data.

    Returns
    -------
    str
        A few words about what was checked.

    Raises
    ------
    InputError
        If there is no index, or a part of it is damaged.
    MismatchError
        If another process is writing.
    """
    shards = shard_folders(folder)
    if shards:
        for shard in shards:
            check_index(shard)
        return f"{len(shards)} shards are sound; {_derived_data(folder)}"
    need_commits(folder)
    for unit in UNITS:
        path = folder / unit
        with java_errors(path):
            directory = open_directory(path)
        wrong = str(call("Writing.check", directory, where=path))
        if wrong:
            raise InputError(f"the index is damaged: {wrong}", where=path, fix="build it again")
    return f"{' and '.join(UNITS)} are sound; {_derived_data(folder)}"


def _derived_data(folder: Path) -> str:
    """Check the data derived from a collection; return a text with their number."""
    with Indexes(folder) as collection:
        sources = collection, collection.abstracts, collection.sentences
        current, stale = check_derived(folder, {source.unit: source.content for source in sources})
    text = f"{current} stores of derived data"
    return f"{text}, and {stale} of what the index held before" if stale else text
