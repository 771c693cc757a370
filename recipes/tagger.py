"""Train the tagger that comes with the package, by default from GENIA's training part."""

from collections.abc import Sequence

from recipes.chain import Stream, learn
from recipes.treebank import TreeSentence, make, right_tags
from relsent_ir.text.parsing import Tagger


def main(arguments: list[str]) -> None:
    """Train, measure and save."""
    make("tagger", arguments, train, measure)


def train(sentences: Sequence[TreeSentence]) -> Tagger:
    """Learn the tags of a treebank."""
    streams = [Stream([sentence.words for sentence in sentences], Tagger.features[0])]
    tags = [sentence.tags for sentence in sentences]
    return Tagger(learn(streams, tags, c1=0.3, c2=0.01, iterations=100))


def measure(model: Tagger, held: Sequence[TreeSentence]) -> dict[str, float]:
    """Return the share of right tags."""
    return {"accuracy": right_tags(held, model.tag([sentence.words for sentence in held]))}
