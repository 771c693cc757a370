"""What takes stars and verdicts back."""

import numpy as np
import pytest

from relsent_ir.answers.language import WordVectors, parse
from relsent_ir.answers.vetoes import named_shares, reports_nothing, states_aim
from relsent_ir.text.words import default_stopwords

STOPS = frozenset(default_stopwords())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("This study addressed the effects of murinol on cough.", True),
        ("In the present study we examined the role of murinol in cough.", True),
        ("We evaluated murinol for cough.", True),
        ("To determine the effect of murinol on cough, 20 mice ran.", True),
        ("The role of murinol in cough is also discussed.", True),
        ("The aim of this study was weight with murinol.", True),
        ("Murinol will be tried for weight.", True),
        ("We aimed at less cough with murinol.", True),
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
    (finding,), (outcome, both) = named_shares(parse(question), "", texts, vectors)
    assert finding.tolist() == outcome.tolist() == [0, 0, 1, 1]
    assert both.tolist() == [0, 0, 0, 1]
    assert named_shares(parse("What is murinol?"), "", texts, vectors) == ((), ())
