"""Reranking similar articles, and learning to."""

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.sparse import csr_array

from relsent_ir import models
from relsent_ir.citation import candidate_features as features
from relsent_ir.citation.benchmark import Plan
from relsent_ir.citation.candidate_features import COLUMNS, columns, few_features
from relsent_ir.citation.documents import topic_text
from relsent_ir.citation.reranking import (
    CitationModel,
    CitationReranker,
    PmraReranker,
    candidate_features,
)
from relsent_ir.citation.similar import find_similar
from relsent_ir.citation.training import candidate_precision, learn, train
from relsent_ir.errors import InputError, MismatchError
from relsent_ir.feedback import TermMatrix
from relsent_ir.hits import Hits
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.methods import BM25, Smart
from relsent_ir.records import Record
from reproduce.tbahriti_2004.features import whole_features

PLAN = Plan(queries=3, sets=2, relevant=4, min_shared=2)


@pytest.fixture
def collection(folder: Path) -> Iterator[Indexes]:
    """The articles."""
    with Indexes(folder) as opened:
        yield opened


def test_pmra_of_all(collection: Indexes, records: list[Record]) -> None:
    """With all other articles as hits it is the search by pmra, scores and all."""
    text = topic_text(records[4])
    names = [record.id for record in records if record.id != "004"]
    run = {"004": Hits.ranked(names, [0.0] * len(names))}
    found = PmraReranker().rerank(collection, run, {"004": text})["004"]
    expected = find_similar(collection, ["004"], "pmra")["004"]
    scores = dict(zip(found.ids, found.scores, strict=True))
    assert found.ids[: len(expected)].tolist() == expected.ids.tolist()
    for name, score in zip(expected.ids, expected.scores, strict=True):
        assert scores[name] == pytest.approx(score)


def test_few_are_as_many() -> None:
    """Features by the products of articles are those by singular vectors."""
    chance = np.random.default_rng(0)
    counts = csr_array(chance.poisson(0.2, (120, 300)).astype(np.int32))
    ids = [str(n) for n in range(120)]
    matrix = TermMatrix(ids, [f"t{n}" for n in range(300)], counts)
    rows = np.array([3, 17])
    few, many = few_features(matrix, rows), whole_features(matrix, rows)
    assert list(few) == list(many)
    for name, values in many.items():
        np.testing.assert_allclose(few[name], values, atol=1e-7, err_msg=name)


def test_features(collection: Indexes, records: list[Record]) -> None:
    """A topic that is an article, one that is a text, and one without hits."""
    hits = Hits.ranked(["001", "004", "007"], [3, 2, 1])
    run = {"010": hits, "text": hits, "010 too": Hits.ranked([], [])}
    text = topic_text(records[10])
    topics = {"010": text, "text": text, "010 too": "ants"}
    found = dict(candidate_features(collection, run, topics))
    assert [value.shape for value in found.values()] == [(3, len(COLUMNS))] * 2 + [
        (0, len(COLUMNS))
    ]
    assert all(np.isfinite(values).all() for values in found.values())
    columns = list(COLUMNS)
    for name in ("ltc.atn", "BM25", "pmra"):
        place = columns.index(name)
        np.testing.assert_allclose(found["010"][:, place], found["text"][:, place], rtol=0.05)
        assert found["010"][:, place].max() == pytest.approx(1)
    alone = dict(candidate_features(collection, {"010": hits}, topics))
    np.testing.assert_array_equal(alone["010"], found["010"])


def test_trained_and_stored(collection: Indexes, records: list[Record], tmp_path: Path) -> None:
    """It learns, says what made it, and reranks alike when it is read."""
    model = train(collection, PLAN, command="relsent-ir train citations")
    assert model.facts["training"]["topics"] == 6
    scores = model.facts["scores"]
    assert 0 < scores["map_of_bm25"] < scores["map_on_training_topics"] < 1
    models.save(tmp_path / "m", model)
    assert json.loads((tmp_path / "m" / "model.json").read_text())["kind"] == "citations"
    run = {"002": Hits.ranked([r.id for r in records if r.id != "002"], np.arange(29))}
    topics = {"002": topic_text(records[2])}
    first, again = (
        CitationReranker(m).rerank(collection, run, topics)["002"] for m in (model, tmp_path / "m")
    )
    assert again.ids.tolist() == first.ids.tolist()
    assert sorted(first.ids) == sorted(run["002"].ids)
    assert {int(name) % 3 for name in first.ids[:9]} == {2}


