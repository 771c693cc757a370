"""The indexes that experiments read; those that are not there are built."""

from pathlib import Path
from typing import Final

from relsent_ir.datasets.catalogue import data_path
from relsent_ir.lucene.analyzers import Analysis
from relsent_ir.lucene.documents import Tagger
from relsent_ir.lucene.write.indexing import build_index
from relsent_ir.records import list_inputs
from reproduce.page import Request

FILES: Final = {
    "abstracts": ["abstracts/abstracts.jsonl.gz"],
    "cystic-fibrosis": [f"cystic-fibrosis/cf{year}" for year in range(74, 80)],
    "rct": [f"rct/rct-{split}.xml.gz" for split in ("train", "validation", "test-unlabelled")],
}
"""The files of each collection, below the folder of the data."""


def collection_index(
    request: Request,
    name: str,
    analysis: Analysis | None = None,
    folder: str | None = None,
    tagger: Tagger | None = None,
) -> Path:
    """Give the folder of a collection's indexes, below the request's folder of indexes.

    Parameters
    ----------
    request : Request
    name : str
        The collection's, one of `FILES`.
    analysis : Analysis, optional
        How the texts are analysed; Porter's stemmer with Lucene's stop words if None.
    folder : str, optional
        The indexes' name; the collection's if None.
    tagger : Tagger, optional
        Gives the sentences their argumentative moves.

    Raises
    ------
    MissingError
        If the collection is not there.
    MismatchError
        If the folder holds another collection, or was analysed otherwise.
    """
    inputs, _ = list_inputs(data_path(file) for file in FILES[name])
    target = request.indexes / (folder or name)
    build_index(inputs, target, analysis, tagger=tagger)
    return target
