"""The citation graph of a collection: references as keys, and how much two records share.

A PMID is its own key. A reference that is a string is author, source, volume, page and year without
separators, as the RF and CT lines of the cystic fibrosis collection (``MEIER M ANT LETT 56 38
975``). Its key is made of the first letters, the volume, the page and the year; `unify` then joins
keys that differ by a misprint.

Direct links, co-citation (Small 1973) and bibliographic coupling (Kessler 1963) are products of
sparse matrices, block by block: no array has the size of records times records.

References
----------
M. M. Kessler. Bibliographic coupling between scientific papers. American Documentation 14, 1963.
H. Small. Co-citation in the scientific literature. JASIS 24, 1973.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property
from itertools import combinations
from typing import Final

import numpy as np

from relsent_ir.records import Record
from relsent_ir.typing import NDArray, Sparse

_NUMBER: Final = r"[A-Z]?[0-9]+[A-Z]?"
_STRING: Final = re.compile(
    rf"(?P<name>.*?)(?:\s+(?P<volume>{_NUMBER}))?(?:\s+(?P<page>{_NUMBER}))?"
    r"\s+(?P<year>[0-9]{3,4})\.?"
)
_PRINTED: Final = re.compile(
    r"[.,]\s+(?P<year>[0-9]{4})\b[^.]*\.\s+(?P<volume>[A-Z]?[0-9]+)\b[^.]*\.\s+P\s+"
    rf"(?P<page>{_NUMBER})"
)
_QUOTED: Final = re.compile(r'"([^"]*)"')
_LETTERS: Final = re.compile(r"[^A-Z]+")
_SIGNS: Final = re.compile(r"[^A-Z0-9]+")

FIRST: Final = 4
"""Letters of the author that a key holds: enough to tell apart what begins on one page."""
ALIKE: Final = 0.75
"""Two authors' names are misprints of one when so much of them agrees (Ratcliff & Obershelp)."""


@dataclass(frozen=True, slots=True)
class Reference:
    """A reference in its parts.

    Attributes
    ----------
    name : str
        Author and source, in capitals.
    volume, page : str
        "" where the string has none; a single number is the page.
    year : str
        Four digits.
    """

    name: str
    volume: str
    page: str
    year: str

    @classmethod
    def parse(cls, text: str) -> "Reference | None":
        """Read a reference as printed; None if it does not end with a year."""
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
        """The part that strings of the same work share."""
        if not self.volume:
            return " ".join((_SIGNS.sub("", self.name), self.page, self.year)).strip()
        first = _LETTERS.sub("", self.name)[:FIRST]
        # Several abstracts of one author on one page are told apart by words of the title.
        quoted = "".join(_SIGNS.sub("", words) for words in _QUOTED.findall(self.name))
        return " ".join(filter(None, (first, quoted, self.volume, self.page, self.year)))


def reference_key(text: str) -> str:
    """Return the key of one reference: a PMID as it is, of a string what `Reference.key` says."""
    if text.isascii() and text.isdigit():
        return text
    parsed = Reference.parse(text)
    return parsed.key if parsed else _SIGNS.sub(" ", text.upper()).strip()


def own_reference(record: Record) -> str:
    """Write a record as others refer to it; "" without a first author, a volume and a page.

    Only for records that say where they are printed, as those of the cystic fibrosis collection do
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
    """Return each reference its key, the same to those that differ by a misprint only.

    Joined are strings with volume and page that agree in

    - all numbers and the source, when the authors' names are alike (`ALIKE`);
    - author, source and page, and in volume or year, when the other differs: by one year.

    Parameters
    ----------
    texts : iterable of str
        All references of a collection.

    Returns
    -------
    dict of str to str
        The key of each text; of joined ones the least.
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
    """Return the pairs of keys that mean one work."""
    groups: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for key, r in parsed.items():
        groups["numbers", r.volume, r.page, r.year].append(key)
        groups["volume", r.name, r.page, r.year].append(key)
        groups["year", r.name, r.volume, r.page].append(key)
    for (kind, *_), members in groups.items():
        for a, b in combinations(members, 2):
            one, other = parsed[a], parsed[b]
            if (
                kind == "volume"
                or (kind == "numbers" and _same_author(one.name, other.name))
                or (kind == "year" and abs(int(one.year) - int(other.year)) == 1)
            ):
                yield a, b


