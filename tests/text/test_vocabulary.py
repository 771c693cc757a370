"""Sorted strings as bytes."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from relsent_ir.text import vocabulary
from relsent_ir.text.vocabulary import Vocabulary

LETTERS = st.characters(min_codepoint=1, exclude_categories=("Cs",))
NAMES = st.text(LETTERS, max_size=4) | st.text("aé", min_size=15, max_size=40)


@given(st.sets(NAMES), st.lists(NAMES))
@settings(derandomize=True, deadline=None)
def test_find_and_locate(names: set[str], wanted: list[str]):
    """Every string is found at its place, and nothing else is, by bisection or in the table."""
    found = Vocabulary.of(names)
    places = {name: i for i, name in enumerate(sorted(names))}
    assert list(found) == sorted(names) == [found[i] for i in range(len(found))]
    backwards = np.arange(len(found))[::-1]
    assert found.take(np.repeat(backwards, 2)) == [found[i] for i in backwards for _ in range(2)]
    expected = [places.get(name, -1) for name in wanted]
    assert [found.find(name) for name in wanted] == expected
    coded = sorted(name.encode() for name in names)
    for name in wanted:
        assert found.place(name) == sum(other < name.encode() for other in coded)
    many = wanted * (vocabulary._FEW + 1)
    assert found.locate(wanted).tolist() == expected
    assert found.locate(many).tolist() == expected * (vocabulary._FEW + 1)


def test_locate_another_vocabulary():
    """Places of one vocabulary in the other, either being the larger one, or empty."""
    many = Vocabulary.of(f"w{i:04}" for i in range(9000))
    few = Vocabulary.of(["aaa", *(f"w{i:04}" for i in range(0, 9000, 90))])
    assert many.locate(few).tolist() == [-1, *range(0, 9000, 90)]
    places = few.locate(many)
    assert (places >= 0).sum() == 100
    assert places[90] == 2
    some, nothing = Vocabulary.of(["a", "b"]), Vocabulary.of([])
    for _ in range(2):
        assert some.locate(nothing).shape == nothing.locate(nothing).shape == (0,)
        assert nothing.locate(some).tolist() == [-1, -1]
        assert some.locate(["b"] * 2 * vocabulary._FEW).tolist() == [1] * 2 * vocabulary._FEW


def test_locate_long_strings():
    """Strings that begin alike are told apart beyond what lies side by side; few ones too."""
    head = "x" * 40
    found = Vocabulary.of([f"{head}{i:03}" for i in range(200)] + ["y" * 40])
    wanted = [f"{head}150", head, f"{head}000", f"{head}200", "y" * 40, "y" * 41, "z" * 40]
    expected = [150, -1, 0, -1, 200, -1, -1]
    assert found.locate(wanted * 10).tolist() == expected * 10
    assert found.locate(wanted).tolist() == expected
