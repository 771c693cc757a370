"""Searching: scores against a plain implementation, order of ties, and Anserini's searcher."""

import logging
import math
import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import numpy as np
import pytest

from relsent_ir.errors import InputError, MismatchError, UsageError
from relsent_ir.feedback import FeedbackSearcher
from relsent_ir.hits import Hits
from relsent_ir.lucene.commits import Facts
from relsent_ir.lucene.documents import MoveTagger
from relsent_ir.lucene.jvm import java
from relsent_ir.lucene.read.filters import Filters, filter_values
from relsent_ir.lucene.read.index import Index
from relsent_ir.lucene.read.search import Searcher
from relsent_ir.lucene.write.indexing import build_index
from relsent_ir.methods import BM25, RM3, QueryLikelihood
from relsent_ir.moves import MOVES
from relsent_ir.records import Mesh, Record, Sentence

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
    """Nothing in a topic is an operator, nor is a lone surrogate or a control letter."""
    texts = ["asthma children", 'children AND "asthma"', "+asthma -children", "(asthma~ children*)"]
    found = Searcher(abstracts).search({text: text for text in texts})
    for text in texts[2:]:
        assert found[text].ids.tolist() == found[texts[0]].ids.tolist()
    texts = {"1": "asthma\udc80 children", "2": "asthma \x00😀 children", "3": "asthma children"}
    run = Searcher(abstracts).search(texts)
    assert run["1"].ids.tolist() == run["2"].ids.tolist() == run["3"].ids.tolist()


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


def test_progress_and_stop_words(abstracts: Index) -> None:
    """The callback hears of every batch; words left out leave the index's analysis as it is."""
    ticks: list[tuple[int, int | None]] = []
    Searcher(abstracts).search(TOPICS, batch_size=4, progress=lambda *tick: ticks.append(tick))
    assert ticks == [(4, 6), (6, 6)]
    plain, fewer = Searcher(abstracts), Searcher(abstracts, stopwords=["children", "treatment"])
    expected = plain.search({"1": "with asthma"})["1"]
    assert fewer.search({"1": "Treatment of children with asthma"})["1"].ids.tolist() == (
        expected.ids.tolist()
    )
    assert fewer.analysis.stopwords != abstracts.facts.analysis.stopwords


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


def test_nothing_and_mistakes(build: Callable[..., Path], abstracts: Index) -> None:
    """Searching nothing finds nothing; the error lists the fields; a topic needs an id."""
    with Index(build([Record("1")]), "sentences") as index:
        for made in (Searcher, rm3):
            assert len(made(index).search({"1": "mice"})["1"]) == 0
    with pytest.raises(UsageError, match="one of abstract, contents, id, mesh, title"):
        Searcher(abstracts, fields={"titel": 1.0})
    with pytest.raises(UsageError, match=r"not 'asthma' .write {\"1\": \"the text\"}"):
        Searcher(abstracts).search("asthma")  # type: ignore[arg-type]


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


@pytest.mark.parametrize("values", [(0, 10, 0.5), (10, 0, 0.5), (10, 10, 1.1), (2**40, 10, 0.5)])
def test_impossible_feedback(values: tuple[int, int, float]) -> None:
    """RM3 needs at least a term and a document, and a share between 0 and 1."""
    with pytest.raises(UsageError, match="RM3 with"):
        RM3(*values)


@pytest.mark.parametrize("values", [{"k": 0}, {"threads": 0}, {"batch_size": 0}])
def test_impossible_numbers(abstracts: Index, values: dict[str, int]) -> None:
    """Hits, threads and batches are at least one."""
    with pytest.raises(UsageError, match="must be at least 1"):
        Searcher(abstracts).search({"1": "asthma"}, **values)


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


JOURNALS = ("J Odd Res", "Murine Lett", "")
TYPES = (("Journal Article",), ("Journal Article", "Clinical Trial, Phase II"), ())
YEARS = ("1989", "1990", "1999", "2000", "2001", "", "undated")

WANTED = [
    Filters((1990, 2000)),
    Filters((None, 1990)),
    Filters((2000, None)),
    Filters((1999, 1999)),
    Filters(journals=("MURINE LETT",)),
    Filters(journals=("J Odd  Res", "Murine Lett")),
    Filters(publication_types=("clinical trial, phase ii",)),
    Filters((1990, None), ("j odd res",), ("Journal Article",)),
    Filters(mesh=("LUNG",)),
    Filters(mesh="Lung", languages="ger"),
    Filters(authors="Okafor"),
    Filters(authors="okafor b"),
    Filters(authors=("Okafor BC", "Ode")),
    Filters(own="Arm=b"),
]


