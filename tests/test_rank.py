"""Reordering a run by any reranker."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

from relsent_ir import models
from relsent_ir.aggregate import BEST
from relsent_ir.answers.searching import AnswerReranker
from relsent_ir.api import Collection
from relsent_ir.errors import InputError, MismatchError, UsageError
from relsent_ir.feedback.smart import SmartReranker
from relsent_ir.hits import Hits, Run
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.rank import RecordReranker, open_reranker, opened, ordered, reorder, reranker_names
from relsent_ir.related.formulas import FORMULAS
from relsent_ir.related.reranker import RelatedReranker


class _Nowhere:
    """A collection that nothing is read of."""


COLLECTION = cast(Indexes, _Nowhere())
RUN = Run({"1": Hits.ranked(["a", "b", "c", "d"], [9.0, 5.0, 1.0, 0.5])})
TOPICS = {"1": "ants", "2": "bees"}


class Given:
    """Gives hits fixed scores; loses those without."""

    def __init__(self, **scores: float) -> None:
        self.scores = scores

    def rerank(self, collection: Collection, run: Run, topics: Mapping[str, str], **_: Any) -> Run:
        """By id."""
        assert isinstance(collection, Collection)
        kept = {t: [n for n in h.ids if n in self.scores] for t, h in run.items()}
        return Run((t, Hits.ranked(ids, [self.scores[n] for n in ids])) for t, ids in kept.items())


def _order(hits: Hits) -> str:
    return "".join(hits.ids)


def test_depth() -> None:
    """Only the first are reordered; the rest follows in its order, with scores below."""
    given = Given(a=-3, b=-1, c=-2, d=7)
    assert _order(reorder(given, COLLECTION, RUN, TOPICS)["1"]) == "dbca"
    found = reorder(given, COLLECTION, RUN, TOPICS, depth=2)["1"]
    assert _order(found) == "bacd"
    assert found.scores[:2].tolist() == [-1, -3]
    assert (np.diff(found.scores) < 0).all()
    assert found.scores[3] == pytest.approx(-3, abs=1e-6)


def test_interpolate() -> None:
    """Both scaled to 0 and 1 over what is reordered: (9, 5, 1) are 1, .5, 0; (2, 4, 3) 0, 1, .5."""
    given = Given(a=2, b=4, c=3, d=99)
    found = reorder(given, COLLECTION, RUN, TOPICS, depth=3, interpolate=0.25)["1"]
    assert dict(zip(found.ids[:3], found.scores[:3], strict=True)) == {
        "a": 0.75,
        "b": 0.25 + 0.375,
        "c": 0.125,
    }
    assert found.ids[3] == "d"
    for weight, order in ((0, "abcd"), (1, "dbca")):
        assert _order(reorder(given, COLLECTION, RUN, TOPICS, interpolate=weight)["1"]) == order
    same = Given(a=1, b=1, c=1, d=1)
    found = reorder(same, COLLECTION, RUN, TOPICS, interpolate=0.9)["1"]
    assert _order(found) == "abcd"
    assert found.scores[0] == pytest.approx(0.1)


def test_ordered() -> None:
    """What has no score keeps its order, behind; a topic without hits stays so."""
    found = ordered(RUN["1"], np.array([np.nan, 1.0, np.nan, 2.0]))
    assert _order(found) == "dbac"
    assert _order(ordered(RUN["1"], np.full(4, np.nan))) == "abcd"
    empty = Run({"2": Hits.ranked([], [])})
    assert len(reorder(Given(), COLLECTION, empty, TOPICS, interpolate=0.5)["2"]) == 0


def test_mistakes() -> None:
    """A topic without a text, a lost hit, a weight above 1, sentences where there are none."""
    with pytest.raises(MismatchError, match="topic 9 of the run is not among the topics"):
        reorder(Given(), COLLECTION, Run({"9": RUN["1"]}), TOPICS)
    with pytest.raises(MismatchError, match="lost or added hits of topic 1"):
        reorder(Given(a=1), COLLECTION, RUN, TOPICS)
    with pytest.raises(UsageError, match="from 0"):
        reorder(Given(), COLLECTION, RUN, TOPICS, interpolate=1.5)
    with pytest.raises(UsageError, match="no sentences"):
        reorder(Given(), COLLECTION, RUN, TOPICS, aggregate=BEST)


def test_names() -> None:
    """Modules of the folder and their names, formulas among them; no kinds of models."""
    names = {*reranker_names()}
    assert names >= {"answers", "huber-plus", "pmra", "ranker", "themes", "???.???", *FORMULAS}
    assert not names & {"bayes", "huber", "answers-linear", "ranker-linear", "related", "smart"}


def test_opened_without_an_index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A name, a scheme, a folder; a folder with the name of a formula."""
    monkeypatch.chdir(tmp_path)
    assert isinstance(open_reranker("I1.5"), RelatedReranker)
    assert isinstance(open_reranker("ltc.atn"), SmartReranker)
    assert isinstance(open_reranker("answers"), AnswerReranker)
    assert isinstance(open_reranker(models.packaged("answers")), AnswerReranker)
    models.save(Path("D"), models.default("answers"))
    assert isinstance(open_reranker("./D"), AnswerReranker)
    assert isinstance(open_reranker("D"), RelatedReranker)


