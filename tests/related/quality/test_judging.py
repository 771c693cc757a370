"""Sheets, keys and ratings of judged matches, and their plots."""

from pathlib import Path

import numpy as np
import pytest
from lxml import etree
from scipy.stats import chi2, pearsonr

from relsent_ir.errors import InputError, MismatchError, OutputError
from relsent_ir.related.quality.judging import (
    Named,
    Ratings,
    by_score,
    draw_ratings,
    kappa,
    mcnemar,
    mean_above,
    mean_kappa,
    rated_matches,
    read_key,
    read_ratings,
    share_at,
    shuffle_matches,
    write_sheet,
)

MATCHES = {
    "I1.5": {f"a{i}.1": (f"b{i}.2", 1.0 + i) for i in range(9)},
    "D": {f"a{i}.1": (f"b{i}.2" if i < 3 else f"c{i}.4", 0.1 * i) for i in range(9)},
}
TEXTS = {
    f"{letter}{i}.{n}": f'Text {letter}{i}: "quoted".'
    for letter, n in ("a1", "b2", "c4")
    for i in range(9)
}


def test_sheet_is_blind(tmp_path: Path):
    """A pair that two methods name stands there once; nothing tells of methods; the key does."""
    named = shuffle_matches(MATCHES, seed=1)
    assert write_sheet(tmp_path / "sheet.tsv", tmp_path / "key.tsv", named, TEXTS) == 15
    lines = (tmp_path / "sheet.tsv").read_text().splitlines()
    assert lines[0] == "item\tsentence\tmatch\trating"
    assert len(lines) == 16
    assert not any("I1.5" in line for line in lines)
    assert read_key(tmp_path / "key.tsv") == named
    told = {(one.method, one.sentence): (one.match, one.score) for one in named}
    assert told == {(m, s): pair for m, found in MATCHES.items() for s, pair in found.items()}
    order = [one.sentence for one in named]
    assert order != sorted(order)
    assert shuffle_matches(MATCHES, seed=1) == named != shuffle_matches(MATCHES, seed=2)


def test_sheet_and_key_or_neither(tmp_path: Path):
    """Where the key cannot be written there is no sheet either."""
    named = shuffle_matches(MATCHES)
    with pytest.raises(OutputError, match="this is a folder"):
        write_sheet(tmp_path / "sheet.tsv", tmp_path, named, TEXTS)
    assert list(tmp_path.iterdir()) == []


def test_ratings(tmp_path: Path):
    """Sheets come back; what was left empty is not rated."""
    named = shuffle_matches(MATCHES)
    write_sheet(tmp_path / "sheet.tsv", tmp_path / "key.tsv", named, TEXTS)
    lines = (tmp_path / "sheet.tsv").read_text().splitlines()
    lines[1] += "2"
    lines[3] += " 0"
    (tmp_path / "mine.tsv").write_text("\n".join(lines))
    assert read_ratings(tmp_path / "mine.tsv") == {"1": 2, "3": 0}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("item\trating\n1\tgood\n", r"x\.tsv:2: no whole number: 'good'"),
        ("item\tgrade\n1\t1\n", r"x\.tsv:2: no column rating"),
        ("item\trating\n1\t1\n1\t2\n", r"x\.tsv:3: item 1 is rated twice"),
        ("item\trating\n1\t\n", "no item is rated"),
        (f"item\trating\n1\t{'9' * 400}\n", r"x\.tsv:2: no whole number: '9"),
        ('item\trating\n1\t"1\n', r"x\.tsv:2: this is no row of a table"),
    ],
)
def test_bad_sheets(tmp_path: Path, text: str, problem: str):
    """One line that names the place."""
    (tmp_path / "x.tsv").write_text(text)
    with pytest.raises(InputError, match=problem):
        read_ratings(tmp_path / "x.tsv")


def test_bad_key(tmp_path: Path):
    """A score that is none, and no line at all."""
    header = "item\tsentence\tmatch\tmethod\tscore\n"
    for score in ("high", "nan", "1e308"):
        (tmp_path / "x.tsv").write_text(header + f"1\ta.1\tb.1\tD\t{score}\n")
        with pytest.raises(InputError, match=f"no score: '{score}'"):
            read_key(tmp_path / "x.tsv")
    (tmp_path / "x.tsv").write_text(header)
    with pytest.raises(InputError, match="empty"):
        read_key(tmp_path / "x.tsv")


def test_kappa_by_hand():
    """Agreed on 3 of 4; chance: (2/4)(1/4) + (2/4)(3/4) = 1/2; so (.75 - .5) / .5."""
    first, second = {"1": 0, "2": 0, "3": 1, "4": 1, "9": 1}, {"1": 0, "2": 1, "3": 1, "4": 1}
    assert kappa(first, second) == (pytest.approx(0.5), 4)
    assert kappa({"1": 1}, {"1": 1}) == (1.0, 1)
    assert mean_kappa([first]) is None
    assert mean_kappa([first, second, second]) == pytest.approx((0.5 + 0.5 + 1.0) / 3)
    with pytest.raises(MismatchError, match="no rated item in common"):
        kappa({"1": 1}, {"2": 1})


