"""Learning from an invented collection: what is told apart, and that nothing is left to chance."""

import json
import logging
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from relsent_ir import models
from relsent_ir.api import Collection
from relsent_ir.errors import InputError, MismatchError, UsageError
from relsent_ir.feedback import Engine
from relsent_ir.hits import Hits, Run
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.lucene.read.search import Searcher
from relsent_ir.ranker import training
from relsent_ir.ranker.candidates import CandidateReader
from relsent_ir.ranker.features import GROUPS, OPTIONAL, names_of
from relsent_ir.ranker.judgements import JudgedTopic, from_records
from relsent_ir.ranker.model import STRENGTHS, RankerModel, fingerprint, load_ranker, missing_sets
from relsent_ir.ranker.ranking import RankerReranker, RankerSearcher
from relsent_ir.ranker.store import open_store
from relsent_ir.ranker.training import crossed, fit, judged_topics, write_features
from relsent_ir.related.training.train import train
from relsent_ir.trec import evaluate
from tests.ranker.conftest import build, invent

Read = tuple[list[JudgedTopic], tuple[str, ...]]


@pytest.fixture(scope="module")
def read(collection: Indexes, topics: dict[str, str], qrels: dict[str, dict[str, int]]) -> Read:
    """Topics with their features, and the groups that there are."""
    return judged_topics(CandidateReader(collection), topics, qrels)


@pytest.fixture(scope="module")
def model(read: Read) -> RankerModel:
    """A linear ranker."""
    return fit(*read)


def test_groups(read: Read, model: RankerModel) -> None:
    """All but related and dense, none NaN or all 0; weights for every set that may be missing."""
    found, groups = read
    assert list(groups) == [name for name in GROUPS if name not in ("related", "dense")]
    values = np.concatenate([one.features for one in found])
    assert values.shape[1] == len(names_of(groups))
    assert np.isfinite(values).all()
    assert values.any(axis=0).all()
    assert len(missing_sets(model.groups)) == 2 ** (len(OPTIONAL) - 2) == len(model.learned)
    of = [name for name in model.groups for _ in names_of([name])]
    for missing, learned in model.learned.items():
        assert not learned[[name in missing for name in of]].any()


@pytest.mark.parametrize(("sign", "expected"), [(1.0, STRENGTHS[0]), (-1.0, 2.0)])
def test_strength_of_exact_part(sign, expected, monkeypatch, tmp_path):
    """It counts most where it names what is relevant, least where it does not, and is kept."""
    chance = np.random.default_rng(3)
    names = names_of(["feedback"])
    topics = []
    for number in range(20):
        values = chance.normal(size=(30, len(names)))
        relevant = np.zeros(30, dtype=int)
        relevant[np.argmax(values[:, 0])] = 1
        topics.append(JudgedTopic(str(number), values, relevant, 1))
    weights = np.zeros(len(names))
    weights[0] = 50 * sign
    monkeypatch.setattr(training, "_packaged", lambda *_: weights)
    model = fit(topics, ["feedback"], exact_strengths=STRENGTHS)
    assert model.exact_strength == expected
    models.save(tmp_path / "m", model)
    assert load_ranker(tmp_path / "m").exact_strength == expected


def test_saved_and_read(model: RankerModel, tmp_path: Path) -> None:
    """What is read again weighs alike; a model of other features is refused."""
    models.save(tmp_path / "m", model)
    again = load_ranker(tmp_path / "m")
    assert again.groups == model.groups
    assert all((again.learned[missing] == of).all() for missing, of in model.learned.items())
    path = tmp_path / "m" / "model.json"
    facts = json.loads(path.read_text())
    facts["columns"]["smart"] = "ltc.atn"  # a description, as an older version's
    path.write_text(json.dumps(facts))
    with pytest.raises(MismatchError, match="other features than this version's: smart "):
        load_ranker(tmp_path / "m")


_LEARN = """
import sys
from relsent_ir import models
from relsent_ir.ranker.training import fit
from relsent_ir.ranker.judgements import JudgedTopic
import numpy as np
data = np.load(sys.argv[1], allow_pickle=False)
topics = [JudgedTopic(str(n), data["x"][n], data["y"][n], 5) for n in range(len(data["x"]))]
models.save(sys.argv[2], fit(topics, ("feedback", "neighbours"), seed=7))
"""


