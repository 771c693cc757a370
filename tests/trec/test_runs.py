"""Runs read and written."""

import gzip
import math
from pathlib import Path

import numpy as np
import pytest
import pytrec_eval
from hypothesis import given, settings
from hypothesis import strategies as st

from relsent_ir.errors import InputError, OutputError, UsageError
from relsent_ir.hits import Hits, Run, ranked_scores
from relsent_ir.trec import read_run, write_run
from relsent_ir.trec.runs import run_lines, run_scores


def _file(folder: Path, content: str | bytes) -> Path:
    path = folder / "run"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def _ranked(**scores: float) -> Hits:
    return Hits.ranked(scores, scores.values())


def test_order_is_that_of_trec_eval(tmp_path: Path):
    """By score, ties by id from Z to A by bytes, whatever rank and line say; # begins a comment."""
    run = read_run(
        _file(
            tmp_path,
            "007 Q0 a 1 1.5 x\nB Q0 a 1 1 x\n007 Q0 é 9 2e0 x\r\n\n007\tQ0\tz\t2\t1.50\tx\n",
        )
    )
    assert list(run) == ["007", "B"]
    assert run["007"].ids.tolist() == ["é", "z", "a"]
    assert run["007"].scores.tolist() == [2.0, 1.5, 1.5]
    run = read_run(_file(tmp_path, "1 Q0 a 1 1.0000000002 x\n1 Q0 b 2 1.0000000001 x\n"))
    assert run["1"].ids.tolist() == ["a", "b"]
    content = gzip.compress(b"# a comment\n1 Q0 a#1 1 2 x\n1 Q0 b 2 1 x")
    assert read_run(_file(tmp_path, content))["1"].ids.tolist() == ["a#1", "b"]


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("1 Q0 a 1 2 x\n1 Q0 b 2 nan x\n", "run:2: the score is no finite number"),
        ("1 Q0 a 1 inf x\n", "run:1: the score is no finite number"),
        ("1 Q0 a 1 -1e999 x\n", "run:1: the score is no finite number"),
        ("1 Q0 a 1 high x\n", "run:1: the score high is no number"),
        ("1 Q0 a 1 1_0 x\n", "run:1: the score 1_0 is no number"),
        ("1 Q0 a 1 2 x\n1\0 Q0 a 1 2 x\n", "run:2: a NUL"),
        ("1 Q0 a\0b 1 2 x\n", "run:1: a NUL"),
        ("1 Q0 a 1 2 x\n1 Q0 b 2 1\n", "run:2: 5 columns, not 6"),
        ("1 Q0 a b 1 2 x\n", "run:1: 7 columns, not 6"),
        (
            "1 Q0 a 1 3 x\n2 Q0 a 1 3 x\n1 Q0 a 2 2 x\n",
            "run:3: document a is in line 1 already, under the same topic",
        ),
        (b"1 Q0 a 1 2 x\n1 Q0 \xff 2 1 x\n", "run:2: not UTF-8"),
        (b"\xff Q0 a 1 2 x\n", "run:1: not UTF-8"),
        ("# nothing\n", "run: there are no hits"),
        ("", "run: the file is empty"),
    ],
)
def test_bad_runs(tmp_path: Path, content: str | bytes, problem: str):
    """Each is refused with its line."""
    with pytest.raises(InputError, match=problem):
        read_run(_file(tmp_path, content))


def test_truncated_gzip(tmp_path: Path):
    """A run that was cut is not half a run."""
    packed = gzip.compress(b"".join(b"1 Q0 d%d 1 %d x\n" % (i, i) for i in range(20_000)))
    with pytest.raises(InputError, match="run: the gzip data end too early"):
        read_run(_file(tmp_path, packed[:-20_000]))


def test_forms_that_are_written(tmp_path: Path):
    """Ranks count from 1, ties get the least step; MS MARCO's form; .gz packs."""
    path = tmp_path / "run"
    write_run(
        path, {"1": _ranked(b=1.0, a=1.0, c=2.25), "2": _ranked(), "01": _ranked(x=3)}, "mine"
    )
    assert path.read_text() == (
        "1 Q0 c 1 2.25 mine\n1 Q0 a 2 1.0 mine\n1 Q0 b 3 0.99999994 mine\n01 Q0 x 1 3.0 mine\n"
    )
    path = tmp_path / "run"
    write_run(path, {"1": _ranked(b=1, a=1), "2": _ranked(c=1)}, output_format="msmarco")
    assert path.read_text() == "1\ta\t1\n1\tb\t2\n2\tc\t1\n"
    write_run(tmp_path / "run.gz", {"1": _ranked(a=1)})
    assert gzip.decompress((tmp_path / "run.gz").read_bytes()) == b"1 Q0 a 1 1.0 relsent-ir\n"
    hits = Hits.ranked(["a", "b", "c"], [2.0, 2.0, 1.0])
    write_run(tmp_path / "run", {"7": hits}, "mine")
    assert b"".join(run_lines({"7": hits}, "mine")) == (tmp_path / "run").read_bytes()
    with pytest.raises(InputError, match="white space"):
        list(run_lines({"7": Hits.ranked(["a b"], [1.0])}))