def passes(wanted: Filters, record: Record) -> bool:
    """Test a record in plain Python."""
    first, last = wanted.years
    year = int(record.year) if record.year.isdigit() else None
    dated = year is not None and (first or 0) <= year <= (last or 9999)
    journals = {" ".join(name.split()).lower() for name in wanted.journals}
    types = {name.lower() for name in wanted.publication_types}
    authors = [name.lower() for name in record.authors]
    written = [" ".join(name.lower().split()) for name in wanted.authors]
    return (
        (not wanted.mesh or "Lung" in [mesh.heading for mesh in record.mesh])
        and (not wanted.languages or "ger" in record.languages)
        and (not wanted.own or ("Arm", "B") in record.own)
        and (
            not written
            or any(
                name == one or name.startswith(one if " " in one else f"{one} ")
                for name in authors
                for one in written
            )
        )
        and (wanted.years == (None, None) or dated)
        and (not journals or record.journal.lower() in journals)
        and (not types or not types.isdisjoint(t.lower() for t in record.publication_types))
    )


def _tag(record: Record) -> list[Sentence]:
    body = [s for s in record.sentences() if s.n]
    return [replace(s, move=MOVES[(len(s.text) + s.n) % 4], score=0.5) for s in body]


@pytest.fixture(scope="module")
def records(invent: Callable[..., list[Record]]) -> list[Record]:
    """Records with and without what is asked for."""
    chance = random.Random(4)
    return [
        replace(
            record,
            journal=chance.choice(JOURNALS),
            publication_types=chance.choice(TYPES),
            year=chance.choice(YEARS),
            mesh=chance.choice(((), (Mesh("Lung", major=True),), (Mesh("Lung"), Mesh("Eye")))),
            authors=chance.choice(((), ("Okafor B", "Ode A"), ("Okafor BC",), ("Okaforson B",))),
            languages=chance.choice((("ger",), ("eng", "ger"), ())),
            own=chance.choice(((), (("Arm", "A"),), (("Arm", "B"), ("Dose", "2 mg")))),
        )
        for record in invent(150, 8)
    ]


@pytest.fixture(scope="module")
def folder(build: Callable[..., Path], records: list[Record]) -> Path:
    """Their indexes, in three segments, with moves."""
    return build(records[:60], records[60:140], records[140:], tagger=MoveTagger("mine", _tag))


@pytest.mark.parametrize("wanted", WANTED, ids=str)
@pytest.mark.parametrize("unit", ["abstracts", "sentences"])
def test_brute_force(folder: Path, records: list[Record], unit: str, wanted: Filters) -> None:
    """The hits of a deep run that pass, in their order, with the same scores to the last bit."""
    by_id = {record.id: record for record in records}
    topics = {record.id: f"{record.title} {record.title}" for record in records[:12]}
    with Index(folder, unit) as index:
        for settings in ({}, {"model": QueryLikelihood()}, {"model": BM25(1.2, 0.75)}):
            plain = Searcher(index, **settings).search(topics, 10_000)
            for k in (3, 10_000):
                found = Searcher(index, filters=wanted, **settings).search(topics, k)
                for topic, hits in plain.items():
                    expected = [
                        (name, score)
                        for name, score in zip(hits.ids, hits.scores, strict=True)
                        if passes(wanted, by_id[name.partition(".")[0]])
                    ]
                    assert (
                        list(zip(found[topic].ids, found[topic].scores, strict=True))
                        == (expected[:k])
                    )
                    assert any(hits.ids)
                    assert k == 3 or len(expected) < len(hits)


@pytest.mark.parametrize("wanted", WANTED, ids=str)
@pytest.mark.parametrize("unit", ["abstracts", "sentences"])
def test_passing(folder: Path, records: list[Record], unit: str, wanted: Filters) -> None:
    """Every document that passes by plain Python is marked at Lucene's number, and no other."""
    by_id = {record.id: record for record in records}
    with Index(folder, unit) as index:
        ids = index.ids()
        passing = wanted.passing(index)
        marked = passing[index.documents(ids)].tolist()
    assert len(passing) == len(ids)
    assert marked == [passes(wanted, by_id[name.partition(".")[0]]) for name in ids]
    assert 0 < sum(marked) < len(ids)


