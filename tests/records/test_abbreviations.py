"""Abbreviation definitions: one case a rule, odd texts, and the figure on MED1250."""

import itertools
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from relsent_ir.records.abbreviations import align, find_abbreviations
from relsent_ir.text.tokens import WORDS_MAX

TEXT = st.text(alphabet=st.sampled_from("aAbB1 ()[]-,;.='αß"), max_size=60) | st.text()


@pytest.mark.parametrize(
    ("text", "short", "long"),
    [
        ("We saw the grey wood mouse (GWM) here.", "GWM", "grey wood mouse"),
        ("The GWM (grey wood mouse) was seen.", "GWM", "grey wood mouse"),
        ("A grey wood mouse [GWM] slept.", "GWM", "grey wood mouse"),
        ("Two grey wood mice (GWMs; n = 2) slept.", "GWMs", "grey wood mice"),
        ("Two grey wood mouses (GWMs; n = 2) slept.", "GWMs", "grey wood mouses"),
        ("A grey wood mouse (GWM, 20 g) slept.", "GWM", "grey wood mouse"),
        ("A grey wood mouse (or GWM) slept.", "GWM", "grey wood mouse"),
        ("A grey wood mouse (hereafter called GWM) slept.", "GWM", "grey wood mouse"),
        ("We used thiomurinol (TMU) in all.", "TMU", "thiomurinol"),
        ("We used 2,6-dimurinol (DM) in all.", "DM", "2,6-dimurinol"),
        ("A two-tailed test (2TT) was done.", "2TT", "two-tailed test"),
        ("Wood mouse factor 7 (WMF7) rose.", "WMF7", "Wood mouse factor 7"),
        ("Some trimurinine (T3) was there.", "T3", "trimurinine"),
        ("Care and rest in the wood (CRW) was best.", "CRW", "Care and rest in the wood"),
        ("Mean mouse murinol (M) fell.", "M", "murinol"),
        ("The wood factor (WF)-alpha rose.", "WF", "wood factor"),
        ("Forced murine effort (FME(2)) fell.", "FME(2)", "Forced murine effort"),
        # Words' first letters count, where Schwartz and Hearst would stop at the m of "tumor".
        ("The new murine rat tumor (MRT) grew.", "MRT", "murine rat tumor"),
        ("All tail rank tests (TRT) agreed.", "TRT", "tail rank tests"),
        ("A time to the maximum (TM) was set.", "TM", "time to the maximum"),
        ("An in vitro assay (IVA) was done.", "IVA", "in vitro assay"),
        ("We saw the grey\n wood mouse\u00a0(GWM).", "GWM", "grey wood mouse"),
    ],
)
def test_definitions(text, short, long):
    """A short form in brackets has the words before it as its long form, or the other way round."""
    assert find_abbreviations(text) == [(short, long)]


def test_order_of_appearance_and_no_repetition():
    """Pairs come in the text's order, each once, also from brackets within brackets."""
    text = (
        "Wood mice (tail length (TL) and body weight (BW)) ran. "
        "The field vole (FV) did not. Each field vole (FV) had a tail length (TL)."
    )
    assert find_abbreviations(text) == [
        ("TL", "tail length"),
        ("BW", "body weight"),
        ("FV", "field vole"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "(GWM)",
        "Grey wood mice ran. They (GWM) slept.",  # the long form is in another sentence
        "The rat (GWM) slept.",  # the letters are not there
        "Grey and then, after much that was of no use, wood mice (GWM) ran.",  # too far
        "Mice and rats in the area (male) ran.",  # a word, not a short form
        "It fell in all patients (P < 0.01) and patients (p<0.01) alike.",
        "Their numbers (n = 20) rose, see also Table 2 (i.e. below).",
        "We measured PaO(2) and [K+]e.",
        "Mice got the new dimer (2d) alone.",  # a compound's number
        "Copyright (c) of them.",
        "The mouse (mouse) ran.",
        "Grey wood mouse (GWM ran.",
        "Grey wood mouse (GWM] ran.",
        f"Grey wood mice (GWM) ran {'and ran ' * WORDS_MAX}.",
    ],
)
def test_no_definition(text):
    """What only looks like a definition is none."""
    assert find_abbreviations(text) == []


@settings(derandomize=True, deadline=None)
@given(TEXT)
def test_any_text_is_read(text):
    """It never raises, and both forms of a pair occur in the text, the long one longer."""
    plain = " ".join(text.split())
    for short, long in find_abbreviations(text):
        assert short in plain
        assert long in plain
        assert len(long) > len(short)


@pytest.mark.parametrize(
    "text",
    [
        "(" * 100_000,
        "a (" * 40_000 + "a" + ")" * 40_000,
        "aaaaaaaaaa (aaaaaaaaaaaa) " * 4_000,
        "a" * 1_000_000 + " (AAA)",
        "() " * 30_000,
        "Aa (AA " * 20_000,
    ],
    ids=["open", "nested", "repeated", "long", "empty", "unclosed"],
)
def test_odd_texts_end(text):
    """Texts on which a careless search would take quadratic time or worse."""
    assert len(find_abbreviations(text)) < 2


def test_med1250(data):
    """The pairs' F1 on the first half of MED1250 is at least 0.9, each record's pairs a set."""
    right = found = gold = 0
    text = (data / "abbreviations/med1250-first625.txt").read_text(encoding="utf-8")
    for block in text.strip("\n").split("\n\n"):
        lines = block.split("\n")
        pairs = [line.strip().split("|", 1) for line in lines[3:] if line.startswith("  ")]
        expected = {(normal(short), normal(long)) for short, long in pairs}
        answer = {
            (normal(short), normal(long))
            for line in lines[1:3]
            for short, long in find_abbreviations(line)
        }
        right += len(expected & answer)
        found += len(answer)
        gold += len(expected)
    assert gold == 621
    assert 2 * right / (found + gold) >= 0.9


def normal(form):
    """Fold case and collapse white space."""
    return " ".join(form.split()).casefold()


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
