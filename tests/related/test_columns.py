"""What Huber+'s dense features mean."""

import json
from functools import partial
from pathlib import Path

import pytest

from relsent_ir import models
from relsent_ir.errors import MismatchError
from relsent_ir.lucene.read.index import Index
from relsent_ir.related import formulas
from relsent_ir.related.formulas import InverseFrequency
from relsent_ir.related.huber_plus import columns
from relsent_ir.related.training.train import train
from relsent_ir.related.words import measures
from tests.related.conftest import STOPWORDS


def test_values_by_hand() -> None:
    """Dice over words of the first two sentences, and how logarithms are taken."""
    found = columns()
    assert list(found) == [*measures.MEASURES, "logarithm"]
    assert found["shared words"] == [3.0, 1.0, 1.0, 0.0]
    assert found["Dice, words"][0] == pytest.approx(2 * 3 / (5 + 8), abs=1e-9)


def test_a_changed_formula_is_refused(
    collection: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An exponent that changes, a formula that is added, a model of before: one line each."""
    with Index(collection) as index:
        model = train(index, "huber-plus", content_share=1.0, stopwords=STOPWORDS)
    models.save(tmp_path / "m", model)
    models.load(tmp_path / "m", "related")
    with monkeypatch.context() as changed:
        changed.setitem(formulas.FORMULAS, "I1.5", partial(InverseFrequency, power=1.4))
        columns.cache_clear()
        with pytest.raises(MismatchError, match=r"other features than .*: I1\.5 \(train it again"):
            models.load(tmp_path / "m", "related")
    with monkeypatch.context() as changed:
        changed.setitem(formulas.FORMULAS, "I9", partial(InverseFrequency, power=9.0))
        changed.setattr(
            "relsent_ir.related.huber_plus.MEASURES", (*formulas.FORMULAS, *measures.MEASURES[17:])
        )
        changed.setattr(measures, "MEASURES", (*formulas.FORMULAS, *measures.MEASURES[17:]))
        columns.cache_clear()
        with pytest.raises(MismatchError, match=r"other features than .*: I9"):
            models.load(tmp_path / "m", "related")
    columns.cache_clear()
    path = tmp_path / "m" / "model.json"
    facts = json.loads(path.read_text())
    del facts["columns"]
    path.write_text(json.dumps(facts))
    with pytest.raises(MismatchError, match="does not say what its features are"):
        models.load(tmp_path / "m", "related")
