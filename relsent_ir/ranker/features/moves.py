"""Moves: where in the argument the topic's words stand, before and after feedback."""

from typing import Final

from relsent_ir.moves import MOVES
from relsent_ir.ranker.candidates import Candidates
from relsent_ir.ranker.features.group import Group
from relsent_ir.typing import Floats


def _compute(candidates: Candidates) -> dict[str, Floats]:
    sentences = candidates.sentences
    found = {}
    for number, move in enumerate(MOVES):
        kept = sentences.moves == number
        found[move] = sentences.best(sentences.own, kept)
        found[f"{move}-expanded"] = sentences.best(sentences.expanded, kept)
    return found


GROUP: Final = Group(
    "moves",
    "Ruch et al. 2006; Tbahriti et al. 2004",
    {
        name: what
        for move in MOVES
        for name, what in (
            (move, f"BM25 of the best {move} sentence"),
            (f"{move}-expanded", f"BM25 of the best {move} sentence for the topic after feedback"),
        )
    },
    _compute,
    ("moves",),
)
