"""The ranker, its baselines, reasons; measures by hand and by brute force."""

import json
from dataclasses import replace
from itertools import combinations, permutations
from math import isnan, log2
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from relsent_ir import models
from relsent_ir.errors import InputError, MismatchError, UsageError
from relsent_ir.models import packaged
from relsent_ir.relations import (
    FeatureSettings,
    RelationRanker,
    default_ranker,
    evaluate,
    foremost,
    shortest,
)
from relsent_ir.relations.candidates import Candidate
from relsent_ir.relations.learning import GradedCandidates
from relsent_ir.relations.ranker import ASSERTED, MOST, PACKAGED, ndcg, open_ranker, reasons
from relsent_ir.text.parsing import default_parser
from tests.relations.elimination import eliminate

NAMES = ("Abc1", "Bcd2", "Cde3", "Def4", "Efg5", "Fgh6")


def _training() -> list[Candidate]:
    known = []
    for n, name in enumerate(NAMES):
        for grade, text in (
            (2, f"{name} activates Xyz9 in liver cells."),
            (2, f"{name}, a large kinase, activates Xyz9."),
            (1, f"{name} may not activate Xyz9."),
            (0, f"{name} was measured, and so was Xyz9."),
            (0, f"We saw {name} and Xyz9."),
        ):
            start = text.index("Xyz9")
            first = text.index(name)
            known.append(
                Candidate(f"g{n}", text, text, (first, first + 4), (start, start + 4), grade)
            )
    return known


@pytest.fixture(scope="module")
def ranker() -> RelationRanker:
    """A ranker of invented sentences."""
    return RelationRanker.train([_training()], default_parser())


def test_learns(ranker: RelationRanker) -> None:
    """What it was trained on is in order."""
    assert evaluate(_training(), ranker.score(_training())).pair_accuracy > 0.95


def test_ranks_new_sentences() -> None:
    """The package's ranker prefers a plain statement to a mere mention, and to a missing name."""
    known = [
        replace(c, text=text, e1=(0, 4), e2=(text.index("Xyz9"), text.index("Xyz9") + 4))
        for c, text in zip(
            _training(),
            ("Abc1 activates Xyz9.", "Abc1 may or may not act, like Def4, Ghi5 and Xyz9."),
            strict=False,
        )
    ]
    known.append(replace(known[0], e2=(100, 104)))
    scores = default_ranker().score(known)
    assert scores[0] > scores[1] > scores[2]


def test_elimination_and_scores_agree() -> None:
    """The paper's procedure, with pairwise preferences, ends with the one that scores highest."""
    known = _training()[:5]
    ranker = default_ranker()
    scores = ranker.score(known)

    def prefers(a: Candidate, b: Candidate) -> bool:
        one, other = ranker.score([a, b])
        return bool(one > other)

    for seed in range(5):
        assert eliminate(known, prefers, seed) == known[int(scores.argmax())]


@pytest.mark.parametrize("kind", ["paper", "lexical"])
@pytest.mark.parametrize("simplify", [True, False])
def test_store(tmp_path: Path, kind: str, simplify: bool) -> None:
    """A written ranker scores as before."""
    made = RelationRanker.train(
        [_training()], default_parser(), FeatureSettings(kind, simplify, ("length",))
    )
    models.save(tmp_path / "m", made, {"command": "made"})
    again = models.load(tmp_path / "m", "relations")
    assert again.settings == made.settings
    assert np.allclose(again.score(_training()), made.score(_training()), atol=1e-5)


def test_settings_matter() -> None:
    """Groups that are left out have no weights; without lexical features there are few."""
    made = RelationRanker.train(
        [_training()], default_parser(), FeatureSettings("paper", without=("verb",))
    )
    assert not any(name.startswith("verb:") for name in made.learned.weights)
    assert not any(name.startswith("between:") for name in made.learned.weights)


def test_faults(tmp_path: Path) -> None:
    """No pairs, an unknown kind, another model, no model, a damaged one."""
    with pytest.raises(InputError, match=r"x\.jsonl: no group has two sentences"):
        RelationRanker.train([_training()[:1]], default_parser(), where=Path("x.jsonl"))
    with pytest.raises(UsageError, match="no features 'much'"):
        FeatureSettings("much")
    with pytest.raises(MismatchError, match="kind tagger, not of relations"):
        models.load(packaged("tagger"), "relations")
    with pytest.raises(InputError, match="no such model"):
        models.load(tmp_path / "none", "relations")
    damaged = {
        "features": "much",
        "without": ["x"],
        "simplify": None,
        "spread": 0.0,
        "calibration": [1.0],
    }
    for key, value in damaged.items():
        facts = json.loads((packaged("relations") / "model.json").read_text())
        facts[key] = value
        if value is None:
            del facts[key]
        folder = tmp_path / key
        folder.mkdir()
        (folder / "model.json").write_text(json.dumps(facts))
        for name in ("names.npy", "weights.npy"):
            (folder / name).write_bytes((packaged("relations") / name).read_bytes())
        with pytest.raises(InputError, match="do not fit together"):
            models.load(folder, "relations")


def test_negated_and_hedged() -> None:
    """Asserted stands above hedged and negated; the paper's ranker does not ask."""
    texts = ("Abc1 binds Xyz9.", "Abc1 may bind Xyz9.", "Abc1 does not bind Xyz9.")
    known = [
        Candidate("g", text, text, (0, 4), (text.index("Xyz9"), text.index("Xyz9") + 4))
        for text in texts
    ]
    asserts, hedges, negates = default_ranker().score(known)
    assert asserts > hedges > negates
    bare = GradedCandidates.of(known, default_parser(), FeatureSettings("paper"))
    paper = open_ranker("paper")
    assert paper.score(known).tolist() == paper.learned.raw(bare).tolist()


