"""Judgements in four columns, three or two."""

from pathlib import Path

import pytest

from relsent_ir.errors import InputError, MismatchError
from relsent_ir.trec import check_common_topics, read_qrels, write_qrels


def _file(folder: Path, content: str | bytes) -> Path:
    path = folder / "qrels"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def test_columns(tmp_path: Path):
    """Blanks or tabs, ids as written; OHSUMED's three, BEIR's names; a mark and odd blanks."""
    path = _file(tmp_path, "# made by hand\n001 0 d1 2\r\n001\t0\t01\t0\n\nMED2 Q0 d1 -1\n")
    assert read_qrels(path) == {"001": {"d1": 2, "01": 0}, "MED2": {"d1": -1}}
    assert read_qrels(_file(tmp_path, "OHSU1\t8701\t1\nOHSU1\t8702\t2\n")) == {
        "OHSU1": {"8701": 1, "8702": 2}
    }
    names = "query-id\tcorpus-id\tscore\n"
    assert read_qrels(_file(tmp_path, names + "q1\td2\t1\n")) == {"q1": {"d2": 1}}
    with pytest.raises(InputError, match="no judgements"):
        read_qrels(_file(tmp_path, names))
    assert read_qrels(_file(tmp_path, "1 0 0 0\n")) == {"1": {"0": 0}}
    assert read_qrels(_file(tmp_path, "1 5 0 0\n1 5 a 0\n")) == {"1": {"0": 0, "a": 0}}
    assert read_qrels(_file(tmp_path, "\ufeff1 0 a\u00a0b 1\n")) == {"1": {"a\u00a0b": 1}}


@pytest.mark.parametrize(
    "content",
    [
        "1 184\n1 29\n10 7\n",
        "01 0184  0 0\n01 0029  0 0\n10 7 0 0\n",
        "1 184 0 0.000\n1 29 0 0.000\n10 7 0 0.0\n",
    ],
)
def test_the_smart_system(tmp_path: Path, content: str):
    """Two columns, or four that end in noughts: relevant is what is listed."""
    assert read_qrels(_file(tmp_path, content)) == {"1": {"184": 1, "29": 1}, "10": {"7": 1}}


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("1 0 a 1\n1 b 1\n", "qrels:2: 3 columns, not 4"),
        ("1 a 1\n1 0 b 1\n", "qrels:2: 4 columns, not 3"),
        ("1\n", "qrels:1: 1 columns, not 4, 3 or 2"),
        ("1 0 a 1 tag\n", "qrels:1: 5 columns, not 4, 3 or 2"),
        ("1 Q0 a 1 2 x\n", "this is a run; the qrels come first"),
        ("1 0 a 1\n1 0 a 1\n", "qrels:2: topic 1, document a: judged already in line 1"),
        ("1 0 a\0b 1\n", "qrels:1: a NUL"),
        ("1 0 a yes\n", "qrels:1: the grade yes is not a whole number"),
        ("1 0 a 1.5\n", "qrels:1: the grade 1.5"),
        ("1 0 a 1_0\n", "qrels:1: the grade 1_0"),
        ("1 0 a --1\n", "qrels:1: the grade --1"),
        ("1 0 a 128\n", "qrels:1: the grade 128 is not a whole number from -127 to 127"),
        (b"1 0 a 1\n1 0 \xe9 1\n", "qrels:2: not UTF-8"),
        ("# nothing\n", "qrels: there are no judgements"),
        ("", "qrels: the file is empty"),
    ],
)
def test_bad_lines(tmp_path: Path, content: str | bytes, problem: str):
    """Each is refused with its line."""
    with pytest.raises(InputError, match=problem):
        read_qrels(_file(tmp_path, content))


def test_written_qrels(tmp_path: Path):
    """An id that could not be read back is not written; the rest is read again as it was."""
    with pytest.raises(InputError, match="document id 'a b' is empty or has white space"):
        write_qrels(tmp_path / "qrels", {"1": {"a b": 1}})
    assert not list(tmp_path.iterdir())
    qrels = {"2": {"b": 3, "a": 0}, "10": {"ü": -1}}
    path = tmp_path / "qrels.gz"
    write_qrels(path, qrels)
    again = read_qrels(path)
    assert [(t, list(g.items())) for t, g in again.items()] == [
        (t, list(g.items())) for t, g in qrels.items()
    ]


def test_no_common_id():
    """Both places are named, with an example of each; one common id is enough."""
    with pytest.raises(
        MismatchError, match=r"a\.txt \(such as topic 01\) and b\.txt \(such as topic 1\)"
    ):
        check_common_topics({"01": 0}, {"1": 0}, "a.txt", "b.txt")
    with pytest.raises(MismatchError, match=r"b\.txt \(no topics\)"):
        check_common_topics({"01": 0}, {}, "a.txt", "b.txt")
    check_common_topics({"1": 0, "2": 0}, ["2", "3"], "a", "b")
