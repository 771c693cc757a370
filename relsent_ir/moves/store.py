"""Models on disk: a folder with ``model.json`` and arrays (relsent_ir/models.py); no pickle."""

import hashlib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final, Protocol

import numpy as np

from relsent_ir.errors import InputError, MismatchError
from relsent_ir.models import load_folder, pack_strings, save_folder, unpack_strings
from relsent_ir.moves.bayes import Bayes
from relsent_ir.moves.crf import CRF, Settings
from relsent_ir.moves.features import GROUPS
from relsent_ir.moves.labelled import Abstract
from relsent_ir.moves.labels import MOVES
from relsent_ir.moves.markov import Markov

KINDS: Final = ("bayes", "bayes-markov", "crf")
DEFAULT: Final = Path(__file__).parent / "default"
"""The model that comes with the package."""


class MoveModel(Protocol):
    """What both kinds of model do."""

    def predict(self, title: str, sentences: Sequence[str]) -> list[tuple[str, float]]:
        """Give each sentence's move and its score, from 0 to 1."""
        ...


def train_model(kind: str, abstracts: Sequence[Abstract]) -> Bayes | CRF:
    """Train a model of one of the `KINDS`."""
    if kind == "crf":
        return CRF.train(abstracts)
    return Bayes.train(abstracts, markov=kind == "bayes-markov")


def save_model(path: str | Path, model: Bayes | CRF, facts: Mapping[str, Any]) -> None:
    """Write a model, with the facts of how it was made.

    Raises
    ------
    OutputError
        If the folder cannot be written.
    """
    if isinstance(model, CRF):
        settings = model.settings
        described = {"groups": settings.groups, "openings": settings.openings}
        array = np.frombuffer(model.data, dtype=np.uint8)
        save_folder(path, "moves-crf", {**facts, **described}, {"crf": array})
        return
    arrays: dict[str, Any] = {
        "ngrams": pack_strings(model.rows),
        "weights": model.weights.astype(np.float32),
        "prior": model.prior,
    }
    if model.markov:
        arrays |= {
            "start": model.markov.start,
            "steps": model.markov.steps,
            "end": model.markov.end,
        }
    save_folder(path, "moves-bayes", dict(facts), arrays)


def load_model(path: str | Path) -> Bayes | CRF:
    """Read a model of either kind.

    Raises
    ------
    InputError
        If there is no model, or it is damaged.
    MismatchError
        If it is a model of something else.
    """
    stored = load_folder(path)
    if stored.kind == "moves-crf":
        return _crf(stored.facts, stored.arrays, stored.path)
    if stored.kind == "moves-bayes":
        return _bayes(stored.arrays, stored.path)
    raise MismatchError(
        f"a model of kind {stored.kind}, not of moves", where=path, fix="relsent-ir train moves"
    )


@cache
def default_model() -> Bayes | CRF:
    """The model that comes with the package, read once."""
    return load_model(DEFAULT)


def fingerprint(path: str | Path | None) -> str:
    """Sixteen hex digits that tell a stored model from others; None is the default model."""
    digest = hashlib.sha256()
    for file in sorted(Path(path or DEFAULT).glob("*.npy")):
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


def _crf(facts: dict[str, Any], arrays: dict[str, Any], path: Path) -> CRF:
    try:
        groups = tuple(facts["groups"])
        settings = Settings(groups=groups, openings=bool(facts["openings"]))
        data = arrays["crf"].tobytes()
    except (KeyError, TypeError) as error:
        raise _damaged(path) from error
    if not set(groups) <= set(GROUPS):
        raise _damaged(path)
    return CRF(data, settings, path / "crf.npy")


def _bayes(arrays: dict[str, Any], path: Path) -> Bayes:
    n = len(MOVES)
    try:
        ngrams = unpack_strings(arrays["ngrams"])
        weights = arrays["weights"].astype(np.float64)
        prior = np.array(arrays["prior"])
        markov = None
        if "steps" in arrays:
            markov = Markov(*(np.array(arrays[name]) for name in ("start", "steps", "end")))
    except (KeyError, ValueError) as error:
        raise _damaged(path) from error
    shapes = [bool(ngrams), weights.shape == (len(ngrams), n), prior.shape == (n,)]
    if markov:
        shapes += [markov.steps.shape == (n, n), markov.start.shape == markov.end.shape == (n,)]
    if not all(shapes):
        raise _damaged(path)
    return Bayes({ngram: row for row, ngram in enumerate(ngrams)}, weights, prior, markov)


def _damaged(path: Path) -> InputError:
    return InputError("the model's parts do not fit together", where=path, fix="train again")
