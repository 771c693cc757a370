"""Tag the sentences of one abstract, or of files, with their moves.

Labels and inline headings of an abstract have priority; the model determines the other moves.
"""

import hashlib
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from relsent_ir import models
from relsent_ir.errors import InputError
from relsent_ir.moves.labels import given_moves, section_move
from relsent_ir.records import Record, Sentence
from relsent_ir.records.chunks import Chunk, Packed


class MoveModel(Protocol):
    """A model of moves."""

    def predict(self, title: str, sentences: Sequence[str]) -> list[tuple[str, float]]:
        """Return the move of each sentence with its score, from 0 to 1."""
        ...


def default_model() -> MoveModel:
    """Return the packaged model, which is read once."""
    model: MoveModel = models.default("moves")
    return model


def fingerprint(path: str | Path | None) -> str:
    """Return sixteen hex digits that identify a stored model; None for the packaged model."""
    digest = hashlib.sha256()
    for file in sorted(Path(path or models.packaged("moves")).glob("*.npy")):
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


CERTAIN = 1.0
"""The score of a move that a heading or label determines."""


def tag(
    model: MoveModel | str | Path | None, title: str, sentences: Sequence[str]
) -> list[tuple[str, float]]:
    """Tag each sentence of an abstract with its move.

    Parameters
    ----------
    model : MoveModel, str, Path or None
        A model, its folder, or None for the packaged model.
    title : str
        The title, "" if there is none.
    sentences : sequence of str
        The sentences in order. Inline headings ("METHODS: …") determine the moves of their
        sentences, and the model does not see them.

    Returns
    -------
    list of (str, float)
        PURPOSE, METHODS, RESULTS or CONCLUSION, and a score from 0 to 1; one for each sentence.
    """
    if model is None or isinstance(model, str | Path):
        tagger: MoveModel = models.load(model, "moves")
    else:
        tagger = model
    headed, texts = given_moves(sentences)
    predicted = tagger.predict(title, texts)
    return [
        (move, CERTAIN) if move else prediction
        for move, prediction in zip(headed, predicted, strict=True)
    ]


def tag_record(model: MoveModel, record: Record, *, labels: bool = True) -> list[Sentence]:
    """Tag each sentence of a record's abstract with its move.

    Parameters
    ----------
    model : MoveModel
    record : Record
    labels : bool
        Whether the labels of a structured abstract determine its moves. If False, the model
        determines all moves except those of inline headings.
    """
    sections, sentences = zip(*record.body(), strict=True) if record.sections else ((), ())
    labelled = [section_move(s.label, s.category) if labels else "" for s in sections]
    if all(labelled):
        tags = [(move, CERTAIN) for move in labelled]
    else:
        tags = tag(model, record.title or record.vernacular_title, sentences)
        tags = [(m, CERTAIN) if m else pair for m, pair in zip(labelled, tags, strict=True)]
    return [
        Sentence(record.id, n, text, move, score)
        for n, ((move, score), text) in enumerate(zip(tags, sentences, strict=True), 1)
    ]


@dataclass
class Tagged:
    """A chunk of tagged records.

    Attributes
    ----------
    lines : list of str
        One line for each sentence: its id, move, score and text, separated by tabs.
    records : int
    moves : Counter of str
        Number of sentences with each move.
    skipped : list of InputError
        The errors of records that could not be read.
    """

    lines: list[str] = field(default_factory=list)
    records: int = 0
    moves: Counter[str] = field(default_factory=Counter)
    skipped: list[InputError] = field(default_factory=list)


def tagging(path: Path | None, labels: bool) -> Callable[[Chunk | Packed], Tagged]:
    """Return a function that tags the records of chunks, for `each_chunk`.

    Parameters
    ----------
    path : Path or None
        The folder of a model; None for the packaged model.
    labels : bool
        See `tag_record`.
    """
    model: MoveModel = models.load(path, "moves")

    def tagged(chunk: Chunk | Packed) -> Tagged:
        result = Tagged()
        for entry in chunk.entries:
            if isinstance(entry, Record):
                result.records += 1
                for sentence in tag_record(model, entry, labels=labels):
                    result.moves[sentence.move] += 1
                    text = " ".join(sentence.text.split())
                    result.lines.append(
                        f"{sentence.id}\t{sentence.move}\t{sentence.score:.4f}\t{text}\n"
                    )
            elif isinstance(entry, InputError):
                result.skipped.append(entry)
        return result

    return tagged
