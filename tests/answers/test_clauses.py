"""Whether a clause tells a verdict of the subject itself."""

import pytest

from relsent_ir.answers.clauses import tells
from relsent_ir.answers.language import parse
from relsent_ir.text.words import default_stopwords

STOPS = frozenset(default_stopwords())
LESS = "Does murinol reduce gut pain?"
FEVER = "Does murinol reduce fever?"
COUGH = "Does murinol reduce cough?"
MORE = "Does murinol increase the risk of gout?"
ALIKE = "Is murinol as effective as ratinol for cough?"
LINKED = "Is murinol associated with gout?"
NAMED = "Is murinol harmful?"
BETTER = "Is murinol more effective than ratinol for cough?"


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
    assert tells("yes", parse(question).parts, text, STOPS) is expected


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
    assert tells("no", parse(LESS).parts, text, STOPS) is expected


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
    assert tells("yes", parse(FEVER).parts, text, STOPS) is expected


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
    assert tells("no", parse(FEVER).parts, text, STOPS) is expected


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
    assert tells("yes", parse("Is murinol effective in fever?").parts, text, STOPS) is expected


@pytest.mark.parametrize(
    ("question", "verdict", "text", "expected"),
    [
        # A negation reaches its own clause alone.
        (MORE, "no", "A trial confirmed the increased risk of gout with murinol, but did not"
         " study mortality.", False),
        (MORE, "no", "Murinol did not increase the risk of gout, but raised weight.", True),
        (MORE, "yes", "Murinol increased the risk of gout, but did not raise weight.", True),
        (MORE, "yes", "Murinol raised weight, but did not increase the risk of gout.", False),
        (COUGH, "no", "Murinol not only reduced cough, but also fever.", False),
        (COUGH, "no", "While wheeze did not differ, murinol reduced cough.", False),
        # That it does not fall is not that it does not rise.
        (MORE, "no", "Murinol reduces the risk of gout.", True),
        (MORE, "no", "An excess risk of gout with murinol was lower than in earlier work.", False),
        # A no denies something.
        (COUGH, "no", "Together a moderate effect of murinol on cough is seen.", False),
        (COUGH, "no", "Cough with murinol was as before (P = 0.4).", True),
        (COUGH, "no", "Sleep does not explain that murinol reduces cough.", False),
        # What is linked with the outcome is the subject.
        (LINKED, "no", "In mice on murinol sleep was not associated with gout.", False),
        (LINKED, "no", "In mice, murinol was not associated with gout.", True),
        (LINKED, "no", "Sleep was not associated with gout or falls or fever with murinol.", False),
        (LINKED, "no", "Sleep after the trial was not associated with gout.", False),
        (LINKED, "no", "It was not associated with gout.", True),
        (LINKED, "yes", "Gout was associated with murinol.", True),
        (COUGH, "no", "Ratinol did not reduce cough in response to murinol.", False),
        # Nobody has said it.
        (COUGH, "yes", "It is unclear whether murinol reduces cough.", False),
        (COUGH, "yes", "Murinol reduced cough, regardless of whether mice ran.", True),
        (COUGH, "no", "This study addressed the effects of murinol on cough.", False),
        # What a study allowed for; what is called associated, but with something else.
        (MORE, "no", "In mice stratified by murinol corn did not raise the risk of gout.", False),
        (LINKED, "yes", "Murinol was associated with gout.", True),
        # As good as: both arms or none are named.
        (ALIKE, "yes", "Murinol and ratinol were similarly effective for cough.", True),
        (ALIKE, "yes", "Both drugs were similarly effective for cough.", True),
        (ALIKE, "yes", "Murinol was effective for cough.", False),
        (ALIKE, "no", "Ratinol was not effective for cough.", False),
        # An association of something else; the absence of the subject.
        (MORE, "no", "Work on murinol led to a link between low weight and gout.", False),
        (MORE, "no", "There was no link between murinol and gout.", True),
        (MORE, "yes", "In non-murinol mice the risk of gout was increased by age.", False),
        # Comparisons, where none was asked for.
        (COUGH, "no", "Murinol did not reduce cough compared with placebo.", True),
        (COUGH, "yes", "Murinol reduced cough more than ratinol.", True),
        (COUGH, "yes", "Ratinol reduced cough compared with murinol.", False),
        (COUGH, "yes", "Ratinol reduced cough compared with placebo.", False),
        # Comparisons with what was asked for, and with others.
        (BETTER, "yes", "Murinol was more effective than ratinol for cough.", True),
        (BETTER, "yes", "Murinol was more effective for cough than ratinol and taxinol.", True),
        (BETTER, "yes", "Taxinol was more effective than murinol for cough.", False),
        (BETTER, "yes", "Taxinol was more effective than murinol and ratinol for cough.", False),
        (BETTER, "yes", "Murinol was more effective than ratinol after switching.", False),
        (BETTER, "no", "Cough did not differ between murinol and ratinol.", True),
        # No different from its like is no no; from a placebo it is.
        ("Do xylols increase the risk of gout?", "no",
         "Murinol was not different from other xylols in the risk of gout.", False),
        (MORE, "no", "Murinol was not different from placebo in the risk of gout.", True),
        (NAMED, "no", "Murinol was not harmful.", True),
        # As good as: nothing is compared.
        (ALIKE, "no", "Cough differed between murinol and ratinol.", True),
        # After it was stopped, nothing is said of it, but where that was asked for.
        ("Does withdrawal of murinol increase gout?", "no",
         "Withdrawal of murinol did not increase gout.", True),
        # What another drug does to a harm that is the subject's.
        (MORE, "no", "Ratinol did not prevent gout due to murinol.", False),
        (MORE, "no", "Ratinol was not effective for murinol-induced gout.", False),
        (MORE, "no", "There was no gout due to murinol.", True),
        (MORE, "no", "There was no murinol-induced gout.", True),
        # What others hold, too little, and chance.
        (COUGH, "no", "The notion that murinol does not reduce cough rests on a poor trial.",
         False),
        # A predicate of its own, and one that is another's.
        (MORE, "no", "Murinol had no benefit and did not raise the risk of gout.", True),
        (MORE, "yes", "Murinol relieved cough, but ratinol increased the risk of gout.", False),
        (MORE, "yes", "Murinol relieved cough, but increased the risk of gout.", True),
        (MORE, "yes", "Murinol relieved cough, but it increased the risk of gout.", True),
        (LINKED, "no", "Murinol is safe and does not appear to be associated with gout.", True),
        # What groups were before anything was done, and how alike their people are.
        (MORE, "no", "At baseline murinol and placebo did not differ in the risk of gout.", False),
        (MORE, "no", "With murinol gout did not change from baseline.", True),
        (LINKED, "no", "Mice with murinol and gout did not differ in age and sex.", False),
        ("Is murinol associated with age?", "no", "Users of murinol did not differ in age.", True),
        (LINKED, "no", "Murinol was not associated with gout after adjustment for age.", True),
        # What is held to be so, and what is found in part, or poorly.
        (COUGH, "yes", "This has led to speculation that murinol reduces cough.", False),
        (MORE, "no", "Murinol raised the risk of gout in only four of 20 mice.", False),
        (MORE, "yes", "Mice on murinol had other drugs that may increase gout.", False),
        (COUGH, "no", "In studies without taxinol murinol reduced cough.", False),
        # Another agent's effect.
        (COUGH, "yes", "Ratinol significantly reduced cough in mice on murinol.", False),
        (COUGH, "yes", "Treatment with ratinol reduced cough in mice on murinol.", False),
        (COUGH, "yes", "In mice on murinol, ratinol may reduce cough.", False),
        (COUGH, "yes", "With murinol, cough was reduced by ratinol.", False),
        (COUGH, "yes", "With murinol, cough was reduced by half.", True),
        (COUGH, "yes", "In mice with fever, oral murinol reduced cough.", True),
        (COUGH, "yes", "Early oral treatment reduced cough in the murinol group.", True),
        (COUGH, "yes", "There were decreases of cough with murinol.", True),
        (COUGH, "yes", "A greater fall of cough came with ratinol than with murinol.", False),
        ("Is murinol effective for cough?", "yes", "Fever may occur on murinol for cough.", False),
        # No evidence of it, and what is denied of another that stands before it.
        (COUGH, "yes", "There is currently no evidence from trials in mice to suggest that an"
         " increased dose of murinol will reduce cough.", False),
        (COUGH, "no", "The addition of ratinol, xylol, and murinol did not reduce cough.", False),
        (COUGH, "no", "Pills for cough are not effective, and murinol is the one that reduces"
         " cough.", False),
        # A fixed combination is another drug, and a promise no finding.
        ("Does murinol/ratinol reduce cough?", "yes", "Murinol/ratinol reduced cough.", True),
        # Of what an outcome is has a word in the sentence too.
        ("Does murinol reduce relapses of gout?", "yes", "Murinol reduced relapses of gout.", True),
        ("Does murinol reduce deaths from acute mouse gout?", "yes",
         "Murinol reduced deaths from AMG.", True),
        (COUGH, "yes", "Murinol reduced deaths due to cough.", False),
        # The words of an outcome are said together.
        ("Does murinol reduce lung cancer?", "yes",
         "Murinol reduced lung size and weight in nude mice that had breast cancer.", False),
        ("Does murinol reduce lung cancer?", "yes", "Murinol reduced cancer of the lung.", True),
        (LINKED, "no", "Sleep was correlated inversely with gout on murinol.", False),
        (MORE, "no", "Ratinol, not taxinol, reduced gout during use of murinol.", False),
        # A harm that another drug lessens while the subject is given.
        (MORE, "no", "Ratinol brought a lower risk of gout during use of murinol.", False),
        (MORE, "no", "The risk of gout did not rise during use of murinol.", True),
        # What is against a thing is not that thing.
        ("Is cough associated with gout?", "no", "Anti-cough drugs were not associated with gout.",
         False),
        ("Do anti-cough drugs cause gout?", "no", "Anti-cough drugs did not cause gout.", True),
    ],
)  # fmt: skip
def test_what_a_clause_says(question: str, verdict: str, text: str, expected: bool) -> None:
    """Whether a clause of the sentence gives the verdict on the subject itself."""
    assert tells(verdict, parse(question).parts, text, STOPS) is expected
