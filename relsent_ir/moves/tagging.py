"""Tagging sentences with their moves, of one abstract or of files, by one of the kinds of models.

Labels and inline headings of the abstract decide where it has them; the model gives the rest.
"""

import hashlib
from collections import Counter
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final, Protocol

from relsent_ir import models
from relsent_ir.errors import InputError
from relsent_ir.moves.bayes import Bayes
from relsent_ir.moves.crf import CRF, FEATURES
from relsent_ir.moves.labelled import Abstract
from relsent_ir.moves.labels import given_moves, section_move
from relsent_ir.records import Record, Sentence
from relsent_ir.records.chunks import Chunk, Files, Packed, each_chunk

KINDS: Final = ("bayes", "bayes-markov", "crf")


class MoveModel(Protocol):
    """A model of moves."""

    def predict(self, title: str, sentences: Sequence[str]) -> list[tuple[str, float]]:
        """Return each sentence's move and its score, from 0 to 1."""
        ...


def train_model(kind: str, abstracts: Sequence[Abstract], features: str = "ours") -> Bayes | CRF:
    """Train a model of one of the `KINDS`; a CRF with one of the `FEATURES`."""
    if kind == "crf":
        return CRF.train(abstracts, FEATURES[features])
    return Bayes.train(abstracts, markov=kind == "bayes-markov")


def default_model() -> MoveModel:
    """Return the model that comes with the package, read once."""
    model: MoveModel = models.default("moves")
    return model


def fingerprint(path: str | Path | None) -> str:
    """Return sixteen hex digits that tell a stored model from others; None is the default model."""
    digest = hashlib.sha256()
    for file in sorted(Path(path or models.packaged("moves")).glob("*.npy")):
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


CERTAIN = 1.0
"""Score of a move that a heading or label gives."""


def tag(
    model: MoveModel | str | Path | None, title: str, sentences: Sequence[str]
) -> list[tuple[str, float]]:
    """Tag each sentence of an abstract with its move.

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
        tagger: MoveModel = models.load(model, "moves")
    else:
        tagger = model
    given, texts = given_moves(sentences)
    predicted = tagger.predict(title, texts)
    return [
        (move, CERTAIN) if move else prediction
        for move, prediction in zip(given, predicted, strict=True)
    ]


def tag_record(model: MoveModel, record: Record, *, labels: bool = True) -> list[Sentence]:
    """Tag each sentence of a record's abstract with its move.

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


@dataclass
class Tagged:
    """Some records, tagged.

    Attributes
    ----------
    lines : list of str
        A sentence each: its id, move, score and text between tabs.
    records : int
    moves : Counter of str
        How many sentences have each.
    skipped : list of InputError
        Of the records that could not be read.
    """

    lines: list[str] = field(default_factory=list)
    records: int = 0
    moves: Counter[str] = field(default_factory=Counter)
    skipped: list[InputError] = field(default_factory=list)


def tag_files(
    files: Files, model: Path | None = None, *, labels: bool = True, threads: int = 1
) -> Generator[Tagged, None, None]:
    """Tag the sentences of abstracts, in the order of the files.

    Parameters
    ----------
    files : sequence of (path, format)
    model : Path, optional
        The folder of a model; None is the model that comes with the package.
    labels : bool
        As for `tag_record`.
    threads : int
        As for `each_chunk`, with its errors.
    """
    return each_chunk(partial(_tagging, model, labels), files, threads)


def _tagging(path: Path | None, labels: bool) -> Callable[[Chunk | Packed], Tagged]:
    model: MoveModel = models.load(path, "moves")

    def tagged(chunk: Chunk | Packed) -> Tagged:
        done = Tagged()
        for entry in chunk.entries:
            if isinstance(entry, Record):
                done.records += 1
                for sentence in tag_record(model, entry, labels=labels):
                    done.moves[sentence.move] += 1
                    text = " ".join(sentence.text.split())
                    done.lines.append(
                        f"{sentence.id}\t{sentence.move}\t{sentence.score:.4f}\t{text}\n"
                    )
            elif isinstance(entry, InputError):
                done.skipped.append(entry)
        return done

    return tagged
