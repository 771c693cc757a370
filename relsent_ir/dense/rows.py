"""Vectors of an index's records or sentences: rows of 8 bits stored beside it, mapped into memory.

They are in ``DIR/derived/dense/MODEL/``, with a row for each document in Lucene's order and a scale
by which its numbers are multiplied; 8 bits have no measurable cost (docs/dense.md). The manifest,
``model.json``, records their origin. A killed build can be resumed, and for a changed index, rows
of documents with unchanged texts are reused.
"""

import json
import logging
import re
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, fields
from functools import cached_property, partial
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final

import numpy as np

from relsent_ir.dense.bert import Array
from relsent_ir.dense.encoder import Encoded, Encoder, Way, digest_of, find_model, unit
from relsent_ir.errors import InputError, MismatchError
from relsent_ir.executor import SERIAL, Executor
from relsent_ir.files import LARGEST_TEXT, input_errors, open_bytes, output_errors
from relsent_ir.lucene.memory.derived import Derived, derived_stores
from relsent_ir.lucene.read.index import Index
from relsent_ir.models import Stored, check_arrays, pack_strings, unpack_strings
from relsent_ir.models.folders import read_array
from relsent_ir.text.vocabulary import Vocabulary
from relsent_ir.typing import NDArray, Progress

FOLDER: Final = "dense"
LAYOUT: Final = 1
IMPORTED: Final = "imported"
_LEVELS: Final = 127
_BATCH: Final = 1000  # documents read at a time
_PIECE: Final = 50  # texts encoded at a time

_log = logging.getLogger("relsent_ir")


@dataclass(frozen=True)
class VectorRows:
    """The vectors of an index's documents in Lucene's order, without deleted documents.

    Attributes
    ----------
    ids : Vocabulary
        The ids of the documents.
    order : ndarray of int32, shape (n,)
        The row number of each id.
    rows : ndarray of int8, shape (n, dimension)
    scales : ndarray of float32, shape (n,)
        The factor that scales a row to length 1; 0 if there is no vector.
    facts : dict of str to JSON value
        The manifest of the vectors.
    folder, query_folder : Path
        The folders of the encoder, and of the encoder for queries.
    """

    ids: Vocabulary
    order: NDArray[np.int32]
    rows: NDArray[np.int8]
    scales: NDArray[np.float32]
    facts: dict[str, Any]
    folder: Path
    query_folder: Path

    def __len__(self) -> int:
        return len(self.scales)

    @cached_property
    def _places(self) -> NDArray[np.int32]:
        """For each row, the place of its id in `ids`."""
        places = np.empty(len(self), np.int32)
        places[self.order] = np.arange(len(self), dtype=np.int32)
        return places

    def names(self, rows: NDArray[np.intp]) -> NDArray[np.object_]:
        """Return the ids of some rows without decoding all ids."""
        return np.array(self.ids.take(self._places[rows]), dtype=object)

    def locate(self, ids: Sequence[str]) -> NDArray[np.intp]:
        """Return the row number of each document.

        Raises
        ------
        MismatchError
            If a document has no row.
        """
        places = self.ids.locate(ids)
        if len(places) and places.min() < 0:
            raise MismatchError(f"{ids[int(places.argmin())]} has no vector")
        return self.order[places].astype(np.intp)

    def vectors(self, rows: NDArray[np.intp]) -> Array:
        """Return some rows as floats for comparison; shape (len(rows), dimension)."""
        return self.rows[rows].astype(np.float32) * self.scales[rows, None]


@dataclass(frozen=True)
class Source:
    """The origin of the vectors.

    Attributes
    ----------
    model : Encoder
    query : Path or None
        The folder of a different encoder for queries.
    imported : tuple of (Path, Path)
        The files of published vectors and of their ids.
    """

    model: Encoder
    query: Path | None = None
    imported: tuple[tuple[Path, Path], ...] = ()

    @property
    def facts(self) -> dict[str, Any]:
        """The facts on which the rows depend."""
        facts: dict[str, Any] = {"weights": digest_of(self.model.folder)}
        facts["compute"] = self.model.compute
        facts |= asdict(self.model.way) | {"dimension": self.model.bert.hidden}
        if self.query:
            facts["query_weights"] = digest_of(self.query)
        if self.imported:
            files = []
            for path, _ in self.imported:
                with input_errors(path):
                    files.append([path.name, path.stat().st_size])
            facts |= {"compute": IMPORTED, "files": files}
        return facts


