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

The weight of an encoder's cosine is learned beside the score of all other features: in the first
part from the two kinds of RCT, in the second from titles of RCT, in an index without any title
(`with_vectors`).
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

from recipes.data import data_path
from relsent_ir.counts.matrix import Counts
from relsent_ir.counts.store import CountStore
from relsent_ir.dense.retrieval import Vectors
from relsent_ir.files import atomic_bytes
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.lucene.write.indexing import build_index
from relsent_ir.models import save
from relsent_ir.ranker.candidates import CandidateReader
from relsent_ir.ranker.features import GROUPS, names_of
from relsent_ir.ranker.judgements import WORDS, JudgedTopic, draw, from_records, titles_of
from relsent_ir.ranker.learning import DIGITS, learn_exact, learn_linear
from relsent_ir.ranker.model import RankerModel, missing_sets
from relsent_ir.ranker.store import open_store
from relsent_ir.ranker.training import fit, judged_topics
from relsent_ir.records import list_inputs, read_records
from relsent_ir.trec import Qrels
from relsent_ir.typing import Floats, NDArray
from reproduce.data import FILES, collection_index
from reproduce.learned_ranker.sources import encoded
from reproduce.page import Request

OTHERS: Final = ("cf", "hoc", "chemexp")
"""Sources of the abstracts that are not learned from."""
BROAD: Final = 150
"""Topics of each broad kind."""
EXACT: Final = {"abstracts": 250, "rct": 200}
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
    with Indexes(collection_index(request, "rct")) as rct:
        judged = from_records(rct, open_store(rct), "references", BROAD)
        vectors = encoded(rct, folder)
        reader = CandidateReader(rct, without_own=True, vectors=vectors)
        wanted = [name for name in WANTED if name not in judged.left_out]
        broad = [judged_topics(reader, judged.topics, judged.qrels, wanted)]
        broad.append(_halves(rct, "references", "contents", vectors))
        titles = _drawn(rct, EXACT["rct"])
    with Indexes(_untitled(request)) as untitled:
        exact = [_exact(untitled, titles, encoded(untitled, folder))]
    with Indexes(_abstracts(request)) as abstracts:
        broad.append(_halves(abstracts, "headings", "abstract"))
        exact.append(_exact(abstracts, _drawn(abstracts, EXACT["abstracts"])))
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
            "encoder": vectors.rows.facts["weights"],
        },
    )
    known = _aligned(broad[:2], WANTED), _aligned(exact[:1], WANTED)
    save(chosen.output, with_vectors(model, *known))
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


def _untitled(request: Request) -> Path:
    """Return the index of RCT without titles."""
    target = request.indexes / "rct-untitled"
    if not target.exists():
        source = request.indexes / "rct-untitled.jsonl.gz"
        paths = [data_path(name) for name in FILES["rct"]]
        lines = (
            replace(record, title="", vernacular_title="").to_json() + "\n"
            for path, _ in list_inputs(paths)[0]
            for record in read_records(path)
        )
        with atomic_bytes(source) as file:
            file.write(gzip.compress("".join(lines).encode(), 1, mtime=0))
        build_index(list_inputs([source])[0], target)
    return target


def _drawn(collection: Indexes, count: int) -> dict[str, str]:
    """Draw titles of records with abstracts, without questions."""
    counts = open_store(collection).counts
    order = np.random.default_rng(SEED).permutation(len(collection.abstracts))
    usable = np.diff(counts["title"].matrix.indptr) >= WORDS
    usable &= counts["abstract"].matrix.sum(axis=1) > 0
    rows = order[usable[order]].tolist()[: 2 * count]
    told = titles_of(collection, open_store(collection), rows)
    topics = {name: text for name, text in told.items() if not text.endswith("?")}
    return dict(list(topics.items())[:count])


def _exact(collection: Indexes, topics: dict[str, str], vectors: Vectors | None = None) -> Read:
    """Read titles whose own record is relevant, among records whose titles do not count."""
    qrels: Qrels = {name: {name: 1} for name in topics}
    reader = CandidateReader(collection, field="abstract", vectors=vectors)
    return judged_topics(reader, topics, qrels, WANTED)


def with_vectors(
    model: RankerModel, broad: Sequence[JudgedTopic], exact: Sequence[JudgedTopic]
) -> RankerModel:
    """Add the weight of an encoder's cosine, beside what a ranker of the other groups says.

    Of each set of groups there is, its score and the cosine are weighed; without an encoder the
    ranker is what it was.

    Parameters
    ----------
    model : RankerModel
        Of the groups `BASE`.
    broad, exact : sequence of JudgedTopic
        With the features of `WANTED`, the cosine last.
    """
    strength = model.facts["training"]["strength"]
    learned: dict[frozenset[str], Floats] = {}
    certain: dict[frozenset[str], Floats] = {}
    for missing in missing_sets(WANTED):
        weights, sure = model.learned[missing - {"dense"}], model.exact[missing - {"dense"}]
        cosine = certain_cosine = 0.0
        if "dense" not in missing:
            scale = float(np.mean([(one.features[:, :-1] @ weights).std() for one in broad]))
            share, cosine = learn_linear(_beside(broad, weights / scale), strength, SEED)
            cosine *= scale / share
            factor, certain_cosine = learn_exact(_beside(exact, sure), np.ones(2))
            sure = sure * factor
        learned[missing] = _rounded(np.append(weights, cosine))
        certain[missing] = _rounded(np.append(sure, certain_cosine))
    shown = dict(zip(names_of(WANTED), learned[frozenset()].tolist(), strict=True))
    facts = {**model.facts, "weights": shown}
    return replace(model, groups=WANTED, learned=learned, exact=certain, facts=facts)


def _beside(topics: Sequence[JudgedTopic], weights: Floats) -> list[JudgedTopic]:
    """Return topics with two features: the score of the others, and the cosine."""
    return [
        replace(
            one, features=np.column_stack([one.features[:, :-1] @ weights, one.features[:, -1]])
        )
        for one in topics
        if one.usable
    ]


def _rounded(weights: Floats) -> Floats:
    return np.array([float(f"{weight:.{DIGITS}g}") for weight in weights])


def _halves(collection: Indexes, kind: str, field: str, vectors: Vectors | None = None) -> Read:
    """Read titles whose relevant records share a half of references, or of MeSH headings."""
    store = open_store(collection)
    first = np.random.default_rng(SEED).random(store.counts[kind].matrix.shape[1]) < 0.5
    rows, qrels = draw(collection, _part(store, kind, first), kind, BROAD, SEED, own=False)
    rest = _part(store, kind, ~first)
    reader = CandidateReader(collection, field=field, without_own=True, store=rest, vectors=vectors)
    return judged_topics(reader, titles_of(collection, store, rows), qrels, WANTED)


def _part(store: CountStore, kind: str, chosen: NDArray[np.bool_]) -> CountStore:
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
