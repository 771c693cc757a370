"""A treebank: reading its sentences, and training and measuring a tagger and a chunker on them.

A line is a token, its tag and its chunk, with tabs between them.
"""

import argparse
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeVar

from recipes.data import data_path
from relsent_ir import models
from relsent_ir.errors import InputError
from relsent_ir.files import file_facts, open_text
from relsent_ir.text.parsing import Chunker, Tagger

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


Model = TypeVar("Model", Tagger, Chunker)


def make(
    name: str,
    arguments: list[str],
    train: Callable[[list[TreeSentence]], Model],
    measure: Callable[[Model, list[TreeSentence]], dict[str, float]],
) -> None:
    """Run the recipe of the tagger or the chunker: train, measure and save."""
    parser = argparse.ArgumentParser(
        f"python -m recipes {name}", description=f"Train the {name} that comes with the package."
    )
    parser.add_argument("--input", type=Path, help="a treebank (default: GENIA's training part)")
    parser.add_argument("--test", type=Path, help="a treebank to measure the model on")
    parser.add_argument("--output", type=Path, default=models.packaged(name))
    options = parser.parse_args(arguments)
    path = options.input or data_path("genia", "train.pos_basenp.tsv.gz")
    sentences = list(read_treebank(path))
    model = train(sentences)
    data = {**file_facts(path), "sentences": len(sentences)}
    facts: dict[str, object] = {"command": f"python -m recipes {name}", "data": data}
    scores: dict[str, float] = {}
    if options.test:
        scores = measure(model, list(read_treebank(options.test)))
        facts["test"] = {**file_facts(options.test), **scores}
    models.save(options.output, model, facts)
    print(f"{options.output}: {name} from {len(sentences)} sentences")
    for measured, value in scores.items():
        print(f"{measured} {value:.4f}")