def test_ratings_against_scores():
    """By hand: two judges, three matches of one method; fifths of them are single matches."""
    named = shuffle_matches({"D": {"a.1": ("b.1", 3.0), "c.1": ("d.1", 1.0), "e.1": ("f.1", 2.0)}})
    item = {one.sentence: one.item for one in named}
    first = {item["a.1"]: 2, item["c.1"]: 0, item["e.1"]: 1}
    second = {item["a.1"]: 1, item["e.1"]: 0}
    found = rated_matches(named, [first, second], share_at(1))["D"]
    scores, shares = np.array(found).T
    assert scores.tolist() == [1.0, 2.0, 3.0]
    assert shares.tolist() == [0.0, 0.5, 1.0]
    assert [r for _, r in rated_matches(named, [first], share_at(2))["D"]] == [0.0, 0.0, 1.0]
    assert by_score(scores, shares) == [(1.0, 0.0, 0.5), (2.0, 0.5, 0.75), (3.0, 1.0, 1.0)]
    assert by_score(np.arange(10.0), np.ones(10))[0] == (0.5, 1.0, 1.0)
    with pytest.raises(MismatchError, match="1 rated items, such as 77"):
        rated_matches(named, [{"77": 1}], share_at(1))


KEY = [
    Named("1", "a.1", "b.1", "D", 3.0),
    Named("2", "c.1", "d.1", "D", 1.0),
    Named("2", "c.1", "d.1", "I1.5", 7.0),
    Named("3", "e.1", "f.1", "I1.5", 5.0),
]
JUDGES = [{"1": 4, "2": 1}, {"2": 2}]


def test_mean_ratings():
    """By score; the mean of those who rated; what nobody rated is not there."""
    assert rated_matches(KEY, JUDGES) == {"D": [(1.0, 1.5), (3.0, 4.0)], "I1.5": [(7.0, 1.5)]}
    with pytest.raises(MismatchError, match="77"):
        rated_matches(KEY, [{"77": 1}])


def test_the_papers_rule():
    """Related is a mean rating above 2; agreement is of that, too; both methods' are compared."""
    best = {
        "A": {f"s{i}.1": (f"a{i}.1", float(i)) for i in range(6)},
        "B": {f"s{i}.1": (f"b{i}.1", float(-i)) for i in range(5)},
    }
    named = shuffle_matches(best)
    item = {(one.method, one.sentence[1]): one.item for one in named}
    said = {"A": [(0, 1), (2, 2), (3, 2), (3, 3), (4, 4), (4, 3)], "B": [(0, 0), (1, 0)] * 2}
    judges = [
        {item[m, str(i)]: pair[judge] for m, rows in said.items() for i, pair in enumerate(rows)}
        for judge in (0, 1)
    ]
    found = Ratings.of(named, judges, mean_above(2))
    assert found.methods["A"]["related"] == pytest.approx(4 / 6)  # means .5, 2, 2.5, 3, 4, 3.5
    assert found.methods["B"]["related"] == 0.0
    (test,) = found.tests
    assert (test["methods"], test["sentences"]) == (["A", "B"], 4)
    assert (test["only_first"], test["only_second"]) == (2, 0)
    assert test["p"] == pytest.approx(chi2.sf(2.0, 1))
    # above 2: 4 of the first judge's ten, 3 of the second's, 9 alike; chance .4 * .3 + .6 * .7
    assert found.kappa_related == pytest.approx((0.9 - 0.54) / 0.46)
    means = [0.5, 2.0, 2.5, 3.0, 4.0, 3.5]
    assert found.methods["A"]["pearson"] == pytest.approx(pearsonr(range(6), means).statistic)
    assert found.methods["A"]["spearman"] == pytest.approx(1 - 6 * 2 / (6 * 35))
    assert "of related or not 0.783" in str(found)
    single = Ratings.of(KEY, [{"1": 4}], mean_above(2))
    assert single.methods["D"]["pearson"] is None
    assert (single.kappa, single.kappa_related, single.tests) == (None, None, [])


def test_mcnemar():
    """By hand: 6 against 2."""
    first = [1] * 6 + [0] * 2 + [1] * 5
    second = [0] * 6 + [1] * 2 + [1] * 5
    assert mcnemar(first, second) == (6, 2, pytest.approx(chi2.sf(2.0, 1)))
    assert mcnemar(first, first) == (0, 0, 1.0)


def test_drawn_alike():
    """A row of three plots a method, with the ratings as text; twice the same bytes."""
    drawn = draw_ratings(KEY, JUDGES)
    assert drawn == draw_ratings(KEY, JUDGES)
    texts = [text.strip() for text in etree.fromstring(drawn).itertext() if text.strip()]
    for told in ("D", "I1.5", "1.5", "mean rating", "share of matches"):
        assert told in texts
