"""Pipelines of methods over a collection: what goes together, and what comes out."""

from pathlib import Path

import pytest

import relsent_ir as rir
from relsent_ir.datasets.bundled import SAMPLE
from relsent_ir.errors import MismatchError, UsageError
from relsent_ir.feedback import Engine
from relsent_ir.lucene.read.search import Searcher
from relsent_ir.lucene.write.indexing import build_index
from relsent_ir.method import parameters
from relsent_ir.methods import METHODS, as_pipeline
from relsent_ir.rank import open_reranker, reorder

TOPICS = {"1": "asthma in children", "2": "blood pressure of adults"}


@pytest.fixture(scope="module")
def collection(tmp_path_factory: pytest.TempPathFactory) -> rir.Collection:
    """The sample."""
    folder = tmp_path_factory.mktemp("methods")
    build_index([(SAMPLE / "sample.xml", "pubmed-xml")], folder)
    return rir.open_collection(folder)


def test_every_method_is_described() -> None:
    """Each has a docstring and a role, each parameter a line of help; flags are not told twice."""
    for name, method in METHODS.items():
        assert method.__name__ == name
        assert (method.__doc__ or "").strip()
        assert method.role in ("rank", "expand", "join", "rerank", "cut")
        declared = parameters(method)
        assert all(one.help and "\n" not in one.help for one in declared)
        flags = [flag for one in declared for flag in one.flags]
        assert len(set(flags)) == len(flags)


def test_a_first_stage_is_put_in() -> None:
    """Feedback and rerankers alone stand behind BM25; settings of a verb are no stage."""
    assert str(as_pipeline(rir.RM3())) == "BM25() >> RM3()"
    assert str(as_pipeline('Rerank("I1.5")')) == 'BM25() >> Rerank("I1.5")'
    assert str(as_pipeline(rir.Ranker())) == "Ranker()"
    with pytest.raises(UsageError, match=r"no stage of a search .related takes it"):
        as_pipeline(rir.BM25() >> rir.Related())


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("RM3 >> Rocchio", "RM3 and Rocchio exclude each other"),
        ("FromMoves({'TITLE': 1})", "FromMoves needs Rocchio or RM3"),
        ("Fields({'title': 1}) >> RM3", "Fields and RM3 exclude each other"),
        ("Smart('ltc.atn') >> Fields({'title': 1})", "Smart and Fields exclude each other"),
        ("Ranker >> RM3", "Ranker and RM3 exclude each other"),
        ("Rerank('I1.5') >> RM3", "in another order"),
        ("BM25 >> QueryLikelihood", "exclude each other: one method ranks first"),
        ("BM25 >> RM3 >> RM3", "it stands there twice"),
        ("Smart('ltc.atn', candidates=5) >> RM3", "Smart of candidates and RM3 exclude"),
    ],
)
def test_what_does_not_go_together(text: str, problem: str) -> None:
    """One rule refuses it, whoever asks."""
    with pytest.raises(UsageError, match=problem):
        as_pipeline(text)


def test_searching(collection: rir.Collection) -> None:
    """Each stage does what its part of the library does."""
    engine = Engine(collection.indexes)
    plain = Searcher(collection.indexes.abstracts).search(TOPICS, 20)
    assert collection.search(TOPICS, 20) == collection.search(TOPICS, k=20) == plain
    assert collection.search(TOPICS, "BM25(k1=2.0)", 5) == Searcher(
        collection.indexes.abstracts, rir.BM25(2.0)
    ).search(TOPICS, 5)
    expected = engine.searcher(feedback=rir.RM3(5, 3)).search(TOPICS)
    assert collection.search(TOPICS, rir.RM3(5, 3)) == expected
    fields = Searcher(collection.indexes.abstracts, fields={"title": 2.0})
    assert collection.search(TOPICS, rir.Fields({"title": 2})) == fields.search(TOPICS)
    reranked = reorder(
        open_reranker("I1.5"), collection.indexes, plain, TOPICS, depth=5, interpolate=0.3
    )
    assert collection.search(TOPICS, rir.Rerank("I1.5", 5, 0.3), 20) == reranked


def test_cut(collection: rir.Collection) -> None:
    """Sentences become records; the topic's own record goes."""
    sentences = collection.search(TOPICS, 30, unit="sentences")
    whole = collection.search(TOPICS, rir.MaxPassage(3), 30, unit="sentences")
    assert whole == {topic: hits.max_passage().head(3) for topic, hits in sentences.items()}
    own = next(iter(collection)).id
    assert own not in collection.search({own: "asthma"}, rir.RemoveQuery())[own].ids


def test_weighted_topics(collection: rir.Collection) -> None:
    """Terms with weights can be searched; what needs a text refuses them."""
    weighted = {"1": {"asthma": 1.0}}
    assert len(collection.search(weighted)["1"])
    for method in (rir.Rerank("I1.5"), rir.Ranker()):
        with pytest.raises(UsageError, match="topic 1 is made of weighted terms"):
            collection.search(weighted, method)


def test_mistakes(collection: rir.Collection, tmp_path: Path) -> None:
    """A source of sentences needs records; a run needs a ranker that knows it."""
    source = rir.RM3() >> rir.FromMoves({"TITLE": 1.0})
    with pytest.raises(UsageError, match="FromMoves needs the unit abstracts"):
        collection.search(TOPICS, source, unit="sentences")
    with pytest.raises(MismatchError, match="not learned with a run dense"):
        collection.search(TOPICS, rir.Ranker(), runs={"dense": rir.Run()})
    with pytest.raises(UsageError, match="no model 'nothing'"):
        collection.search(TOPICS, rir.Rerank("nothing"))
