"""The terms that go with an entity: their groups and weights."""

from math import log
from pathlib import Path

import pytest

import relsent_ir as rir
from relsent_ir.relations import open_ranker
from relsent_ir.relations.entity import group_of, informative_terms, log_likelihood_ratio
from relsent_ir.relations.finding import Finder


def test_groups(tmp_path: Path) -> None:
    """Terms are grouped by the form of their longest name, a short one's by what it stands for."""
    (tmp_path / "r.jsonl").write_text(
        '{"id": "1", "title": "", "abstract": "Zorbic lung disease (ZLD) hurts. ZLD is rare."}\n'
        '{"id": "2", "title": "", "abstract": "Zorbic lung disease (ZLD) is old."}\n'
    )
    groups = {
        "chronic zorbitis": "diseases",
        "zorbamycin": "drugs and treatments",
        "IL-99": "genes and proteins",
        "rats": "other",
        "ZLD": "diseases",
        "lung disease": "diseases",
        "zorbic surgery": "drugs and treatments",
        "IL-99 inhibitors": "drugs and treatments",  # by its head
        "IL-99 resistance": "processes",
        "zorbic apoptosis": "processes",  # no disease, as other words with this end
    }
    with rir.index(tmp_path / "r.jsonl", tmp_path / "ix") as collection:
        finder = Finder(collection.indexes)
        assert {term: group_of(term, finder) for term in groups} == groups


def test_log_likelihood_ratio() -> None:
    """Worked out by hand: positive above chance, 0 at it and with a term of all, negative below."""
    ratio = 2 * (2 * log(20 / 8) + 2 * log(20 / 32) + 6 * log(60 / 48))
    assert log_likelihood_ratio(2, 4, 2, 10) == pytest.approx(ratio)
    assert log_likelihood_ratio(2, 4, 4, 4) == log_likelihood_ratio(3, 10, 3, 10) == 0.0
    assert log_likelihood_ratio(2, 4, 5, 10) == pytest.approx(0.0)
    apart = 2 * (2 * log(20 / 16) + 2 * log(20 / 16) + 6 * log(60 / 64))
    assert log_likelihood_ratio(0, 2, 2, 10) == pytest.approx(-apart)
    never = 2 * (5 * log(50 / 25) + 5 * log(50 / 25))
    assert log_likelihood_ratio(0, 5, 5, 10) == pytest.approx(-never)


def test_informative_terms(tmp_path: Path) -> None:
    """Terms stand oftener beside the entity; parts of its name, authors and units are none."""
    about = "Zorbin lowered the gallows of rats with vexia, as Magos wrote, at 5 mg/day."
    other = "The quine of patients was measured in a survey of chronic disease by the hospital."
    texts = [about, "Zorbin citrate raised gallows and helped vexia."] + 18 * [other]
    lines = [
        f'{{"id": "{n}", "title": "On it.", "abstract": "{text}"}}' for n, text in enumerate(texts)
    ]
    (tmp_path / "r.jsonl").write_text("\n".join(lines))
    with rir.index(tmp_path / "r.jsonl", tmp_path / "ix") as collection:
        terms = informative_terms(Finder(collection.indexes), open_ranker(), "zorbin", 9)
    assert set(terms) == {"gallows", "vexia"}
