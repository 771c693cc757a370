"""Huber+ in two stages: the same as by its own class, pair by pair, and by brute force."""

import shutil
from pathlib import Path

import numpy as np
import pytest

from recipes.related import pack
from relsent_ir.errors import InputError
from relsent_ir.models import save_folder
from relsent_ir.related.associations import learn_associations
from relsent_ir.related.features import Sentences
from relsent_ir.related.formulas import Statistics
from relsent_ir.related.huber_plus import CandidateModel, HuberPlusModel
from relsent_ir.related.matching import stages as module
from relsent_ir.related.matching.stages import Stages, joined, open_stages
from relsent_ir.related.measures import Knowledge, Measures, word_idf
from relsent_ir.related.model import method_scores
from relsent_ir.related.store import Store, open_store
from relsent_ir.related.vectors import sentence_vectors
from tests.related.conftest import STOPWORDS, invent
from tests.related.stored import Listed

TEXTS = {
    f"{record.id}.{n}": section.text
    for record in invent(40, seed=3)
    for n, section in enumerate(record.sections)
} | {"r90.0": "and"}
ASKED = (TEXTS["r3.1"], "insulin of unheardof mosquitoes", TEXTS["r5.0"])


@pytest.fixture(params=["trained", "packed"])
def model(request: pytest.FixtureRequest, trained: HuberPlusModel) -> HuberPlusModel:
    """As it is, and packed."""
    return trained if request.param == "trained" else pack(trained)


@pytest.fixture
def listed(tmp_path: Path) -> Listed:
    """All sentences."""
    return Listed(tmp_path, TEXTS)


@pytest.fixture
def store(listed: Listed) -> Store:
    """Their store."""
    return open_store(listed, STOPWORDS)


def _alone(model: HuberPlusModel, store: Store) -> HuberPlusModel:
    """The model that two stages stand for, on the words of all texts: nothing is kept of it."""
    if not model.packed:
        return model
    texts = Sentences.from_texts([*ASKED, *(TEXTS[name] for name in store.ids)], STOPWORDS)
    knowledge, lexicon = model.knowledge, texts.lexicon
    own = knowledge.statistics.on(lexicon)
    joined = own.joined(Statistics.collect(texts, 3 + _bodies(store)))
    words = texts.words[3:]
    in_order = np.lexsort(([int(name.rpartition(".")[2]) for name in store.ids], store.record))
    associations = learn_associations(words[in_order], store.record[in_order])
    measures = Measures(knowledge, lexicon)
    parts = np.zeros((module_parts(lexicon), knowledge.vectors.shape[1]), dtype=np.float16)
    vectors = measures.vectors.astype(np.float16)
    known = Knowledge(joined, associations, vectors, parts)
    sparse = model.sparse.carried_over(lexicon)
    weights = model.candidates.weights
    return HuberPlusModel(sparse, weights, known, model.scaling, model.dense, {})


def module_parts(lexicon) -> int:
    """How many parts its words have."""
    from relsent_ir.related.vectors import count_parts

    return count_parts(lexicon)


def _bodies(store: Store) -> np.ndarray:
    return np.array([row for row, name in enumerate(store.ids) if not name.endswith(".0")])


def _stages(listed: Listed, store: Store, model: HuberPlusModel) -> Stages:
    return open_stages(store, joined(listed, store, model))


def test_scores(listed: Listed, store: Store, model: HuberPlusModel):
    """Scores from what is kept are those of the model on the texts, but for 8 bits."""
    stages, alone = _stages(listed, store, model), _alone(model, store)
    asked = Sentences.from_texts(ASKED, STOPWORDS)
    texts = Sentences.from_texts([*ASKED, *(TEXTS[name] for name in store.ids)], STOPWORDS)
    rows = np.random.default_rng(0).permutation(len(store))
    for i in range(len(ASKED)):
        found, own = stages.scores(stages.query(asked, i), rows)
        expected = alone.query_scores(texts, i, 3 + rows)
        np.testing.assert_allclose(found, expected, atol=0.05)
        assert own == pytest.approx(alone.query_scores(texts, i, np.array([i]))[0], abs=0.05)


@pytest.mark.parametrize("first", [4, 4096])
def test_first_stage(listed, store, model, first, monkeypatch):
    """The best of all that share a word, by a score that is computed for all."""
    monkeypatch.setattr(module, "_FIRST", first)
    stages, alone = _stages(listed, store, model), _alone(model, store)
    texts = Sentences.from_texts([*ASKED, *(TEXTS[name] for name in store.ids)], STOPWORDS)
    asked = Sentences.from_texts(ASKED, STOPWORDS)
    linear = CandidateModel(alone.knowledge.statistics, alone.candidates.weights, STOPWORDS)
    unit = sentence_vectors(texts.words, Measures(alone.knowledge, texts.lexicon).vectors)
    rows = np.arange(len(store))
    passing = rows % 3 > 0
    for i, record in enumerate((-1, -1, store.record_of("r5.0"))):
        shared = method_scores([linear.on(texts.lexicon)], texts, np.full(len(rows), i), 3 + rows)
        scores = shared[0] + linear.weights[1] * (unit[3:] @ unit[i])
        scores[(shared[0] == 0.0) | (store.record == record) | ~passing] = -np.inf
        found = stages.first(stages.query(asked, i), 5, record, passing)
        np.testing.assert_allclose(scores[found], np.sort(scores)[::-1][:5], atol=0.02)


