"""Terms from the sentences of one move, of several, and with weights."""

import math
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from relsent_ir.errors import UsageError
from relsent_ir.feedback import FeedbackSearcher
from relsent_ir.feedback.search import FILTERED, NOTHING, WHOLE
from relsent_ir.feedback.sources import MoveSentences, Tags
from relsent_ir.hits import Hits
from relsent_ir.lucene.analyzers import Analysis
from relsent_ir.lucene.documents import MoveTagger
from relsent_ir.lucene.read.index import Index
from relsent_ir.lucene.read.search import Searcher
from relsent_ir.methods import RM3, Rocchio
from relsent_ir.records import Mesh, Record, Section, Sentence

SECTIONS = (
    Section("Mucus was studied.", "PURPOSE", "OBJECTIVE"),
    Section("Sodium rose. Sodium fell.", "RESULTS", "RESULTS"),
    Section("Chloride matters.", "CONCLUSION", "CONCLUSIONS"),
)
RECORDS = [
    Record("a", "Lung mucus", sections=SECTIONS),
    Record("b", "Lung", sections=(Section("Sweat matters.", "CONCLUSION", "CONCLUSIONS"),)),
    Record("c", "Lung enzymes"),
    *(Record(f"x{i}", "Filler") for i in range(60)),
]
PLAIN = Analysis("none", ())


@pytest.fixture(scope="module")
def index(build: Callable[..., Path]) -> Index:
    """Records whose labels give their sentences' moves."""
    return Index(build(RECORDS, analysis=PLAIN))


def counts(source: MoveSentences, names: list[str]) -> list[dict[str, float]]:
    """Each document's terms, times the emphasis of the sentences that they are from."""
    hits = Hits.ranked(names, range(len(names), 0, -1))
    pool = source.pool({"1": ""}, {"1": hits})
    weighed = pool.counts.copy()
    weighed.data = weighed.data * pool.emphasis
    dense = weighed.toarray()
    return [{pool.terms[c]: row[c] for c in range(len(row)) if row[c]} for row in dense]


def words(text: str) -> dict[str, float]:
    """The counts of a text's words."""
    return dict(Counter(text.lower().replace(".", "").split()))


def test_moves(index: Index) -> None:
    """Only the sentences with a move, each by its weight; DOCUMENT stands for the whole record."""
    found = counts(MoveSentences(Tags(index), {"CONCLUSION": 1.0}), ["a", "b", "c"])
    assert found == [words("Chloride matters."), words("Sweat matters."), {}]
    found = counts(MoveSentences(Tags(index), {"RESULTS": 1.0}), ["a"])
    assert found == [words("Sodium rose. Sodium fell.")]
    source = MoveSentences(Tags(index), {"CONCLUSION": 2.0, "PURPOSE": 0.5, "TITLE": 1.0})
    expected = {"chloride": 2.0, "matters": 2.0, "mucus": 1.5, "was": 0.5, "studied": 0.5}
    assert counts(source, ["a"]) == [expected | {"lung": 1.0}]
    source = MoveSentences(Tags(index), {"DOCUMENT": 1.0, "CONCLUSION": 3.0})
    whole = words("Lung mucus Mucus was studied. Sodium rose. Sodium fell. Chloride matters.")
    emphasised = whole | {"chloride": 1.0 + 3.0, "matters": 1.0 + 3.0}
    assert counts(source, ["a", "c"]) == [emphasised, words("Lung enzymes")]


