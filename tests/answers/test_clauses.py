"""Whether a clause tells a verdict of the subject itself."""

import pytest

from relsent_ir.answers.asking import question_parts
from relsent_ir.answers.clauses import tells
from relsent_ir.text.words import default_stopwords

STOPS = frozenset(default_stopwords())
LESS = "Does murinol reduce gut pain?"


@pytest.mark.parametrize(
    ("question", "text", "expected"),
    [
        (LESS, "Murinol reduced gut pain.", True),
        (LESS, "We conclude that early murinol treatment reduced pain of the gut.", True),
        (LESS, "Gut pain was lower with murinol.", True),
        (LESS, "There was less gut pain with murinol.", True),
        (LESS, "In patients with murinol, gut pain was reduced.", True),
        (LESS, "Murinol relieved cough, but it also reduced gut pain.", True),
        (LESS, "Murinol is effective in reducing gut pain.", True),
        (LESS, "Reducing gut pain, murinol is dear.", False),  # no word says that it does
        (LESS, "Ratinol reduced gut pain in users of murinol.", False),
        (LESS, "Gut pain with murinol was reduced by ratinol.", False),
        (LESS, "Antimurinol drugs reduced gut pain with murinol.", False),
        (LESS, "Murinol reduced pain.", False),  # half of two words
        (LESS, "Murinol might reduce gut pain.", False),
        (LESS, "Further trials of murinol to reduce gut pain are needed.", False),
        ("Does murinol reduce mouse acid gut pain?", "Murinol reduced gut pain.", True),
        ("Does long mouse disease increase gout?", "LMD increased gout.", True),
        ("Does xylol A increase gout?", "Xylol B increased gout.", True),  # a letter is no name
        ("Does xylol acetate increase gout?", "Xylol nitrate increased gout.", False),
    ],
)
def test_yes(question: str, text: str, expected: bool) -> None:
    """Subject, predicate and outcome of one clause, in any order, and no other agent."""
    assert tells("yes", question_parts(question), text, STOPS) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Murinol did not reduce gut pain.", True),
        ("No effect of murinol on gut pain was seen.", True),
        ("Gut pain with murinol was as before (P = 0.4).", True),
        ("Ratinol did not change gut pain, and murinol helped.", False),
        ("Gut pain fell with murinol, regardless of age.", False),
    ],
)
def test_no(text: str, expected: bool) -> None:
    """What is denied is denied in the clause of the subject, or its p value is not significant."""
    assert tells("no", question_parts(LESS), text, STOPS) is expected
