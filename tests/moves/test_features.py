"""What the CRF sees, the tense of sentences among it."""

import pytest

from relsent_ir.moves.features import GROUPS, abstract_features, shorten, tense, title_similarities
from relsent_ir.text.words import words


def test_long_forms_and_cosines() -> None:
    """What one text defines is replaced in all; function words and numbers do not count."""
    texts = ["Murine fever virus and mice", "The murine fever virus (MFV) is rare.", "Murine fever"]
    assert shorten(texts) == ["mfv and mice", "the mfv (mfv) is rare.", "murine fever"]
    found = title_similarities("Murinol in old mice", ["We gave mice murinol.", "The 3 of 4.", ""])
    assert found == [pytest.approx(2 / (3 * 3) ** 0.5), 0.0, 0.0]
    sentences = ["Murine fever virus (MFV) is rare.", "MFV kills."]
    assert title_similarities("Murine fever virus", sentences)[1] == pytest.approx(0.5**0.5)
    assert title_similarities("", ["Mice eat."]) == [0.0]


SENTENCES = ["We fed mice.", "Mice ate 5%."]


def test_each_group_by_hand() -> None:
    """The strings of every group, for an abstract of two sentences."""
    expected = {
        "sentence": (["we", "fed", "mice", "we_fed", "fed_mice"], ["mice", "ate", "0", "%"]),
        "neighbours": (["+mice", "+ate_0"], ["-we", "-fed_mice"]),
        "title": (["Tfed", "Tfed_mice"], ["Tfed", "Tfed_mice"]),
        "similarity": (["S10"], ["S5"]),
        "position": (["P0"], ["P5"]),
        "tense": (["Vnone"], ["Vnone"]),
        "place": (["A0", "Z1", "N2"], ["A1", "Z0", "N2"]),
        "opening": (["^we", "^we_fed", "^we_fed_mice"], ["^mice", "^mice_ate", "^mice_ate_0"]),
        "numbers": (["C0", "%0"], ["C1", "%1"]),
        "length": (["L0"], ["L0"]),
    }
    assert set(expected) == set(GROUPS)
    for group, lists in expected.items():
        found = abstract_features("Fed mice", SENTENCES, (group,))
        for strings, some in zip(found, lists, strict=True):
            assert set(some) <= set(strings), group
            if group not in ("sentence", "neighbours", "title"):
                assert strings == some


def test_no_string_twice() -> None:
    """Repeated words are one feature; an empty sentence has a place."""
    found = abstract_features("Mice eat mice", ["Mice, mice, mice, 5% and 6%."], GROUPS)
    assert len(found[0]) == len(set(found[0]))
    assert abstract_features("", [], GROUPS) == []
    assert "P0" in abstract_features("", [""], GROUPS)[0]


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("We conclude that murinol worked in mice.", "present"),
        ("To determine whether murinol was safe.", "infinitive"),
        ("Mice were given murinol for two weeks.", "past"),
        ("Murinol has been shown to help.", "perfect"),
        ("Nobody had tested it before.", "pluperfect"),
        ("The mice had a fever.", "past"),
        ("This trial will enrol 40 mice.", "future"),
        ("Murinol may help some mice.", "modal"),
        ("Mice treated with murinol died.", "past"),
        ("Forty mice that were treated improved.", "past"),
        ("The study included 40 mice.", "past"),
        ("The results of the study showed no effect.", "past"),
        ("Of the treated mice, none is alive.", "present"),
        ("Murinol: a hopeful drug.", "none"),
        ("", "none"),
    ],
)
def test_tense(sentence: str, expected: str) -> None:
    """The first finite verb of the main clause decides."""
    assert tense(words(sentence)) == expected
