"""Cues."""

import pytest

from relsent_ir.answers.features import CUE_NAMES, cues


@pytest.mark.parametrize(
    ("text", "cue"),
    [
        ("Weight fell (P < 0.01).", "p-value"),
        ("It was 3 (95% CI 1 to 5).", "interval"),
        ("The odds ratio was two.", "ratio"),
        ("Of mice 40% slept.", "percent"),
        ("Ears were longer.", "comparison"),
        ("Between groups it was alike.", "groups"),
        ("A significant fall.", "significance"),
        ("Ears did not grow.", "negation"),
        ("Murinol may help.", "hedge"),
        ("We conclude so.", "conclusion"),
        ("The primary outcome was weight.", "design"),
        ("We tried to assess it.", "aim"),
        ("At baseline they were old.", "baseline"),
        ("In 2 of 3 mice.", "numbers"),
    ],
)
def test_each_cue(text: str, cue: str) -> None:
    """A sentence that says it has it, another one has not."""
    found = cues([text, "Mice sleep."], "weight")[:, CUE_NAMES.index(cue)]
    assert found[0] > 0
    assert found[1] == 0


def test_harms_count_by_the_question() -> None:
    """A sentence on harms counts one way or the other."""
    texts = ["Adverse events were rare.", "Weight fell."]
    columns = [CUE_NAMES.index("asked for harms"), CUE_NAMES.index("harms")]
    assert cues(texts, "safety")[:, columns].tolist() == [[1, 0], [0, 0]]
    assert cues(texts, "weight")[:, columns].tolist() == [[0, 1], [0, 0]]


def test_a_cue_counts_three_times_at_most() -> None:
    """However often it is said."""
    assert cues(["not " * 9], "")[0, CUE_NAMES.index("negation")] == 3


def test_no_sentences() -> None:
    """An empty abstract has no rows."""
    assert cues([], "weight").shape == (0, len(CUE_NAMES))