@pytest.mark.parametrize(
    ("run", "problem"),
    [
        ({"1": _ranked(a=math.nan)}, "topic 1: the score of document a is no finite number"),
        ({"1": Hits.ranked(["a", "a"], [2, 1])}, "topic 1: document a is there twice"),
        ({"1": Hits.ranked(["a\0b"], [2])}, "document id .* white space or a NUL"),
        ({"1": Hits.ranked(["a b"], [2])}, "document id 'a b' is empty or has white space"),
        ({"1": Hits.ranked([""], [2])}, "document id '' is empty"),
        ({"a b": _ranked(a=1)}, "topic id 'a b' is empty or has white space"),
        ({"#1": _ranked(a=1)}, "topic id #1: trec_eval takes lines with # for comments"),
    ],
)
def test_runs_that_no_file_can_hold(tmp_path: Path, run: Run, problem: str):
    """They are refused, and what was there stays."""
    path = _file(tmp_path, "old")
    with pytest.raises(InputError, match=problem):
        write_run(path, run)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


_IDS = st.text(st.sampled_from("aZ09.é𝄞_-"), min_size=1, max_size=4)
_SCORES = st.one_of(
    st.integers(-2, 2).map(float),
    st.floats(allow_nan=False, allow_infinity=False),
    st.floats(0, 1, width=32),
    st.sampled_from([0.0, 1e-300, 1e300, -1e300, 3.4028235e38, -3.4028235e38]),
)
_RUNS = st.dictionaries(
    st.sampled_from(["1", "01", "OHSU1"]),
    st.dictionaries(_IDS, _SCORES, min_size=1, max_size=40),
    min_size=1,
)


@given(found=_RUNS, relevant=st.sets(_IDS, min_size=1, max_size=30), packed=st.booleans())
@settings(derandomize=True, deadline=None, max_examples=150)
def test_written_order_is_what_is_measured(tmp_path_factory, found, relevant, packed):
    """pytrec_eval's own reader and measures on the file agree with our ranking, cut by cut."""
    run = {topic: Hits.ranked(scores, scores.values()) for topic, scores in found.items()}
    path = tmp_path_factory.mktemp("runs") / ("run.gz" if packed else "run")
    write_run(path, run)

    again = read_run(path)
    assert list(again) == list(run)
    for topic, hits in run.items():
        assert again[topic].ids.tolist() == hits.ids.tolist()

    grades = {id_: len(id_) for id_ in relevant}
    deepest = max(map(len, run.values()))
    cuts = ",".join(map(str, range(1, deepest + 1)))
    evaluator = pytrec_eval.RelevanceEvaluator(
        dict.fromkeys(run, grades), {"ndcg", "recip_rank", f"P.{cuts}"}
    )
    content = path.read_bytes()
    lines = (gzip.decompress(content) if packed else content).decode().split("\n")
    measured = evaluator.evaluate(pytrec_eval.parse_run(filter(None, lines)))
    for topic, hits in run.items():
        gains = [grades.get(id_, 0) for id_ in hits.ids]
        ranks = [rank for rank, gain in enumerate(gains, 1) if gain]
        ideal = _discounted(sorted(grades.values(), reverse=True))
        assert measured[topic]["recip_rank"] == (1 / ranks[0] if ranks else 0)
        assert measured[topic]["ndcg"] == pytest.approx(_discounted(gains) / ideal)
        for cut in range(1, deepest + 1):
            assert measured[topic][f"P_{cut}"] == sum(rank <= cut for rank in ranks) / cut


def _discounted(gains: list[int]) -> float:
    return sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, 1))


def test_long_tie_group_is_kept_in_order(tmp_path: Path):
    """A thousand equal scores come back in our order, and a second writing changes no byte."""
    ids = [f"d{i:04}" for i in range(1000)]
    hits = Hits.ranked(ids, np.ones(1000))
    write_run(tmp_path / "once", {"1": hits})
    again = read_run(tmp_path / "once")
    assert again["1"].ids.tolist() == ids
    assert again["1"].scores[-1] > 0.9999
    write_run(tmp_path / "twice", again)
    assert (tmp_path / "once").read_bytes() == (tmp_path / "twice").read_bytes()


