"""Relatedness of question and sentence as a feature."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from relsent_ir import models
from relsent_ir.answers.features import (
    load_related,
    related_features,
    related_from_arrays,
    related_to_arrays,
)
from relsent_ir.errors import InputError
from relsent_ir.related import score_pairs
from relsent_ir.related.features import Lexicon
from relsent_ir.related.weights import WeightModel

FACTS: dict[str, Any] = {"command": "", "training": {}}


@pytest.fixture(scope="session")
def related() -> WeightModel:
    """A model in which what both sentences have counts for them."""
    lexicon = Lexicon.of(["mice", "sleep", "weight"])
    ones = np.ones(len(lexicon))
    return WeightModel("huber", lexicon, ones, -0.1 * ones, 0.5, ("the",), FACTS)


def test_scores_are_those_of_the_model(related: WeightModel) -> None:
    """As `score_pairs` gives them, and behind the best."""
    texts = ["The mice sleep.", "Weight fell.", ""]
    found = related_features(related, "Do mice sleep?", texts)
    expected = score_pairs(related, [("Do mice sleep?", text) for text in texts])
    assert found[:, 0] == pytest.approx(expected)
    assert found[:, 1] == pytest.approx(expected - expected.max())


def test_stored_and_read(related: WeightModel) -> None:
    """An answer model keeps its own copy."""
    read = related_from_arrays(related_to_arrays(related), Path("model"))
    assert read is not None
    pairs = [("mice sleep", "weight of mice")]
    assert score_pairs(read, pairs) == pytest.approx(score_pairs(related, pairs), abs=1e-5)
    assert related_from_arrays({"first": np.zeros(3)}, Path("model")) is None


def test_loading(related: WeightModel, tmp_path: Path) -> None:
    """A folder of `train related`; anything else is refused."""
    models.save(tmp_path / "related", related)
    assert load_related(tmp_path / "related").name == "huber"
    with pytest.raises(InputError, match="no such model"):
        load_related(tmp_path / "none")
