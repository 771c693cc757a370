"""Words of laymen and clinicians for the same thing."""

import re
from importlib.resources import files

from relsent_ir.text.lay import lay_words, reword
from relsent_ir.text.words import stem


def test_the_longest_name_at_a_place() -> None:
    """A heart attack is no heart; inflections and capitals are the same name."""
    found = [(start, end, names[0]) for start, end, names in lay_words("Heart attacks, kidneys")]
    assert found == [(0, 13, "myocardial infarction"), (15, 22, "renal")]
    assert list(lay_words("murinol, 5 mg")) == []


def test_both_ways_of_writing_become_one() -> None:
    """What laymen and clinicians write is the same text; other text stays."""
    assert reword("high blood pressure of 3 mice") == "hypertension of 3 mice"
    assert reword("hypertensive mice") == reword("hypertension mice") == "hypertension mice"
    assert reword("") == ""


def test_the_list_has_each_name_once() -> None:
    """No name is on two lines, and each line has at least two."""
    lines = (files("relsent_ir.text") / "lay.txt").read_text(encoding="utf-8").splitlines()
    rows = [re.split(r"[:,] ", line) for line in lines if not line.startswith("#")]
    assert min(map(len, rows)) >= 2
    keys = [
        {tuple(stem(word) for word in re.findall(r"[^\W_]+", name)) for name in row} for row in rows
    ]
    assert sum(map(len, keys)) == len(set.union(*keys))
