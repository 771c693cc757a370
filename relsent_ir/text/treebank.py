"""A treebank: reading its sentences, and measuring a tagger and a chunker on them.

A line is a token, its tag and its chunk, with tabs between them.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from relsent_ir.errors import InputError
from relsent_ir.files import open_text

CHUNKS: Final = ("B-NP", "I-NP", "O")


@dataclass(frozen=True, slots=True)
class TreeSentence:
    """A sentence of a treebank.

    Attributes
    ----------
    document : str
        The id of its document; "" where the file gives none.
    words, tags, chunks : tuple of str
        One for each token; chunks are B-NP, I-NP or O.
    """

    document: str
    words: tuple[str, ...]
    tags: tuple[str, ...]
    chunks: tuple[str, ...]


def read_treebank(path: str | Path, without: Collection[str] = ()) -> Iterator[TreeSentence]:
    """Yield the sentences of a file, gzipped or plain.

    A line ``# <document> …`` without a tab begins a sentence, an empty line ends it.

    Parameters
    ----------
    without : collection of str
        Documents to leave out.

    Raises
    ------
    InputError
        If the file cannot be read, or a line has not three columns or another chunk; with the line.
    """
    document = ""
    rows: list[tuple[str, str, str]] = []
    with open_text(path) as lines:
        for number, line in enumerate(lines, 1):
            columns = line.rstrip("\n").split("\t")
            if len(columns) == 3 and columns[2] in CHUNKS and columns[0] and columns[1]:
                rows.append((columns[0], columns[1], columns[2]))
            elif len(columns) == 1 and (not columns[0] or columns[0].startswith("#")):
                yield from _sentence(document, rows, without)
                rows = []
                if columns[0]:
                    document = columns[0].partition(" ")[2].partition(" ")[0]
            else:
                raise InputError(
                    "not a token, its tag and B-NP, I-NP or O", where=f"{path}:{number}"
                )
    yield from _sentence(document, rows, without)


def _sentence(
    document: str, rows: list[tuple[str, str, str]], without: Collection[str]
) -> Iterator[TreeSentence]:
    if rows and document not in without:
        words, tags, chunks = zip(*rows, strict=True)
        yield TreeSentence(document, words, tags, chunks)


def right_tags(sentences: Sequence[TreeSentence], tags: Sequence[Sequence[str]]) -> float:
    """Return the share of tokens with the treebank's tag."""
    right = total = 0
    for sentence, predicted in zip(sentences, tags, strict=True):
        right += sum(a == b for a, b in zip(sentence.tags, predicted, strict=True))
        total += len(sentence.tags)
    return right / max(1, total)


def base_phrases(
    sentences: Sequence[TreeSentence], chunks: Sequence[Sequence[str]]
) -> tuple[float, float, float]:
    """Return precision, recall and F1 of the base noun phrases: both ends must be right."""
    right = given = found = 0
    for sentence, predicted in zip(sentences, chunks, strict=True):
        gold, own = phrases(sentence.chunks), phrases(predicted)
        right += len(gold & own)
        given += len(gold)
        found += len(own)
    precision, recall = right / max(1, found), right / max(1, given)
    return precision, recall, 2 * right / max(1, found + given)


def phrases(chunks: Sequence[str]) -> set[tuple[int, int]]:
    """Return the tokens [start, end) of each base noun phrase."""
    starts = [i for i, chunk in enumerate(chunks) if chunk == "B-NP"]
    spans = set()
    for start in starts:
        end = start + 1
        while end < len(chunks) and chunks[end] == "I-NP":
            end += 1
        spans.add((start, end))
    return spans
