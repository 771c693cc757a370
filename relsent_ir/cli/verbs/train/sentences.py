"""``relsent-ir train moves`` and ``train answers``: models of the sentences of an abstract."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from relsent_ir.cli import options
from relsent_ir.cli.output import Outcome, command_line, progress, saved, stages
from relsent_ir.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from relsent_ir.lucene.read.index import Index
    from relsent_ir.moves import Abstract
    from relsent_ir.records import Record

_BATCH = 5000  # records that are read at a time


@options.verb()
def moves(
    kind: str = options.choice("--model", choices=["bayes", "bayes-markov", "crf"], default="crf"),
    features: str = options.choice(
        "Of the CRF: ours, or those of the paper.",
        choices=["ours", "alamri-stevenson"],
        default="ours",
    ),
    inputs: tuple[Path, ...] = options.files(
        "--input", "Files and folders of records; each path is a source of its own."
    ),
    index: Path | None = options.folder("Or the records of a collection's indexes."),
    without: tuple[Path, ...] = options.files(
        "Learn from no record that these files and folders hold."
    ),
    held: tuple[Path, ...] = options.files(
        "--hold-out", "Inputs of which a fifth of the records, by their ids, is only scored."
    ),
    output: Path = options.model_output,
) -> Outcome:
    """Learn the moves of sentences from structured abstracts, whose labels or headings give them.

    Takes the abstracts whose labels or inline headings name at least three of the four moves; a
    model sees neither. Sources, and trials and others, are weighed so that the largest does not
    drown the rest.
    """
    from relsent_ir.moves import train_model
    from relsent_ir.moves.evaluation import evaluate, held_out

    if bool(inputs) == (index is not None):
        raise UsageError("give one of --input and --index")
    if features != "ours" and kind != "crf":
        raise UsageError("--features goes with --model crf")
    for path in held:
        if path not in (*inputs, index):
            raise UsageError(f"--hold-out {path}", fix="one of the inputs")
    abstracts, data = _read(inputs, index, without)
    parts = tuple(map(str, held))
    scored = {a.id: a for a in abstracts if a.source.startswith(parts) and held_out(a.id)}
    model = train_model(kind, [a for a in abstracts if a.id not in scored], features)
    if scored:
        data["held_out"] = evaluate(model, scored.values()).to_dict()
    left_out = ", ".join(f"{n} sections {why}" for why, n in data["left_out"].items())
    lines = [
        f"{output}: {kind} from {data['abstracts'] - len(scored)} of {data['records']} records, "
        f"{data['sentences']} sentences; left out: {left_out or 'nothing'}"
    ]
    if scored:
        score = data["held_out"]
        lines.append(f"{score['abstracts']} only scored: macro F1 {score['macro_f1']:.4f}")
    facts = {"command": command_line(), "data": data}
    return saved(output, model, {"model": kind, **data}, *lines, facts=facts)


def _read(
    inputs: tuple[Path, ...], index: Path | None, without: tuple[Path, ...]
) -> "tuple[list[Abstract], dict[str, Any]]":
    """Read the abstracts, and return the facts about them."""
    from relsent_ir.moves import LabelCounts
    from relsent_ir.moves.labelled import data_facts, read_abstracts, record_ids, take_abstracts

    passed = record_ids(without)
    with progress("Reading", "records") as tick:
        if index is None:
            abstracts, census = read_abstracts(inputs, None, tick, headings=True, without=passed)
        else:
            from relsent_ir.lucene.read.index import Index

            census = LabelCounts()
            with Index(index) as opened:
                source = {str(index): _records(opened)}
                abstracts = take_abstracts(source, census, tick, headings=True, without=passed)
    return abstracts, data_facts(inputs, census)


def _records(index: "Index") -> "Iterator[Record]":
    ids = sorted(index.ids())
    for start in range(0, len(ids), _BATCH):
        yield from index.records(ids[start : start + _BATCH])


@options.verb()
def answers(
    kind: str = options.choice("--model", choices=["linear", "tree"], default="linear"),
    questions: Path | None = options.file(
        "--input",
        "Questions with evidence.  [default: answers/answers-train.jsonl below RELSENT_DATA]",
        metavar="JSONL",
    ),
    records: tuple[Path, ...] = options.files(
        "Abstracts: of lines that have none, and to learn words from.  "
        "[default without --input: rct/rct-train.xml.gz below RELSENT_DATA]"
    ),
    general: tuple[Path, ...] = options.files(
        "Records of which those that ask (their title is a question) teach the conclusion; those "
        "that are in --records are left out.  "
        "[default without --input: abstracts/abstracts.jsonl.gz below RELSENT_DATA]"
    ),
    said: Path | None = options.file(
        "What sentences of --general say to the question that is their record's title: on a line "
        "the sentence, a tab, yes, no, unclear or silent.",
        metavar="TSV",
    ),
    graded: Path | None = options.file(
        "Sentences that were read as answers: collection, topic, sentence and grades (0 to 2) with "
        "tabs between; teach whether an abstract answers.",
        metavar="TSV",
        needs="--said",
    ),
    topics: tuple[Path, ...] = options.files("The topics of --graded.", needs="--graded"),
    indexes: tuple[Path, ...] = options.files(
        "--index", "The collections of --graded, by the names of their folders.", needs="--graded"
    ),
    related: Path | None = options.file(
        "Make the score of question and sentence by this model (train related) a feature.",
        metavar="MODEL",
    ),
    feature_set: int = options.count("Of the tree, as the paper numbers them.", default=6, most=6),
    output: Path = options.model_output,
) -> Outcome:
    """Learn which sentences of an abstract answer a question, from questions with evidence.

    Abstracts that the package's model of moves was trained on get their moves from models that
    have not seen them: that takes minutes.
    """
    from relsent_ir.answers.training import train_from_files
    from relsent_ir.datasets.catalogue import data_path

    if questions is None:
        questions = data_path("answers", "answers-train.jsonl")
        records = records or (data_path("rct", "rct-train.xml.gz"),)
        if kind == "linear":
            general = general or (data_path("abstracts", "abstracts.jsonl.gz"),)
    with stages() as stage:
        model = train_from_files(
            kind,
            questions,
            records,
            general,
            related=related,
            feature_set=feature_set,
            said=said,
            graded=graded,
            topics=topics,
            indexes=indexes,
            command=command_line(),
            stage=stage,
        )
    facts = {name: value for name, value in model.facts.items() if name != "features"}
    count = facts["data"]["questions"]
    return saved(
        output,
        model,
        {"model": kind, "questions": count, **facts},
        f"{output}: {kind} from {count} questions",
        *([model.facts["tree"]] if "tree" in model.facts else []),
    )
