"""Ranked results: their order, cuts, and the way from sentences to records."""

import itertools
import subprocess
import sys

import numpy as np
import pytest
import pytrec_eval
from hypothesis import example, given, settings
from hypothesis import strategies as st

from relsent_ir.errors import InputError, MissingError, RelsentError
from relsent_ir.hits import Hits, Run, owner, ranked_scores, scaled

IDS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=4)
SCORES = st.sampled_from([-1.5, 0.0, 0.25, 1.0, 2.0])


def listed(hits: Hits) -> list[tuple[str, float]]:
    """The hits as plain pairs."""
    return list(zip(hits.ids.tolist(), hits.scores.tolist(), strict=True))


def test_ranked() -> None:
    """The best score comes first, ties in the order of their ids' UTF-8 bytes, at a cut, too."""
    hits = Hits.ranked(["c", "a", "d", "b"], [1.0, 2.0, 1.0, 1.0])
    assert listed(hits) == [("a", 2.0), ("b", 1.0), ("c", 1.0), ("d", 1.0)]
    assert hits.ids.dtype == object
    assert hits.scores.dtype == np.float64
    assert listed(Hits.ranked(["9", "10", "8"], [1, 1, 1], k=2)) == [("10", 1.0), ("8", 1.0)]
    assert Hits.ranked(["\U0001f600", "\uff5e", "é", "z"], [1, 1, 1, 1]).ids.tolist() == [
        "z",
        "é",
        "\uff5e",
        "\U0001f600",
    ]


@settings(derandomize=True, deadline=None)
@given(st.dictionaries(IDS, SCORES, max_size=12), st.none() | st.integers(0, 14))
def test_ranked_agrees_with_plain_sorting(scores: dict[str, float], k: int | None) -> None:
    """The order is that of (-score, UTF-8 bytes), for any ids and any cut-off."""
    expected = sorted(scores.items(), key=lambda item: (-item[1], item[0].encode()))[:k]
    assert listed(Hits.ranked(scores.keys(), scores.values(), k)) == expected


def test_parts_of_hits() -> None:
    """Any iterables will do, of one length; heads, and hits without an id."""
    assert listed(Hits.ranked((name for name in "ab"), iter([1, 2]))) == [("b", 2.0), ("a", 1.0)]
    assert len(Hits.ranked([], [])) == 0
    with pytest.raises(ValueError, match="too short"):
        Hits.ranked(["a", "b"], [1.0])
    hits = Hits.ranked(["a", "b", "c"], [3, 2, 1])
    assert hits.head(2).ids.tolist() == ["a", "b"]
    assert len(hits.head(9)) == 3
    assert len(hits.head(0)) == 0
    hits = Hits.ranked(["1", "01", "11"], [3, 2, 1])
    assert listed(hits.without("1")) == [("01", 2.0), ("11", 1.0)]
    assert listed(hits.without("7")) == listed(hits)


def test_max_passage() -> None:
    """Records are ranked by their best sentence, ties by the record's id."""
    hits = Hits.ranked(["a.b.2", "c.1", "a.b.1", "c.0"], [5, 4, 3, 2])
    assert listed(hits.max_passage()) == [("a.b", 5.0), ("c", 4.0)]
    hits = Hits.ranked(["a#1#2", "a#3", "b.1", "#4"], [1, 2, 3, 4])
    assert listed(hits.max_passage("#")) == [("#4", 4.0), ("b.1", 3.0), ("a", 2.0)]
    hits = Hits.ranked(["a.9", "a-b.1"], [1, 1])
    assert hits.ids.tolist() == ["a-b.1", "a.9"]
    assert listed(hits.max_passage()) == [("a", 1.0), ("a-b", 1.0)]
    assert listed(Hits.ranked(["7", ".5"], [2, 1]).max_passage()) == [("7", 2.0), (".5", 1.0)]
    assert len(Hits.ranked([], []).max_passage()) == 0


