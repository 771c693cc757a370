"""Search by vectors, alone and joined, against cosines computed one by one."""

from pathlib import Path

import numpy as np
import pytest

import relsent_ir as rir
from relsent_ir.dense.encoder import open_encoder
from relsent_ir.dense.retrieval import DenseSearcher, Vectors
from relsent_ir.dense.rows import Source, encode_index
from relsent_ir.errors import MismatchError, UsageError
from relsent_ir.hits import Hits
from relsent_ir.lucene.read.filters import Filters
from relsent_ir.lucene.read.index import Index
from relsent_ir.methods import Dense, Hybrid, as_pipeline
from tests.dense.tiny import named, write_model

TOPICS = {"1": "asthma in children", "2": "blood pressure of adults", "3": "vitamin D"}


@pytest.fixture
def encoded(sample: Path, tiny: Path) -> Path:
    """The sample's index with vectors."""
    with Index(sample) as index:
        encode_index(index, Source(open_encoder(tiny, compute="numpy")))
    return sample


def cosines(vectors: Vectors, topic: str) -> dict[str, float]:
    """The cosine of a topic and each record, by plain sums."""
    query = vectors.encode(topic).astype(float)
    found = {}
    for name, row in zip(named(vectors.rows), vectors.rows.rows.astype(float), strict=True):
        found[name] = sum(query * row) / (sum(row * row) ** 0.5)
    return found


def test_dense_alone(encoded: Path, tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first records are those with the greatest cosines, however they are cut into blocks."""
    with Index(encoded) as index:
        vectors = Vectors.open(index, str(tiny))
        searcher = DenseSearcher(index, vectors, Dense(str(tiny)))
        run = searcher.search(TOPICS, 10)
        for topic, text in TOPICS.items():
            likeness = cosines(vectors, text)
            expected = Hits.ranked(likeness.keys(), likeness.values(), 10)
            assert list(run[topic].ids) == list(expected.ids)
            assert np.allclose(run[topic].scores, expected.scores, atol=1e-6)
        monkeypatch.setattr("relsent_ir.dense.retrieval._BLOCK", 3)
        monkeypatch.setattr("relsent_ir.dense.retrieval._CELLS", 1)
        assert searcher.search(TOPICS, 10, batch_size=1) == run
        assert searcher.search(TOPICS, 10_000)["1"].head(10) == run["1"]
        with pytest.raises(UsageError, match="weighted terms"):
            searcher.search({"1": {"asthma": 1.0}})


def test_filters(encoded: Path, tiny: Path) -> None:
    """What passes keeps its score; the rest is not found."""
    with rir.open_collection(encoded) as collection:
        whole = collection.search(TOPICS, Dense(str(tiny)), 10_000)
        year = next(record.year for record in collection if record.year)
        some = collection.search(TOPICS, Dense(str(tiny)), 10_000, filters=Filters(years=int(year)))
        for topic, hits in some.items():
            expected = [
                (name, score) for name, score in whole[topic] if collection[name].year == year
            ]
            assert list(hits) == expected
            assert 0 < len(hits) < len(whole[topic])


def test_feedback(encoded: Path, tiny: Path) -> None:
    """A topic's vector moves half the way to the mean of its first hits."""
    with Index(encoded) as index:
        vectors = Vectors.open(index, str(tiny))
        first = DenseSearcher(index, vectors, Dense(str(tiny))).search({"1": "asthma"}, 3)["1"]
        moved = DenseSearcher(index, vectors, Dense(str(tiny), fb_docs=3)).search({"1": "asthma"})
        mean = vectors.rows.vectors(vectors.rows.locate(first.ids.tolist())).mean(axis=0)
        query = vectors.encode("asthma") / 2 + mean / np.linalg.norm(mean) / 2
        query /= np.linalg.norm(query)
        expected = vectors.nearest(query[None].astype(np.float32), 1000)[0]
        assert np.allclose(moved["1"].scores, expected.scores, atol=1e-6)


def test_joined(encoded: Path, tiny: Path) -> None:
    """Half the scaled score and half the scaled cosine, of the candidates of both sides."""
    with rir.open_collection(encoded) as collection:
        vectors = Vectors.open(collection.indexes.abstracts, str(tiny))
        lexical = collection.search(TOPICS, "RM3()", 1000)
        joined = collection.search(TOPICS, as_pipeline("RM3()") >> Hybrid(str(tiny), weight=0.3))
        for topic, text in TOPICS.items():
            likeness = cosines(vectors, text)
            scores = dict.fromkeys(likeness, min(lexical[topic].scores)) | dict(lexical[topic])
            low, high = min(scores.values()), max(scores.values())
            least, most = min(likeness.values()), max(likeness.values())
            mixed = {
                name: 0.7 * (scores[name] - low) / (high - low)
                + 0.3 * (cosine - least) / (most - least)
                for name, cosine in likeness.items()
            }
            assert dict(joined[topic]) == pytest.approx(mixed, abs=1e-5)


def test_no_model_is_named(encoded: Path, tiny: Path, tmp_path: Path) -> None:
    """The only vectors that the index has are meant; of none, or two, one line says so."""
    with rir.open_collection(encoded) as collection:
        for method in (Dense, Hybrid):
            assert collection.search(TOPICS, method()) == collection.search(
                TOPICS, method(str(tiny))
            )
        with pytest.raises(MismatchError, match=r"of no models \(relsent-ir encode"):
            collection.search(TOPICS, Dense(), unit="sentences")
    other = write_model(tmp_path / "other", seed=1)
    with Index(encoded) as index:
        encode_index(index, Source(open_encoder(other, compute="numpy")))
    with (
        rir.open_collection(encoded) as collection,
        pytest.raises(MismatchError, match=r"of 2 models \(name one: .*/tiny, .*/other"),
    ):
        collection.search(TOPICS, Dense())


def test_what_does_not_go_together(encoded: Path, tiny: Path) -> None:
    """An encoder reads texts, no terms; a changed encoder is refused."""
    for text in ("Dense('m') >> RM3", "Dense('m') >> Hybrid('m')", "BM25 >> Dense('m')"):
        with pytest.raises(UsageError, match="exclude each other"):
            as_pipeline(text)
    missing = pytest.raises(MismatchError, match="relsent-ir encode")
    with rir.open_collection(encoded) as collection, missing:
        collection.search(TOPICS, f'Dense("{tiny}")', unit="sentences")