def test_cosines(
    listed: Listed, store: Store, model: HuberPlusModel, monkeypatch: pytest.MonkeyPatch
):
    """Piece by piece they are the same as all at once, but for the rounding of a last piece."""
    stages = _stages(listed, store, model)
    text = Sentences.from_texts(ASKED[:1], STOPWORDS)
    vector, rows = stages.query(text, 0).vector, np.random.default_rng(0).permutation(len(store))
    np.testing.assert_array_equal(vector, stages.query(text, 0).vector)
    at_once = stages.cosines(vector, rows)
    monkeypatch.setattr(module, "_COMPARED", 8)
    np.testing.assert_allclose(stages.cosines(vector, rows), at_once, rtol=1e-6)


def test_joined(listed: Listed, store: Store, model: HuberPlusModel):
    """A packed model that is joined scores texts as it scores the store; another one is itself."""
    once, alone = joined(listed, store, model), _alone(model, store)
    assert joined(listed, store, once) is once
    assert (once is model) is not model.packed
    texts = Sentences.from_texts([*ASKED, *(TEXTS[name] for name in store.ids)], STOPWORDS)
    a, b = np.random.default_rng(0).integers(0, len(texts), (2, 60))
    np.testing.assert_allclose(once.scores(texts, a, b), alone.scores(texts, a, b), atol=0.02)
    rows = np.arange(40)
    expected = alone.query_scores(texts, 1, rows)
    np.testing.assert_allclose(once.query_scores(texts, 1, rows), expected, atol=0.02)


def test_without_a_shared_word(listed: Listed, store: Store, model: HuberPlusModel):
    """Where too few share a word the others may be found, but for those that are left out."""
    stages = _stages(listed, store, model)
    asked = Sentences.from_texts(["unheardof glucos", "unheardof insulin"], STOPWORDS)
    passing = np.arange(len(store)) % 2 > 0
    for i in range(2):
        found = stages.first(stages.query(asked, i), len(store), 3, passing)
        assert sorted(found) == np.flatnonzero(passing & (store.record != 3)).tolist()


def test_kept(listed: Listed, store: Store, model: HuberPlusModel):
    """It is worked out once for a model; a folder that holds something else is one line."""
    told: list[int] = []
    for _ in range(2):
        open_stages(store, joined(listed, store, model), lambda done, _total: told.append(done))
    assert len(told) == 1
    (path,) = store.path.parent.glob("*/posting_rows.npy")
    shutil.rmtree(path.parent)
    save_folder(path.parent, module.KIND, {}, {"vectors": np.zeros((2, 5), dtype=np.int8)})
    with pytest.raises(InputError, match="no sentences' measures"):
        open_stages(store, joined(listed, store, model))


def test_associations_of_the_store(listed, store, trained, monkeypatch):
    """A packed model has those of the collection, its sentences in the order of the text."""
    texts = {**TEXTS, "z.2": "Malaria.", "z.10": "Malaria.", "z.1": "Fever of larvae."}
    listed = Listed(listed.folder, texts, "1")
    monkeypatch.setattr(module, "LEARNED_FROM", 10**9)
    store = open_store(listed, STOPWORDS)
    found = joined(listed, store, pack(trained)).knowledge.associations
    names = [*sorted(texts, key=lambda name: (name.split(".")[0], int(name.split(".")[1])))]
    sentences = Sentences.from_texts([texts[name] for name in names], STOPWORDS)
    record = np.unique([name.split(".")[0] for name in names], return_inverse=True)[1]
    expected = learn_associations(sentences.words, record)
    for mine, theirs in zip(found.to_arrays().values(), expected.to_arrays().values(), strict=True):
        np.testing.assert_array_equal(mine, theirs)
    monkeypatch.setattr(module, "LEARNED_FROM", 10)
    fewer = joined(Listed(listed.folder, texts, "2"), store, pack(trained)).knowledge
    assert len(fewer.associations.values) < len(found.values)


def test_signs(listed: Listed, store: Store, trained: HuberPlusModel):
    """Scores over the sentence's own, rare words in common, cosines, and those of whole records."""
    stages = _stages(listed, store, trained)
    query = stages.query(Sentences.from_texts([TEXTS["r3.1"]], STOPWORDS), 0)
    rows = np.array([5, 40, store.ids.find("r3.1")])
    record = store.record_of("r3.1")
    signs = stages.signs(query, rows, (np.array([3.0, 1.0, 6.0]), 6.0), record)
    np.testing.assert_allclose(signs.relative, [0.5, 1 / 6, 1.0])
    assert not stages.signs(query, rows, (np.ones(3), -1.0)).relative.any()
    frequency = store.statistics.frequency[: len(store.lexicon.words)]
    rare = frequency <= module.COMMON * store.statistics.sentences
    held = store.sentences.words.toarray() > 0
    own = store.ids.find("r3.1")
    assert signs.words.tolist() == [(held[row] & held[own] & rare).sum() for row in rows]
    of_words = Measures(trained.knowledge, store.lexicon).vectors
    vectors = sentence_vectors(store.sentences.words, of_words)
    np.testing.assert_allclose(signs.cosine, vectors[rows] @ vectors[own], atol=0.02)
    idf = word_idf(trained.knowledge.figures(store.lexicon), store.lexicon)
    counts = store.sentences.words.toarray()
    subjects = np.array(
        [counts[store.record == n].sum(axis=0) * idf for n in range(len(store.records))]
    )
    subjects = np.vstack([subjects, counts[own] * idf])
    subjects /= np.linalg.norm(subjects, axis=1, keepdims=True).clip(1e-9)
    np.testing.assert_allclose(signs.subject, subjects[store.record[rows]] @ subjects[record])
    assert not signs.alone
    alone = stages.signs(query, rows, (np.ones(3), 1.0))
    assert alone.alone
    np.testing.assert_allclose(alone.subject, subjects[store.record[rows]] @ subjects[-1])