def test_moves_and_years(folder: Path, records: list[Record]) -> None:
    """Both must hold; weighted terms and fields are filtered too."""
    wanted = Filters((1990, 2000), moves=("RESULTS", "METHODS"))
    allowed = {
        sentence.id
        for record in records
        for sentence in _tag(record)
        if sentence.move in wanted.moves and passes(Filters(wanted.years), record)
    }
    with Index(folder, "sentences") as index:
        text = " ".join(record.abstract for record in records)
        weights = dict.fromkeys(index.facts.analysis.terms(text), 1.0)
        for settings in ({}, {"fields": {"contents": 2.0}}):
            run = Searcher(index, filters=wanted, **settings).search({"1": text, "2": weights}, 999)
            assert set(run["1"].ids) == set(run["2"].ids) == allowed


def test_an_account_of_a_filtered_score(folder: Path, records: list[Record]) -> None:
    """A document that passes has its score explained; one that does not has none."""
    inside = next(r for r in records if r.year == "1999")
    outside = next(r for r in records if r.year == "")
    with Index(folder) as index:
        searcher = Searcher(index, filters=Filters((1990, 2000)))
        score = Searcher(index).search({"1": inside.title}, 150)["1"]
        (own,) = score.scores[score.ids == inside.id]
        assert float(searcher.explain(inside.title, inside.id).split()[0]) == pytest.approx(own)
        assert searcher.explain(outside.title, outside.id).startswith("0.0")


def test_without_year(folder: Path, records: list[Record]) -> None:
    """Records without a year, or with something else in its place, are counted."""
    undated = [record for record in records if record.year in ("", "undated")]
    with Index(folder) as abstracts, Index(folder, "sentences") as sentences:
        assert abstracts.without_year == len(undated)
        assert sentences.without_year == sum(len(record.sentences()) for record in undated)


def test_pmid(build: Callable[..., Path]) -> None:
    """It is there where the source gave one, and no id is taken for one."""
    from relsent_ir.lucene.jvm import java

    with Index(build([Record("x", "Lung", pmid="123"), Record("456", "Lung")])) as index:
        term = java("org.apache.lucene.index.Term")
        assert [int(index.reader.docFreq(term("pmid", name))) for name in ("123", "456")] == [1, 0]
        assert [record.pmid for record in index.records(["x", "456"])] == ["123", ""]


def test_values_of_a_record() -> None:
    """Case and white space are one; what is no year, or too long for Lucene, is left out."""
    record = Record("1", year="1999", journal="J  Odd RES", publication_types=("A b", "a B", "C"))
    assert filter_values(record)[:4] == (
        (),
        ("1999",),
        ("j odd res\tJ Odd RES",),
        ("a b\tA b", "c\tC"),
    )
    odd = Record("1", year="19999", journal="x" * 9000, pmid="7")
    assert filter_values(odd)[:4] == (("7",), (), (), ())
    assert not any(filter_values(Record("1", year="१९९९")))


