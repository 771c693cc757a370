"""Texts as HTML."""

from hypothesis import given
from hypothesis import strategies as st

from relsent_ir.rank import Span
from relsent_ir.web.page import marked, visible


def test_marks() -> None:
    """Spans are marked by why; no character is written twice, or lost."""
    text = "Ants run <fast>"
    spans = (Span(0, 4, "ant"), Span(5, 8, "associated"), Span(9, 15, "<b>"))
    assert marked(text, spans) == (
        '<mark title="ant">Ants</mark> <mark class="associated" title="associated">run</mark> '
        '<mark title="&lt;b&gt;">&lt;fast&gt;</mark>'
    )
    assert marked("Ants", (Span(0, 4, "ants"),)) == "<mark>Ants</mark>"
    assert marked("A & B", (Span(4, 5, "B b"),), {"B b": "other"}) == (
        'A &amp; <mark class="other" title="B b">B</mark>'
    )
    assert marked("abcdef", (Span(0, 4, "shared"), Span(2, 6, "shared"))) == (
        "<mark>abcd</mark><mark>ef</mark>"
    )


def test_visible() -> None:
    """What reorders text, or is no character, is seen; what parts words stays."""
    assert visible("a\u202eb\u2066c\u200f\x00\x1b\x85\ufeff") == "a\ufffdb\ufffdc" + "\ufffd" * 5
    assert visible("a\tb\nc\rd\u200dé") == "a\tb\nc\rd\u200dé"
    assert visible(7) == 7


@given(st.text(), st.lists(st.tuples(st.integers(0, 20), st.integers(0, 9), st.text())))
def test_nothing_gets_through(text: str, places: list[tuple[int, int, str]]) -> None:
    """Whatever the text and the labels, all markup is ours."""
    spans = sorted(
        (Span(start, start + n, label) for start, n, label in places), key=lambda s: s.start
    )
    found = str(marked(text, spans))
    assert found.count("<") == 2 * len(spans)
    assert found.count("<mark") == found.count("</mark>") == len(spans)
