"""What the page shows of directions: ours against the majority and a rule of cues."""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from relsent_ir.answers.directions import (
    FINDING,
    LABELS,
    Directions,
    cue_direction,
    direction_features,
    train_directions,
)
from relsent_ir.answers.evaluation import DirectionScores
from relsent_ir.answers.linear import SLOTS, Judged
from relsent_ir.answers.questions import folds
from relsent_ir.answers.training import FOLDS, Posed, gold
from reproduce.page import table

SAMPLES: Final = 1000


class Labelled:
    """Questions with a label, and the sentence that was found for each.

    Parameters
    ----------
    posed : sequence of Posed
    judged : sequence of Judged
        By a model that has not seen the question's record.
    stopwords : collection of str
    """

    def __init__(
        self, posed: Sequence[Posed], judged: Sequence[Judged], stopwords: frozenset[str]
    ) -> None:
        kept = [(p, j) for p, j in zip(posed, judged, strict=True) if p.question.label in LABELS]
        self.records = [p.question.record.id for p, _ in kept]
        self.labels = [LABELS[p.question.label] for p, _ in kept]
        self.y = np.array([FINDING.index(label) for label in self.labels])
        self.found = [p.tagged[j.slots[SLOTS[0]]].text for p, j in kept]
        self.features = [
            direction_features(p.question.text, text, stopwords)
            for (p, _), text in zip(kept, self.found, strict=True)
        ]
        self.taught = [
            [
                direction_features(p.question.text, text, stopwords)
                for text in dict.fromkeys(
                    [own, *(p.tagged[n].text for n in np.flatnonzero(gold(p)).tolist())]
                )
            ]
            for (p, _), own in zip(kept, self.found, strict=True)
        ]

    def learn(self, chosen: NDArray[np.bool_]) -> Directions:
        """Learn from some of the questions."""
        rows = np.flatnonzero(chosen).tolist()
        features = [features for i in rows for features in self.taught[i]]
        labels = [self.labels[i] for i in rows for _ in self.taught[i]]
        records = [self.records[i] for i in rows for _ in self.taught[i]]
        return train_directions(features, labels, list(folds(records, FOLDS)))


def directions(train: Labelled, test: Labelled) -> dict[str, str]:
    """Measure on five folds of the training split, and on the validation split."""
    crossed, sure = _zeros(train), np.zeros(len(train.y), dtype=bool)
    for held in folds(train.records, FOLDS):
        taught = train.learn(~held)
        crossed[held], sure[held] = _read(taught, [train.features[i] for i in np.flatnonzero(held)])
    majority = int(np.bincount(train.y, minlength=len(FINDING)).argmax())
    taught = train.learn(np.ones(len(train.y), dtype=bool))
    told, certain = _read(taught, test.features)
    rows, given = [], {}
    for split, data, ours in (("training, five folds", train, crossed), ("validation", test, told)):
        systems = {
            "majority": np.full(len(data.y), majority),
            "rule of cues": np.array([FINDING.index(cue_direction(t).label) for t in data.found]),
            "ours": ours,
        }
        for name, read in systems.items():
            scores = scored(data.y, read)
            low, high = _interval(data, [read])
            cells = [f"{scores.accuracy:.3f}", f"{scores.macro_f1:.3f} ({low:.2f} to {high:.2f})"]
            rows.append([f"{split}: {name}", *cells])
        low, high = _interval(data, [ours, systems["rule of cues"]])
        given[split] = f"{low:+.3f} to {high:+.3f}"
    return {
        "directions": table(["", "accuracy", "macro F1"], rows),
        "directions_gain": "; ".join(f"{split} {gain}" for split, gain in given.items()),
        "confusion": _confusion(test.y, told),
        "sure": _sure(train.y, crossed, sure, "training, five folds")
        + "; "
        + _sure(test.y, told, certain, "validation"),
    }


def scored(y: NDArray[np.int64], read: NDArray[np.int64]) -> DirectionScores:
    """Count what was read."""
    confusion = np.zeros((len(FINDING), len(FINDING)), dtype=np.int64)
    np.add.at(confusion, (y, read), 1)
    return DirectionScores(confusion)


def _zeros(data: Labelled) -> NDArray[np.int64]:
    return np.zeros(len(data.y), dtype=np.int64)


def _read(
    taught: Directions, features: Sequence[frozenset[str]]
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    found = taught.probabilities(features)
    return found.argmax(axis=1), found.max(axis=1) >= taught.threshold


def _interval(data: Labelled, read: Sequence[NDArray[np.int64]]) -> tuple[float, float]:
    """95 % of macro F1, or of a difference, over bootstrap samples of the records."""
    _, place = np.unique(np.array(data.records, dtype=object), return_inverse=True)
    rng = np.random.default_rng(0)
    values = []
    by_record = [np.flatnonzero(place == n) for n in range(place.max() + 1)]
    for _ in range(SAMPLES):
        drawn = rng.integers(len(by_record), size=len(by_record))
        rows = np.concatenate([by_record[n] for n in drawn])
        own, *others = (scored(data.y[rows], one[rows]).macro_f1 for one in read)
        values.append(own - sum(others))
    low, high = np.quantile(values, (0.025, 0.975))
    return float(low), float(high)


def _confusion(y: NDArray[np.int64], read: NDArray[np.int64]) -> str:
    rows = [
        [name, *map(str, row)] for name, row in zip(FINDING, scored(y, read).confusion, strict=True)
    ]
    return table(["label", *(f"read: {name}" for name in FINDING)], rows)


def _sure(
    y: NDArray[np.int64], read: NDArray[np.int64], sure: NDArray[np.bool_], split: str
) -> str:
    right = float((read == y)[sure].mean()) if sure.any() else 0.0
    return f"{split}: {sure.mean():.0%} covered, accuracy {right:.3f}"
