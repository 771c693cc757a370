"""The tagger learns."""

from relsent_ir.text.tagger import Tagger
from relsent_ir.text.treebank import TreeSentence

BANK = [
    TreeSentence("1", ("The", "cat", "runs"), ("DT", "NN", "VBZ"), ("B-NP", "I-NP", "O")),
    TreeSentence("2", ("A", "dog", "sleeps"), ("DT", "NN", "VBZ"), ("B-NP", "I-NP", "O")),
] * 5


def test_train() -> None:
    """A tagger of two sentences knows them, and guesses an unseen verb by its ending."""
    tagger = Tagger.train(BANK)
    found = tagger.tag([["The", "dog", "barks"], []])
    assert found == [["DT", "NN", "VBZ"], []]
