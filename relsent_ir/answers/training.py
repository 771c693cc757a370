"""Training answer models, with moves from CRFs that have not seen the abstract; from files too."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from relsent_ir.answers import abstract_training
from relsent_ir.answers.asking import question_parts
from relsent_ir.answers.directions import (
    LABELS,
    VERDICTS,
    Directions,
    Verdicts,
    denies,
    direction_features,
    train_directions,
    train_verdicts,
    verdict_features,
)
from relsent_ir.answers.linear import PENALTY, Example, Weights, train_weights
from relsent_ir.answers.model import AnswerModel, LinearModel, TreeModel
from relsent_ir.answers.questions import Question, answer_sentences, fold, folds, read_questions
from relsent_ir.answers.sentence_features import (
    PLACES,
    asked_features,
    claim_zone,
    load_related,
    sentence_features,
    tag_abstract,
)
from relsent_ir.answers.tree import train_tree, zone_features
from relsent_ir.answers.words import WordVectors, learn_vectors
from relsent_ir.errors import InputError, UsageError
from relsent_ir.files import file_facts, sha256
from relsent_ir.hits import owner
from relsent_ir.models import load_folder, packaged
from relsent_ir.moves import Abstract, MoveModel, default_model
from relsent_ir.moves.crf import CRF
from relsent_ir.moves.labelled import read_abstracts
from relsent_ir.records import Record, Section, Sentence, list_inputs, read_records
from relsent_ir.related.weights import WeightModel
from relsent_ir.trec import read_topics
from relsent_ir.typing import Floats, Progress

KINDS: Final = ("linear", "tree")
FEATURE_SET: Final = 6  # of the tree: all of the paper's features, with its Z-score
CRF_FOLDS: Final = 2
FOLDS: Final = 5  # of directions
VERDICT_FOLDS: Final = 10


@dataclass(frozen=True)
class Taggers:
    """The model of moves for each abstract.

    Attributes
    ----------
    default : MoveModel
    others : dict of str to MoveModel
        By record id, for what the default one was trained on: a CRF that has not seen it.
    """

    default: MoveModel
    others: Mapping[str, MoveModel] = field(default_factory=dict)

    def tag(self, record: Record, *, labels: bool = True) -> list[Sentence]:
        """Return an abstract's sentences with their moves."""
        return tag_abstract(record, self.others.get(record.id, self.default), labels=labels)


@dataclass(frozen=True)
class Posed:
    """A question, and the sentences of its abstract with their moves.

    Attributes
    ----------
    question : Question
    tagged : tuple of Sentence
    whole : bool
        The linear model is not shown the question's parts, as where no rule finds them.
    """

    question: Question
    tagged: tuple[Sentence, ...]
    whole: bool = False


def crossfit(
    abstracts: Sequence[Abstract], ids: Sequence[str], progress: Progress | None = None
) -> Taggers:
    """Train CRFs as the package's own, each without a part of the questions' abstracts.

    Parameters
    ----------
    abstracts : sequence of Abstract
        What they learn from.
    ids : sequence of str
        The questions' records: those that the package's CRF was trained on, or may have been.
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
    """Return whether the package's CRF was trained on a file, by its checksum."""
    digest = sha256(path)
    files = load_folder(packaged("moves")).facts["data"]["files"]
    return any(file["sha256"] == digest for file in files)


def plain(record: Record) -> Record:
    """Take the structure off an abstract: one section, without a label."""
    return Record(
        record.id,
        record.title,
        record.vernacular_title,
        sections=(Section(record.abstract),) if record.abstract else (),
    )


def pose(questions: Sequence[Question], taggers: Taggers, *, structure: bool = True) -> list[Posed]:
    """Tag the abstracts of questions, as they are or with their structure taken off."""
    known: dict[int, tuple[Sentence, ...]] = {}
    for question in questions:
        record = question.record
        if id(record) not in known:
            tagged = taggers.tag(record) if structure else taggers.tag(plain(record), labels=False)
            known[id(record)] = tuple(tagged)
    return [Posed(question, known[id(question.record)]) for question in questions]


def all_forms(questions: Sequence[Question], taggers: Taggers) -> list[Posed]:
    """Pose questions in all forms that the linear model learns from.

    Their abstracts as they are; structured ones without the structure; all without the structure
    and the question taken whole.
    """
    bare = pose(questions, taggers, structure=False)
    return [
        *pose(questions, taggers),
        *(p for p in bare if len(p.question.record.sections) > 1),
        *(replace(p, whole=True) for p in bare),
    ]


