"""Learns the packaged ranker: ``python -m reproduce.learned_ranker.packaged --dense MODEL``.

No topic is judged by anybody, and none is of cystic fibrosis. Three kinds are broad:

- titles of RCT; relevant are the records whose reference lists are most like that of the title's
  own record, which is no hit; no feature is made of references;
- the same, but the likeness is that of half of the works, and features are made of the other half;
- titles of the abstracts (without the sources cf, hoc and chemexp) in the same way by halves of the
  MeSH headings; only the abstract stands for a record.

And two are exact: titles of RCT and of these abstracts; relevant is the title's own record, without
any title in the index: only the abstract stands for a record. Titles that end with a question mark
are not among them, for `reproduce.learned_ranker.questions` measures with those.

Weights for an encoder's vectors are learned from the two kinds of RCT, beside the score of all
other features (`with_vectors`). The second part has none: a record's vector is of its title, too.
"""

import argparse
import gzip
import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np

from relsent_ir.counts.matrix import Counts
from relsent_ir.datasets.catalogue import data_path
from relsent_ir.dense.retrieval import Vectors
from relsent_ir.files import atomic_bytes
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.lucene.write.indexing import build_index
from relsent_ir.models import save
from relsent_ir.ranker import linear
from relsent_ir.ranker.candidates import CandidateReader
from relsent_ir.ranker.features import GROUPS, names_of
from relsent_ir.ranker.judgements import WORDS, JudgedTopic, draw, from_references, titles_of
from relsent_ir.ranker.linear import DIGITS
from relsent_ir.ranker.model import RankerModel, missing_sets
from relsent_ir.ranker.store import RecordStore, open_store
from relsent_ir.ranker.training import fit, judged_topics
from relsent_ir.records import list_inputs
from relsent_ir.trec import Qrels
from relsent_ir.typing import Floats, NDArray
from reproduce.data import FILES, collection_index
from reproduce.learned_ranker.sources import encoded, tagger
from reproduce.page import Request

OTHERS: Final = ("cf", "hoc", "chemexp")
"""Sources of the abstracts that are not learned from."""
BROAD: Final = 200
"""Topics of each broad kind."""
EXACT: Final = {"abstracts": 500, "rct": 400}
SEED: Final = 3
BASE: Final = tuple(name for name in GROUPS if name not in ("related", "dense"))
WANTED: Final = (*BASE, "dense")
Read = tuple[list[JudgedTopic], tuple[str, ...]]


