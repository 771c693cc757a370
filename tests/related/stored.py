"""Something that `open_store` takes for the sentences of an index, without Lucene."""

import json
from collections.abc import Sequence
from pathlib import Path


class Listed:
    """Sentences in a dictionary, as an open index gives them."""

    def __init__(self, folder: Path, texts: dict[str, str], source: str = "0") -> None:
        self.folder = folder
        self.texts = texts
        self.content = source

    def __len__(self) -> int:
        return len(self.texts)

    def ids(self) -> list[str]:
        """All ids, in no special order."""
        return sorted(self.texts, key=lambda name: name[::-1])

    def raw(self, ids: Sequence[str]) -> list[str]:
        """The stored JSON."""
        return [json.dumps({"id": name, "contents": self.texts[name]}) for name in ids]
