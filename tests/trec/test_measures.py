"""Names of measures as trec_eval takes and prints them."""

import math
import random
from dataclasses import replace

import numpy as np
import pytest
import pytrec_eval

from relsent_ir.errors import MismatchError, UsageError
from relsent_ir.hits import Hits, Run
from relsent_ir.trec import evaluate, measure_names
from relsent_ir.trec.measures import (
    average_precision,
    err,
    judged,
    parse_measures,
    rbp,
    rbp_residual,
    read_name,
)


@pytest.mark.parametrize(
    ("measures", "names"),
    [
        (["map"], ["map"]),
        (["P.10"], ["P_10"]),
        (["P_10"], ["P_10"]),
        (["P.20,5"], ["P_5", "P_20"]),
        (["P.5", "P_20", "P.5"], ["P_5", "P_20"]),
        (["ndcg_cut.10", "map", "ndcg"], ["map", "ndcg", "ndcg_cut_10"]),
        (["success"], ["success_1", "success_5", "success_10"]),
        (["iprec_at_recall.0.25,0"], ["iprec_at_recall_0.00", "iprec_at_recall_0.25"]),
        (["iprec_at_recall_0.10"], ["iprec_at_recall_0.10"]),
        (["11pt_avg"], ["11pt_avg"]),
        (["Rprec_mult.0.20", "Rprec"], ["Rprec", "Rprec_mult_0.20"]),
    ],
)
def test_names(measures: list[str], names: list[str]):
    """Dots and underlines, lists, the same thing twice; the order is trec_eval's."""
    assert measure_names(measures) == names


def test_more_names():
    """A group keeps its cut-offs beside another; names are printed as asked for, ranx's too."""
    names = measure_names(["P.7", "official"])
    assert [name for name in names if name.startswith("P_")] == [
        f"P_{cut}" for cut in (5, 7, 10, 15, 20, 30, 100, 200, 500, 1000)
    ]
    measures = pytrec_eval.supported_measures - {"runid", "relstring"}
    evaluator = pytrec_eval.RelevanceEvaluator({"1": {"a": 1}}, measures)
    found = evaluator.evaluate({"1": {"a": 1.0}})["1"]
    assert sorted(found) == sorted(measure_names(["all_trec"]))
    names = ["nDCG@10", "P( rel = 2 )@10", "map", "nDCG@10", "AP"]
    assert measure_names(names) == ["map", "nDCG@10", "P( rel = 2 )@10", "AP"]
    for text in ("P.10", "P(rel=2", "AP@", "XP@10", "", "P@10@10"):
        assert read_name(text) is None
    for theirs, ours in {"ndcg@10": "nDCG@10", "hit_rate@5": "Success@5", "mrr": "RR"}.items():
        assert read_name(theirs) == replace(read_name(ours), name=theirs)


@pytest.mark.parametrize("group", ["official", "set", "all_trec"])
def test_groups_are_those_of_trec_eval(group: str):
    """The same measures as in trec_eval, but for its two that are strings."""
    known = pytrec_eval.supported_nicknames[group] - {"runid", "relstring"}
    assert {measure.base for measure in parse_measures([group])} == known


@pytest.mark.parametrize(
    ("name", "advice"),
    [
        ("Map", "did you mean map, "),
        ("ndgc", "ndcg"),
        ("ndgc@10", "ndcg"),
        ("recall_rank", "recip_rank"),
        ("precisoin", "names are taken|did you mean"),
        ("zzz@10", "trec_eval's names are taken: map, P.10, .* or nDCG@10"),
        ("zzz", "trec_eval's names are taken"),
        ("P.10x", "did you mean P"),
        ("P.", "did you mean P"),
        ("", "trec_eval's names are taken"),
        ("runid", "no measure runid"),
    ],
)
def test_unknown_measure(name: str, advice: str):
    """The error names those that are spelled like it."""
    with pytest.raises(UsageError, match=advice):
        measure_names([name])


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("map.10", "map takes no parameters"),
        ("P.0", "cut-offs are whole numbers from 1"),
        ("P.2.5", "cut-offs are whole numbers from 1"),
        ("iprec_at_recall.1.5", "recall levels go from 0 to 1"),
        ("Rprec_mult.1000000000", "factors go from 0 to 1000"),
        ("Rprec_mult." + "9" * 5000, "factors go from 0 to 1000"),
        ("P.1000000001", "cut-offs are whole numbers from 1 to 1000000000"),
        ("P.5," + "9" * 5000, "cut-offs are whole numbers from 1 to 1000000000$"),
        ("x" * 5000, "no measure x{40}… "),
    ],
)
def test_parameters_out_of_range(name: str, problem: str):
    """They are refused before trec_eval would end the process, or shorten a name."""
    with pytest.raises(UsageError, match=problem) as caught:
        measure_names([name])
    assert len(str(caught.value)) < 200


