"""What takes stars and verdicts back."""

import numpy as np
import pytest

from relsent_ir.answers.language import WordVectors, question_parts
from relsent_ir.answers.vetoes import may_say, named_shares, reports_nothing, states_aim
from relsent_ir.text.words import default_stopwords

STOPS = frozenset(default_stopwords())
LESS = "Does murinol reduce cough?"
MORE = "Does murinol increase the risk of gout?"
ALIKE = "Is murinol as effective as ratinol for cough?"
LINKED = "Is murinol associated with gout?"
NAMED = "Is murinol harmful?"
BETTER = "Is murinol more effective than ratinol for cough?"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("This study addressed the effects of murinol on cough.", True),
        ("In the present study we examined the role of murinol in cough.", True),
        ("We evaluated murinol for cough.", True),
        ("To determine the effect of murinol on cough, 20 mice ran.", True),
        ("The role of murinol in cough is also discussed.", True),
        ("This study evaluated murinol and found less cough.", False),
        ("This study examined cough; murinol reduced it.", False),
        ("We examined 20 mice, which had less cough.", False),
        ("Murinol was better when cough was considered.", False),
        ("Murinol reduced cough.", False),
    ],
)
def test_aims(text: str, expected: bool) -> None:
    """What was studied, unless the sentence goes on to what was found."""
    assert states_aim(text) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("There were no differences in the baseline demographics of both groups.", True),
        ("Baseline weights of the mice were comparable.", True),
        ("The groups were similar at entry.", True),
        ("Weight was similar at baseline and fell later.", False),
        ("Weight fell by 3 g from baseline values.", False),
        ("In all, 40 children (20 with murinol) were randomised.", True),
        ("Thirty patients were not assessable because of moves.", True),
        ("Of the 40 patients who completed the study, 30 had no cough.", False),
        ("Forty patients were enrolled, and cough was reduced in 30.", False),
        ("Nine trials of murinol met the criteria.", True),
        ("Nine trials of murinol metabolites exist.", False),
        ("Median follow-up was 3 years.", True),
        ("After a follow-up of 3 years cough was rare.", False),
        ("Further research is needed to see whether murinol helps.", True),
        ("Future trials of murinol should last longer.", True),
        ("The role of murinol remains to be established.", True),
        ("There is an urgent need for trials.", True),
        ("Although further trials are needed, murinol helps.", False),
        ("These results suggest that murinol is not necessary.", False),
        ("Murinol helps, but further trials are needed.", False),
        ("We evaluated murinol for cough.", True),
        ("Murinol reduced cough.", False),
    ],
)
def test_reports_nothing(text: str, expected: bool) -> None:
    """Groups at baseline, counts without a result, calls for research, and aims."""
    assert reports_nothing(text) is expected


def test_named_shares() -> None:
    """Words of the outcome without its place and numbers, and the lesser share with the subject."""
    vectors = WordVectors((), np.zeros((0, 1)), np.zeros(0, dtype=np.int64), 0, STOPS)
    texts = (
        "Murinol lowered glucose.",
        "In type 2 diabetes 2 mice ran with murinol.",
        "Fasting plasma glucose (FPG) fell.",
        "FPG fell with murinol.",
    )
    question = "Does murinol lower fasting plasma glucose in type 2 diabetes?"
    (finding,), (outcome, both) = named_shares(question, "", texts, vectors)
    assert finding.tolist() == outcome.tolist() == [0, 0, 1, 1]
    assert both.tolist() == [0, 0, 0, 1]
    assert named_shares("What is murinol?", "", texts, vectors) == ((), ())


