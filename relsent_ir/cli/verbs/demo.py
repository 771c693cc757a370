"""``relsent-ir demo``: fetch a collection, index it, read it and measure it, all at once."""

import shutil
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from relsent_ir.cli import options
from relsent_ir.cli.output import Display, print_json, print_table, progress
from relsent_ir.errors import MissingError

if TYPE_CHECKING:
    from relsent_ir.api import Collection
    from relsent_ir.datasets import Fetched
    from relsent_ir.hit import Hit
    from relsent_ir.trec import Evaluation

MEASURES: Final = {"map": "MAP", "P_10": "P@10", "ndcg_cut_10": "nDCG@10", "recall_100": "R@100"}
QUESTIONS: Final = {
    "cystic-fibrosis": "Does cimetidine improve pancreatic enzyme therapy in cystic fibrosis?",
    "sample": "Does vitamin D prevent falls in older people?",
}
READ: Final = 3  # hits of each kind that are shown


@options.verb()
def command(
    sample: bool = options.heap(options.flag("Use the bundled sample of invented records.")),
    as_json: bool = options.as_json,
) -> None:
    """Fetch the cystic fibrosis collection, index it, ask it a question, measure its topics.

    Where neither its data nor the network is there, the bundled sample takes its place. Writes
    below collections/, indexes/, topics/, qrels/ and runs/ of the current folder.
    """
    from relsent_ir.api import open_collection
    from relsent_ir.lucene.write.changing import model_tagger
    from relsent_ir.lucene.write.indexing import build_index
    from relsent_ir.methods import Related
    from relsent_ir.records import list_inputs

    fetched = _collection(sample=sample)
    name, index = fetched.name, Path("indexes", fetched.name)
    files, _ = list_inputs([fetched.folder])
    with progress("Indexing", "B") as tick:
        build_index(files, index, progress=tick, tagger=model_tagger(None))
    with open_collection(index) as collection:
        question, size = QUESTIONS[name], len(collection)
        results = collection.answer(question, k=READ)
        answers = list(results)
        best = answers[0].evidence
        topic = f"{answers[0].record.id}.0"  # hits come from other records
        related = collection.related({topic: best.text}, Related(without_own=True), READ)[topic]
        sentences = list(collection.results(related, best.text))
        rows = _measured(collection, fetched)
    if as_json:
        shown = {"answers": answers, "related": sentences}
        print_json(
            {"collection": name, "records": size, "topics": rows["BM25"]["num_q"]}
            | {what: [hit.to_dict() for hit in hits] for what, hits in shown.items()}
            | {"runs": rows}
        )
        return
    click.echo(f"{name}: {size:,} records, {rows['BM25']['num_q']} topics\n")
    view = Display()
    _show(view, f"Question: {question}\n{results.facts['pooled']['headline']}", answers)
    _show(view, f"Related to: {best.text}", sentences)
    _show_rows(rows)
    _show_way_on(name, fetched.folder, index)


def _measured(collection: "Collection", fetched: "Fetched") -> dict[str, dict[str, Any]]:
    """Search the topics, write the runs, measure them, and compare them with BM25's run."""
    from relsent_ir.method import Method, Pipeline
    from relsent_ir.methods import BM25, PRESETS, RM3, Ranker, Rocchio
    from relsent_ir.trec import compare, evaluate, read_qrels, read_topics, write_run

    topics, qrels = read_topics(next(iter(fetched.topics))), read_qrels(next(iter(fetched.qrels)))
    methods: dict[str, Method | Pipeline] = {
        "BM25": BM25(),
        "ranker": Ranker(),
        "preset medline": Pipeline(PRESETS["medline"]),
        "BM25 + RM3": RM3(),
        "BM25 + Rocchio": Rocchio(),
    }
    runs = {label: collection.search(topics, method) for label, method in methods.items()}
    scores: dict[str, Evaluation] = {}
    for label, run in runs.items():
        tag = label.split()[-1].lower()
        write_run(Path("runs", f"{fetched.name}.{tag}.txt"), run, tag=tag)
        scores[label] = evaluate(qrels, run, MEASURES)
    rows: dict[str, dict[str, Any]] = {
        label: {**of.summary, "num_q": len(of.topics)} for label, of in scores.items()
    }
    baseline, *systems = scores.values()
    for label, comparison in zip(list(rows)[1:], compare(baseline, systems, ["map"]), strict=True):
        rows[label] |= {
            "better": comparison.wins,
            "worse": comparison.losses,
            "p": comparison.p["t"],
        }
    return rows


def _show(view: Display, title: str, hits: "list[Hit]") -> None:
    click.echo(view.screen.style(title, bold=True), color=True)
    for hit in hits:
        view.screen.show(hit)
    click.echo()


def _show_rows(rows: dict[str, dict[str, Any]]) -> None:
    """Print the measures, and how much a run's MAP exceeds BM25's, and on which topics."""
    base = rows["BM25"]["map"]
    table = []
    for label, row in rows.items():
        better = ["", "", ""]
        if "p" in row:
            change = f"{100 * (row['map'] / base - 1):+.1f} %"
            better = [change, f"{row['better']}/{row['worse']}", f"{row['p']:.2g}"]
        table.append([label, *(f"{row[name]:.4f}" for name in MEASURES), *better])
    print_table(["", *MEASURES.values(), "MAP", "better/worse", "p (t test)"], table)


def _show_way_on(name: str, folder: Path, index: Path) -> None:
    """Print commands that can be run here unchanged."""
    script = Path(sys.executable).parent / "relsent-ir"
    on_path = shutil.which("relsent-ir")
    installed = on_path is not None and Path(on_path).resolve() == script.resolve()
    command = "relsent-ir"
    if not installed and script.is_file():
        here = Path.cwd()
        command = str(script.relative_to(here) if script.is_relative_to(here) else script)
    needed = ""
    if not find_spec("fastapi"):
        needed = ", by `make serve`" if Path("Makefile").is_file() else ", with relsent-ir[web]"
    topics, run = f"--topics topics/{name}.tsv", "--output runs/my.txt"
    click.echo(
        f"\nGo on from here:\n"
        f'  {command} answer --index {index} --question "{QUESTIONS[name]}"\n'
        f"  {command} search --index {index} {topics} --rm3 {run}\n"
        f"  {command} compare qrels/{name}.txt runs/{name}.bm25.txt runs/my.txt -m map\n"
        f"  {command} index --input {folder} --index indexes/mine    # or a folder of your own\n"
        f"  {command} serve --index {index}    # read it in a browser{needed}\n"
        f"  {command} --help"
    )
    if command != "relsent-ir":
        click.echo(f"With `source {Path(command).parent / 'activate'}`, `relsent-ir` will do.")


def _collection(*, sample: bool) -> "Fetched":
    """Get cystic fibrosis from this machine or the web; if that fails, the sample."""
    from relsent_ir.datasets import fetch

    if not sample:
        name = "cystic-fibrosis"
        try:
            with progress(f"Fetching {name}", "B") as tick:
                return fetch(name, tick=tick)
        except MissingError as error:
            click.echo(f"{name} cannot be had here ({error.problem}).", err=True)
            click.echo("Using the bundled sample of invented records instead.", err=True)
    return fetch("sample")
