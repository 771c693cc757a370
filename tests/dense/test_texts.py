"""Texts that are encoded on demand."""

from pathlib import Path

import numpy as np
import pytest

from relsent_ir.dense.encoder import open_encoder
from relsent_ir.dense.texts import TextVectors, cosines, text_vectors

TEXTS = ["asthma in children", "blood pressure", "asthma in children"]


def test_cosines(tiny: Path) -> None:
    """Those of the vectors, within what 8 bits can say."""
    encoder = open_encoder(tiny)
    query, *rows = (encoder.encode(text).vector.astype(float) for text in ["lung", *TEXTS])
    assert cosines(tiny, "lung", TEXTS) == pytest.approx([row @ query for row in rows], abs=0.02)
    assert cosines(tiny, "lung", []).shape == (0,)


def test_texts_are_encoded_once(
    tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is kept is found by the next one; half a row that was left is cut off."""
    first = text_vectors(tiny, tmp_path)
    expected = first.vectors(TEXTS)
    (cache,) = (tmp_path / "derived" / "dense").iterdir()
    size = cache.stat().st_size
    assert size == 2 * (32 + 24 + 4)
    with cache.open("ab") as file:
        file.write(b"half")
    again = text_vectors(tiny, tmp_path)
    again.vectors(["the lung"])
    assert cache.stat().st_size == size * 3 // 2
    later = text_vectors(tiny, tmp_path)
    monkeypatch.setattr(later.encoder, "encode", None)
    assert np.array_equal(later.vectors(TEXTS), expected)
    assert np.array_equal(later.vectors(["the lung"]), again.vectors(["the lung"]))
    assert TextVectors(open_encoder(tiny)).vectors(["lung"]).shape == (1, 24)