def test_same_to_the_byte(tmp_path: Path) -> None:
    """The same seed gives the same folder, in two runs and on two threads."""
    chance = np.random.default_rng(5)
    x = chance.normal(size=(8, 60, len(names_of(("feedback", "neighbours")))))
    y = (x[:, :, 1] + chance.normal(size=(8, 60)) > 1.2).astype(int)
    np.savez(tmp_path / "data.npz", x=x, y=y)
    for name, threads in (("one", "1"), ("two", "2")):
        subprocess.run(
            [sys.executable, "-c", _LEARN, tmp_path / "data.npz", tmp_path / name],
            env={**os.environ, "OMP_NUM_THREADS": threads, "OPENBLAS_NUM_THREADS": threads},
            check=True,
        )
    one, two = (sorted((tmp_path / name).iterdir()) for name in ("one", "two"))
    assert [path.name for path in one] == [path.name for path in two]
    assert all(a.read_bytes() == b.read_bytes() for a, b in zip(one, two, strict=True))


def test_nothing_to_learn(read: Read) -> None:
    """Without a relevant candidate there is nothing to learn; one topic is enough."""
    found, groups = read
    none = [JudgedTopic(o.topic, o.features, o.grades * 0, 3) for o in found]
    with pytest.raises(MismatchError, match="no topic has a relevant candidate"):
        fit(none, groups)
    alone = fit(found[:1], groups, whole=True)
    assert alone.facts["training"]["validated_map"] is None


def test_search_and_rerank(collection, model, topics, qrels):
    """Both give the same order; hits beyond the candidates follow; learned topics gain."""
    reranker = RankerReranker(model)
    found = RankerSearcher(collection, reranker).search(topics, 40)
    first = CandidateReader(collection)
    run = first.search(first.expand(topics), 1000)
    again = reranker.rerank(Collection(collection), run, topics)
    assert all(found[t].ids.tolist() == again[t].ids[:40].tolist() for t in topics)
    few = RankerSearcher(collection, reranker, depth=5).search({"t0": topics["t0"]}, 12)
    assert few["t0"].ids[5:].tolist() == run["t0"].ids[5:12].tolist()
    assert set(few["t0"].ids[:5]) == set(run["t0"].ids[:5])
    before, after = (evaluate(qrels, one, ["map"]).summary["map"] for one in (run, again))
    assert after > before


def test_evidence(collection: Indexes, model: RankerModel, topics: dict[str, str]) -> None:
    """A score is the sum of what its features add; a sentence is shown with it."""
    reranker = RankerReranker(model)
    run = RankerSearcher(collection, reranker).search({"": topics["t1"]}, 3)
    for number, (name, of) in enumerate(
        zip(
            run[""].ids,
            reranker.evidence(Collection(collection), topics["t1"], run[""]),
            strict=True,
        ),
        1,
    ):
        assert of.values
        assert of.values["score"] == pytest.approx(run[""].scores[number - 1])
        assert str(of.values["rank"]).startswith(f"{number} of ")
        assert of.sentence.startswith(f"{name}.")
        assert of.text
        assert len(of.features) == 12


def test_evidence_of_hits_from_elsewhere(collection, model, topics):
    """Hits of no search of the ranker's are compared with those that a search finds."""
    reranker = RankerReranker(model)
    hits = RankerSearcher(collection, reranker).search({"": topics["t1"]}, 3)[""]
    strangers = Hits.ranked(hits.ids, [3.0, 2.0, 1.0])
    assert strangers.basis is None
    found = reranker.evidence(Collection(collection), topics["t1"], strangers)
    assert found == reranker.evidence(Collection(collection), topics["t1"], hits)


def test_one_engine_and_no_second_search(collection, model, topics, monkeypatch):
    """Evidence searches nothing again, whichever view of the collection it is asked in."""
    engines, searches = [], []
    made, searched = Engine.__init__, Searcher.search

    def make(self: Engine, *given: Any, **named: Any) -> None:
        engines.append(self)
        made(self, *given, **named)

    def search(self: Searcher, *given: Any, **named: Any) -> Run:
        searches.append(self)
        return searched(self, *given, **named)

    monkeypatch.setattr(Engine, "__init__", make)
    monkeypatch.setattr(Searcher, "search", search)
    engine = Engine(collection)
    reranker = RankerReranker(model)
    searcher = RankerSearcher(collection, reranker, engine=engine)
    hits = searcher.search({"": topics["t1"]}, 5)[""]
    assert len(searches) == 3  # what either first stage reads, and the candidates
    view = collection.among("abstracts")
    assert len(reranker.evidence(Collection(view), topics["t1"], hits[1:4])) == 3
    assert (len(engines), len(searches)) == (1, 3)