def main() -> None:
    """Learn, save, and tell how many topics there were."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--indexes", default=Path("indexes"), type=Path)
    parser.add_argument("--dense", required=True, type=Path, help="An encoder's folder.")
    parser.add_argument("--output", default=Path("relsent_ir/ranker/default"), type=Path)
    chosen = parser.parse_args()
    request, folder = Request(indexes=chosen.indexes), chosen.dense
    with Indexes(collection_index(request, "rct", folder="rct-moves", tagger=tagger())) as rct:
        judged = from_references(rct, open_store(rct), BROAD)
        vectors = encoded(rct, folder)
        reader = CandidateReader(rct, without_own=True, vectors=vectors)
        wanted = [name for name in WANTED if name not in judged.left_out]
        broad = [judged_topics(reader, judged.topics, judged.qrels, wanted)]
        broad.append(_halves(rct, "references", "contents", vectors))
        exact = [_exact(rct, EXACT["rct"])]
    with Indexes(_abstracts(request)) as abstracts:
        broad.append(_halves(abstracts, "headings", "abstract"))
        exact.append(_exact(abstracts, EXACT["abstracts"]))
    command = "python -m reproduce.learned_ranker.packaged --dense MODEL"
    counts = {"broad": [len(read) for read, _ in broad], "exact": [len(read) for read, _ in exact]}
    model = fit(
        _aligned(broad, BASE),
        BASE,
        questions=_aligned(exact, BASE),
        facts={
            "command": command,
            "judgements": "references, MeSH, titles",
            "of": counts,
            "encoder": vectors.digest,
        },
    )
    save(chosen.output, with_vectors(model, _aligned(broad[:2], WANTED)))
    sys.stdout.write(f"{chosen.output}: {counts}\n")


def _abstracts(request: Request) -> Path:
    """Return the index of the abstracts without some sources."""
    target = request.indexes / "abstracts-to-learn"
    if not target.exists():
        kept = request.indexes / "abstracts-to-learn.jsonl.gz"
        with gzip.open(data_path(*FILES["abstracts"][0].split("/")), "rb") as lines:
            some = b"".join(line for line in lines if json.loads(line)["source"] not in OTHERS)
        with atomic_bytes(kept) as file:
            file.write(gzip.compress(some, 1, mtime=0))
        build_index(list_inputs([kept])[0], target)
    return target


def _exact(collection: Indexes, count: int) -> Read:
    """Read titles whose own record is relevant, among records without titles."""
    store = open_store(collection)
    order = np.random.default_rng(SEED).permutation(len(store))
    long = np.diff(store.counts["title"].matrix.indptr) >= WORDS
    rows = [row for row in order.tolist() if long[row] and store.records[row, 0]][: 2 * count]
    told = titles_of(collection, store, rows)
    topics = {name: text for name, text in told.items() if not text.endswith("?")}
    topics = dict(list(topics.items())[:count])
    qrels: Qrels = {name: {name: 1} for name in topics}
    wanted = [name for name in WANTED if name != "titles"]
    return judged_topics(CandidateReader(collection, field="abstract"), topics, qrels, wanted)


def with_vectors(model: RankerModel, topics: Sequence[JudgedTopic]) -> RankerModel:
    """Add weights for an encoder's vectors, beside what a ranker of the other groups says.

    Of each set of groups there is, its score and the features of vectors are weighed; without an
    encoder the ranker is what it was.

    Parameters
    ----------
    model : RankerModel
        Of the groups `BASE`.
    topics : sequence of JudgedTopic
        With the features of `WANTED`.
    """
    vectors = len(names_of(["dense"]))
    usable = [topic for topic in topics if topic.usable]
    learned: dict[frozenset[str], Floats] = {}
    exact: dict[frozenset[str], Floats] = {}
    for missing in missing_sets(WANTED):
        base = model.learned[missing - {"dense"}]
        weights = np.append(base, np.zeros(vectors))
        if "dense" not in missing:
            scores = [topic.features @ weights for topic in usable]
            scale = float(np.mean([score.std() for score in scores]))
            told = [
                replace(one, features=np.column_stack([score / scale, one.features[:, -vectors:]]))
                for one, score in zip(usable, scores, strict=True)
            ]
            share, *others = linear.learn(told, model.facts["training"]["strength"], 0)
            weights = np.append(base, np.array(others) * scale / share)
        learned[missing] = np.array([float(f"{one:.{DIGITS}g}") for one in weights])
        exact[missing] = np.append(model.exact[missing - {"dense"}], np.zeros(vectors))
    names = names_of(WANTED)
    whole = learned[frozenset()]
    shown = dict(zip(names, whole.tolist(), strict=True))
    return replace(
        model, groups=WANTED, learned=learned, exact=exact, facts={**model.facts, "weights": shown}
    )


def _halves(collection: Indexes, kind: str, field: str, vectors: Vectors | None = None) -> Read:
    """Read titles whose relevant records share a half of references, or of MeSH headings."""
    store = open_store(collection)
    first = np.random.default_rng(SEED).random(store.counts[kind].matrix.shape[1]) < 0.5
    rows, qrels = draw(collection, _part(store, kind, first), kind, BROAD, SEED, own=False)
    rest = _part(store, kind, ~first)
    reader = CandidateReader(collection, field=field, without_own=True, store=rest, vectors=vectors)
    return judged_topics(reader, titles_of(collection, store, rows), qrels, list(WANTED))


def _part(store: RecordStore, kind: str, chosen: NDArray[np.bool_]) -> RecordStore:
    """Leave some columns of counts, and no links between records."""
    counts = store.counts[kind]
    matrix = counts.matrix[:, np.flatnonzero(chosen)].tocsr()
    sums = matrix.sum(axis=1)
    part = Counts(matrix, counts.df[chosen], float(sums[sums > 0].mean()))
    others = {name: of for name, of in store.counts.items() if name != "links"}
    return replace(store, counts={**others, kind: part})


def _aligned(reads: Sequence[Read], wanted: Sequence[str]) -> list[JudgedTopic]:
    """Write the features of all collections in one order, 0 where a collection lacks them."""
    names = names_of(wanted)
    aligned = []
    for topics, groups in reads:
        own = names_of(groups)
        shared = [name for name in own if name in names]
        for topic in topics:
            features = np.zeros((len(topic.grades), len(names)))
            of = [own.index(name) for name in shared]
            features[:, [names.index(name) for name in shared]] = topic.features[:, of]
            aligned.append(replace(topic, features=features))
    return aligned


if __name__ == "__main__":
    main()
