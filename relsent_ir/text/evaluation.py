"""How good a tagger and a chunker are, on a treebank's sentences."""

from collections.abc import Sequence

from relsent_ir.text.treebank import TreeSentence


def right_tags(sentences: Sequence[TreeSentence], tags: Sequence[Sequence[str]]) -> float:
    """Give the share of tokens with the treebank's tag."""
    right = total = 0
    for sentence, found in zip(sentences, tags, strict=True):
        right += sum(a == b for a, b in zip(sentence.tags, found, strict=True))
        total += len(sentence.tags)
    return right / max(1, total)


def base_phrases(
    sentences: Sequence[TreeSentence], chunks: Sequence[Sequence[str]]
) -> tuple[float, float, float]:
    """Give precision, recall and F1 of the base noun phrases: both ends must be right."""
    right = given = found = 0
    for sentence, predicted in zip(sentences, chunks, strict=True):
        gold, own = phrases(sentence.chunks), phrases(predicted)
        right += len(gold & own)
        given += len(gold)
        found += len(own)
    precision, recall = right / max(1, found), right / max(1, given)
    return precision, recall, 2 * right / max(1, found + given)


def phrases(chunks: Sequence[str]) -> set[tuple[int, int]]:
    """Give the tokens [start, end) of each base noun phrase."""
    starts = [i for i, chunk in enumerate(chunks) if chunk == "B-NP"]
    found = set()
    for start in starts:
        end = start + 1
        while end < len(chunks) and chunks[end] == "I-NP":
            end += 1
        found.add((start, end))
    return found
