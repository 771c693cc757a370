"""PyTerrier's pipelines over our indexes."""

import warnings
from pathlib import Path

import numpy as np
import pytest

from relsent_ir import methods
from relsent_ir.api import Collection, open_collection
from relsent_ir.datasets.bundled import SAMPLE
from relsent_ir.errors import InputError, UsageError
from relsent_ir.hits import Hits, Run
from relsent_ir.lucene.write.indexing import build_index
from relsent_ir.methods import BM25, RM3
from relsent_ir.records import list_inputs
from relsent_ir.trec import evaluate, read_cystic_fibrosis_qrels, read_qrels, read_topics

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    pt = pytest.importorskip("pyterrier")
pd = pytest.importorskip("pandas")
ours = pytest.importorskip("relsent_ir.pyterrier")


@pytest.fixture(scope="module")
def collection(tmp_path_factory: pytest.TempPathFactory) -> Collection:
    """The sample."""
    folder = tmp_path_factory.mktemp("pyterrier")
    build_index([(SAMPLE / "sample.xml", "pubmed-xml")], folder)
    return open_collection(folder)


def _queries(topics: dict[str, str]) -> "pd.DataFrame":
    return pd.DataFrame({"qid": list(topics), "query": list(topics.values())})


def test_pipelines(collection: Collection) -> None:
    """They give what the collection gives."""
    topics = read_topics(SAMPLE / "topics.tsv")
    bm25 = ours.Retrieve(collection)
    found = (bm25 % 5 >> ours.Rerank(collection, "I1.5"))(_queries(topics))
    run = collection.rerank(collection.search(topics, 5), topics, "I1.5")
    assert found.sort_values(["qid", "rank"])["docno"].tolist() == [
        name for topic in sorted(run) for name in run[topic].ids
    ]
    assert {"qid", "query", "docno", "score", "rank"} <= set(found.columns)
    by_value = ours.Retrieve(collection, BM25() >> RM3(), 20) >> ours.Rerank(
        collection, methods.Rerank("I1.5", depth=5)
    )
    method = BM25() >> RM3() >> methods.Rerank("I1.5", depth=5)
    values = by_value(_queries(topics)).sort_values(["qid", "rank"])["docno"].tolist()
    run = collection.search(topics, method, 20)
    assert values == [name for topic in sorted(run) for name in run[topic].ids]
    similar = ours.Similar(collection, k=3)(_queries({"90000031": "any"}))
    assert len(similar) == 3
    assert "90000031" not in set(similar["docno"])
    assert len(bm25(_queries({}))) == 0


@pytest.mark.filterwarnings("ignore:The inplace keyword")  # PyTerrier's, of pandas
def test_texts(collection: Collection) -> None:
    """A function of another package reads them, and ours goes on from its scores."""
    topics = read_topics(SAMPLE / "topics.tsv")
    bm25 = ours.Retrieve(collection, k=5)
    titles = bm25 >> pt.text.get_text(collection, "title")
    by_length = titles >> pt.apply.doc_score(lambda row: -len(row["title"]))
    found = by_length(_queries(topics))
    assert {"title"} == {"text", "title", "abstract", "journal", "year"} & set(found.columns)
    for _, hits in found.sort_values("rank").groupby("qid"):
        read = [collection[name].title for name in hits["docno"]]
        assert hits["title"].tolist() == read
        assert read == sorted(read, key=len)
    whole = (by_length >> ours.Rerank(collection, "I1.5", depth=2))(_queries(topics))
    first = whole[whole["rank"] < 2].groupby("qid")["docno"].apply(set)
    shortest = found[found["rank"] < 2].groupby("qid")["docno"].apply(set)
    assert first.to_dict() == shortest.to_dict()
    everything = (bm25 >> pt.text.get_text(collection))(_queries(topics)).iloc[0]
    record = collection[everything["docno"]]
    assert everything["text"] == f"{record.title} {record.abstract}"
    assert (everything["abstract"], everything["year"]) == (record.abstract, record.year)
    assert len(pt.text.get_text(collection)(bm25(_queries({})))) == 0
    with pytest.raises(UsageError, match="one of text, title"):
        pt.text.get_text(collection, ["title", "body"])


MIXED = methods.Rerank("pmra", depth=100, interpolate=0.3)


def _judged(qrels: dict[str, dict[str, int]]) -> "pd.DataFrame":
    rows = [(q, d, g) for q, grades in qrels.items() for d, g in grades.items()]
    return pd.DataFrame(rows, columns=["qid", "docno", "label"])


def test_experiment(collection: Collection) -> None:
    """It measures what trec_eval does, of a method, an expansion and a pipeline by values."""
    topics, qrels = read_topics(SAMPLE / "topics.tsv"), read_qrels(SAMPLE / "qrels.txt")
    bm25, rm3 = ours.Retrieve(collection, BM25(k1=1.2)), ours.Retrieve(collection, RM3())
    table = pt.Experiment(
        [bm25, rm3, bm25 >> ours.Rerank(collection, MIXED)],
        _queries(topics), _judged(qrels), ["map", "P_5"],
    )  # fmt: skip
    found = (BM25(k1=1.2), RM3(), BM25(k1=1.2) >> MIXED)
    runs = [collection.search(topics, method) for method in found]
    for name in ("map", "P_5"):
        expected = [evaluate(qrels, run, [name]).summary[name] for run in runs]
        assert table[name].tolist() == pytest.approx(expected, abs=1e-9)


def test_frame_of_a_run() -> None:
    """PyTerrier measures a run's frame as we do, with ties in an order that is not that of ids."""
    run = Run({"1": Hits(np.array(["z", "a", "b"], object), np.array([1.0, 1.0, 0.5]))})
    qrels = {"1": {"a": 1}}
    queries, frame = _queries({"1": "any"}), run.to_dataframe()
    table = pt.Experiment([frame], queries, _judged(qrels), ["map"])
    assert table["map"].tolist() == [evaluate(qrels, run, ["map"]).summary["map"]] == [0.5]


def test_mistakes(collection: Collection) -> None:
    """A frame without queries is refused."""
    with pytest.raises(InputError, match="no column 'query'"):
        ours.Retrieve(collection)(pd.DataFrame({"qid": ["1"]}))


def test_cystic_fibrosis(data: Path, tmp_path: Path) -> None:
    """BM25, RM3 and pmra's order have the figures of our own evaluation."""
    source = data / "cystic-fibrosis"
    build_index(list_inputs([source])[0], tmp_path)
    topics, qrels = (
        read_topics(source / "cfquery"),
        read_cystic_fibrosis_qrels(source / "cfquery"),
    )
    with open_collection(tmp_path) as opened:
        bm25 = ours.Retrieve(opened)
        table = pt.Experiment(
            [bm25, ours.Retrieve(opened, RM3()), bm25 >> ours.Rerank(opened, MIXED)],
            _queries(topics), _judged(qrels), ["map"],
        )  # fmt: skip
        mixed = evaluate(qrels, opened.search(topics, BM25() >> MIXED), ["map"]).summary["map"]
    assert table["map"].round(4).tolist() == [0.2912, 0.3437, round(mixed, 4)]
