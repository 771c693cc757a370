"""Searching: scores against a plain implementation, order of ties, and Anserini's searcher."""

import math
import random
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from relsent_ir.errors import InputError, UsageError
from relsent_ir.feedback import FeedbackSearcher
from relsent_ir.hits import Hits
from relsent_ir.lucene.jvm import java
from relsent_ir.lucene.read.index import Index
from relsent_ir.lucene.read.search import Searcher, default_threads
from relsent_ir.lucene.write.indexing import build_index
from relsent_ir.methods import BM25, RM3, QueryLikelihood
from relsent_ir.records import Record

TOPICS = {
    "1": "infection of the airways",
    "2": "bone loss, bone mass and bone",
    "3": "zyzzyva",
    "4": "",
    "5": "the of and",
    "6": "treatment in children with asthma",
}


@pytest.fixture
def abstracts(sample_index: Path) -> Iterator[Index]:
    """The sample's abstracts."""
    with Index(sample_index) as index:
        yield index


@pytest.fixture(scope="module")
def short(build: Callable[..., Path], invent: Callable[..., list[Record]]) -> Path:
    """Titles only, of at most 40 words: Lucene stores their lengths exactly."""
    titles = [Record(record.id, record.title) for record in invent(120, 5)]
    return build(titles[:50], titles[50:])


def rm3(index: Index, *settings: float) -> FeedbackSearcher:
    """BM25 with feedback."""
    return FeedbackSearcher(Searcher(index), index, RM3(*settings))  # type: ignore[arg-type]


def bags_of(index: Index) -> dict[str, Counter[str]]:
    """The terms of every document, counted from its text."""
    terms = index.facts.analysis.terms
    return {r.id: Counter(terms(r.title)) for r in index.records(index.ids())}


def bm25(bags: dict[str, Counter[str]], query: Counter[str], k1: float, b: float) -> Hits:
    """Robertson's BM25 as Lucene computes it, in double precision."""
    lengths = {name: bag.total() for name, bag in bags.items()}
    mean = sum(lengths.values()) / sum(1 for length in lengths.values() if length)
    scores: dict[str, float] = {}
    for term, weight in query.items():
        n = sum(term in bag for bag in bags.values())
        idf = math.log(1 + (len(bags) - n + 0.5) / (n + 0.5))
        for name, bag in bags.items():
            if bag[term]:
                part = bag[term] / (bag[term] + k1 * (1 - b + b * lengths[name] / mean))
                scores[name] = scores.get(name, 0.0) + weight * idf * part
    return Hits.ranked(scores.keys(), scores.values())


def likelihood(bags: dict[str, Counter[str]], query: Counter[str], mu: float) -> Hits:
    """Query likelihood with Dirichlet smoothing as Lucene computes it: no term's part below 0."""
    total = sum(bag.total() for bag in bags.values())
    scores: dict[str, float] = {}
    for term, weight in query.items():
        background = (sum(bag[term] for bag in bags.values()) + 1) / (total + 1)
        for name, bag in bags.items():
            if bag[term]:
                part = math.log(1 + bag[term] / (mu * background))
                part += math.log(mu / (bag.total() + mu))
                scores[name] = scores.get(name, 0.0) + weight * max(0.0, part)
    return Hits.ranked(scores.keys(), scores.values())


def assert_same_scores(found: Hits, expected: Hits) -> None:
    """The same documents with the same scores, and in order."""
    assert dict(zip(found.ids, found.scores, strict=True)) == pytest.approx(
        dict(zip(expected.ids, expected.scores, strict=True)), rel=2e-6
    )
    assert len(set(found.ids)) == len(found)
    again = Hits.ranked(found.ids, found.scores)
    assert again.ids.tolist() == found.ids.tolist()


