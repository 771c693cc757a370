"""Each feature by its value, against loops over dictionaries of the same invented records."""

import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from statistics import fmean, pstdev

import numpy as np
import pytest
from numpy.typing import NDArray

from relsent_ir.hits import Hits, Run
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.ranker.candidates import CandidateReader, Expansions, TopicCandidates
from relsent_ir.ranker.features import GROUPS, features, group, names_of
from relsent_ir.records import Record
from relsent_ir.related.features import Sentences
from relsent_ir.related.model import Model
from relsent_ir.typing import Floats
from tests.ranker.conftest import build, invent

N = 40
TOPIC = "Queen larva in the nest of ant, ant and bee"
DENSE = Hits.ranked(["7", "33", "2"], [0.5, 0.25, 0.125])
Bag = Mapping[str, float]


class Shared(Model):
    """Scores a pair by how many words both have, less a hundredth of the words of the second."""

    name = "shared"
    stopwords: tuple[str, ...] = ()

    def scores(
        self, sentences: Sentences, a: NDArray[np.integer], b: NDArray[np.integer]
    ) -> Floats:
        """Score pairs."""
        words = sentences.words
        found = []
        for one, other in zip(a, b, strict=True):
            both = set(words[[one]].indices) & set(words[[other]].indices)
            found.append(len(both) - words[[other]].nnz / 100)
        return np.array(found)

    def query_scores(self, sentences: Sentences, query: int, rows: NDArray[np.integer]) -> Floats:
        """Score one sentence against others."""
        return self.scores(sentences, np.full(len(rows), query), rows)


def records() -> list[Record]:
    """Forty records; some lack a year, an abstract, headings or references."""
    made = []
    for number in range(N):
        record = invent(number)
        kinds = ("Review", "Case Reports", "Clinical Trial", "Randomized Controlled Trial")
        record = replace(record, publication_types=kinds[number % 5 : number % 5 + 1])
        if number % 8 == 5:
            record = replace(record, year="")
        if number == 11:
            record = replace(record, sections=())
        if number == 12:
            record = replace(record, mesh=(), references=())
        made.append(record)
    return sorted(made, key=lambda record: record.id.encode())


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Indexes]:
    """Their index."""
    with Indexes(build(tmp_path_factory.mktemp("features") / "ix", records())) as collection:
        yield collection


@pytest.fixture(scope="module")
def expanded(opened: Indexes) -> Expansions:
    """The topic after each feedback."""
    return CandidateReader(opened).expand({"t": TOPIC})


@pytest.fixture(scope="module")
def read(opened: Indexes, expanded: Expansions) -> TopicCandidates:
    """All records as candidates of the topic."""
    reader = CandidateReader(opened, related=Shared(), runs={"dense": Run({"t": DENSE})})
    return reader.read("t", TOPIC, [record.id for record in records()], expanded)


