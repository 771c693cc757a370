"""Pooled answers of abstracts, and reasons."""

from dataclasses import replace

import numpy as np
import pytest

from relsent_ir.answers.classifiers import SLOTS
from relsent_ir.answers.directions import Direction
from relsent_ir.answers.language import parse
from relsent_ir.answers.model import default_model
from relsent_ir.answers.pooling import MOST, OTHER, design, pool, reasons, size
from relsent_ir.answers.searching import AbstractAnswers, Answer
from relsent_ir.answers.sentence_features import NAMES, sentence_features
from relsent_ir.records import Record, Section, Sentence

STOPWORDS = default_model().stopwords
QUESTION = "Does murinol help?"


def _answering(
    name: str, verdict: str, text: str = "", year: str = "", star: bool = True
) -> AbstractAnswers:
    record = Record(name, f"T{name}", sections=(Section(text),), year=year)
    direction = Direction(verdict, 0.9, True) if verdict else None
    answer = Answer(f"{name}.1", "RESULTS", 1, 1, star, f"S{name}", "finding", direction, 0.9)
    return AbstractAnswers(record, 1.0, [answer], [], 0.9)


def test_few_are_quoted() -> None:
    """None, one and two have no tally."""
    assert pool(parse("?"), [], STOPWORDS).headline == "nothing found"
    unsure = _answering("1", "yes", star=False)
    found = pool(parse(QUESTION), [unsure], STOPWORDS)
    assert (found.quotes, found.headline) == ((), "no abstract surely answers")
    found = pool(parse(QUESTION), [replace(unsure, probability=0.03)], STOPWORDS)
    assert (found.quotes, found.headline[:13]) == ((), "nothing found")
    one = pool(parse(QUESTION), [_answering("1", "yes")], STOPWORDS)
    assert (one.headline, one.counts) == ('1 abstract says yes: "S1"', {})
    assert one.lines() == [one.headline]
    open_question = pool(parse("What helps?"), [_answering("1", "")], STOPWORDS)
    assert (open_question.headline, open_question.counts) == ('likeliest answer (0.90): "S1"', {})


def test_what_is_missing() -> None:
    """Words that no abstract has; else the kind of answer, on the words of the question."""
    question = parse("How common is snoring in children?")
    unsure = replace(_answering("1", "", star=False), probability=0.03)
    found = pool(question, [unsure, replace(unsure, lacks=["snoring"])], STOPWORDS)
    assert found.headline == "nothing found: no sentence gives a share on snoring, children"
    found = pool(question, [replace(unsure, lacks=["snoring"])], STOPWORDS)
    assert found.headline == "nothing found: none of these abstracts has snoring"
    asked = parse("What percentage of children have snoring?")
    found = pool(asked, [replace(unsure, lacks=["percentage"])], STOPWORDS)
    assert found.missing == "no sentence gives a share on children, snoring"
    found = pool(parse("What causes snoring?"), [unsure], STOPWORDS)
    assert found.headline == "nothing found: no sentence gives an answer on snoring"


def test_a_tally() -> None:
    """From three on; each is quoted, by verdict, the strongest design first, then the largest."""
    found = pool(
        parse(QUESTION),
        [
            _answering("1", "yes", "A cohort of 9,000 women.", "1990"),
            _answering("2", "no", "We saw 30 patients.", "2001"),
            _answering("3", "yes", "Randomized: 40 patients.", "1980"),
            _answering("4", "yes", "Randomized: 400 patients.", "1970"),
            _answering("5", "yes", "Randomized: 40 patients.", "1999"),
        ],
        STOPWORDS,
    )
    assert found.headline == "of 5 abstracts that answer: 4 yes, 1 no"
    assert found.counts == {"yes": 4, "no": 1, "unclear": 0}
    assert [quote.record for quote in found.quotes] == ["4", "5", "3", "1", "2"]
    head, *lines = found.lines()
    assert head == found.headline
    assert lines[0] == 'yes     4, randomized trial, 400 people, 1970: "S4"'
    assert lines[-1] == 'no      2, other, 30 people, 2001: "S2"'
    told = found.to_dict()
    assert (told["kind"], told["asked"], told["answering"]) == ("yes/no", 5, 5)
    assert told["quotes"][0]["text"] == "S4"


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        (Record("1", "Mice", publication_types=("Meta-Analysis", "Review")), "meta-analysis"),
        (Record("1", "Mice: a systematic review"), "systematic review"),
        (Record("1", "Mice", sections=(Section("A double-blind study."),)), "randomized trial"),
        (Record("1", "Mice"), OTHER),
    ],
)
def test_designs(record: Record, expected: str) -> None:
    """Publication types before the title before the abstract."""
    assert design(record) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Of 1,200 postmenopausal women and 30 men, 3 left.", 1200),
        ("In 12 patients", 12),
        ("In 12 mice.", 0),
        ("", 0),
    ],
)
def test_size(text: str, expected: int) -> None:
    """The largest number before people."""
    assert size(Record("1", sections=(Section(text),))) == expected


REASONED = "Does murinol reduce the weight of mice?"
TAGGED = (
    Sentence("1", 1, "We asked whether murinol changes weight.", "PURPOSE", 0.9),
    Sentence("1", 2, "The weight of mice fell with murinol.", "RESULTS", 0.9),
    Sentence("1", 3, "Murinol may reduce weight.", "CONCLUSION", 0.9),
)


@pytest.mark.parametrize("slot", SLOTS)
def test_reasons(slot: str) -> None:
    """All parts together say how much likelier a sentence is than another."""
    model = default_model()
    features = sentence_features(parse(REASONED), "", TAGGED, model.vectors)
    step = model.weights.slots[SLOTS.index(slot)]
    shares = np.log(step.shares(features))
    for n in range(3):
        found = reasons(model, parse(REASONED), "", TAGGED, n, slot)
        assert 0 < len(found) <= MOST
        assert set(dict(found)) <= set(NAMES)
        sizes = [abs(weight) for _, weight in found]
        assert sizes == sorted(sizes, reverse=True)
    parts = features / step.deviation * step.weights
    own = parts - parts.mean(axis=0)
    assert own.sum(axis=1) == pytest.approx(shares - shares.mean())
    best = NAMES[int(np.abs(own[2]).argmax())]
    assert reasons(model, parse(REASONED), "", TAGGED, 2, slot)[0] == (
        best,
        pytest.approx(own[2][np.abs(own[2]).argmax()]),
    )


def test_a_number_of_thousands_of_digits_counts_nobody() -> None:
    """Python refuses to read one; nothing is that many people."""
    assert size(Record("1", sections=(Section(f"In {'1' * 5000} patients."),))) == 0
