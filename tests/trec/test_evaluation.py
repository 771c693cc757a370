"""What trec_eval says of runs, worked out by hand and by pytrec_eval itself."""

import math
import random

import numpy as np
import pytest
import pytrec_eval

from relsent_ir.errors import MismatchError, UsageError
from relsent_ir.hits import Hits
from relsent_ir.trec import evaluate, evaluate_runs
from relsent_ir.trec.measures import measure_names

QRELS = {"1": {"a": 1, "b": 0, "c": 2, "d": 1}, "2": {"x": 1, "y": 1}, "3": {"x": 0}}
RUN = {
    "1": Hits.ranked("cbaef", [5, 4, 3, 2, 1]),
    "2": Hits.ranked("zx", [2, 1]),
    "9": Hits.ranked("a", [1]),
}


def test_by_hand():
    """Topic 1 finds 2 of 3 relevant, at ranks 1 and 3; topic 2 finds 1 of 2, at rank 2."""
    found = evaluate(QRELS, RUN, ["map", "P.2", "recip_rank", "Rprec", "recall.5", "ndcg"])
    dcg = (2 + 1 / math.log2(4)) / (2 + 1 / math.log2(3) + 1 / math.log2(4))
    assert found.topics["1"] == pytest.approx(
        {
            "map": (1 + 2 / 3) / 3,
            "Rprec": 2 / 3,
            "recip_rank": 1.0,
            "P_2": 0.5,
            "recall_5": 2 / 3,
            "ndcg": dcg,
        }
    )
    assert found.topics["2"]["map"] == (1 / 2) / 2
    assert set(found.topics["3"].values()) == {0.0}
    assert found.summary["map"] == pytest.approx((5 / 9 + 1 / 4 + 0) / 3)
    assert (found.missing, found.unjudged) == (("3",), ("9",))


def test_options_of_trec_eval():
    """Without -c the mean is over the run's topics; sums, -l and -M are trec_eval's."""
    found = evaluate(QRELS, RUN, ["map", "num_q", "num_rel"], complete=False)
    assert list(found.topics) == ["1", "2"]
    assert found.summary == pytest.approx({"num_q": 2, "num_rel": 5, "map": (5 / 9 + 1 / 4) / 2})
    assert found.missing == ("3",)
    found = evaluate(QRELS, RUN, ["num_q", "num_ret", "num_rel", "num_rel_ret", "gm_map"])
    product = (5 / 9) * (1 / 4) * 0.00001
    assert found.summary == pytest.approx(
        {"num_q": 3, "num_ret": 7, "num_rel": 5, "num_rel_ret": 3, "gm_map": product ** (1 / 3)}
    )
    assert all(isinstance(found.summary[name], int) for name in found.summary if name != "gm_map")
    assert found.topics["1"] == {"num_ret": 5, "num_rel": 3, "num_rel_ret": 2}
    found = evaluate(QRELS, RUN, ["num_ret", "num_rel", "map"], relevance_level=2, max_docs=1)
    assert found.topics["1"] == {"num_ret": 1, "num_rel": 1, "map": 1.0}
    assert found.topics["2"] == {"num_ret": 1, "num_rel": 0, "map": 0.0}
    found = evaluate(QRELS, RUN, ["num_rel", "map", "bpref"], relevance_level=10**9)
    assert found.summary == {"num_rel": 0, "map": 0.0, "bpref": 0.0}


def test_orders_and_empty_topics():
    """Ties stay in the order of the hits; topics go by bytes; only negative grades."""
    hits = Hits(np.array(["a", "b"], dtype=object), np.array([1.0, 1.0]))
    assert evaluate({"1": {"a": 1}}, {"1": hits}, ["recip_rank"]).summary == {"recip_rank": 1.0}
    qrels = {"9": {"a": 1}, "10": {"a": 1}, "é": {"a": 1}, "z": {"a": 1}}
    run = dict.fromkeys(qrels, Hits.ranked("a", [1]))
    assert list(evaluate(qrels, run, ["map"]).topics) == ["10", "9", "z", "é"]
    found = evaluate(QRELS, {**RUN, "2": Hits.ranked([], [])}, ["map"])
    assert found.missing == ("2", "3")
    qrels = {"1": {"a": -1}, "2": {}, "3": {"a": 1, "b": -1}}
    run = dict.fromkeys(qrels, Hits.ranked("ba", [2, 1]))
    found = evaluate(qrels, run, ["all_trec"])
    assert found.topics["1"]["map"] == 0.0
    assert found.topics["3"]["map"] == 0.5
    assert found.unjudged == ("2",)


