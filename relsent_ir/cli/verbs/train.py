"""``relsent-ir train``: train models on a collection."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from relsent_ir.cli import options
from relsent_ir.cli.options import Topics
from relsent_ir.cli.output import Outcome, command_line, progress, saved, stages
from relsent_ir.errors import UsageError

if TYPE_CHECKING:
    from relsent_ir.executor import Executor
    from relsent_ir.hits import Run
    from relsent_ir.moves import Abstract


@options.verb()
def ranker(
    index: Path = options.index,
    topics: Topics | None = options.topics("Topics that are judged.", needs="--qrels"),
    qrels: Path | None = options.file(
        "Their judgements.",
        metavar="QRELS",
        type=options.QRELS,
        needs="--topics",
        excludes="--from-references --from-titles",
    ),
    from_references: bool = options.flag(
        "Titles as topics; relevant are the records that share most references with them.",
        excludes="--from-titles --run",
    ),
    from_titles: bool = options.flag(
        "Titles as topics; relevant are their records and the nearest by MeSH.", excludes="--run"
    ),
    depth: int = options.depth,
    runs: tuple[str, ...] = options.evidence,
    related: Path | None = options.related_model,
    dense: str | None = options.option(
        "An encoder's folder, whose vectors of the records are features.", metavar="MODEL"
    ),
    folds: int | None = options.count(
        "Also rank each topic by the other folds' model.", metavar="N", least=2, needs="--folds-run"
    ),
    folds_run: Path | None = options.file(
        "Where the folds' run is written.", metavar="RUN", needs="--folds"
    ),
    seed: int = options.count("Draws titles, pairs and folds.", default=0, least=0),
    output: Path = options.model_output,
) -> Outcome:
    """Learn how all the evidence is weighed: first stage, feedback, sentences, neighbours, ….

    Give --topics with --qrels, or one of --from-references and --from-titles, which need no
    judgements. How much weights are held back is chosen by cross-validation over the topics.
    """
    from relsent_ir.lucene.read.collection import Indexes
    from relsent_ir.ranker.judgements import Judgements, from_records
    from relsent_ir.ranker.store import open_store
    from relsent_ir.ranker.training import learn
    from relsent_ir.related.store import load_related
    from relsent_ir.trec import evaluate, read_qrels, write_run
    from relsent_ir.trec.runs import read_named_runs

    if not (topics or from_references or from_titles):
        raise UsageError(
            "no judgements", fix="--topics with --qrels, or --from-references, or --from-titles"
        )
    named_runs = read_named_runs(runs)
    trained = load_related(related) if related else None
    written: list[Run] = []

    def keep(run: "Run") -> None:
        if folds_run:
            write_run(folds_run, run)
            written.append(run)

    with Indexes(index) as collection, stages("topics") as stage:
        store = open_store(collection, stage("Storing counts"))
        if topics and qrels:
            judged = Judgements.of(collection, topics.read(), read_qrels(qrels), qrels)
        else:
            source = "references" if from_references else "titles"
            judged = from_records(collection, store, source, seed=seed)
        model = learn(
            collection,
            judged,
            depth=depth,
            runs=named_runs,
            related=trained,
            dense=dense,
            seed=seed,
            facts={"command": command_line()},
            stage=stage,
            folds=folds,
            keep=keep,
        )
    training = model.facts["training"]
    # The best figure among strengths is too optimistic: only the run of the folds was held out.
    measured = ""
    for run in written:
        own = {topic: grades for topic, grades in judged.qrels.items() if topic in run}
        measured = f"; MAP of {folds_run} {evaluate(own, run, ['map']).summary['map']:.4f}"
    return saved(
        output,
        model,
        {**training, "weights": model.facts["weights"]},
        f"{output}: {len(model.features)} features of {len(model.groups)} groups, from "
        f"{training['usable']} of {training['topics']} topics" + measured,
        dense=dense,
    )


MODELS = ("huber", "huber-plus", "bayes")


@options.verb()
def related(
    index: Path = options.index,
    kind: str = options.choice("--model", choices=MODELS, default="huber"),
    settings: dict[str, Any] = options.grouped(
        dict,
        pairs=options.count(
            "Related pairs to learn from, with as many unrelated.  [default: all]",
            metavar="N",
            most=options.COUNT_MAX,
        ),
        seed=options.count(default=0, least=0),
        content_share=options.option(
            "The share of the sentences that hold a content word and make pairs; 1: all sentences.",
            type=options.Finite(0, 1, min_open=True),
            default=0.5,
            show_default=True,
            metavar="X",
        ),
        all_records=options.flag("--all", "Learn from all records, not two thirds."),
        lambda0=options.option(
            "Huber's regularisation.  [default: tuned by powers of ten]",
            type=options.Finite(0, min_open=True),
            metavar="X",
        ),
        tune_on=options.option(
            "Tune it on the records that hold all of these words, instead of a fifth of all.",
            default="",
            metavar="QUERY",
        ),
    ),
    stopwords: Path | None = options.file(
        "Words that are no features.  [default: scikit-learn's English ones]", metavar="FILE"
    ),
    executor: "Executor" = options.executor("Processes that read sentences the first time."),
    output: Path = options.model_output,
) -> Outcome:
    """Learn which sentences are related from neighbouring sentences of abstracts.

    A third of the records, by a hash of id and seed, is left for tests.
    """
    from relsent_ir.lucene.read.index import Index
    from relsent_ir.related.tokens import read_stopwords
    from relsent_ir.related.training.train import train

    if settings["tune_on"] and (kind == "bayes" or settings["lambda0"] is not None):
        raise click.UsageError("--tune-on: there is no λ0 to tune with --model bayes or --lambda0.")
    stops = read_stopwords(stopwords) if stopwords else None
    with Index(index) as opened, executor, stages() as stage:
        model = train(
            opened,
            kind,
            stopwords=stops,
            **settings,
            command=command_line(),
            progress=stage,
            executor=executor,
        )
    return saved(output, model, {"model": kind, **model.facts["training"]})


@options.verb()
def moves(
    features: str = options.choice(
        "Ours, or those of the paper.", choices=["ours", "alamri-stevenson"], default="ours"
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
    from relsent_ir.moves.crf import CRF, FEATURES
    from relsent_ir.moves.evaluation import evaluate, held_out

    if bool(inputs) == (index is not None):
        raise UsageError("give one of --input and --index")
    for path in held:
        if path not in (*inputs, index):
            raise UsageError(f"--hold-out {path}", fix="one of the inputs")
    abstracts, data = _read(inputs, index, without)
    parts = tuple(map(str, held))
    scored = {a.id: a for a in abstracts if a.source.startswith(parts) and held_out(a.id)}
    model = CRF.train([a for a in abstracts if a.id not in scored], FEATURES[features])
    if scored:
        data["held_out"] = evaluate(model, scored.values()).to_dict()
    left_out = ", ".join(f"{n} sections {why}" for why, n in data["left_out"].items())
    lines = [
        f"{output}: crf from {data['abstracts'] - len(scored)} of {data['records']} records, "
        f"{data['sentences']} sentences; left out: {left_out or 'nothing'}"
    ]
    if scored:
        score = data["held_out"]
        lines.append(f"{score['abstracts']} only scored: macro F1 {score['macro_f1']:.4f}")
    facts = {"command": command_line(), "data": data}
    return saved(output, model, {"model": "crf", **data}, *lines, facts=facts)


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
            from relsent_ir.lucene.read.collection import read_all
            from relsent_ir.lucene.read.index import Index

            census = LabelCounts()
            with Index(index) as opened:
                source = {str(index): read_all(opened, ids=sorted(opened.ids()))}
                abstracts = take_abstracts(source, census, tick, headings=True, without=passed)
    return abstracts, data_facts(inputs, census)


@click.group(cls=options.Group)
def command() -> None:
    """Train a model."""


for _verb in (related, moves, ranker):
    command.add_command(_verb)
