"""What is shown of the hits: enough in common, no stock, nothing twice, cut alike for all."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from relsent_ir.hits import Hits, Run
from relsent_ir.records import Record, Section
from relsent_ir.related.calibration import Calibration, Reader
from relsent_ir.related.features import Sentences
from relsent_ir.related.matching import shown, stages
from relsent_ir.related.matching import shown as module
from relsent_ir.related.matching.shown import Showing, is_stock, stock_features
from tests.related.conftest import matching

Build = Callable[[Sequence[Record]], Path]

SAID = {
    "a.1": "Quinine and chloroquine lower fever.",
    "a.2": "Quinine lowers parasites in larvae.",
    "b.1": "Fever fell with quinine and chloroquine.",
    "c.1": "Parasites of larvae die of quinine.",
    "d.1": "The trial was registered at ISRCTN12345678.",
    "e.1": "Registered at ISRCTN12345678, the trial of quinine and chloroquine.",
    "f.1": "Insulin and cornea.",
    "g.1": "Fever is high.",
    **{f"h{n}.1": "All fever with chloroquine was treated." for n in range(3)},
}


@pytest.fixture
def showing(build: Build, monkeypatch: pytest.MonkeyPatch) -> Iterator[Showing]:
    """By a formula; in so few sentences every word is a content word."""
    monkeypatch.setattr(stages, "COMMON", 1.0)
    records: dict[str, list[str]] = {name.partition(".")[0]: [] for name in SAID}
    for name, text in SAID.items():
        records[name.partition(".")[0]].append(text)
    folder = build(
        [Record(name, "", sections=(Section(" ".join(said)),)) for name, said in records.items()]
    )
    with matching(folder, "I1") as matcher:
        yield Showing(matcher)


def _run(showing: Showing, **scores: float) -> Run:
    hits = {name.replace("_", "."): score for name, score in scores.items()}
    return Run({"a.1": Hits.ranked(list(hits), list(hits.values()))})


def test_worth(showing: Showing):
    """The score over the sentence's with itself; two content words in common."""
    hits = Hits.ranked(["b.1", "g.1", "c.1"], [2.0, 1.5, 1.0])
    query = Sentences.from_texts([SAID["a.1"]], showing.matcher.model.stopwords)
    own = showing.matcher.model.query_scores(query, 0, np.array([0]))[0]
    worth, enough = showing.worth(SAID["a.1"], hits)
    np.testing.assert_allclose(worth, [2 / own, 1.5 / own, 1 / own])
    assert enough.tolist() == [True, False, False]  # three words, fever, quinine
    assert showing.worth("Fever", hits)[1].tolist() == [True, True, False]  # it has no other


def test_choose(showing: Showing):
    """Stock sentences, those that several records have, and what is below the cut are left out."""
    run = _run(showing, b_1=9.0, e_1=8.0, h1_1=7.0, c_1=6.0, g_1=5.0)
    showing.least = 0.0
    assert showing.choose(SAID, run)["a.1"].ids.tolist() == ["b.1"]
    showing.least = 1e9
    assert not len(showing.choose(SAID, run)["a.1"])
    showing.least = 0.0
    run = Run({"d.1": Hits.ranked(["e.1"], [9.0])})
    assert not len(showing.choose(SAID, run)["d.1"])


def test_once(showing: Showing):
    """A sentence stands where it fits best, and leaves room for the next one."""
    showing.least = 0.0
    texts = {name: SAID[name] for name in ("a.1", "a.2")}
    own = {
        name: showing.worth(text, Hits.ranked(["b.1"], [1.0]))[0][0] for name, text in texts.items()
    }
    run = Run(
        {
            "a.1": Hits.ranked(["b.1", "h1.1"], [2.0 / own["a.1"], 1.0]),
            "a.2": Hits.ranked(["c.1", "b.1"], [5.0 / own["a.2"], 3.0 / own["a.2"]]),
        }
    )
    found = showing.choose(texts, run, 1)
    assert {name: hits.ids.tolist() for name, hits in found.items()} == {
        "a.1": ["b.1"],  # a.2 shares but one content word with it
        "a.2": ["c.1"],
    }
    run = Run({name: Hits.ranked(["b.1"], [score]) for name, score in (("a.1", 1.0), ("b", 9.0))})
    found = showing.choose({"a.1": SAID["a.1"], "b": SAID["a.1"]}, run)
    assert [len(hits) for hits in found.values()] == [0, 1]


def test_what_scores_mean(showing: Showing):
    """P of a reader is the packaged model's score; P of the same abstract that of a calibration."""
    hits = Hits.ranked(["b.1", "c.1"], [0.5, 0.25])
    assert showing.probabilities(hits) == {"b.1": {}, "c.1": {}}
    showing.reader = Reader(np.zeros((2, 5)), 0.5)
    showing.matcher.model.calibration = Calibration(0.0, 0.0, 10, np.array([1.0]), 9.0)
    n = len(showing.matcher.store)
    odds = float(f"{(10 / n) / (1 + 10 / n):.4g}")
    assert showing.probabilities(hits) == {
        "b.1": {"p_related": 0.5, "p_same_abstract": odds},
        "c.1": {"p_related": 0.25, "p_same_abstract": odds},
    }


@pytest.mark.parametrize(("best", "least"), [(0.2, 0.5), (0.6, 0.6), (0.9, 0.7)])
def test_least(showing: Showing, best: float, least: float, monkeypatch: pytest.MonkeyPatch):
    """A fifth of the sentences have matches that are shown; with a reader two, between limits."""
    scores = np.array([0.0, 0.1, 0.15, best, 0.95, 0.99])
    monkeypatch.setattr(module, "best_scores", lambda _: scores)
    assert showing.least == 0.95
    showing.reader = Reader(np.zeros((2, 5)), 0.7)
    del showing.least
    assert showing.least == least


def test_related(showing: Showing, monkeypatch: pytest.MonkeyPatch):
    """More hits are looked at than are shown, of other records alone."""
    monkeypatch.setattr(module, "WIDER", 5)
    showing.least = 0.0
    found = showing.related({"a.1": SAID["a.1"]}, 2)
    assert found["a.1"].ids.tolist() == ["b.1"]


def test_stock(monkeypatch: pytest.MonkeyPatch):
    """Words in lower case, numbers as 0; the weights of a sentence's words."""
    assert stock_features("ISRCTN93732214 (2009), the ISRCTN registry") == {
        "isrctn0",
        "0",
        "the",
        "isrctn",
        "registry",
    }
    monkeypatch.setattr(
        shown, "stock_weights", lambda: {shown.BIAS: -1.0, "nct0": 0.6, "trial": 0.5}
    )
    assert is_stock("Trial NCT0011, a trial")  # 0.1
    assert not is_stock("Trials and NCT0011 and NCT0012")  # -0.4
    assert not is_stock("")


def test_what_is_known():
    """Registrations are, results are not; nor are lists of names, seven of ten tokens of six."""
    assert is_stock("ClinicalTrials.gov NCT00298142.")
    assert is_stock("The trial was registered at ISRCTN12345678.")
    assert not is_stock("Insulin lowers the glucose of diabetic mice.")
    assert not is_stock("Patients were randomised to insulin or placebo.")
    assert is_stock("Moe J, Roe B, Doe C and others")  # 6 of 8
    assert not is_stock("Moe J, Roe B and two others")  # 4 of 7
    assert not is_stock("Moe J, Roe B")
    assert not is_stock("DNA and RNA of HIV and HBV")
    assert is_stock("Moe J, Roe B, Doe C, Poe D, Coe E, Noe F, et al.")
