"""Phrases that a theme's records share, on records with known titles."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.records import Mesh, Record, Section
from relsent_ir.text.parsing import Parsed
from relsent_ir.text.vocabulary import Vocabulary
from relsent_ir.themes import Terms, ThemeFinder, ThemeSettings, ThemeTopic
from relsent_ir.themes.em import Mixture, Posterior, Theme
from relsent_ir.themes.finding import shared_by
from relsent_ir.themes.labels import (
    Phrase,
    ThemeTerm,
    _phrases,
    common_phrases,
    label_theme,
    records_on_theme,
    stem,
    terms_of_theme,
)
from relsent_ir.themes.matrix import PresenceMatrix, Selection
from tests.themes.conftest import write_index
from tests.themes.dense import matrix_of


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
    """A noun phrase is whole, without its article; what all eight have and nobody else names."""
    texts = [phrase.text for phrase in phrases]
    assert "pearl oyster shell" in texts
    assert not {"The pearl oyster shell", "pearl oyster", "Shells, Nacreous", "Humans"} & set(texts)
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
    row = Parsed([(0, 0)] * 2000, ["%"] * 2000, ["NN"] * 2000, ["I-NP"] * 2000)
    assert list(_phrases(row)) == []


def test_shared_by() -> None:
    """A phrase of two themes is told with them; one of a theme alone is not."""
    themes = {
        "a": {"phrases": [{"phrase": "Nacre", "share": 0.5}, {"phrase": "gill", "share": 0.9}]},
        "b": {"phrases": [{"phrase": "nacre", "share": 0.4}, {"phrase": "gill", "share": 0.1}]},
    }
    assert shared_by(themes).split() == ["nacre", "in", "2", "of", "2", "themes:", "a", "b"]
    assert shared_by({"a": themes["a"]}) == "no phrase is in two of the themes"


MATRIX = matrix_of([[1, 1, 0, 0], [1, 0, 1, 0], [0, 1, 1, 1], [0, 0, 0, 1]])


def _theme(log_odds: list[float], model: Mixture, kernels: list[int]) -> Theme:
    odds = np.array(log_odds)
    on = 1 / (1 + np.exp(-odds))
    posterior = Posterior.of(model)
    return Theme(np.array(kernels), odds, on, model, posterior, [1.0], [0.0], True, 0.0)


def _model(p: list[float], q: list[float], lam: list[float]) -> Mixture:
    return Mixture(np.array(p), np.array(q), np.array(lam), np.array([0.5, 0.5, 0.5, 0.02]), 0.1)


FLAT = _model([0.5] * 4, [0.5] * 4, [0.5] * 4)


def test_records_by_log_odds() -> None:
    """Descending, ties by id, the kernel left out unless kept; more than there are is all."""
    theme = _theme([9.0, 2.0, 2.0, -40.0], FLAT, [0])
    assert records_on_theme(MATRIX, theme, 2).ids.tolist() == ["r1", "r2"]
    assert records_on_theme(MATRIX, theme, 1).ids.tolist() == ["r1"]
    kept = records_on_theme(MATRIX, theme, 99, keep_kernel=True)
    assert kept.ids.tolist() == ["r0", "r1", "r2", "r3"]
    assert kept.scores.tolist() == [9.0, 2.0, 2.0, -40.0]
    assert not len(records_on_theme(MATRIX, _theme([1.0] * 4, FLAT, [0, 1, 2, 3])))


def test_terms_by_the_papers_rule() -> None:
    """Likely made by p in a record on theme, or p much above DB; ordered by p / q."""
    # t0: 0.9·0.9 of 0.1·0.5 + 0.9·0.9 is 0.94, with a record at 0.73 on theme: 0.69.
    # t1 comes from DB: 0.1·0.9 of 0.9·0.5 + 0.1·0.9 is 0.17.
    # t2 is in no record that is 0.6 on theme. t3 is ten times as likely as in the collection.
    model = _model([0.9, 0.9, 0.9, 0.2], [0.3, 0.1, 0.1, 0.01], [0.1, 0.9, 0.1, 0.9])
    theme = _theme([1.0, -1.0, -1.0, -1.0], model, [0])
    found = terms_of_theme(MATRIX, theme)
    assert [term.term for term in found] == ["t3", "t0"]
    # t3 is in the two last records, each 0.27 on theme, of 1.54 in all; 0.02 of all have it
    off = 1 / (1 + np.exp(1))
    lift = 2 * off / (1 + 2 * off) / 0.02
    assert found[0] == ThemeTerm(
        "t3", 0.2, 0.01, 0.9, 0.02, pytest.approx(2 * off), pytest.approx(lift)
    )
    assert [term.term for term in terms_of_theme(MATRIX, theme, 1)] == ["t0"]
    assert terms_of_theme(MATRIX, theme, 0) == []


def test_ends_of_terms() -> None:
    """Never off theme, its ratio is infinite; of few records half are enough."""
    model = _model([0.9, 0.9, 0.9, 0.9], [0.3, 0.0, 1e-320, 0.1], [0.1] * 4)
    theme = _theme([5.0] * 4, model, [0])
    assert terms_of_theme(MATRIX, theme)[0].term == "t1"
    matrix, theme = _labels_theme([1 - 1e-9] + [1e-9] * 11)
    assert "rare" in [term.term for term in label_theme(matrix, theme)]


TERMS = ["cor", "cor pulmonale", "heart", "hearts", "kidney", "often", "pulmonale", "rare"]
# Of 12 records the first four are on theme: the first two say cor pulmonale, a third cor alone.
TABLE = [
    [1, 1, 1, 0, 0, 1, 1, 1],
    [1, 1, 1, 0, 0, 1, 1, 0],
    [1, 0, 0, 1, 1, 1, 0, 0],
    [0, 0, 0, 1, 1, 1, 0, 0],
    *([[0, 0, 0, 0, 0, 1, 0, 0]] * 8),
]


def _labels_theme(on: list[float]) -> tuple[PresenceMatrix, Theme]:
    dense = np.array(TABLE)
    rows, columns = np.nonzero(dense)
    starts = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=len(dense)))])
    matrix = PresenceMatrix(
        Vocabulary.of(f"r{i:02}" for i in range(len(dense))),
        Vocabulary.of(TERMS),
        starts.astype(np.int32),
        columns.astype(np.int32),
    )
    half = np.full(len(TERMS), 0.5)
    model = Mixture(half, half, half, dense.mean(axis=0), 0.1)
    likely = np.array(on)
    odds = np.log(likely / (1 - likely))
    return matrix, Theme(
        np.array([0]), odds, likely, model, Posterior.of(model), [1.0], [0.0], True, 0.0
    )


def test_terms_cover_the_theme_and_share_no_word() -> None:
    """A phrase stands for its words, plurals are one word, what all records have is no label."""
    matrix, theme = _labels_theme([1 - 1e-9] * 4 + [1e-9] * 8)
    found = label_theme(matrix, theme)
    # cor is in three of the four (3·ln 3), the phrase in two of these three: more than 0.6 of them.
    # Of the two records that it leaves at a half, and two in full, kidney and hearts say most.
    assert [term.term for term in found] == ["cor pulmonale", "kidney", "hearts"]
    assert found[0].support == pytest.approx(2)
    assert found[0].lift == pytest.approx(2 / 4 * 12 / 2)
    assert found[0].db == pytest.approx(2 / 12)
    assert [term.term for term in label_theme(matrix, theme, 1)] == ["cor pulmonale"]
    assert label_theme(matrix, theme, 0) == []


@pytest.mark.parametrize(
    ("word", "expected"),
    [("polyps", "polyp"), ("arteries", "artery"), ("fibrosis", "fibrosis"), ("virus", "virus"),
     ("illness", "illness"), ("ige", "ige")],
)  # fmt: skip
def test_plurals(word: str, expected: str) -> None:
    """Endings of the plural go, others stay."""
    assert stem(word) == expected
