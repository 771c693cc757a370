"""What all experiments share: steps, templates, what may be said of a test, intervals, plots."""

import re
from pathlib import Path

import numpy as np
import pytest

from reproduce import EXPERIMENTS, moves
from reproduce.page import (
    Request,
    Steps,
    brier,
    compared,
    fill_marks,
    interval,
    paired,
    plot,
    prose,
    reliability_bins,
    table,
)

RESULTS = Path(__file__).parents[2] / "docs" / "results"


def test_steps() -> None:
    """Each call tells of one more, of nobody knows how many."""
    told: list[tuple[int, int | None]] = []
    steps = Steps(Request(progress=lambda done, total: told.append((done, total))))
    steps()
    steps(7, 9)  # as a callback of something that counts for itself
    assert told == [(1, None), (2, None)]


def test_command() -> None:
    """A page names the command that made it."""
    assert Request().command("moves") == "python -m reproduce moves"
    assert Request(full=True).command("moves") == "python -m reproduce moves --full"


def test_marks() -> None:
    """Values take the place of their marks, as often as these stand; doubled braces are braces."""
    values = {"n": "3", "counts": table(["", "x"], [["a", "1"]]), "full": ""}
    text = fill_marks("{n} of {n}: f{{x}}\n\n{counts}\n\nEnd.\n\n{full}\n", values)
    assert text == "3 of 3: f{x}\n\n|  | x |\n| --- | ---: |\n| a | 1 |\n\nEnd.\n"


@pytest.mark.parametrize(
    ("template", "values", "problem"),
    [
        ("{a} {b}", {"a": "1"}, "no value for the mark 'b'"),
        ("{a}", {"a": "1", "c": "2", "b": "3"}, "no mark for b, c"),
        ("{a!r}", {"a": "1"}, "no value for the mark 'a'"),
        ("{a:>9}", {"a": "1"}, "no value for the mark 'a'"),
        ("{a.b}", {"a": "1"}, r"no value for the mark 'a\.b'"),
        ("{}", {}, "no value for the mark ''"),
        ("{a", {"a": "1"}, "expected '}'"),
        ("a}", {}, "Single '}'"),
    ],
)
def test_marks_and_values_must_fit(template: str, values: dict[str, str], problem: str) -> None:
    """An unknown mark, an unused value and a lone brace are errors, not silence."""
    with pytest.raises(ValueError, match=problem):
        fill_marks(template, values)


def test_prose_lies_beside_its_module() -> None:
    """The template is read from the folder of the module, and is strict."""
    marks = {"sources": "| a table |\n"}
    text = prose("reproduce.moves.run", "full.md", **marks)
    assert text.startswith("## ")
    assert "\n\n| a table |\n" in text
    with pytest.raises(ValueError, match="no value for the mark 'sources'"):
        prose("reproduce.moves.run", "full.md")


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_pages_are_what_their_templates_write(name: str) -> None:
    """The prose of each page in docs/results is its templates', with something in each mark."""
    folder = Path(moves.__file__).parents[1] / name.replace("-", "_")
    page = (RESULTS / f"{name}.md").read_text(encoding="utf-8").strip("\n")
    templates = sorted(folder.glob("*.md"))
    assert folder / "page.md" in templates
    for path in templates:
        template = path.read_text(encoding="utf-8").strip("\n")
        whole = path.name == "page.md" and not template.endswith("}")
        assert follows(re.split(r"\{[a-z0-9_]+\}", template), page, whole=whole), path


def follows(literal: list[str], page: str, *, whole: bool) -> bool:
    """Whether the parts of a template stand in a page in their order: all of it, or a part."""
    if whole and not page.startswith(literal[0]):
        return False
    at = 0
    for part in literal[:-1]:
        place = page.find(part, at)
        if place < 0:
            return False
        at = place + len(part)
    last = len(page) - len(literal[-1]) if whole else page.find(literal[-1], at)
    return last >= at and page.startswith(literal[-1], last)


def test_follows() -> None:
    """Parts in order, not overlapping; the last at the end."""
    assert follows(["a ", " c ", " e"], "a b c d e", whole=True)
    assert not follows(["a ", " c ", " e"], "a b d c e", whole=True)
    assert not follows(["a ", "b c", "c d"], "a b c d", whole=True)
    assert not follows(["a ", " c"], "a b c d", whole=True)
    assert follows(["a ", " c"], "a b c d", whole=False)


def test_what_a_test_lets_us_say() -> None:
    """Above or below only with p under 0.05; equal figures are neither."""
    assert compared(0.4, 0.3, 0.0031) == "above (p 0.0031)"
    assert compared(0.3, 0.4, 0.0499) == "below (p 0.05)"
    assert compared(0.4, 0.3, 0.05) == "not significantly above (p 0.05)"
    assert compared(0.3, 0.4, 0.8849, ".3f") == "not significantly below (p 0.885)"
    assert compared(3, 1, 1e-90) == "above (p < 0.001)"
    assert compared(2, 2, 1.0) == "level (p 1)"


def test_brier_and_bins() -> None:
    """Squared differences, and the share that came true by tenths of P."""
    p, right = np.array([0.05, 0.07, 0.95, 1.0]), np.array([False, True, True, True])
    assert brier(p, right) == pytest.approx((0.0025 + 0.8649 + 0.0025 + 0.0) / 4)
    low, high = reliability_bins(p, right)
    assert low == (0, 2, pytest.approx(0.06), 0.5)
    assert high == (9, 2, pytest.approx(0.975), 1.0)


def test_paired_and_interval() -> None:
    """Values in the order of the first one's topics; mean 2, error 1 / sqrt(3), t 4.302653."""
    assert paired({"a": 1.0, "b": 2.0}, {"b": 3.0, "a": 4.0}) == ([1.0, 2.0], [4.0, 3.0])
    low, high = interval([2, 3, 4], [1, 1, 1])
    assert low == pytest.approx(2 - 4.302653 / 3**0.5, abs=1e-5)
    assert high == pytest.approx(2 + 4.302653 / 3**0.5, abs=1e-5)


def test_the_same_data_give_the_same_bytes() -> None:
    """One SVG file under its name, with its labels, and no date."""
    found: dict[str, bytes] = {}
    for name in ("curve", "curve", "other"):
        before = found.get(name)
        with plot(found, name, "pairs", "BE") as axes:
            axes.plot([1, 2], [3, 4], label="Huber")
        assert before in (None, found[name])
    assert sorted(found) == ["curve", "other"]
    assert found["curve"].startswith(b"<?xml")
    assert b"Huber" in found["curve"]
    assert b"BE" in found["curve"]
    assert b"dc:date" not in found["curve"]
