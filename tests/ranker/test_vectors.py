"""An encoder's vectors as features: their values by hand, and what a search finds by them."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from relsent_ir.cli.verbs.search import read_pipeline
from relsent_ir.dense.retrieval import Vectors
from relsent_ir.errors import MismatchError, UsageError
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.methods import Ranker
from relsent_ir.ranker.candidates import CandidateReader, TopicVectors
from relsent_ir.ranker.columns import probe
from relsent_ir.ranker.features import GROUPS, features, has, names_of
from relsent_ir.ranker.model import load_ranker
from relsent_ir.ranker.ranking import NO_VECTORS, RankerReranker, RankerSearcher
from relsent_ir.ranker.training import fit, judged_topics
from tests.dense.tiny import write_model

PACKAGED = load_ranker()


@pytest.fixture(scope="module")
def encoder(collection: Indexes, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The folder of a tiny encoder, which the records have vectors of."""
    from relsent_ir.dense.encoder import open_encoder
    from relsent_ir.dense.rows import Source, encode_index

    folder = write_model(tmp_path_factory.mktemp("encoder") / "tiny")
    encode_index(collection.abstracts, Source(open_encoder(folder, compute="numpy")))
    return str(folder)


def test_features() -> None:
    """Cosines; a record without a vector is beside the last."""
    candidates = probe()
    assert candidates.vectors
    rows = candidates.vectors.rows.astype(float).tolist()
    topic = candidates.vectors.topic.astype(float).tolist()
    values = GROUPS["dense"].compute(candidates)
    cosines = [math.fsum(a * b for a, b in zip(row, topic, strict=True)) for row in rows]
    cosines[-1] = min(cosines[:-1])
    assert values["vector-cosine"] == pytest.approx(cosines, abs=1e-6)


def test_without_encoder(collection: Indexes, topics: dict[str, str]) -> None:
    """The features of vectors weigh nothing where there are none, and nothing is warned of."""
    groups = [name for name in PACKAGED.groups if name != "dense"]
    weights = PACKAGED.without(groups)
    last = len(names_of(["dense"]))
    assert not weights[-last:].any()
    exact = [of for missing, of in PACKAGED.exact.items() if "dense" in missing]
    assert not np.array(exact)[:, -last:].any()
    topic, text = next(iter(topics.items()))
    reader = CandidateReader(collection)
    expanded = reader.expand({topic: text})
    candidates = reader.read(topic, text, reader.search(expanded)[topic].ids.tolist(), expanded)
    assert not has(candidates, "dense")
    assert reader.nearest({topic: text}) == {topic: []}


def test_search(collection: Indexes, topics: dict[str, str], encoder: str) -> None:
    """Vectors add candidates that the words did not find; none comes twice."""
    some = dict(list(topics.items())[:3])
    plain = RankerSearcher(collection, RankerReranker(), depth=2).search(some, 5)
    reranker = RankerReranker(dense=encoder)
    reader = reranker.reader(collection)
    found = RankerSearcher(collection, reranker, depth=2).search(some, 100)
    nearest = reader.nearest(some)
    for topic, hits in found.items():
        ids = hits.ids.tolist()
        assert len(ids) == len(set(ids))
        assert set(nearest[topic]) <= set(ids)
        assert set(plain[topic].ids.tolist()) <= set(ids)


def test_training(collection, topics, qrels, encoder):
    """A ranker is learned with vectors where the records have them."""
    vectors = Vectors.open(collection.abstracts, encoder)
    read, groups = judged_topics(CandidateReader(collection, vectors=vectors), topics, qrels)
    assert groups[-1] == "dense"
    model = fit(read, groups, strength=0.01, whole=True)
    assert set(names_of(["dense"])) <= set(model.facts["weights"])


def test_refused() -> None:
    """A ranker that was learned without vectors takes none."""
    groups = tuple(name for name in PACKAGED.groups if name != "dense")
    other: Any = replace(PACKAGED, groups=groups)
    with pytest.raises(MismatchError, match="not learned with vectors"):
        RankerReranker(other, dense="models/minilm")


def test_flags() -> None:
    """Beside --ranker, --dense is its; settings of vectors alone are refused."""
    flags = {"--ranker": "ranker", "--dense": "models/minilm"}
    (method,) = read_pipeline(flags, None, negative=False)
    assert method == Ranker(dense="models/minilm")
    with pytest.raises(UsageError, match="--dense-fb-docs needs"):
        read_pipeline({**flags, "--dense-fb-docs": 5}, None, negative=False)


def test_another_encoder(collection, topics, encoder, caplog):
    """Vectors that the weights were not learned with are taken where they are asked for."""
    run = RankerSearcher(collection, RankerReranker(PACKAGED, dense=encoder)).search(topics)
    assert run != RankerSearcher(collection, RankerReranker(PACKAGED)).search(topics)
    assert not caplog.records


def test_another_scale() -> None:
    """Cosines that are higher and closer together say the same: they are standardised."""
    candidates = probe()
    assert candidates.vectors
    rows, topic = candidates.vectors.rows, candidates.vectors.topic
    known = rows.any(axis=1)
    beside = np.where(known, 0.5, 0.0).astype(np.float32)[:, None]
    shifted = replace(
        candidates,
        vectors=TopicVectors(np.append(topic, np.float32(1)), np.hstack([rows / 4, beside])),
    )
    values = features(shifted, ["dense"])
    values = features(candidates, ["dense"])
    assert features(shifted, ["dense"]) == pytest.approx(values, abs=1e-4)


def test_vectors_beside_the_index(collection, topics, encoder, caplog):
    """Those of the model's own encoder are taken, which is told, unless they are not wanted."""
    digest = Vectors.open(collection.abstracts, encoder).rows.facts["weights"]
    known = replace(PACKAGED, facts={**PACKAGED.facts, "encoder": digest})
    named = RankerSearcher(collection, RankerReranker(known, dense=encoder)).search(topics)
    assert "beside the index" not in caplog.text
    assert RankerSearcher(collection, RankerReranker(known)).search(topics) == named
    (told,) = [record.getMessage() for record in caplog.records]
    assert told.startswith("the ranker takes the vectors of tiny that lie beside the index")
    caplog.clear()
    plain = RankerSearcher(collection, RankerReranker(known, dense=NO_VECTORS)).search(topics)
    assert plain == RankerSearcher(collection, RankerReranker(PACKAGED)).search(topics) != named
    assert not caplog.records
