"""The terms that go with an entity: their groups and weights."""

from math import log
from pathlib import Path

import pytest

import relsent_ir as rir
from relsent_ir.relations import open_ranker
from relsent_ir.relations.entity import group_of, informative_terms, log_likelihood_ratio
from relsent_ir.relations.finding import Finder


def test_groups(tmp_path: Path) -> None:
    """Terms are grouped by the end of their longest name, else by the words beside them."""
    texts = (
        "Zorbic lung disease (ZLD) hurts. ZLD is rare. The IL-99 gene is old.",
        "Zorbic lung disease (ZLD) is old. We gave 5 mg of quax, or magro.",
        "Treatment with quax helps patients with magro. Magro patients have a low XQ4.",
    )
    (tmp_path / "r.jsonl").write_text(
        "\n".join(f'{{"id": "{n}", "title": "", "abstract": "{t}"}}' for n, t in enumerate(texts))
    )
    groups = {
        "chronic zorbitis": "diseases and symptoms",
        "zorbamycin": "drugs and treatments",
        "IL-99": "genes and proteins",  # a symbol, with a gene beside it
        "XQ4": "other",  # a symbol of anything
        "quax": "drugs and treatments",
        "magro": "diseases and symptoms",
        "interzorbin receptors 2": "genes and proteins",
        "loss of zorbin": "processes",
        "rats": "other",
        "ZLD": "diseases and symptoms",
        "lung disease": "diseases and symptoms",
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
