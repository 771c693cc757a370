"""Questions: reading them, their parts, and which sentences answer."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from relsent_ir.answers.questions import (
    LONGEST,
    Asked,
    Posed,
    answer_sentences,
    check_question,
    clean_question,
    gold,
    letters,
    plain,
    read_questions,
    title,
)
from relsent_ir.errors import InputError, UsageError
from relsent_ir.records import Record, Section
from tests.answers.conftest import invented

LINE = {
    "id": "q1",
    "question": "Does murinol help?",
    "pmid": "001",
    "title": "Murinol",
    "abstract": "Mice slept. They woke.",
}


def _write(path: Path, *lines: dict[str, Any] | str) -> Path:
    texts = (line if isinstance(line, str) else json.dumps(line) for line in lines)
    path.write_text("\n".join(texts) + "\n", encoding="utf-8")
    return path


def test_what_lines_may_hold(tmp_path: Path) -> None:
    """An abstract that is a text is one section; sections as `to_json` has them; an id again."""
    path = _write(tmp_path / "q.jsonl", "", LINE, "   ")
    (question,) = read_questions(path)
    assert (question.id, question.text) == ("q1", "Does murinol help?")
    assert question.record.title == "Murinol"
    assert question.record.sections == (Section("Mice slept. They woke."),)
    assert question.evidence == ()
    assert question.where == f"{path}:2"
    line = {k: v for k, v in LINE.items() if k != "abstract"}
    line["sections"] = [{"text": "One.", "NlmCategory": "RESULTS"}]
    (question,) = read_questions(_write(tmp_path / "q.jsonl", line))
    assert question.record.sections == (Section("One.", "", "RESULTS"),)
    path = _write(tmp_path / "q.jsonl", LINE, {**LINE, "pmid": "002"})
    assert [q.record.id for q in read_questions(path)] == ["001", "002"]


@pytest.mark.parametrize(
    "abstract",
    [
        [{"label": "AIM", "text": "One."}, {"label": "RESULTS", "text": "Two."}],
        [{"Label": "AIM", "Text": " One. "}, {"heading": "RESULTS", "text": "Two."}],
        [["AIM", "One."], ["RESULTS", "Two."]],
        {"AIM": "One.", "RESULTS": "Two."},
    ],
)
def test_sections(tmp_path: Path, abstract: Any) -> None:
    """Sections come as objects, as pairs, or as texts by label."""
    (question,) = read_questions(_write(tmp_path / "q.jsonl", {**LINE, "abstract": abstract}))
    assert question.record.sections == (Section("One.", "AIM"), Section("Two.", "RESULTS"))


def test_what_may_be_empty(tmp_path: Path) -> None:
    """Title, abstract and question may be empty or null, the title also missing."""
    bare = {"id": 7, "question": "", "pmid": 12, "abstract": None}
    (question,) = read_questions(_write(tmp_path / "q.jsonl", bare))
    assert (question.id, question.record.id) == ("7", "12")
    assert (question.text, question.record.title, question.record.sections) == ("", "", ())


def test_records_give_abstracts(tmp_path: Path) -> None:
    """Lines without an abstract get it from records by PMID; an evidence string is one span."""
    record = Record("001", "A title", sections=(Section("Mice slept.", "RESULTS"),))
    records = tmp_path / "r.jsonl"
    records.write_text(record.to_json() + "\n", encoding="utf-8")
    line = {"prompt_id": 5, "pmid": "001", "question": "Why?", "evidence": "Mice slept."}
    (question,) = read_questions(_write(tmp_path / "q.jsonl", line), [records])
    assert question.record == record
    assert question.evidence == ("Mice slept.",)
    line["pmid"] = "002"
    with pytest.raises(InputError, match=r"q\.jsonl:1: no record 002"):
        read_questions(_write(tmp_path / "q.jsonl", line), [records])


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("{", "no JSON"),
        ("[1]", "JSON, but no object"),
        (json.dumps(LINE).replace("Murinol", "\\ud800"), "no JSON"),
        ({**LINE, "id": ""}, "no id"),
        ({**LINE, "id": None}, "no id"),
        ({**LINE, "pmid": "1 2"}, "white space"),
        ({**LINE, "pmid": ["1"]}, "pmid is not a string"),
        ({**LINE, "question": None}, "question is not a string"),
        ({**LINE, "title": ["x"]}, "title is not a string"),
        ({**LINE, "abstract": [3]}, "abstract is not a text or a list"),
        ({**LINE, "abstract": [{"label": "AIM"}]}, "a list of sections with text"),
        ({**LINE, "abstract": 3.5}, "abstract is not a text or a list"),
        ({**LINE, "pmid": True}, "pmid is not a string"),
        ({**LINE, "evidence": [None]}, "evidence is not a list of strings"),
        ({k: v for k, v in LINE.items() if k != "abstract"}, "no abstract"),
        ({**LINE, "question": "Another?"}, "the id q1 was used before"),
        (LINE, "the id q1 was used before"),
    ],
)
def test_bad_lines(tmp_path: Path, line: Any, problem: str) -> None:
    """What cannot be taken is named with its line."""
    path = _write(tmp_path / "q.jsonl", LINE, line)
    with pytest.raises(InputError, match=problem) as caught:
        read_questions(path)
    assert str(caught.value).startswith(f"{path}:2: ")


def test_files_that_lack_something(tmp_path: Path) -> None:
    """Evidence is asked for; no file, an empty one, and one of empty lines only."""
    with pytest.raises(InputError, match=r"q\.jsonl:1: no evidence"):
        read_questions(_write(tmp_path / "q.jsonl", LINE), evidence=True)
    path = _write(tmp_path / "q.jsonl", {**LINE, "evidence": [" "]}, {**LINE, "evidence": "x"})
    assert [q.evidence for q in read_questions(path, evidence=True)] == [(), ("x",)]
    with pytest.raises(InputError, match="no such file"):
        read_questions(tmp_path / "none.jsonl")
    with pytest.raises(InputError, match="no questions"):
        read_questions(_write(tmp_path / "q.jsonl", "", ""))


def test_letters() -> None:
    """Entities are undone twice; letters and digits in small letters, without spaces and signs."""
    assert clean_question("45&amp;nbsp;Gy  &lt; 60&nbsp;Gy?") == "45 Gy < 60 Gy?"
    assert letters("Mice,\u00a0mice; P\u2009<\u20090.05_b") == "micemicep005b"


SENTENCES = ("Weight fell in mice.", "Ears grew.", "Nothing else was seen at all.")


@pytest.mark.parametrize(
    ("span", "expected"),
    [
        ("weight\u00a0fell in mice", [True, False, False]),  # a no-break space
        ("Weight fe", [True, False, False]),  # all 8 letters of the shorter, the span
        ("fell in mice. Ears grew.", [True, True, False]),  # 10 of 16, and all of 8
        ("mice. Ears gr", [False, True, False]),  # 4 of 10, and 6 of 8
        ("ce. Ears", [False, True, False]),  # 2 of 6, and 4 of 6
        ("mice. Ears", [True, True, False]),  # 4 and 4 of 8, half the shorter each
        ("weight fell a little", [False] * 3),  # is not there
        (" ; ", [False] * 3),
    ],
)
def test_half_of_the_shorter(span: str, expected: list[bool]) -> None:
    """Half the characters of the shorter one, where the span stands."""
    assert answer_sentences(SENTENCES, [span]).tolist() == expected


def test_spans() -> None:
    """Any span counts, wherever; without evidence none answers; plain has no label."""
    found = answer_sentences([*SENTENCES, "Ears grew."], ["EARS GREW", "weight fell"])
    assert found.tolist() == [True, True, False, True]
    assert answer_sentences(SENTENCES, []).tolist() == [False] * 3
    assert answer_sentences(["", "Ears grew."], ["Ears grew."]).tolist() == [False, True]
    assert answer_sentences([], ["weight"]).shape == (0,)
    record = invented(1, "murinol")
    assert plain(record).sections == (Section(record.abstract),)
    assert plain(Record("1")).sections == ()


@settings(derandomize=True, deadline=None)
@given(st.lists(st.text("ab. ", max_size=6), max_size=5), st.integers(0, 4))
def test_a_whole_sentence_answers(sentences: list[str], n: int) -> None:
    """Evidence that is a sentence makes that one an answer, if it has a letter."""
    span = sentences[n % len(sentences)] if sentences else "a"
    found = answer_sentences(sentences, [span])
    assert len(found) == len(sentences)
    if sentences and letters(span):
        assert found[n % len(sentences)]


def test_gold_and_title(questions: list[Asked], posed: list[Posed]) -> None:
    """The sentence of the evidence; the title in its own language if it has no other."""
    assert np.flatnonzero(gold(posed[0])).tolist() == [5]
    record = Record("1", vernacular_title="Mäuse")
    assert title(Asked("1", "", record)) == "Mäuse"


@pytest.mark.parametrize(
    ("question", "problem"),
    [
        ("", "neither letter nor digit (ask one"),
        (" ?!", "neither letter nor digit (ask one"),
        ("x" * 10_000, "has 10,000 characters (ask it in at most 1,000)"),
    ],
)
def test_what_cannot_be_asked(question: str, problem: str) -> None:
    """One line, with the fix."""
    with pytest.raises(UsageError) as raised:
        check_question(question)
    assert problem in str(raised.value)
    assert "\n" not in str(raised.value)


def test_what_can_be_asked() -> None:
    """A letter will do, and a text of the greatest length."""
    check_question("é?")
    check_question("x" * LONGEST)
