"""Whether a clause tells a verdict of the subject itself."""

import pytest

from relsent_ir.answers.clauses import tells
from relsent_ir.answers.language import question_parts
from relsent_ir.text.words import default_stopwords

STOPS = frozenset(default_stopwords())
LESS = "Does murinol reduce gut pain?"
FEVER = "Does murinol reduce fever?"


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


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Murinol reduced fever.", True),
        ("Murinol reduced fever in patients with gout.", True),
        ("Murinol reduced the risk of fever.", True),
        ("Murinol reduced the severity and duration of fever.", True),
        ("Murinol reduced the number of patients with fever.", True),
        ("Murinol reduced weight and fever.", True),
        ("Murinol reduced fever JX total scores.", True),
        ("Fever attacks were reduced with murinol.", True),
        ("Murinol reduced weight in fever patients.", False),
        ("Murinol reduced weight in patients with fever.", False),
        ("Murinol reduced levels in patients with fever.", False),
        ("Murinol reduced weight scores in fever.", False),
        ("Murinol reduced the mortality of fever patients.", False),
        ("Murinol reduced the mortality of fever.", False),
        ("Murinol reduced fever mortality.", False),
        ("In patients with fever, murinol reduced weight.", False),
        ("Weight in fever was reduced with murinol.", False),
        ("Mice with fever had reduced weight with murinol.", False),
        ("Fever patients had reduced weight with murinol.", False),
        ("Murinol in fever reduced weight.", False),
        ("Murinol during fever reduced the risk of gout.", False),
    ],
)
def test_acted_on(text: str, expected: bool) -> None:
    """The outcome is what is acted on, and not in whom, or a word before another noun."""
    assert tells("yes", question_parts(FEVER), text, STOPS) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Murinol did not reduce fever.", True),
        ("There was no difference between murinol and placebo in fever.", True),
        ("Murinol was no better than ratinol for fever.", True),
        ("In fever, murinol had no effect.", True),
        ("Murinol did not reduce weight in fever patients.", False),
        ("No effect of murinol on weight in fever was seen.", False),
        ("In fever, murinol had no effect on weight.", False),
        ("Weight in fever did not differ with murinol.", False),
        ("Murinol during fever does not reduce weight.", False),
        ("The effect of murinol on fever was not significant.", True),
        ("The difference between murinol and placebo in fever was not significant.", True),
    ],
)
def test_denied(text: str, expected: bool) -> None:
    """What is denied of another outcome is not denied of the one in whom it was measured."""
    assert tells("no", question_parts(FEVER), text, STOPS) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Murinol is effective in fever patients.", True),
        ("In patients with fever, murinol is effective.", True),
        ("Murinol in fever is effective.", True),
        ("Murinol is useful for the management of fever.", True),
        ("Murinol is effective in lowering weight in fever.", False),
        ("Murinol improved weight in patients with fever.", False),
    ],
)
def test_good_for(text: str, expected: bool) -> None:
    """A treatment is good for whom it is given to, if it is not said what it does there."""
    assert tells("yes", question_parts("Is murinol effective in fever?"), text, STOPS) is expected
