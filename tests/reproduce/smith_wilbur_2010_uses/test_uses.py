"""Uses of related sentences: what is counted, by hand, and the whole page on invented records."""

import gzip
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.records import Record, Section
from relsent_ir.related.features import Sentences
from reproduce.smith_wilbur_2010_uses.run import (
    borders,
    covered,
    cut_right,
    find_senses,
    gaps,
    same_sense,
    stop_word_break_even,
    structured,
    summarise,
)
from tests.invented import index_of
from tests.related.conftest import invent

RECORD = Record(
    "1",
    "Insulin and glucose of mice",
    sections=(
        Section("Insulin lowers glucose. Mice have glucose.", category="BACKGROUND"),
        Section("Larvae eat algae. Larvae drown. Algae grow in ponds.", category="RESULTS"),
        Section("Glucose of mice falls by insulin.", category="CONCLUSIONS"),
    ),
)


class SharedWords:
    """Scores by the number of words in common."""

    def scores(
        self, sentences: Sentences, a: NDArray[np.integer], b: NDArray[np.integer]
    ) -> NDArray[np.float64]:
        """Score pairs."""
        present = (sentences.words > 0).astype(float)
        return np.asarray((present[a] * present[b]).sum(axis=1)).ravel()

    def query_scores(
        self, sentences: Sentences, query: int, rows: NDArray[np.integer]
    ) -> NDArray[np.float64]:
        """Score one against others."""
        return self.scores(sentences, np.full(len(rows), query), rows)


SHARED: Any = SharedWords()


def test_an_abstract() -> None:
    """By hand: neighbours share 1, 0, 1, 0 and 0 words; borders are after the second and fifth."""
    assert structured(RECORD)
    assert borders(RECORD).tolist() == [False, True, False, False, True]
    assert gaps(RECORD, SHARED, 1).tolist() == [1, 0, 1, 0, 0]
    assert gaps(RECORD, SHARED, 2).tolist() == [0.5, 0, 0.5, 0.25, 0]
    assert cut_right(RECORD, SHARED, 1) == 0.5
    assert cut_right(RECORD, SHARED, 2) == 1.0
    assert summarise(RECORD, SHARED) == 5  # two words with the first, two with the second
    assert covered(RECORD, 5) == 1.0
    assert covered(RECORD, 1) == pytest.approx(2 / 3)


def test_senses(tmp_path: Path) -> None:
    """A sense shows by words of one sense only; without these words what is left decides."""
    texts = (
        "Ventilation of kitchens was poor.",
        "Kitchens had poor ventilation.",
        "Patients had mechanical ventilation.",
        "Mechanical ventilation of children.",
        "Mechanical ventilation of rooms.",
        "Ventilation rose.",
    )
    records = [Record(f"v{i}", "", sections=(Section(text),)) for i, text in enumerate(texts)]
    index_of(tmp_path, records)
    with Indexes(tmp_path / "index") as collection:
        found = find_senses(collection)
    assert {name: sense for name, (sense, _) in found.items()} == {
        "v0.1": "of a room",
        "v1.1": "of a room",
        "v2.1": "of a patient, by a machine",
        "v3.1": "of a patient, by a machine",
    }
    rated = same_sense(found, {"shared": SHARED})
    assert [same for _, same in rated["shared", False]] == [True] * 4
    assert [same for _, same in rated["shared", True]] == [True, True, False, False]


def test_stop_words() -> None:
    """Break-even of each formula, in percent."""
    found = stop_word_break_even(invent(60), ("of", "the"))
    assert set(found) == {"D", "T1", "O1", "I1.5"}
    assert all(40.0 <= be <= 100.0 for be in found.values())


@pytest.mark.slow
def test_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every table is filled."""
    from reproduce import Request, reproduce

    structured = [replace(RECORD, id=f"s{number}") for number in range(12)]  # some are kept apart
    for name, records in (("abstracts", invent(40)), ("rct", [*structured, *invent(60, seed=1)])):
        (tmp_path / name).mkdir()
        lines = "".join(record.to_json() + "\n" for record in records)
        parts = ("abstracts.jsonl.gz",)
        if name == "rct":
            parts = ("rct-train.xml.gz", "rct-validation.xml.gz", "rct-test-unlabelled.xml.gz")
        for part in parts:
            (tmp_path / name / part).write_bytes(gzip.compress(lines.encode()))
    (tmp_path / "lists").mkdir()
    for name in ("nlm-313", "pubmed-133"):
        (tmp_path / "lists" / f"{name}.txt").write_text("of\nthe\n")
    monkeypatch.setenv("RELSENT_DATA", str(tmp_path))
    request = Request(indexes=tmp_path / "indexes")
    page = reproduce("smith-wilbur-2010-uses", request, tmp_path / "results").read_text()
    for title in ("Stop words", "What *ventilation* means", "A sentence", "Segments"):
        assert f"## {title}" in page
    assert "huber-plus" in page
