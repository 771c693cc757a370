"""Both indexes of a collection, and the records, sentences and moves in them, by one handle."""

import json
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from relsent_ir.budget import check
from relsent_ir.errors import InputError, MismatchError
from relsent_ir.hits import Run, owner
from relsent_ir.lucene.commits import Facts, need_commits, open_directory
from relsent_ir.lucene.documents import UNITS
from relsent_ir.lucene.jvm import call, java, java_errors
from relsent_ir.lucene.memory.derived import check_derived
from relsent_ir.lucene.read.facets import count_documents
from relsent_ir.lucene.read.index import Index, listed
from relsent_ir.lucene.read.search import Searcher
from relsent_ir.lucene.read.shards import shard_folders

if TYPE_CHECKING:
    from relsent_ir.records import Record, Sentence

CACHE_SIZE: Final = 20_000
"""Records whose tagged sentences are cached by default: some 10 kB each."""
PARSED: Final = 2_000
"""Records that are cached."""


@dataclass(frozen=True)
class Passage:
    """A hit as the indexes hold it.

    Attributes
    ----------
    id : str
        Of the hit.
    record : Record
        The hit itself, or the record whose sentence it is.
    sentences : tuple of Sentence
        The sentence itself, or all sentences of the record, the title first.
    whole : bool
        Whether the hit is a record.
    """

    id: str
    record: "Record"
    sentences: "tuple[Sentence, ...]"
    whole: bool


@dataclass
class _Cache:
    """Records, and their tagged sentences, by the records' ids.

    A full dictionary is replaced, never emptied: another thread may be reading it.
    """

    records: "dict[str, Record]" = field(default_factory=dict)
    tagged: "dict[str, tuple[Sentence, ...]]" = field(default_factory=dict)


