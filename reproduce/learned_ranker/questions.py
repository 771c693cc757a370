"""Measures exact questions beside broad topics: ``python -m reproduce.learned_ranker.questions``.

A title of the abstracts that ends in a question mark, of four words or more, is a question;
relevant is the record that it is the title of, and no question's record has a title in the index.
So is, of 1,000 abstracts drawn at random among those with a labelled conclusion, that section's
first clause, in an index of its own, where these abstracts have no titles. 200 questions of each
kind, drawn at random, are for development, the others are kept apart. Broad are cystic fibrosis,
the same topics inside the abstracts, and the drug reviews of the page.
"""

import argparse
import gzip
import json
import random
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from recipes.data import data_path
from relsent_ir.feedback import Engine
from relsent_ir.files import atomic_bytes
from relsent_ir.hits import Run
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.lucene.write.indexing import build_index
from relsent_ir.method import Method, Pipeline
from relsent_ir.methods import BM25, PRESETS, Ranker
from relsent_ir.moves.labelled import labelled_abstracts
from relsent_ir.records import list_inputs, read_records
from relsent_ir.searching import Search
from relsent_ir.trec import Qrels, evaluate, paired_t, read_cystic_fibrosis_qrels, read_topics
from reproduce.data import FILES, collection_index
from reproduce.learned_ranker.sources import CF, drug_reviews, means, mixed
from reproduce.page import Request, interval, table
from reproduce.shatkay_wilbur_2000.systems import labelled_groups

DEVELOPMENT: Final = 200
WORDS: Final = 4
CONCLUSIONS: Final = 1000
CLAUSE: Final = 8
"""Words of a conclusion's first clause, at least."""
SEED: Final = 35
SYSTEMS: Final[Mapping[str, Method | Pipeline]] = {
    "BM25": BM25(),
    "--fb-preset medline-plain": Pipeline(PRESETS["medline-plain"]),
    "--fb-preset medline": Pipeline(PRESETS["medline"]),
    "--ranker ranker": Ranker(),
}
MEASURES: Final = ("recip_rank", "success_1", "map")
Rows = dict[str, dict[str, dict[str, float]]]
Topics = dict[str, str]
"""The question of each record, by its id."""


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--indexes", default=Path("indexes"), type=Path)
    parser.add_argument("--development", action="store_true", help="Nothing that is kept apart.")
    chosen = parser.parse_args()
    request = Request(indexes=chosen.indexes)
    records = _records()
    found: dict[str, Rows] = {}
    kinds = {"titles": _titles(records), "conclusions": _conclusions(records)}
    for kind, drawn in kinds.items():
        parts = {f"{kind}, development": list(drawn)[:DEVELOPMENT]}
        if not chosen.development:
            parts[f"{kind}, kept apart"] = list(drawn)[DEVELOPMENT:]
        folder = "untitled" if kind == "titles" else f"untitled-{kind}"
        with Indexes(_untitled(request, folder, records, drawn)) as collection:
            for part, names in parts.items():
                topics = {name: drawn[name] for name in names}
                found[part] = _measured(collection, topics, {name: {name: 1} for name in names})
    exact = list(found)
    queries = data_path(CF, "cfquery")
    topics, qrels = read_topics(queries), read_cystic_fibrosis_qrels(queries)
    with Indexes(collection_index(request, CF)) as collection:
        found[CF] = _measured(collection, topics, qrels)
    with Indexes(mixed(request)) as collection:
        found["inside the abstracts"] = _measured(collection, topics, qrels)
        titles, relevant, review = drug_reviews(collection, labelled_groups()[0])
        rows = _measured(collection, titles, relevant, own=True)
        found["drug reviews"] = {
            name: {group: {"map": value} for group, value in _means(of, review).items()}
            for name, of in rows.items()
        }
    sys.stdout.write(_table(found, exact) + "\n\n" + _tests(found, exact) + "\n")


