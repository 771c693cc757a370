"""The paper's trees and our model, judging questions."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Final

import numpy as np
from lxml import etree
from numpy.typing import NDArray

from recipes.answers.titles import folds
from recipes.answers.training import examples
from recipes.answers.weights import Example, train_weights
from recipes.data import data_path
from relsent_ir.answers.classifiers import Verdict, Weights, judge_abstract
from relsent_ir.answers.evaluation import Scores, score
from relsent_ir.answers.language import WordVectors
from relsent_ir.answers.questions import Asked, Posed, gold, title
from relsent_ir.answers.sentence_features import PLACES, ZONE
from relsent_ir.errors import InputError
from relsent_ir.records import Sentence, list_inputs, read_records
from relsent_ir.typing import Floats
from reproduce.alamri_stevenson_2015.trees import (
    FEATURE_SETS,
    FEATURES,
    Tree,
    train_tree,
    zone_features,
)

FOLDS: Final = 10


@dataclass(frozen=True)
class Prepared:
    """Questions with all that the models see of them.

    Attributes
    ----------
    posed : list of Posed
    vectors : WordVectors
    """

    posed: list[Posed]
    vectors: WordVectors

    @cached_property
    def examples(self) -> list[Example]:
        """The linear model's examples."""
        return examples(self.posed, self.vectors)

    @cached_property
    def zones(self) -> list[NDArray[np.bool_]]:
        """Which sentences of each abstract are in its claim zone."""
        return [claim_zone(p.tagged) for p in self.posed]

    @cached_property
    def values(self) -> list[Floats]:
        """The paper's features of each zone."""
        return [
            zone_features(p.question.text, title(p.question), p.tagged, zone)
            for p, zone in zip(self.posed, self.zones, strict=True)
        ]

    @property
    def records(self) -> list[str]:
        """Each question's record."""
        return [p.question.record.id for p in self.posed]


def grow(data: Prepared, chosen: NDArray[np.bool_], number: int) -> Tree:
    """Train the paper's tree on some of the questions."""
    rows = np.flatnonzero(chosen).tolist()
    values = np.vstack([data.values[i] for i in rows])
    answers = np.concatenate([data.examples[i].answers[data.zones[i]] for i in rows])
    records = [data.records[i] for i in rows for _ in range(int(data.zones[i].sum()))]
    return train_tree(values, answers, records, number)


def judge_tree(tree: Tree, data: Prepared, i: int) -> Verdict:
    """Let a tree judge question `i`."""
    columns = [FEATURES.index(name) for name in tree.features]
    found = np.zeros(len(data.zones[i]))
    found[data.zones[i]] = tree.predict(data.values[i][:, columns])
    return Verdict(found, found, found > 0.5)


def best_only(judged: Sequence[Verdict]) -> list[Verdict]:
    """Take each abstract's first sentence for its only answer."""
    found = []
    for one in judged:
        answers = np.zeros(len(one.scores), dtype=bool)
        if len(answers):
            answers[int(one.scores.argmax())] = True
        found.append(replace(one, answers=answers))
    return found


def cross_validate_trees(
    learned: Prepared, tests: Mapping[str, Prepared]
) -> dict[tuple[int, str], list[Verdict]]:
    """Judge each question by trees grown on other records' questions.

    Parameters
    ----------
    learned : Prepared
        What is learned from.
    tests : mapping of str to Prepared
        The same questions, in the forms in which they are tested.

    Returns
    -------
    dict of (feature set, form) to list of Verdict
    """
    found: dict[tuple[int, str], dict[int, Verdict]] = {}
    for held, rows in _parts(learned.records):
        for number in FEATURE_SETS:
            tree = grow(learned, ~held, number)
            for form, test in tests.items():
                place = found.setdefault((number, form), {})
                place.update((i, judge_tree(tree, test, i)) for i in rows)
    return {key: [of[i] for i in sorted(of)] for key, of in found.items()}


