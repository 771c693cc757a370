"""Argumentative feedback's source of terms: the sentences of one move, or of several.

Reference
---------
Ruch et al.: Argumentative feedback. COLING/ACL 2006 posters, 675-682.
"""

import json
import math
from collections.abc import Mapping, Sequence
from typing import Final

from relsent_ir.errors import UsageError
from relsent_ir.feedback.pool import Pool, Topic, make_pool, rows_of, vectors_of
from relsent_ir.feedback.terms import stack
from relsent_ir.hits import Run
from relsent_ir.lucene.index import Index
from relsent_ir.moves import MOVES, MoveModel, default_model, tag_record

DOCUMENT: Final = "DOCUMENT"
"""Stands for the whole document among the moves, so that its sentences can be emphasised."""
TITLE: Final = "TITLE"
NAMES: Final = (*MOVES, TITLE, DOCUMENT)


class Tags:
    """The move of each sentence of the documents of an index, looked up once.

    They are those that the index was built with (``relsent-ir index --moves``); without, documents
    are tagged when they are first asked for.

    Parameters
    ----------
    index : Index
        Of abstracts.
    model : MoveModel, optional
        What tags, where the index has no moves; the one that comes with the package if None.
    """

    def __init__(self, index: Index, model: MoveModel | None = None) -> None:
        if index.unit != "abstracts":
            raise UsageError("feedback from moves needs --unit abstracts")
        self.index = index
        self.sentences = Index(index.folder, "sentences")
        self._model = model
        self._known: dict[str, list[tuple[str, str, float]]] = {}

    def of(self, documents: Sequence[str]) -> list[list[tuple[str, str, float]]]:
        """Give each document's sentences: id, move or TITLE, and the classifier's score."""
        new = [name for name in dict.fromkeys(documents) if name not in self._known]
        records = self.index.records(new)
        if self.sentences.facts.moves:
            names = [s.id for r in records for s in r.sentences()]
            stored = iter(zip(names, map(json.loads, self.sentences.raw(names)), strict=True))
            for record in records:
                several = [next(stored) for _ in record.sentences()]
                self._known[record.id] = [
                    (name, str(raw["move"]) or TITLE, float(raw["score"] or 1))
                    for name, raw in several
                ]
        else:
            model = self._model or default_model()
            for record in records:
                titled = bool(record.title or record.vernacular_title)
                self._known[record.id] = [(f"{record.id}.0", TITLE, 1.0)][:titled] + [
                    (tagged.id, tagged.move, tagged.score) for tagged in tag_record(model, record)
                ]
        return [self._known[name] for name in documents]


class MoveSentences:
    """The sentences of the feedback documents that have a move.

    Parameters
    ----------
    tags : Tags
    moves : mapping of str to float
        The weight of each move's sentences, of the TITLE, and of the DOCUMENT, above 0.
    soft : bool
        A sentence's weight is multiplied by the classifier's score.
    """

    def __init__(self, tags: Tags, moves: Mapping[str, float], *, soft: bool = False) -> None:
        unknown = [move for move in moves if move not in NAMES]
        if unknown or not moves:
            raise UsageError(
                f"no move {unknown[0]!r}" if unknown else "no moves",
                fix=f"one of {', '.join(NAMES)}",
            )
        if not all(0 < weight < math.inf for weight in moves.values()):
            raise UsageError("the weight of a move is not above 0", fix="CONCLUSION=2")
        self.tags = tags
        self.moves = dict(moves)
        self.soft = soft

    def pool(self, topics: Mapping[str, Topic], tops: Run) -> Pool:
        """Read the sentences of each topic's hits that have one of the moves."""
        rows = rows_of(topics, tops)
        whole = DOCUMENT in self.moves
        documents = list(dict.fromkeys(rows[0]))
        number = {name: part for part, name in enumerate(documents if whole else ())}
        sentence_parts: dict[str, int] = {}
        chosen = []
        for row, (name, tagged) in enumerate(zip(rows[0], self.tags.of(rows[0]), strict=True)):
            if whole:
                chosen.append((row, number[name], self.moves[DOCUMENT]))
            for sentence, move, score in tagged:
                if move in self.moves:
                    part = sentence_parts.setdefault(sentence, len(number) + len(sentence_parts))
                    chosen.append((row, part, self.moves[move] * (score if self.soft else 1)))
        index = self.tags.index
        vectors = vectors_of(self.tags.sentences, list(sentence_parts))
        if whole:
            vectors = stack([vectors_of(index, documents), vectors])
        parts = [*number, *sentence_parts]
        return make_pool(index, rows, parts, chosen, vectors, whole=whole)


def parse_moves(text: str) -> dict[str, float]:
    """Read ``MOVE[=WEIGHT],...``, as ``CONCLUSION,PURPOSE=0.5``.

    Raises
    ------
    UsageError
        If a weight is no number; `MoveSentences` sees to the names.
    """
    moves: dict[str, float] = {}
    for item in text.split(","):
        name, given, weight = item.partition("=")
        try:
            moves[name.strip().upper()] = float(weight) if given else 1.0
        except ValueError:
            raise UsageError(
                f"cannot read the weight of {item!r}", fix="write CONCLUSION,PURPOSE=0.5"
            ) from None
    return moves