def _same_author(a: str, b: str) -> bool:
    """Tell whether two names differ in the author's surname alone, and little."""
    first, _, rest = a.partition(" ")
    second, _, other = b.partition(" ")
    return rest == other and SequenceMatcher(None, first, second).ratio() >= ALIKE


VARIANTS: Final = ("coupling", "co-citation", "links")
"""Shared references, shared citing works, references from one record to the other."""
BUDGET: Final = 20_000_000
"""Products that a block of rows may need: it bounds the memory, about 12 bytes each."""


@dataclass(frozen=True)
class Census:
    """Counts of the references of a collection.

    Attributes
    ----------
    records : int
    with_references : int
        Records that have at least one, after the following were left out.
    references : int
        Those that were kept.
    duplicates : int
        Left out: a record's second reference to the same work.
    to_itself : int
        Left out: references of a record to itself.
    inside, outside : int
        Kept references to records of the collection, and to other works.
    ambiguous : int
        Records that cannot be told from another by author, volume, page and year; none is linked.
    works : int
        Different works that are referred to.
    citations : int
        Citing works named by the records themselves, and not already known from references.
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
    """Records and works; the first works are the records themselves, in the same order.

    Attributes
    ----------
    ids : tuple of str, length n
        The records.
    references : scipy.sparse.csr_array of int32, shape (n, works)
        1 where a record refers to a work.
    citations : scipy.sparse.csr_array of int32, shape (n, works)
        1 where a record is referred to by a work.
    census : Census
    years : ndarray of int32, shape (n,)
        The records'; 0 for unknown.
    """

    ids: tuple[str, ...]
    references: Sparse
    citations: Sparse
    census: Census
    years: NDArray[np.integer]

    @classmethod
    def build(cls, records: Iterable[Record]) -> "CitationGraph":
        """Match the references of records, and count what is left out."""
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
        """Build the graph of references that are keys already.

        Parameters
        ----------
        ids : sequence of str, length n
        references, citations : sequence of iterable of str, length n
            Keys of what each record refers to, and of what refers to it.
        own : dict of str to int
            The record of each key that means one; the ids if None.
        ambiguous : int
            For the census.
        years : sequence of int, length n, optional
            0 for unknown, as all are if there is none.
        """
        n = len(ids)
        codes = dict(own) if own is not None else {name: row for row, name in enumerate(ids)}
        size = [n]

        def code(key: str) -> int:
            column = codes.get(key)
            if column is None:
                column = codes[key] = size[0]
                size[0] += 1
            return column

        rows, columns = _coded(references, code)
        cited, citing = _coded(citations if citations is not None else [], code)
        to_itself = rows == columns
        made = _matrix(rows[~to_itself], columns[~to_itself], (n, size[0]))
        duplicates = int((~to_itself).sum()) - made.nnz
        links = made[:, :n]
        known = links.T.tocoo()
        named = cited != citing
        both = _matrix(
            np.concatenate([known.coords[0], cited[named]]),
            np.concatenate([known.coords[1], citing[named]]),
            (n, size[0]),
        )
        census = Census(
            records=n,
            with_references=int((np.diff(made.indptr) > 0).sum()),
            references=made.nnz,
            duplicates=duplicates,
            to_itself=int(to_itself.sum()),
            inside=links.nnz,
            outside=made.nnz - links.nnz,
            ambiguous=ambiguous,
            works=len(np.unique(made.indices)),
            citations=both.nnz - links.nnz,
        )
        dates = np.array(years or np.zeros(n), dtype=np.int32)
        return cls(tuple(ids), made, both, census, dates)

    def __len__(self) -> int:
        return len(self.ids)

    def links(self) -> Sparse:
        """1 where one record refers to the other, 2 where both do; shape (n, n), symmetric."""
        n = len(self)
        one_way = self.references[:, :n] + self.citations[:, :n].T
        one_way.data[:] = 1
        links: Sparse = (one_way + one_way.T).tocsr()
        return links

    def citing(self, name: str) -> list[str]:
        """Return the records that refer to a record; none for an id that is not here."""
        return self._row(self._citing, name)

    def cited(self, name: str) -> list[str]:
        """Return the records that a record refers to."""
        return self._row(self._cited, name)

    def _row(self, links: Sparse, name: str) -> list[str]:
        row = self._rows.get(name)
        return [] if row is None else [self.ids[i] for i in sorted(links[[row]].indices.tolist())]

    @cached_property
    def _rows(self) -> dict[str, int]:
        return {name: row for row, name in enumerate(self.ids)}

    @cached_property
    def _citing(self) -> Sparse:
        """1 where the second refers to the first."""
        return self.citations[:, : len(self)].tocsr()

    @cached_property
    def _cited(self) -> Sparse:
        return self._citing.T.tocsr()

    def shared(
        self, variant: str, rows: NDArray[np.integer] | None = None, budget: int = BUDGET
    ) -> Iterator[tuple[NDArray[np.integer], Sparse]]:
        """Count what records have in common with all others, block by block.

        Parameters
        ----------
        variant : str
            One of `VARIANTS`.
        rows : ndarray of int, optional
            The records that are asked for; all if None.
        budget : int
            Products in a block.

        Yields
        ------
        ndarray of int, shape (b,)
            Records.
        scipy.sparse.csr_array of int32, shape (b, n)
            What each has in common with every record, nothing with itself.
        """
        rows = np.arange(len(self)) if rows is None else np.asarray(rows)
        if variant == "links":
            links = self.links()
            yield rows, links[rows]
            return
        from scipy.sparse import csr_array

        matrix = self.references if variant == "coupling" else self.citations
        degrees = np.bincount(matrix.indices, minlength=matrix.shape[1])
        # A work that one record has says nothing, and most works are such.
        several = csr_array(matrix[:, degrees > 1])
        turned = several.T.tocsr()
        costs = several @ degrees[degrees > 1].astype(np.int64)
        for block in _blocks(rows, costs[rows], budget):
            product = several[block] @ turned
            places = np.repeat(np.arange(len(block)), np.diff(product.indptr))
            product.data[product.indices == block[places]] = 0
            product.eliminate_zeros()
            yield block, product


def _coded(
    keys: Sequence[Iterable[str]], code: Callable[[str], int]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    coded = [[code(key) for key in row_keys] for row_keys in keys]
    rows = np.repeat(np.arange(len(coded)), [len(row_keys) for row_keys in coded])
    columns = np.fromiter(
        (c for row_keys in coded for c in row_keys), dtype=np.int64, count=len(rows)
    )
    return rows.astype(np.int64), columns


def _matrix(rows: NDArray[np.int64], columns: NDArray[np.int64], shape: tuple[int, int]) -> Sparse:
    """Put a 1 at each place, once."""
    from scipy.sparse import coo_array

    made = coo_array((np.ones(len(rows), np.int32), (rows, columns)), shape=shape).tocsr()
    made.sum_duplicates()
    made.data[:] = 1
    return made


def _blocks(
    rows: NDArray[np.integer], costs: NDArray[np.int64], budget: int
) -> Iterator[NDArray[np.integer]]:
    """Cut rows where the costs of a block would pass the budget; a block has at least one row."""
    start, spent = 0, 0
    for i, cost in enumerate(costs.tolist()):
        if i > start and spent + cost > budget:
            yield rows[start:i]
            start, spent = i, 0
        spent += cost
    if start < len(rows):
        yield rows[start:]
