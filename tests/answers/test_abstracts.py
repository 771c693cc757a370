"""Whether an abstract answers."""

import numpy as np
import pytest

from relsent_ir.answers.abstracts import (
    ABSTRACT_NAMES,
    GENERAL,
    cover,
    is_imprint,
    lacking,
    other_forms,
    query_words,
    sentence_rows,
    short_forms,
    shortened,
)
from relsent_ir.answers.classifiers import probabilities_of
from relsent_ir.answers.language import WordVectors, parse
from relsent_ir.records import Record, Sentence
from tests.answers.conftest import invented

VECTORS = WordVectors(
    ("murinol", "obes", "weight"),
    np.array([[1.0, 0.0], [0.0, 1.0], [0.6, 0.8]]),
    np.array([1, 1, 1]),
    7,
    frozenset({"does", "in", "the", "of", "is", "what"}),
)
IDF = {"murinol": 3.0, "weight": 1.0, "does": 0.1, "reduce": 0.5, "falls": 2.0}


def _body(*texts: str, move: str = "CONCLUSION") -> list[Sentence]:
    return [Sentence("1", n, text, move, 1.0) for n, text in enumerate(texts, 1)]


def test_forms() -> None:
    """What an abstract defines, of which the question has either form; the most frequent one."""
    texts = [
        "Grey mouse disease (GMD) is rare. Body mass index (BMI) rose.",
        "Great murine distress (GMD) is not rare.",
        "Great murine distress (GMD) again.",
    ]
    assert short_forms("Is GMD rare?", texts) == (("great murine distress", "gmd"),)
    forms = short_forms("Is grey mouse disease rare?", texts)
    assert forms == (("grey mouse disease", "gmd"),)
    assert shortened("Grey mouse disease in mice", forms) == "gmd in mice"
    assert other_forms("Is grey mouse disease rare?", forms) == "gmd"
    assert other_forms("Is GMD rare?", forms) == "grey mouse disease"
    assert short_forms("Why?", texts) == ()
    assert short_forms("What is grey mouse disease?", ["Grey mouse disease (gmd) is rare."]) == ()
    asked = query_words(parse("Is GMD rare?"), VECTORS, IDF, forms)
    assert asked.terms("GMD, 3 gmd", VECTORS) == ["gmd", "3"]


def test_wanted_and_covered() -> None:
    """Words weigh by the collection; they are covered by near ones and other spellings."""
    found = query_words(
        parse("Does murinol reduce the risk of falls?"), VECTORS, {**IDF, "risk": 2.0}
    )
    assert found.words == ("murinol", "risk", "fall")
    assert found.weights == pytest.approx([3.0, 2.0 * GENERAL, 2.0], abs=1e-4)
    assert found.subject.tolist() == [True, False, False]
    assert found.outcome.tolist() == [False, True, True]
    assert not query_words(parse("What is murinol?"), VECTORS).outcome.any()
    asked = query_words(parse("Does murinol reduce weight?"), VECTORS, IDF)
    covered = cover(asked, Record("1", "Murinol"), _body("Obese.", "Weights of mice."), VECTORS)
    assert covered.values == pytest.approx(np.array([[1, 0, 0.36], [0.36, 0.64, 1]]))
    assert covered.share(covered.values) == pytest.approx(
        [(3 + 0.36) / 4, 0.64 / 4, (3 * 0.36 + 1) / 4], abs=1e-5
    )
    pair = "Does murinol prevent oesophagitis?", "Does murinol prevent esophagitis?"
    for question, text in (pair, pair[::-1]):
        asked = query_words(parse(question), VECTORS, IDF)
        assert asked.words == ("murinol", "esophag")
        covered = cover(asked, Record("1", "Murinol"), _body(text), VECTORS)
        assert covered.values.tolist() == [[1, 1], [0, 1]]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[References: 119]", True),
        ("(ABSTRACT TRUNCATED AT 250 WORDS)", True),
        ("Copyright 2003 Mouse Press.", True),
        ("ClinicalTrials.gov NCT0123.", True),
        ("References to mice were rare.", False),
        ("Registered on 3 May.", True),
        ("Registered mice ran.", False),
        ("Controlled trials of murinol are rare.", False),
        ("This trial was registered at mice.org.", True),
        ("Australian Mouse Trials Registry 0123.", True),
        ("Key words: mice, weight.", True),
        ("Sponsors: the Mouse Society.", True),
        ("This article is part of an issue on mice.", True),
        ("Mouse trials registered more weight.", False),
    ],
)
def test_imprints(text: str, expected: bool) -> None:
    """References, rights and registrations, which say nothing of what was found."""
    assert is_imprint(text) is expected


