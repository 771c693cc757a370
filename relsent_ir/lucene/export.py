"""Export the documents of an index, with the same fields, for another engine."""

import json
from collections.abc import Iterator
from typing import Any, Final

from relsent_ir.errors import InputError, MismatchError
from relsent_ir.lucene.documents import ABSTRACT_FIELDS, abstract_document
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.lucene.read.filters import FILTER_FIELDS, filter_values
from relsent_ir.records import Record

BATCH: Final = 500
"""Number of records whose documents are in memory at the same time."""

Document = dict[str, Any]


def documents(collection: Indexes, unit: str) -> Iterator[list[Document]]:
    """Yield the documents of one index in batches, ordered by record id.

    Parameters
    ----------
    collection : Indexes
    unit : {"abstracts", "sentences"}
        Sentences have their ``record`` and ``n``, and their ``move`` if the index has moves. Both
        units have the values of filters, the ``printed`` forms that facets count, and the numbers
        of their ``tokens`` and of ``distinct`` terms.

    Raises
    ------
    MismatchError
        If the version that built the index split its abstracts into fewer sentences.
    """
    ids = sorted(collection.abstracts.ids())
    for start in range(0, len(ids), BATCH):
        part: list[Document] = []
        names = ids[start : start + BATCH]
        for text in collection.abstracts.raw(names):
            record = Record.from_json(text)
            shared = _shared(record)
            if unit == "abstracts":
                fields: Document = {**shared}
                for (name, kind), value in zip(
                    ABSTRACT_FIELDS.items(), abstract_document(record), strict=True
                ):
                    fields[name] = value.splitlines() if kind == "words" else value
                part.append({**fields, "raw": text})
                continue
            sentences = [sentence.id for sentence in record.sentences()]
            try:
                lines = collection.sentences.raw(sentences)
            except InputError as error:
                problem = f"{error.problem}: they were cut otherwise when it was built"
                raise MismatchError(
                    problem, where=collection.folder, fix="build it again"
                ) from None
            for name, line in zip(sentences, lines, strict=True):
                stored = {key: value for key, value in json.loads(line).items() if value != ""}
                own = {"record": record.id, "n": name.rpartition(".")[2]}
                part.append({"contents": "", **stored, **own, **shared})
        vectors = collection.index(unit).vectors([document["id"] for document in part])
        lengths = vectors.counts.sum(axis=1).tolist()
        for row, document in enumerate(part):
            document["tokens"] = int(lengths[row])
            document["distinct"] = int(vectors.counts.indptr[row + 1] - vectors.counts.indptr[row])
        yield part


def _shared(record: Record) -> Document:
    """Return the values of filters in their compared form and in their printed form."""
    values = dict(zip(FILTER_FIELDS, filter_values(record), strict=True))
    shared: Document = {}
    printed: dict[str, list[str]] = {}
    for name, of in values.items():
        pairs = [value.partition("\t")[::2] for value in of]
        if pairs:
            shared[name] = [value for value, _ in pairs]
        if FILTER_FIELDS[name] == "facet" and any(text for _, text in pairs):
            printed[name] = [text for _, text in pairs if text]
    if "year" in shared:
        shared["year"] = int(shared["year"][0])
    return {**shared, "printed": printed}