def test_a_sequence_of_pairs() -> None:
    """Iterated and indexed it gives pairs of plain types; ids and pairs are among them."""
    hits = Hits.ranked(["a", "b", "c"], [3, 2, 1])
    assert list(hits) == listed(hits)
    assert hits[0] == ("a", 3.0)
    assert hits[-1] == ("c", 1.0)
    assert {type(value) for value in hits[np.int64(1)]} == {str, float}
    assert listed(hits[:2]) == [("a", 3.0), ("b", 2.0)]
    assert isinstance(hits[5:], Hits)
    assert hits.ids[:2].tolist() == ["a", "b"]
    with pytest.raises(IndexError):
        hits[3]
    with pytest.raises(TypeError):
        hits[np.array([True, False, True])]
    hits = Hits.ranked(["a", "b"], [2, 1])
    assert "a" in hits
    assert "z" not in hits
    assert ("b", 1.0) in hits
    assert ("b", 2.0) not in hits


def test_equal_by_value() -> None:
    """The same ids and scores in the same order; runs follow, and neither has a hash."""
    hits = Hits.ranked(["a", "b"], [2, 1])
    assert hits == Hits.ranked(["b", "a"], [1, 2])
    assert hits != Hits.ranked(["a", "b"], [2, 0.5])
    assert hits != hits[:1]
    assert hits != [("a", 2.0), ("b", 1.0)]
    assert Run({"1": hits}) == Run({"1": hits[:]}) == {"1": hits}
    assert Run({"1": hits}) != Run({"1": hits[:1]})
    for value in (hits, Run()):
        with pytest.raises(TypeError, match="unhashable"):
            hash(value)


def test_short_texts() -> None:
    """What a prompt shows is one line, however many hits there are."""
    hits = Hits.ranked([str(i) for i in range(1200)], range(1200))
    assert repr(hits) == "Hits(1,200: 1199 1199.0000, 1198 1198.0000, 1197 1197.0000, …)"
    assert repr(hits[:1]) == "Hits(1: 1199 1199.0000)"
    assert repr(hits[:0]) == "Hits(0)"
    assert repr(Run({"1": hits, "2": hits[:3]})) == "Run(2 topics, 1,203 hits)"


def test_table() -> None:
    """A row a topic, twenty at most; ids are escaped and cut."""
    run = Run({"<1>": Hits.ranked(["a&b", "x" * 50], [2, 1]), "2": Hits.ranked([], [])})
    assert run._repr_html_() == (
        "<table><tr><th>topic</th><th>hits</th><th>first</th></tr>"
        "<tr><td>&lt;1&gt;</td><td>2</td>"
        f"<td>a&amp;b 2.0000, {'x' * 39}… 1.0000</td></tr>"
        "<tr><td>2</td><td>0</td><td></td></tr></table>"
    )
    many = Run((str(i), Hits.ranked(["a"], [1])) for i in range(1500))
    assert many._repr_html_().count("<tr>") == 22
    assert "1,480 more topics" in many._repr_html_()


def test_head_of_a_run() -> None:
    """The first hits of each topic; a run again."""
    run = Run({"1": Hits.ranked(["a", "b"], [2, 1]), "2": Hits.ranked([], [])})
    assert run.head(1) == {"1": Hits.ranked(["a"], [2]), "2": Hits.ranked([], [])}
    assert isinstance(run.head(1), Run)


RUN = Run({"07": Hits.ranked(["001", "b"], [2, 0.5]), "8": Hits.ranked(["x", "y"], [1, 1])})


def test_frame() -> None:
    """PyTerrier's columns, ranks from 0; ids keep their zeros."""
    pytest.importorskip("pandas")
    frame = RUN.to_dataframe({"07": "salt in sweat", "8": "mucus", "9": "not asked"})
    assert frame.to_dict("list") == {
        "qid": ["07", "07", "8", "8"],
        "docno": ["001", "b", "x", "y"],
        "score": [2.0, 0.5, 1.0, 0.99999994],  # no ties: whoever measures it sorts by them
        "rank": [0, 1, 0, 1],
        "query": ["salt in sweat", "salt in sweat", "mucus", "mucus"],
    }
    assert [str(frame[name].dtype) for name in ("score", "rank")] == ["float64", "int64"]
    assert "query" not in RUN.to_dataframe()
    with pytest.raises(InputError, match="topic 8 of the run is not among the topics"):
        RUN.to_dataframe({"07": "salt"})


