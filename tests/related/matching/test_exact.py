"""The exact match against a brute-force loop over strings and dictionaries."""

import random
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from relsent_ir.related.features import Lexicon, Sentences
from relsent_ir.related.formulas import FORMULAS, FormulaModel
from relsent_ir.related.matching import exact
from relsent_ir.related.matching import exact as sharing
from relsent_ir.related.matching.exact import LinearScorer, Sharing, best_rows, open_scorer
from relsent_ir.related.store import Store, open_store
from relsent_ir.related.weights import WeightModel
from tests.related import brute
from tests.related.stored import Listed

STOPWORDS = ("abba",)
WORD = st.text("ab", min_size=1, max_size=8)
SENTENCE = st.lists(WORD, max_size=6).map(" ".join)
RECORDS = st.lists(st.lists(SENTENCE, min_size=1, max_size=12), min_size=2, max_size=6)


def _weights(words: list[str], seed: int) -> WeightModel:
    """Draw weights in eighths, whose sums are exact in any order."""
    lexicon = Lexicon.of(words)
    chance = np.random.default_rng(seed)
    both, one = chance.integers(-8, 9, (2, len(lexicon))) / 8.0
    return WeightModel("huber", lexicon, both, one / 4.0, 0.125, STOPWORDS, {})


def _by_hand(model: WeightModel, a: str, b: str) -> float:
    """Sum the weights of a pair's features, one by one."""
    names = [model.lexicon.name(i) for i in range(len(model.lexicon))]
    both = dict(zip(names, model.both.tolist(), strict=True))
    one = dict(zip(names, model.one.tolist(), strict=True))
    first, second = (brute.features(text, STOPWORDS).keys() for text in (a, b))
    shared = sum(both.get(t, 0.0) for t in first & second)
    return model.threshold + shared + sum(one.get(t, 0.0) for t in first ^ second)


def _scorer(folder: str, texts: dict[str, str], model: WeightModel) -> LinearScorer:
    store = open_store(Listed(Path(folder), texts), STOPWORDS)
    scorer = open_scorer(store, model)
    assert scorer
    return scorer


