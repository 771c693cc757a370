"""Learning the vectors of words."""

import numpy as np
import pytest

from recipes.answers.vectors import learn_vectors
from relsent_ir.answers.language import WordVectors
from relsent_ir.records import Record, Section
from relsent_ir.text.words import stem


def _records() -> list[Record]:
    """Pain goes with relief, weight with body, in many sentences with other words between."""
    texts = [
        f"{drug} brought relief of pain to w{n}. Body weight of w{n} fell with {drug}."
        for n in range(12)
        for drug in ("murinol", "ratinol", "catinol")
    ]
    return [Record(str(n), sections=(Section(text),)) for n, text in enumerate(texts)]


def test_company_and_frequencies() -> None:
    """Words of one company are near; the same words have the same vectors."""
    vectors = learn_vectors(_records())
    pain, relief, weight, body = vectors.of([stem(w) for w in ("pain", "relief", "weight", "body")])
    assert pain @ relief > pain @ weight
    assert weight @ body > weight @ relief
    assert np.allclose(np.linalg.norm(vectors.values, axis=1), 1, atol=1e-5)
    vectors = learn_vectors(_records())
    assert vectors.sentences == 36 * 3  # each with its empty title
    assert "murinol" in vectors.words
    assert vectors.idf("murinol") == pytest.approx(np.log(109 / 25))
    assert vectors.idf("unknown") == pytest.approx(np.log(109 / 3))
    assert (vectors.of(["unknown"]) == 0).all()
    first, second = learn_vectors(_records()), learn_vectors(_records())
    assert first.words == second.words
    assert (first.values == second.values).all()


def test_nothing_to_learn_from() -> None:
    """No records, or too few words, give no vectors, and every word weighs the same."""
    vectors = learn_vectors([])
    assert vectors.of(["mice"]).shape == (1, 100)
    assert vectors.idf("mice") == vectors.idf("rats") == 1.0
    assert learn_vectors([Record("1", "Mice")]).words == ()


def test_stored_and_read() -> None:
    """Arrays hold it; arrays that do not fit together are refused."""
    vectors = learn_vectors(_records())
    arrays = vectors.to_arrays()
    read = WordVectors.from_arrays(arrays)
    assert read.words == vectors.words
    assert read.idf("pain") == vectors.idf("pain")
    assert np.allclose(read.of(["pain"]), vectors.of(["pain"]), atol=1e-3)
    with pytest.raises(ValueError, match="frequency does not fit"):
        WordVectors.from_arrays({**arrays, "frequency": arrays["frequency"][:-1]})


def test_a_word_of_every_sentence() -> None:
    """Its frequency fills the smallest integers; what is above the number of sentences is none."""
    made = WordVectors(("pain",), np.ones((1, 2)), np.array([255], dtype=np.uint8), 255)
    read = WordVectors.from_arrays(made.to_arrays())
    assert read.frequency.dtype == np.uint8
    assert read.idf("pain") == 0.0
    with pytest.raises(ValueError, match="no word can have"):
        WordVectors.from_arrays(made.to_arrays() | {"sentences": np.array([254])})
