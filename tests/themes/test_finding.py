"""Themes in an index."""

import logging
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from relsent_ir.api import Collection
from relsent_ir.errors import InputError
from relsent_ir.feedback import FeedbackSearcher
from relsent_ir.hits import Hits
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.lucene.read.search import Searcher
from relsent_ir.methods import Rocchio
from relsent_ir.themes import IMPROVED, Selection, Terms, ThemeFinder, ThemeSettings, ThemeTopic
from relsent_ir.themes.em import find_theme
from relsent_ir.themes.finding import ThemeReranker
from tests.themes.conftest import invent, write_index

TERMS = Terms(selection=Selection(2, 0.3))
ANTS = {f"i{n}" for n in range(0, 40, 4)}


def test_run(insects: Path) -> None:
    """Records of the kernel's subject come first; the kernel itself only if kept."""
    with Indexes(insects) as collection:
        finder = ThemeFinder(collection, ThemeSettings(prior=0.05), TERMS)
        topics = {"a": ThemeTopic(("i0",)), "b": ThemeTopic(("i4", "i8"))}
        seen: list[tuple[int, int | None]] = []
        run = finder.run(topics, 8, progress=lambda *done: seen.append(done))
        assert set(run["a"].ids) <= ANTS - {"i0"}
        assert set(run["b"].ids) == ANTS - {"i4", "i8"}
        assert seen == [(1, 2), (2, 2)]
        kept = finder.run({"a": topics["a"]}, 50, keep_kernel=True)["a"]
        assert "i0" in kept.ids
        assert len(kept) == 41