def test_packaged() -> None:
    """Three rankers come with the package, by name; a folder of such a name goes before."""
    kinds = {name: open_ranker(name).settings.kind for name in PACKAGED}
    assert kinds == {"paper": "paper", "events": "lexical"}
    assert open_ranker(None) is default_ranker()


def test_baselines() -> None:
    """B1 by tokens, B2 by words on the left and half of those between."""
    text = "Here Abc1 binds to Xyz9."
    known = [Candidate("g", "1", text, (5, 9), (19, 23)), Candidate("g", "2", "", (0, 0), (0, 0))]
    assert shortest(known).tolist() == [-6, 0]
    found = foremost(known, default_parser())
    assert found[0] == -2
    assert found[1] <= -1000


def test_progress() -> None:
    """Progress is told."""
    told: list[tuple[int, int | None]] = []
    default_ranker().score(_training(), lambda done, total: told.append((done, total)))
    assert told == [(0, 30)]


TEXT = "Abc1 activates Xyz2 in liver cells."
CANDIDATE = Candidate("", "1", TEXT, (0, 4), (15, 19))


def test_reasons() -> None:
    """All features together are the score; the weightiest of them are told, by size."""
    ranker = default_ranker()
    graded = ranker.describe([CANDIDATE])
    weights = ranker.learned.weights
    parts = {name: weights.get(name, 0.0) * value for name, value in graded.rows[0].items()}
    parts[ASSERTED] = float(ranker.learned.hedges(graded.asserted)[0])
    assert sum(parts.values()) == pytest.approx(float(ranker.score([CANDIDATE])[0]))
    found = reasons(ranker, CANDIDATE)
    assert len(found) == MOST
    assert dict(found).items() <= parts.items()
    least = min(abs(weight) for _, weight in found)
    others = [abs(weight) for name, weight in parts.items() if name not in dict(found)]
    assert least >= max(others)


def test_a_negation_is_a_reason() -> None:
    """What a negated sentence loses is named."""
    text = "Abc1 does not bind Xyz2."
    found = dict(reasons(default_ranker(), Candidate("", "1", text, (0, 4), (19, 23))))
    assert found[ASSERTED] < 0


def _candidates(*rows: tuple[str, str, float]) -> list[Candidate]:
    return [
        Candidate(g, str(n), text, (0, 1), (2, 3), grade) for n, (g, text, grade) in enumerate(rows)
    ]


def test_pairs() -> None:
    """Pairs of different sentences of a group; a tie is one half; inside a sentence apart."""
    known = _candidates(
        ("g", "a", 2), ("g", "b", 0), ("g", "c", 1), ("g", "c", 0), ("h", "a", 1), ("h", "b", 1)
    )
    found = evaluate(known, [3, 1, 1, 2, 0, 9])
    # a over b: right; a over c: right, twice; c (1) and b (0): a tie; inside c: wrong.
    assert found.to_dict() == {
        "pair_accuracy": 3.5 / 4,
        "document_accuracy": 3.5 / 4,
        "top_grade": 2.0,
        "ndcg": pytest.approx((2 + 0 / log2(2) + 0.5 / log2(3) + 0.5 / log2(4)) / (2 + 1)),
        "groups": 1,
        "pairs": 4,
        "inside_sentences": {"pair_accuracy": 0.0, "pairs": 1},
    }
    assert found.groups["g"].accuracy == 3.5 / 4


def test_nothing_to_measure() -> None:
    """Equal grades make no pairs; the figures are NaN, and null in JSON."""
    found = evaluate(_candidates(("g", "a", 1), ("g", "b", 1)), [1, 2])
    assert isnan(found.pair_accuracy)
    assert found.to_dict()["pair_accuracy"] is None
    assert found.to_dict()["groups"] == 0


def test_tied_first() -> None:
    """Several first ones share."""
    found = evaluate(_candidates(("g", "a", 2), ("g", "b", 1), ("g", "c", 0)), [1, 1, 0])
    assert found.mean("top_grade") == 1.5


def test_ndcg_discount() -> None:
    """Ranks 1 and 2 count in full, rank 3 by log2(3)."""
    assert ndcg([0, 2, 1], [3, 2, 1]) == pytest.approx((2 + 1 / log2(3)) / (2 + 1))
    assert ndcg([2, 1, 0], [3, 2, 1]) == 1
    assert ndcg([0, 0], [1, 2]) == 0


GRADES = st.lists(st.integers(0, 2), min_size=1, max_size=5)


@given(GRADES, st.data())
@settings(derandomize=True, deadline=None, max_examples=60)
def test_ties_are_means(grades: list[int], data: st.DataObject) -> None:
    """With ties every figure is its mean over all orders of the tied."""
    scores = data.draw(st.lists(st.integers(0, 1), min_size=len(grades), max_size=len(grades)))
    known = _candidates(*(("g", str(n), grade) for n, grade in enumerate(grades)))
    orders = [
        order
        for order in permutations(range(len(grades)))
        if all(scores[a] >= scores[b] for a, b in combinations(order, 2))
    ]
    values = []
    for order in orders:
        ranks = np.empty(len(grades))
        ranks[list(order)] = -np.arange(len(grades))
        values.append((ndcg(grades, ranks), evaluate(known, ranks).pair_accuracy))
    means = np.mean(values, axis=0)
    assert ndcg(grades, scores) == pytest.approx(means[0])
    assert evaluate(known, scores).pair_accuracy == pytest.approx(means[1], nan_ok=True)
