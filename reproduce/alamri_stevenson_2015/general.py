"""Tables of general questions, and of questions put to an index."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

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
from relsent_ir.answers.linear import SLOTS, Bools
from relsent_ir.answers.model import LinearModel
from relsent_ir.answers.questions import Question
from relsent_ir.answers.scores import judge_all
from relsent_ir.answers.training import Posed, gold
from relsent_ir.datasets.catalogue import data_path
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.records import Record
from relsent_ir.typing import Floats
from reproduce.page import BINS, brier, plot, reliability_bins, table

if TYPE_CHECKING:
    from matplotlib.axes import Axes

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
