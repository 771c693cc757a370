"""The indexes that experiments read; those that are not there are built."""

from collections.abc import Sequence
from pathlib import Path

from relsent_ir.collection import list_inputs
from relsent_ir.experiments.request import Request, data_path
from relsent_ir.lucene.analyzers import Analysis
from relsent_ir.lucene.indexing import build_index


def collection_index(
    request: Request,
    name: str,
    parts: Sequence[str] | None = None,
    analysis: Analysis | None = None,
) -> Path:
    """Give the folder of a collection's indexes: `name` below the request's folder of indexes.

    Parameters
    ----------
    request : Request
    name : str
        The folder's name, and that of the collection's data unless `parts` says otherwise.
    parts : sequence of str, optional
        Files or folders below that of the data.
    analysis : Analysis, optional
        How the texts are analysed; Porter's stemmer with Lucene's stop words if None.

    Raises
    ------
    MissingError
        If the collection is not there.
    MismatchError
        If the folder holds another collection, or was analysed otherwise.
    """
    inputs, _ = list_inputs(data_path(part) for part in parts or [name])
    folder = request.indexes / name
    build_index(inputs, folder, analysis)
    return folder