def _records() -> list[dict[str, Any]]:
    with gzip.open(data_path(*FILES["abstracts"][0].split("/")), "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def _titles(records: list[dict[str, Any]]) -> Topics:
    """Return the titles that ask, in an order drawn at random."""
    asking = [
        record
        for record in sorted(records, key=lambda record: str(record["id"]))
        if record["source"] != "cf"
        and (record["title"] or "").rstrip().endswith("?")
        and len(record["title"].split()) >= WORDS
    ]
    random.Random(SEED).shuffle(asking)  # noqa: S311 - it draws topics, no secrets
    return {record["id"]: record["title"] for record in asking}


def _conclusions(records: list[dict[str, Any]]) -> Topics:
    """Return first clauses of labelled conclusions, drawn at random."""
    sources = {record["id"]: record["source"] for record in records}
    source = data_path(*FILES["abstracts"][0].split("/"))
    topics = {}
    for abstract in labelled_abstracts(read_records(source), headings=True):
        if abstract.title and sources[abstract.id] != "cf" and "CONCLUSION" in abstract.moves:
            clause = first_clause(abstract.sentences[abstract.moves.index("CONCLUSION")])
            if len(clause.split()) >= CLAUSE:
                topics[abstract.id] = clause
    drawn = random.Random(SEED).sample(sorted(topics), CONCLUSIONS)  # noqa: S311 - as above
    return {name: topics[name] for name in drawn}


def first_clause(sentence: str) -> str:
    """Return what stands before a mark or a bracket, if it has `CLAUSE` words; else all of it."""
    for mark in re.finditer(r"[,;:(]", sentence):
        clause = sentence[: mark.start()]
        if len(clause.split()) >= CLAUSE:
            return clause.strip()
    return sentence.strip().rstrip(".")


def _untitled(request: Request, folder: str, records: list[dict[str, Any]], drawn: Topics) -> Path:
    """Return the index of all abstracts, those that questions are made of without their titles."""
    target = request.indexes / folder
    if not target.exists():
        lines = (
            json.dumps({**record, "title": None} if record["id"] in drawn else record) + "\n"
            for record in records
        )
        source = request.indexes / f"{folder}.jsonl.gz"
        with atomic_bytes(source) as file:
            file.write(gzip.compress("".join(lines).encode(), 1, mtime=0))
        build_index(list_inputs([source])[0], target)
    return target


def _measured(
    collection: Indexes, topics: Mapping[str, str], qrels: Qrels, *, own: bool = False
) -> Rows:
    """Measure each system by topic; with `own`, a topic's own record is no hit."""
    engine = Engine(collection)
    judged = {topic: qrels[topic] for topic in topics if topic in qrels}
    texts = {topic: topics[topic] for topic in judged}
    rows: Rows = {}
    for name, method in SYSTEMS.items():
        run = Search(engine, method).search(texts, 1000)
        if own:
            run = Run((topic, hits.without(topic)) for topic, hits in run.items())
        measured = evaluate(judged, run, [*MEASURES]).topics
        rows[name] = {topic: dict(measured[topic]) for topic in judged}
    return rows


def _means(rows: Mapping[str, Mapping[str, float]], review: Mapping[str, str]) -> dict[str, float]:
    return means({topic: of["map"] for topic, of in rows.items()}, review)


def _mean(rows: Mapping[str, Mapping[str, float]], measure: str) -> float:
    return sum(of[measure] for of in rows.values()) / len(rows)


def _table(found: Mapping[str, Rows], exact: list[str]) -> str:
    broad = list(found)[len(exact) :]
    heads = [f"{part}: {what}" for part in exact for what in ("MRR", "success at 1")]
    cells = []
    for name in SYSTEMS:
        row = [name]
        for part in exact:
            row += [f"{_mean(found[part][name], measure):.4f}" for measure in MEASURES[:2]]
        row += [f"{_mean(found[part][name], 'map'):.4f}" for part in broad]
        cells.append(row)
    sizes = ", ".join(f"{part} {len(found[part]['BM25'])}" for part in found)
    return table(["", *heads, *(f"{part}: MAP" for part in broad)], cells) + f"\n\nTopics: {sizes}."


def _tests(found: Mapping[str, Rows], exact: list[str]) -> str:
    """Set each system against BM25 on exact questions and against the preset on broad topics."""
    cells = []
    for part, rows in found.items():
        base, measure = ("--fb-preset medline", "map")
        if part in exact:
            base, measure = "BM25", MEASURES[0]
        for name in SYSTEMS:
            if name == base:
                continue
            values = [[rows[one][topic][measure] for topic in rows[base]] for one in (name, base)]
            low, high = interval(values[0], values[1])
            more = sum(values[0]) / len(values[0]) - sum(values[1]) / len(values[1])
            p = paired_t(values[0], values[1])
            row = [part, name, base, f"{more:+.4f}", f"{low:+.4f} to {high:+.4f}", f"{p:.2g}"]
            cells.append(row)
    return table(["", "", "more than", "", "95 %", "p (t)"], cells)


if __name__ == "__main__":
    main()
