"""Rows of phrases."""

import pytest

from relsent_ir.text.parsing import default_parser
from relsent_ir.text.phrases import find_phrases


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("The kinase binds Abc1.", "DVN"),
        ("Abc1 is not activated by Xyz2.", "NPyN"),
        ("Abc1 appears to bind Xyz2.", "NVtN"),
        ("Abc1 was found to be phosphorylated by the kinase.", "NPqyD"),
        ("Abc1 is essential for growth.", "NbapN"),
        ("Cells treated with Abc1 died.", "NnpNV"),
        ("Kinases, including Abc1, which bind Xyz2, were seen.", "N,eN,WVN,P"),
        ("Abc1 as well as Xyz2 acts through Def3 (Fig. 1).", "NcNVwN(N)"),
        ("While Abc1 does not bind, Xyz2 may.", "sNV,NV"),
        ("Here, both Abc1 and Xyz2 were bound in vitro.", "NcNP"),
    ],
)
def test_codes(text: str, codes: str) -> None:
    """Verb groups by kind, prepositions by word, adverbs nowhere."""
    parsed = default_parser().parse([text])[0]
    assert find_phrases(parsed.words, parsed.tags, parsed.chunks).codes == codes


def test_tokens_of_phrases() -> None:
    """Phrases have their tokens, in order; nothing in, nothing out."""
    words = ["The", "kinase", "does", "not", "bind", "Abc1"]
    tags = ["DT", "NN", "VBZ", "RB", "VB", "NN"]
    found = find_phrases(words, tags, ["B-NP", "I-NP", "O", "O", "O", "B-NP"])
    assert found.codes == "DVN"
    assert list(zip(found.starts, found.ends, strict=True)) == [(0, 2), (2, 5), (5, 6)]
    assert find_phrases([], [], []).codes == ""
