"""``relsent-ir demo``: a collection fetched, indexed, searched and measured, in one go."""

from collections import Counter
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from relsent_ir.cli.console import print_json, print_table, progress
from relsent_ir.cli.options import heap_option, json_option
from relsent_ir.errors import MismatchError, MissingError

if TYPE_CHECKING:
    from relsent_ir.hits import Run
    from relsent_ir.lucene.collection import Collection
    from relsent_ir.lucene.index import Index

MEASURES = {"map": "MAP", "P_10": "P@10", "ndcg_cut_10": "nDCG@10", "recall_100": "R@100"}

ENTITIES = {
    "cystic-fibrosis": ("trypsin", "alpha 2-macroglobulin"),
    "sample": ("TNF-alpha", "NF-kappa B"),
}


@click.command()
@click.option("--sample", is_flag=True, help="Use the bundled sample of invented records.")
@heap_option
@json_option
def command(sample: bool, as_json: bool) -> None:
    """Fetch the cystic fibrosis collection, index it, search its topics and measure the runs.

    Where neither its data nor the network is there, the bundled sample takes its place. Writes
    below collections/, indexes/, topics/, qrels/ and runs/ of the current folder.
    """
    from relsent_ir.lucene.collection import Collection
    from relsent_ir.lucene.index import Index
    from relsent_ir.lucene.indexing import build_index
    from relsent_ir.records import list_inputs
    from relsent_ir.trec import evaluate, read_qrels, read_topics, write_run

    name, inputs = ("sample", _sample()) if sample else _collection()
    index = Path("indexes", name)
    found, _ = list_inputs([inputs])
    with progress("Indexing", "records") as tick:
        build_index(found, index, progress=tick)
    topics = read_topics(Path("topics", f"{name}.tsv"))
    qrels = read_qrels(Path("qrels", f"{name}.txt"))
    rows = {}
    with Index(index) as abstracts, Index(index, "sentences") as sentences:
        for label, run in _runs(abstracts, sentences, topics):
            tag = label.partition(" (")[0].lower().replace(" ", "-")
            write_run(Path("runs", f"{name}.{tag}.txt"), run, tag=tag)
            rows[label] = evaluate(qrels, run, MEASURES).summary
        records = len(abstracts)
        collection = Collection.of(abstracts, sentences)
        moves = _moves(abstracts)
        similar = _similar(collection)
        answers = _answers(collection, topics)
        related = _related(collection, ENTITIES[name])
    if as_json:
        facts = {"collection": name, "records": records, "topics": len(topics)}
        more = {"moves": moves, "similar": similar, "answers": answers, "related": related}
        print_json({**facts, "runs": rows, **more})
        return
    click.echo(f"{name}: {records} records, {len(topics)} topics, top 1000\n")
    print_table(
        ["", *MEASURES.values()],
        [[label, *(f"{row[m]:.4f}" for m in MEASURES)] for label, row in rows.items()],
    )
    counts = ", ".join(f"{count} {move}" for move, count in moves.items())
    click.echo(f"\nSentences by their moves (the CRF that comes with the package): {counts}")
    if similar:
        values = ", ".join(f"{method} {value:.4f}" for method, value in similar.items())
        click.echo(f"Similar articles, 100 topics made of reference lists, MAP: {values}")
    best = ", ".join(f"{a['id']} {a['move']} {a['probability']:.2f}" for a in answers)
    click.echo(f"Topic {next(iter(topics))}, best answers of BM25's first abstracts: {best}")
    first = ", ".join(f"{hit} {score:.2f}" for hit, score in related.items())
    click.echo(f"{' and '.join(ENTITIES[name])}, sentences that relate them best: {first}")
    click.echo(
        f"\nThe first row by hand:\n"
        f"  relsent-ir index --input {inputs} --index {index}\n"
        f"  relsent-ir search --index {index} --topics topics/{name}.tsv --output runs/mine.txt\n"
        f"  relsent-ir evaluate qrels/{name}.txt runs/mine.txt -m map -m P.10"
    )