def test_frame_there_and_back() -> None:
    """The same run, whatever the order of the rows; a topic without hits has no row."""
    pytest.importorskip("pandas")
    frame = RUN.to_dataframe()
    again = Run.from_dataframe(frame)
    assert {topic: hits.ids.tolist() for topic, hits in again.items()} == {
        topic: hits.ids.tolist() for topic, hits in RUN.items()
    }
    turned = Run.from_dataframe(frame[::-1])
    assert list(turned) == ["8", "07"]
    assert turned == again
    frame = frame.assign(rank=[1, 0, 1, 0], score=[2, 0.5, 1, 1])
    assert Run.from_dataframe(frame)["8"].ids.tolist() == ["y", "x"]
    assert Run.from_dataframe(frame)["07"] == RUN["07"]
    assert Run.from_dataframe(frame.drop(columns="rank")) == RUN
    empty = Run({"1": Hits.ranked([], [])})
    assert list(empty.to_dataframe().columns) == ["qid", "docno", "score", "rank"]
    assert Run.from_dataframe(empty.to_dataframe()) == Run()


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"docno": None}, "ids are texts, not None"),
        ({"score": float("nan")}, "topic 07: the score of document 001 is no finite number"),
        ({"docno": "x"}, "topic 07: a document is there twice"),
    ],
)
def test_frames_that_are_refused(change: dict[str, object], problem: str) -> None:
    """No run can hold them."""
    pytest.importorskip("pandas")
    with pytest.raises(RelsentError, match=problem):
        Run.from_dataframe(RUN.to_dataframe().assign(**change))


def test_frame_without_a_column() -> None:
    """The column is named."""
    pytest.importorskip("pandas")
    frame = RUN.to_dataframe().rename(columns={"docno": "document"})
    with pytest.raises(InputError, match="no column 'docno'"):
        Run.from_dataframe(frame)


def test_without_pandas(monkeypatch: pytest.MonkeyPatch) -> None:
    """One line that says what to install."""
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(MissingError, match=r"pandas is not installed \(pip install pandas\)"):
        RUN.to_dataframe()


def test_nothing_heavy_at_import() -> None:
    """A run needs no pandas until it is asked for a frame."""
    code = "import sys, relsent_ir.hits; sys.exit('pandas' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_scaled() -> None:
    """The least score is 0 and the highest 1; a sentence's id is split at its last dot."""
    assert scaled(np.array([5.0, 1.0, 2.0])).tolist() == [1.0, 0.0, 0.25]
    assert scaled(np.array([3.0, 3.0])).tolist() == [0.0, 0.0]
    assert scaled(np.zeros(0)).tolist() == []
    assert (owner("001.12"), owner("a.b.0")) == ("001", "a.b")


_EXTREMES = [0.0, -0.0, 1e-300, 5e-324, 1e-45, -1e-45, 1.2e-38, 3.4028235e38, -3.4028235e38]
_EXTREMES += [1e39, 1e300, 1.7e308, -1e39, -1e300, 1.0, 1 + 1e-9, 1 - 1e-9, 16777216.0, 16777217.0]
_RANKED = st.lists(
    st.one_of(
        st.sampled_from(_EXTREMES),
        st.floats(allow_nan=False, allow_infinity=False),
        st.floats(-30, 30),
        st.integers(-3, 3).map(float),
    ),
    min_size=1,
    max_size=60,
).map(lambda scores: sorted(scores, reverse=True))


@given(scores=_RANKED)
@settings(derandomize=True, deadline=None, max_examples=300)
def test_strictly_falling_in_both_precisions(scores: list[float]):
    """Read in double precision, and rounded to single, no score reaches the one before."""
    values = [float(text) for text in ranked_scores(np.array(scores))]
    assert all(a > b for a, b in itertools.pairwise(values))
    with np.errstate(over="ignore"):
        single = np.array(values).astype(np.float32)
    assert all(a > b for a, b in itertools.pairwise(single))