class Loops:
    """The features by loops; every list has a value for each record, in their order."""

    def __init__(self, opened: Indexes, expanded: Expansions) -> None:
        self.records = records()
        terms = opened.facts.analysis.terms
        self.query = Counter(terms(TOPIC))
        self.expanded = {name: of["t"] for name, of in expanded.items()}
        self.titles = [Counter(terms(record.title)) for record in self.records]
        self.abstracts = [Counter(terms(record.abstract)) for record in self.records]
        self.mesh = [Counter(terms(" ".join(m.heading for m in r.mesh))) for r in self.records]
        self.contents = [
            sum(parts, Counter())
            for parts in zip(self.titles, self.abstracts, self.mesh, strict=True)
        ]
        self.sentences = [
            (row, s.n, Counter(terms(s.text)), s.text)
            for row, record in enumerate(self.records)
            for s in record.sentences()
        ]
        self.lead = self.bm25(self.contents, self.expanded["medline"], 1.2, 0.75)
        self.first = sorted(range(N), key=lambda row: (-self.lead[row], row))

    def bm25(self, rows: Sequence[Bag], query: Bag, k1: float, b: float) -> list[float]:
        """BM25 over exact lengths; the mean length is that of rows that are not empty."""
        mean = fmean(sum(row.values()) for row in rows if row)
        scores = []
        for row in rows:
            score = 0.0
            for term, weight in query.items():
                if term in row:
                    df = sum(term in other for other in rows)
                    idf = math.log(1 + (len(rows) - df + 0.5) / (df + 0.5))
                    size = k1 * (1 - b + b * sum(row.values()) / mean)
                    score += weight * idf * row[term] / (row[term] + size)
            scores.append(score)
        return scores

    def covered(self, rows: Sequence[Bag]) -> list[float]:
        """The share of the topic's idf, of its terms that any row of the collection's words has."""
        known = [term for term in self.query if any(term in row for row in self.contents)]
        idf = {t: math.log(len(rows) / max(1, sum(t in row for row in rows))) for t in known}
        return [sum(idf[t] for t in known if t in row) / sum(idf.values()) for row in rows]

    def likelihood(self) -> list[float]:
        """Query likelihood, Dirichlet's μ 1000, less the log likelihood of an empty text."""
        total = sum(sum(row.values()) for row in self.contents)
        scores = []
        for row in self.contents:
            score = 0.0
            for term, count in self.query.items():
                share = sum(other[term] for other in self.contents) / total
                if share:
                    found = (row[term] + 1000 * share) / (sum(row.values()) + 1000)
                    score += count * (math.log(found) - math.log(share))
            scores.append(score)
        return scores

    def unit(self, rows: Sequence[Bag]) -> list[dict[str, float]]:
        """SMART's ltc."""
        found = []
        for row in rows:
            weights = {
                term: (1 + math.log(tf)) * math.log(len(rows) / sum(term in r for r in rows))
                for term, tf in row.items()
            }
            length = math.sqrt(sum(weight**2 for weight in weights.values()))
            found.append({t: weight / length if length else 0 for t, weight in weights.items()})
        return found

    def smart(self) -> list[float]:
        """SMART's ltc.atn."""
        rows = self.contents
        known = {t: n for t, n in self.query.items() if any(t in row for row in rows)}
        weights = {
            term: (0.5 + 0.5 * count / max(known.values()))
            * math.log(N / sum(term in row for row in rows))
            for term, count in known.items()
        }
        return [_dot(vector, weights) for vector in self.unit(rows)]

    def to_first(self, near: Sequence[Sequence[float]], count: int) -> list[float]:
        """Likeness to the first hits but oneself, weighed by 1/√rank."""
        scores = []
        for row in range(N):
            others = [(r, h) for r, h in enumerate(self.first[:count], 1) if h != row]
            total = sum(1 / math.sqrt(rank) for rank, _ in others)
            scores.append(sum(near[row][h] / math.sqrt(r) for r, h in others) / total)
        return scores

    def smoothed(self, near: Sequence[Sequence[float]]) -> list[float]:
        """The mean score after feedback of the thirty nearest, weighed by likeness."""
        score = self.standard(self.lead)
        scores = []
        for row in range(N):
            nearest = sorted((h for h in range(N) if h != row), key=lambda h: -near[row][h])[:30]
            total = sum(near[row][h] for h in nearest)
            scores.append(sum(near[row][h] * score[h] for h in nearest) / total if total else 0.0)
        return scores

    def standard(self, values: Sequence[float]) -> list[float]:
        """Mean 0, deviation 1."""
        return [(value - fmean(values)) / pstdev(values) for value in values]

    def products(self, vectors: Sequence[Bag]) -> list[list[float]]:
        """Inner products of all pairs."""
        return [[_dot(one, other) for other in vectors] for one in vectors]

    def by_record(
        self, scores: Sequence[float], kept: Callable[[int, int], bool]
    ) -> list[list[float]]:
        """Scores of the sentences of each record that are kept, the best first."""
        found: list[list[float]] = [[] for _ in range(N)]
        for (row, n, _, _), score in zip(self.sentences, scores, strict=True):
            if kept(row, n):
                found[row].append(score)
        return [sorted(some, reverse=True) for some in found]

    def first_stage(self) -> dict[str, list[float]]:
        """The topic's own terms."""
        return {
            "bm25": self.bm25(self.contents, self.query, 0.9, 0.4),
            "bm25-larger": self.bm25(self.contents, self.query, 1.2, 0.75),
            "likelihood": self.likelihood(),
            "smart": self.smart(),
            "covered": self.covered(self.contents),
            "abstract-bm25": self.bm25(self.abstracts, self.query, 0.9, 0.4),
        }

    def feedback(self) -> dict[str, list[float]]:
        """The topic after feedback."""
        settings = {"medline": (1.2, 0.75), "rocchio": (0.9, 0.4), "rm3": (0.9, 0.4)}
        return {
            name: self.bm25(self.contents, self.expanded[name], *of)
            for name, of in settings.items()
        }

    def title_features(self) -> dict[str, list[float]]:
        """Titles."""
        return {
            "title-bm25": self.bm25(self.titles, self.query, 0.9, 0.4),
            "title-covered": self.covered(self.titles),
            "title-expanded": self.bm25(self.titles, self.expanded["medline"], 1.2, 0.75),
        }

    def sentence_scores(self) -> tuple[list[float], list[float], list[float]]:
        """BM25 before and after feedback, and the share of the topic, of all sentences."""
        bags = [bag for _, _, bag, _ in self.sentences]
        own = self.bm25(bags, self.query, 0.9, 0.4)
        return own, self.bm25(bags, self.expanded["medline"], 1.2, 0.75), self.covered(bags)

    def sentence_features(self) -> dict[str, list[float]]:
        """Sentences of abstracts."""
        own, more, covered = self.sentence_scores()

        def best(scores: Sequence[float]) -> list[float]:
            return [max(some, default=0.0) for some in self.by_record(scores, _body)]

        def mean(scores: Sequence[float]) -> list[float]:
            return [sum(some[:3]) / 3 for some in self.by_record(scores, _body)]

        return {
            "sentence-best": best(own),
            "sentence-mean": mean(own),
            "sentence-covered": best(covered),
            "expanded-best": best(more),
            "expanded-mean": mean(more),
        }

    def position_features(self) -> dict[str, list[float]]:
        """The topic's idf in sentences that begin before term 40, and end in the last 50."""
        df = {t: sum(t in row for row in self.contents) for t in self.query}
        idf = {t: math.log(N / n) for t, n in df.items() if n}
        seen: dict[str, list[float]] = {"opening-covered": [], "closing-covered": []}
        for row in range(N):
            bags = [bag for owner, _, bag, _ in self.sentences if owner == row]
            ends = np.cumsum([sum(bag.values()) for bag in bags]).tolist()
            first = [b for b, end in zip(bags, ends, strict=True) if end - sum(b.values()) < 40]
            last = [b for b, end in zip(bags, ends, strict=True) if ends[-1] - end < 50]
            for name, some in zip(seen, (first, last), strict=True):
                there = {t for bag in some for t in bag if t in idf}
                seen[name].append(sum(idf[t] for t in there) / sum(idf.values()))
        return seen

    def neighbours(self) -> dict[str, list[float]]:
        """Likeness by words."""
        near = self.products(self.unit(self.contents))
        return {
            "words-5": self.to_first(near, 5),
            "words-20": self.to_first(near, 20),
            "words-smoothed": self.smoothed(near),
        }

    def references(self) -> dict[str, list[float]]:
        """Coupling, by works that two records or more refer to, and links."""
        cited = Counter(work for record in self.records for work in set(record.references))
        bags = [{w: 1.0 for w in r.references if cited[w] > 1} for r in self.records]
        near = self.products(self.unit(bags))
        rows = {record.id: row for row, record in enumerate(self.records)}
        linked: list[set[int]] = [set() for _ in self.records]
        for row, record in enumerate(self.records):
            for other in (rows[work] for work in record.references if work in rows):
                linked[row].add(other)
                linked[other].add(row)
        rank = {row: place for place, row in enumerate(self.first[:20], 1)}
        score = self.standard(self.lead)
        return {
            "coupling-5": self.to_first(near, 5),
            "coupling-20": self.to_first(near, 20),
            "coupling-smoothed": self.smoothed(near),
            "links-first": [
                sum(1 / math.sqrt(rank[h]) for h in some if h in rank) for some in linked
            ],
            "links": [
                sum(max(score[h], 0.0) for h in some) / math.sqrt(1 + len(some)) for some in linked
            ],
        }

    def mesh_features(self) -> dict[str, list[float]]:
        """Headings."""
        near = self.products(self.unit([{m.heading: 1.0 for m in r.mesh} for r in self.records]))
        return {
            "mesh-bm25": self.bm25(self.mesh, self.query, 0.9, 0.4),
            "headings-5": self.to_first(near, 5),
            "headings-20": self.to_first(near, 20),
            "headings-smoothed": self.smoothed(near),
        }

    def related(self) -> dict[str, list[float]]:
        """`Shared` of titles, and of the two best sentences by BM25 after feedback."""
        topic = _words(TOPIC)
        _, more, _ = self.sentence_scores()
        titles: dict[int, float] = {}
        bodies: list[list[tuple[float, int, float]]] = [[] for _ in range(N)]
        for (row, n, _, text), order in zip(self.sentences, more, strict=True):
            words = _words(text)
            score = len(words & topic) - len(words) / 100
            if n:
                bodies[row].append((-order, n, score))
            else:
                titles[row] = score
        chosen = [[score for _, _, score in sorted(some)[:2]] for some in bodies]
        least = min(0.0, *titles.values(), *(score for some in chosen for score in some))
        return {
            "related": [max([least, *some]) for some in chosen],
            "related-title": [max(least, titles.get(row, least)) for row in range(N)],
        }

    def dense(self) -> dict[str, list[float]]:
        """A run with three of the records."""
        scores = {"7": 0.5, "33": 0.25, "2": 0.125}
        ranks = {"7": 1 / 61, "33": 1 / 62, "2": 1 / 63}
        return {
            "dense-score": [scores.get(record.id, 0.125) for record in self.records],
            "dense-rank": [ranks.get(record.id, 0.0) for record in self.records],
        }