@given(RECORDS, st.integers(0, 999), st.integers(1, 9))
@settings(derandomize=True, deadline=None, max_examples=60)
def test_equals_brute_force(records: list[list[str]], seed: int, k: int):
    """Ids and scores are those of a loop, ties by id, the query's own record left out."""
    texts = {f"r{r}.{n}": text for r, group in enumerate(records) for n, text in enumerate(group)}
    chance = random.Random(seed)
    # The model knows half of the words only, the store does not know the query's last one.
    words = sorted({word for text in texts.values() for word in text.split()} - set(STOPWORDS))
    model = _weights([*chance.sample(words, len(words) // 2), "abab"], seed)
    asked = [*chance.sample(sorted(texts), 2), f"r{len(records)}.0"]
    queries = [texts.get(name, "bab") + " aabbaabb" for name in asked]
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(exact, "_BOUNDS", 0 if seed % 3 else 1 << 26)
        patch.setattr(exact, "_PART", 3)
        patch.setattr(exact, "_FIRST", 2)
        patch.setattr(exact, "BATCH", 2)
        scorer = _scorer(folder, texts, model)
        store = scorer.store
        found = scorer.best(scorer.queries(queries, [store.record_of(n) for n in asked]), k)
        for name, query, (rows, scores) in zip(asked, queries, found, strict=True):
            own = name.rpartition(".")[0]
            expected = sorted(
                (-_by_hand(model, query, text), other.encode())
                for other, text in texts.items()
                if other.rpartition(".")[0] != own
            )[:k]
            assert [store.ids[row].encode() for row in rows] == [other for _, other in expected]
            assert scores.tolist() == [-score for score, _ in expected]


def _invented(count: int, seed: int) -> dict[str, str]:
    """Make up sentences of words with common beginnings and ends."""
    chance = random.Random(seed)
    stems = ["inhibit", "activat", "express", "regulat", "measur", "treat", "bind", "cell"]
    ends = ["s", "ed", "ion", "ing", "or", "ors", "able", ""]
    words = [stem + end for stem in stems for end in ends] + [f"x{i}q" for i in range(40)]
    return {
        f"p{i // 5}.{i % 5}": " ".join(chance.choices(words, k=chance.randint(0, 12)))
        for i in range(count)
    }


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """1,500 invented sentences."""
    return open_store(Listed(tmp_path_factory.mktemp("store"), _invented(1500, 1)), ())


@pytest.mark.parametrize("name", ["I0.5", "I1", "I1.5", "I2", "I3", "L1.5", "O3"])
def test_formulas_equal_scores_of_all(store: Store, name: str):
    """Formulas that are sums over the shared features find what their own scores rank first."""
    model = FormulaModel(name, store.statistics, ())
    scorer = open_scorer(store, model)
    assert scorer
    texts = list(_invented(1500, 1).values())
    rows = np.arange(len(store))
    for place in (3, 77, 1204):
        (query,) = scorer.queries([texts[place]], [-1])
        ((best, scores),) = scorer.best([query], 20)
        row = int(store.rows([list(_invented(1500, 1))[place]])[0])
        expected = model.query_scores(store.sentences, row, rows)
        np.testing.assert_allclose(scores, np.sort(expected)[::-1][:20], rtol=1e-9, atol=1e-15)
        np.testing.assert_allclose(scores, expected[best], rtol=1e-9, atol=1e-15)


@pytest.mark.parametrize("seed", range(4))
def test_weights_of_any_size(store: Store, seed: int, monkeypatch):
    """Large, small and negative weights, ties, empty queries: to the bit what scoring all gives."""
    monkeypatch.setattr(exact, "_FIRST", 3)
    monkeypatch.setattr(exact, "_BOUNDS", 5000)
    monkeypatch.setattr(exact, "_PART", 100)
    chance = np.random.default_rng(seed)
    lexicon = Lexicon.of(store.lexicon.words)
    sizes = np.exp(chance.normal(0.0, 3.0, (2, len(lexicon))))
    signs = chance.choice(
        [-1.0, 0.0, 1.0], (2, len(lexicon)), p=[0.3 + 0.1 * seed, 0.2, 0.5 - 0.1 * seed]
    )
    both, one = (sizes * signs).astype(np.float32)
    model = WeightModel("huber", lexicon, both, one * (seed % 2), -0.7, (), {})
    scorer = open_scorer(store, model)
    assert scorer
    texts = [*list(_invented(1500, 1).values())[:30], "", "unheard of", "inhibits"]
    owners = [store.record_of(f"p{i // 5}") for i in range(30)] + [-1, 0, -1]
    queries = scorer.queries(texts, owners)
    for k in (1, 10, 1200, 5000):
        for query, (rows, scores) in zip(queries, scorer.best(queries, k), strict=True):
            others = np.flatnonzero(store.record != query.record)
            expected = best_rows(others, scorer.scores(query, others), k)
            assert rows.tolist() == expected[0].tolist()
            assert scores.tolist() == expected[1].tolist()


@pytest.mark.parametrize("share", [0.0, 0.002, 0.1, 0.9])
def test_rows_that_pass(store: Store, share: float, monkeypatch):
    """Filtered rows: to the bit what scoring all of them gives; few may pass, or none."""
    monkeypatch.setattr(exact, "_FIRST", 3)
    monkeypatch.setattr(exact, "_BOUNDS", 5000)
    monkeypatch.setattr(exact, "_PART", 100)
    scorer = open_scorer(store, _weights(list(store.lexicon.words), 5))
    assert scorer
    passing = np.random.default_rng(7).random(len(store)) < share
    queries = scorer.queries(list(_invented(1500, 1).values())[:12], [-1, 1, 2] * 4)
    for k in (1, 10, 5000):
        best = scorer.best(queries, k, passing)
        for query, (rows, scores) in zip(queries, best, strict=True):
            candidates = np.flatnonzero(passing & (store.record != query.record))
            expected = best_rows(candidates, scorer.scores(query, candidates), k)
            assert rows.tolist() == expected[0].tolist()
            assert scores.tolist() == expected[1].tolist()


def test_scorers(store: Store):
    """No such sum is not matched exactly; all sentences come, once each, when more are asked."""
    for name in set(FORMULAS) - {"O3"}:
        if name[0] not in "IL":
            assert open_scorer(store, FormulaModel(name, store.statistics, ())) is None
    scorer = open_scorer(store, FormulaModel("I1", store.statistics, ()))
    assert scorer
    query = scorer.queries(["inhibitors treated"], [store.record_of("p7")])
    ((rows, scores),) = scorer.best(query, 5000)
    assert len(rows) == len(set(rows.tolist())) == 1495
    assert (np.diff(scores) <= 0).all()


def test_long_query_is_scored_in_pieces(store: Store):
    """A query of more features than fit into memory together has the same scores."""
    from relsent_ir.related.matching import exact as sharing

    scorer = open_scorer(store, FormulaModel("I1", store.statistics, ()))
    assert scorer
    (query,) = scorer.queries([" ".join(_invented(30, 3).values())], [-1])
    rows = np.arange(len(store))
    whole = scorer.scores(query, rows)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sharing, "_TOGETHER", 48)
        pieces = scorer.scores(query, rows)
    np.testing.assert_allclose(pieces, whole, rtol=1e-12)
    assert whole.max() > 0


def test_threads_share_a_matcher(store: Store):
    """Eight threads that match at once find what one finds."""
    scorer = open_scorer(store, FormulaModel("I1", store.statistics, ()))
    assert scorer
    texts = [text for text in _invented(400, 2).values() if text]
    queries = scorer.queries(texts, [-1] * len(texts))
    expected = [scorer.best([query], 10)[0] for query in queries]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(8) as threads:
            found = list(threads.map(lambda query: scorer.best([query], 10)[0], queries))
    finally:
        sys.setswitchinterval(interval)
    for (rows, scores), (alone, alone_scores) in zip(found, expected, strict=True):
        assert rows.tolist() == alone.tolist()
        assert scores.tolist() == alone_scores.tolist()


TEXTS = ["insulin lowers glucose", "", "glucose", "lower insulins insulin", "x 12", "low glucagon"]


@pytest.mark.parametrize("together", [48, 96, 3072])
def test_sums_are_those_of_a_loop(together: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """For a query of more features than are looked at at a time, too; any rows, in any order."""
    monkeypatch.setattr(sharing, "_TOGETHER", together)
    monkeypatch.setattr(sharing, "_SCORED", 2)
    sentences = Sentences.from_texts(TEXTS, ())
    features = np.unique(sentences.counts(slice(0, 1)).indices).astype(np.int32)
    weights = np.random.default_rng(0).integers(-8, 9, len(features)) / 8.0
    weight = dict(zip(map(sentences.lexicon.name, features.tolist()), weights, strict=True))
    rows = np.array([3, 0, 1, 5, 2, 4, 0])
    expected = [
        sum(weight.get(name, 0.0) for name in brute.features(TEXTS[row], ())) for row in rows
    ]
    summed = Sharing(sentences)
    assert summed.sums(features, weights, rows).tolist() == expected
    with ThreadPoolExecutor(4) as threads:
        found = threads.map(lambda _: summed.sums(features, weights, rows).tolist(), range(50))
        assert all(sums == expected for sums in found)


def test_best_rows() -> None:
    """A query without a known feature shares 0 with all; the smaller row of a tie stays."""
    summed = Sharing(Sentences.from_texts(TEXTS, ()))
    nothing = np.empty(0, np.int32)
    assert summed.sums(nothing, np.empty(0), np.arange(3)).tolist() == [0.0, 0.0, 0.0]
    rows, scores = np.array([9, 4, 7, 2, 5]), np.array([1.0, 3.0, 1.0, -np.inf, 2.0])
    for k, best in ((0, []), (2, [4, 5]), (3, [4, 5, 7]), (9, [4, 5, 7, 9, 2])):
        assert best_rows(rows, scores, k)[0].tolist() == best