@pytest.mark.parametrize(
    ("name", "error", "message"),
    [
        ("I4", UsageError, "no model 'I4' .*answers, pmra, ranker, A, D, I0.5, "),
        ("???.???", UsageError, "no weighting scheme"),
        ("abc.xyz", UsageError, "no weighting scheme 'abc.xyz'"),
        ("no/such", InputError, "no/such: no such model"),
        (".", InputError, "this is no model"),
        (
            models.packaged("moves"),
            MismatchError,
            "a model of kind moves-crf, which does not rerank",
        ),
    ],
)
def test_mistakes_rerankers(name: str, error: type[Exception], message: str) -> None:
    """One line each; an unknown name lists the names."""
    with pytest.raises(error, match=message):
        open_reranker(name)


class _Lengths(RecordReranker):
    """Scores a hit by the length of its id; an id of digits has no score."""

    hits_at_once = 3

    def __init__(self) -> None:
        self.batches: list[list[str]] = []

    def score(self, collection: Collection, run: Run, topics: Mapping[str, str]) -> Iterator[Any]:
        """Score hits, and note the topics that are scored together."""
        self.batches.append(list(run))
        for hits in run.values():
            yield np.array([np.nan if name.isdigit() else len(name) for name in hits.ids])


def _run(**ids: str) -> Run:
    return Run(
        (t, Hits.ranked(s.split(), np.arange(len(s.split()), 0, -1))) for t, s in ids.items()
    )


def test_record_reranker() -> None:
    """Topics are scored in batches; hits without a score follow; progress counts topics."""
    reranker, told = _Lengths(), []
    run = _run(a="x 1 xxx", b="xx xxx", c="", d="7 xx")
    found = reranker.rerank(
        opened(COLLECTION),
        run,
        dict.fromkeys("abcd", "text"),
        progress=lambda done, total: told.append((done, total)),
    )
    assert {topic: hits.ids.tolist() for topic, hits in found.items()} == {
        "a": ["xxx", "x", "1"],
        "b": ["xxx", "xx"],
        "c": [],
        "d": ["xx", "7"],
    }
    assert reranker.batches == [["a"], ["b", "c", "d"]]
    assert told == [(1, 4), (2, 4), (3, 4), (4, 4)]
    with pytest.raises(MismatchError, match="topic d of the run is not among the topics"):
        reranker.rerank(opened(COLLECTION), run, dict.fromkeys("abc", "text"))


def test_cached_record_scores(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only new topics, texts and hits are scored, those of the last hits, in one collection."""
    reranker = _Lengths()
    texts = dict.fromkeys("ab", "text")
    first = _run(a="x xx", b="xxx")
    asked: list[tuple[Run, dict[str, str]]] = [
        (first, texts),
        (first, texts),
        (_run(a="x xx", b="xxx x"), texts),
        (first, {**texts, "a": "another"}),
    ]
    for run, topics in asked:
        found = reranker.rerank(opened(COLLECTION), run, topics)
        assert found == _Lengths().rerank(opened(COLLECTION), run, topics)
    assert reranker.batches == [["a", "b"], ["b"], ["a"]]
    monkeypatch.setattr("relsent_ir.rank.CACHED", 4)  # an id, its topic and text: one of the two
    reranker.rerank(opened(COLLECTION), _run(c="x"), {"c": "text"})
    reranker.rerank(opened(COLLECTION), first, texts)
    assert reranker.batches[-2:] == [["c"], ["a", "b"]]
    reranker.rerank(opened(cast(Indexes, _Nowhere())), first, texts)
    assert reranker.batches[-1] == ["a", "b"]


def test_cross_encoder_of_the_manual(tmp_path: Path) -> None:
    """The class in docs/python.md orders texts by a model of one layer: the mean of their ids."""
    onnx, tokenizers = pytest.importorskip("onnx"), pytest.importorskip("tokenizers")
    number, real = onnx.TensorProto.INT64, onnx.TensorProto.FLOAT
    given = [onnx.helper.make_tensor_value_info("input_ids", number, ["texts", "tokens"])]
    scores = [onnx.helper.make_tensor_value_info("scores", real, ["texts", 1])]
    nodes = [
        onnx.helper.make_node("Cast", ["input_ids"], ["real"], to=real),
        onnx.helper.make_node("ReduceMean", ["real"], ["scores"], axes=[1], keepdims=1),
    ]
    graph = onnx.helper.make_graph(nodes, "mean", given, scores)
    opsets = [onnx.helper.make_opsetid("", 13)]
    onnx.save(
        onnx.helper.make_model(graph, opset_imports=opsets, ir_version=8), tmp_path / "model.onnx"
    )
    words = tokenizers.models.WordLevel({"[PAD]": 0, "salt": 1, "sweat": 9}, "[PAD]")
    tokenizer = tokenizers.Tokenizer(words)
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    tokenizer.save(str(tmp_path / "tokenizer.json"))
    page = Path(__file__).parents[1] / "docs" / "python.md"
    code = (
        page.read_text(encoding="utf-8").partition("```python other\n")[2].partition("\nrun =")[0]
    )
    names: dict[str, Any] = {}
    exec(code, names)
    reranker = names["CrossEncoder"](tmp_path)
    assert reranker.rerank("salt", ["salt", "sweat sweat", "sweat"]).tolist() == [
        pytest.approx(2 / 3), pytest.approx(19 / 3), pytest.approx(10 / 3),
    ]  # fmt: skip
