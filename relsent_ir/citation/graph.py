"""The citation graph of a collection: keys of references, and which record cites which.

A PMID is its own key. Other references are strings of author, source, volume, page and year without
separators, as in the RF and CT lines of the cystic fibrosis collection (``MEIER M ANT LETT 56 38
975``). Their key consists of the first letters, the volume, the page and the year; `unify` then
joins keys that differ by a misprint.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property
from itertools import combinations, count
from typing import Final

import numpy as np

from relsent_ir.lucene.read.collection import read_all
from relsent_ir.lucene.read.index import Index
from relsent_ir.records import Record
from relsent_ir.typing import NDArray, Progress, Sparse

_NUMBER: Final = r"[A-Z]?[0-9]+[A-Z]?"
_STRING: Final = re.compile(
    rf"(?P<name>.*?)(?: (?P<volume>{_NUMBER}))?(?: (?P<page>{_NUMBER}))?"
    r" (?P<year>[0-9]{3,4})\.?"
)
_PRINTED: Final = re.compile(
    r"[.,]\s+(?P<year>[0-9]{4})\b[^.]{0,99}\.\s+(?P<volume>[A-Z]?[0-9]+)\b[^.]{0,99}\.\s+P\s+"
    rf"(?P<page>{_NUMBER})"
)
_QUOTED: Final = re.compile(r'"([^"]*)"')
_LETTERS: Final = re.compile(r"[^A-Z]+")
_SIGNS: Final = re.compile(r"[^A-Z0-9]+")

FIRST: Final = 4
"""Letters of the author in a key: enough to distinguish works that begin on the same page."""
ALIKE: Final = 0.75
"""Similarity from which two authors' names count as misprints of one (Ratcliff & Obershelp)."""


@dataclass(frozen=True, slots=True)
class Reference:
    """The parts of a reference.

    Attributes
    ----------
    name : str
        Author and source, in capitals.
    volume, page : str
        "" if the string has none; a single number is taken as the page.
    year : str
        The year, in four digits.
    """

    name: str
    volume: str
    page: str
    year: str

    @classmethod
    def parse(cls, text: str) -> "Reference | None":
        """Parse a printed reference; None if it does not end with a year."""
        match = _STRING.fullmatch(" ".join(text.upper().split()))
        if not match:
            return None
        volume, page = match["volume"] or "", match["page"] or ""
        if not page:
            volume, page = "", volume
        year = match["year"]
        return cls(match["name"], volume, page, f"1{year}" if len(year) == 3 else year)

    @property
    def key(self) -> str:
        """The part of the key that all references to a work share."""
        if not self.volume:
            return " ".join((_SIGNS.sub("", self.name), self.page, self.year)).strip()
        first = _LETTERS.sub("", self.name)[:FIRST]
        # Words of the title distinguish several abstracts by one author on one page.
        quoted = "".join(_SIGNS.sub("", words) for words in _QUOTED.findall(self.name))
        return " ".join(filter(None, (first, quoted, self.volume, self.page, self.year)))


def reference_key(text: str) -> str:
    """Return the key of a reference: a PMID itself, or the `Reference.key` of a string."""
    if text.isascii() and text.isdigit():
        return text
    parsed = Reference.parse(text)
    return parsed.key if parsed else _SIGNS.sub(" ", text.upper()).strip()


def own_reference(record: Record) -> str:
    """Write a record as others would cite it; "" without a first author, a volume and a page.

    This works for records that state where they were printed, as in the cystic fibrosis collection
    (``J-Ants. 1974 Nov. 63(6). P 843-8.``).
    """
    printed = _PRINTED.search(record.printed_in.upper())
    if not printed or not record.authors:
        return ""
    names = record.authors[0].upper().split("-")
    initials = "".join(name for name in names if len(name) == 1)
    surname = " ".join(name for name in names if len(name) > 1)
    source = record.journal.upper().replace("-", " ")
    parts = (surname, initials, source, printed["volume"], printed["page"], printed["year"])
    return " ".join(filter(None, parts))


