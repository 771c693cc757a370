"""Tagging: the move of each sentence, from the model or from what the abstract says itself."""

from collections.abc import Sequence
from pathlib import Path

from relsent_ir import models
from relsent_ir.moves.headings import given_moves
from relsent_ir.moves.labels import section_move
from relsent_ir.moves.store import MoveModel
from relsent_ir.records import Record, Sentence

CERTAIN = 1.0
"""Score of a move that a heading or label gives."""


def tag(
    model: MoveModel | str | Path | None, title: str, sentences: Sequence[str]
) -> list[tuple[str, float]]:
    """Give each sentence of an abstract its move.

    Parameters
    ----------
    model : MoveModel, str, Path or None
        A model, the folder of one, or None for the model that comes with the package.
    title : str
        "" if there is none.
    sentences : sequence of str
        In order. Inline headings ("METHODS: …") give the moves of their sentences and are not
        shown to the model.

    Returns
    -------
    list of (str, float)
        PURPOSE, METHODS, RESULTS or CONCLUSION, and a score from 0 to 1; one for each sentence.
    """
    if model is None or isinstance(model, str | Path):
        found: MoveModel = models.load(model, "moves")
    else:
        found = model
    given, texts = given_moves(sentences)
    predicted = found.predict(title, texts)
    return [
        (known, CERTAIN) if known else found for known, found in zip(given, predicted, strict=True)
    ]


def tag_record(model: MoveModel, record: Record, *, labels: bool = True) -> list[Sentence]:
    """Give each sentence of a record's abstract its move.

    Parameters
    ----------
    model : MoveModel
    record : Record
    labels : bool
        The labels of a structured abstract give its moves; without, the model gives all but those
        of inline headings.
    """
    sections, sentences = zip(*record.body(), strict=True) if record.sections else ((), ())
    given = [
        section_move(section.label, section.category) if labels else "" for section in sections
    ]
    if all(given):
        found = [(move, CERTAIN) for move in given]
    else:
        found = tag(model, record.title or record.vernacular_title, sentences)
    return [
        Sentence(record.id, n, text, known or move, CERTAIN if known else score)
        for n, (known, (move, score), text) in enumerate(
            zip(given, found, sentences, strict=True), 1
        )
    ]