CHANCE = random.Random(11)
IDS = [f"d{i:02}" for i in range(50)]
QRELS = {
    str(t): {id_: CHANCE.choice([-1, 0, 0, 1, 2, 3]) for id_ in CHANCE.sample(IDS, 25)}
    for t in range(9)
}
FOUND = {str(t): CHANCE.sample(IDS, CHANCE.choice([4, 30])) for t in range(8)}
RUN = {t: Hits.ranked(ids, range(len(ids), 0, -1)) for t, ids in FOUND.items()}


def _hits(topic: str, k: int = 99, level: int = 1) -> list[bool]:
    """Which of a topic's first k hits are relevant."""
    return [QRELS[topic].get(id_, -1) >= level for id_ in FOUND.get(topic, [])[:k]]


def _relevant(topic: str, level: int = 1) -> int:
    return sum(grade >= level for grade in QRELS[topic].values())


def _ap(topic: str, k: int = 99, level: int = 1) -> float:
    hits = _hits(topic, k, level)
    found = sum(sum(hits[: i + 1]) / (i + 1) for i, hit in enumerate(hits) if hit)
    return found / max(1, _relevant(topic, level))


def _rr(topic: str, k: int = 99, level: int = 1) -> float:
    hits = _hits(topic, k, level)
    return 1 / (hits.index(True) + 1) if True in hits else 0.0


def _dcg(grades: list[int]) -> float:
    return sum(max(0, grade) / math.log2(i + 2) for i, grade in enumerate(grades))


def _ndcg(topic: str, k: int = 99) -> float:
    grades = [QRELS[topic].get(id_, 0) for id_ in FOUND.get(topic, [])[:k]]
    return _dcg(grades) / _dcg(sorted(QRELS[topic].values(), reverse=True)[:k])


DEFINITIONS = {
    "Rprec": lambda t: sum(_hits(t, _relevant(t))) / _relevant(t),
    "AP": _ap,
    "MAP": _ap,
    "AP@3": lambda t: _ap(t, 3),
    "AP(rel=2)@1000": lambda t: _ap(t, level=2),
    "RR": _rr,
    "RR@2": lambda t: _rr(t, 2),
    "MRR@10": lambda t: _rr(t, 10),
    "RR(rel=3)@5": lambda t: _rr(t, 5, 3),
    "nDCG": _ndcg,
    "nDCG@5": lambda t: _ndcg(t, 5),
    "P@10": lambda t: sum(_hits(t, 10)) / 10,
    "P(rel=2)@10": lambda t: sum(_hits(t, 10, 2)) / 10,
    "R@1000": lambda t: sum(_hits(t)) / _relevant(t),
    "Recall(rel=2)@7": lambda t: sum(_hits(t, 7, 2)) / _relevant(t, 2),
    "Success@1": lambda t: float(any(_hits(t, 1))),
    "Success(rel=3)@4": lambda t: float(any(_hits(t, 4, 3))),
    "Rprec(rel=2)": lambda t: sum(_hits(t, _relevant(t, 2), 2)) / _relevant(t, 2),
    "NumRel(rel=2)": lambda t: _relevant(t, 2),
    "NumRet": lambda t: len(FOUND.get(t, [])),
    "NumRet(rel=2)": lambda t: sum(_hits(t, level=2)),
    "NumRelRet": lambda t: sum(_hits(t)),
    "SetR": lambda t: sum(_hits(t)) / _relevant(t),
    "Judged@6": lambda t: (
        sum(i in QRELS[t] for i in FOUND.get(t, [])[:6]) / min(6, len(FOUND[t]))
        if t in FOUND
        else 0.0
    ),
}