def unify(texts: Iterable[str]) -> dict[str, str]:
    """Return the key of each reference; references that differ by a misprint get the same key.

    Two strings with volume and page are joined if they agree in

    - all numbers and the source, and the authors' names are alike (`ALIKE`);
    - author, source, page and year;
    - author, source, page and volume, and their years differ by one.

    Parameters
    ----------
    texts : iterable of str
        All references of a collection.

    Returns
    -------
    dict of str to str
        The key of each text; the least key for joined ones.
    """
    keys = {text: reference_key(text) for text in texts}
    parsed = {
        key: reference
        for text, key in sorted(keys.items())
        if not text.isdigit() and (reference := Reference.parse(text)) and reference.volume
    }
    least = {key: key for key in parsed}

    def root(key: str) -> str:
        while least[key] != key:
            key = least[key]
        return key

    for a, b in _misprints(parsed):
        first, second = sorted((root(a), root(b)))
        least[second] = first
    return {text: root(key) if key in least else key for text, key in keys.items()}


def _misprints(parsed: dict[str, Reference]) -> Iterator[tuple[str, str]]:
    """Yield the pairs of keys that stand for the same work."""
    groups: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for key, r in parsed.items():
        groups["numbers", r.volume, r.page, r.year].append(key)
        groups["volume", r.name, r.page, r.year].append(key)
        groups["year", r.name, r.volume, r.page].append(key)
    for (kind, *_), members in groups.items():
        for a, b in combinations(members, 2):
            first, second = parsed[a], parsed[b]
            author, _, source = first.name.partition(" ")
            other, _, its_source = second.name.partition(" ")
            if (
                kind == "volume"
                or (kind == "year" and abs(int(first.year) - int(second.year)) == 1)
                or (
                    kind == "numbers"
                    and source == its_source
                    and SequenceMatcher(None, author, other).ratio() >= ALIKE
                )
            ):
                yield a, b


@dataclass(frozen=True)
class Census:
    """Counts of the references of a collection.

    Attributes
    ----------
    records : int
    with_references : int
        Records that have at least one reference, without duplicates and self-references.
    references : int
        References, without duplicates and self-references.
    duplicates : int
        Further references of a record to the same work, which are left out.
    to_itself : int
        References of a record to itself, which are left out.
    inside, outside : int
        References to records of the collection, and to other works.
    ambiguous : int
        Records that share author, volume, page and year with another record; they are not linked.
    works : int
        Number of different works that are cited.
    citations : int
        Citing works that the records themselves list, other than those known from references.
    """

    records: int
    with_references: int
    references: int
    duplicates: int
    to_itself: int
    inside: int
    outside: int
    ambiguous: int
    works: int
    citations: int


