"""Names of measures as trec_eval takes and prints them."""

import pytest
import pytrec_eval

from relsent_ir.errors import UsageError
from relsent_ir.trec import measure_names
from relsent_ir.trec.measures import parse_measures


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


def test_a_group_keeps_its_cutoffs_beside_another():
    """pytrec_eval would answer ``official`` and ``P.7`` with P_7 alone."""
    names = measure_names(["P.7", "official"])
    assert [name for name in names if name.startswith("P_")] == [
        f"P_{cut}" for cut in (5, 7, 10, 15, 20, 30, 100, 200, 500, 1000)
    ]


@pytest.mark.parametrize("group", ["official", "set", "all_trec"])
def test_groups_are_those_of_trec_eval(group: str):
    """The same measures as in trec_eval, but for its two that are strings."""
    known = pytrec_eval.supported_nicknames[group] - {"runid", "relstring"}
    assert {measure.base for measure in parse_measures([group])} == known


def test_default_parameters_are_those_of_trec_eval():
    """Without parameters we name what trec_eval calculates."""
    measures = pytrec_eval.supported_measures - {"runid", "relstring"}
    evaluator = pytrec_eval.RelevanceEvaluator({"1": {"a": 1}}, measures)
    found = evaluator.evaluate({"1": {"a": 1.0}})["1"]
    assert sorted(found) == sorted(measure_names(["all_trec"]))


@pytest.mark.parametrize(
    ("name", "advice"),
    [
        ("Map", "did you mean map, "),
        ("ndgc", "ndcg"),
        ("ndcg@10", "ndcg_cut"),
        ("recall_rank", "recip_rank"),
        ("precision", "names are taken|did you mean"),
        ("zzz@10", "trec_eval's names are taken: map, P.10, .* or nDCG@10"),
        ("ndcg@10", "nDCG"),
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