def test_index_that_lacks_groups(bare_index, model, topics, qrels, caplog):
    """It is ranked by what was learned without them, with one warning that names them."""
    with Indexes(bare_index) as bare, caplog.at_level(logging.WARNING):
        run = RankerSearcher(bare, RankerReranker(model)).search(topics, 40)
        _, groups = judged_topics(CandidateReader(bare), topics, qrels)
    assert [r.message for r in caplog.records if "ranks without" in r.message] == [
        "the ranker ranks without titles, references, mesh, which this collection does not have"
    ]
    assert groups == ("first-stage", "feedback", "sentences", "positions", "neighbours")
    assert all(len(hits) for hits in run.values())


def test_labels_give_nothing_away(collection: Indexes) -> None:
    """No feature of references can be learned from references, nor of MeSH and titles from MeSH."""
    store = open_store(collection)
    for source, gone, own in (
        ("references", {"references"}, False),
        ("titles", {"mesh", "titles"}, True),
    ):
        judged = from_records(collection, store, source, 10)
        assert set(judged.left_out) == gone
        assert len(judged.topics) == 10
        for topic, grades in judged.qrels.items():
            assert (topic in grades) is own
            assert len(grades) >= 5
        reader = CandidateReader(collection, field=judged.field, without_own=judged.without_own)
        expanded = reader.expand(judged.topics)
        run = reader.search(expanded)
        assert any(topic in run[topic] for topic in judged.topics) is own
        topic, text = next(iter(judged.topics.items()))
        read = reader.read(topic, text, run[topic].ids.tolist(), expanded)
        name = "contents" if source == "references" else "abstract"
        assert (read.contents.matrix != store.counts[name].matrix[read.rows]).nnz == 0


def test_labels_need_something(bare_index: Path) -> None:
    """An index without references, or without MeSH, is told what else there is."""
    with Indexes(bare_index) as bare:
        store = open_store(bare)
        with pytest.raises(MismatchError, match="share a reference"):
            from_records(bare, store, "references")
        with pytest.raises(MismatchError, match="MeSH headings"):
            from_records(bare, store, "titles")


def test_from_references_are_like_in_references(collection: Indexes) -> None:
    """Relevant are records on the same subject: they alone share references."""
    judged = from_records(collection, open_store(collection), "references", 10)
    for topic, grades in judged.qrels.items():
        assert {int(name) % 3 for name in grades} == {int(topic) % 3}


def test_stranger(collection: Indexes, model: RankerModel) -> None:
    """A hit that is no record of the index is named; a run that nobody learned with is refused."""
    reader = CandidateReader(collection)
    with pytest.raises(MismatchError, match="nobody is not a record"):
        reader.read("t", "ant", ["1", "nobody"], reader.expand({"t": "ant"}))
    with pytest.raises(MismatchError, match="not learned with a run dense"):
        RankerReranker(model, runs={"dense": reader.search(reader.expand({"t": "ant"}))})


def test_run_as_evidence(collection, topics, qrels):
    """A run that knows the answers is what weighs most; without it there are weights too."""
    told = Run((t, Hits.ranked([n for n, g in qrels[t].items() if g], np.ones(10))) for t in topics)
    reader = CandidateReader(collection, runs={"told": told})
    found, groups = judged_topics(reader, topics, qrels)
    assert groups[-1] == "run:told"
    model = fit(found, groups)
    weights = model.facts["weights"]
    assert max(weights, key=lambda name: abs(weights[name])) == "told-rank"
    assert model.runs == ["told"]
    assert frozenset(("run:told",)) in model.learned


def test_run_of_no_use(collection, topics, qrels):
    """A run without the topics, or with a score that is none, is named; a constant one is 0."""
    reader = CandidateReader(collection)
    asked = {"t0": topics["t0"]}
    first = reader.search(reader.expand(asked), 5)["t0"]
    for bad, told in (
        (Run({"other": first}), "the run bad has none of the topics"),
        (
            Run({"t0": Hits(first.ids, first.scores * np.nan)}),
            "a score that is no number, topic t0",
        ),
    ):
        with pytest.raises(MismatchError, match=told):
            judged_topics(CandidateReader(collection, runs={"bad": bad}), asked, qrels)
    ids = collection.abstracts.ids()
    constant = Run({"t0": Hits.ranked(ids, np.ones(len(ids)))})
    found, groups = judged_topics(
        CandidateReader(collection, runs={"same": constant}), asked, qrels
    )
    place = [*names_of(groups)].index("same-score")
    assert not found[0].features[:, place].any()
    weights = fit(found, groups, whole=True).facts["weights"]
    assert weights["same-score"] == 0


