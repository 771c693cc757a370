"""Training an answer model from files, each kind with what it learns from."""

from collections.abc import Callable, Sequence
from pathlib import Path

from relsent_ir.answers import abstract_training, training
from relsent_ir.answers.model import AnswerModel, LinearModel
from relsent_ir.answers.questions import read_questions
from relsent_ir.answers.sentence_features import load_related
from relsent_ir.answers.words import learn_vectors
from relsent_ir.errors import UsageError
from relsent_ir.files import file_facts
from relsent_ir.moves import default_model
from relsent_ir.moves.labelled import read_abstracts
from relsent_ir.records import list_inputs, read_records
from relsent_ir.trec import read_topics
from relsent_ir.typing import Progress


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
    taught = [path for path, _ in files if training.taught_default_moves(path)]
    taggers = training.Taggers(default_model())
    if taught:
        taggers = training.crossfit(read_abstracts(taught)[0], ids, stage("Training CRFs"))
    vectors = learn_vectors(known) if records and kind == "linear" else None
    posed = (
        training.all_forms(examples, taggers)
        if kind == "linear"
        else training.pose(examples, taggers)
    )
    posed += training.pose(titles, taggers)
    own = [path for path in (said, graded, *topics) if path]
    used = dict.fromkeys([questions, *(path for path, _ in files), *general, *own])
    data = {"files": list(map(file_facts, used)), "questions": len(examples) + len(titles)}
    facts = {"command": command, "data": data}
    model = training.train(kind, posed, vectors, weights, feature_set=feature_set, facts=facts)
    if said and isinstance(model, LinearModel):
        sentences = training.read_said(said, asking, model.stopwords)
        model.verdicts = training.learn_verdicts(
            [*sentences, *training.findings_said(posed, model.stopwords)]
        )
        if graded:
            texts = {name: text for file in topics for name, text in read_topics(file).items()}
            model.use_abstracts(
                abstract_training.learn_graded(model, graded, texts, indexes, stage("Answering"))
            )
    return model
