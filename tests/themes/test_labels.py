"""Phrases that a theme's records share, on records with known titles."""

import pytest

from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.records import Mesh, Record, Section
from relsent_ir.themes import Terms, ThemeFinder, ThemeSettings, ThemeTopic
from relsent_ir.themes.finding import shared_by
from relsent_ir.themes.labels import Phrase, common_phrases
from relsent_ir.themes.matrix import Selection
from tests.themes.conftest import write_index


def _records() -> list[Record]:
    """Eight on one subject among eighty."""
    said = [("The pearl oyster shell.", "pearl oyster shell nacre growth")] * 8
    said += [(f"A note on subject {chr(97 + i % 26)}x.", f"word{i} word{i + 1}") for i in range(72)]
    return [
        Record(f"r{i:02}", title, sections=(Section(text),),
               mesh=(Mesh("Shells, Nacreous"), Mesh("Humans")) if i < 8 else (Mesh("Humans"),))
        for i, (title, text) in enumerate(said)
    ]  # fmt: skip


@pytest.fixture(scope="module")
def phrases(tmp_path_factory: pytest.TempPathFactory) -> list[Phrase]:
    """What the eight share."""
    folder = write_index(_records(), tmp_path_factory.mktemp("labels"))
    terms = Terms(("title", "abstract", "mesh"), selection=Selection(2, 0.3))
    with Indexes(folder) as collection:
        finder = ThemeFinder(collection, ThemeSettings(size=8, kernel_weight=1), terms)
        topics = {"": ThemeTopic(("r00",))}
        read = lambda _, theme: common_phrases(finder.index, finder.matrix, theme)  # noqa: E731
        return finder.find(topics, read)[""]


def test_whole_phrases(phrases: list[Phrase]) -> None:
    """A title's noun phrase is whole, without its article; an inverted heading is turned round."""
    texts = [phrase.text for phrase in phrases]
    assert "pearl oyster shell" in texts
    assert not {"The pearl oyster shell", "pearl oyster", "Shells, Nacreous", "Humans"} & set(texts)


def test_a_phrase_that_names(phrases: list[Phrase]) -> None:
    """All eight have it and nobody else, so it stands for the theme, ten times as often."""
    (phrase,) = (one for one in phrases if one.text == "pearl oyster shell")
    assert phrase.names
    assert phrase.share == pytest.approx(1, abs=0.05)
    assert phrase.lift == pytest.approx(10, abs=0.5)


def test_shared_by() -> None:
    """A phrase of two themes is told with them; one of a theme alone is not."""
    themes = {
        "a": {"phrases": [{"phrase": "Nacre", "share": 0.5}, {"phrase": "gill", "share": 0.9}]},
        "b": {"phrases": [{"phrase": "nacre", "share": 0.4}, {"phrase": "gill", "share": 0.1}]},
    }
    assert shared_by(themes).split() == ["nacre", "in", "2", "of", "2", "themes:", "a", "b"]
    assert shared_by({"a": themes["a"]}) == "no phrase is in two of the themes"
