"""Queries, without a cluster."""

import numpy as np
import pytest

from relsent_ir.opensearch import queries


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


def _analyse(text):
    return [] if text == "of" else [text.removesuffix("s")]


def test_strategies():
    """Operands are joined in postfix; a word that is left out leaves its place empty."""
    steps = [
        ("phrase", "title abstract", "ants", 0, 0),
        ("years", "year", "", 1990, 1999),
        ("not", "", "", 0, 0),
        ("prefix", "contents", "loss of bon", 0, 0),
        ("or", "", "", 2, 0),
    ]
    built = queries.strategy(_analyse, *zip(*steps, strict=True))
    without, phrase = built["bool"]["should"]
    ants = [{"match_phrase": {"title": "ants"}}, {"match_phrase": {"abstract": "ants"}}]
    either = {"bool": {"should": ants, "minimum_should_match": 1}}
    span = {"range": {"year": {"gte": 1990, "lte": 1999}}}
    assert without == {"bool": {"filter": [either], "must_not": [span]}}
    clauses = phrase["span_near"]["clauses"]
    assert clauses[0] == {"span_term": {"contents": "los"}}
    assert clauses[1] == {"span_gap": {"contents": 1}}
    assert clauses[2] == {"span_multi": {"match": {"prefix": {"contents": "bon"}}}}


def test_conditions():
    """Values of a field are alternatives, fields are not; an author's initials may be more."""
    built = queries.conditions([], ["author", "move"], ["okafor", "results"])
    author, move = built["bool"]["filter"]
    assert author["bool"]["should"][1] == {"prefix": {"author": "okafor "}}
    assert move == {"term": {"move": "results"}}
