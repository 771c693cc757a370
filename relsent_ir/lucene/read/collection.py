"""A collection: both of its indexes, and the texts, sentences and moves in them, by one handle."""

import json
from collections.abc import Sequence
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Final

import numpy as np

from relsent_ir.errors import InputError, MismatchError
from relsent_ir.lucene.commits import Facts, open_directory, read_commits
from relsent_ir.lucene.documents import UNITS
from relsent_ir.lucene.jvm import call, java_errors
from relsent_ir.lucene.memory.derived import check_derived
from relsent_ir.lucene.read.index import Index, listed
from relsent_ir.lucene.read.shards import shard_folders

if TYPE_CHECKING:
    from relsent_ir.records import Record, Sentence

KEPT: Final = 20_000
"""Records whose tagged sentences a collection remembers, if nothing else is said."""


class Indexes:
    """Both indexes of a collection, each opened when it is first asked for.

    Parameters
    ----------
    folder : Path or str
        The collection's folder, as ``relsent-ir index`` made it.

    Attributes
    ----------
    kept : int
        How many records' tagged sentences are remembered: some 10 kB each.

    Raises
    ------
    InputError
        When it is first read, if there is no index.
    """

    def __init__(self, folder: Path | str) -> None:
        self.folder = Path(folder)
        self.kept = KEPT
        self._lock = Lock()
        self._opened: dict[str, Index] = {}
        self._tagged: dict[str, tuple[Sentence, ...]] = {}

    @classmethod
    def of(cls, *indexes: Index) -> "Indexes":
        """Give the collection that open indexes, one or both, are the halves of."""
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
        """The index of a unit, ``abstracts`` or ``sentences``."""
        with self._lock:
            if unit not in self._opened:
                self._opened[unit] = Index(self.folder, unit)
            return self._opened[unit]

    @property
    def facts(self) -> Facts:
        """How the collection was analysed, and what is in it."""
        return self.abstracts.facts

    def records(self, ids: Sequence[str]) -> "list[Record]":
        """The records with these ids.

        Raises
        ------
        InputError
            If there is none with an id.
        """
        return self.abstracts.records(ids)

    def texts(self, ids: Sequence[str]) -> list[str]:
        """The texts of the sentences with these ids.

        Raises
        ------
        InputError
            If there is none with an id.
        """
        return [str(json.loads(line)["contents"]) for line in self.sentences.raw(ids)]

    def parts(self, ids: Sequence[str]) -> "dict[str, tuple[Sentence, ...]]":
        """The sentences of each hit: a sentence's own, all of a record's, the title first.

        They have the moves that the index stores.

        Raises
        ------
        MismatchError
            If an id is neither a sentence nor a record of the collection.
        """
        names = list(dict.fromkeys(listed(ids)))
        is_sentence = self.sentences.documents(names) >= 0
        found = [name for name, yes in zip(names, is_sentence, strict=True) if yes]
        others = [name for name, yes in zip(names, is_sentence, strict=True) if not yes]
        parts: dict[str, tuple[Sentence, ...]] = {s.id: (s,) for s in self._stored(found)}
        if others:
            missing = np.flatnonzero(self.abstracts.documents(others) < 0)
            if len(missing):
                raise MismatchError(
                    f"{others[missing[0]]} is neither a sentence nor a record of the index",
                    where=self.folder,
                )
            parts.update(zip(others, self._sentences(self.records(others)), strict=True))
        return parts

    def tagged(self, records: "Sequence[Record]") -> "list[tuple[Sentence, ...]]":
        """The sentences of records of the collection, the title first, each with its move.

        The moves are those that the index stores (``relsent-ir index --moves``); where it stores
        none, those of the model that comes with the package. A title has none.
        """
        known = self._tagged
        new = {record.id: record for record in records if record.id not in known}
        if len(known) + len(new) > self.kept:
            known = {record.id: known[record.id] for record in records if record.id in known}
            self._tagged = known
        if self.sentences.facts.moves:
            known.update(zip(new, self._sentences(list(new.values())), strict=True))
        elif new:
            from relsent_ir.moves import default_model, tag_record

            model = default_model()
            for name, record in new.items():
                known[name] = (*record.title_sentence(), *tag_record(model, record))
        return [known[record.id] for record in records]

    def moves(self, ids: Sequence[str]) -> "list[tuple[Sentence, ...]]":
        """The sentences of records by their ids, as `tagged` gives them."""
        names = dict.fromkeys(listed(ids))
        known = self._tagged  # another thread may put another in its place
        found = {name: known[name] for name in names if name in known}
        new = [name for name in names if name not in found]
        found.update(zip(new, self.tagged(self.records(new)), strict=True))
        return [found[name] for name in ids]

    def close(self) -> None:
        """Let go of the files."""
        with self._lock:
            while self._opened:
                self._opened.popitem()[1].close()

    def __enter__(self) -> "Indexes":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _sentences(self, records: "Sequence[Record]") -> "list[tuple[Sentence, ...]]":
        """All sentences of records, as the index stores them."""
        split = [record.sentences() for record in records]
        if not self.sentences.facts.moves:
            return split
        stored = iter(self._stored([s.id for sentences in split for s in sentences]))
        return [tuple(next(stored) for _ in sentences) for sentences in split]

    def _stored(self, ids: Sequence[str]) -> "list[Sentence]":
        """Sentences by their ids, as the index stores them."""
        from relsent_ir.records import Sentence

        found = []
        for name, line in zip(ids, self.sentences.raw(ids), strict=True):
            record, _, n = name.rpartition(".")
            stored = json.loads(line)
            move, score = stored.get("move", ""), float(stored.get("score") or 0)
            found.append(Sentence(record, int(n), stored["contents"], move, score))
        return found


def check_index(folder: Path) -> str:
    """Read all of both indexes, as Lucene's CheckIndex does, and all derived data.

    Returns
    -------
    str
        What was read, in a few words.

    Raises
    ------
    InputError
        If there is no index, or one or another part is damaged.
    MismatchError
        If another process is writing.
    """
    shards = shard_folders(folder)
    if shards:
        for shard in shards:
            check_index(shard)
        return f"{len(shards)} shards are sound; {check_derived(folder)} stores of derived data"
    if read_commits(folder) is None:
        raise InputError("there is no index", where=folder, fix="relsent-ir index builds one")
    for unit in UNITS:
        path = folder / unit
        with java_errors(path):
            directory = open_directory(path)
        wrong = str(call("Writing.check", directory, where=path))
        if wrong:
            raise InputError(f"the index is damaged: {wrong}", where=path, fix="build it again")
    return f"{' and '.join(UNITS)} are sound; {check_derived(folder)} stores of derived data"