def test_related_sentences_as_evidence(collection, topics, qrels, tmp_path):
    """A ranker that was learned with a model of related sentences keeps it in its folder."""
    related = train(collection.abstracts, "huber", content_share=1.0, all_records=True)
    found, groups = judged_topics(CandidateReader(collection, related=related), topics, qrels)
    assert groups[-1] == "related"
    model = fit(found, groups, strength=0.01, related=related)
    models.save(tmp_path / "m", model)
    asked = {"t0": topics["t0"]}
    one, two = (
        RankerSearcher(collection, RankerReranker(each)).search(asked, 20)["t0"]
        for each in (model, tmp_path / "m")
    )
    assert one.ids.tolist() == two.ids.tolist()
    assert two.scores == pytest.approx(one.scores, abs=1e-5)


def test_svmlight(read: Read, tmp_path: Path) -> None:
    """Another reader of the format finds the same features, grades and topics."""
    from sklearn.datasets import load_svmlight_file

    found, groups = read
    assert write_features(tmp_path / "f.txt", found[:2], groups) == sum(
        len(one.grades) for one in found[:2]
    )
    text = (tmp_path / "f.txt").read_text()
    plain = text.replace("qid:t", "qid:")
    (tmp_path / "f.txt").write_text(plain)
    x, y, qid = load_svmlight_file(str(tmp_path / "f.txt"), query_id=True)
    assert x.toarray() == pytest.approx(
        np.concatenate([one.features for one in found[:2]])[:, : x.shape[1]], abs=1e-4
    )
    assert y.tolist() == [g for one in found[:2] for g in one.grades.tolist()]
    assert set(qid.tolist()) == {0, 1}
    assert f"# {found[0].ids[0]}\n" in plain


def test_another_learner(model: RankerModel, tmp_path: Path) -> None:
    """A model of a learner that has gone is refused in one line."""
    assert model.to_stored()[0]["learner"] == "linear"
    models.save(tmp_path / "m", model)
    path = tmp_path / "m" / "model.json"
    other = path.read_text().replace('"learner": "linear"', '"learner": "lambdamart"')
    path.write_text(other)
    with pytest.raises(InputError, match="train again"):
        load_ranker(tmp_path / "m")
    path.write_text(other.replace("ranker-linear", "ranker-lambdamart"))
    with pytest.raises(MismatchError, match=r"of kind ranker-lambdamart.*train ranker"):
        load_ranker(tmp_path / "m")


def test_crossed_run(read: Read, model: RankerModel) -> None:
    """Each topic is ranked by a model that was learned from the other folds alone."""
    found, groups = read
    run = crossed(found, groups, folds=4)
    assert list(run) == [one.topic for one in found]
    fold = np.empty(len(found), int)
    fold[np.random.default_rng(0).permutation(len(found))] = np.arange(len(found)) % 4
    others = [one for one, of in zip(found, fold, strict=True) if of != fold[2]]
    scores = fit(others, groups, whole=True).scores(found[2].features, groups)
    best = Hits.ranked(found[2].ids, scores)
    assert run[found[2].topic].ids.tolist() == best.ids.tolist()
    with pytest.raises(UsageError, match="13 folds of 12 topics"):
        crossed(found, groups, folds=13)


def test_moves_are_not_asked_for(collection, tmp_path, caplog):
    """The packaged ranker gives the same run with moves and without, and no word of them."""
    build(tmp_path / "plain", [invent(n) for n in range(60)], tagged=False)
    with Indexes(tmp_path / "plain") as plain, caplog.at_level(logging.WARNING):
        runs = [
            RankerSearcher(opened, RankerReranker("ranker")).search({"a": "ant nest"}, 9)
            for opened in (collection, plain)
        ]
    assert runs[0] == runs[1]
    assert not [line.message for line in caplog.records if "moves" in line.message]


def test_learned_topics_are_told(collection, model, caplog):
    """Searching a topic that the model was learned from warns in one line; others do not."""
    told = replace(model, facts={**model.facts, "seen": [fingerprint("Ant  nest")]})
    searcher = RankerSearcher(collection, RankerReranker(told))
    with caplog.at_level(logging.WARNING):
        searcher.search({"a": "ant nest", "b": "bee hive"}, 5)
    lines = [line.message for line in caplog.records if "learned from" in line.message]
    assert lines == [
        "the ranker was learned from 1 of these 2 topics: to measure it, "
        "train ranker --folds 5 --folds-run RUN"
    ]
