"""The chunker learns."""

from relsent_ir.text.chunker import Chunker
from relsent_ir.text.treebank import TreeSentence

BANK = [
    TreeSentence("1", ("The", "cat", "runs"), ("DT", "NN", "VBZ"), ("B-NP", "I-NP", "O")),
    TreeSentence("2", ("Dogs", "sleep", "."), ("NNS", "VBP", "."), ("B-NP", "O", "O")),
] * 5


def test_train() -> None:
    """Phrases follow the tags, and none begins with I-NP."""
    chunker = Chunker.train(BANK)
    assert chunker.chunk([["A", "mouse", "eats"]], [["DT", "NN", "VBZ"]]) == [["B-NP", "I-NP", "O"]]
    odd = chunker.chunk([["cat", "The"], []], [["NN", "DT"], []])
    assert odd[1] == []
    assert "".join(chunk[0] for chunk in odd[0]).find("OI") < 0
