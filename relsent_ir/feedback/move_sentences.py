"""Argumentative feedback's source of terms: the sentences of one move, or of several.

Reference
---------
Ruch et al.: Argumentative feedback. COLING/ACL 2006 posters, 675-682.
"""

import json
from collections.abc import Mapping
from typing import Final

from relsent_ir.errors import UsageError
from relsent_ir.feedback.pool import Pool, Topic, make_pool, rows_of, vectors_of
from relsent_ir.feedback.terms import stack
from relsent_ir.hits import Run
from relsent_ir.lucene.documents import sentences
from relsent_ir.lucene.index import Index
from relsent_ir.moves import MOVES, MoveModel, default_model, tag_record

DOCUMENT: Final = "DOCUMENT"
"""Stands for the whole document among the moves, so that its sentences can be emphasised."""
TITLE: Final = "TITLE"
NAMES: Final = (*MOVES, TITLE, DOCUMENT)


class MoveSentences:
    """The sentences of the feedback documents that have a move.

    The moves are those that the index was built with (``relsent-ir index --moves``); without, the
    documents' sentences are tagged now.

    Parameters
    ----------
    index : Index
        Of abstracts.
    moves : mapping of str to float
        The weight of each move's sentences, of the TITLE, and of the DOCUMENT, above 0.
    soft : bool
        A sentence's weight is multiplied by the classifier's score.
    model : MoveModel, optional
        What tags, where the index has no moves; the one that comes with the package if None.
    """

    def __init__(
        self,
        index: Index,
        moves: Mapping[str, float],
        *,
        soft: bool = False,
        model: MoveModel | None = None,
    ) -> None:
        unknown = [move for move in moves if move not in NAMES]
        if unknown or not moves:
            raise UsageError(
                f"no move {unknown[0]!r}" if unknown else "no moves",
                fix=f"one of {', '.join(NAMES)}",
            )
        if not all(0 < weight < float("inf") for weight in moves.values()):
            raise UsageError("the weight of a move is above 0")
        if index.unit != "abstracts":
            raise UsageError("feedback from moves needs --unit abstracts")
        self.index = index
        self.moves = dict(moves)
        self.soft = soft
        self.model = model
        self._sentences = Index(index.folder, "sentences")
        self._tagged: dict[str, list[tuple[str, str, float]]] = {}

    def pool(self, topics: Mapping[str, Topic], tops: Run) -> Pool:
        """Read the sentences of each topic's hits that have one of the moves."""
        rows = rows_of(topics, tops)
        whole = DOCUMENT in self.moves
        documents = list(dict.fromkeys(rows[0]))
        self._tag([name for name in documents if name not in self._tagged])
        number = {name: part for part, name in enumerate(documents if whole else ())}
        sentence_parts: dict[str, int] = {}
        chosen = []
        for row, name in enumerate(rows[0]):
            if whole:
                chosen.append((row, number[name], self.moves[DOCUMENT]))
            for sentence, move, score in self._tagged[name]:
                if move in self.moves:
                    part = sentence_parts.setdefault(sentence, len(number) + len(sentence_parts))
                    chosen.append((row, part, self.moves[move] * (score if self.soft else 1)))
        vectors = vectors_of(self._sentences, list(sentence_parts))
        if whole:
            vectors = stack([vectors_of(self.index, documents), vectors])
        parts = [*number, *sentence_parts]
        return make_pool(self.index, rows, parts, chosen, vectors, whole=whole)

    def _tag(self, documents: list[str]) -> None:
        """Look up, or find, the move and the score of each sentence of documents."""
        records = self.index.records(documents)
        if self._sentences.facts.moves:
            names = [f"{r.id}.{n}" for r in records for n, _ in sentences(r)]
            stored = iter(zip(names, map(json.loads, self._sentences.raw(names)), strict=True))
            for record in records:
                several = [next(stored) for _ in sentences(record)]
                self._tagged[record.id] = [
                    (name, str(raw["move"]) or TITLE, float(raw["score"] or 1))
                    for name, raw in several
                ]
            return
        model = self.model or default_model()
        for record in records:
            found = [(tagged.id, tagged.move, tagged.score) for tagged in tag_record(model, record)]
            title = (
                [(f"{record.id}.0", TITLE, 1.0)] if record.title or record.vernacular_title else []
            )
            self._tagged[record.id] = title + found
