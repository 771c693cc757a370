"""Matching on a real index: both ways, filters, the own record, bad input."""

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest

from relsent_ir import models
from relsent_ir.api import Collection
from relsent_ir.errors import InputError, MismatchError, UsageError
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.lucene.read.filters import Filters
from relsent_ir.lucene.read.index import Index
from relsent_ir.lucene.write.indexing import build_index
from relsent_ir.records import Record, Section
from relsent_ir.related import score_pairs
from relsent_ir.related.features import Lexicon, Sentences
from relsent_ir.related.reranker import RelatedReranker
from relsent_ir.related.weights import WeightModel
from tests.related.conftest import COMMON, STOPWORDS, TOPICS, matching

Build = Callable[[Sequence[Record]], Path]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Drawn weights, saved; the rarer half of the words weighs more."""
    words = {word for topic in TOPICS for word in topic} | set(COMMON) - set(STOPWORDS)
    lexicon = Lexicon.of(words)
    chance = np.random.default_rng(0)
    both = chance.normal(0.5, 1.0, len(lexicon))
    one = chance.normal(0.0, 0.1, len(lexicon))
    path = tmp_path_factory.mktemp("models") / "drawn"
    models.save(path, WeightModel("huber", lexicon, both, one, 0.25, STOPWORDS, {}))
    return str(path)


def _all_sentences(folder: Path) -> dict[str, str]:
    import json

    with Index(folder, "sentences") as index:
        ids = sorted(index.ids(), key=str.encode)
        return {
            name: json.loads(line)["contents"]
            for name, line in zip(ids, index.raw(ids), strict=True)
        }


@pytest.mark.parametrize("candidates", ["exact", "bm25", None])
def test_each_way_finds_the_best(collection: Path, model: str, candidates: str | None):
    """With all sentences as candidates every way gives what `score_pairs` ranks first."""
    texts = _all_sentences(collection)
    asked = {"r3.1": texts["r3.1"], "r5": texts["r5.0"], "other": "mosquitoes and insulins"}
    with matching(collection, model) as matcher:
        depth = len(texts) if candidates == "bm25" else None
        run = matcher.related(asked, 7, candidates=candidates, depth=depth, without_own=True)
    for topic, own in (("r3.1", "r3"), ("r5", "r5"), ("other", "")):
        names = [name for name in texts if name.rpartition(".")[0] != own]
        pairs = [(asked[topic], texts[name]) for name in names]
        scores = score_pairs(models.load(model, "related"), pairs)
        best = np.argsort(-np.round(scores, 9), kind="stable")[:7]
        assert run[topic].ids.tolist() == [names[i] for i in best]
        np.testing.assert_allclose(run[topic].scores, scores[best], rtol=1e-9)


def test_depth_limits_candidates(collection: Path, model: str):
    """No more hits than candidates, the own record not counted among them."""
    texts = _all_sentences(collection)
    with matching(collection, model) as matcher:
        run = matcher.related(
            {"r3.1": texts["r3.1"]}, 1000, candidates="bm25", depth=5, without_own=True
        )
        everything = matcher.related({"r3.1": texts["r3.1"]}, 1, candidates="exact")
    assert everything["r3.1"].ids.tolist() == ["r3.1"]  # whose id it has is not guessed
    assert len(run["r3.1"]) == 5
    assert not any(name.startswith("r3.") for name in run["r3.1"].ids)


def test_other_formulas_rerank_candidates(collection: Path):
    """A formula that is no sum of weights scores BM25's candidates, as `rerank` does."""
    topics = {"r3": "glucose and insulin"}
    with matching(collection, "T1") as matcher:
        run = matcher.related(topics, 10, depth=50, without_own=True)
        with Indexes(collection) as opened:
            again = RelatedReranker(matcher.model).rerank(Collection(opened), run, topics)
        assert run["r3"].ids.tolist() == again["r3"].ids.tolist()
        assert len(run["r3"]) == 10
        assert not any(name.startswith("r3.") for name in run["r3"].ids)
        with pytest.raises(UsageError, match="T1 can only be matched among candidates of BM25"):
            matcher.related(topics, 10, candidates="exact")


def test_warns_of_strangers(collection: Path, model: str, caplog: pytest.LogCaptureFixture):
    """Topics that are no record, where the own one is to be left out, are told."""
    with matching(collection, model) as matcher:
        matcher.related({"r1": "malaria", "r999": "malaria", "r1.99": "fever"}, 3, without_own=True)
        assert [record.message for record in caplog.records] == [
            "2 of 3 topics, such as r999, are no record or sentence of the index: "
            "nothing is left out of their hits"
        ]
        caplog.clear()
        matcher.related({"1": "malaria", "2": "fever"}, 3)
        assert not caplog.records


