"""Why a sentence stands out in its abstract."""

import numpy as np
import pytest

from relsent_ir.answers.features import feature_names, sentence_features
from relsent_ir.answers.linear import SLOTS
from relsent_ir.answers.model import LinearModel, TreeModel, default_model
from relsent_ir.answers.searching import MOST, reasons
from relsent_ir.answers.tree import Tree
from relsent_ir.records import Sentence

QUESTION = "Does murinol reduce the weight of mice?"
TAGGED = (
    Sentence("1", 1, "We asked whether murinol changes weight.", "PURPOSE", 0.9),
    Sentence("1", 2, "The weight of mice fell with murinol.", "RESULTS", 0.9),
    Sentence("1", 3, "Murinol may reduce weight.", "CONCLUSION", 0.9),
)


@pytest.mark.parametrize("slot", SLOTS)
def test_reasons(slot: str) -> None:
    """All parts together say how much likelier a sentence is than another."""
    model = default_model()
    assert isinstance(model, LinearModel)
    features = sentence_features(QUESTION, "", TAGGED, model.vectors, model.related)
    step = model.weights.slots[SLOTS.index(slot)]
    shares = np.log(step.shares(features))
    for n in range(3):
        found = reasons(model, QUESTION, "", TAGGED, n, slot)
        assert 0 < len(found) <= MOST
        assert set(dict(found)) <= set(feature_names(model.related))
        sizes = [abs(weight) for _, weight in found]
        assert sizes == sorted(sizes, reverse=True)
    parts = features / step.deviation * step.weights
    own = parts - parts.mean(axis=0)
    assert own.sum(axis=1) == pytest.approx(shares - shares.mean())
    best = feature_names(model.related)[int(np.abs(own[2]).argmax())]
    assert reasons(model, QUESTION, "", TAGGED, 2, slot)[0] == (
        best,
        pytest.approx(own[2][np.abs(own[2]).argmax()]),
    )


def test_a_tree_has_none() -> None:
    """It is no sum."""
    nothing = np.zeros(1)
    tree = TreeModel(Tree((), nothing, nothing, nothing, nothing, nothing), {})  # type: ignore[arg-type]
    assert reasons(tree, QUESTION, "", TAGGED, 0, SLOTS[0]) == []