def test_faults(collection: Indexes, tmp_path: Path) -> None:
    """Other weights, other features, a hit that is not there, a plan that cannot be had."""
    models.save(tmp_path / "m", CitationModel(np.ones(3)))
    with pytest.raises(InputError, match="do not fit together"):
        models.load(tmp_path / "m", "citations")
    facts = json.loads((tmp_path / "m" / "model.json").read_text())
    facts["columns"]["pmra"] = "λ 0.022, μ 0.013"  # a description, as an older version's
    (tmp_path / "m" / "model.json").write_text(json.dumps(facts))
    with pytest.raises(MismatchError, match="this version's: pmra"):
        models.load(tmp_path / "m", "citations")
    with pytest.raises(InputError, match="no document 'x'"):
        PmraReranker().rerank(collection, {"1": Hits.ranked(["x"], [1])}, {"1": "ants"})
    with pytest.raises(MismatchError, match="records can be topics"):
        train(collection, Plan())


@pytest.mark.parametrize(
    ("constant", "value", "named"),
    [
        ("PEER", BM25(1.21, 0.75), "BM25"),
        ("PEER", BM25(1.2, 0.7), "BM25"),
        ("SHARE", 1.4, "neighbours"),
        ("NEIGHBOURS", 4, "neighbours"),
        ("SCHEME", Smart("ntc.atn"), "ltc.atn"),
    ],
)
def test_other_features(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, constant: str, value: object, named: str
) -> None:
    """A model is refused, by name, when a feature is computed in another way."""
    models.save(tmp_path / "m", CitationModel(np.ones(len(COLUMNS))))
    assert models.load(tmp_path / "m", "citations").weights.sum() == len(COLUMNS)
    monkeypatch.setattr(features, constant, value)
    columns.cache_clear()
    try:
        with pytest.raises(MismatchError, match="other features than this version's") as raised:
            models.load(tmp_path / "m", "citations")
    finally:
        columns.cache_clear()
    assert f"version's: {named}" in str(raised.value)


def test_columns_by_value() -> None:
    """Every feature has a column of values, of which no other has the same."""
    found = columns()
    assert tuple(found) == COLUMNS
    rows = [tuple(values) for name, values in found.items() if name != "latent 100"]
    assert len(set(rows)) == len(rows)


def test_precision_of_candidates() -> None:
    """Targets at ranks 1 and 3 of three in all: (1 + 2/3) / 3; ties count against a target."""
    targets = np.array([True, False, True])
    assert candidate_precision(np.array([3.0, 2.0, 1.0]), targets, 3) == pytest.approx(5 / 9)
    assert candidate_precision(np.array([2.0, 2.0, 1.0]), targets, 2) == pytest.approx(
        (1 / 2 + 2 / 3) / 2
    )
    assert candidate_precision(np.zeros(3), np.zeros(3, dtype=bool), 0) == 0


def test_learned_from_candidates() -> None:
    """A feature that tells targets has the greater weight; nothing to learn is an error."""
    chance = np.random.default_rng(0)
    features = [chance.random((20, 2)) for _ in range(6)]
    targets = [some[:, 0] > 0.7 for some in features]

    def measure(held: NDArray[np.intp], weights: NDArray[np.float64]) -> NDArray[np.float64]:
        scores = [(features[i] @ weights, targets[i], int(targets[i].sum())) for i in held]
        return np.array([candidate_precision(*each) for each in scores])

    weights, _ = learn(features, targets, measure)
    assert weights[0] > 5 * abs(weights[1])
    with pytest.raises(MismatchError, match="no targets"):
        learn(features, [np.zeros(20, dtype=bool)] * 6, measure)
