"""Expansion by word associations, beside feedback and alone."""

from collections.abc import Callable, Iterator
from math import hypot
from pathlib import Path

import numpy as np
import pytest

from relsent_ir.errors import UsageError
from relsent_ir.feedback import FeedbackSearcher
from relsent_ir.feedback.associated import AssociatedTerms
from relsent_ir.feedback.expansion import Expansion
from relsent_ir.hits import Run
from relsent_ir.lucene.analyzers import Analysis
from relsent_ir.lucene.read.index import Index
from relsent_ir.lucene.read.search import Searcher
from relsent_ir.methods import RM3, FromAssociations, Rocchio
from relsent_ir.records import Record
from relsent_ir.related.words.associations import Associations, WordAssociations
from relsent_ir.text.vocabulary import Vocabulary

RECORDS = [
    Record("a", "Mucus and calcium"),
    Record("b", "Ducts"),
    Record("c", "A duct of rabbits"),
    *(Record(f"x{i}", "Common filler") for i in range(40)),
]
WORDS = ("calcium", "common", "duct", "ducts", "mucus", "rabbit", "unseen")
STRENGTHS = {"common": 9.0, "duct": 3.0, "ducts": 4.0, "rabbit": 2.0, "unseen": 8.0}
"""With mucus."""


@pytest.fixture(scope="module")
def index(build: Callable[..., Path]) -> Iterator[Index]:
    """Forty-three titles; Porter's stemmer makes duct of ducts."""
    with Index(build(RECORDS, analysis=Analysis("porter", ()))) as opened:
        yield opened


@pytest.fixture
def terms(index: Index) -> AssociatedTerms:
    """Associations with mucus alone."""
    table = np.zeros((len(WORDS), len(WORDS)), dtype=np.float16)
    mucus = WORDS.index("mucus")
    for word, strength in STRENGTHS.items():
        table[mucus, WORDS.index(word)] = table[WORDS.index(word), mucus] = strength
    starts = np.cumsum([0, *np.count_nonzero(table, axis=1)])
    known = Associations(starts, np.nonzero(table)[1].astype(np.int32), table[table > 0])
    words = WordAssociations(Vocabulary.of(WORDS), np.ones(len(WORDS)), known, ())
    return AssociatedTerms(words, index, index.facts.analysis)


def test_terms(terms: AssociatedTerms) -> None:
    """A term is as strong as its strongest word; what is nowhere or everywhere is left out."""
    assert terms.of("Mucus") == {"duct": (4.0, ["mucus"]), "rabbit": (2.0, ["mucus"])}
    assert terms.of("mucus of rabbits") == {"duct": (4.0, ["mucus"])}
    assert terms.of("calcium") == terms.of("") == {}


def test_weights(terms: AssociatedTerms) -> None:
    """They are as long as the topic's own part times the weight, and are added to what is there."""
    before = Expansion({"mucu": 3.0, "duct": 1.0}, {"mucu": 3.0}, {"duct": 1.0})
    after = terms.add("mucus", before, 20, 0.5)
    duct, rabbit = (1.5 * strength / hypot(4, 2) for strength in (4, 2))
    assert after.associated == pytest.approx({"duct": duct, "rabbit": rabbit})
    assert after.weights == pytest.approx({"mucu": 3.0, "duct": 1.0 + duct, "rabbit": rabbit})
    assert list(after.weights) == ["mucu", "duct", "rabbit"]
    assert (after.original, after.feedback) == (before.original, before.feedback)
    one = terms.add("mucus", before, 1, 0.5)
    assert one.associated == pytest.approx({"duct": 1.5})
    assert terms.add("mucus", before, 1, 0.0) is before
    assert terms.add("calcium", before, 20, 0.3) is before


@pytest.mark.parametrize("feedback", [None, Rocchio(2, 1), RM3(2, 1)])
def test_search(index: Index, terms: AssociatedTerms, feedback: Rocchio | RM3 | None) -> None:
    """Records that hold no word of the topic are found, and the words that led there are named."""
    both = terms, FromAssociations("", 2, 0.5)
    searcher = FeedbackSearcher(Searcher(index), index, feedback, associated=both)
    topics = {"1": "mucus", "2": "zyzzyva", "3": {"mucu": 1.0}}
    run = searcher.search(topics, 10)
    assert run["1"].ids.tolist() == ["a", "c", "b"]
    assert run["2"].ids.tolist() == []
    assert run["3"].ids.tolist() == ["a"]  # weighted terms have no words
    expanded, origins = searcher.explain({"1": "mucus"})["1"]
    assert set(expanded.associated) == {"duct", "rabbit"}
    assert origins["rabbit"] == ["~mucus"]
    assert origins.get("calcium", []) == (["a"] if feedback else [])
    assert isinstance(run, Run)


@pytest.mark.parametrize(("count", "weight"), [(0, 1.0), (1, -0.1), (1, float("nan"))])
def test_refused(count: int, weight: float) -> None:
    """No terms, or a weight that is none."""
    with pytest.raises(UsageError, match=r"FromAssociations with (terms|weight)"):
        FromAssociations("model", count, weight)
