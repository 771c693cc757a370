"""Lines of JSON objects."""

import pytest

from relsent_ir.errors import InputError
from relsent_ir.trec.jsonl_topics import read


@pytest.mark.parametrize("id_", ["id", "qid", "query_id", "_id"])
@pytest.mark.parametrize("text", ["text", "title", "query", "contents"])
def test_names_of_id_and_text(id_: str, text: str):
    """All usual names are known, beside fields that do not matter."""
    (topic,) = read(f'{{"{id_}": "007", "{text}": "question", "metadata": {{"n": 1}}}}\n')
    assert (topic.id, topic.fields) == ("007", {"title": "question"})


def test_whole_number_as_id():
    """A number becomes the string of its digits."""
    assert next(read('{"id": 12, "text": "q"}')).id == "12"


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ('{"id": "1", ', "no JSON"),
        ('["1", "q"]', "no JSON object"),
        ('{"text": "q"}', "none of id, qid, query_id, _id"),
        ('{"id": "1"}', "none of text, title, query, contents"),
        ('{"id": "1", "text": ["q"]}', "are strings"),
        ('{"id": true, "text": "q"}', "are strings"),
        ('{"id": 1.5, "text": "q"}', "are strings"),
        ('{"id": "1", "text": "\\ud800"}', "no JSON"),
    ],
)
def test_lines_that_are_no_topics(line: str, problem: str):
    """Each is refused with its line."""
    with pytest.raises(InputError, match=f"^2: .*{problem}"):
        list(read(f'{{"id": "0", "text": "q"}}\n{line}\n'))