@dataclass(frozen=True, eq=False)
class CitationGraph:
    """Records and works; the first works are the records, in the same order.

    Attributes
    ----------
    ids : tuple of str, length n
        The records.
    references : scipy.sparse.csr_array of int32, shape (n, works)
        1 if a record cites a work.
    citations : scipy.sparse.csr_array of int32, shape (n, works)
        1 if a work cites a record.
    census : Census
    years : ndarray of int32, shape (n,)
        The records' years; 0 for unknown.
    """

    ids: tuple[str, ...]
    references: Sparse
    citations: Sparse
    census: Census
    years: NDArray[np.integer]

    @classmethod
    def build(cls, records: Iterable[Record]) -> "CitationGraph":
        """Match the references of records, and count the references left out."""
        citing = list(records)
        printed = [own_reference(record) for record in citing]
        texts = {text for r in citing for text in (*r.references, *r.citations)}
        keys = unify(texts.union(filter(None, printed)))
        own: dict[str, int] = {}
        shared = set()
        for row, (record, text) in enumerate(zip(citing, printed, strict=True)):
            for key in {record.id, keys[text]} if text else {record.id}:
                if own.setdefault(key, row) != row:
                    shared.add(key)
        return cls.from_keys(
            [record.id for record in citing],
            [[keys[text] for text in record.references] for record in citing],
            [[keys[text] for text in record.citations] for record in citing],
            own={key: row for key, row in own.items() if key not in shared},
            ambiguous=sum(bool(text) and keys[text] in shared for text in printed),
            years=[
                min(int(r.year), 9999) if r.year.isascii() and r.year.isdecimal() else 0
                for r in citing
            ],
        )

    @classmethod
    def from_keys(
        cls,
        ids: Sequence[str],
        references: Sequence[Iterable[str]],
        citations: Sequence[Iterable[str]] | None = None,
        own: dict[str, int] | None = None,
        ambiguous: int = 0,
        years: Sequence[int] | None = None,
    ) -> "CitationGraph":
        """Build the graph from references that are already keys.

        Parameters
        ----------
        ids : sequence of str, length n
        references, citations : sequence of iterable of str, length n
            Keys of the works that each record cites, and of the works that cite it.
        own : dict of str to int
            The record for each key that stands for one; by default the ids are the keys.
        ambiguous : int
            A number for the census.
        years : sequence of int, length n, optional
            0 for an unknown year; by default all are unknown.
        """
        n = len(ids)
        codes = dict(own) if own is not None else {name: row for row, name in enumerate(ids)}
        numbers = count(n)  # of works outside, in order of first appearance

        def coded(keys: Sequence[Iterable[str]]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
            places = [
                (row, codes[key] if key in codes else codes.setdefault(key, next(numbers)))
                for row, of in enumerate(keys)
                for key in of
            ]
            rows, columns = np.array(places, dtype=np.int64).reshape(-1, 2).T
            return rows, columns

        rows, columns = coded(references)
        cited, citing = coded(citations or [])
        shape = (n, next(numbers))
        other = rows != columns
        matrix = _matrix(rows[other], columns[other], shape)
        links = matrix[:, :n]
        linked = links.T.tocoo()
        listed = cited != citing
        both = _matrix(
            np.concatenate([linked.coords[0], cited[listed]]),
            np.concatenate([linked.coords[1], citing[listed]]),
            shape,
        )
        census = Census(
            records=n,
            with_references=int((np.diff(matrix.indptr) > 0).sum()),
            references=matrix.nnz,
            duplicates=int(other.sum()) - matrix.nnz,
            to_itself=int((~other).sum()),
            inside=links.nnz,
            outside=matrix.nnz - links.nnz,
            ambiguous=ambiguous,
            works=len(np.unique(matrix.indices)),
            citations=both.nnz - links.nnz,
        )
        dates = np.array(years or np.zeros(n), dtype=np.int32)
        return cls(tuple(ids), matrix, both, census, dates)

    def __len__(self) -> int:
        return len(self.ids)

    def links(self) -> Sparse:
        """Return 1 if one of two records cites the other, 2 if both do; shape (n, n)."""
        n = len(self)
        one_way = self.references[:, :n] + self.citations[:, :n].T
        one_way.data[:] = 1
        links: Sparse = (one_way + one_way.T).tocsr()
        return links

    def citing(self, name: str) -> list[str]:
        """Return the records that cite a record; none for an unknown id."""
        return self._row(self._citing, name)

    def cited(self, name: str) -> list[str]:
        """Return the records that a record cites."""
        return self._row(self._cited, name)

    def _row(self, links: Sparse, name: str) -> list[str]:
        row = self._rows.get(name)
        return [] if row is None else [self.ids[i] for i in sorted(links[[row]].indices.tolist())]

    @cached_property
    def _rows(self) -> dict[str, int]:
        return {name: row for row, name in enumerate(self.ids)}

    @cached_property
    def _citing(self) -> Sparse:
        """1 if the record of the column cites the record of the row."""
        return self.citations[:, : len(self)].tocsr()

    @cached_property
    def _cited(self) -> Sparse:
        return self._citing.T.tocsr()


def _matrix(rows: NDArray[np.int64], columns: NDArray[np.int64], shape: tuple[int, int]) -> Sparse:
    """Return a matrix with a 1 at each given place, even if a place is repeated."""
    from scipy.sparse import coo_array

    matrix = coo_array((np.ones(len(rows), np.int32), (rows, columns)), shape=shape).tocsr()
    matrix.sum_duplicates()
    matrix.data[:] = 1
    return matrix


def read_graph(index: Index, progress: Progress | None = None) -> CitationGraph:
    """Build the citation graph of an index's records."""
    # only the fields that the graph needs: all texts of a large collection would fill the memory
    records = (
        Record(
            record.id,
            references=record.references,
            citations=record.citations,
            printed_in=record.printed_in,
            journal=record.journal,
            authors=record.authors[:1],
            year=record.year,
        )
        for record in read_all(index, progress)
    )
    return CitationGraph.build(records)