@pytest.mark.parametrize(("k1", "b"), [(0.9, 0.4), (1.2, 0.75), (0.0, 1.0), (2.0, 0.0)])
def test_bm25_scores(short: Path, k1: float, b: float) -> None:
    """Lucene's scores are those of the formula, for one word, many, and repeated ones."""
    with Index(short) as index:
        bags = bags_of(index)
        words = sorted(set().union(*bags.values()))
        chance = random.Random(1)
        for count in (1, 3, 30):
            query = Counter(chance.choices(words, k=count) * 2 + chance.choices(words, k=count))
            text = " ".join(query.elements())
            assert Counter(index.facts.analysis.terms(text)) == query
            found = Searcher(index, BM25(k1, b)).search({"1": text})["1"]
            assert_same_scores(found, bm25(bags, query, k1, b))


@pytest.mark.parametrize("mu", [1000.0, 20.0])
def test_query_likelihood_scores(short: Path, mu: float) -> None:
    """The same for Dirichlet smoothing."""
    with Index(short) as index:
        bags = bags_of(index)
        words = sorted(set().union(*bags.values()))
        for seed in range(3):
            query = Counter(random.Random(seed).choices(words, k=8) * 2 + words[:2])
            found = Searcher(index, QueryLikelihood(mu)).search({"1": " ".join(query.elements())})
            assert_same_scores(found["1"], likelihood(bags, query, mu))


def test_repeated_words_count(abstracts: Index) -> None:
    """Writing a word twice doubles its part."""
    found = Searcher(abstracts).search({"1": "airway", "2": "airway airways"})
    assert found["2"].scores == pytest.approx(2 * found["1"].scores)


def test_weighted_topics(abstracts: Index) -> None:
    """A topic of weighted terms adds up its words' scores, each times its weight."""
    searcher = Searcher(abstracts)
    run = searcher.search({"1": "asthma", "2": "children", "3": {"asthma": 2.0, "children": 0.5}})
    parts = [dict(zip(run[qid].ids, run[qid].scores, strict=True)) for qid in "123"]
    assert parts[2].keys() == parts[0].keys() | parts[1].keys()
    for name, score in parts[2].items():
        expected = 2.0 * parts[0].get(name, 0.0) + 0.5 * parts[1].get(name, 0.0)
        assert score == pytest.approx(expected, rel=1e-6)


def test_queries_are_anserinis(abstracts: Index) -> None:
    """Texts and weighted terms become the queries that Anserini builds of them."""
    topics: list[dict[str, float]] = [{"asthma": 2.0, "child": 0.25}, {}, {"naïv": 1.5, "a b": 1.0}]
    terms, weights = ["asthma", "child", "naïv", "a b"], [2.0, 0.25, 1.5, 1.0]
    generator = java("io.anserini.search.query.BagOfWordsQueryGenerator")()
    queries = java("relsent.Bulk").weighted("contents", terms, weights, [2, 2, 4])
    for topic, query in zip(topics, queries, strict=True):
        assert query.equals(generator.buildQuery("contents", java_floats(topic)))
    assert len(Searcher(abstracts).search({"1": {}})["1"]) == 0
    text = "Asthma in children, asthmatic children: the CHILD's airways"
    for fields in ({}, {"title": 2.0, "contents": 0.5}):
        searcher = Searcher(abstracts, fields=fields)
        wanted = java_floats(fields) if fields else "contents"
        built = generator.buildQuery(wanted, searcher.analysis.analyzer, text)
        assert searcher.query(text).equals(built)
        assert searcher.query(text).toString() == built.toString()  # in the same order


def java_floats(values: dict[str, float]) -> Any:
    """A map of Java's."""
    found = java("java.util.HashMap")()
    for name, value in values.items():
        found.put(name, java("java.lang.Float")(value))
    return found


def test_topics_are_bags_of_words(abstracts: Index) -> None:
    """Nothing in a topic is an operator."""
    texts = ["asthma children", 'children AND "asthma"', "+asthma -children", "(asthma~ children*)"]
    found = Searcher(abstracts).search({text: text for text in texts})
    for text in texts[2:]:
        assert found[text].ids.tolist() == found[texts[0]].ids.tolist()


