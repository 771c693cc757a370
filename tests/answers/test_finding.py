"""Answers of one abstract."""

import numpy as np
import pytest

from relsent_ir.answers import default_model, find_answers
from relsent_ir.answers.linear import Judged
from relsent_ir.answers.searching import ranked
from relsent_ir.records import Record, Section, Sentence
from tests.answers.conftest import invented

QUESTION = "Compared with placebo, what is the effect of murinol on body weight?"


def test_the_best_first() -> None:
    """All sentences of the abstract, by score; ids are those of the index."""
    found = find_answers(default_model(), QUESTION, invented(1, "murinol"))
    assert found[0].id == "001.6"
    assert found[0].is_answer
    assert found[0].move == "RESULTS"
    assert found[0].text.startswith("Body weight fell")
    assert sorted(answer.id for answer in found) == [f"001.{n}" for n in range(1, 9)]
    assert [a.score for a in found] == sorted((a.score for a in found), reverse=True)


def test_without_structure() -> None:
    """The CRF gives the moves, and the same sentence answers."""
    found = find_answers(default_model(), QUESTION, invented(1, "murinol"), labels=False)
    assert found[0].id == "001.6"


@pytest.mark.parametrize("question", ["", "What is the effect of the", "?", "zzz"])
def test_questions_that_match_nothing(question: str) -> None:
    """What sentences say decides: a result comes before an aim."""
    found = find_answers(default_model(), question, invented(1, "murinol"))
    assert len(found) == 8
    assert found[0].move in ("RESULTS", "CONCLUSION")


def test_without_an_abstract() -> None:
    """There is nothing to rank."""
    assert find_answers(default_model(), QUESTION, Record("1", "Murinol")) == []


def test_without_a_title_or_a_claim_zone() -> None:
    """Aims and methods alone are ranked as well."""
    methods = Record("1", sections=(Section("Mice were weighed. They ran far.", "METHODS"),))
    assert len(find_answers(default_model(), QUESTION, methods)) == 2


def test_ties_stand_as_in_the_abstract() -> None:
    """The second sentence is before the tenth."""
    tagged = [Sentence("1", n, "Text.") for n in range(1, 12)]
    scores = np.zeros(11)
    scores[4] = 1.0
    judged = Judged(scores, scores, scores > 0.5)
    assert ranked(tagged, judged).ids.tolist() == [f"1.{n}" for n in (5, 1, 2, 3, 4, *range(6, 12))]
