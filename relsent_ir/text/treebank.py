"""Reading tagged and chunked sentences: a token, its tag and its chunk a line, tab between them."""

from collections.abc import Collection, Iterator
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
