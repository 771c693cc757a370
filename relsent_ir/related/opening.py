"""Models of related sentences by path, or by a formula's name."""

from pathlib import Path
from typing import Final

from relsent_ir import models
from relsent_ir.errors import InputError, UsageError
from relsent_ir.lucene.read.index import Index
from relsent_ir.related.formulas import FORMULAS, FormulaModel
from relsent_ir.related.model import Model, TrainedModel
from relsent_ir.related.store import open_store
from relsent_ir.text.words import default_stopwords

PACKAGED: Final = "huber-plus"
"""The MODEL that comes with the package; a folder of that name is written ``./huber-plus``."""


def open_model(name: str, index: Path) -> Model:
    """Open a MODEL: a formula with the statistics of an index's sentences, or a trained one.

    Parameters
    ----------
    name : str
        A formula's name, or the folder of a trained model; one of a formula's name is ``./D``.
    index : Path
        The collection's indexes; needed for a formula only. The sentence store, which has the
        statistics, is built beside them if it is not there.

    Raises
    ------
    UsageError
        If it is neither.
    OutputError
        If the store cannot be written.
    """
    if name not in FORMULAS:
        check_model(name)
        return load_related(name)
    with Index(index, "sentences") as opened:
        return formula_model(name, opened)


def load_related(path: str | Path) -> TrainedModel:
    """Load `PACKAGED`, or a model of ``relsent-ir train related`` (`relsent_ir.models.load`)."""
    model: TrainedModel = models.load(None if path == PACKAGED else path, "related")
    return model


def formula_model(name: str, index: Index) -> FormulaModel:
    """Make the model of a formula with the statistics of an index of sentences."""
    stopwords = default_stopwords()
    return FormulaModel(name, open_store(index, stopwords).statistics, stopwords)


def check_model(name: str) -> None:
    """Refuse a MODEL that is neither a formula nor the path of anything.

    Raises
    ------
    UsageError
        It names the formulas when the name looks like one.
    InputError
        If it looks like a path.
    """
    if name in FORMULAS or name == PACKAGED or Path(name).exists():
        return
    if "/" not in name and len(name) <= 4:
        raise UsageError(f"no formula {name!r}", fix="one of " + ", ".join(FORMULAS))
    raise InputError("no such model", where=name, fix="relsent-ir train related makes one")
