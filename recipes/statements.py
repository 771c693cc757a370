"""Train the models of statements that come with the package, from events of BioNLP-ST 2011 GE."""

import argparse
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

import numpy as np

from recipes.chain import fingerprint
from recipes.data import data_path
from recipes.relations.corpora import PLACES, UNRELATED, Stated, licence, read_statements
from relsent_ir import models
from relsent_ir.errors import InputError
from relsent_ir.files import file_facts
from relsent_ir.relations.describing import Described, FeatureSettings, describe
from relsent_ir.relations.statements import AGENTS, TASKS, Statements, features_of
from relsent_ir.text.parsing import Parser, default_parser
from relsent_ir.typing import Floats

COSTS: Final = {"status": 0.3, "polarity": 0.03, "agent": 0.1}
"""The C of each task, chosen by cross-validation on BioNLP-ST 2011 GE's training part."""

LEAST: Final = 2
"""Sentences in training that must have a feature."""


def main(arguments: list[str]) -> None:
    """Train and save."""
    parser = argparse.ArgumentParser("python -m recipes statements", description=__doc__)
    parser.add_argument("--output", type=Path, default=models.packaged("statements"))
    options = parser.parse_args(arguments)
    path = data_path(*PLACES["ge"])
    stated = list(read_statements(path, "train", unrelated=UNRELATED))
    if lacking := missing_classes(stated):
        raise InputError(f"no sentence is {lacking[0]}", where=path)
    parsing = default_parser()
    facts = {
        "command": "python -m recipes statements",
        "data": {**file_facts(path), "sentences": len(stated)},
        "parser": fingerprint(parsing),
    }
    models.save(options.output, train(stated, parsing), facts)
    (options.output / "LICENSE").write_text(licence(["ge"]), encoding="utf-8")
    print(f"{options.output}: from {len(stated)} pairs of proteins")


def train(stated: Sequence[Stated], parser: Parser) -> Statements:
    """Learn from sentences whose statements are annotated."""
    rows = list(describe([example.candidate for example in stated], parser, FeatureSettings()))
    return Statements(parser, {task: _learn(task, rows, stated) for task in TASKS})


def label(task: str, stated: Stated) -> str:
    """Return the label of a sentence for a task; "" for a sentence that is left out."""
    if task == "agent":
        return "" if stated.agent is None else AGENTS[stated.agent]
    return stated.status if task == "status" else stated.polarity or "none"


def missing_classes(stated: Sequence[Stated]) -> list[str]:
    """Return the classes that have no sentence; learning needs all."""
    return [
        name
        for task, names in TASKS.items()
        for name in names
        if name not in {label(task, example) for example in stated}
    ]


def _learn(task: str, rows: Sequence[Described], stated: Sequence[Stated]) -> dict[str, Floats]:
    examples = zip(rows, (label(task, example) for example in stated), strict=True)
    return fit(task, [(features_of(task, row), name) for row, name in examples if name])


def fit(task: str, examples: Iterable[tuple[Mapping[str, float], str]]) -> dict[str, Floats]:
    """Learn a task's weights; classes count alike, except for polarity, which may abstain."""
    from sklearn.feature_extraction import DictVectorizer
    from sklearn.linear_model import LogisticRegression
    from threadpoolctl import threadpool_limits

    rows, labels = zip(*examples, strict=True)
    counts = Counter(name for row in rows for name in row)
    rows = tuple({n: x for n, x in row.items() if counts[n] >= LEAST} for row in rows)
    columns = DictVectorizer()
    matrix = columns.fit_transform(rows)
    balance = None if task == "polarity" else "balanced"
    model = LogisticRegression(C=COSTS[task], max_iter=5000, class_weight=balance)
    with threadpool_limits(1):  # sums in another order end in other bytes
        model.fit(matrix, labels)
    weights, intercepts = model.coef_, model.intercept_
    if len(intercepts) == 1:  # of two classes scikit-learn keeps the second's
        weights, intercepts = np.vstack([0 * weights, weights]), np.array([0.0, intercepts[0]])
    by_name = dict(zip(columns.get_feature_names_out().tolist(), weights.T, strict=True))
    return {"": intercepts, **by_name}
