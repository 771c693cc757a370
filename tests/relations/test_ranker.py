"""The ranker, and the reasons of its scores."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from relsent_ir import models
from relsent_ir.errors import InputError, MismatchError, UsageError
from relsent_ir.models import packaged
from relsent_ir.relations import FeatureSettings, open_ranker
from relsent_ir.relations.candidates import Candidate
from relsent_ir.relations.describing import describe
from relsent_ir.relations.ranker import ASSERTED, MOST, PACKAGED, GradedCandidates, reasons
from relsent_ir.text.parsing import default_parser
from relsent_ir.text.tokens import WORDS_MAX
from tests.relations.conftest import graded


def test_ranks_new_sentences() -> None:
    """A plain statement stands above a mention, a missing name, and an endless sentence."""
    known = [
        replace(c, text=text, e1=(0, 4), e2=(text.index("Xyz9"), text.index("Xyz9") + 4))
        for c, text in zip(
            graded(),
            ("Abc1 activates Xyz9.", "Abc1 may or may not act, like Def4, Ghi5 and Xyz9."),
            strict=False,
        )
    ]
    known.append(replace(known[0], e2=(100, 104)))
    known.append(replace(known[0], text=f"{known[0].text[:-1]} {'in rats ' * WORDS_MAX}"))
    scores = open_ranker().score(known)
    assert scores[0] > scores[1] > max(scores[2:])


def test_faults(tmp_path: Path) -> None:
    """An unknown kind, another model, no model, a damaged one."""
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
    asserts, hedges, negates = open_ranker().score(known)
    assert asserts > hedges > negates
    seen = describe(known, default_parser(), FeatureSettings("paper"))
    bare = GradedCandidates.of(known, seen)
    paper = open_ranker("paper")
    assert paper.score(known).tolist() == paper.learned.raw(bare).tolist()


def test_packaged() -> None:
    """Three rankers come with the package, by name; a folder of such a name goes before."""
    kinds = {name: open_ranker(name).settings.kind for name in PACKAGED}
    assert kinds == {"paper": "paper", "events": "lexical"}
    assert open_ranker() is open_ranker()


def test_progress() -> None:
    """Progress is told."""
    told: list[tuple[int, int | None]] = []
    open_ranker().score(graded(), lambda done, total: told.append((done, total)))
    assert told == [(0, 30)]


TEXT = "Abc1 activates Xyz2 in liver cells."
CANDIDATE = Candidate("", "1", TEXT, (0, 4), (15, 19))


def test_reasons() -> None:
    """All features together are the score; the weightiest are told; a negation is one."""
    ranker = open_ranker()
    graded = ranker.grade([CANDIDATE], describe([CANDIDATE], ranker.parser, ranker.settings))
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
    text = "Abc1 does not bind Xyz2."
    found = dict(reasons(open_ranker(), Candidate("", "1", text, (0, 4), (19, 23))))
    assert found[ASSERTED] < 0
