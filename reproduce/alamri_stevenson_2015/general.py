"""Tables of general questions, of directions, and of questions put to an index."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from relsent_ir.answers.abstract_training import (
    HALVES,
    Retrieved,
    chosen_titles,
    general_questions,
    half,
    learn_abstracts,
    read_asking,
    retrieve,
)
from relsent_ir.answers.abstracts import abstract_probabilities, reworded
from relsent_ir.answers.directions import (
    FINDING,
    LABELS,
    Directions,
    cue_direction,
    direction_features,
    train_directions,
)
from relsent_ir.answers.linear import SLOTS, Bools, Verdict
from relsent_ir.answers.model import LinearModel
from relsent_ir.answers.questions import Question, folds
from relsent_ir.answers.scores import DirectionScores, judge_all
from relsent_ir.answers.training import FOLDS, Posed, gold
from relsent_ir.datasets.catalogue import data_path
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.records import Record
from relsent_ir.typing import Floats
from reproduce.page import BINS, brier, plot, reliability_bins, table

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

SOURCES: Final = (
    ("rct", "rct-train.xml.gz"),
    ("rct", "rct-validation.xml.gz"),
    ("pubmed-xml",),
    ("abstracts", "abstracts.jsonl.gz"),
)
SAMPLES: Final = 1000
PLOTS: Final = ("alamri-stevenson-2015-abstract", "alamri-stevenson-2015-index")
"""Reliability within an abstract, and over an index."""
_AXES: Final = ("probability", "share that is right")


def read_general() -> dict[str, list[Question]]:
    """Read the general questions, by half."""
    found = general_questions(read_asking([data_path(*source) for source in SOURCES]))
    return {name: [q for q in found if half(q.record.id) == name] for name in HALVES}


def general(model: LinearModel, posed: Sequence[Posed]) -> str:
    """Show how often the right sentence is first, and in each slot."""
    judged = judge_all(model, posed)
    answers = [gold(p) for p in posed]
    found = {
        "what stands first": [int(j.scores.argmax()) for j in judged],
        "finding": [j.slots.get(SLOTS[0], 0) for j in judged],
        "conclusion": [j.slots.get(SLOTS[1], 0) for j in judged],
        "the last sentence": [len(right) - 1 for right in answers],
    }
    n = len(posed)
    rows = []
    for name, best in found.items():
        right = sum(bool(of[i]) for of, i in zip(answers, best, strict=True))
        rows.append([name, f"{right / max(1, n):.3f}", f"{right} of {n}"])
    return table(["", "right", ""], rows)


def over_index(
    folder: Path, asking: Mapping[str, Record], model: LinearModel, plots: dict[str, bytes]
) -> dict[str, str]:
    """Learn on the chosen half whether an abstract answers, and measure it on the other.

    Parameters
    ----------
    folder : Path
        The index of `untitled_index`.
    asking : mapping of str to Record
        What that gave.
    model : LinearModel
        Judges abstracts from then on.
    plots : dict of str to bytes
    """
    with Indexes(folder) as opened:
        model.use_abstracts(learn_abstracts(model, opened, chosen_titles(asking)))
        titles = chosen_titles(asking, HALVES[1])
        others = {name: reworded(text, model.vectors) for name, text in titles.items()}
        asked = {"as they are": titles, "reworded": others}
        found = {name: retrieve(model, opened, of) for name, of in asked.items()}
    rows = []
    for name, of in found.items():
        probabilities = _abstracts(model, of)
        rows.append([f"{name}: the sentence's probability alone", *_cells(of.sentences, of)])
        rows.append([f"{name}: ours", *_cells(probabilities, of)])
    first = found["as they are"]
    both = _abstracts(model, first) * first.sentences
    shown = (both >= model.least) & first.intervenes
    old = first.sentences >= 0.5
    with plot(plots, PLOTS[1], *_AXES) as axes:
        _curve(axes, "the sentence alone", first.sentences, first.right)
        for name, of in found.items():
            _curve(axes, f"ours, {name}", _abstracts(model, of), of.right)
    stars = [
        ["the sentence's probability alone", *_stars(old, first)],
        ["ours", *_stars(shown, first)],
    ]
    header = ["", "wrong abstracts with a star", "right ones with a star"]
    return {
        "index": table(["", "AUC", "Brier", "found"], rows),
        "index_questions": str(len(titles)),
        "index_rows": str(len(first.records)),
        "stars": table(header, stars),
        "least": f"{model.least:.2f}",
    }


def reliability(plots: dict[str, bytes], probabilities: Floats, right: Bools) -> str:
    """Show the share of right ones by probability, and Brier's score."""
    with plot(plots, PLOTS[0], *_AXES) as axes:
        _curve(axes, "ours", probabilities, right)
    rows = [
        [f"{n / BINS:.1f} to {(n + 1) / BINS:.1f}", str(count), f"{p:.3f}", f"{share:.3f}"]
        for n, count, p, share in reliability_bins(probabilities, right)
    ]
    rows.append(["all", str(len(right)), f"{probabilities.mean():.3f}", f"{right.mean():.3f}"])
    return (
        table(["probability", "sentences", "mean", "right"], rows)
        + f"\nBrier {brier(probabilities, right):.4f}."
    )