def test_rows() -> None:
    """Sentences are described alike for a claim and what is none; a column tells which it is."""
    body = _body("Weight fell.", "Further trials are needed to tell.")
    rows = {}
    for question in ("Does murinol reduce weight?", "What is the rate of weight?"):
        covered = cover(
            query_words(parse(question), VECTORS, IDF), Record("1", "Murinol"), body, VECTORS
        )
        verdicts = np.array([[0.5, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0], [0.0] * 7])
        rows[question] = sentence_rows(covered, body, np.array([0.5, 0.5]), verdicts, 0.25)
        assert rows[question].shape == (2, len(ABSTRACT_NAMES))
    claim, other = (dict(zip(ABSTRACT_NAMES, row.T, strict=True)) for row in rows.values())
    assert (claim["claim"].tolist(), other["claim"].tolist()) == ([1, 1], [0, 0])
    assert claim["void"].tolist() == other["void"].tolist() == [0, 1]
    assert claim["verdict"].tolist() == [0.5, 0]
    assert claim["no"].tolist() == claim["against"].tolist() == [1, 0]
    # "weight" is like "murinol" by the cosine .6, whose square counts; murinol weighs 3
    assert claim["both"] == pytest.approx([1, (3 + 0.36) / 4], abs=1e-5)
    assert claim["subject here"] == pytest.approx([0.36, 0])
    assert claim["dense"].tolist() == [0.5, 0]
    assert (claim["parts"].tolist(), other["parts"].tolist()) == ([1, 1], [0, 0])
    assert claim["conclusion"].tolist() == [1, 1]
    assert claim["subject"].tolist() == claim["comparator"].tolist() == [1, 1]
    assert claim["behind"].tolist() == other["behind"].tolist() == [0.25, 0.25]
    assert claim["share"] == pytest.approx([0, 0])
    assert claim["together"] == pytest.approx([0.36, 0])
    assert claim["open"].tolist() == claim["methods"].tolist() == [0, 0]
    weights = np.append(np.zeros(len(ABSTRACT_NAMES)), np.log(3.0))
    assert probabilities_of(weights, rows["Does murinol reduce weight?"]) == pytest.approx(
        [0.75, 0.75]
    )


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("How common are falls?", [1, -1, -1, -1]),
        ("How long do mice sleep?", [-1, 1, -1, -1]),
        ("When do mice wake?", [-1, 1, -1, -1]),
        ("Which dose of murinol reduces weight?", [-1, -1, 1, -1]),
        ("How much does murinol reduce weight?", [1, 1, 1, -1]),
        ("How often and how long do mice sleep?", [1, 1, -1, -1]),
        ("Why do mice sleep?", [0, 0, 0, 0]),
        ("Does the dose of murinol affect weight?", [0, 0, 0, 0]),
    ],
)
def test_asked_figures(question: str, expected: list[int]) -> None:
    """A sentence has a figure of the kind that is asked for, or lacks it."""
    body = _body("Of 40 mice 12% fell.", "They slept 5 hours.", "They ate 5 mg.", "Mice fell.")
    covered = cover(query_words(parse(question), VECTORS, IDF), Record("1"), body, VECTORS)
    rows = sentence_rows(covered, body, np.full(4, 0.5), np.zeros((4, 7)), 0.0)
    assert rows[:, ABSTRACT_NAMES.index("asked")].tolist() == expected


def test_what_an_abstract_lacks() -> None:
    """Words of the question in no form; function words and verbs of asking do not count."""
    record = invented(1, "murinol")
    assert lacking(parse("Does murinol reduce body weights of mice?"), record, ("of",)) == []
    assert lacking(parse("Does ratinol reduce Weight or falls, or falls?"), record, {"or"}) == [
        "ratinol",
        "falls",
    ]
    assert lacking(parse(""), record, ()) == []
    spelt = Record("1", "Diarrhea and tumours")
    assert lacking(parse("Does xylol reduce diarrhoea and tumor size?"), spelt, {"and"}) == [
        "xylol",
        "size",
    ]
    lay = Record("1", "Hemorrhage after a myocardial infarction")
    asked = parse("How long does bleeding last after heart attacks in kidneys?")
    assert lacking(asked, lay, {"after", "in", "last"}) == ["kidneys"]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Is ratinol E associated with lower survival?", ["ratinol", "survival"]),
        ("Does ratinol, compared to placebo, reduce falls in children?", ["ratinol", "falls"]),
        ("How does ratinol affect gout?", ["ratinol", "gout"]),
        ("Are levels of ratinol elevated in mice?", ["ratinol"]),
        ("the role of ratinol", ["ratinol"]),
    ],
)
def test_what_lacks_is_of_subject_and_outcome(question: str, expected: list[str]) -> None:
    """No directions, no verbs, no letters, no general words, and neither comparator nor group."""
    assert lacking(parse(question), invented(1, "murinol"), {"the", "of", "in", "with"}) == expected