def _dot(a: Bag, b: Bag) -> float:
    return sum(weight * b[term] for term, weight in a.items() if term in b)


def _words(text: str) -> set[str]:
    return set(re.findall("[a-z]+", text.lower()))


def _body(_: int, n: int) -> bool:
    return n > 0


EXPECTED: dict[str, Callable[[Loops], dict[str, list[float]]]] = {
    "first-stage": Loops.first_stage,
    "feedback": Loops.feedback,
    "titles": Loops.title_features,
    "sentences": Loops.sentence_features,
    "positions": Loops.position_features,
    "neighbours": Loops.neighbours,
    "references": Loops.references,
    "mesh": Loops.mesh_features,
    "related": Loops.related,
    "run:dense": Loops.dense,
}


@pytest.fixture(scope="module")
def loops(opened: Indexes, expanded: Expansions) -> Loops:
    """The records as dictionaries."""
    return Loops(opened, expanded)


def test_every_group_is_expected() -> None:
    """No group is forgotten; `test_vectors` has that of vectors."""
    assert list(EXPECTED) == [*(name for name in GROUPS if name != "dense"), "run:dense"]


@pytest.mark.parametrize("name", EXPECTED)
def test_values(name: str, read: TopicCandidates, loops: Loops) -> None:
    """Each feature of a group has the values of the loop, by its name."""
    found, expected = group(name).compute(read), EXPECTED[name](loops)
    assert list(group(name).features) == list(expected)
    assert set(found) == set(expected)
    for feature, values in expected.items():
        assert len(set(values)) > 1, f"{feature} tells nothing apart"
        np.testing.assert_allclose(found[feature], values, rtol=2e-5, atol=2e-6, err_msg=feature)


def test_scaled(read: TopicCandidates, loops: Loops) -> None:
    """A model sees all of them side by side, each with mean 0 and deviation 1."""
    table = features(read, list(EXPECTED))
    assert table.shape == (N, len(names_of(list(EXPECTED))))
    for column, name in zip(table.T, names_of(list(EXPECTED)), strict=True):
        assert column.mean() == pytest.approx(0, abs=1e-9), name
        assert column.std() == pytest.approx(1), name
    expected = loops.standard(loops.first_stage()["bm25"])
    np.testing.assert_allclose(table[:, 0], expected, rtol=1e-6, atol=1e-9)