def test_headings(build: Callable[..., Path]) -> None:
    """MESH is what a record has beside its sentences: headings, qualifiers and chemicals."""
    record = Record(
        "a",
        "Lung mucus",
        sections=(Section("Mucus was studied.", "PURPOSE", "OBJECTIVE"),),
        mesh=(Mesh("Mucus", ("chemistry",)), Mesh("Lung")),
        chemicals=("Sodium",),
    )
    with Index(build([record, Record("b", "Lung")], analysis=PLAIN)) as index:
        tags = Tags(index)
        mesh = words("Mucus chemistry Lung Sodium")
        assert counts(MoveSentences(tags, {"MESH": 1.0}), ["a", "b"]) == [mesh, {}]
        both = MoveSentences(tags, {"PURPOSE": 1.0, "MESH": 0.5})
        expected = {"mucus": 1.5, "chemistry": 0.5, "lung": 0.5, "sodium": 0.5}
        assert counts(both, ["a"]) == [expected | {"was": 1.0, "studied": 1.0}]
        emphasised = MoveSentences(tags, {"DOCUMENT": 1.0, "MESH": 2.0})
        whole = words("Lung mucus Mucus was studied. Mucus chemistry Lung Sodium")
        twice = {term: 2 * n for term, n in mesh.items()}
        assert counts(emphasised, ["a"]) == [{t: whole[t] + twice.get(t, 0) for t in whole}]
        engine = FeedbackSearcher(Searcher(index), index, Rocchio(max_df=1), both)
        ((_, origins),) = engine.explain({"1": "lung"}).values()
        assert origins["sodium"] == ["a.MESH"]


def test_moves_of_the_index(build: Callable[..., Path]) -> None:
    """An index with moves gives its own, its tagger is not asked again."""
    calls = []

    def tag(record: Record) -> list[Sentence]:
        calls.append(record.id)
        return [
            Sentence("a", 1, "Mucus rose.", "METHODS", 0.25),
            Sentence("a", 2, "Sodium fell.", "RESULTS", 1.0),
        ]

    record = Record("a", "Lung", sections=(Section("Mucus rose. Sodium fell."),))
    folder = build([record], analysis=PLAIN, tagger=MoveTagger("mine", tag))
    asked = len(calls)
    with Index(folder) as index:
        tags = Tags(index)
        assert tags.of(["a"]) == [[("a.0", "TITLE"), ("a.1", "METHODS"), ("a.2", "RESULTS")]]
    assert len(calls) == asked


def test_default_model(build: Callable[..., Path]) -> None:
    """Without labels and moves the model that comes with the package tags."""
    text = "The aim of this study was to examine mucus. In conclusion, sodium matters for mucus."
    with Index(build([Record("a", "Mucus", sections=(Section(text),))])) as index:
        ((title, first, last),) = Tags(index).of(["a"])
    assert title == ("a.0", "TITLE")
    assert (first[1], last[1]) == ("PURPOSE", "CONCLUSION")


def test_fallbacks(index: Index) -> None:
    """No sentence with the move: whole documents; no hit, or no term left: no feedback."""
    searcher = Searcher(index)
    source = MoveSentences(Tags(index), {"METHODS": 1.0})
    for feedback in (Rocchio(), RM3()):
        engine = FeedbackSearcher(searcher, index, feedback, source)
        found = engine.expand({"1": "lung", "2": "unknown", "3": "filler"})
        assert [found[qid].fallback for qid in "123"] == [WHOLE, NOTHING, FILTERED]
        assert "chloride" in found["1"].feedback
        assert list(found["2"].weights) == ["unknown"]
        assert list(found["3"].weights) == ["filler"]
        assert len(engine.search({"2": "unknown"})["2"]) == 0


def test_relevance_model_of_a_move(index: Index) -> None:
    """RM3's model of CONCLUSION: each document's terms by their share, times its score."""
    engine = FeedbackSearcher(
        Searcher(index), index, RM3(10, 2, 0.5),
        MoveSentences(Tags(index), {"CONCLUSION": 1.0}),
    )  # fmt: skip
    first = {"1": Hits.ranked(["a", "b"], [3.0, 1.0])}
    found = engine.expand({"1": "lung"}, first=first)["1"]
    model = {"chloride": 1.5, "sweat": 0.5, "matters": 1.5 + 0.5}
    expected = {term: 0.5 * value / 4 for term, value in model.items()} | {"lung": 0.5}
    assert found.weights == pytest.approx(expected, rel=1e-6)


def test_bad_moves(index: Index) -> None:
    """Unknown moves, weights that make no sense, and sentences as documents are refused."""
    tags = Tags(index)
    for moves in ({"INTRODUCTION": 1.0}, {}, {"RESULTS": 0.0}, {"RESULTS": math.nan}):
        with pytest.raises(UsageError):
            MoveSentences(tags, moves)
    with (
        Index(index.folder, "sentences") as sentences,
        pytest.raises(UsageError, match="--unit abstracts"),
    ):
        Tags(sentences)
