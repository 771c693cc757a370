"""The tense of the main verb."""

import pytest

from relsent_ir.text.tense import tense
from relsent_ir.text.words import words


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("We conclude that murinol worked in mice.", "present"),
        ("To determine whether murinol was safe.", "infinitive"),
        ("Mice were given murinol for two weeks.", "past"),
        ("Murinol has been shown to help.", "perfect"),
        ("Nobody had tested it before.", "pluperfect"),
        ("The mice had a fever.", "past"),
        ("This trial will enrol 40 mice.", "future"),
        ("Murinol may help some mice.", "modal"),
        ("Mice treated with murinol died.", "past"),
        ("Forty mice that were treated improved.", "past"),
        ("The study included 40 mice.", "past"),
        ("The results of the study showed no effect.", "past"),
        ("Of the treated mice, none is alive.", "present"),
        ("Murinol: a hopeful drug.", "none"),
        ("", "none"),
    ],
)
def test_tense(sentence: str, expected: str) -> None:
    """The first finite verb of the main clause decides."""
    assert tense(words(sentence)) == expected