def test_every_topic_has_an_entry(abstracts: Index) -> None:
    """Topics without words or without hits have none, and the order is the topics'."""
    searchers = (
        Searcher(abstracts),
        rm3(abstracts),
        Searcher(abstracts, QueryLikelihood()),
        Searcher(abstracts, fields={"title": 1.0}),
    )
    for searcher in searchers:
        run = searcher.search(TOPICS)
        assert list(run) == list(TOPICS)
        assert [qid for qid, hits in run.items() if not len(hits)] == ["3", "4", "5"]
        assert run["4"].scores.dtype == np.float64
    assert Searcher(abstracts).search({}) == {}


@pytest.mark.parametrize("k", [1, 7, 33, 39, 40, 499, 500, 501, 2**31 - 1, 2**40])
def test_ties_are_ordered_by_id_through_the_cut_off(ties: Path, k: int) -> None:
    """Of 500 equal documents the ones with the smallest ids (as UTF-8 bytes) are kept."""
    with Index(ties) as index:
        equal = sorted((name for name in index.ids() if name[0] != "+"), key=str.encode)
        hits = Searcher(index).search({"1": "mice"}, k)["1"]
        best = [name for name in index.ids() if name[0] == "+"]
        assert hits.ids.tolist() == [*best, *equal][:k]
        assert len(set(hits.scores[1:])) <= 1


@pytest.fixture(scope="module")
def ties(build: Callable[..., Path]) -> Path:
    """500 equal documents in three segments, ids of many alphabets, and one that is better."""
    letters = "aZ0é\uff5e\U0001f600\u4e00ß.-"
    ids = [f"{letters[i % 10]}{i}" for i in range(500)]
    random.Random(3).shuffle(ids)
    records = [Record(name, "Of mice, and more.") for name in ids]
    return build(records[:200], [*records[200:210], Record("+1", "mice mice")], records[210:])


def test_results_do_not_depend_on_threads_and_batches(abstracts: Index) -> None:
    """One topic at a time or all at once, the run is the same."""
    records = abstracts.records(abstracts.ids())
    topics = {record.id: record.title for record in records} | TOPICS
    searcher = Searcher(abstracts)
    expected = {qid: searcher.search({qid: text}, 20)[qid] for qid, text in topics.items()}
    for threads, batch_size in ((1, 64), (2, 1), (3, 7), (64, 1000)):
        run = searcher.search(topics, 20, threads=threads, batch_size=batch_size)
        assert list(run) == list(topics)
        for qid, hits in run.items():
            assert hits.ids.tolist() == expected[qid].ids.tolist()
            assert hits.scores.tolist() == expected[qid].scores.tolist()


def test_progress_counts_topics(abstracts: Index) -> None:
    """The callback hears of every batch."""
    ticks: list[tuple[int, int | None]] = []
    Searcher(abstracts).search(TOPICS, batch_size=4, progress=lambda *tick: ticks.append(tick))
    assert ticks == [(4, 6), (6, 6)]


@pytest.mark.parametrize("made", [Searcher, rm3])
def test_a_document_as_topic(abstracts: Index, made: Callable[[Index], Any]) -> None:
    """A topic of thousands of different words is searched whole, and finds what it is made of."""
    records = abstracts.records(abstracts.ids())
    text = " ".join(record.abstract for record in records)
    words = " ".join(f"word{number}" for number in range(3000))
    assert len(set(abstracts.facts.analysis.terms(text))) > 1024
    found = made(abstracts).search({"1": text, "2": f"asthma {words}", "3": "asthma"})
    assert len(found["1"]) == len(abstracts)
    assert set(found["3"].ids) <= set(found["2"].ids)
    if made is Searcher:
        assert found["2"].ids.tolist() == found["3"].ids.tolist()


def test_more_stop_words(abstracts: Index) -> None:
    """Words left out of topics leave the index's own analysis as it is."""
    plain, fewer = Searcher(abstracts), Searcher(abstracts, stopwords=["children", "treatment"])
    expected = plain.search({"1": "with asthma"})["1"]
    assert fewer.search({"1": "Treatment of children with asthma"})["1"].ids.tolist() == (
        expected.ids.tolist()
    )
    assert fewer.analysis.stopwords != abstracts.facts.analysis.stopwords


