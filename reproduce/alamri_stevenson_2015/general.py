"""Tables of general questions, and of reliability."""

from collections.abc import Sequence
from typing import Final

from recipes.answers.titles import HALVES, general_questions, half, read_asking
from recipes.data import data_path
from relsent_ir.answers.classifiers import SLOTS, Bools
from relsent_ir.answers.evaluation import judge_all
from relsent_ir.answers.model import AnswerModel
from relsent_ir.answers.questions import Asked, Posed, gold
from relsent_ir.typing import Floats
from reproduce.page import brier, plot, reliability_bins, table

SOURCES: Final = (
    ("rct", "rct-train.xml.gz"),
    ("rct", "rct-validation.xml.gz"),
    ("pubmed-xml",),
    ("abstracts", "abstracts.jsonl.gz"),
)
PLOTS: Final = ("alamri-stevenson-2015-abstract",)
"""Reliability within an abstract."""
_AXES: Final = ("probability", "share that is right")


def read_general() -> dict[str, list[Asked]]:
    """Read the general questions, by half."""
    found = general_questions(read_asking([data_path(*source) for source in SOURCES]))
    return {name: [q for q in found if half(q.record.id) == name] for name in HALVES}


def general(model: AnswerModel, posed: Sequence[Posed]) -> str:
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


def reliability(plots: dict[str, bytes], probabilities: Floats, right: Bools) -> str:
    """Show the share of right ones by probability, and Brier's score."""
    with plot(plots, PLOTS[0], *_AXES) as axes:
        _, _, x, y = zip(*reliability_bins(probabilities, right), strict=True)
        axes.plot(x, y, marker="o", label="ours")
    return (
        f"{len(right)} sentences, mean {probabilities.mean():.3f}, right {right.mean():.3f}. "
        f"Brier {brier(probabilities, right):.4f}."
    )
