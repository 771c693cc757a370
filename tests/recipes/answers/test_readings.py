"""Verdicts and grades of readers, and learning from them."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from recipes.answers.readings import (
    STARS,
    Graded,
    findings_said,
    learn_abstracts,
    learn_verdicts,
    read_graded,
    read_said,
)
from relsent_ir.answers.abstracts import ABSTRACT_NAMES
from relsent_ir.answers.language import parse
from relsent_ir.answers.questions import Posed
from relsent_ir.errors import InputError
from relsent_ir.records import Record, Section


def test_what_sentences_say(tmp_path: Path) -> None:
    """The question is the title; a silent sentence is unclear, and not judged by."""
    record = Record("7", "Does murinol reduce falls?", sections=(Section("It does. It fell."),))
    path = tmp_path / "said.tsv"
    path.write_text("7.1\tyes\n7.2\tsilent\n", encoding="utf-8")
    first, second = read_said(path, [record], frozenset({"it", "does"}))
    assert (first.record, first.verdict, first.judged, first.weight) == ("7", "yes", True, 1.0)
    assert (second.verdict, second.judged) == ("unclear", False)
    denied = replace(record, title="Murinol does not reduce falls")
    assert read_said(path, [denied], frozenset())[0].verdict == "no"
    for line in ("8.1\tyes", "7.1\tperhaps", "7.9\tyes", "7.1", "7.x\tyes"):
        path.write_text(line + "\n", encoding="utf-8")
        with pytest.raises(InputError, match=r"said\.tsv:1: "):
            read_said(path, [record], frozenset())


def test_findings_are_asked_both_ways(posed: list[Posed]) -> None:
    """A fall is a yes to whether it falls, and a no to whether it rises."""
    assert findings_said(posed, frozenset()) == []
    question = replace(posed[0].question, label="significantly decreased")
    fell = replace(posed[0], question=question)
    up, down = findings_said([fell, fell], frozenset())
    assert (up.verdict, down.verdict, up.judged) == ("no", "yes", False)
    model = learn_verdicts(
        [replace(one, record=str(n), judged=True) for n in range(12) for one in (up, down)]
    )
    text = fell.tagged[5].text
    assert model.read(parse("Does murinol reduce body weight?"), text, frozenset()).label == "yes"


def test_graded(tmp_path: Path) -> None:
    """A line a sentence, with the grades of its readers; others are named."""
    path = tmp_path / "g.tsv"
    lines = "abstracts\t1\t7.2\t2\t1\ncf\t2\t8.1\tpart\tno\ncf\t2\t8.2\tunclear\n"
    path.write_text(lines, encoding="utf-8")
    assert read_graded(path) == [
        Graded("abstracts", "1", "7.2", 1.5),
        Graded("cf", "2", "8.1", 1.5, "no"),
        Graded("cf", "2", "8.2", 2.0, "unclear"),
    ]
    for line in ("cf\t2\t8.1", "cf\t2\t8.1\t3", "cf\t2\t8.1\tmaybe", "cf", ""):
        path.write_text(f"cf\t2\t8.1\t0\n{line}\n", encoding="utf-8")
        with pytest.raises(InputError, match=r"g\.tsv:2: no collection, topic"):
            read_graded(path)


def test_learned() -> None:
    """What tells has a weight, what is always alike none, in each of three rows; then the star's.

    The likelier verdicts are no, no, yes, yes: a grade without a verdict, and the verdict itself,
    are right; a title that says *no* where *yes* is likelier is wrong.
    """
    features = np.full((4, len(ABSTRACT_NAMES)), 5.0)
    features[:, 0] = 1, 2, 3, 4
    features[:, ABSTRACT_NAMES.index("no")] = 1, 1, 0, 0
    features[:, ABSTRACT_NAMES.index("claim")] = 1
    grades = zip((0.0, 1.0, 2.0, 2.0), ("", "", "", "yes"), strict=True)
    graded = [Graded("abstracts", "1", f"7.{n}", *of) for n, of in enumerate(grades)]
    titles = ["no", "no", "no", ""]
    weights = learn_abstracts((graded, features), (features, titles), (features, titles))
    assert weights.shape == (3, len(ABSTRACT_NAMES) + 2)
    assert (weights[0, 0] > 0, weights[1, 0] > 0, weights[2, 0] < 0) == (False, True, True)
    assert weights[:, 1] == pytest.approx(0)
    sums = features @ weights[1, :-2] + weights[1, -2]
    assert sums[0] == pytest.approx(-sums[3])
    assert weights[:, -1].tolist() == list(STARS)