def test_threads_and_batches_change_nothing(insects: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One thread, four threads, one topic at a time: the same scores."""
    topics = {name: ThemeTopic((name,)) for name in sorted(ANTS)}
    with Indexes(insects) as collection:
        finder = ThemeFinder(collection, IMPROVED, TERMS)
        one = finder.run(topics, threads=1)
        four = finder.run(topics, threads=4)
        monkeypatch.setattr("relsent_ir.themes.finding._BATCH", 1)
        single = finder.run(topics)
    for name in topics:
        assert one[name].ids.tolist() == four[name].ids.tolist() == single[name].ids.tolist()
        assert (one[name].scores == four[name].scores).all()


def test_similarity(insects: Path) -> None:
    """What goes into P is the score by feedback from the kernel, relative to its own."""
    settings = ThemeSettings(similarity=20, max_iterations=3)
    with Indexes(insects) as collection:
        finder = ThemeFinder(collection, settings, TERMS)
        vector = finder.index.vectors(["i1"])
        query = dict(zip(vector.terms, vector.counts.toarray()[0].astype(float), strict=True))
        fed = FeedbackSearcher(Searcher(finder.index), finder.index, Rocchio())
        hits = fed.search({"": query}, 99)[""]
        scores = dict(zip(hits.ids, hits.scores, strict=True))
        similarity = np.array([scores.get(name, 0.0) for name in finder.matrix.ids])
        expected = find_theme(
            finder.matrix, finder.rows(["i1"]), settings, similarity / scores["i1"]
        )
        (found,) = finder.find({"": ThemeTopic(("i1",))}, lambda _, theme: theme.log_odds).values()
    np.testing.assert_allclose(found, expected.log_odds)


def _counts(finder: ThemeFinder, name: str) -> Counter[str]:
    vector = finder.index.vectors([name])
    return Counter(dict(zip(vector.terms, vector.counts.toarray()[0].tolist(), strict=True)))


def test_several_kernels(insects: Path) -> None:
    """What goes into P is the score for the terms of any kernel."""
    settings = ThemeSettings(similarity=20, max_iterations=3)
    with Indexes(insects) as collection:
        finder = ThemeFinder(collection, settings, TERMS)
        query = _counts(finder, "i1") + _counts(finder, "i5")
        fed = FeedbackSearcher(Searcher(finder.index), finder.index, Rocchio())
        hits = fed.search({"": {t: float(n) for t, n in query.items()}}, 99)[""]
        scores = dict(zip(hits.ids, hits.scores, strict=True))
        similarity = np.array([scores.get(name, 0.0) for name in finder.matrix.ids])
        rows = finder.rows(["i1", "i5"])
        expected = find_theme(finder.matrix, rows, settings, similarity / similarity[rows].max())
        topics = {"": ThemeTopic(("i1", "i5"))}
        (found,) = finder.find(topics, lambda _, theme: theme.log_odds).values()
    np.testing.assert_allclose(found, expected.log_odds)


def test_known_similarity_is_not_searched_again(insects, monkeypatch):
    """Another setting of the same index takes the scores that the first has found."""
    topics = {name: ThemeTopic((name,)) for name in sorted(ANTS)}
    known: dict[ThemeTopic, np.ndarray] = {}
    with Indexes(insects) as collection:
        finder = ThemeFinder(collection, IMPROVED, TERMS, known=known)
        first = finder.run(topics)
    assert set(known) == set(topics.values())
    monkeypatch.setattr(ThemeFinder, "_searcher", lambda *_: pytest.fail("searched again"))
    with Indexes(insects) as collection:
        finder = ThemeFinder(collection, IMPROVED, TERMS, known=known)
        again = finder.run(topics)
    for name in topics:
        assert (first[name].scores == again[name].scores).all()


def test_from_hits(insects: Path) -> None:
    """A query's hits are kernels and stay in the run; a query without hits has no theme."""
    with Indexes(insects) as collection:
        finder = ThemeFinder(collection, IMPROVED, TERMS)
        topics = finder.from_hits({"q": "queen nest", "none": "zebra"}, 3)
        assert list(topics) == ["q"]
        assert len(topics["q"].kernels) == 3
        assert set(topics["q"].kernels) <= ANTS
        assert set(topics["q"].kernels) <= set(finder.run(topics, 10)["q"].ids)


def test_kernels_without_terms(insects: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Alone an error, among others a warning; an unknown one is always an error."""
    with Indexes(insects) as collection:
        finder = ThemeFinder(collection, ThemeSettings(), TERMS)
        odd = {"x": ThemeTopic(("odd",))}
        with pytest.raises(InputError, match="record odd has no term of another record"):
            finder.run(odd)
        with caplog.at_level(logging.WARNING):
            assert list(finder.run(odd | {"y": ThemeTopic(("i0",))})) == ["y"]
        assert "topic x: record odd" in caplog.text
        with pytest.raises(InputError, match="no record 'i99'"):
            finder.run({"x": ThemeTopic(("i99",))})


def test_copies_of_the_kernel(tmp_path: Path) -> None:
    """Records with the kernel's text come first, with the kernel's log-odds, by id."""
    records = invent(24)
    copies = [
        type(records[0])(f"z{i}", records[0].title, sections=records[0].sections) for i in (2, 1)
    ]
    with Indexes(write_index([*records, *copies], tmp_path)) as collection:
        finder = ThemeFinder(collection, ThemeSettings(), TERMS)
        hits = finder.run({"": ThemeTopic(("i0",))}, keep_kernel=True)[""]
    assert hits.ids[:3].tolist() == ["i0", "z1", "z2"]
    assert hits.scores[0] == hits.scores[1] == hits.scores[2]


def test_order(insects: Path) -> None:
    """All hits stay, finite, and a topic without hits too."""
    told = []
    with Indexes(insects) as collection:
        names = collection.abstracts.ids()
        record = collection.records(names[:1])[0]
        run = Searcher(collection.abstracts).search({"1": record.title}, 50)
        run["2"] = Hits.ranked([], [])
        topics = {"1": record.title, "2": "nothing"}
        found = ThemeReranker().rerank(
            Collection(collection), run, topics, progress=lambda *step: told.append(step)
        )
    assert sorted(found["1"].ids) == sorted(run["1"].ids)
    assert list(found) == ["1", "2"]
    assert len(found["2"]) == 0
    assert told == [(1, 2), (2, 2)]
    assert set(run["1"].ids[:1]) <= set(found["1"].ids[:10])