def test_query_is_analysed_as_the_index(build: Callable[..., Path]) -> None:
    """An index that was not stemmed is not searched with stems, and keeps its stop words."""
    from relsent_ir.lucene.analyzers import Analysis

    folder = build(
        [Record("1", "The study"), Record("2", "Studies")],
        analysis=Analysis.choose("none", keep=True),
    )
    with Index(folder) as index:
        run = Searcher(index).search({"1": "study", "2": "the", "3": "studies"})
        assert [hits.ids.tolist() for hits in run.values()] == [["1"], ["1"], ["2"]]


def test_deleted_documents_are_not_found(
    abstracts: Index, sample_update: Any, tmp_path: Path
) -> None:
    """What an update file deletes is no hit any more, in neither index."""
    import shutil

    shutil.copytree(abstracts.folder, tmp_path / "index")
    build_index([sample_update], tmp_path / "index", append=True)
    for unit in ("abstracts", "sentences"):
        with Index(tmp_path / "index", unit) as index:
            titles = {r.id: r.title for r in abstracts.records(abstracts.ids())}
            for hits in Searcher(index).search(titles).values():
                assert (index.documents(hits.ids.tolist()) >= 0).all()


def test_empty_index(build: Callable[..., Path]) -> None:
    """Searching nothing finds nothing."""
    with Index(build([Record("1")]), "sentences") as index:
        for made in (Searcher, rm3):
            assert len(made(index).search({"1": "mice"})["1"]) == 0


def anserini(folder: Path, unit: str = "abstracts") -> Any:
    """Anserini's own searcher on one of our indexes."""
    searcher = java("io.anserini.search.SimpleSearcher")(str(folder / unit))
    searcher.set_bm25(0.9, 0.4)
    return searcher


def pairs(found: Any) -> tuple[list[str], list[float]]:
    """Anserini's hits as ids and scores."""
    return [hit.docid for hit in found], [hit.score for hit in found]


@pytest.mark.parametrize("unit", ["abstracts", "sentences"])
@pytest.mark.parametrize("method", ["bm25", "qld", "rm3", "rm3 8 3 0.2", "fields"])
def test_rankings_are_anserinis(sample_index: Path, unit: str, method: str) -> None:
    """The same ids in the same order, ties included, as SimpleSearcher, which rounds its scores."""
    name, *numbers = method.split()
    settings: dict[str, Any] = {}
    theirs = anserini(sample_index, unit)
    weights = java("java.util.HashMap")()
    if name == "qld":
        theirs.set_qld(1000.0)
        settings["model"] = QueryLikelihood()
    elif name == "rm3":
        terms, documents, weight = numbers or ("10", "10", "0.5")
        theirs.set_rm3(int(terms), int(documents), float(weight))
    elif name == "fields":
        fields = {"contents": 0.5} | ({"title": 2.0, "mesh": 1.5} if unit == "abstracts" else {})
        settings["fields"] = fields
        for field, value in fields.items():
            weights.put(field, java("java.lang.Float")(value))
    with Index(sample_index) as abstracts, Index(sample_index, unit) as index:
        topics = {r.id: r.title for r in abstracts.records(abstracts.ids()[:25])}
        for k in (5, 1000):
            if name == "rm3":
                run = rm3(index, int(terms), int(documents), float(weight)).search(topics, k)
            else:
                run = Searcher(index, **settings).search(topics, k, threads=2)
            for qid, text in topics.items():
                if name == "fields":
                    ids, scores = pairs(theirs.search_fields(text, weights, k))
                else:
                    ids, scores = pairs(theirs.search(text, k))
                assert run[qid].ids.tolist() == ids
                assert run[qid].scores.tolist() == pytest.approx(scores, abs=1e-4)
    theirs.close()


def test_explanation_ends_in_the_score(abstracts: Index) -> None:
    """Lucene's account begins with the score that the search gave, and names the terms."""
    searcher = Searcher(abstracts)
    hits = searcher.search({"1": "asthma in children"})["1"]
    account = searcher.explain("asthma in children", hits.ids[0])
    assert float(account.split()[0]) == pytest.approx(hits.scores[0], rel=1e-6)
    assert "contents:asthma" in account
    assert searcher.explain("wordless", hits.ids[0]).startswith("0.0")
    with pytest.raises(InputError, match="no document 'nobody' among the abstracts"):
        searcher.explain("asthma", "nobody")