@pytest.mark.parametrize(
    ("question", "verdict", "text", "expected"),
    [
        # A negation reaches its own clause alone.
        (MORE, "no", "A trial confirmed the increased risk of gout with murinol, but did not"
         " study mortality.", False),
        (MORE, "no", "Murinol did not increase the risk of gout, but raised weight.", True),
        (MORE, "yes", "Murinol increased the risk of gout, but did not raise weight.", True),
        (MORE, "yes", "Murinol raised weight, but did not increase the risk of gout.", False),
        (LESS, "no", "Murinol not only reduced cough, but also fever.", False),
        (LESS, "no", "While wheeze did not differ, murinol reduced cough.", False),
        # That it does not fall is not that it does not rise.
        (MORE, "no", "Murinol does not reduce the risk of gout.", False),
        (MORE, "no", "Murinol reduces the risk of gout.", True),
        (MORE, "no", "An excess risk of gout with murinol was lower than in earlier work.", False),
        # A no denies something.
        (LESS, "no", "Together a moderate effect of murinol on cough is seen.", False),
        (LESS, "no", "Cough with murinol was as before (P = 0.4).", True),
        (LESS, "no", "Sleep does not explain that murinol reduces cough.", False),
        # What is linked with the outcome is the subject.
        (LINKED, "no", "In mice on murinol sleep was not associated with gout.", False),
        (LINKED, "no", "In mice, murinol was not associated with gout.", True),
        (LINKED, "no", "Sleep was not associated with gout or falls or fever with murinol.", False),
        (LINKED, "no", "Sleep after the trial was not associated with gout.", False),
        (LINKED, "no", "It was not associated with gout.", True),
        (LINKED, "yes", "Gout was associated with murinol.", True),
        (LESS, "no", "Ratinol did not reduce cough in response to murinol.", False),
        # Nobody has said it.
        (LESS, "yes", "Could murinol reduce cough?", False),
        (LESS, "yes", "It has been suggested that murinol reduces cough.", False),
        (LESS, "yes", "It is unclear whether murinol reduces cough.", False),
        (LESS, "yes", "Murinol reduced cough, regardless of whether mice ran.", True),
        (LESS, "no", "This study addressed the effects of murinol on cough.", False),
        (LESS, "yes", "If murinol reduces cough, mice should sleep.", False),
        (LESS, "no", "No drug reduced cough, with the exception of murinol.", False),
        (LESS, "no", "Murinol reduced cough, in the absence of changes of weight.", False),
        # What a study allowed for; what is called associated, but with something else.
        (MORE, "no", "In mice stratified by murinol corn did not raise the risk of gout.", False),
        (LINKED, "yes", "Murinol and the associated gout were examined by many.", False),
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
        (LESS, "no", "Murinol did not reduce cough compared with ratinol.", False),
        (LESS, "no", "Murinol did not reduce cough compared with placebo.", True),
        (LESS, "yes", "Murinol reduced cough more than ratinol.", True),
        (LESS, "yes", "Ratinol reduced cough compared with murinol.", False),
        (LESS, "yes", "Ratinol reduced cough compared with placebo.", False),
        (MORE, "yes", "With murinol men had a higher risk of gout than women.", False),
        # Comparisons with what was asked for, and with others.
        (BETTER, "yes", "Murinol was more effective than ratinol for cough.", True),
        (BETTER, "yes", "Murinol was more effective for cough than ratinol and taxinol.", True),
        (BETTER, "yes", "Murinol was more effective than placebo for cough.", False),
        (BETTER, "yes", "Taxinol was more effective than murinol for cough.", False),
        (BETTER, "yes", "Taxinol was more effective than murinol and ratinol for cough.", False),
        (BETTER, "yes", "Murinol and ratinol were similarly effective for cough.", False),
        (BETTER, "yes", "Murinol, ratinol and taxinol were effective for cough.", False),
        (BETTER, "yes", "Murinol was more effective than ratinol after switching.", False),
        (BETTER, "yes", "The first dose of murinol was effective for cough, but the second was not"
         " more effective than ratinol.", False),
        (BETTER, "no", "Cough did not differ between murinol and ratinol.", True),
        # No different from its like is no no; from a placebo it is.
        ("Do xylols increase the risk of gout?", "no",
         "Murinol was not different from other xylols in the risk of gout.", False),
        (MORE, "no", "Murinol was not different from placebo in the risk of gout.", True),
        (NAMED, "no", "Renal harm did not differ between murinol and ratinol.", False),
        (NAMED, "no", "Murinol was not harmful.", True),
        # As good as: nothing is compared.
        (ALIKE, "no", "Murinol and ratinol did not reduce cough significantly.", False),
        (ALIKE, "no", "Murinol and ratinol reduced cough only partly, not well.", False),
        (ALIKE, "no", "Cough differed between murinol and ratinol.", True),
        # After it was stopped, nothing is said of it, but where that was asked for.
        (MORE, "no", "After withdrawal of murinol gout was not increased.", False),
        ("Does withdrawal of murinol increase gout?", "no",
         "Withdrawal of murinol did not increase gout.", True),
        # What another drug does to a harm that is the subject's.
        (MORE, "no", "Ratinol did not prevent gout due to murinol.", False),
        (MORE, "no", "Ratinol was not effective for murinol-induced gout.", False),
        (MORE, "no", "There was no gout due to murinol.", True),
        (MORE, "no", "There was no murinol-induced gout.", True),
        # What others hold, too little, and chance.
        (LESS, "no", "The notion that murinol does not reduce cough rests on a poor trial.", False),
        (LESS, "yes", "In four trials, only one showed that murinol reduced cough.", False),
        (LESS, "yes", "The dose of murinol was insufficient to reduce cough.", False),
        (LESS, "no", "It is unlikely that less cough with murinol was due to chance.", False),
        # A predicate of its own, and one that is another's.
        (MORE, "no", "Murinol had no benefit and was followed by a higher risk of gout.", False),
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
        (LESS, "yes", "This has led to speculation that murinol reduces cough.", False),
        (LESS, "yes", "It was hypothesized that murinol reduces cough.", False),
        (MORE, "no", "Murinol raised the risk of gout in only four of 20 mice.", False),
        (LESS, "yes", "The evidence that murinol reduces cough is weak.", False),
        (LESS, "yes", "Murinol reduces cough, but that is due to bias.", False),
        (MORE, "yes", "Mice on murinol had other drugs that may increase gout.", False),
        (LESS, "no", "In studies without taxinol murinol reduced cough.", False),
        (LESS, "no", "Murinol is given to mice whose cough did not fall.", False),
        # Another agent's effect.
        (LESS, "yes", "Ratinol significantly reduced cough in mice on murinol.", False),
        (LESS, "yes", "Treatment with ratinol reduced cough in mice on murinol.", False),
        (LESS, "yes", "In mice on murinol, ratinol may reduce cough.", False),
        (LESS, "yes", "With murinol, cough was reduced by ratinol.", False),
        (LESS, "yes", "With murinol, cough was reduced by half.", True),
        (LESS, "yes", "In mice with fever, oral murinol reduced cough.", True),
        (LESS, "yes", "Early oral treatment reduced cough in the murinol group.", True),
        (LESS, "yes", "There were decreases of cough with murinol.", True),
        (LESS, "yes", "A greater fall of cough came with ratinol than with murinol.", False),
        ("Is murinol effective for cough?", "yes", "Fever may occur on murinol for cough.", False),
        # No evidence of it, and what is denied of another that stands before it.
        (LESS, "yes", "There is currently no evidence from trials in mice to suggest that an"
         " increased dose of murinol will reduce cough.", False),
        (LESS, "no", "The addition of ratinol, xylol, and murinol did not reduce cough.", False),
        (LESS, "no", "Pills for cough are not effective, and murinol is the one that reduces"
         " cough.", False),
        # A fixed combination is another drug, and a promise no finding.
        (LESS, "yes", "Murinol/ratinol reduced cough.", False),
        (LESS, "yes", "Murinol + ratinol reduced cough.", False),
        ("Does murinol/ratinol reduce cough?", "yes", "Murinol/ratinol reduced cough.", True),
        (LESS, "yes", "Murinol is a promising drug for reducing cough.", False),
        # Of what an outcome is has a word in the sentence too.
        ("Does murinol reduce relapses of gout?", "yes", "Murinol reduced relapses.", False),
        ("Does murinol reduce relapses of gout?", "yes", "Murinol reduced relapses of gout.", True),
        ("Does murinol reduce deaths from acute mouse gout?", "yes",
         "Murinol reduced deaths from AMG.", True),
        (LESS, "yes", "Murinol reduced deaths due to cough.", False),
        # The words of an outcome are said together.
        ("Does murinol reduce lung cancer?", "yes",
         "Murinol reduced lung size and weight in nude mice that had breast cancer.", False),
        ("Does murinol reduce lung cancer?", "yes", "Murinol reduced cancer of the lung.", True),
        (LINKED, "no", "Sleep was correlated inversely with gout on murinol.", False),
        (MORE, "no", "Ratinol, not taxinol, reduced gout during use of murinol.", False),
        # A harm that another drug lessens while the subject is given.
        (MORE, "no", "Ratinol brought a lower risk of gout during use of murinol.", False),
        (MORE, "no", "The risk of gout did not rise during use of murinol.", True),
        (LINKED, "yes", "Some drugs were associated with gout, as well as murinol effects.", False),
        # What is against a thing is not that thing.
        ("Is cough associated with gout?", "no", "Anti-cough drugs were not associated with gout.",
         False),
        ("Do anti-cough drugs cause gout?", "no", "Anti-cough drugs did not cause gout.", True),
    ],
)  # fmt: skip
def test_verdicts(question: str, verdict: str, text: str, expected: bool) -> None:
    """Where one is taken back, and where it stays."""
    assert may_say(verdict, question_parts(question), text, STOPS) is expected


@pytest.mark.parametrize(("arm", "expected"), [("PPIs", True), ("Xylols", False)])
def test_initials(arm: str, expected: bool) -> None:
    """What compares must name the subject, if by its initials alone."""
    parts = question_parts("Are proton pump inhibitors more effective than placebo for reflux?")
    text = f"{arm} were more effective than placebo for reflux."
    assert may_say("yes", parts, text, STOPS) is expected


def test_arms_that_share_words() -> None:
    """An arm is named by what sets it apart from the other."""
    parts = question_parts("Does late murinol cause less cough than early murinol?")
    assert not may_say("no", parts, "Cough is often produced by murinol, not rarely.", STOPS)
    assert may_say("yes", parts, "Cough was less with late than with early murinol.", STOPS)