def _runs(
    abstracts: "Index", sentences: "Index", topics: dict[str, str]
) -> Iterator[tuple[str, "Run"]]:
    """Every method that the package has, with its defaults, over the same topics."""
    from relsent_ir.feedback import RM3, FeedbackSearcher, Rocchio
    from relsent_ir.feedback.move_sentences import MoveSentences, Tags
    from relsent_ir.hits import Run
    from relsent_ir.lucene.collection import Collection
    from relsent_ir.lucene.search import BM25, QueryLikelihood, Searcher
    from relsent_ir.related.reranking import RelatedReranker
    from relsent_ir.themes import IMPROVED, IMPROVED_FIELDS, Terms, ThemeFinder

    bm25 = Searcher(abstracts, BM25()).search(topics)
    yield "BM25 (k1 0.9, b 0.4)", bm25
    conclusions = MoveSentences(Tags(abstracts), {"CONCLUSION": 1.0})
    for label, feedback, source in (
        ("RM3 (10 terms, 10 documents, 0.5)", RM3(), None),
        ("Rocchio (10 terms, 10 documents)", Rocchio(), None),
        ("Rocchio from CONCLUSION (sentences)", Rocchio(), conclusions),
    ):
        engine = FeedbackSearcher(Searcher(abstracts), abstracts, feedback, source)
        yield label, engine.search(topics, first=bm25)
    yield "QLD (mu 1000)", Searcher(abstracts, QueryLikelihood()).search(topics)
    found = Searcher(sentences, BM25()).search(topics)
    yield "Sentences (BM25, best of a record)", Run((q, h.max_passage()) for q, h in found.items())
    ordered = RelatedReranker("I1.5").rerank(Collection.of(abstracts, sentences), bm25, topics)
    yield "I1.5 (BM25's hits by their best)", ordered
    with ThemeFinder(abstracts.folder, IMPROVED, Terms(IMPROVED_FIELDS)) as finder:
        yield "Themes (improved, of the first hit)", finder.run(finder.from_hits(topics, 1))


def _moves(abstracts: "Index") -> dict[str, int]:
    """Count the sentences that have each argumentative move."""
    from relsent_ir.moves import MOVES, default_model, tag_record

    model = default_model()
    found = Counter(
        tagged.move
        for record in abstracts.records(abstracts.ids())
        for tagged in tag_record(model, record)
    )
    return {move: found[move] for move in MOVES}


def _similar(collection: "Collection") -> dict[str, float]:
    """Find similar articles for topics made of reference lists; {} if there are too few."""
    from relsent_ir.citation.benchmark import Plan, build_benchmark
    from relsent_ir.citation.graph import CitationGraph
    from relsent_ir.citation.similar import find_similar
    from relsent_ir.trec import evaluate

    try:
        graph = CitationGraph.build(collection.records(collection.abstracts.ids()))
        sets = build_benchmark(graph, Plan()).sets
    except MismatchError:
        return {}
    qrels = {topic: grades for some in sets for topic, grades in some.items()}
    return {
        method: evaluate(qrels, find_similar(collection, list(qrels), method), ["map"]).summary[
            "map"
        ]
        for method in ("bm25", "more-like-this", "pmra", "ltc.atn")
    }


def _answers(collection: "Collection", topics: dict[str, str]) -> list[dict[str, Any]]:
    """Ask the first topic, and give the best sentence of each of BM25's first abstracts."""
    from relsent_ir.answers import default_model
    from relsent_ir.answers.searching import search

    (found,) = search(
        collection, dict([next(iter(topics.items()))]), default_model(), depth=3
    ).values()
    return [
        {"id": best.id, "move": best.move, "probability": round(best.probability, 4)}
        for best in (one.answers[0] for one in found if one.answers)
    ]


def _related(collection: "Collection", entities: tuple[str, str]) -> dict[str, float]:
    """Rank the sentences that mention two entities; the first three."""
    from relsent_ir.relations import default_ranker, find_mentions, rank

    known = find_mentions(collection, entities).candidates
    hits = rank(known, default_ranker().score(known), 3)["1"]
    return dict(zip(hits.ids.tolist(), hits.scores.tolist(), strict=True))


def _collection() -> tuple[str, Path]:
    """Get cystic fibrosis from this machine or the web, else the sample."""
    from relsent_ir.datasets import fetch

    name = "cystic-fibrosis"
    try:
        with progress(f"Fetching {name}", "B") as tick:
            return name, fetch(name, tick=tick).folder
    except MissingError as error:
        click.echo(f"{name} cannot be had here ({error.problem}).", err=True)
        click.echo("Using the bundled sample of invented records instead.", err=True)
        return "sample", _sample()


def _sample() -> Path:
    """Find the sample's records in the package; its topics and qrels are in the repository."""
    if not Path("topics", "sample.tsv").exists():
        raise MissingError(
            "the sample's topics are not here", where="topics/sample.tsv", fix="run in the checkout"
        )
    return Path(str(files("relsent_ir") / "datasets" / "sample" / "sample.xml"))