def train(
    kind: str,
    posed: Sequence[Posed],
    vectors: WordVectors | None = None,
    related: WeightModel | None = None,
    *,
    feature_set: int = FEATURE_SET,
    penalty: float = PENALTY,
    abstracts: Floats | None = None,
    facts: Mapping[str, Any] | None = None,
) -> AnswerModel:
    """Train a model of one of the `KINDS`.

    Parameters
    ----------
    kind : str
    posed : sequence of Posed
        Questions with evidence.
    vectors : WordVectors, optional
        Of the linear model; learned from the questions' own abstracts if None.
    related : WeightModel, optional
        Of the linear model: relatedness becomes a feature.
    feature_set : int
        Of the tree.
    penalty : float
        Of the linear model.
    abstracts : ndarray of float64, optional
        Of the linear model: what `relsent_ir.answers.abstracts` learned.
    facts : mapping of str to Any
        What the model says of how it was made.

    Raises
    ------
    InputError
        If no abstract has a sentence that answers.
    """
    answers = [gold(p) for p in posed]
    if not any(of_abstract.any() for of_abstract in answers):
        raise InputError(
            "no abstract has a sentence that shares half its characters with the evidence"
        )
    described = dict(facts or {})
    if kind == "tree":
        tree = _tree(posed, feature_set)
        return TreeModel(tree, {**described, "feature_set": feature_set, "tree": str(tree)})
    if vectors is None:
        records = {p.question.record.id: p.question.record for p in posed}
        vectors = learn_vectors(list(records.values()))
    taught = examples(posed, vectors, related)
    weights = train_weights(taught, penalty, unseen=PLACES)
    directions = learn_directions(posed, taught, weights, vectors.stopwords)
    return LinearModel(weights, vectors, described, related, directions, abstracts)


def learn_directions(
    posed: Sequence[Posed], taught: Sequence[Example], weights: Weights, stopwords: Collection[str]
) -> Directions | None:
    """Learn directions from the sentences that the model finds, and from the evidence's own.

    None where no question has a label that is known.
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
            labelled[p.question.id, text] = (
                features,
                label,
                p.question.record.id,
            )  # in any form, once
    if not labelled:
        return None
    features_of, labels, records = zip(*labelled.values(), strict=True)
    return train_directions(features_of, labels, list(folds(records, FOLDS)))


FINDINGS: Final = 0.15
"""What a finding of an evidence's question weighs, a sentence that was read weighing 1."""


@dataclass(frozen=True)
class Said:
    """A sentence, and what it says to a question of yes or no.

    Attributes
    ----------
    record : str
    features : frozenset of str
        As `verdict_features` has them.
    verdict : str
        One of `VERDICTS`.
    judged : bool
        It speaks to the question, so it is among those that the threshold is chosen by.
    weight : float
    """

    record: str
    features: frozenset[str]
    verdict: str
    judged: bool
    weight: float


def read_said(
    path: str | Path, records: Iterable[Record], stopwords: Collection[str]
) -> list[Said]:
    """Read what sentences say to the question that is their record's title.

    A line has the id of a sentence, a tab, and yes, no, unclear, or silent: it does not speak to
    the question, which is learned as unclear.

    Raises
    ------
    InputError
        With ``file:line``: another verdict; or a record that is not among the records.
    """
    lines = Path(path).read_text(encoding="utf-8").splitlines()
    read = [(line.partition("\t")[0], line.partition("\t")[2]) for line in lines]
    ids = {owner(name) for name, _ in read}
    known = {record.id: record for record in records if record.id in ids}
    texts = {s.id: s.text for record in known.values() for s in tag_abstract(record)}
    said = []
    for n, (name, verdict) in enumerate(read, 1):
        if name not in texts or verdict not in (*VERDICTS, "silent"):
            problem = f"no sentence {name!r} of these records, or no verdict {verdict!r}"
            raise InputError(problem, where=f"{path}:{n}")
        record = owner(name)
        title = f"{known[record].title.rstrip('. ')}?".replace("??", "?")
        label = verdict if verdict in VERDICTS else VERDICTS[2]
        if denies(title) and label != VERDICTS[2]:
            label = VERDICTS[1 - VERDICTS.index(label)]
        features = verdict_features(question_parts(title), texts[name], stopwords)
        said.append(Said(record, features, label, verdict != "silent", 1.0))
    return said


