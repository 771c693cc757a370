"""The query file of the cystic fibrosis collection."""

from pathlib import Path

import pytest

from relsent_ir.errors import InputError
from relsent_ir.trec import read_cystic_fibrosis_qrels, read_topics

QUERIES = """QN 00001
QU Is warm air better
   than cold air?
NR 00003
RD  139 1222   15 0001
   1166 2222

QN 00020
QU Who coughs?
NR 00001
RD    7 0100
"""


@pytest.fixture
def queries(tmp_path: Path) -> Path:
    """A query file."""
    path = tmp_path / "queries"
    path.write_text(QUERIES)
    return path


def test_topics_and_judgements(queries: Path):
    """Ids lose their zeros; a grade is the sum of four scores; a blank file holds none."""
    assert read_topics(queries) == {"1": "Is warm air better than cold air?", "20": "Who coughs?"}
    assert read_cystic_fibrosis_qrels(queries) == {
        "1": {"139": 7, "15": 1, "1166": 8},
        "20": {"7": 1},
    }
    queries.write_text("\n")
    with pytest.raises(InputError, match="no queries in this file"):
        read_cystic_fibrosis_qrels(queries)


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("15 0001", "15 0003", "1: record 15: 0003 where four scores"),
        ("15 0001", "15 001", "1: record 15: 001 where four scores"),
        ("7 0100", "7", "8: record 7: nothing where four scores"),
        ("7 0100", "x 0100", "8: x where a number belongs"),
        ("00020", "twenty", "8: twenty where a number belongs"),
        ("00020", "1", "8: query 1 is there twice"),
        ("NR 00001", "NR 00002", "8: query 20 has 1 judgements, and its NR says 2"),
        ("15 0001", "139 0001", "1: record 139 is judged twice"),
        ("QU Who", "Who", "9: a line that is none of QN, QU, NR, RD"),
        ("QU Who", "QN Who", "9: |8: "),
        ("NR 00001", "QU again", "10: a field QU that belongs to no query"),
        ("QN 00001", "QU 00001", "1: a field QU that belongs to no query"),
    ],
)
def test_damaged_files(queries: Path, old: str, new: str, problem: str):
    """What does not fit is named with its line."""
    queries.write_text(QUERIES.replace(old, new))
    with pytest.raises(InputError, match=f"queries:({problem})"):
        read_cystic_fibrosis_qrels(queries)


def test_real_collection(data: Path):
    """100 queries and 4,819 judged pairs, all of them relevant for somebody."""
    path = data / "cystic-fibrosis" / "cfquery"
    qrels = read_cystic_fibrosis_qrels(path)
    topics = read_topics(path)
    assert list(qrels) == list(topics) == [str(i) for i in range(1, 101)]
    assert sum(map(len, qrels.values())) == 4819
    grades = {grade for grades in qrels.values() for grade in grades.values()}
    assert (min(grades), max(grades)) == (1, 8)
    assert {int(record) for grades in qrels.values() for record in grades} <= set(range(1, 1240))
    assert all(topics.values())