@dataclass(frozen=True)
class Encoding:
    """The result of encoding an index.

    Attributes
    ----------
    rows : VectorRows
    encoded : int
        Number of texts encoded, or rows imported, in this call; other rows existed before.
    cut : int
        Number of texts that exceed the length limit of the model.
    lacking : int
        Number of documents without a vector.
    """

    rows: VectorRows
    encoded: int
    cut: int
    lacking: int


def encode_index(
    index: Index, source: Source, *, executor: Executor = SERIAL, progress: Progress | None = None
) -> Encoding:
    """Encode the documents of an index that have no vectors yet.

    Raises
    ------
    InputError
        If a text has no vector, or an imported file is damaged; the error names the record.
    MismatchError
        If imported vectors have another dimension, or a record has two.
    OutputError
        If the vectors cannot be written.
    """
    name = re.sub(r"[^A-Za-z0-9.]+", "_", source.model.folder.resolve().name) or "model"
    name += "" if index.unit == "abstracts" else f"-{index.unit}"  # each unit is built separately
    derived = Derived(index, f"{FOLDER}/{name}", source.facts, LAYOUT)
    builder = _Builder(index, source, derived)
    stored = derived.open(lambda: builder.build(executor, progress), lambda stored: stored)
    builder.partial.unlink(missing_ok=True)
    rows = _read(stored)
    lacking = int((rows.scales == 0).sum())
    return Encoding(rows, builder.encoded, int(stored.arrays["cut"].sum()), lacking)


def open_rows(index: Index, model: str | Path) -> VectorRows:
    """Map the rows of an index by an encoder into memory.

    Parameters
    ----------
    index : Index
    model : str or Path
        The folder of the encoder; "" if the index has the vectors of one encoder only.

    Raises
    ------
    MismatchError
        If there are none, or only of another state of the index; if "" could mean several.
    """
    if not model:
        known = sorted(map(str, stored_models(index).values()))
        if len(known) != 1:
            problem = f"the {index.unit} have vectors of {len(known) or 'no'} models"
            fix = f"name one: {', '.join(known)}" if known else "relsent-ir encode makes them"
            raise MismatchError(problem, where=index.folder, fix=fix)
        (model,) = known
    folder = find_model(model)
    digest, stores = digest_of(folder), derived_stores(index, FOLDER)
    fix = f"relsent-ir encode --index {index.folder} --model {model}"
    fix += "" if index.unit == "abstracts" else f" --unit {index.unit}"
    of_model = [store for store in stores if store.facts.get("weights") == digest]
    of_unit = [store for store in of_model if store.facts["derived"]["unit"] == index.unit]
    current = [store for store in of_unit if store.facts["derived"]["content"] == index.content]
    if not current:
        problem = f"the {index.unit} have no vectors of {Path(model).name}"
        if of_unit:
            problem = "the vectors are of another state of the index"
        elif others := sorted(
            {store.path.parent.name for store in stores if store not in of_model}
        ):
            problem += f", only of another model ({', '.join(others)})"
        raise MismatchError(problem, where=index.folder, fix=fix)
    current.sort(key=lambda store: (store.facts.get("compute") != "fp32", store.path.name))
    settings = {json.dumps([of.facts.get(field.name) for field in fields(Way)]) for of in current}
    if len(settings) > 1:
        problem = "vectors of %s with %d settings; those in %s are read (delete what is not meant)"
        _log.warning(f"%s: {problem}", index.folder, folder.name, len(settings), current[0].path)
    try:
        rows = _read(current[0])
    except (KeyError, ValueError) as error:
        problem = f"the vectors are damaged: {error}"
        raise InputError(problem, where=current[0].path, fix="delete the folder") from None
    if len(rows) != len(index):
        raise InputError("the vectors are damaged", where=current[0].path, fix="delete the folder")
    return rows


def stored_models(index: Index, *, current: bool = True) -> dict[str, Path]:
    """Return the encoders whose vectors an index has: folders by the digests of their weights.

    With `current`, only vectors of the present state of the index count.
    """
    return {
        str(stored.facts["weights"]): Path(unpack_strings(stored.arrays["folders"])[0])
        for stored in derived_stores(index, FOLDER)
        if stored.facts["derived"]["unit"] == index.unit
        and (not current or stored.facts["derived"]["content"] == index.content)
    }


