"""Topics of every format, seen or forced, and what is refused."""

import gzip
import logging
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from relsent_ir.errors import InputError, UsageError
from relsent_ir.trec import TOPIC_FORMATS, read_topics, write_topics

CONTENTS = {
    "tsv": "001\tfirst question\nOHSU1\tsecond question\n",
    "jsonl": '{"id": "001", "text": "first question"}\n'
    '{"qid": "OHSU1", "title": "second question"}\n',
    "trec": "<top>\n<num> Number: 001\n<title> first question\n"
    "<top><num>Number: OHSU1 <title>second\nquestion</top>\n",
    "ohsumed": ".I 001\n.B\nfirst question\n.I OHSU1\n.B\nsecond question\n",
}


@pytest.mark.parametrize("format_", CONTENTS)
@pytest.mark.parametrize("forced", [False, True])
def test_same_topics_in_each_format(tmp_path: Path, format_: str, forced: bool):
    """Ids stay as they are written, and the order is the file's."""
    path = tmp_path / "topics"
    path.write_text(CONTENTS[format_])
    topics = read_topics(path, format_ if forced else None)
    assert list(topics.items()) == [("001", "first question"), ("OHSU1", "second question")]


@pytest.mark.parametrize("format_", CONTENTS)
def test_windows_gzip_and_empty_lines_before(tmp_path: Path, format_: str):
    """A byte order mark, CRLF, empty lines at the top and gzip change nothing."""
    path = tmp_path / "topics"
    content = "\ufeff\r\n" + CONTENTS[format_].replace("\n", "\r\n")
    path.write_bytes(gzip.compress(content.encode()))
    assert read_topics(path) == {"001": "first question", "OHSU1": "second question"}


@pytest.mark.parametrize("name", ["TsvString", "TsvInt"])
def test_names_of_anserini(tmp_path: Path, name: str):
    """Anserini's names are known, and its Int formats keep ids as strings too."""
    assert name in TOPIC_FORMATS
    path = tmp_path / "topics"
    path.write_text("007\tq\n")
    assert read_topics(path, name) == {"007": "q"}


def test_formats_that_are_refused(tmp_path: Path):
    """An unknown one, one that cannot be seen, and files that hold nothing."""
    path = tmp_path / "topics"
    path.write_text("1\tq\n")
    with pytest.raises(UsageError, match=r"no topics format xml \(one of tsv, jsonl"):
        read_topics(path, "xml")
    path = tmp_path / "prose"
    path.write_text("What is known of this?\n")
    with pytest.raises(InputError, match=r"prose:1: these are no topics"):
        read_topics(path)
    path = tmp_path / "empty"
    path.touch()
    with pytest.raises(InputError, match="the file is empty"):
        read_topics(path)
    path.write_text("\n \n")
    with pytest.raises(InputError, match="no topics in this file"):
        read_topics(path)


@pytest.mark.parametrize(
    ("format_", "line"), [("tsv", 2), ("jsonl", 2), ("trec", 4), ("ohsumed", 4)]
)
def test_id_used_twice(tmp_path: Path, format_: str, line: int):
    """The second use is refused with both lines."""
    path = tmp_path / "topics"
    path.write_text(CONTENTS[format_].replace("OHSU1", "001"))
    with pytest.raises(InputError, match=rf"topics:{line}: topic id 001 is used already in line 1"):
        read_topics(path)


@pytest.mark.parametrize("id_", ["", "a b", "a\u2028 b"])
def test_ids_that_no_run_can_hold(tmp_path: Path, id_: str):
    """An empty id and one with white space would break every run."""
    path = tmp_path / "topics"
    path.write_text(f"1\tq\n{id_}\tq\n")
    with pytest.raises(InputError, match=r"topics:2: the topic id .* is empty or has white space"):
        read_topics(path, "tsv")


def test_fields(tmp_path: Path, caplog: pytest.LogCaptureFixture):
    """A topic may be empty, which is logged; fields are joined in the order asked for."""
    path = tmp_path / "topics"
    path.write_text("1\tq\n2\t \n")
    with caplog.at_level(logging.WARNING):
        assert read_topics(path) == {"1": "q", "2": ""}
    assert caplog.messages == [f"{path}:2: topic 2 has no text"]
    path = tmp_path / "topics"
    path.write_text(
        "<top><num> Number: 1<title> Topic: short <desc> Description: longer\n<narr>Narrative: why"
        "</top><top><num>2<title>only</top>"
    )
    assert read_topics(path, field="desc+title") == {"1": "longer short", "2": "only"}
    assert read_topics(path, field="title+desc+narr")["1"] == "short longer why"


def test_field_that_is_not_there(tmp_path: Path):
    """A field that no topic has is a usage error with those that there are."""
    path = tmp_path / "topics"
    path.write_text("1\tq\n")
    with pytest.raises(UsageError, match=r"no topic has a field 'desc' \(there is title\)"):
        read_topics(path, field="desc")
    with pytest.raises(UsageError, match="no topic has a field ''"):
        read_topics(path, field="title+")


_ID = st.text(st.characters(codec="utf-8", exclude_categories=["Z", "C"]), min_size=1, max_size=8)
_TEXT = st.text(st.characters(codec="utf-8"), max_size=30).map(lambda text: " ".join(text.split()))


@given(topics=st.dictionaries(_ID, _TEXT, min_size=1))
@settings(derandomize=True, deadline=None, max_examples=60)
def test_written_topics_are_read_again(tmp_path_factory, topics):
    """What `write_topics` wrote, `read_topics` gives back, in the same order."""
    path = tmp_path_factory.mktemp("topics") / "topics.tsv.gz"
    write_topics(path, topics)
    assert list(read_topics(path, "tsv").items()) == list(topics.items())


def test_write_refuses_ids_with_white_space(tmp_path: Path):
    """An id that could not be read back is not written."""
    with pytest.raises(InputError, match="topic id 'a b'"):
        write_topics(tmp_path / "topics", {"a b": "q"})
    assert not list(tmp_path.iterdir())
