"""Sentences that `open_store` takes for those of an index, and stored matches."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from relsent_ir.hits import Hits
from relsent_ir.related.matching.every import read_part


class Listed:
    """Sentences in a dictionary, as an open index gives them."""

    def __init__(self, folder: Path, texts: dict[str, str], source: str = "0") -> None:
        self.folder = folder
        self.texts = texts
        self.content = source
        self.unit = "sentences"

    def is_current(self) -> bool:
        """It never changes."""
        return True

    def __len__(self) -> int:
        return len(self.texts)

    def ids(self) -> list[str]:
        """All ids, in no special order."""
        return sorted(self.texts, key=lambda name: name[::-1])

    def id_lines(self) -> bytes:
        """The same as lines."""
        return "".join(f"{name}\n" for name in self.ids()).encode()

    def live(self) -> NDArray[np.bool_]:
        """None is deleted."""
        return np.ones(len(self), dtype=bool)

    def segments(self) -> dict[str, range]:
        """There is one."""
        return {self.content: range(len(self))}

    def raw_of(self, documents: NDArray[np.integer]) -> list[str]:
        """The stored JSON, by places in `ids`."""
        ids = self.ids()
        return self.raw([ids[document] for document in documents])

    def raw(self, ids: Sequence[str]) -> list[str]:
        """The stored JSON."""
        return [json.dumps({"id": name, "contents": self.texts[name]}) for name in ids]


def read_every(folder: Path) -> Iterator[tuple[str, Hits]]:
    """All sentences with the matches that `relsent-ir related all` has stored, by id."""
    for path in sorted(folder.glob("part-*")):
        yield from read_part(path)