class Indexes:
    """Both indexes of a collection, each opened when it is first used.

    An id such as ``10.7`` may belong to a record and to a sentence, the seventh of record ``10``.
    Ids that are looked up together are records if all of them are; otherwise each is a sentence if
    there is one with that id, else a record. `resolving` decides for all ids of a run together.

    Parameters
    ----------
    folder : Path or str
        The collection's folder, as ``relsent-ir index`` made it.

    Attributes
    ----------
    cache_size : int
        Records whose tagged sentences are cached: some 10 kB each.

    Raises
    ------
    InputError
        On the first read, if there is no index.
    """

    def __init__(self, folder: Path | str) -> None:
        self.folder = Path(folder)
        self.cache_size = CACHE_SIZE
        self._lock = Lock()
        self._opened: dict[str, Index] = {}
        self._cache = _Cache()
        self._records_first: bool | None = None

    @classmethod
    def of(cls, *indexes: Index) -> "Indexes":
        """Return the collection of one or both of its indexes, which are open."""
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
        """Return the index of a unit, ``abstracts`` or ``sentences``."""
        with self._lock:
            if unit not in self._opened:
                self._opened[unit] = Index(self.folder, unit)
            return self._opened[unit]

    @property
    def facts(self) -> Facts:
        """The analysis and the sources of the collection."""
        return self.abstracts.facts

    @property
    def unit(self) -> str:
        """The name of both indexes together, in the facts of derived data."""
        return "both"

    def is_current(self) -> bool:
        """Tell whether both indexes on disk are still those that are open."""
        return self.abstracts.is_current() and self.sentences.is_current()

    @cached_property
    def content(self) -> str:
        """A short digest of the contents of both indexes, moves included."""
        parts = self.abstracts.content, self.sentences.content
        return blake2b(" ".join(parts).encode(), digest_size=6).hexdigest()

    def among(self, unit: str) -> "Indexes":
        """Return a view of the same indexes that looks ids up among those of a unit first."""
        view = copy(self)
        view._records_first = unit == "abstracts"
        return view

    def resolving(self, run: Run) -> "Indexes":
        """Return a view of the same indexes that looks ids up as the hits of a run.

        Ids are looked up among records if all hits are records, else among sentences first. A view
        from `among` is returned as it is.
        """
        if self._records_first is not None:
            return self
        names = list(dict.fromkeys(name for hits in run.values() for name in hits.ids))
        is_record = self.abstracts.documents(names) >= 0
        return self.among("abstracts" if is_record.all() else "sentences")

    def whole(self, ids: Sequence[str], *, strict: bool = True) -> NDArray[np.bool_]:
        """Tell which ids are records; the others are sentences. Shape (len(ids),).

        Parameters
        ----------
        ids : sequence of str
        strict : bool
            Refuse an id that is neither; otherwise it counts as a record's.

        Raises
        ------
        MismatchError
            If an id is neither a sentence nor a record of the collection, with `strict`.
        """
        first, second = "abstracts", "sentences"
        if self._records_first is False:
            first, second = second, first
        in_first = self.index(first).documents(ids) >= 0
        if self._records_first is None and not in_first.all():
            first, second = second, first
            in_first = self.index(first).documents(ids) >= 0
        whole: NDArray[np.bool_] = in_first if first == "abstracts" else ~in_first
        rest = np.flatnonzero(~in_first)
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
        """Read the records and sentences of hits, each record once.

        Parameters
        ----------
        ids : sequence of str
            Of records, or of sentences.
        moves : bool
            Give sentences the moves of `tagged`; otherwise only those that the index stores.

        Raises
        ------
        MismatchError
            If an id is neither a sentence nor a record of the collection.
        """
        whole = self.whole(listed(ids)).tolist()
        owners = [n if is_record else owner(n) for n, is_record in zip(ids, whole, strict=True)]
        records = self.records(owners)
        if moves:
            tagged = dict(zip(owners, self.tagged(records), strict=True))
            sentences = [
                tagged[record] if is_record else tuple(s for s in tagged[record] if s.id == name)
                for name, record, is_record in zip(ids, owners, whole, strict=True)
            ]
        else:
            sentences = self._parts(ids, whole)
        return [Passage(*each) for each in zip(ids, records, sentences, whole, strict=True)]

    def records(self, ids: Sequence[str]) -> "list[Record]":
        """Return the records with these ids.

        Raises
        ------
        InputError
            If an id has no record.
        """
        names = dict.fromkeys(listed(ids))
        cached = self._cache.records  # another thread may replace it
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
            If an id has no sentence.
        """
        texts = []
        for line in self.sentences.raw(ids):
            check()
            texts.append(str(json.loads(line)["contents"]))
        return texts

    def parts(self, ids: Sequence[str]) -> "dict[str, tuple[Sentence, ...]]":
        """Return the sentences of each hit: itself, or all of the record's, the title first.

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

        The moves are those that the index stores (``relsent-ir index --moves``), or those of the
        packaged model if it stores none. A title has none.
        """
        cached = self._cache.tagged
        new = {record.id: record for record in records if record.id not in cached}
        if len(cached) + len(new) > self.cache_size:
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
        """Return the sentences of records by their ids; see `tagged`."""
        names = dict.fromkeys(listed(ids))
        cached = self._cache.tagged
        moves = {name: cached[name] for name in names if name in cached}
        new = [name for name in names if name not in moves]
        moves.update(zip(new, self.tagged(self.records(new)), strict=True))
        return [moves[name] for name in ids]

    def ambiguous(self) -> list[str]:
        """Return the ids of records that are also ids of other records' sentences, in order."""
        abstracts = self.abstracts
        with java_errors(self.folder):
            term = java("org.apache.lucene.index.Term")("id", ".+\\.[0-9]+")
            query = java("org.apache.lucene.search.RegexpQuery")(term)
            count = count_documents(abstracts, query)
            hits = Searcher(abstracts).search_queries([query], count)[0] if count else ()
        ids = sorted(name for name, _ in hits)
        is_sentence = self.sentences.documents(ids) >= 0
        return [name for name, also in zip(ids, is_sentence, strict=True) if also]

    def close(self) -> None:
        """Close the files."""
        with self._lock:
            while self._opened:
                self._opened.popitem()[1].close()

    def __enter__(self) -> "Indexes":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _parts(self, ids: Sequence[str], whole: Sequence[bool]) -> "list[tuple[Sentence, ...]]":
        """Return the sentences of hits that are marked as records or sentences."""
        records = [name for name, is_record in zip(ids, whole, strict=True) if is_record]
        others = [name for name, is_record in zip(ids, whole, strict=True) if not is_record]
        sentences = iter(self._stored(others))
        of_records = iter(self._sentences(self.records(records)))
        return [next(of_records) if is_record else (next(sentences),) for is_record in whole]

    def _sentences(self, records: "Sequence[Record]") -> "list[tuple[Sentence, ...]]":
        """Return all sentences of records, with the moves that the index stores."""
        split = [record.sentences() for record in records]
        if not self.sentences.facts.moves:
            return split
        stored = iter(self._stored([s.id for sentences in split for s in sentences]))
        return [tuple(next(stored) for _ in sentences) for sentences in split]

    def _stored(self, ids: Sequence[str]) -> "list[Sentence]":
        """Return sentences by their ids, as the index stores them."""
        if not ids:
            return []
        from relsent_ir.records import Sentence

        sentences = []
        for name, line in zip(ids, self.sentences.raw(ids), strict=True):
            check()
            record, _, n = name.rpartition(".")
            stored = json.loads(line)
            move, score = stored.get("move", ""), float(stored.get("score") or 0)
            sentences.append(Sentence(record, int(n), stored["contents"], move, score))
        return sentences


def check_index(folder: Path) -> str:
    """Check both indexes completely, by Lucene's CheckIndex, and all derived data.

    Returns
    -------
    str
        A summary in a few words.

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
        if damage := str(call("Writing.check", directory, where=path)):
            raise InputError(f"the index is damaged: {damage}", where=path, fix="build it again")
    return f"{' and '.join(UNITS)} are sound; {_derived_data(folder)}"


def _derived_data(folder: Path) -> str:
    """Check the derived data of a collection; describe how many stores there are."""
    with Indexes(folder) as collection:
        sources = collection, collection.abstracts, collection.sentences
        current, stale = check_derived(folder, {source.unit: source.content for source in sources})
    text = f"{current} stores of derived data"
    return f"{text}, and {stale} of what the index held before" if stale else text
