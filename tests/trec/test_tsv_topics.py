"""Lines of id, tab and text."""

import pytest

from relsent_ir.errors import InputError
from relsent_ir.trec.tsv_topics import read


def test_only_the_first_tab_counts():
    """Later tabs are part of the text; lines are numbered with the empty ones."""
    (first, second) = read("1\ta\tb\n\n 2 \tc\n")
    assert (first.id, first.line, first.fields) == ("1", 1, {"title": "a\tb"})
    assert (second.id, second.line, second.fields) == ("2", 3, {"title": "c"})


def test_other_line_separators_are_text():
    """A Unicode line separator inside a text does not end the line."""
    (topic,) = read("1\ta\u2028b\x85c\n")
    assert topic.fields == {"title": "a\u2028b\x85c"}


def test_line_without_a_tab():
    """It is named by its number."""
    with pytest.raises(InputError, match="2: no tab between id and text"):
        list(read("1\ta\n2 b\n"))