def test_a_value_that_no_record_has(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Nothing is found, and it is said why."""
    with Index(folder) as index, caplog.at_level(logging.WARNING):
        searcher = Searcher(index, filters=Filters(journals=("J Od Res", "J Odd Res")))
        assert len(searcher.search({"1": "x"})["1"]) == 0
    assert [record.getMessage() for record in caplog.records] == [
        f"no journal 'J Od Res' in {folder}"
    ]


def test_no_filter() -> None:
    """What asks for nothing is false; the known moves are named."""
    assert not Filters()
    assert Filters((None, 1990))
    assert Filters(moves=("RESULTS",))
    with pytest.raises(UsageError, match=r"no move 'RESULT' \(one of PURPOSE"):
        Filters(moves=("RESULT",))


@pytest.mark.parametrize("years", [(2000, 1990), (10_000, None), (None, -1)])
def test_impossible_years(years: tuple[int | None, int | None]) -> None:
    """A range in which no year can be is refused."""
    with pytest.raises(UsageError, match=r"no year from .* to .* \(write 1990:2000"):
        Filters(years)


def test_moves_that_an_index_lacks(sample_index: Path) -> None:
    """Neither abstracts nor sentences that were not tagged."""
    for unit in ("abstracts", "sentences"):
        with Index(sample_index, unit) as index, pytest.raises(MismatchError, match="no moves"):
            Searcher(index, filters=Filters(moves=("RESULTS",)))
        with Index(sample_index, unit) as index, pytest.raises(MismatchError, match="no moves"):
            Filters(moves=("RESULTS",)).passing(index)


def test_an_older_index(build, monkeypatch, write):
    """It is searched as ever; filters are refused, also after records were added to it."""
    import json

    to_json = Facts.to_json

    def without(self: Facts) -> str:
        values = json.loads(to_json(self))
        del values["filters"]
        return json.dumps(values)

    with monkeypatch.context() as patch:
        patch.setattr(Facts, "to_json", without)
        folder = build([Record("1", "Lung", year="1990")])
    more = write(folder / "more.jsonl", [Record("2", "Lung", year="1990")])
    build_index([more], folder, append=True)
    with Index(folder) as index:
        assert not index.facts.filters
        assert len(Searcher(index).search({"1": "lung"})["1"]) == 2
        with pytest.raises(MismatchError, match=r"older than filters .* \(build it again\)"):
            Searcher(index, filters=Filters((1990, 1990)))


def test_an_index_older_than_headings(build, monkeypatch, write):
    """Years are filtered, headings are refused, also after records were added to it."""
    monkeypatch.setattr(
        "relsent_ir.lucene.write.indexing.begun",
        lambda analysis, moves: Facts(analysis, moves=moves, build="1", facets=False),
    )
    folder = build([Record("1", "Lung", year="1990")])
    build_index([write(folder / "more.jsonl", [Record("2", "Lung")])], folder, append=True)
    with Index(folder) as index:
        assert len(Searcher(index, filters=Filters(1990)).search({"1": "lung"})["1"]) == 1
        with pytest.raises(MismatchError, match=r"older than filters of headings"):
            Searcher(index, filters=Filters(mesh="Lung"))


@pytest.mark.parametrize("condition", ["arm", "arm=", "=", "arm= "])
def test_a_condition_without_a_value(condition: str) -> None:
    """Own fields are asked for by name and value."""
    with pytest.raises(UsageError, match=r"FIELD=VALUE"):
        Filters(own=condition)


def test_retracted(build: Callable[..., Path]) -> None:
    """Retracted publications can be left out, alone or beside other conditions."""
    folder = build(
        [
            Record("1", "Ants", year="1999", publication_types=("Retracted Publication",)),
            Record("2", "Ants", year="1999"),
            Record("3", "Bees"),
        ]
    )
    with Index(folder) as index:

        def passing(**conditions: object) -> set[str]:
            flags = Filters(retracted=False, **conditions).passing(index)  # type: ignore[arg-type]
            return {name for name, yes in zip(index.ids(), flags, strict=True) if yes}

        assert passing() == {"2", "3"}
        assert passing(years=1999) == {"2"}
        assert passing(strategy="ant* OR 1[pmid]") == {"2"}
        assert passing(strategy="ants*") == {"2"}
        assert passing(years=1999, strategy="bees") == set()
    assert Filters.read(no_retracted=True) == Filters(retracted=False)


Run = Callable[..., "CompletedProcess[str]"]

SEARCH = """
from pathlib import Path
from relsent_ir.errors import RelsentError
from relsent_ir.lucene.read.index import Index
from relsent_ir.lucene.read.search import Searcher
from relsent_ir.lucene.read.search import warm_up

folder = Path({folder!r})
warm_up(folder)
try:
    with Index(folder, "sentences") as index:
        print(len(Searcher(index).search({{"1": "sentences of a record"}}, 5)["1"]) > 0)
except RelsentError as error:
    print(error)
"""


def test_both_threads_search(run_python: Run, sample_index: Path) -> None:
    """Whoever asks next waits, and Lucene answers as ever."""
    ran = run_python(SEARCH.format(folder=str(sample_index)))
    assert (ran.stdout, ran.stderr) == ("True\n", "")


def test_what_fails_is_told_once(run_python: Run, sample_index: Path, tmp_path: Path) -> None:
    """A missing index and a broken Java are told where they are used, without a traceback."""
    ran = run_python(SEARCH.format(folder=str(tmp_path / "nothing")))
    assert ran.stdout.startswith(f"{tmp_path / 'nothing'}: there is no index")
    assert (ran.stdout.count("\n"), ran.stderr) == (1, "")
    (tmp_path / "release").write_text('JAVA_VERSION="21.0.1"\n')
    ran = run_python(SEARCH.format(folder=str(sample_index)), JAVA_HOME=str(tmp_path))
    assert ran.stdout.startswith(f"{tmp_path}: Java 21 does not start: ")
    assert (ran.stdout.count("\n"), ran.stderr) == (1, "")
