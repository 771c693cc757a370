"""Train the chunker that comes with the package, by default from GENIA's training part."""

from collections.abc import Sequence

from recipes.chain import Stream, learn
from recipes.treebank import TreeSentence, base_phrases, make
from relsent_ir.text.parsing import Chunker, tag_streams


def main(arguments: list[str]) -> None:
    """Train, measure and save."""
    make("chunker", arguments, train, measure)


def train(sentences: Sequence[TreeSentence]) -> Chunker:
    """Learn the base noun phrases of a treebank, with its own tags."""
    views = tag_streams([s.words for s in sentences], [s.tags for s in sentences])
    streams = [Stream(view, of) for view, of in zip(views, Chunker.features, strict=True)]
    chunks = [sentence.chunks for sentence in sentences]
    return Chunker(learn(streams, chunks, c1=0.3, c2=0.01, iterations=100, bar_unseen=True))


def measure(model: Chunker, held: Sequence[TreeSentence]) -> dict[str, float]:
    """Return precision, recall and F1 of base noun phrases, from the treebank's tags."""
    chunks = model.chunk([s.words for s in held], [s.tags for s in held])
    return dict(zip(("precision", "recall", "f1"), base_phrases(held, chunks), strict=True))
