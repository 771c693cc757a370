"""Graded candidates from the protein interaction corpora, as comma-separated values.

One row a pair of proteins: document, whether they interact, sentence. In one file the pair's names
are masked (PROTEIN1, PROTEIN2; other proteins PROTEIN), in another the same rows have the names;
from both come the names' places.

References
----------
S. Pyysalo, A. Airola, J. Heimonen, J. Björne, F. Ginter, T. Salakoski. Comparative analysis of five
protein-protein interaction corpora. BMC Bioinformatics 9(Suppl 3):S6 (2008).
"""

import re
from collections.abc import Iterator
from heapq import heappop, heappush
from pathlib import Path
from typing import Final

from relsent_ir.errors import InputError
from relsent_ir.files import table_rows
from relsent_ir.relations.candidates import Candidate
from relsent_ir.text.tokens import Span

_TOKEN: Final = re.compile(r"\w+|[^\w\s]")
_LONGEST: Final = 15
"""Tokens of a protein's name, at most."""


def read_pairs(masked: str | Path, named: str | Path) -> Iterator[Candidate]:
    """Yield the pairs of a corpus, graded 1 if they interact, else 0; groups are its documents.

    A pair with a name in several pieces is left out (38 of BioInfer's 8,908 rows, none elsewhere).

    Parameters
    ----------
    masked, named : str or Path
        The two files, row by row.

    Raises
    ------
    InputError
        If a file cannot be read, or the rows do not fit together.
    """
    rows = zip(table_rows(masked), table_rows(named), strict=False)
    for (_, mask), (place, name) in rows:
        try:
            same = mask["docid"] == name["docid"] and mask["passageid"] == name["passageid"]
            true = {"True": 1.0, "False": 0.0}[mask["isValid"]]
            spans = _align(mask["passage"], name["passage"])
        except (KeyError, TypeError):
            same = False
        if not same:
            raise InputError("the rows do not fit together", where=place)
        if spans is not None:
            yield Candidate(mask["docid"], mask["passageid"], name["passage"], *spans, true)


def _align(masked: str, named: str) -> tuple[Span, Span] | None:
    """Find the names that PROTEIN1 and PROTEIN2 stand for; None if the texts differ elsewhere.

    A mask stands for a few tokens, and may have swallowed a mark. Of all ways to match the texts,
    that which drops the fewest marks and has the shortest names is taken.
    """
    left = _TOKEN.findall(masked)
    tokens = list(_TOKEN.finditer(named))
    right = [token.group() for token in tokens]
    # Cost, place in each text, and the names so far; Dijkstra's algorithm.
    queue: list[tuple[int, int, int, tuple[tuple[str, int, int], ...]]] = [(0, 0, 0, ())]
    seen: set[tuple[int, int]] = set()
    while queue:
        cost, i, j, names = heappop(queue)
        if (i, j) in seen:
            continue
        seen.add((i, j))
        if i == len(left) and j == len(right):
            spans = {m: (tokens[a].start(), tokens[b - 1].end()) for m, a, b in names}
            found = spans.get("PROTEIN1"), spans.get("PROTEIN2")
            return (found[0], found[1]) if found[0] and found[1] else None
        if i < len(left) and left[i].startswith("PROTEIN"):
            for end in range(j + 1, min(len(right), j + _LONGEST) + 1):
                if right[j].isalnum() and right[end - 1].isalnum():
                    step = (*names, (left[i], j, end))
                    heappush(queue, (cost + 2 * (end - j - 1), i + 1, end, step))
        elif i < len(left) and j < len(right) and left[i] == right[j]:
            heappush(queue, (cost, i + 1, j + 1, names))
        if j < len(right) and not right[j].isalnum():
            heappush(queue, (cost + 1, i, j + 1, names))
    return None
