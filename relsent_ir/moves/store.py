"""The kinds of models of moves: training them, and the one that comes with the package."""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Final, Protocol

from relsent_ir import models
from relsent_ir.moves.bayes import Bayes
from relsent_ir.moves.crf import CRF
from relsent_ir.moves.labelled import Abstract

KINDS: Final = ("bayes", "bayes-markov", "crf")


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


def default_model() -> MoveModel:
    """The model that comes with the package, read once."""
    model: MoveModel = models.default("moves")
    return model


def fingerprint(path: str | Path | None) -> str:
    """Sixteen hex digits that tell a stored model from others; None is the default model."""
    digest = hashlib.sha256()
    for file in sorted(Path(path or models.packaged("moves")).glob("*.npy")):
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]