@given(
    run=st.dictionaries(
        st.text("é7-", min_size=1, max_size=3),
        st.dictionaries(
            st.text("aé.0", min_size=1, max_size=4), st.floats(-1e30, 1e30), max_size=12
        ),
        max_size=4,
    )
)
@settings(derandomize=True, deadline=None, max_examples=200)
def test_lines_of_many_topics(tmp_path_factory: pytest.TempPathFactory, run: dict):
    """Whatever the lengths, each line is put together from its six columns."""
    hits = {topic: Hits.ranked(of, of.values()) for topic, of in run.items()}
    path = tmp_path_factory.mktemp("runs") / "run"
    write_run(path, hits, "t")
    assert path.read_text() == "".join(
        f"{topic} Q0 {name} {rank} {score} t\n"
        for topic, of in hits.items()
        for rank, (name, score) in enumerate(zip(of.ids, ranked_scores(of.scores), strict=True), 1)
    )


def test_mistakes_of_writing(tmp_path: Path):
    """An id that cannot be, in any topic; a tag, a format and a place that cannot."""
    good = Hits.ranked(["a", "b"], [2.0, 1.0])
    with pytest.raises(InputError, match="topic 2: document id 'a b'"):
        write_run(tmp_path / "run", {"1": good, "2": Hits.ranked(["a", "a b"], [2.0, 1.0])})
    with pytest.raises(InputError, match="topic 2: document b is there twice"):
        write_run(tmp_path / "run", {"1": good, "2": Hits.ranked(["b", "b"], [2.0, 1.0])})
    assert not (tmp_path / "run").exists()
    for tag in ("", "my run"):
        with pytest.raises(UsageError, match="run tag"):
            write_run(tmp_path / "run", {"1": _ranked(a=1)}, tag)
    with pytest.raises(UsageError, match="no output format kilt"):
        write_run(tmp_path / "run", {"1": _ranked(a=1)}, output_format="kilt")
    with pytest.raises(OutputError, match="cannot be written"):
        write_run(_file(tmp_path, "x") / "run", {"1": _ranked(a=1)})


def test_ms_marco(tmp_path):
    """Topic, document and rank: the order is that of the ranks; the two forms are not mixed."""
    path = tmp_path / "run.tsv"
    path.write_text("1\tb\t2\n1\ta\t1\n2\tc\t1\n")
    run = read_run(path)
    assert {topic: list(hits.ids) for topic, hits in run.items()} == {"1": ["a", "b"], "2": ["c"]}
    write_run(tmp_path / "again.tsv", run, output_format="msmarco")
    assert (tmp_path / "again.tsv").read_text() == "1\ta\t1\n1\tb\t2\n2\tc\t1\n"
    for line, said in (
        ("1\ta\tx\n", "score x is no number"),
        (f"1\ta\t{'9' * 400}\n", "no number"),
        ("1\ta\n", "2 columns, not 6"),
    ):
        path.write_text(line)
        with pytest.raises(InputError, match=said):
            read_run(path)


def test_other_measurers() -> None:
    """pytrec_eval, and ir_measures with it, see our order: z before a, where both have 1."""
    run = Run({"1": Hits(np.array(["z", "a", "b"], object), np.array([1.0, 1.0, 0.5]))})
    scores = run_scores(run)
    assert list(scores["1"]) == ["z", "a", "b"]
    assert (scores["1"]["z"], scores["1"]["b"]) == (1.0, 0.5)
    assert 0.9999999 < scores["1"]["a"] < 1
    other = Run({"1": Hits(np.array(["a", "z", "b"], object), np.array([1.0, 1.0, 0.5]))})
    judged = pytrec_eval.RelevanceEvaluator({"1": {"a": 1}}, {"map"})
    assert judged.evaluate(scores)["1"]["map"] == 0.5
    judged = pytrec_eval.RelevanceEvaluator({"1": {"a": 1}}, {"map"})
    assert judged.evaluate(run_scores(other))["1"]["map"] == 1.0
    ir_measures = pytest.importorskip("ir_measures")
    frame = pytest.importorskip("pandas").DataFrame(run.itertuples())
    for taken in (scores, run, frame):
        assert ir_measures.calc_aggregate([ir_measures.AP], {"1": {"a": 1}}, taken) == {
            ir_measures.AP: 0.5
        }
