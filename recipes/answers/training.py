"""Train answer models, with moves from CRFs that have not seen the abstract."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from recipes.answers.readings import (
    describe_answered,
    describe_graded,
    findings_said,
    learn_abstracts,
    learn_verdicts,
    read_claims,
    read_said,
    read_titles,
    unseen_titles,
)
from recipes.answers.titles import (
    HALVES,
    all_forms,
    asks,
    fold,
    general_questions,
    half,
    read_asking,
)
from recipes.answers.vectors import learn_vectors
from recipes.answers.weights import PENALTY, Example, train_weights
from relsent_ir.answers.language import QuestionParts, WordVectors, parse
from relsent_ir.answers.model import AnswerModel
from relsent_ir.answers.questions import Posed, Taggers, gold, pose, read_questions, title
from relsent_ir.answers.sentence_features import PLACES, question_features, sentence_features
from relsent_ir.errors import InputError, UsageError
from relsent_ir.files import file_facts, sha256
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.models import load_folder, packaged
from relsent_ir.moves import Abstract, default_model
from relsent_ir.moves.crf import CRF
from relsent_ir.moves.labelled import read_abstracts
from relsent_ir.records import list_inputs, read_records
from relsent_ir.trec import read_topics
from relsent_ir.typing import Progress

CRF_FOLDS: Final = 2


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
    posed: Sequence[Posed],
    vectors: WordVectors | None = None,
    *,
    penalty: float = PENALTY,
    facts: Mapping[str, Any] | None = None,
) -> AnswerModel:
    """Train a model.

    Parameters
    ----------
    posed : sequence of Posed
        Questions with evidence.
    vectors : WordVectors, optional
        Learned from the questions' abstracts if None.
    penalty : float
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
    if vectors is None:
        records = {p.question.record.id: p.question.record for p in posed}
        vectors = learn_vectors(list(records.values()))
    taught = examples(posed, vectors)
    weights = train_weights(taught, penalty, unseen=PLACES)
    return AnswerModel(weights, vectors, dict(facts or {}))


def examples(posed: Sequence[Posed], vectors: WordVectors) -> list[Example]:
    """Return the training data of the linear model."""
    taught = []
    for p in posed:
        answers = gold(p)
        moves = [p.tagged[n].move for n in np.flatnonzero(answers).tolist()]
        question = parse(p.question.text)
        if p.whole:
            question = replace(question, parts=QuestionParts("", "", question.text))
        taught.append(
            Example(
                p.question.record.id,
                sentence_features(question, title(p.question), p.tagged, vectors),
                question_features(question),
                answers,
                2 * moves.count("CONCLUSION") > len(moves),
                p.whole,
                tuple(sentence.move for sentence in p.tagged),
            )
        )
    return taught


def train_from_files(
    questions: Path,
    records: Sequence[Path] = (),
    general: Sequence[Path] = (),
    *,
    said: Path | None = None,
    graded: Path | None = None,
    topics: Sequence[Path] = (),
    indexes: Sequence[Path] = (),
    claims: Sequence[Path] = (),
    command: str = "",
    stage: Callable[[str], Progress | None] = lambda _: None,
) -> AnswerModel:
    """Train a model on questions with evidence.

    Parameters
    ----------
    questions : Path
        Their file.
    records : sequence of Path
        Abstracts for the lines without one, and training data for words. If the packaged model of
        moves was trained on them, other models, which have not seen them, tag them.
    general : sequence of Path
        Records; titles that ask teach the conclusion.
    said : Path, optional
        Verdicts of sentences of `general` on their titles
        (`recipes.answers.readings.read_said`).
    graded : Path, optional
        Grades of sentences as answers (`readings.read_graded`), besides `said`.
    topics, indexes : sequence of Path
        For `graded`: the questions, and the collections, by the names of their folders. The idf of
        the first weighs the words of titles and claims.
    claims : sequence of Path
        Files of `recipes.answers.readings.read_claims`, besides `graded`.
    command : str
        The command, for the model's facts.
    stage : callable, optional
        Begins a part of the work by its title, and returns its progress.

    Raises
    ------
    UsageError
        If `said` comes without records.
    """
    if said and not general:
        raise UsageError("--said needs --general")
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
    vectors = learn_vectors(abstracts) if records else None
    posed = all_forms(examples, taggers)
    posed += pose(titles, taggers)
    judgements = [path for path in (said, graded, *topics, *claims) if path]
    paths = dict.fromkeys([questions, *(path for path, _ in files), *general, *judgements])
    data = {"files": list(map(file_facts, paths)), "questions": len(examples) + len(titles)}
    facts = {"command": command, "data": data}
    model = train(posed, vectors, facts=facts)
    if said:
        sentences = read_said(said, asking, model.stopwords)
        sentences += findings_said(posed, model.stopwords)
        model.verdicts = learn_verdicts(sentences)
        if graded:
            texts = {name: text for file in topics for name, text in read_topics(file).items()}
            read = describe_graded(model, graded, texts, indexes, stage("Answering"))
            with Indexes(indexes[0]) as collection:
                parts = [
                    describe_answered(unseen, collection, some)
                    for unseen, some in unseen_titles(model, read_titles(said, asking), sentences)
                ]
                marks = [mark for _, some in parts for mark in some]
                cited = read_claims(*claims) if claims else []
                model.abstracts = learn_abstracts(
                    read,
                    (np.vstack([rows for rows, _ in parts]), marks),
                    describe_answered(model, collection, cited),
                )
    return model
