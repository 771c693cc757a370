"""Choosing terms as Lucene's MoreLikeThis does."""

from relsent_ir.citation.similar import MoreLikeThis

COUNTS = {"often": 5, "rare": 2, "once": 1, "common": 2, "alone": 3}
DF = {"often": 50, "rare": 5, "once": 5, "common": 90, "alone": 1}


def test_defaults():
    """Twice in the document, in five documents; by tf times 1 + ln((N + 1)/(df + 1))."""
    assert list(MoreLikeThis().query(COUNTS, DF, 100)) == ["often", "rare", "common"]


def test_fewer_terms():
    """The best ones only, each with weight 1."""
    assert MoreLikeThis(max_terms=1, min_tf=1).query(COUNTS, DF, 100) == {"often": 1.0}


def test_ties_by_term():
    """Terms alike in all numbers are taken in their order."""
    assert list(MoreLikeThis(1, 1, 1).query({"b": 1, "a": 1}, {"a": 1, "b": 1}, 9)) == ["a"]
