"""Articles compared sentence by sentence."""

import numpy as np
import pytest

from relsent_ir.hits import Hits
from relsent_ir.moves import default_model, tag_record
from relsent_ir.records import Record, Section
from relsent_ir.related import open_model, score_pairs
from reproduce.tbahriti_2004.features import COLUMNS, match_articles, spoken


def test_against_pairs(folder):
    """The mean over the topic's sentences of the best among the other's, one pair at a time."""
    model = open_model("D", folder)
    articles = {
        "t": [("TITLE", "Ants build nests"), ("PURPOSE", "Bees make honey"), ("PURPOSE", "Ants")],
        "a": [("TITLE", "Honey of bees"), ("RESULTS", "Ants build")],
        "b": [("TITLE", "Moths at lamps")],
        "none": [],
    }
    run = {"t": Hits.ranked(["a", "b", "none"], [3, 2, 1])}
    found = match_articles(run, articles, model)["t"]
    assert found.shape == (3, len(COLUMNS))
    best = [
        max(score_pairs(model, [(one, other) for _, other in articles["a"]]))
        for _, one in articles["t"]
    ]
    assert found[0, COLUMNS.index("ALL")] == pytest.approx(np.mean(best))
    assert found[0, COLUMNS.index("TITLE")] == pytest.approx(best[0])
    assert found[0, COLUMNS.index("PURPOSE")] == pytest.approx(np.mean(best[1:]))
    assert np.isnan(found[:, COLUMNS.index("METHODS")]).all()
    assert np.isnan(found[2]).all()


def test_no_hits(folder):
    """A topic without hits has no rows."""
    model = open_model("D", folder)
    empty = Hits.ranked([], [])
    assert match_articles({"t": empty}, {"t": [("TITLE", "Ants")]}, model)["t"].shape[0] == 0


def test_spoken():
    """The title and the sentences, with their parts."""
    record = Record("1", title="Ants.", sections=(Section("They sleep.", "RESULTS"),))
    tagged = (*record.title_sentence(), *tag_record(default_model(), record))
    assert spoken(tagged) == [("TITLE", "Ants."), ("RESULTS", "They sleep.")]
