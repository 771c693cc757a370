"""Train answer models, with moves from CRFs that have not seen the abstract, and measure them."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from relsent_ir.answers.classifiers import (
    PENALTY,
    SLOTS,
    Example,
    Verdict,
    Weights,
    train_tree,
    train_weights,
    zone_features,
)
from relsent_ir.answers.directions import FINDING, LABELS, Directions, direction_features
from relsent_ir.answers.language import WordVectors, learn_vectors
from relsent_ir.answers.model import AnswerModel, LinearModel, TreeModel
from relsent_ir.answers.questions import (
    HALVES,
    Posed,
    Taggers,
    all_forms,
    asks,
    fold,
    folds,
    general_questions,
    gold,
    half,
    pose,
    read_asking,
    read_questions,
    title,
)
from relsent_ir.answers.readings import findings_said, learn_graded, learn_verdicts, read_said
from relsent_ir.answers.sentence_features import (
    PLACES,
    claim_zone,
    load_related,
    question_features,
    sentence_features,
)
from relsent_ir.errors import InputError, UsageError
from relsent_ir.files import file_facts, sha256
from relsent_ir.models import load_folder, packaged
from relsent_ir.moves import Abstract, default_model
from relsent_ir.moves.crf import CRF
from relsent_ir.moves.labelled import read_abstracts
from relsent_ir.records import list_inputs, read_records
from relsent_ir.related.weights import WeightModel
from relsent_ir.trec import read_topics
from relsent_ir.typing import NDArray, Progress

KINDS: Final = ("linear", "tree")
FEATURE_SET: Final = 6  # of the tree: all of the paper's features, with its Z-score
CRF_FOLDS: Final = 2
FOLDS: Final = 5  # of directions


def crossfit(
    abstracts: Sequence[Abstract], ids: Sequence[str], progress: Progress | None = None
) -> Taggers:
    """Train CRFs like the packaged one, each without a part of the questions' abstracts.

    Parameters
    ----------
    abstracts : sequence of Abstract
        The training data.
    ids : sequence of str
        The questions' records, which the packaged CRF was or may have been trained on.
    """
    places = {name: fold(name, CRF_FOLDS) for name in ids}
    models = {}
    for n, place in enumerate(sorted(set(places.values())), 1):
        models[place] = CRF.train([a for a in abstracts if places.get(a.id) != place])
        if progress:
            progress(n, CRF_FOLDS)
    others = {name: models[place] for name, place in places.items()}
    return Taggers(default_model(), others)


def taught_default_moves(path: Path) -> bool:
    """Return whether the packaged CRF was trained on a file, by its checksum."""
    digest = sha256(path)
    files = load_folder(packaged("moves")).facts["data"]["files"]
    return any(file["sha256"] == digest for file in files)


def train(
    kind: str,
    posed: Sequence[Posed],
    vectors: WordVectors | None = None,
    related: WeightModel | None = None,
    *,
    feature_set: int = FEATURE_SET,
    penalty: float = PENALTY,
    facts: Mapping[str, Any] | None = None,
) -> AnswerModel:
    """Train a model of one of the `KINDS`.

    Parameters
    ----------
    kind : str
    posed : sequence of Posed
        Questions with evidence.
    vectors : WordVectors, optional
        For the linear model; learned from the questions' abstracts if None.
    related : WeightModel, optional
        For the linear model, which has relatedness as a feature then.
    feature_set : int
        For the tree.
    penalty : float
        For the linear model.
    facts : mapping of str to Any
        The model's origin.

    Raises
    ------
    InputError
        If no abstract has a sentence that answers.
    """
    if not any(gold(p).any() for p in posed):
        raise InputError(
            "no abstract has a sentence that shares half its characters with the evidence"
        )
    origin = dict(facts or {})
    if kind == "tree":
        tree = _tree(posed, feature_set)
        return TreeModel(tree, {**origin, "feature_set": feature_set, "tree": str(tree)})
    if vectors is None:
        records = {p.question.record.id: p.question.record for p in posed}
        vectors = learn_vectors(list(records.values()))
    taught = examples(posed, vectors, related)
    weights = train_weights(taught, penalty, unseen=PLACES)
    directions = learn_directions(posed, taught, weights, vectors.stopwords)
    return LinearModel(weights, vectors, origin, related, directions)


def learn_directions(
    posed: Sequence[Posed], taught: Sequence[Example], weights: Weights, stopwords: Collection[str]
) -> Directions | None:
    """Learn directions from the sentences that the model ranks first, and from the evidence.

    None if no question has one of the `LABELS`.
    """
    labelled = {}
    for p, example in zip(posed, taught, strict=True):
        label = LABELS.get(p.question.label)
        if p.whole or label is None or not example.answers.any():
            continue
        best = int(weights.slots[0].shares(example.features).argmax())
        for n in sorted({best, *np.flatnonzero(example.answers).tolist()}):
            text = p.tagged[n].text
            features = direction_features(p.question.text, text, stopwords)
            # Once for all forms of the question.
            labelled[p.question.id, text] = features, label, p.question.record.id
    if not labelled:
        return None
    features_of, labels, records = zip(*labelled.values(), strict=True)
    return Directions.train(features_of, labels, list(folds(records, FOLDS)))


def examples(
    posed: Sequence[Posed], vectors: WordVectors, related: WeightModel | None = None
) -> list[Example]:
    """Return the training data of the linear model."""
    taught = []
    for p in posed:
        answers = gold(p)
        moves = [p.tagged[n].move for n in np.flatnonzero(answers).tolist()]
        taught.append(
            Example(
                p.question.record.id,
                sentence_features(
                    p.question.text, title(p.question), p.tagged, vectors, related, whole=p.whole
                ),
                question_features("" if p.whole else p.question.text),
                answers,
                2 * moves.count("CONCLUSION") > len(moves),
                p.whole,
                tuple(sentence.move for sentence in p.tagged),
            )
        )
    return taught


def _tree(posed: Sequence[Posed], feature_set: int) -> Any:
    values, answers, records = [], [], []
    for p in posed:
        zone = claim_zone(p.tagged)
        values.append(zone_features(p.question.text, title(p.question), p.tagged, zone))
        answers.append(gold(p)[zone])
        records += [p.question.record.id] * int(zone.sum())
    return train_tree(np.vstack(values), np.concatenate(answers), records, feature_set)


def train_from_files(
    kind: str,
    questions: Path,
    records: Sequence[Path] = (),
    general: Sequence[Path] = (),
    *,
    related: Path | None = None,
    feature_set: int = 6,
    said: Path | None = None,
    graded: Path | None = None,
    topics: Sequence[Path] = (),
    indexes: Sequence[Path] = (),
    command: str = "",
    stage: Callable[[str], Progress | None] = lambda _: None,
) -> AnswerModel:
    """Train a model on questions with evidence.

    Parameters
    ----------
    kind : {"linear", "tree"}
    questions : Path
        Their file.
    records : sequence of Path
        Abstracts for the lines without one, and training data for words. If the packaged model of
        moves was trained on them, other models, which have not seen them, tag them.
    general : sequence of Path
        Records; titles that ask teach the conclusion. For a linear model.
    related : Path, optional
        A model of relatedness, as a feature. For a linear model.
    feature_set : int
        For the tree.
    said : Path, optional
        Verdicts of sentences of `general` on their titles
        (`relsent_ir.answers.readings.read_said`).
    graded : Path, optional
        Grades of sentences as answers (`readings.read_graded`), besides `said`.
    topics, indexes : sequence of Path
        For `graded`: the questions, and the collections, by the names of their folders.
    command : str
        The command, for the model's facts.
    stage : callable, optional
        Begins a part of the work by its title, and returns its progress.

    Raises
    ------
    UsageError
        If a tree gets `general`, `related` or `said`, or `said` comes without records.
    """
    if kind == "tree" and (related or general or said):
        raise UsageError("--related, --general and --said go with --model linear")
    if said and not general:
        raise UsageError("--said needs --general")
    weights = load_related(related) if related else None
    examples = read_questions(questions, records, evidence=True)
    files, _ = list_inputs(records)
    abstracts = [r for path, form in files for r in read_records(path, form)]
    # Answers to general questions are measured on these.
    held = [record.id for record in abstracts if asks(record)]
    used = {record.id for record in abstracts}
    asking = read_asking(general) if general else []
    titles = [
        q
        for q in general_questions(asking)
        if half(q.record.id) == HALVES[0] and q.record.id not in used
    ]
    ids = [*(question.record.id for question in (*examples, *titles)), *held]
    taught = [path for path, _ in files if taught_default_moves(path)]
    taggers = Taggers(default_model())
    if taught:
        taggers = crossfit(read_abstracts(taught)[0], ids, stage("Training CRFs"))
    vectors = learn_vectors(abstracts) if records and kind == "linear" else None
    posed = all_forms(examples, taggers) if kind == "linear" else pose(examples, taggers)
    posed += pose(titles, taggers)
    judgements = [path for path in (said, graded, *topics) if path]
    paths = dict.fromkeys([questions, *(path for path, _ in files), *general, *judgements])
    data = {"files": list(map(file_facts, paths)), "questions": len(examples) + len(titles)}
    facts = {"command": command, "data": data}
    model = train(kind, posed, vectors, weights, feature_set=feature_set, facts=facts)
    if said and isinstance(model, LinearModel):
        sentences = read_said(said, asking, model.stopwords)
        model.verdicts = learn_verdicts([*sentences, *findings_said(posed, model.stopwords)])
        if graded:
            texts = {name: text for file in topics for name, text in read_topics(file).items()}
            model.use_abstracts(learn_graded(model, graded, texts, indexes, stage("Answering")))
    return model


MEASURES: Final = ("precision", "recall", "f1", "mrr", "success_at_1")


@dataclass(frozen=True)
class Scores:
    """Counts and ranks of a model's answers, question by question.

    Attributes
    ----------
    records : tuple of str
        Each question's record.
    counts : ndarray of int, shape (questions, 3)
        Right answers, wrong answers, and missed ones. A question without an answer sentence
        misses one.
    ranks : ndarray of float64, shape (questions,)
        One over the rank of the first answer; 0 if there is none.
    """

    records: tuple[str, ...]
    counts: NDArray[np.int64]
    ranks: NDArray[np.float64]

    def to_dict(self) -> dict[str, Any]:
        """Return the measures by name, and the number of questions."""
        n = len(self.ranks)
        counted = [*self.counts.sum(axis=0), self.ranks.sum(), (self.ranks == 1).sum(), n]
        sums = np.array(counted, dtype=np.float64)
        values = {name: float(value) for name, value in measures_of(sums).items()}
        return {**values, "questions": n}


@dataclass(frozen=True)
class DirectionScores:
    """Counts of directions, sure or not.

    Attributes
    ----------
    confusion : ndarray of int, shape (3, 3)
        By label (rows) and predicted direction, in the order of `FINDING`.
    sure, right : int
        Number of sure directions, and of right ones among them.
    """

    confusion: NDArray[np.int64]
    sure: int = 0
    right: int = 0

    @property
    def accuracy(self) -> float:
        """The share of right directions; 0 without any."""
        return float(self.confusion.trace() / max(1, self.confusion.sum()))

    @property
    def macro_f1(self) -> float:
        """The mean F1 over labels, except those neither given nor predicted."""
        sums = self.confusion.sum(axis=0) + self.confusion.sum(axis=1)
        f1 = 2 * self.confusion.diagonal()[sums > 0] / sums[sums > 0]
        return float(f1.mean()) if len(f1) else 0.0

    def to_dict(self) -> dict[str, Any]:
        """Return the measures by name, with coverage and accuracy of sure directions."""
        n = int(self.confusion.sum())
        return {
            "accuracy": self.accuracy,
            "macro_f1": self.macro_f1,
            "questions": n,
            "sure": {"coverage": self.sure / max(1, n), "accuracy": self.right / max(1, self.sure)},
        }


def directions(
    model: AnswerModel, posed: Sequence[Posed], verdicts: Sequence[Verdict]
) -> tuple[DirectionScores, int]:
    """Read the findings of questions with one of the `LABELS`, and count the other labels."""
    confusion = np.zeros((len(FINDING), len(FINDING)), dtype=np.int64)
    sure = right = others = 0
    for p, verdict in zip(posed, verdicts, strict=True):
        if p.question.label and p.question.label not in LABELS:
            others += 1
        if p.question.label not in LABELS or not verdict.slots:
            continue
        n = verdict.slots.get(SLOTS[0], next(iter(verdict.slots.values())))
        direction = model.direction(p.question.text, p.tagged[n].text)
        label = LABELS[p.question.label]
        confusion[FINDING.index(label), FINDING.index(direction.label)] += 1
        sure += direction.sure
        right += direction.sure and direction.label == label
    return DirectionScores(confusion, sure, right), others


def report(
    model: AnswerModel, posed: Sequence[Posed], progress: Progress | None = None
) -> dict[str, Any]:
    """Return the measures of ``answer evaluate --json``, with directions if there are labels."""
    verdicts = judge_all(model, posed, progress)
    values = score(posed, verdicts).to_dict()
    scores, others = directions(model, posed, verdicts)
    labelled = {"direction": scores.to_dict()} if scores.confusion.any() else {}
    return {
        "success_at_1": values["success_at_1"],
        "span_f1": values["f1"],
        "mrr": values["mrr"],
        **labelled,
        "precision": values["precision"],
        "recall": values["recall"],
        "questions": values["questions"],
        "other_labels": others,
    }


def judge_all(
    model: AnswerModel, posed: Sequence[Posed], progress: Progress | None = None
) -> list[Verdict]:
    """Judge the abstracts of questions."""
    verdicts = []
    for n, p in enumerate(posed, 1):
        verdicts.append(model.judge(p.question.text, title(p.question), p.tagged))
        if progress:
            progress(n, len(posed))
    return verdicts


def score(
    posed: Sequence[Posed],
    verdicts: Sequence[Verdict],
    answers_of: Callable[[Posed], NDArray[np.bool_]] = gold,
) -> Scores:
    """Count verdicts; `answers_of` returns which sentences answer a question."""
    counts, ranks = [], []
    for p, verdict in zip(posed, verdicts, strict=True):
        answers = answers_of(p)
        right = int((verdict.answers & answers).sum())
        missed = int(answers.sum()) - right + (not answers.any())
        counts.append((right, int((verdict.answers & ~answers).sum()), missed))
        places = np.flatnonzero(answers[verdict.order()])
        ranks.append(1 / (places[0] + 1) if len(places) else 0.0)
    return Scores(
        tuple(p.question.record.id for p in posed),
        np.array(counts, dtype=np.int64).reshape(-1, 3),
        np.array(ranks, dtype=np.float64),
    )


def measures_of(sums: NDArray[np.float64]) -> dict[str, NDArray[np.float64]]:
    """Return the measures of sums over questions: three counts, ranks, first ranks, questions."""
    right, wrong, missed, ranks, first, questions = np.moveaxis(sums, -1, 0)
    return {
        "precision": _share(right, right + wrong),
        "recall": _share(right, right + missed),
        "f1": _share(2 * right, 2 * right + wrong + missed),
        "mrr": _share(ranks, questions),
        "success_at_1": _share(first, questions),
    }


def _share(part: NDArray[np.float64], whole: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.divide(part, whole, out=np.zeros_like(part), where=whole > 0)
