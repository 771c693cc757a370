"""Models of related sentences by path, or by a formula's name: saving, loading, opening."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from relsent_ir.errors import InputError, MismatchError, UsageError
from relsent_ir.lucene.index import Index
from relsent_ir.models import Stored, load_folder, save_folder
from relsent_ir.related.formulas import FORMULAS, FormulaModel
from relsent_ir.related.scoring import Model, TrainedModel
from relsent_ir.related.store import open_store
from relsent_ir.related.substrings import LONGEST, SHORTEST
from relsent_ir.related.weights import WeightModel
from relsent_ir.text.stopwords import default_stopwords
from relsent_ir.typing import Progress


def _huber_plus(stored: Stored, stopwords: tuple[str, ...]) -> TrainedModel:
    from relsent_ir.related.huber_plus import HuberPlusModel

    return HuberPlusModel.from_stored(stored, stopwords)


LOADERS: Final[dict[str, Callable[[Stored, tuple[str, ...]], TrainedModel]]] = {
    "bayes": WeightModel.from_stored,
    "huber": WeightModel.from_stored,
    "huber-plus": _huber_plus,
}
"""How each kind of stored model is read, given its stop words."""


def save_model(model: TrainedModel, path: str | Path) -> None:
    """Save a model as a folder, whole or not at all.

    Raises
    ------
    OutputError
        If the folder cannot be written, or something else has its name.
    """
    features = {
        "shortest": SHORTEST,
        "longest": LONGEST,
        "stopwords": list(model.stopwords),
    }
    calibration = model.calibration.to_arrays() if model.calibration else {}
    arrays = {**model.to_arrays(), **calibration}
    save_folder(path, model.name, {**model.facts, "features": features}, arrays)


def load_model(path: str | Path) -> TrainedModel:
    """Load a model that was trained by `relsent-ir train related`.

    Raises
    ------
    InputError
        If there is none, it is damaged, or it is no model of related sentences.
    MismatchError
        If it was trained by another version with other features.
    """
    stored = load_folder(path)
    if stored.kind not in LOADERS:
        raise InputError(f"a model of kind {stored.kind!r}, not of related sentences", where=path)
    features: Any = stored.facts.get("features")
    if not isinstance(features, dict) or (features.get("shortest"), features.get("longest")) != (
        SHORTEST,
        LONGEST,
    ):
        raise MismatchError(
            f"the model was not trained on substrings of {SHORTEST} to {LONGEST} characters",
            where=path,
            fix="train it again with this version",
        )
    from relsent_ir.related.calibration import Calibration

    try:
        model = LOADERS[stored.kind](stored, tuple(features["stopwords"]))
        model.calibration = Calibration.from_arrays(stored.arrays)
    except KeyError as error:
        raise InputError(f"the model lacks {error}", where=path, fix="train it again") from error
    return model


def is_formula(name: str) -> bool:
    """Tell whether a MODEL is the name of a formula; a folder of that name is written ``./D``."""
    return name in FORMULAS


def open_model(
    name: str,
    index: Path,
    *,
    progress: Progress | None = None,
) -> Model:
    """Get a MODEL: a formula with the statistics of an index's sentences, or a trained one.

    Parameters
    ----------
    name : str
        A formula's name, or the folder of a trained model.
    index : Path
        The collection's indexes; needed for a formula only. The sentence store, where the
        statistics are, is built beside them if it is not there.
    progress : callable, optional
        Gets the number of sentences read, and of all, while it is built.

    Raises
    ------
    UsageError
        If it is neither.
    OutputError
        If the store cannot be written.
    """
    if not is_formula(name):
        check_model(name)
        return load_model(name)
    stopwords = default_stopwords()
    with Index(index, "sentences") as opened:
        store = open_store(opened, stopwords, progress)
    return FormulaModel(name, store.statistics, stopwords)


def check_model(name: str) -> None:
    """Refuse a MODEL that is neither a formula nor the path of anything.

    Raises
    ------
    UsageError
        It names the formulas when the name looks like one.
    InputError
        If it looks like a path.
    """
    if is_formula(name) or Path(name).exists():
        return
    if "/" not in name and len(name) <= 4:
        raise UsageError(f"no formula {name!r}", fix="one of " + ", ".join(FORMULAS))
    raise InputError("no such model", where=name, fix="relsent-ir train related makes one")