def test_definitions():
    """All at once, so that levels and cut-offs do not get into each other's way."""
    found = evaluate(QRELS, RUN, DEFINITIONS)
    assert list(found.summary) == list(DEFINITIONS)
    for name, definition in DEFINITIONS.items():
        expected = [definition(topic) for topic in QRELS]
        assert [found.topics[topic][name] for topic in QRELS] == pytest.approx(expected), name
        total = sum(expected)
        mean = total if name.startswith("Num") else total / len(QRELS)
        assert found.summary[name] == pytest.approx(mean), name


@pytest.mark.parametrize(
    ("name", "trec"),
    [
        ("AP", "map"), ("Bpref", "bpref"), ("infAP", "infAP"), ("nDCG@10", "ndcg_cut_10"),
        ("IPrec@.1", "iprec_at_recall_0.10"), ("SetP", "set_P"), ("SetF", "set_F"),
        ("SetAP", "set_map"), ("NumQ", "num_q"), ("R@5", "recall_5"), ("AP@10", "map_cut_10"),
    ],
)  # fmt: skip
def test_what_trec_eval_calls_them(name: str, trec: str):
    """The same values under both names, asked for together and in whichever order."""
    found = evaluate(QRELS, RUN, [name, trec])
    assert list(found.summary) == ([trec, name] if name != trec else [name])
    assert found.summary[name] == found.summary[trec]


def test_levels_are_those_of_trec_eval():
    """``rel`` gives what -l gives, in the place of it."""
    level = evaluate(QRELS, RUN, ["bpref", "infAP", "map"], relevance_level=2).summary
    names = ["Bpref(rel=2)", "infAP(rel=2)"]
    found = evaluate(QRELS, RUN, [*names, "AP"], relevance_level=2).summary
    same = ("bpref", names[0]), ("infAP", names[1]), ("map", "AP")
    assert [found[ours] for _, ours in same] == [level[theirs] for theirs, _ in same]
    assert evaluate(QRELS, RUN, names).summary == {name: found[name] for name in names}


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("P(rel=0)@10", "rel is a whole number from 1"),
        ("P@0", "the cut-off is a whole number from 1"),
        ("RR@x", "the cut-off is a whole number"),
        ("AP@" + "9" * 5000, "the cut-off is a whole number from 1 to 1000000000$"),
        ("R", r"R needs a cut-off \(as R@10\)"),
        ("Bpref@10", "Bpref has no cut-off"),
        ("IPrec@1.5", "the recall goes from 0 to 1"),
        ("nDCG(rel=2)@10", "nDCG takes no parameter rel"),
        ("AP(judged_only=True)", "AP takes no parameter judged_only"),
        ("P(rel)@10", r"cannot read 'rel' \(write rel=2\)"),
        ("RBP(p=2)", "p goes from 0 to 1"),
        ("RBP(p=nan)", "p goes from 0 to 1"),
        ("RBP(q=.5)", "RBP takes no parameter q"),
        ("ERR(max_rel=-1)", "max_rel is a whole number"),
    ],
)
def test_refused(name: str, problem: str):
    """In one line, of some length."""
    with pytest.raises(UsageError, match=problem) as caught:
        measure_names([name])
    assert len(str(caught.value)) < 200


def test_by_hand() -> None:
    """(1 + 2/4) / 3; stops with 7/16, then 1/16; a grade of 0 or less is a judgement too."""
    grades = {"a": 1, "b": 0, "d": 2, "x": 1, "c": -1}
    assert average_precision(["a", "b", "c", "d"], grades) == (1 + 2 / 4) / 3
    assert average_precision(["a", "b", "c", "d"], grades, level=2) == 1 / 4
    assert average_precision(["a"], grades, level=3) == 0.0
    assert average_precision([], grades) == 0.0
    assert err(list("bca"), FOUR) == pytest.approx(7 / 16 + 9 / 16 * 1 / 16 / 3)
    assert err(list("xdc"), FOUR) == 0
    assert err([], FOUR) == 0
    assert err(list("b"), FOUR, max_rel=3) == pytest.approx(7 / 8)
    assert err(list("b"), {"b": 1}, max_rel=10**9) == 0
    with pytest.raises(MismatchError, match=r"up to 4, and the qrels have 8 \(as ERR\(max_rel=8\)"):
        err(list("a"), {"a": 8})
    assert judged(list("axby"), {"a": 1, "b": -1, "c": 2}) == 1 / 2
    assert judged([], {"a": 1}) == 0
    run = {"1": Hits.ranked("axb", [3, 2, 1])}
    found = evaluate({"1": {"a": 0, "b": 1}}, run, ["Judged@2", "Judged@10", "Judged"])
    assert list(found.summary.values()) == [1 / 2, 2 / 3, 2 / 3]


