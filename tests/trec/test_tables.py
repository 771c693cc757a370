"""Tables of evaluations and comparisons."""

import pytest

from relsent_ir.errors import UsageError
from relsent_ir.hits import Hits, Run
from relsent_ir.trec import ComparisonTable, compare_runs, evaluate_runs
from relsent_ir.trec.comparison import Comparison

QRELS = {str(topic): {"a": 1} for topic in range(6)}
FIRST = Run((topic, Hits.ranked("ab", [2, 1])) for topic in QRELS)
SECOND = Run((topic, Hits.ranked("ba", [2, 1])) for topic in QRELS)
RUNS = {"BM<25>": SECOND, "RM3": FIRST}


def test_one_run():
    """trec_eval's layout; options are passed on; nothing to measure, or to compare, is told."""
    expected = "num_ret               \tall\t12\nmap                   \tall\t0.5000"
    assert str(evaluate_runs(QRELS, SECOND, ["map", "num_ret"])) == expected
    assert repr(evaluate_runs(QRELS, dict(SECOND), ["map", "num_ret"])) == expected
    table = evaluate_runs(QRELS, RUNS, ["num_ret", "map"], max_docs=1)
    assert table["BM<25>"].summary == {"num_ret": 6, "map": 0.0}
    assert str(compare_runs(QRELS, RUNS, max_docs=1)).splitlines()[1].split() == [
        "BM<25>", "map", "0.0000",
    ]  # fmt: skip
    with pytest.raises(UsageError, match="no run to measure"):
        evaluate_runs(QRELS, {})
    with pytest.raises(UsageError, match="one run cannot be compared"):
        compare_runs(QRELS, SECOND)


def test_several_runs():
    """A row each; trec_eval's lines are blocks under the names; each evaluation by its name."""
    table = evaluate_runs(QRELS, RUNS, iter(["RR@1", "map"]))
    assert str(table) == ("run     map     RR@1\nBM<25>  0.5000  0.0000\nRM3     1.0000  1.0000")
    assert table.text().splitlines() == [
        "runid                 \tall\tBM<25>",
        "map                   \tall\t0.5000",
        "RR@1                  \tall\t0.0000",
        "runid                 \tall\tRM3",
        "map                   \tall\t1.0000",
        "RR@1                  \tall\t1.0000",
    ]
    assert table["RM3"].summary == {"map": 1.0, "RR@1": 1.0}
    assert table._repr_html_() == (
        "<table><tr><th>run</th><th>map</th><th>RR@1</th></tr>"
        "<tr><td>BM&lt;25&gt;</td><td>0.5000</td><td>0.0000</td></tr>"
        "<tr><td>RM3</td><td>1.0000</td><td>1.0000</td></tr></table>"
    )


def test_comparison():
    """The first run is the baseline; by sign p is 2/64."""
    table = compare_runs(QRELS, RUNS, ["recip_rank"], ["sign"])
    assert str(table) == (
        "run     measure     mean    difference  95 % interval       won/lost/tied  p(sign)  Holm\n"
        "BM<25>  recip_rank  0.5000\n"
        "RM3     recip_rank  1.0000  +0.5000     +0.5000 to +0.5000  6/0/0          0.0312   0.0312"
    )
    assert "<tr><td>BM&lt;25&gt;</td><td>recip_rank</td><td>0.5000</td></tr>" in (
        table._repr_html_()
    )
    assert table.to_json()["comparisons"][0]["run"] == "RM3"


def test_letters_are_those_of_all_pairs() -> None:
    """Whatever is compared in the table, letters stand for pairs, and LaTeX says by which test."""
    qrels = {str(topic): {"a": 1} for topic in range(9)}
    good, bad = ({t: {"a": s, "b": 1.0} for t in qrels} for s in (2.0, 0.5))
    runs = {"base": bad, "same": bad, "good": good}
    tables = [compare_runs(qrels, runs, "RR", ["sign"], all_pairs=of) for of in (False, True)]
    assert [len(table.comparisons) for table in tables] == [2, 3]
    assert tables[0].to_latex() == tables[1].to_latex()
    assert tables[0].to_ranx().splitlines()[-1].split() == ["c", "good", "1.0000ab"]
    assert tables[0].to_latex().startswith("% Letters: runs that a mean is above, Holm's p < 0.05")


def test_ranx() -> None:
    """A letter a run; behind a mean those that it is significantly above."""

    def one(run: int, other: int, means: tuple[float, float], p: float) -> Comparison:
        first, second = means
        difference = first - second
        return Comparison(
            run, other, "map", second, first, difference, None, None, 0, 0, 0, {"t": p}, {"t": p}
        )

    found = [one(0, -1, (0.2, 0.3), 0.01), one(1, -1, (0.4, 0.3), 0.2), one(1, 0, (0.4, 0.2), 0.04)]
    table = ComparisonTable("base", ("worse", "better"), found)
    assert table.to_ranx().splitlines() == [
        "#  Model   map",
        "-  ------  -------",
        "a  base    0.3000b",
        "b  worse   0.2000",
        "c  better  0.4000b",
    ]