def _abstracts(model: LinearModel, of: Retrieved) -> Floats:
    assert model.abstracts is not None
    return abstract_probabilities(model.abstracts[:-1], of.features)


def _cells(probabilities: Floats, of: Retrieved) -> list[str]:
    """Compute AUC with its interval over bootstrap samples of questions, Brier, and right rows."""
    from sklearn.metrics import roc_auc_score

    right = of.right
    _, place = np.unique(np.array(of.questions, dtype=object), return_inverse=True)
    questions = int(place.max()) + 1
    rng = np.random.default_rng(0)
    values = []
    for _ in range(SAMPLES):
        times = np.bincount(rng.integers(questions, size=questions), minlength=questions)[place]
        if times[right].any() and times[~right].any():
            values.append(roc_auc_score(right, probabilities, sample_weight=times))
    low, high = np.quantile(values, (0.025, 0.975)) if values else (0.0, 1.0)
    whole = roc_auc_score(right, probabilities)
    return [
        f"{whole:.3f} ({low:.2f} to {high:.2f})",
        f"{brier(probabilities, right):.4f}",
        str(int(right.sum())),
    ]


def _stars(shown: Bools, of: Retrieved) -> list[str]:
    wrong, right = shown & ~of.right, shown & of.right
    return [
        f"{wrong.sum()} of {(~of.right).sum()} ({wrong.sum() / max(1, (~of.right).sum()):.0%})",
        f"{right.sum()} of {of.right.sum()} ({right.sum() / max(1, of.right.sum()):.0%})",
    ]


def _curve(axes: "Axes", name: str, probabilities: Floats, right: Bools) -> None:
    _, _, x, y = zip(*reliability_bins(probabilities, right), strict=True)
    axes.plot(x, y, marker="o", label=name)


DRAWS: Final = 1000


class Labelled:
    """Questions with a label, and the sentence that was found for each.

    Parameters
    ----------
    posed : sequence of Posed
    judged : sequence of Verdict
        By a model that has not seen the question's record.
    stopwords : collection of str
    """

    def __init__(
        self, posed: Sequence[Posed], judged: Sequence[Verdict], stopwords: frozenset[str]
    ) -> None:
        kept = [(p, j) for p, j in zip(posed, judged, strict=True) if p.question.label in LABELS]
        self.records = [p.question.record.id for p, _ in kept]
        self.labels = [LABELS[p.question.label] for p, _ in kept]
        self.y = np.array([FINDING.index(label) for label in self.labels])
        self.found = [p.tagged[j.slots[SLOTS[0]]].text for p, j in kept]
        self.taught = [
            [
                direction_features(p.question.text, text, stopwords)
                for text in dict.fromkeys(
                    [own, *(p.tagged[n].text for n in np.flatnonzero(gold(p)).tolist())]
                )
            ]
            for (p, _), own in zip(kept, self.found, strict=True)
        ]
        self.features = [rows[0] for rows in self.taught]  # of the sentence that was found

    def learn(self, chosen: NDArray[np.bool_]) -> Directions:
        """Learn from some of the questions."""
        rows = np.flatnonzero(chosen).tolist()
        features = [features for i in rows for features in self.taught[i]]
        labels = [self.labels[i] for i in rows for _ in self.taught[i]]
        records = [self.records[i] for i in rows for _ in self.taught[i]]
        return train_directions(features, labels, list(folds(records, FOLDS)))


def directions(train: Labelled, test: Labelled) -> dict[str, str]:
    """Measure on five folds of the training split, and on the validation split."""
    crossed, sure = np.zeros_like(train.y), np.zeros(len(train.y), dtype=bool)
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
    for _ in range(DRAWS):
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
