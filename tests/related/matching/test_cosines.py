"""The candidates of Huber+: shared words by idf², the cosine, all sentences by brute force."""

import shutil
from pathlib import Path

import numpy as np
import pytest

from relsent_ir.errors import InputError
from relsent_ir.models import save_folder
from relsent_ir.related.features import Sentences
from relsent_ir.related.formulas import Statistics
from relsent_ir.related.huber_plus import COLUMNS, CandidateModel
from relsent_ir.related.matching import linear as module
from relsent_ir.related.matching.exact import ExactMatcher
from relsent_ir.related.matching.linear import Cosines, LinearScorer, open_cosines, open_scorer
from relsent_ir.related.model import method_scores
from relsent_ir.related.store.sentences import Store, open_store
from relsent_ir.related.words.associations import Associations
from relsent_ir.related.words.measures import MEASURES, Knowledge
from relsent_ir.related.words.vectors import count_parts
from tests.related.conftest import STOPWORDS, invent
from tests.related.stored import Listed

TEXTS = {
    f"{record.id}.{n}": section.text
    for record in invent(40, seed=3)
    for n, section in enumerate(record.sections)
} | {"r90.0": "and"}


@pytest.fixture
def knowledge() -> Knowledge:
    """Frequencies of half of the sentences, and drawn vectors."""
    sentences = Sentences.from_texts(list(TEXTS.values())[:40], STOPWORDS)
    count = len(sentences.lexicon.words)
    none = Associations(
        np.zeros(count + 1, dtype=np.int64), np.empty(0, np.int32), np.empty(0, np.float16)
    )
    vectors = np.random.default_rng(0).normal(size=(count, 5)).astype(np.float16)
    parts = np.random.default_rng(1).normal(size=(count_parts(sentences.lexicon), 5))
    statistics = Statistics.collect(sentences, np.arange(40))
    return Knowledge(statistics, none, vectors, parts.astype(np.float16))


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """All sentences."""
    return open_store(Listed(tmp_path, TEXTS), STOPWORDS)


def _scorer(store: Store, knowledge: Knowledge) -> LinearScorer:
    model = CandidateModel(knowledge.statistics, np.array([0.3, 2.0]), STOPWORDS)
    scorer = open_scorer(store, model, cosines=open_cosines(store, knowledge, model.cosine))
    assert scorer
    return scorer


def _by_measures(store: Store, knowledge: Knowledge, text: str) -> np.ndarray:
    """The same from the columns that the weights were learned for."""
    texts = [TEXTS[name] for name in store.ids]
    sentences = Sentences.from_texts([text, *texts], STOPWORDS)
    measures = knowledge.on(sentences.lexicon)
    a, b = np.zeros(len(texts), dtype=np.intp), np.arange(1, len(texts) + 1)
    found = measures.of_pairs(method_scores(measures.formulas, sentences, a, b), sentences, a, b)
    return found[:, [MEASURES.index(name) for name in COLUMNS]] @ [0.3, 2.0]


@pytest.mark.parametrize("block", [3, 64])
def test_best_of_all(
    store: Store, knowledge: Knowledge, block: int, monkeypatch: pytest.MonkeyPatch
):
    """Scores are those of the dense columns; what is found is the best of all, ties by id."""
    monkeypatch.setattr("relsent_ir.related.matching.exact.BLOCK", block)
    monkeypatch.setattr("relsent_ir.related.matching.exact._LEAST_SEEDS", 1)
    monkeypatch.setattr(module, "_BLOCK", 7)
    scorer = _scorer(store, knowledge)
    asked = [TEXTS["r3.1"], "insulin of unheardof mosquitoes", TEXTS["r5.0"]]
    queries = scorer.queries(asked, [-1, -1, store.record_of("r5.0")])
    found = ExactMatcher(scorer).best(queries, 6)
    every = np.arange(len(store))
    for text, query, (rows, scores) in zip(asked, queries, found, strict=True):
        mine = scorer.scores(query, every)
        np.testing.assert_allclose(mine, _by_measures(store, knowledge, text), atol=0.01)
        mine[store.record == query.record] = -np.inf
        order = np.lexsort((every, -mine))[:6]
        assert rows.tolist() == order.tolist()
        np.testing.assert_array_equal(scores, mine[order])


def test_new_words_count(knowledge: Knowledge):
    """A word that the model does not know is worth as much as one of a single sentence."""
    model = CandidateModel(knowledge.statistics, np.array([1.0, 0.0]), STOPWORDS)
    sentences = Sentences.from_texts(["malaria and novelmycin", "novelmycin in mice"], STOPWORDS)
    rows = np.array([0]), np.array([1])
    assert model.scores(sentences, *rows) == pytest.approx([np.log(40) ** 2])


def test_vectors_are_kept(store: Store, knowledge: Knowledge):
    """They are worked out once; a folder that holds others is one line."""
    told: list[int] = []
    first = open_cosines(store, knowledge, 1.0, lambda done, _total: told.append(done))
    assert told
    told.clear()
    again = open_cosines(store, knowledge, 1.0, lambda done, _total: told.append(done))
    assert not told
    np.testing.assert_array_equal(first.vectors, again.vectors)
    lengths = np.linalg.norm(first.vectors.astype(float), axis=1)
    np.testing.assert_allclose(lengths[lengths > 0], 1.0, atol=2e-3)
    assert lengths[store.ids.find("r90.0")] == 0.0
    (path,) = store.path.parent.glob("*/vectors.npy")
    shutil.rmtree(path.parent)
    save_folder(path.parent, module.KIND, {}, {"vectors": np.zeros((2, 5), dtype=np.float16)})
    with pytest.raises(InputError, match="no sentences' vectors"):
        open_cosines(store, knowledge, 1.0)


def test_slack(store: Store, knowledge: Knowledge):
    """Products one by one and all at once differ by less."""
    found = open_cosines(store, knowledge, 3.0)
    assert isinstance(found, Cosines)
    asked = found.of_queries(Sentences.from_texts([TEXTS["r3.1"]], STOPWORDS))
    sums = np.zeros((len(store), 1), dtype=np.float32)
    found.add_all(asked, sums)
    single = found.of_rows(asked[0], np.arange(len(store)))
    assert np.abs(sums[:, 0] - single).max() <= found.slack