@pytest.mark.parametrize("level", [1, 2, 4])
def test_is_trec_evals(level: int) -> None:
    """Alone it is ours, beside another measure pytrec_eval's: the same numbers."""
    chance = np.random.default_rng(level)
    ids = [f"d{n}" for n in range(300)]
    run = Run()
    qrels = {}
    for topic in map(str, range(40)):
        found = chance.permutation(ids)[: chance.integers(0, 200)].tolist()
        run[topic] = Hits.ranked(found, chance.integers(0, 50, len(found)).tolist())
        judged = chance.permutation(ids)[: chance.integers(1, 80)].tolist()
        qrels[topic] = {name: int(chance.integers(-1, 4)) for name in judged}
    alone = evaluate(qrels, run, ["map"], relevance_level=level)
    beside = evaluate(qrels, run, ["map", "P.5"], relevance_level=level)
    assert {t: v["map"] for t, v in beside.topics.items()} == {
        t: v["map"] for t, v in alone.topics.items()
    }
    assert alone.summary["map"] == beside.summary["map"]
    assert (
        evaluate(qrels, run, ["AP(rel=2)"]).summary["AP(rel=2)"]
        == (evaluate(qrels, run, ["AP(rel=2)", "P(rel=2)@5"]).summary["AP(rel=2)"])
    )


FOUR = {"a": 1, "b": 3, "c": 0, "d": -2}


GRADES = {"a": 1, "b": 0, "c": 2}


def test_rbp_by_hand():
    """Relevant at ranks 1 and 4; the residual is what judgements could add."""
    assert rbp(list("axbc"), GRADES, p=0.5) == pytest.approx(0.5 * (1 + 1 / 8))
    assert rbp_residual(list("axbc"), GRADES, p=0.5) == pytest.approx(0.5 * (1 / 2) + 1 / 16)
    assert rbp(list("axbc"), GRADES, 2) == pytest.approx(0.2 * 0.8**3)
    assert (rbp([], GRADES), rbp_residual([], GRADES)) == (0, 1)
    assert (rbp(list("ax"), GRADES, p=0.0), rbp_residual(list("ax"), GRADES, p=0.0)) == (1, 0)
    chance = random.Random(3)
    for p in (0.3, 0.8, 0.95):
        ids = [f"d{i}" for i in range(40)]
        grades = {id_: chance.choice([0, 1]) for id_ in ids if chance.random() < 0.5}
        far = ids + [f"e{i}" for i in range(1000)]
        best = {id_: grades.get(id_, 1) for id_ in far}
        highest = sum((1 - p) * p**i * best[id_] for i, id_ in enumerate(far))
        assert rbp(ids, grades, p=p) + rbp_residual(ids, grades, p=p) == pytest.approx(highest)


def test_as_a_measure():
    """Under its names, with the evaluation's level or its own, a cut-off, a missing topic."""
    names = ["rbp", "RBP(p=.5)", "RBP(rel=2, p=0.5)@3", "rbp_residual"]
    run = {"1": Hits.ranked("axbc", [4, 3, 2, 1])}
    found = evaluate({"1": GRADES, "2": {"a": 1}}, run, names)
    assert list(found.summary) == names
    values = [0.2 * (1 + 0.8**3), 0.5 * (1 + 1 / 8), 0.0, 0.2 * 0.8 + 0.8**4]
    assert list(found.topics["1"].values()) == pytest.approx(values)
    assert list(found.topics["2"].values()) == [0, 0, 0, 1]
    assert found.summary["rbp"] == pytest.approx(values[0] / 2)
    level = evaluate({"1": GRADES}, run, ["rbp", "RBP(rel=1)"], relevance_level=2).summary
    assert list(level.values()) == pytest.approx([0.2 * 0.8**3, values[0]])