def sources_of(index: Index) -> list[Source]:
    """Return the origins of the vectors of earlier states of an index, to update them.

    For imported vectors, and models whose folders are missing or changed, only a warning is logged.
    """
    sources: dict[str, Source] = {}
    for stored in derived_stores(index, FOLDER):
        facts, origin = stored.facts, stored.facts["derived"]
        if origin["unit"] != index.unit or origin["content"] == index.content:
            continue
        folder, query = map(Path, unpack_strings(stored.arrays["folders"]))
        same = (folder / "config.json").exists() and digest_of(folder) == facts["weights"]
        if facts["compute"] == IMPORTED or not same:
            why = "imported" if same else f"of {folder}, which has changed"
            _log.warning("%s: vectors %s are not brought up to date", index.folder, why)
            continue
        way = Way(*(facts[field.name] for field in fields(Way)))
        encoder = Encoder(folder, way, facts["compute"])
        source = Source(encoder, query if "query_weights" in facts else None)
        sources[json.dumps(source.facts)] = source
    return list(sources.values())


class _Builder:
    """A file of rows in Lucene's order; if this call is killed, a later one continues it."""

    def __init__(self, index: Index, source: Source, derived: Derived) -> None:
        self._index = index
        self._source = source
        self._derived = derived
        self.partial = derived.beside("rows")
        dimension = source.model.bert.hidden
        self._dtype = np.dtype(
            [("row", "i1", dimension), ("scale", "<f4"), ("text", "<u8"), ("cut", "?")]
        )
        self.encoded = 0

    def build(self, executor: Executor, progress: Progress | None) -> dict[str, NDArray[Any]]:
        """Return the arrays to store."""
        ids = self._index.ids()
        with output_errors(self.partial.parent), self.partial.open("ab") as file:
            done = min(file.tell() // self._dtype.itemsize, len(ids))
            file.truncate(done * self._dtype.itemsize)
            for piece in self._pieces(ids, done, executor):
                file.write(piece.tobytes())
                file.flush()
                done += len(piece)
                if progress:
                    progress(done, len(ids))
        table = np.fromfile(self.partial, self._dtype)
        vocabulary, order = Vocabulary.of_lines(self._index.id_lines())
        folders = [str(self._source.model.folder.absolute())]
        folders += [str(self._source.query.absolute()) if self._source.query else folders[0]]
        return {
            "ids": vocabulary.text,
            "id_ends": vocabulary.ends,
            "order": order.astype(np.int32),
            "rows": np.ascontiguousarray(table["row"]),
            "scales": np.ascontiguousarray(table["scale"]),
            "texts": np.ascontiguousarray(table["text"]),
            "cut": np.ascontiguousarray(table["cut"]),
            "folders": pack_strings(folders),
        }

    def _pieces(self, ids: list[str], start: int, executor: Executor) -> Iterator[NDArray[Any]]:
        """Yield the rows of documents from `start` on, in batches."""
        if self._source.imported:
            yield self._imported(ids)[start:]
            return
        model = self._source.model
        older = [(_read(stored), stored) for stored in self._derived.older()]
        waiting: deque[NDArray[Any]] = deque()

        def batches() -> Iterator[list[tuple[str, str]]]:
            for first in range(start, len(ids), _BATCH):
                names = ids[first : first + _BATCH]
                texts = [model.way.passage + text for text in texts_of(self._index, names)]
                rows = np.zeros(len(names), self._dtype)
                digests = (blake2b(text.encode(), digest_size=8).digest() for text in texts)
                rows["text"] = [int.from_bytes(digest, "little") for digest in digests]
                for earlier in older:
                    _fill(earlier, names, rows)
                for at in range(0, len(names), _PIECE):
                    piece = rows[at : at + _PIECE]
                    waiting.append(piece)
                    new = np.flatnonzero(piece["scale"] == 0).tolist()
                    yield [(names[at + place], texts[at + place]) for place in new]

        # Each process gets a function of its own, with its own encoder.
        for encoded in executor.map(partial(partial, _encoded, model), batches()):
            piece = waiting.popleft()
            self.encoded += len(encoded)
            for place, text in zip(np.flatnonzero(piece["scale"] == 0), encoded, strict=True):
                piece[place] = (*eight_bits(text.vector), piece["text"][place], text.cut)
            yield piece

    def _imported(self, ids: list[str]) -> NDArray[Any]:
        """Return the rows of documents from published vectors with the same ids or PMIDs."""
        rows = np.zeros(len(ids), self._dtype)
        places: dict[str, int] = {}
        for first in range(0, len(ids), _BATCH):
            names = ids[first : first + _BATCH]
            for place, record in enumerate(self._index.records(names), first):
                places[record.pmid or record.id] = place
        for path, beside in self._source.imported:
            for name, vector in _published(path, beside, self._source.model.bert.hidden):
                place = places.get(name, -1)
                if place >= 0:
                    if rows["scale"][place]:
                        raise MismatchError(f"two vectors of record {name}", where=path)
                    vector = unit(np.asarray(vector, np.float32), f"{path}, record {name}")
                    rows[place] = (*eight_bits(vector), 0, False)
                    self.encoded += 1
        return rows


def _fill(earlier: tuple[VectorRows, Stored], names: list[str], rows: NDArray[Any]) -> None:
    """Reuse the rows of an earlier state of the index for documents with the same text."""
    before, stored = earlier
    places = before.ids.locate(names)
    there = np.flatnonzero((places >= 0) & (rows["scale"] == 0))
    older = before.order[places[there]]
    same = stored.arrays["texts"][older] == rows["text"][there]
    there, older = there[same], older[same]
    rows["row"][there] = before.rows[older]
    rows["scale"][there] = before.scales[older]
    rows["cut"][there] = stored.arrays["cut"][older]


def eight_bits(vector: Array) -> tuple[NDArray[np.int8], np.float32]:
    """Return a vector's numbers in 8 bits, and the factor that scales them to length 1."""
    row = np.rint(vector * (_LEVELS / np.abs(vector).max())).astype(np.int8)
    return row, np.float32(1 / np.linalg.norm(row.astype(np.float64)))


def texts_of(index: Index, ids: Sequence[str]) -> list[str]:
    """Return the texts of documents for encoding: a sentence, or a record's title and abstract."""
    if index.unit == "sentences":
        return [str(json.loads(line)["contents"]) for line in index.raw(ids)]
    return [
        " ".join(filter(None, (record.title or record.vernacular_title, record.abstract)))
        for record in index.records(ids)
    ]


def _encoded(encoder: Encoder, entries: list[tuple[str, str]]) -> list[Encoded]:
    """Encode texts, given with the names of their documents, which an error tells."""
    encoded = []
    for name, text in entries:
        try:
            encoded.append(encoder.encode(text))
        except InputError as error:
            raise InputError(error.problem, where=f"{encoder.folder}, record {name}") from None
    return encoded


def _read(stored: Stored) -> VectorRows:
    arrays = stored.arrays
    kinds = {"rows": "int n dimension", "scales": "float n", "order": "int n", "id_ends": "int n"}
    check_arrays(arrays, kinds, dimension=stored.facts["dimension"])
    folder, query = map(Path, unpack_strings(arrays["folders"]))
    ids = Vocabulary(arrays["ids"], arrays["id_ends"])
    rows = arrays["order"], arrays["rows"], arrays["scales"]
    return VectorRows(ids, *rows, stored.facts, folder, query)


def _published(path: Path, beside: Path, dimension: int) -> Iterator[tuple[str, NDArray[Any]]]:
    """Read the vectors of a file, and their ids from another file."""
    with open_bytes(beside, most=LARGEST_TEXT) as file:
        try:
            ids = json.loads(file.read())
        except (ValueError, RecursionError):
            ids = None
    if not isinstance(ids, list) or not all(type(name) in (str, int) for name in ids):
        raise InputError("this is no list of ids", where=beside, fix='write ["123", "124"]')
    with input_errors(path):
        array = read_array(path)
    if array.dtype.kind != "f" or array.ndim != 2 or len(array) != len(ids):
        problem = f"an array of {array.dtype} of shape {array.shape} for {len(ids)} ids"
        raise MismatchError(problem, where=path, fix=f"floats, a row for each id of {beside}")
    if array.shape[1] != dimension:
        problem = f"vectors of {array.shape[1]} numbers, the encoder's have {dimension}"
        raise MismatchError(problem, where=path, fix="give the encoder of these vectors")
    yield from zip(map(str, ids), array, strict=True)
