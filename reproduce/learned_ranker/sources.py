"""What the page reads: indexes, and what others made for it."""

import gzip
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from relsent_ir.datasets.catalogue import data_path
from relsent_ir.files import atomic_bytes
from relsent_ir.hits import Run
from relsent_ir.lucene.documents import Tagger
from relsent_ir.lucene.write.indexing import build_index
from relsent_ir.moves import default_model as moves_model
from relsent_ir.moves import tag_record
from relsent_ir.records import list_inputs
from relsent_ir.related import TrainedModel
from relsent_ir.related.opening import load_related
from relsent_ir.trec import read_run
from reproduce.indexes import FILES, collection_index
from reproduce.page import Request

CF: Final = "cystic-fibrosis"
MIXED: Final = "mixed"
RELATED: Final = "huber-plus"
"""Where a model of related sentences is looked for among the indexes."""
DENSE: Final = f"{CF}-dense.txt"
"""Where a dense run is looked for among the indexes."""


@dataclass(frozen=True)
class Extras:
    """Evidence that does not come with the package.

    Attributes
    ----------
    related : TrainedModel or None
    runs : dict of str to Run
    """

    related: TrainedModel | None
    runs: dict[str, Run]


def extras(request: Request) -> Extras:
    """Read what lies among the indexes, if all is asked for."""
    related, dense = request.indexes / RELATED, request.indexes / DENSE
    return Extras(
        load_related(related) if request.full and related.exists() else None,
        {"dense": read_run(dense)} if request.full and dense.exists() else {},
    )


def tagged(request: Request) -> Path:
    """Give the index of cystic fibrosis with the moves of the package."""
    tagger = Tagger("moves that come with the package", partial(tag_record, moves_model()))
    return collection_index(request, CF, folder=f"{CF}-moves", tagger=tagger)


def mixed(request: Request) -> Path:
    """Give the index of the abstracts without those of cystic fibrosis, and that collection."""
    target = request.indexes / MIXED
    if not target.exists():
        others = request.indexes / "abstracts-without-cf.jsonl.gz"
        with gzip.open(data_path(*FILES["abstracts"][0].split("/")), "rb") as lines:
            kept = b"".join(line for line in lines if b'"id": "cf-' not in line[:40])
        with atomic_bytes(others) as file:
            file.write(gzip.compress(kept, 1, mtime=0))
        inputs, _ = list_inputs([others, *(data_path(name) for name in FILES[CF])])
        build_index(inputs, target)
    return target
