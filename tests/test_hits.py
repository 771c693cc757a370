"""Ranked results: their order, cuts, and the way from sentences to records."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from relsent_ir.hits import Hits

IDS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=4)
SCORES = st.sampled_from([-1.5, 0.0, 0.25, 1.0, 2.0])


def listed(hits: Hits) -> list[tuple[str, float]]:
    """The hits as plain pairs."""
    return list(zip(hits.ids.tolist(), hits.scores.tolist(), strict=True))


def test_ranked_orders_by_score_then_id() -> None:
    """The best score comes first, and ties are in the order of their ids."""
    hits = Hits.ranked(["c", "a", "d", "b"], [1.0, 2.0, 1.0, 1.0])
    assert listed(hits) == [("a", 2.0), ("b", 1.0), ("c", 1.0), ("d", 1.0)]
    assert hits.ids.dtype == object
    assert hits.scores.dtype == np.float64


def test_ranked_cuts_through_a_tie_by_id() -> None:
    """At the cut-off the smaller id stays."""
    assert listed(Hits.ranked(["9", "10", "8"], [1, 1, 1], k=2)) == [("10", 1.0), ("8", 1.0)]


def test_ids_are_compared_by_utf8_bytes() -> None:
    """U+FF5E sorts before U+1F600 as UTF-8 has them, and after it in UTF-16."""
    assert Hits.ranked(["\U0001f600", "\uff5e", "é", "z"], [1, 1, 1, 1]).ids.tolist() == [
        "z",
        "é",
        "\uff5e",
        "\U0001f600",
    ]


@settings(derandomize=True, deadline=None)
@given(st.dictionaries(IDS, SCORES, max_size=12), st.none() | st.integers(0, 14))
def test_ranked_agrees_with_plain_sorting(scores: dict[str, float], k: int | None) -> None:
    """The order is that of (-score, UTF-8 bytes), for any ids and any cut-off."""
    expected = sorted(scores.items(), key=lambda item: (-item[1], item[0].encode()))[:k]
    assert listed(Hits.ranked(scores.keys(), scores.values(), k)) == expected


def test_ranked_takes_generators_and_nothing() -> None:
    """Any iterables will do, empty ones included."""
    assert listed(Hits.ranked((name for name in "ab"), iter([1, 2]))) == [("b", 2.0), ("a", 1.0)]
    assert len(Hits.ranked([], [])) == 0


def test_ids_and_scores_must_match() -> None:
    """More ids than scores is a mistake of the caller, not a shorter ranking."""
    with pytest.raises(ValueError, match="too short"):
        Hits.ranked(["a", "b"], [1.0])


def test_head_and_len() -> None:
    """The head is at most as long as the hits."""
    hits = Hits.ranked(["a", "b", "c"], [3, 2, 1])
    assert hits.head(2).ids.tolist() == ["a", "b"]
    assert len(hits.head(9)) == 3
    assert len(hits.head(0)) == 0


def test_without_drops_exactly_that_id() -> None:
    """One id goes, its look-alikes stay, and order is kept."""
    hits = Hits.ranked(["1", "01", "11"], [3, 2, 1])
    assert listed(hits.without("1")) == [("01", 2.0), ("11", 1.0)]
    assert listed(hits.without("7")) == listed(hits)


def test_max_passage_takes_the_best_sentence_of_each_record() -> None:
    """Records are ranked by their best sentence; the last dot ends the record's id."""
    hits = Hits.ranked(["a.b.2", "c.1", "a.b.1", "c.0"], [5, 4, 3, 2])
    assert listed(hits.max_passage()) == [("a.b", 5.0), ("c", 4.0)]


def test_max_passage_orders_tied_records_by_id() -> None:
    """`a-b.1` comes before `a.9` among sentences, but record `a` comes before record `a-b`."""
    hits = Hits.ranked(["a.9", "a-b.1"], [1, 1])
    assert hits.ids.tolist() == ["a-b.1", "a.9"]
    assert listed(hits.max_passage()) == [("a", 1.0), ("a-b", 1.0)]


def test_max_passage_leaves_ids_without_a_dot() -> None:
    """An id that is no sentence's stays as it is; an empty ranking stays empty."""
    assert listed(Hits.ranked(["7", ".5"], [2, 1]).max_passage()) == [("7", 2.0), (".5", 1.0)]
    assert len(Hits.ranked([], []).max_passage()) == 0
