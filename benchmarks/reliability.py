"""Answers: how often verdicts, and the probability that an abstract answers, are right.

Both are of what is left out in ten folds: verdicts by record, on the titles that were read
(``qrels/reader/answers-directions.tsv``) and the findings of Evidence Inference; probabilities by
question, on the sentences that were read (``qrels/reader/answers-development.tsv``) of an index of
the abstracts collection. The rules that take verdicts back are part of the probability alone.

Run ``RELSENT_DATA=<data folder> python -m benchmarks.reliability INDEX``; INDEX has the name
``abstracts``.
"""

import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np

from benchmarks.common import data_file, print_table
from recipes.answers.readings import (
    LEAST,
    STAR,
    VERDICT_FOLDS,
    describe_graded,
    findings_said,
    learn_abstracts,
    read_said,
)
from recipes.answers.titles import folds, read_asking
from recipes.answers.verdicts import unseen_verdicts
from relsent_ir.answers import default_model, read_questions
from relsent_ir.answers.abstracts import ABSTRACT_NAMES
from relsent_ir.answers.classifiers import probabilities_of
from relsent_ir.answers.directions import VERDICTS
from relsent_ir.answers.model import AnswerModel
from relsent_ir.answers.questions import Taggers, pose
from relsent_ir.moves import default_model as default_moves
from relsent_ir.trec import read_topics
from relsent_ir.typing import Floats, NDArray

SHOWN = (0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 1.0)
BOUNDS = (0.0, 0.2, 0.3, 0.4, 0.5, 0.6, STAR, 1.0)
READ = Path("qrels/reader")


def verdicts(model: AnswerModel) -> Iterator[list[str]]:
    """Yield for each share that is shown how much of it is right; the threshold's row is last."""
    asking = read_asking([data_file("abstracts/abstracts.jsonl.gz")])
    questions = read_questions(
        data_file("answers/answers-train.jsonl"), [data_file("rct/rct-train.xml.gz")], evidence=True
    )
    said = read_said(READ / "answers-directions.tsv", asking, model.stopwords)
    said += findings_said(pose(questions, Taggers(default_moves())), model.stopwords)
    y = np.array([VERDICTS.index(one.verdict) for one in said])
    weights = np.array([one.weight for one in said])
    held = list(folds([one.record for one in said], VERDICT_FOLDS))
    unseen = unseen_verdicts([one.features for one in said], y, held, weights)
    surest = unseen[:, :2].max(axis=1)
    right = unseen[:, :2].argmax(axis=1) == y
    judged = np.array([one.judged for one in said])
    titles = weights == 1.0
    groups = (judged, judged & (y < VERDICTS.index("unclear")), ~titles)
    yield ["shown", *(f"{name} ({group.sum()})" for name, group in zip(
        ("titles that speak", "of these yes or no", "findings"), groups, strict=True))]  # fmt: skip
    for share in SHOWN:
        yield [f"{share:.0%}", *(f"{_of_surest(surest[g], right[g], share):.3f}" for g in groups)]
    assert model.verdicts is not None
    threshold = model.verdicts.threshold
    sure = surest >= threshold
    yield [f"from {threshold} on", *(f"{right[g & sure].mean():.3f} of {(g & sure).sum()}"
                                     for g in groups)]  # fmt: skip


def _of_surest(values: Floats, right: NDArray[np.bool_], share: float) -> float:
    """Return how much of the surest share is right."""
    first = np.argsort(-values, kind="stable")[: round(share * len(values))]
    return float(right[first].mean())


def probabilities(model: AnswerModel, index: Path) -> Iterator[list[str]]:
    """Yield for each range of the probability how many sentences answer, and do in part."""
    topics = read_topics(Path("topics/reader/answers.tsv"))
    graded, rows = describe_graded(model, READ / "answers-development.tsv", topics, [index])
    grades = np.array([one.grade for one in graded])
    unseen = np.zeros(len(graded))
    for out in folds([one.topic for one in graded], VERDICT_FOLDS):
        learned = learn_abstracts(rows[~out], grades[~out] >= LEAST, STAR)
        unseen[out] = probabilities_of(learned[:-1], rows[out])
    claim = rows[:, ABSTRACT_NAMES.index("claim")] == 1.0
    yield ["probability", *(text for kind in ("claims", "others")
                            for text in (kind, "mean", "answer", "in part"))]  # fmt: skip
    for low, high in pairwise(BOUNDS):
        line = [f"{low} to {high}"]
        for kind in (claim, ~claim):
            own = kind & (unseen >= low) & (unseen < high)
            values = (unseen[own], grades[own] >= LEAST, grades[own] >= 1.0)
            line += [str(own.sum()), *(f"{v.mean():.2f}" if own.any() else "" for v in values)]
        yield line


def main() -> None:
    """Print both tables."""
    model = default_model()
    for table in (verdicts(model), probabilities(model, Path(sys.argv[1]))):
        header, *rows = table
        print_table(header, rows)
        print()


if __name__ == "__main__":
    main()
