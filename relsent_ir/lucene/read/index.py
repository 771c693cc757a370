"""Reading an index: its documents, their ids, texts and term vectors, and statistics."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cached_property, lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from relsent_ir.engines import ENGINES, TermVectors, engine_of, listed
from relsent_ir.errors import InputError, MismatchError, MissingError, RelsentError, UsageError
from relsent_ir.files import Closing
from relsent_ir.lucene.analyzers import Analysis, encodable
from relsent_ir.lucene.commits import SHARDS, Facts, check_finished, list_commits, need_commits
from relsent_ir.lucene.documents import UNITS
from relsent_ir.lucene.jvm import call, closed, exclusive, java, java_errors, lines
from relsent_ir.lucene.memory.postings import Postings, fits, has_postings, open_postings
from relsent_ir.lucene.read.shards import open_shards
from relsent_ir.models import plugins
from relsent_ir.sparse import by_places, csr, lazy_csr
from relsent_ir.typing import NDArray

if TYPE_CHECKING:
    from relsent_ir.records import Record

ATTEMPTS = 5
_PARSED: Final = 128  # parsed records in the cache
_COUNTED: Final = 100_000  # terms whose frequencies are cached
_CLAUSES: Final = 2**31 - 1  # of a strategy; a star may stand for more than Lucene's 1,024


class _Numbers(NamedTuple):
    """The numbers that relsent.Find.statistics returns."""

    live: int
    all: int
    segments: int
    non_empty: int
    postings: int
    tokens: int


class Index(Closing):
    """One of the two indexes of a collection, open for reading.

    Parameters
    ----------
    folder : Path
        The folder of the collection, or a folder that lists shards.
    unit : {"abstracts", "sentences"}

    Attributes
    ----------
    facts : Facts
        The analysis and the sources of the index.
    content : str
        A short digest of the whole content; it changes when a document is added or removed.
    reader : org.apache.lucene.index.IndexReader

    Raises
    ------
    InputError
        If there is no index, or it was not built by relsent-ir.
    MismatchError
        If it has another format, or is unfinished while finished indexes are required.
    """

    def __init__(self, folder: Path | str, unit: str = "abstracts") -> None:
        if unit not in UNITS:
            raise UsageError(f"no unit {unit!r}", fix=f"one of {', '.join(UNITS)}")
        self.folder = Path(folder)
        self.unit = unit
        self.facts, self.reader = _open(self.folder, unit)
        check_finished(self.folder, self.facts)
        self._closed = False
        self._numbers = _Numbers(*map(int, self._call("Find.statistics")))
        segments = str(self._call("Bulk.segments")).encode()
        self.content = blake2b(segments, digest_size=6).hexdigest()
        self._frequencies: dict[str, int] = {}

    def __len__(self) -> int:
        return self._numbers.live

    def call(self, method: str, *arguments: Any) -> Any:
        """Call one of our static methods, such as ``Find.near``, with objects of this index.

        Raises
        ------
        RelsentError
            If another thread closed the index meanwhile: the terms of a closed reader are gone, so
            that a reading would look as if no document had them.
        """
        answer = call(method, *arguments, where=self.folder)
        self._check_open()
        return answer

    def _call(self, method: str, *arguments: Any) -> Any:
        return self.call(method, self.reader, *arguments)

    def _check_open(self) -> None:
        if self._closed:
            raise closed(self.folder)

    def ids(self, most: int | None = None) -> list[str]:
        """Return all ids, or the first `most`, in Lucene's order."""
        return lines(self._call("Bulk.ids"))[:most]

    def id_lines(self) -> bytes:
        """Return all ids in Lucene's order, one to a line; they may be too many for strings."""
        return bytes(self._call("Bulk.ids").tostring())

    def live(self) -> NDArray[np.bool_]:
        """Return for each of Lucene's numbers whether its document is not deleted."""
        return np.frombuffer(self._call("PostingsWalk.live").tostring(), np.bool_)

    def segments(self) -> dict[str, range]:
        """Return the range of Lucene's document numbers of each segment, by the segment's name.

        Until Lucene merges it, a segment keeps its name and its documents; its first number may
        change, and so may the set of its documents that are not deleted.
        """
        names = str(self._call("PostingsWalk.segments")).split("\n")
        segments = {}
        with java_errors(self.folder):
            leaves = self.reader.leaves()
            for place in range(leaves.size()):
                leaf = leaves.get(place)
                first = int(leaf.docBase)
                segments[names[place]] = range(first, first + int(leaf.reader().maxDoc()))
        return segments

    def documents(self, ids: Sequence[str]) -> NDArray[np.int32]:
        """Return Lucene's number for each id, -1 for an unknown id; shape (len(ids),)."""
        names = [encodable(name) for name in listed(ids)]
        numbers = self._call("Bulk.documents", names) if names else []
        return np.array(numbers, dtype=np.int32)

    def raw(self, ids: Sequence[str]) -> list[str]:
        """Return the stored JSON of documents.

        Raises
        ------
        InputError
            If an id is not in the index.
        """
        return lines(self._call("Bulk.stored", self._known(ids), "raw"))

    def raw_of(self, documents: NDArray[np.integer]) -> list[str]:
        """Return the stored JSON of documents by Lucene's numbers; fastest in ascending order."""
        return lines(self._call("Bulk.stored", documents.tolist(), "raw"))

    def records(self, ids: Sequence[str]) -> "list[Record]":
        """Return records from the abstract index."""
        return list(map(self._parse, self.raw(ids)))

    @cached_property
    def _parse(self) -> "Callable[[str], Record]":
        """Parse a record; the last are cached, since a search may read its first hits twice."""
        from relsent_ir.records import Record

        return lru_cache(maxsize=_PARSED)(Record.from_json)

    def vectors(self, ids: Sequence[str], field: str = "contents") -> TermVectors:
        """Return the analysed terms of documents, with their counts."""
        documents = self._known(ids)
        data = self._call("Bulk.vectors", documents, field).tostring()
        n = len(documents)
        size = int(np.frombuffer(data, "<i4", 1)[0])
        numbers = np.frombuffer(data, "<i4", n + 2 + 2 * size)
        terms = data[numbers.nbytes :].decode().split("\n")[:-1]
        starts, columns, counts = np.split(numbers[1:].copy(), [n + 1, n + 1 + size])
        return TermVectors(csr((counts, columns, starts), shape=(n, len(terms))), terms)

    def frequencies(self, terms: Sequence[str], field: str = "contents") -> NDArray[np.int64]:
        """Return how many documents have each term in a field; shape (len(terms),)."""
        if field != "contents":
            counts = self._call("Bulk.frequencies", field, [encodable(term) for term in terms])
            return np.array(counts, dtype=np.int64)
        known = self._frequencies
        if len(known) > _COUNTED:
            known = self._frequencies = {}  # another thread may be reading the full dictionary
        new = [term for term in dict.fromkeys(terms) if term not in known]
        if new:
            names = [encodable(term) for term in new]
            counts = self._call("Bulk.frequencies", "contents", names)
            known.update(zip(new, counts, strict=True))
        return np.array([known[term] for term in terms], dtype=np.int64)

    def values(self, field: str) -> dict[str, int]:
        """Return the values of a filter's field, each with its number of documents.

        Values are in lower case, as they are compared, and sorted. Each value is read from Java by
        itself, so use this for fields with few values.
        """
        with java_errors(self.folder):
            terms = java("org.apache.lucene.index.MultiTerms").getTerms(self.reader, field)
            walk = terms.iterator() if terms else None
            values = {}
            while walk and (value := walk.next()):
                values[str(value.utf8ToString())] = int(walk.docFreq())
        self._check_open()
        return values

    def near(self, term: str) -> list[str]:
        """Return the terms within two edits of a term that have the same first letter."""
        return lines(self._call("Find.near", term))

    def filter(self, years: Sequence[int], fields: Sequence[str], terms: Sequence[str]) -> Any:
        """Build the Lucene query for a range of years, and for any of the terms in each field."""
        with exclusive():
            values = [encodable(term) for term in terms]
            return self.call("Find.filter", list(years), list(fields), values)

    def strategy(self, *steps: Sequence[Any]) -> Any:
        """Build the Lucene query from the steps of relsent.Strategy.build."""
        with exclusive():
            java("org.apache.lucene.search.IndexSearcher").setMaxClauseCount(_CLAUSES)
            analyzer = self.facts.analysis.analyzer
            return self._call("Strategy.build", analyzer, *map(list, steps))

    def both(self, first: Any, second: Any) -> Any:
        """Build the Lucene query for the documents that both queries match; it scores 0."""
        with exclusive():
            return self.call("Strategy.both", first, second)

    def without(self, query: Any, field: str, value: str) -> Any:
        """Build a Lucene query that leaves out the documents with a value in a field."""
        with exclusive():
            return self.call("Strategy.without", query, field, encodable(value))

    def like(self, field: str, pattern: str) -> Any:
        """Build the Lucene query for the values of a field that match a regular expression."""
        with java_errors(self.folder):
            term = java("org.apache.lucene.index.Term")(field, pattern)
            return java("org.apache.lucene.search.RegexpQuery")(term)

    def expansions(self, field: str, word: str) -> int:
        """Count the terms of a field that match a word with a star or ?."""
        return int(self._call("Strategy.expansions", field, encodable(word)))

    def count(self, query: Any) -> int:
        """Count the documents that match a Lucene query."""
        return self.facets(query, (), (), 0)[0]

    def facets(
        self, found: Any, numbers: Sequence[str], names: Sequence[str], most: int
    ) -> tuple[int, dict[str, list[tuple[str, int]]]]:
        """Count values of documents, given by ids or a query: the most frequent of `names`."""
        with java_errors(self.folder):
            searcher = java("org.apache.lucene.search.IndexSearcher")(self.reader)
        fields = list(numbers), list(names)
        if isinstance(found, Sequence):
            data = self.call("Facets.of", searcher, self._known(found), *fields)
        else:
            with exclusive():
                data = self.call("Facets.matching", searcher, found, *fields)
        count, *rest = lines(data)
        values: dict[str, list[tuple[str, int]]] = {name: [] for name in (*numbers, *names)}
        for line in rest:
            field, number, value = line.split("\t", 2)
            values[field].append((value, int(number)))
        for name in names:
            values[name] = sorted(values[name], key=lambda pair: (-pair[1], pair[0]))[:most]
        return int(count), values

    @cached_property
    def postings(self) -> Postings:
        """The postings stored beside the index; they are read first if necessary."""
        return open_postings(self)

    def is_current(self) -> bool:
        """Return whether the open index is still the current one on disk."""
        with suppress(RelsentError), Index(self.folder, self.unit) as now:
            return now.content == self.content
        return False

    @property
    def without_year(self) -> int:
        """The number of documents without a year, which no filter of years lets pass."""
        return len(self) - int(self._call("Find.having", "year"))

    @property
    def mean_length(self) -> float:
        """The mean number of terms of the documents that have terms; 0 if none has."""
        numbers = self._numbers
        return numbers.tokens / numbers.non_empty if numbers.non_empty else 0.0

    @property
    def mean_distinct(self) -> float:
        """The mean number of different terms of the documents that have terms; 0 if none has."""
        numbers = self._numbers
        return numbers.postings / numbers.non_empty if numbers.non_empty else 0.0

    @property
    def has_deletions(self) -> bool:
        """Whether segments contain deleted documents."""
        return self._numbers.live < self._numbers.all

    def statistics(self) -> dict[str, Any]:
        """Count documents, terms, postings and tokens, like Anserini's index statistics.

        Deleted documents are counted in frequencies and lengths until segments are merged.
        """
        return {
            "unit": self.unit,
            "documents": len(self),
            "deleted_documents": self._numbers.all - self._numbers.live,
            "segments": self._numbers.segments,
            "non_empty_documents": self._numbers.non_empty,
            "unique_terms": int(self._call("Find.differentTerms")),
            "postings": self._numbers.postings,
            "total_terms": self._numbers.tokens,
        }

    def _known(self, ids: Sequence[str]) -> list[int]:
        documents = self.documents(ids)
        missing = np.flatnonzero(documents < 0)
        if len(missing):
            raise InputError(
                f"no document {ids[missing[0]]!r} among the {self.unit}", where=self.folder
            )
        return [int(document) for document in documents]

    def close(self) -> None:
        """Close the files."""
        self._closed = True
        with suppress(MissingError):  # in a forked process, the files belong to its parent
            call("Find.close", self.reader, where=self.folder)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the path: another process opens the same commit from it."""
        return _same, (self.folder.absolute(), self.unit, self.content)


def open_index(folder: Path, unit: str) -> Index:
    """Open an index in a folder, or at an address with the engine of its scheme.

    Raises
    ------
    UsageError
        If no engine has the scheme.
    """
    engine = engine_of(folder)
    if not engine:
        return Index(folder, unit)
    points = plugins(ENGINES)
    if engine not in points:
        raise UsageError(f"no engine {engine!r}", fix=f"a folder, or one of {', '.join(points)}")
    opened: Index = points[engine].load()(folder, unit, Facts.from_json)
    return opened


def _open(folder: Path, unit: str) -> tuple[Facts, Any]:
    """Open the newest commit that both indexes have; a build may replace it meanwhile."""
    if (folder / SHARDS).is_file():
        return open_shards(folder, unit)
    if any(folder.glob("segments_*")):
        return _open_plain(folder, unit)
    for attempt in range(ATTEMPTS):
        try:
            with java_errors(folder):
                commits = need_commits(folder)
                return commits.facts, call("Find.open", commits.of[unit], where=folder)
        except InputError:
            if attempt == ATTEMPTS - 1:
                raise
    raise AssertionError


def _open_plain(folder: Path, unit: str) -> tuple[Facts, Any]:
    """Open one Lucene index as Pyserini builds it, with Anserini's analysis, without sentences.

    Raises
    ------
    MismatchError
        If sentences are requested, or the index has no contents.
    """
    if unit != "abstracts":
        raise MismatchError(
            "this is one Lucene index, which has no sentences",
            where=folder,
            fix="search it with BM25 or RM3 and --output, or index the records here",
        )
    with java_errors(folder):
        reader = call("Find.open", list_commits(folder)[-1], where=folder)
    if "contents" not in lines(call("Find.fields", reader, where=folder)):
        raise MismatchError("has no field named contents", where=folder, fix="build it by Pyserini")
    return Facts(Analysis.choose(), filters=False, facets=False, words=False), reader


def _same(folder: Path, unit: str, content: str) -> Index:
    """Open the index that is open in another process."""
    index = Index(folder, unit)
    if index.content != content:
        index.close()
        raise MismatchError(
            "the index is not the one that the work was begun on", where=folder, fix="begin again"
        )
    return index


EACH: Final = 50_000
"""Number of postings that are scanned in the time that Lucene takes for one document."""
_LEAST: Final = 100  # documents; for fewer, it does not pay to open the postings
_PIECE: Final = 1 << 18  # postings that are scanned at once: they fit a near cache


def vectors(index: Index, ids: Sequence[str]) -> TermVectors:
    """Read terms and counts of documents in the faster way; the result is as `Index.vectors`.

    Raises
    ------
    InputError
        If an id is unknown.
    """
    if len(ids) >= _LEAST and has_postings(index) and fits(index):
        postings = index.postings
        numbers = index.documents(ids)
        several = len(set(ids)) == len(ids) and numbers.min() >= 0
        if several and len(postings.documents) <= EACH * len(ids):
            return of_documents(postings, numbers)
    return index.vectors(ids)


def of_documents(postings: Postings, numbers: NDArray[np.int32]) -> TermVectors:
    """Collect the postings of some documents, with a row for each document.

    Parameters
    ----------
    postings : Postings
    numbers : ndarray of int, shape (n,)
        Lucene's numbers of the documents, without repetition.
    """
    rows = np.full(len(postings.ranks), -1, np.int32)
    rows[numbers] = np.arange(len(numbers), dtype=np.int32)
    chosen = rows >= 0
    pieces = (
        np.flatnonzero(chosen.take(postings.documents[start : start + _PIECE], mode="clip")) + start
        for start in range(0, len(postings.documents), _PIECE)  # no bound is reached
    )
    entries = np.concatenate([np.empty(0, np.int64), *pieces])
    terms = np.searchsorted(postings.starts, entries, side="right").astype(np.int32) - 1
    owners = rows[postings.documents[entries]]
    order = by_places((owners, len(numbers)))
    terms = terms[order]
    first = np.full(len(postings.terms), -1)
    backwards = np.arange(len(terms), dtype=np.int32)[::-1]
    first[terms[backwards]] = backwards  # of repeated terms the last assignment stays
    used = np.flatnonzero(first >= 0)
    used = used[np.argsort(first[used])]
    columns = np.empty(len(first), np.int32)
    columns[used] = np.arange(len(used), dtype=np.int32)
    starts = np.append(0, np.cumsum(np.bincount(owners, minlength=len(numbers)))).astype(np.int32)
    data = postings.counts[entries].astype(np.int32)[order]
    counts = lazy_csr((data, columns[terms], starts), (len(numbers), len(used)))
    frequencies = np.diff(postings.starts)[used].astype(np.int64)
    return TermVectors(counts, postings.terms.take(used), frequencies)
