"""The options of filters."""

import json
from pathlib import Path

import pytest

from relsent_ir.errors import UsageError
from relsent_ir.lucene.read.filters import Filters
from relsent_ir.records import Record


@pytest.mark.parametrize(
    ("text", "years"),
    [
        ("1990:2000", (1990, 2000)),
        ("1990:", (1990, None)),
        (":2000", (None, 2000)),
        ("1990", (1990, 1990)),
        (" 1990 : 2000 ", (1990, 2000)),
    ],
)
def test_years(text, years):
    """Both ends, one end, one year."""
    assert Filters.read(text, None).years == years


@pytest.mark.parametrize("text", ["", ":", "90", "1990-2000", "1990:1995:2000", "１９９０", "+199"])
def test_no_years(text):
    """Anything else is refused, with examples."""
    with pytest.raises(UsageError, match="write 1990:2000"):
        Filters.read(text, None)


def test_lists():
    """Moves are parted by commas; a type of publication may hold one."""
    values = {"journals": ("J Ants", "J Ants"), "publication_types": ("Clinical Trial, Phase II",)}
    found = Filters.read(None, "results, METHODS", **values)
    assert found.journals == ("J Ants",)
    assert found.publication_types == ("Clinical Trial, Phase II",)
    assert found.moves == ("RESULTS", "METHODS")
    assert not Filters.read(None, None)


@pytest.fixture
def index(relsent, here) -> str:
    """Four records."""
    records = [
        Record("1", "Ants", year="1990", journal="J Ants", publication_types=("Review",)),
        Record("2", "Ants", year="1995", journal="J Bees", publication_types=("Letter",)),
        Record("3", "Ants", year="2000", journal="J Ants", publication_types=("Letter", "Review")),
        Record("4", "Ants", journal="J Moths"),
    ]
    Path("in.jsonl").write_text("".join(record.to_json() + "\n" for record in records))
    assert relsent("index", "--input", "in.jsonl", "--index", "ix").code == 0
    return "ix"


@pytest.mark.parametrize(
    ("flags", "found"),
    [
        ("--year 1990:1995", "12"),
        ("--year 1991:", "23"),
        ("--journal|j ants|J Moths", "134"),
        ("--publication-type Letter", "23"),
        ("--publication-type Letter --journal|J Ants", "3"),
        ("--journal|J Wasps", ""),
    ],
)
@pytest.mark.parametrize("unit", ["abstracts", "sentences"])
def test_search(relsent, index, flags, found, unit):
    """What passes is found, with the score that it has without; expansion keeps to it too."""
    arguments = [part for word in flags.split(" --") for part in _parts(word)]
    search = ["search", "--index", index, "--unit", unit, "--text", "ants", "--json"]
    scores = {hit["id"]: hit["score"] for hit in json.loads(relsent(*search).out)["hits"]}
    for more in ([], ["--rm3"]):
        hits = json.loads(relsent(*search, *more, *arguments).out)["hits"]
        assert [hit["id"][0] for hit in hits] == list(found)
        assert more or all(hit["score"] == scores[hit["id"]] for hit in hits)


def _parts(word: str) -> list[str]:
    """Part a flag from its values, which are parted by | or one blank."""
    flag, *values = word.split("|") if "|" in word else word.split(" ", 1)
    return ["--" + flag.removeprefix("--"), *values]


def test_refused(refused, index):
    """Filters and SMART exclude each other; moves need sentences that have them."""
    search = ["search", "--index", index, "--text", "ants"]
    for more, code, line in (
        (["--year", "1990", "--smart", "ltc.atn"], 2, "filters and --smart exclude each other"),
        (["--year", "2000:1990"], 2, "no year from 2000 to 1990"),
        (["--moves", "RESULTS"], 2, "--moves needs --unit sentences"),
        (["--moves", "RESULTS", "--unit", "sentences"], 5, "have no moves"),
    ):
        refused(code, line, *search, *more)


def test_a_field_that_no_record_has(relsent, index):
    """A line says so of an index before there was such a field; how many have no year."""
    search = ["search", "--index", index, "--text", "ants"]
    ran = relsent(*search, "--language", "eng")
    hint = ", nor any other: an index of before this filter lacks them"
    assert ran.err == f"relsent-ir: warning: no language 'eng' in {index}{hint}\n"
    assert hint not in relsent(*search, "--journal", "J Wasps").err
    assert json.loads(relsent("stats", "--index", index, "--json").out)["without_year"] == 1
