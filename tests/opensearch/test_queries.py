"""Queries, without a cluster."""

import numpy as np
import pytest

from relsent_ir.opensearch import queries
from relsent_ir.opensearch.index import ClusterIndex


@pytest.mark.parametrize("weight", [1, 2, 3, 5, 7, 9])
def test_boosts_of_counts_are_exact(weight):
    """By Anserini's k1, what the cluster multiplies gives the count of a word again."""
    factor = np.float32(1) + np.float32(0.9)
    assert np.float32(queries.boost(weight, 0.9)) * factor == np.float32(weight)


def test_boosts_are_the_nearest():
    """Where no number gives a weight, the product is off by one in the last place at most."""
    for weight in np.random.default_rng(7).random(500).astype(np.float32):
        factor = np.float32(1) + np.float32(1.2)
        product = np.float32(queries.boost(weight, 1.2)) * factor
        assert abs(product - weight) <= np.spacing(weight)
    assert queries.boost(0.3, None) == float(np.float32(0.3))


def test_conditions():
    """Values of a field are alternatives, fields are not; an author's initials may be more."""
    built = ClusterIndex.filter([], ["author", "move"], ["okafor", "results"])
    author, move = built["bool"]["filter"]
    assert author["bool"]["should"][1] == {"prefix": {"author": "okafor "}}
    assert move == {"term": {"move": "results"}}


@pytest.mark.parametrize(
    ("text", "built"),
    [
        ("il-6", {"match_phrase": {"f": "il 6"}}),
        ("asthm*", {"regexp": {"f": {"value": "asthm.*", "flags": "NONE"}}}),
        ("colo?r", {"regexp": {"f": {"value": "colo.?r", "flags": "NONE"}}}),
        ("p53_R175H", {"match_phrase": {"f": "p53_r175h"}}),
        ("²", {"match_phrase": {"f": ""}}),
        (
            "heart att*",
            {
                "span_near": {
                    "clauses": [
                        {"span_term": {"f": "heart"}},
                        {
                            "span_multi": {
                                "match": {"regexp": {"f": {"value": "att.*", "flags": "NONE"}}}
                            }
                        },
                    ],
                    "slop": 0,
                    "in_order": True,
                }
            },
        ),
    ],
)
def test_words(text, built):
    """Words are runs of letters, digits and underscores; of those that are cut any end will do."""
    assert queries.strategy([("words", "f", text, 0, 0)]) == built


def test_postfix():
    """Operators join what stands before them: (a or b) not c, in either of two fields."""
    steps = [("value", "x y", "a", 0, 0), ("values", "x", "b", 0, 0), ("or", "", "", 2, 0)]
    steps += [("years", "year", "", 1990, 2000), ("not", "", "", 0, 0)]
    a = {
        "bool": {"should": [{"term": {"x": "a"}}, {"term": {"y": "a"}}], "minimum_should_match": 1}
    }
    either = {"bool": {"should": [a, {"prefix": {"x": "b"}}], "minimum_should_match": 1}}
    years = {"range": {"year": {"gte": 1990, "lte": 2000}}}
    assert queries.strategy(steps) == {"bool": {"filter": [either], "must_not": [years]}}
