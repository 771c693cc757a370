"""The files that experiments read, and the indexes of their collections."""

from pathlib import Path
from typing import Final

from recipes.data import data_path
from relsent_ir.errors import MissingError
from relsent_ir.lucene.analyzers import Analysis
from relsent_ir.lucene.write.indexing import build_index
from relsent_ir.records import list_inputs
from reproduce.page import Request
from reproduce.sources import has_source

FILES: Final = {
    "abstracts": ["abstracts/abstracts.jsonl.gz"],
    "cystic-fibrosis": [f"cystic-fibrosis/cf{year}" for year in range(74, 80)],
    "rct": [f"rct/rct-{split}.xml.gz" for split in ("train", "validation", "test-unlabelled")],
}
"""The files of each collection, below the folder of data."""


def collection_index(
    request: Request, name: str, analysis: Analysis | None = None, folder: str | None = None
) -> Path:
    """Return the folder of a collection's indexes, below the request's folder of indexes.

    Parameters
    ----------
    request : Request
    name : str
        The collection, one of `FILES`.
    analysis : Analysis, optional
        The analysis of texts; Porter's stemmer with Lucene's stop words if None.
    folder : str, optional
        The name of the indexes; the collection's if None.

    Raises
    ------
    MissingError
        If the collection is missing.
    MismatchError
        If the folder holds another collection, or has another analysis.
    """
    inputs, _ = list_inputs(data_path(file) for file in FILES[name])
    target = request.indexes / (folder or name)
    build_index(inputs, target, analysis)
    return target


_CYSTIC_FIBROSIS: Final = (*FILES["cystic-fibrosis"], "cystic-fibrosis/cfquery")
_ABSTRACTS: Final = tuple(FILES["abstracts"])
_RCT: Final = tuple(FILES["rct"])
_LABELLED: Final = ("rct/rct-train.xml.gz", "rct/rct-validation.xml.gz")
_INTERACTIONS: Final = tuple(
    f"relations/ppi/{prefix}{corpus}-{part}.csv"
    for corpus in ("BioInfer", "HPRD50", "IEPA", "LLL")
    for prefix in ("", "wop_")
    for part in ("train", "test")
)

NEEDS: Final = {
    "moves": (*_LABELLED, "pubmed-xml", *_ABSTRACTS),
    "smith-wilbur-2010": (*_ABSTRACTS, "similarity/biosses.tsv"),
    "smith-wilbur-2010-uses": (*_ABSTRACTS, *_RCT, "lists/nlm-313.txt", "lists/pubmed-133.txt"),
    "ruch-2006": (*_CYSTIC_FIBROSIS, "lists/smart-571.txt", *_ABSTRACTS),
    "shatkay-wilbur-2000": (*_CYSTIC_FIBROSIS, *_ABSTRACTS),
    "tbahriti-2004": (*_CYSTIC_FIBROSIS, *_RCT, *_ABSTRACTS),
    "similar": (*_CYSTIC_FIBROSIS[:-1], *_RCT),
    "cite": (*_CYSTIC_FIBROSIS[:-1], *_RCT),
    "tudor-2012": (
        "relations/bionlp-st-2011-ge.tar.gz",
        "genia/train.pos_basenp.tsv.gz",
        "genia/dev.pos_basenp.tsv.gz",
        "relations/ddi-2013/train.jsonl.gz",
        "relations/ppr/train.jsonl.gz",
        *_INTERACTIONS,
    ),
    "learned-ranker": (*_CYSTIC_FIBROSIS, *_RCT, *_ABSTRACTS),
    "alamri-stevenson-2015": (
        *_LABELLED,
        "answers/answers-train.jsonl",
        "answers/answers-validation.jsonl",
        "answers/mancon.xml",
        "pubmed-xml",
        *_ABSTRACTS,
    ),
}
"""Files that each experiment reads."""


MINUTES: Final = {
    "moves": 20,
    "smith-wilbur-2010": 30,
    "smith-wilbur-2010-uses": 5,
    "ruch-2006": 6,
    "shatkay-wilbur-2000": 11,
    "tbahriti-2004": 6,
    "similar": 5,
    "cite": 5,
    "tudor-2012": 15,
    "alamri-stevenson-2015": 30,
    "learned-ranker": 60,
}
"""Minutes of processor time, indexes included; all but `MEASURED` are rough estimates from the
costs of indexing, training and searching that the pages report."""

MEASURED: Final = ("ruch-2006", "shatkay-wilbur-2000", "tbahriti-2004")
"""Experiments with measured minutes."""

CLASSES: Final = ("shatkay-wilbur-2000",)
"""Experiments that read OHSUMED's classes of abstracts, whose records have no PMIDs."""


def is_public(name: str) -> bool:
    """Tell whether public sources have all files of an experiment."""
    return name not in CLASSES and all(map(has_source, NEEDS[name]))


def missing(name: str) -> list[MissingError]:
    """Return an error for each missing file of an experiment, with the way to get it."""
    errors = []
    for path in NEEDS[name]:
        try:
            data_path(*path.split("/"))
        except MissingError as error:
            errors.append(error)
    return errors
