"""Ratings drawn: mean ratings by hand, and an SVG that says them."""

import pytest
from lxml import etree

from relsent_ir.errors import MismatchError
from relsent_ir.related.quality.judging import Named, draw_ratings, rated_matches

KEY = [
    Named("1", "a.1", "b.1", "D", 3.0),
    Named("2", "c.1", "d.1", "D", 1.0),
    Named("2", "c.1", "d.1", "I1.5", 7.0),
    Named("3", "e.1", "f.1", "I1.5", 5.0),
]
JUDGES = [{"1": 4, "2": 1}, {"2": 2}]


def test_mean_ratings():
    """By score; the mean of those who rated; what nobody rated is not there."""
    assert rated_matches(KEY, JUDGES) == {"D": [(1.0, 1.5), (3.0, 4.0)], "I1.5": [(7.0, 1.5)]}
    with pytest.raises(MismatchError, match="77"):
        rated_matches(KEY, [{"77": 1}])


def test_drawn_alike():
    """A row of three plots a method, with the ratings as text; twice the same bytes."""
    drawn = draw_ratings(KEY, JUDGES)
    assert drawn == draw_ratings(KEY, JUDGES)
    texts = [text.strip() for text in etree.fromstring(drawn).itertext() if text.strip()]
    for told in ("D", "I1.5", "1.5", "mean rating", "share of matches"):
        assert told in texts
