"""Short forms read in long ones, against a search through all ways."""

import itertools
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from relsent_ir.records.abbreviations import align

WORDS = st.lists(
    st.sampled_from(["ab", "a-b", "of", "the", "bab", "aBa", "b1a", "in", "c"]), max_size=5
)


def slow_align(short, long):
    """Try every way to pick the characters; words here hold only letters, digits and hyphens."""
    places = []
    passing = []
    for n, word in enumerate(long.split()):
        function_word = word in ("of", "the", "in")
        passing.append(1 if function_word else 4)
        for i, character in enumerate(word):
            if character == "-":
                continue
            before = word[i - 1] if i else " "
            risen = character.isupper() and before.islower()
            part = before == "-" or character.isdigit() != before.isdigit() or risen
            cost = 0 if before == " " else 1 if part else 2
            first = cost < 2 and word not in ("of", "the")
            position = sum(len(w) + 1 for w in long.split()[:n]) + i
            places.append((position, character.lower(), n, cost, first))
    best = (math.inf, 0)
    for way in itertools.combinations(places, len(short)):
        if [place[1] for place in way] == list(short.lower()) and way[0][4]:
            used = {place[2] for place in way}
            passed = [n for n in range(way[0][2], len(passing)) if n not in used]
            cost = sum(place[3] for place in way) + sum(passing[n] for n in passed)
            best = min(best, (cost, -way[0][0]))
    return best[0], -best[1]


@settings(derandomize=True, deadline=None)
@given(st.text("ABabc", min_size=1, max_size=3), WORDS)
def test_cheapest_of_all_ways(short, words):
    """Cost and start equal those of a search through all ways."""
    long = " ".join(words)
    assert align(short, long) == slow_align(short, long)


@pytest.mark.parametrize(
    ("short", "long", "cost"),
    [
        ("GWM", "grey wood mouse", 0),
        ("GM", "grey wood mouse", 4),  # wood is passed over
        ("G-M", "grey of mouse", 1),  # a function word is
        ("GM", "grey-mouse", 1),  # a part of a word
        ("GW", "grewy", 2),  # inside a word
        ("2G", "two greys", 0),  # a digit for a word
        ("G3", "grey mouse", 7),  # no digit, and mouse passed over
        ("GMs", "grey mice", 3),  # no plural s
    ],
)
def test_costs(short, long, cost):
    """What each thing costs."""
    assert align(short, long) == (cost, 0)


@pytest.mark.parametrize(
    ("short", "long"), [("GM", ""), ("GM", "grey"), ("G345", "grey"), ("m", "amm")]
)
def test_no_way(short, long):
    """No match, or none that starts at a word: the cost is infinite."""
    assert align(short, long)[0] == math.inf


def test_whole_starts_with_the_first_word():
    """With `whole` the long form cannot start later."""
    assert align("WM", "grey wood mouse") == (0, 5)
    assert align("WM", "grey wood mouse", whole=True)[0] == math.inf
