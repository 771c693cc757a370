"""Cosines of texts that have no stored vectors: encoded on demand, and cached.

Vectors of sentences are kept in a file beside the index, ``DIR/derived/dense/.sentences-…``, by
their texts, so that the next question finds them; several processes may add to it at once.
"""

from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final

import numpy as np

from relsent_ir.dense.bert import Array
from relsent_ir.dense.encoder import Encoder, open_encoder
from relsent_ir.dense.rows import FOLDER, eight_bits
from relsent_ir.files import output_errors
from relsent_ir.typing import Floats, NDArray

_MARK: Final = 16  # bytes of a text's digest


class TextVectors:
    """Vectors of texts, each encoded when it is first asked for.

    Parameters
    ----------
    encoder : Encoder
    cache : Path, optional
        A file that keeps them; memory alone if None.
    """

    def __init__(self, encoder: Encoder, cache: Path | None = None) -> None:
        self.encoder = encoder
        self._cache = cache
        self._dtype = np.dtype(
            [("text", f"S{_MARK * 2}"), ("row", "i1", encoder.bert.hidden), ("scale", "<f4")]
        )
        self._known: dict[bytes, NDArray[Any]] = {}
        if cache is not None and cache.is_file():
            whole = cache.stat().st_size // self._dtype.itemsize
            rows = np.fromfile(cache, self._dtype, whole)
            self._known.update(zip(rows["text"].tolist(), rows, strict=True))

    def vectors(self, texts: Sequence[str]) -> Array:
        """Return the vectors of texts; shape (n, dimension), each of length 1."""
        marks = [blake2b(t.encode(), digest_size=_MARK).hexdigest().encode() for t in texts]
        new = {mark: t for mark, t in zip(marks, texts, strict=True) if mark not in self._known}
        if new:
            rows = np.zeros(len(new), self._dtype)
            for place, (mark, text) in enumerate(new.items()):
                vector = self.encoder.encode(self.encoder.way.passage + text).vector
                rows[place] = (mark, *eight_bits(vector))
            self._known.update(zip(new, rows, strict=True))
            self._keep(rows)
        found = [self._known[mark] for mark in marks]
        vectors = [one["row"].astype(np.float32) * one["scale"] for one in found]
        return np.array(vectors, np.float32).reshape(-1, self.encoder.bert.hidden)

    def cosines(self, text: str, texts: Sequence[str]) -> Floats:
        """Return the cosine of a query and each text; shape (len(texts),)."""
        query = self.encoder.queries([text])[0]
        rows = self.vectors(texts).astype(np.float64)
        likeness: Floats = np.einsum("ij,j->i", rows, query.astype(np.float64))
        return likeness

    def _keep(self, rows: NDArray[Any]) -> None:
        """Add rows to the file, in one write that no other process comes between."""
        if self._cache is None:
            return
        with output_errors(self._cache):
            self._cache.parent.mkdir(parents=True, exist_ok=True)
            with self._cache.open("ab", buffering=0) as file:
                part = file.tell() % self._dtype.itemsize
                file.truncate(file.tell() - part)
                file.write(rows.tobytes())


def text_vectors(model: str | Path, index: Path | None = None) -> TextVectors:
    """Open an encoder for texts without stored vectors.

    Parameters
    ----------
    model : str or Path
        The encoder's folder.
    index : Path, optional
        The collection's folder, beside which vectors are kept; in memory alone if None.
    """
    encoder = open_encoder(model)
    home = index / "derived" / FOLDER if index else None
    name = f".sentences-{encoder.digest}-{encoder.compute}"
    return TextVectors(encoder, home / name if home else None)


def cosines(model: str | Path, text: str, texts: Sequence[str]) -> Floats:
    """Return the cosine of a text and each of others by an encoder; shape (len(texts),)."""
    return text_vectors(model).cosines(text, texts)