def findings_said(posed: Sequence[Posed], stopwords: Collection[str]) -> list[Said]:
    """Ask of each finding whose label is known whether the outcome rises, and whether it falls.

    Those of yes and those of no weigh the same.
    """
    said = {}
    for p in posed:
        label = LABELS.get(p.question.label)
        answers = np.flatnonzero(gold(p))
        if p.whole or label is None or not len(answers) or p.question.id in said:
            continue
        text, parts = p.tagged[int(answers[0])].text, question_parts(p.question.text)
        said[p.question.id] = [
            Said(
                p.question.record.id,
                verdict_features(replace(parts, way=way), text, stopwords),
                VERDICTS[0] if label == yes else VERDICTS[1],
                False,
                FINDINGS,
            )
            for way, yes in (("up", "increased"), ("down", "decreased"))
        ]
    found = [one for both in said.values() for one in both]
    yes = sum(one.verdict == VERDICTS[0] for one in found)
    often = (len(found) - yes) / max(1, yes)
    return [
        replace(one, weight=one.weight * (often if one.verdict == VERDICTS[0] else 1.0))
        for one in found
    ]


def learn_verdicts(said: Sequence[Said]) -> Verdicts:
    """Learn what sentences say to questions of yes or no."""
    return train_verdicts(
        [one.features for one in said],
        [one.verdict for one in said],
        np.array([one.weight for one in said]),
        list(folds([one.record for one in said], VERDICT_FOLDS)),
        np.array([one.judged for one in said]),
    )


def gold(posed: Posed) -> "np.ndarray[tuple[int], np.dtype[np.bool_]]":
    """Return which sentences answer, by the question's evidence."""
    return answer_sentences([s.text for s in posed.tagged], posed.question.evidence)


def examples(
    posed: Sequence[Posed], vectors: WordVectors, related: WeightModel | None = None
) -> list[Example]:
    """Return what the linear model learns from."""
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
                asked_features("" if p.whole else p.question.text),
                answers,
                2 * moves.count("CONCLUSION") > len(moves),
                p.whole,
                tuple(sentence.move for sentence in p.tagged),
            )
        )
    return taught


def title(question: Question) -> str:
    """Return the title of a question's record, or that in its own language."""
    return question.record.title or question.record.vernacular_title


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
        The abstracts of lines that have none, and what words are learned from. Those that the
        package's model of moves was trained on get their moves from models that have not seen them.
    general : sequence of Path
        Records of which those that ask teach the conclusion; for a linear model.
    related : Path, optional
        A model whose score of question and sentence is a feature; likewise.
    feature_set : int
        Of the tree.
    said : Path, optional
        What sentences of `general` say to their titles (`relsent_ir.answers.training.read_said`).
    graded : Path, optional
        Sentences that were read as answers (`abstract_training.read_graded`), besides `said`.
    topics, indexes : sequence of Path
        Of `graded`: the questions, and the collections, by the names of their folders.
    command : str
        What made the model, for its facts.
    stage : callable, optional
        Begins a part of the work by its title, and returns its progress.

    Raises
    ------
    UsageError
        If a tree is to learn from `general`, `related` or `said`, or `said` has no records.
    """
    if kind == "tree" and (related or general or said):
        raise UsageError("--related, --general and --said go with --model linear")
    if said and not general:
        raise UsageError("--said needs --general")
    weights = load_related(related) if related else None
    examples = read_questions(questions, records, evidence=True)
    files, _ = list_inputs(records)
    known = [r for path, form in files for r in read_records(path, form)]
    # General questions are measured on these.
    held = [record.id for record in known if abstract_training.asks(record)]
    among = {record.id for record in known}
    asking = abstract_training.read_asking(general) if general else []
    titles = [
        q
        for q in abstract_training.general_questions(asking)
        if abstract_training.half(q.record.id) == abstract_training.HALVES[0]
        and q.record.id not in among
    ]
    ids = [*(question.record.id for question in (*examples, *titles)), *held]
    taught = [path for path, _ in files if taught_default_moves(path)]
    taggers = Taggers(default_model())
    if taught:
        taggers = crossfit(read_abstracts(taught)[0], ids, stage("Training CRFs"))
    vectors = learn_vectors(known) if records and kind == "linear" else None
    posed = all_forms(examples, taggers) if kind == "linear" else pose(examples, taggers)
    posed += pose(titles, taggers)
    own = [path for path in (said, graded, *topics) if path]
    used = dict.fromkeys([questions, *(path for path, _ in files), *general, *own])
    data = {"files": list(map(file_facts, used)), "questions": len(examples) + len(titles)}
    facts = {"command": command, "data": data}
    model = train(kind, posed, vectors, weights, feature_set=feature_set, facts=facts)
    if said and isinstance(model, LinearModel):
        sentences = read_said(said, asking, model.stopwords)
        model.verdicts = learn_verdicts([*sentences, *findings_said(posed, model.stopwords)])
        if graded:
            texts = {name: text for file in topics for name, text in read_topics(file).items()}
            model.use_abstracts(
                abstract_training.learn_graded(model, graded, texts, indexes, stage("Answering"))
            )
    return model
