"""The Python face: what a notebook does in a few lines."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import relsent_ir as rir
from relsent_ir.errors import UsageError
from relsent_ir.lucene.documents import MoveTagger
from relsent_ir.ranker.ranking import RankerReranker
from relsent_ir.records import Record, Section, Sentence
from tests.invented import index_of

ROOT = Path(__file__).parents[1]
A = Record("533", "Calcium in mucus", sections=(Section("Calcium rose. Mucus fell."),), year="1980")
B = Record("7.x", "Sodium", sections=(Section("Sodium rose in mucus."),))
C = Record("9", "Of mice", sections=(Section("Mice ran."),))


def _tag(record: Record) -> list[Sentence]:
    return [Sentence(s.record, s.n, s.text, "RESULTS", 0.5) for s in record.sentences() if s.n]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three records, their sentences tagged as results."""
    path = tmp_path_factory.mktemp("api")
    return index_of(path, (A, B, C), tagger=MoveTagger("mine", _tag))


@pytest.fixture
def collection(folder: Path) -> Iterator[rir.Collection]:
    """The collection, open."""
    with rir.open_collection(folder) as opened:
        yield opened


def test_import_loads_nothing_heavy() -> None:
    """`import relsent_ir` loads neither NumPy nor Java, and lists its names."""
    code = (
        "import sys, relsent_ir as rir\n"
        "assert 'open_collection' in dir(rir)\n"
        "print([m for m in ('numpy', 'jnius', 'click', 'relsent_ir.api') if m in sys.modules])"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "[]\n"


def test_collections_load_no_models() -> None:
    """The face of a collection loads no package of models before one is used."""
    packages = tuple(f"relsent_ir.{name}" for name in ("answers", "ranker", "related", "themes"))
    code = (
        f"import sys, relsent_ir.api\nprint([m for m in sys.modules if m.startswith({packages})])"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "[]\n"


def test_every_name_is_there() -> None:
    """Each name of the face can be had; another is an AttributeError."""
    for name in rir.__all__:
        assert getattr(rir, name) is not None
    with pytest.raises(AttributeError, match="has no nothing"):
        rir.nothing  # noqa: B018


def test_one_text_and_topics(collection: rir.Collection) -> None:
    """A text gives hits, topics a run; each option reaches the searcher."""
    hits = collection.search("mucus")
    assert sorted(hits.ids) == ["533", "7.x"]
    run = collection.search({"q": "mucus", "none": "xyz"}, 1, unit="sentences")
    assert list(run) == ["q", "none"]
    assert [len(found) for found in run.values()] == [1, 0]
    assert list(collection.search("mucus", filters=rir.Filters(years=(1980, None))).ids) == ["533"]
    assert set(collection.search("mucus", rir.Smart("ltc.atn")).ids) == {"533", "7.x"}
    assert list(collection.search("sodium").ids) == ["7.x"]
    whole = collection.search("sodium", rir.Rocchio(fb_docs=1, max_df=1.0))
    assert list(whole.ids) == ["7.x", "533"]  # "rose" and "mucus" have come in


def test_hits_are_read(collection: rir.Collection) -> None:
    """A hit gives its record, its sentence, title and move; ids keep their dots."""
    first, *_ = collection.hits(collection.search("sodium mucus", unit="sentences"))
    assert (first.rank, first.id, first.record, first.title) == (1, "7.x.1", B, "Sodium")
    assert (first.sentence, first.move) == (_tag(B)[0], "RESULTS")
    (whole,) = collection.hits(collection.search("mice"))
    assert (whole.text, whole.sentence, whole.move) == ("Of mice", None, "")
    assert collection["533"] == A
    assert collection.sentences(["533.2", "9"]) == [
        (Sentence("533", 2, "Mucus fell.", "RESULTS", 0.5),),
        (Sentence("9", 0, "Of mice"), *_tag(C)),
    ]


def test_rerank_related_and_why(collection: rir.Collection) -> None:
    """Names and objects are rerankers; aggregates may be written; scores are accounted for."""
    topics = {"q": "calcium rose"}
    run = collection.search({"q": "mucus"})
    by_name = collection.rerank(run, topics, "I1.5", aggregate="mean:2")
    assert by_name == collection.rerank(
        run, topics, rir.load_model("I1.5"), aggregate=rir.Aggregate("mean", 2)
    )
    assert list(by_name["q"].ids) == ["533", "7.x"]
    assert list(collection.related("Calcium rose.", 1).ids) == ["533.1"]
    why, _ = collection.explain(run["q"], "calcium rose", "I1.5")
    assert why.sentence == "533.1"
    with pytest.raises(rir.RelsentError, match="does not account for its scores"):
        collection.explain(run["q"], "calcium", "pmra")


def test_results(collection: rir.Collection) -> None:
    """Hits of a text are read when they are looked at; slices, a frame and tables show them."""
    results = collection.search("mucus calcium", 2)
    assert [(hit.rank, hit.id) for hit in results] == [(1, "533"), (2, "7.x")]
    assert (results[-1].rank, results[1:][0].id, len(results.head(1))) == (2, "7.x", 1)
    assert "533" in results
    assert results[0] in results
    assert results == collection.search("mucus calcium", 2).hits
    head, first, _ = str(results).splitlines()
    assert head.split() == ["rank", "id", "score", "title", "year", "journal", "move", "sentence"]
    assert first.split()[-4:] == ["1980", "RESULTS", "Calcium", "rose."]
    assert "<td>Calcium in mucus</td>" in results._repr_html_()
    assert repr(results).startswith("Results(Hits(2: 533 ")
    frame = collection.related("Calcium rose.", 1).to_dataframe()
    assert frame[["docno", "text", "move"]].to_numpy().tolist() == [
        ["533.1", "Calcium rose.", "RESULTS"]
    ]
    with pytest.raises(IndexError):
        results[2]


def test_answers_open_rankers_once(collection: rir.Collection) -> None:
    """Questions whose first stage is the ranker share it, and what it has read."""
    method = rir.Answers(first_stage="ranker")
    assert collection.answer("Does calcium rise in mucus?", method, 1)[0].id == "533"
    (ranker,) = (opened := dict(collection.rerankers)).values()
    assert isinstance(ranker, RankerReranker)
    collection.answer("Does sodium rise in mucus?", method, 1)
    assert collection.rerankers == opened


@pytest.mark.parametrize("question", ["", "x" * 10_000])
def test_a_question_that_cannot_be_asked(collection: rir.Collection, question: str) -> None:
    """The verb refuses it too."""
    with pytest.raises(UsageError):
        collection.answer(question)


def test_answers_and_the_like(collection: rir.Collection) -> None:
    """Each verb that reads gives hits with texts, and what it says of all of them."""
    answers = collection.answer("Does calcium rise in mucus?", rir.Answers(slot="finding"), 1)
    assert (answers[0].id, answers.facts["slot"], len(answers)) == ("533", "finding", 1)
    assert {hit.values["slot"] for _, hit in answers[0].sentences} == {"finding"}
    assert collection.similar("533", "pmra")[0].id == "7.x"
    theme = collection.themes("533", rir.Themes(max_df=1.0, min_df=1, published=True))
    assert (theme[0].id, theme[0].star, theme.facts["kernels"]) == ("533", True, ["533"])
    pair = collection.relate("sodium", "mucus", rir.Relations(literal=True))
    assert (pair[0].id, pair.facts["sentences"]) == ("7.x.1", 1)
    assert [(hit.id, hit.move) for hit in collection.moves("9")] == [
        ("9.0", ""),
        ("9.1", "RESULTS"),
    ]


def test_rerankers(collection: rir.Collection) -> None:
    """A method, a name and a function rerank one text as they do topics."""
    topics = {"q": "calcium rose"}
    hits, run = collection.search("mucus"), collection.search({"q": "mucus"})
    by_method = collection.rerank(run, topics, rir.Rerank("I1.5", depth=1))
    assert by_method == collection.rerank(run, topics, "I1.5", depth=1)
    assert collection.rerank(hits, "calcium rose", "I1.5", depth=1) == by_method["q"]
    texts = []

    def shortest(query: str, of: list[str]) -> list[float]:
        texts.extend([query, *of])
        return [-len(text) for text in of]

    assert list(collection.rerank(hits, "sodium", shortest).ids) == ["7.x", "533"]
    assert texts[0] == "sodium"
    assert "Sodium Sodium rose in mucus." in texts
    with pytest.raises(rir.RelsentError, match="a score for each text"):
        collection.rerank(hits, "sodium", lambda _query, _texts: [1.0])
    with pytest.raises(rir.RelsentError, match="hits and a text"):
        collection.rerank(run, "mucus", "I1.5")  # type: ignore[call-overload]
    with pytest.raises(rir.RelsentError, match="a function"):
        collection.rerank(run, topics, 3)  # type: ignore[call-overload]


def test_traps(collection: rir.Collection, tmp_path: Path) -> None:
    """What used to fail strangely is refused in one line."""
    with pytest.raises(rir.RelsentError, match="no index"):
        rir.open_collection(tmp_path)
    with pytest.raises(rir.RelsentError, match="topics are a mapping"):
        collection.search(["mucus", 5])  # type: ignore[list-item]
    with pytest.raises(rir.RelsentError, match="'533'"):
        collection.sentences("533")
    with pytest.raises(rir.RelsentError, match="no unit 'words'"):
        collection.search("mucus", unit="words")
    with pytest.raises(rir.RelsentError, match="no parameter 'feedback'"):
        collection.search("mucus", feedback=rir.RM3())  # type: ignore[call-overload]
    run = collection.search({"q": "mucus"})
    with pytest.raises(rir.RelsentError, match="no method 'best'"):
        rir.fuse([run, run], "best")
    assert rir.fuse([run, run])["q"].scores[0] == pytest.approx(2 / 61)
