"""Queries in the layout of the SMART system."""

from pathlib import Path

import pytest

from relsent_ir.errors import InputError
from relsent_ir.trec import read_topics

QUERIES = """.I 1
.W
 Which ants
are slow?
.N
asked in May
.I 2
.T
Bees
.A
Bee, B.
.W
that dance
"""


def test_queries(tmp_path: Path) -> None:
    """The request, after a title where there is one; all other fields are passed over."""
    path = tmp_path / "query.text"
    path.write_text(QUERIES)
    assert read_topics(path) == {"1": "Which ants are slow?", "2": "Bees that dance"}
    assert read_topics(path, "smart") == read_topics(path)


def test_ohsumed_stays_what_it_is(tmp_path: Path) -> None:
    """Where queries begin with the patient, that is the title and the request the description."""
    path = tmp_path / "query.ohsu"
    path.write_text(".I 1\n.B\nold ant\n.W\nslowness\n")
    assert read_topics(path) == {"1": "old ant"}
    assert read_topics(path, field="desc") == {"1": "slowness"}


def test_text_before_a_query(tmp_path: Path) -> None:
    """It is told with its line."""
    path = tmp_path / "odd.text"
    path.write_text("ants\n.I 1\n.W\nbees\n")
    with pytest.raises(InputError, match=r"odd\.text:1: text before the first \.I"):
        read_topics(path, "smart")