@pytest.mark.parametrize("candidates", ["bm25", "exact"])
@pytest.mark.parametrize(
    "filters",
    [Filters(years=(1994, None)), Filters(years=(None, 1980)), Filters(journals=("Lens",))],
)
def test_filters(build: Build, model: str, candidates: str, filters: Filters):
    """Candidates are what passes, with the scores that they have without; none may."""
    folder = build(
        [
            Record(
                f"y{year}",
                "Malaria fever",
                sections=(Section("Quinine helps."),),
                year=str(year),
                journal="Lens" if year == 1995 else "Retina",
            )
            for year in (1990, 1995, 2001)
        ]
    )
    with matching(folder, model) as matcher:
        whole = matcher.related({"q": "Quinine"}, candidates=candidates)["q"]
        found = matcher.related({"q": "Quinine"}, candidates=candidates, filters=filters)["q"]
        first = matcher.related({"q": "Quinine"}, 1, candidates=candidates, filters=filters)["q"]
    passing = {"y1995.", "y2001."} if filters.years == (1994, None) else set()
    passing |= {"y1995."} if filters.journals else set()
    assert list(found) == [(name, score) for name, score in whole if name[:6] in passing]
    assert list(first) == list(found)[:1]
    assert {name[:6] for name in found.ids} == passing


def test_filters_that_an_index_lacks(collection: Path, model: str):
    """Sentences without moves cannot be filtered by them, whichever way."""
    with matching(collection, model) as matcher:
        for candidates in ("exact", "bm25"):
            with pytest.raises(MismatchError, match="no moves"):
                matcher.related(
                    {"q": "malaria"}, candidates=candidates, filters=Filters(moves=("RESULTS",))
                )


def test_filters_after_deletions(build: Build, model: str):
    """What was deleted or replaced is no hit, and numbers in Lucene are those of today."""
    folder = build(
        [
            Record(f"r{n}", "Malaria fever", sections=(Section("Quinine helps."),), year="1990")
            for n in range(4)
        ]
    )
    path = folder.parent / "more.jsonl"
    more = [Record(name, "Quinine and fever", year="2000") for name in ("r1", "r9")]
    path.write_text("".join(record.to_json() + "\n" for record in more), encoding="utf-8")
    build_index([(path, "jsonl")], folder, append=True)
    with matching(folder, model) as matcher:
        late = matcher.related({"q": "Quinine"}, filters=Filters(years=(1995, None)))["q"]
        early = matcher.related({"q": "Quinine"}, filters=Filters(years=(None, 1995)))["q"]
    assert set(late.ids) == {"r1.0", "r9.0"}
    assert {name.partition(".")[0] for name in early.ids} == {"r0", "r2", "r3"}


def test_exact_where_it_can_be(collection: Path, model: str):
    """All sentences are the default of sums over shared features; a depth is refused there."""
    with matching(collection, model) as matcher:
        assert matcher.is_exact()
        assert matcher.is_exact("exact")
        assert not matcher.is_exact("bm25")
        for candidates in (None, "exact"):
            with pytest.raises(UsageError, match="huber scores all sentences, whatever the depth"):
                matcher.related({"q": "malaria"}, candidates=candidates, depth=7)
    with matching(collection, "T1") as matcher:
        assert not matcher.is_exact()
        assert len(matcher.related({"q": "malaria"}, depth=7)["q"]) == 7


def test_refuses_topics(collection: Path, model: str):
    """No word, nothing known, no model."""
    with matching(collection, model) as matcher:
        for text in ("", "  ", "of the", "42 %"):
            with pytest.raises(InputError, match="topic q has no word that could be compared"):
                matcher.related({"q": text}, candidates="exact")
        with pytest.raises(InputError, match="topic q has nothing"):
            matcher.related({"p": "malaria", "q": "жук"})
        with pytest.raises(InputError, match="the sentence has no word"):
            matcher.related({"": "42"})
        with pytest.raises(UsageError, match="no candidates 'qld'"):
            matcher.related({"p": "malaria"}, candidates="qld")
    with pytest.raises(UsageError, match="no formula 'X1'"), matching(collection, "X1"):
        pass


def test_one_record(build: Build, model: str):
    """Where there is one record, or no sentence, nothing is related."""
    folder = build([Record("only", "Malaria fever", sections=(Section("Quinine helps."),))])
    with matching(folder, model) as matcher:
        with pytest.raises(InputError, match=r"no other record than that of topic only\.1"):
            matcher.related({"only.1": "Quinine helps."}, candidates="exact", without_own=True)
        assert len(matcher.related({"q": "Quinine helps."}, candidates="exact")["q"]) == 2
    folder = build([Record("empty")])
    with pytest.raises(InputError, match="no sentences"), matching(folder, model):
        pass


def test_order_of_a_reader(collection: Path):
    """The packaged model's hits are in the order of P, which is their score."""
    with matching(collection, "huber-plus") as matcher:
        topics = {"r3.1": matcher.collection.texts(["r3.1"])[0]}
        found = matcher.related(topics, 20, without_own=True)["r3.1"]
        stages, reader = matcher.stages, matcher.model.reader
        assert stages
        assert reader
        query = stages.query(Sentences.from_texts(topics.values(), matcher.model.stopwords), 0)
        rows = matcher.store.rows(found.ids.tolist())
        signs = stages.signs(query, rows, stages.scores(query, rows), matcher.store.record_of("r3"))
        alone = matcher.related({"q": topics["r3.1"]}, 20)["q"]
    np.testing.assert_allclose(found.scores, reader.probability(signs), atol=1e-4)
    assert found.scores.max() < 1.0
    assert not any(name.startswith("r3.") for name in found.ids)
    assert "r3.1" in alone.ids
