"""What the CRF sees."""

from relsent_ir.moves.features import GROUPS, abstract_features

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
    """Repeated words are one feature, and no group's strings are another's."""
    found = abstract_features("Mice eat mice", ["Mice, mice, mice, 5% and 6%."], GROUPS)
    assert len(found[0]) == len(set(found[0]))


def test_nothing() -> None:
    """No sentences, no features; an empty sentence has a place."""
    assert abstract_features("", [], GROUPS) == []
    assert "P0" in abstract_features("", [""], GROUPS)[0]
