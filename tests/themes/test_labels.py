"""Phrases that a theme's records share, on records with known titles."""

from dataclasses import replace
from pathlib import Path

import pytest

from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.records import Mesh, Record, Section
from relsent_ir.text.parsing import Parsed
from relsent_ir.themes import Terms, ThemeFinder, ThemeSettings, ThemeTopic
from relsent_ir.themes.finding import shared_by
from relsent_ir.themes.labels import Phrase, _phrases, common_phrases
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


def _shared(records: list[Record], place: Path) -> list[Phrase]:
    """Return what the first eight records share."""
    terms = Terms(("title", "abstract", "mesh"), selection=Selection(2, 0.3))
    with Indexes(write_index(records, place)) as collection:
        finder = ThemeFinder(collection, ThemeSettings(size=8, kernel_weight=1), terms)
        read = lambda _, theme: common_phrases(finder.index, finder.matrix, theme)  # noqa: E731
        return finder.find({"": ThemeTopic(("r00",))}, read)[""]


def _titled(titles: list[str], *headings: Mesh) -> list[Record]:
    """Put records of these titles and headings before seventy-two that are on nothing."""
    first = [
        Record(f"r{i:02}", title, sections=(Section("nacre pearl oyster"),), mesh=headings)
        for i, title in enumerate(titles)
    ]
    return first + _records()[8:]


@pytest.fixture(scope="module")
def phrases(tmp_path_factory: pytest.TempPathFactory) -> list[Phrase]:
    """What the eight share."""
    return _shared(_records(), tmp_path_factory.mktemp("labels"))


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


def test_two_names(tmp_path: Path) -> None:
    """What all eight titles have comes first, then what five have; what two have is no name."""
    titles = ["Tidal mud and brine shrimps."] * 3 + ["Tidal mud and a brine shrimp."] * 2
    titles += ["Tidal mud and marsh gas."] * 2 + ["Tidal mud."]
    named = [phrase for phrase in _shared(_titled(titles), tmp_path) if phrase.names]
    assert [phrase.text for phrase in named] == ["Tidal mud", "brine shrimps"]
    assert [phrase.share for phrase in named] == pytest.approx([1, 5 / 8], abs=0.05)


def test_a_general_word_names_nothing(tmp_path: Path) -> None:
    """Two of eight titles have it, and all abstracts; a heading that no title has is no name."""
    titles = [
        "On children.",
        "Of a child.",
        *(f"The {word}." for word in ["ebb", "tar", "fen", "bay", "ice", "ash"]),
    ]
    records = [
        replace(record, sections=(Section("child nacre pearl oyster"),)) if i < 8 else record
        for i, record in enumerate(_titled(titles, Mesh("Lactones")))
    ]
    assert not [phrase.text for phrase in _shared(records, tmp_path) if phrase.names]


def test_a_heading_written_otherwise(tmp_path: Path) -> None:
    """No title has "Tidal Agents", but four have the word that tells it from others."""
    titles = [
        "Tidal mud.",
        "Tidal brine.",
        "Tidal marsh.",
        "Tidal gas.",
        "Ebb.",
        "Tar.",
        "Fen.",
        "Bay.",
    ]
    shared = _shared(_titled(titles, Mesh("Agents, Tidal")), tmp_path)
    assert [phrase.text for phrase in shared if phrase.names] == ["Tidal Agents"]


def test_ends_of_phrases() -> None:
    """Each noun phrase and its ends of two words; none over "and", none with a leading number."""
    words = ["the", "severe", "lung", "disease", "and", "2", "adult", "cases"]
    tags = ["DT", "JJ", "NN", "NN", "CC", "CD", "NN", "NNS"]
    chunks = ["B-NP", *["I-NP"] * 7]
    given = list(_phrases(Parsed([(0, 0)] * 8, words, tags, chunks)))
    assert given == ["severe lung disease", "lung disease", "adult cases"]


def test_shared_by() -> None:
    """A phrase of two themes is told with them; one of a theme alone is not."""
    themes = {
        "a": {"phrases": [{"phrase": "Nacre", "share": 0.5}, {"phrase": "gill", "share": 0.9}]},
        "b": {"phrases": [{"phrase": "nacre", "share": 0.4}, {"phrase": "gill", "share": 0.1}]},
    }
    assert shared_by(themes).split() == ["nacre", "in", "2", "of", "2", "themes:", "a", "b"]
    assert shared_by({"a": themes["a"]}) == "no phrase is in two of the themes"
