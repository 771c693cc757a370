"""The page of moves, from small invented collections in the place of the real ones."""

from pathlib import Path

import numpy as np
import pytest

from relsent_ir.errors import InputError
from relsent_ir.moves.evaluation import MoveScores
from relsent_ir.records import Record, Section
from reproduce import Request, reproduce
from reproduce.moves.run import EXAMPLE, interval

DRUGS = ("murinol", "ratinol", "catinol", "caninol", "ovinol", "bovinol")


def _sections(drug: str) -> dict[str, str]:
    return {
        "AIM": f"Little is known of {drug}. It is old. We aimed to study it.",
        "METHODS": f"Forty mice were given {drug} or placebo. They were weighed.",
        "RESULTS": "Two of 20 mice died. Weight rose (P < 0.01). Others fell. None ran.",
        "CONCLUSION": f"We conclude that {drug} may help mice.",
    }


def _record(number: str, drug: str, *, headings: bool = False) -> str:
    parts = _sections(drug)
    sections = tuple(Section(text, label) for label, text in parts.items())
    if headings:
        sections = (Section(" ".join(f"{label}: {text}" for label, text in parts.items())),)
    return Record(number, f"Safety of {drug}", sections=sections).to_json() + "\n"


@pytest.fixture
def collections(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder as the experiment expects it."""
    for n, (name, headings) in enumerate(
        {
            "rct/rct-train.xml.gz": False,
            "rct/rct-validation.xml.gz": False,
            "pubmed-xml/a.xml": False,
            "abstracts/abstracts.jsonl.gz": True,
        }.items()
    ):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        lines = [_record(f"{n}{k}", drug, headings=headings) for k, drug in enumerate(DRUGS)]
        path.write_text("".join(lines), encoding="utf-8")
    (tmp_path / "example.jsonl").write_text(_record(EXAMPLE, "murinol"), encoding="utf-8")
    monkeypatch.setenv("RELSENT_DATA", str(tmp_path))
    return tmp_path


def test_page(collections: Path) -> None:
    """All tables are there, the example by number and score, and not its text."""
    steps: list[int] = []
    request = Request(
        full=True,
        example=collections / "example.jsonl",
        progress=lambda done, _total: steps.append(done),
    )
    path = reproduce("moves", request, collections / "results")
    page = path.read_text(encoding="utf-8")
    for title in ("Data", "Summary", "Bayes, without", "example", "Sources"):
        assert f"## {title}" in page or title in page
    assert "| RCT train | 6 | 6 | 0 | 6 | 60 | 0 | 0 | 0 |" in page
    assert "| headings | 6 | 0 | 6 | 6 | 60 | 0 | 0 | 0 |" in page
    assert "| the others | 6 |" in page
    assert "| METHODS, " not in page
    assert "| 10 | CONCLUSION | CONCLUSION | 00160116 |" in page
    assert "murinol" not in page
    assert steps == list(range(1, len(steps) + 1))


def test_without_example(collections: Path) -> None:
    """The page says how to get the example; a file without it is an error."""
    page = reproduce("moves", Request(), collections).read_text(encoding="utf-8")
    assert "--example FILE" in page
    assert "Sources that" not in page
    with pytest.raises(InputError, match="holds no record"):
        reproduce("moves", Request(example=collections / "rct/rct-train.xml.gz"), collections)


def test_interval_holds_the_value() -> None:
    """The bootstrap interval is around the value, and repeatable."""
    rng = np.random.default_rng(2)
    scores = MoveScores(rng.integers(0, 5, size=(60, 4, 4)) + 9 * np.eye(4, dtype=int))
    low, high = interval(scores, 200)
    assert low < scores.macro_f1 < high
    assert interval(scores, 200) == (low, high)