def test_text_that_java_cannot_take(abstracts: Index) -> None:
    """A lone surrogate separates words like any other sign; emoji and control letters pass."""
    texts = {"1": "asthma\udc80 children", "2": "asthma \x00😀 children", "3": "asthma children"}
    run = Searcher(abstracts).search(texts)
    assert run["1"].ids.tolist() == run["2"].ids.tolist() == run["3"].ids.tolist()


@pytest.mark.parametrize(
    "settings",
    [{"fields": {"titel": 1.0}}, {"fields": {"title": -1.0}}, {"fields": {"title": math.nan}}],
    ids=str,
)
def test_impossible_settings(abstracts: Index, settings: dict[str, Any]) -> None:
    """A value outside its range, or a field that is not there, is a usage error."""
    with pytest.raises(UsageError):
        Searcher(abstracts, **settings).search({"1": "asthma"})


@pytest.mark.parametrize(
    ("model", "settings"),
    [
        (BM25, {"k1": -0.1}),
        (BM25, {"b": 1.1}),
        (BM25, {"b": -0.1}),
        (BM25, {"k1": math.nan}),
        (BM25, {"k1": math.inf}),
        (QueryLikelihood, {"mu": -1}),
        (QueryLikelihood, {"mu": math.nan}),
    ],
    ids=str,
)
def test_impossible_models(model: type, settings: dict[str, float]) -> None:
    """A value outside its range is a usage error, which names the parameter."""
    with pytest.raises(UsageError, match=f"{model.__name__} with {next(iter(settings))}"):
        model(**settings)


def test_unknown_field_lists_the_known(abstracts: Index) -> None:
    """The error helps to find the right name."""
    with pytest.raises(UsageError, match="one of abstract, contents, id, mesh, title"):
        Searcher(abstracts, fields={"titel": 1.0})


@pytest.mark.parametrize("values", [(0, 10, 0.5), (10, 0, 0.5), (10, 10, 1.1), (2**40, 10, 0.5)])
def test_impossible_feedback(values: tuple[int, int, float]) -> None:
    """RM3 needs at least a term and a document, and a share between 0 and 1."""
    with pytest.raises(UsageError, match="RM3 with"):
        RM3(*values)


def test_one_text_in_the_place_of_topics(abstracts: Index) -> None:
    """What a topic needs is an id."""
    with pytest.raises(UsageError, match=r"not 'asthma' .write {\"1\": \"the text\"}"):
        Searcher(abstracts).search("asthma")  # type: ignore[arg-type]


@pytest.mark.parametrize("values", [{"k": 0}, {"threads": 0}, {"batch_size": 0}])
def test_impossible_numbers(abstracts: Index, values: dict[str, int]) -> None:
    """Hits, threads and batches are at least one."""
    with pytest.raises(UsageError, match="must be at least 1"):
        Searcher(abstracts).search({"1": "asthma"}, **values)


def test_default_threads() -> None:
    """There is at least one."""
    assert default_threads() >= 1


def test_contributions(abstracts: Index) -> None:
    """What the terms add is the score, the weightiest first; a word that is twice counts twice."""
    searcher = Searcher(abstracts)
    for text in ("treatment in children with asthma", "asthma asthma: x of 2 in children"):
        hits = searcher.search({"": text}, 5)[""]
        for name, score in hits:
            found = searcher.contributions(text, name)
            assert sum(weight for _, weight in found) == pytest.approx(score, rel=1e-5)
            assert [weight for _, weight in found] == sorted((w for _, w in found), reverse=True)
            assert {term for term, _ in found} <= set(searcher.analysis.terms(text))
    stranger = next(name for name in abstracts.ids() if name not in hits.ids)
    assert searcher.contributions("zyzzyva", stranger) == []
    with pytest.raises(InputError, match="no document"):
        searcher.contributions("asthma", "nobody")