@given(scores=_RANKED)
@settings(derandomize=True, deadline=None, max_examples=100)
def test_pytrec_eval_sees_the_order(scores: list[float]):
    """Whatever the ids, the one relevant document is found at its rank."""
    texts = ranked_scores(np.array(scores))
    ids = [f"d{i:03}" for i in range(len(texts))]  # A to Z, where trec_eval breaks ties Z to A
    run = {"1": {id_: float(text) for id_, text in zip(ids, texts, strict=False)}}
    for rank in {1, 2, len(ids) // 2 + 1, len(ids) - 1, len(ids)} & set(range(1, len(ids) + 1)):
        evaluator = pytrec_eval.RelevanceEvaluator({"1": {ids[rank - 1]: 1}}, {"recip_rank"})
        assert evaluator.evaluate(run)["1"]["recip_rank"] == 1 / rank


@given(scores=_RANKED)
@settings(derandomize=True, deadline=None, max_examples=100)
def test_what_does_not_tie_is_exact(scores: list[float]):
    """A score that is clear of its predecessor in single precision keeps all its digits."""
    with np.errstate(over="ignore"):
        single = np.array(scores).astype(np.float32)
    apart = all(a > b for a, b in itertools.pairwise(single))
    if apart and np.isfinite(single).all():
        assert [float(text) for text in ranked_scores(np.array(scores))] == scores


@pytest.mark.parametrize(
    ("scores", "texts"),
    [
        ([2.5, 1.5], ["2.5", "1.5"]),
        # Under 1 the numbers of single precision lie 2**-24 apart: 0.9999999404, 0.9999998808.
        ([1.0, 1.0, 1.0, 0.5], ["1.0", "0.99999994", "0.999999881", "0.5"]),
        # Under 0 comes the smallest number there is, about 1.4e-45.
        ([0.0, 0.0], ["0.0", "-1.40129846e-45"]),
        # The lowered second meets the third, which moves too; the fourth is clear of it.
        ([1.0, 1.0, 0.99999994, 0.9], ["1.0", "0.99999994", "0.999999881", "0.9"]),
        ([-1.0, -1.0], ["-1.0", "-1.00000012"]),
        ([], []),
    ],
)
def test_least_step(scores: list[float], texts: list[str]):
    """Worked out by hand from the spacing of single precision."""
    assert ranked_scores(np.array(scores, dtype=np.float64)) == texts


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), max_size=40))
@example([5e-324, 1e-5, 9.999999999999999e-05, 1e-4, 0.0, -0.0, 123.0, 1e15, 1e16, -1e16, 1e22])
@example([float(np.float32(12.3456789)), 9007199254740993.0, 9999999999999998.0, 2.0**-1022])
@settings(derandomize=True, deadline=None, max_examples=1000)
def test_digits_are_those_of_repr(scores: list[float]):
    """Every double that is clear of those before it is written as Python writes it."""
    for score in scores:
        assert ranked_scores(np.array([score])) == [repr(score)]
    ranking = sorted(scores, reverse=True)
    with np.errstate(over="ignore"):
        single = np.array(ranking).astype(np.float32)
    if np.isfinite(single).all() and (np.diff(single) < 0).all():
        assert ranked_scores(np.array(ranking)) == [repr(score) for score in ranking]
        strided = np.repeat(np.array(ranking), 2)[::2]
        assert ranked_scores(strided) == [repr(score) for score in ranking]


def test_bottom_of_the_range():
    """Where nothing is lower, those before are raised."""
    lowest = -float(np.finfo(np.float32).max)
    values = [float(text) for text in ranked_scores(np.array([lowest] * 3))]
    assert np.float32(values[2]) == np.float32(lowest)
    assert values[0] > values[1] > values[2]


def test_as_ir_measures_reads_a_frame() -> None:
    """A run has its three columns, and rows whose scores do not tie."""
    run = Run({"2": Hits.ranked(["b", "a"], [1, 1]), "1": Hits.ranked(["c"], [0.5])})
    assert run.columns == ("query_id", "doc_id", "score")
    first, second, third = run.itertuples()
    assert (first, third) == (("2", "a", 1.0), ("1", "c", 0.5))
    assert (second.query_id, second.doc_id) == ("2", "b")
    assert 0.9999999 < second.score < 1