def test_all_measures_against_pytrec_eval():
    """Random runs without ties: each value equals pytrec_eval's, missing topics are all zero."""
    generator = random.Random(0)
    ids = [f"d{i}" for i in range(60)]
    qrels = {
        str(topic): {id_: generator.choice([0, 0, 1, 2, 3]) for id_ in generator.sample(ids, 25)}
        for topic in range(12)
    }
    scores = {
        str(topic): dict(zip(generator.sample(ids, 40), range(40), strict=True))
        for topic in range(10)
    }
    run = {topic: Hits.ranked(found, found.values()) for topic, found in scores.items()}
    for level in (1, 2):
        evaluator = pytrec_eval.RelevanceEvaluator(
            qrels, pytrec_eval.supported_measures - {"runid", "relstring"}, relevance_level=level
        )
        expected = evaluator.evaluate(scores)
        found = evaluate(qrels, run, ["all_trec"], relevance_level=level, complete=False)
        for name in measure_names(["all_trec"]):
            values = [expected[topic][name] for topic in found.topics]
            mean = pytrec_eval.compute_aggregated_measure(name, values)
            assert found.summary[name] == pytest.approx(mean)
            if name in found.topics["0"]:
                assert [found.topics[topic][name] for topic in found.topics] == values
        complete = evaluate(qrels, run, ["all_trec"], relevance_level=level)
        assert len(complete.topics) == 12
        relevant = sum(grade >= level for grade in qrels["11"].values())
        zeros = dict.fromkeys(complete.topics["11"], 0.0)
        assert complete.topics["11"] == {**zeros, "num_rel": relevant}
        assert complete.summary["map"] == pytest.approx(found.summary["map"] * 10 / 12)


def test_mistakes():
    """Files with no topic in common, and numbers out of their range."""
    with pytest.raises(MismatchError, match="have no topic id in common"):
        evaluate({"01": {"a": 1}}, {"1": Hits.ranked("a", [1])}, ["map"])
    with pytest.raises(UsageError, match="relevance level 0"):
        evaluate(QRELS, RUN, ["map"], relevance_level=0)
    with pytest.raises(UsageError, match="0 documents a topic"):
        evaluate(QRELS, RUN, ["map"], max_docs=0)


@pytest.mark.filterwarnings("ignore")  # ranx's, of numba
def test_neighbours():
    """ir_measures and ranx give the same figures of the same dicts, ties aside."""
    ir_measures, ranx = pytest.importorskip("ir_measures"), pytest.importorskip("ranx")
    chance = random.Random(4)
    names = [f"d{i}" for i in range(60)]
    qrels = {f"q{t}": {d: chance.choice([0, 1, 2]) for d in names[:40]} for t in range(9)}
    run = {f"q{t}": {d: chance.random() for d in chance.sample(names, 30)} for t in range(9)}
    asked = ["AP", "nDCG@10", "P@5", "R@20", "RR"]
    ours = evaluate_runs(qrels, run, asked).evaluations[0].summary
    theirs = ir_measures.calc_aggregate(map(ir_measures.parse_measure, asked), qrels, run)
    assert ours == pytest.approx({str(name): value for name, value in theirs.items()}, abs=1e-6)
    asked = ["map", "ndcg@10", "precision@5", "recall@20", "mrr"]
    ours = evaluate_runs(qrels, run, asked).evaluations[0].summary
    theirs = ranx.evaluate(ranx.Qrels(qrels), ranx.Run(run), asked)
    assert ours == pytest.approx(dict(theirs), abs=1e-6)