def cross_validate_linear(
    taught: Sequence[Example],
    tests: Mapping[str, Sequence[Example]],
    records: Sequence[str],
    *,
    unseen: Sequence[int] = PLACES,
    calibrated: bool = False,
) -> dict[str, list[Verdict]]:
    """Judge each question by our model, trained on other records' questions.

    Parameters
    ----------
    taught : sequence of Example
        Both forms of every question.
    tests : mapping of str to sequence of Example
        The questions by form, one for each of `records`.
    records : sequence of str
    unseen : sequence of int
        Columns that the finding is not shown.
    calibrated : bool
        Learn probabilities too; that takes ten times as long.
    """
    found: dict[str, dict[int, Verdict]] = {form: {} for form in tests}
    for _, rows in _parts(records):
        names = {records[i] for i in rows}
        others = [example for example in taught if example.record not in names]
        weights = train_weights(others, unseen=unseen, calibrated=calibrated)
        for form, test in tests.items():
            found[form].update((i, judge(weights, test[i])) for i in rows)
    return {form: [of[i] for i in sorted(of)] for form, of in found.items()}


def _parts(records: Sequence[str]) -> Iterator[tuple[NDArray[np.bool_], list[int]]]:
    """Yield the questions held out, as a mask and as places, of folds that leave some to learn."""
    for held in folds(records, FOLDS):
        if held.any() and not held.all():
            yield held, np.flatnonzero(held).tolist()


def in_zone(data: Prepared, judged: Sequence[Verdict]) -> Scores:
    """Count the sentences of the claim zones alone, as the paper does."""
    posed, found, answers = [], [], []
    for p, zone, one in zip(data.posed, data.zones, judged, strict=True):
        right = gold(p)[zone]
        answers.append(right)
        posed.append(replace(p, tagged=tuple(_inside(p, zone))))
        found.append(Verdict(one.scores[zone], one.probabilities[zone], one.answers[zone]))
    rows = iter(answers)
    return score(posed, found, lambda _: next(rows))


def _inside(p: Posed, zone: NDArray[np.bool_]) -> list[Sentence]:
    return [p.tagged[i] for i in np.flatnonzero(zone).tolist()]


def claim_zone(tagged: Sequence[Sentence]) -> NDArray[np.bool_]:
    """Return which sentences are in the claim zone; all if none is RESULTS or CONCLUSION."""
    zone = np.array([sentence.move in ZONE for sentence in tagged], dtype=bool)
    return zone if zone.any() else np.ones(len(tagged), dtype=bool)


def mancon_questions() -> list[Asked]:
    """Read the questions, each with one abstract and its claim.

    Raises
    ------
    InputError
        If the file is no XML.
    """
    path = data_path("answers", "mancon.xml")
    parser = etree.XMLParser(resolve_entities=False, no_network=True)
    try:
        claims = list(etree.parse(str(path), parser).iter("CLAIM"))
    except etree.XMLSyntaxError as error:
        raise InputError(f"no XML ({error})", where=path) from error
    wanted = {claim.get("PMID", "") for claim in claims}
    abstracts = data_path("abstracts", "abstracts.jsonl.gz")
    own = abstracts.parents[1] / "mancon"
    sources: list[tuple[Path, str | None]] = [(abstracts, None)]
    sources += list_inputs([own])[0] if own.is_dir() else []
    records = {
        record.id: record
        for path, form in sources
        for record in read_records(path, form)
        if record.id in wanted
    }
    return [
        Asked(
            f"mancon-{n}",
            claim.get("QUESTION", ""),
            records[claim.get("PMID", "")],
            (claim.text or "",),
            f"{path}, claim {n}",
        )
        for n, claim in enumerate(claims, 1)
        if claim.get("PMID", "") in records
    ]


def judge(weights: Weights, example: Example) -> Verdict:
    """Judge an abstract by our weights."""
    return judge_abstract(weights, example.features, example.question, example.moves)
