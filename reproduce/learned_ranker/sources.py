"""Indexes, topics and peers of the page."""

import gzip
from collections.abc import Mapping
from itertools import product
from pathlib import Path
from statistics import mean
from typing import Final

from recipes.data import data_path
from relsent_ir.dense.encoder import open_encoder
from relsent_ir.dense.retrieval import Vectors
from relsent_ir.dense.rows import Source, encode_index
from relsent_ir.feedback import Engine
from relsent_ir.files import atomic_bytes
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.lucene.write.indexing import build_index
from relsent_ir.methods import BM25, RM3, Rocchio
from relsent_ir.records import list_inputs
from relsent_ir.trec import Qrels, evaluate
from relsent_ir.tuning import folds, select
from relsent_ir.typing import Progress
from reproduce.data import FILES
from reproduce.learned_ranker.study import FOLDS, Values
from reproduce.page import Request
from reproduce.shatkay_wilbur_2000.systems import Groups, draw

CF: Final = "cystic-fibrosis"
MIXED: Final = "mixed"
ENCODER: Final = "minilm"
"""Where an encoder's folder is looked for among the indexes."""


def encoded(collection: Indexes, folder: Path) -> Vectors:
    """Return the vectors of the records by an encoder."""
    encode_index(collection.abstracts, Source(open_encoder(folder)))
    return Vectors.open(collection.abstracts, str(folder))


def mixed(request: Request) -> Path:
    """Return the index of the abstracts without those of cystic fibrosis, and that collection."""
    target = request.indexes / MIXED
    if not target.exists():
        others = request.indexes / "abstracts-without-cf.jsonl.gz"
        with gzip.open(data_path(*FILES["abstracts"][0].split("/")), "rb") as lines:
            kept = b"".join(line for line in lines if b'"id": "cf-' not in line[:40])
        with atomic_bytes(others) as file:
            file.write(gzip.compress(kept, 1, mtime=0))
        inputs, _ = list_inputs([others, *(data_path(name) for name in FILES[CF])])
        build_index(inputs, target)
    return target


TITLES: Final = 10
"""Titles of each review that are topics."""


def means(values: Mapping[str, float], review: Mapping[str, str]) -> Values:
    """Average over the titles of each review: they are not independent of each other."""
    found: dict[str, list[float]] = {}
    for topic, value in values.items():
        found.setdefault(review[topic], []).append(value)
    return {name: mean(of) for name, of in found.items()}


def drug_reviews(
    collection: Indexes, groups: Groups
) -> tuple[dict[str, str], Qrels, dict[str, str]]:
    """Draw titles of each review; one that two reviews draw is the first's.

    Returns
    -------
    topics : dict of str to str
        Titles, by their records' ids.
    qrels : Qrels
        The other records that passed the same review's screening of abstracts.
    review : dict of str to str
        The review of each topic.
    """
    drawn = draw("", groups, sorted(groups), TITLES)
    review: dict[str, str] = {}
    qrels: Qrels = {}
    for topic, record in drawn.kernel.items():
        if record not in review:
            review[record] = topic.partition("/")[0]
            qrels[record] = drawn.qrels[topic]
    titles = {one.id: one.title for one in collection.records(list(review))}
    return {record: titles[record] for record in review}, qrels, review


RANKERS: Final = (BM25(), BM25(1.2, 0.75))
RM3S: Final = [RM3(m, k, w) for m, k, w in product((10, 20, 40), (5, 10, 20), (0.35, 0.5))]
ROCCHIOS: Final = [
    Rocchio(m, k, 1.0, beta) for m, k, beta in product((20, 40, 80), (5, 10, 20), (0.75, 1.5))
]
BM25_ROW: Final = "BM25"
PEERS: Final = ("Anserini's RM3, tuned", "Anserini's Rocchio, tuned")

System = tuple[BM25, RM3 | Rocchio | None]


def peers(
    engine: Engine, topics: dict[str, str], qrels: Qrels, progress: Progress, *, tuned: bool = True
) -> dict[str, Values]:
    """Measure BM25, and the peers with the settings that each fold's other topics choose."""
    names = [topic for topic in topics if topic in qrels]
    judged = {topic: qrels[topic] for topic in names}
    asked = {topic: topics[topic] for topic in names}

    def score(system: System) -> Values:
        ranker, feedback = system
        run = engine.searcher(ranker, feedback=feedback).search(asked)
        progress(0, None)
        return {topic: of["map"] for topic, of in evaluate(judged, run, ["map"]).topics.items()}

    found = {BM25_ROW: score((RANKERS[0], None))}
    if tuned:
        splits = folds(names, FOLDS)
        tried: dict[str, list[RM3] | list[Rocchio]] = dict(
            zip(PEERS, (RM3S, ROCCHIOS), strict=True)
        )
        for name, settings in tried.items():
            systems: list[System] = [(ranker, one) for ranker in RANKERS for one in settings]
            found[name] = select(systems, score, splits).held_out()
    return found
