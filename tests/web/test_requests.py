"""Addresses, read and made."""

import pytest
from pydantic import ValidationError

from relsent_ir.errors import UsageError
from relsent_ir.method import parameters
from relsent_ir.methods import BM25, RM3, Answers, Relations, Similar
from relsent_ir.web.requests import (
    STAGES,
    AbstractRequest,
    NamesRequest,
    QuestionRequest,
    SearchRequest,
    SimilarRequest,
    address,
)


def test_addresses() -> None:
    """An address has no defaults in it; empty fields are none; any id can be in it."""
    request = SearchRequest.model_validate(
        {"q": "a & b", "move": ["RESULTS", "PURPOSE"], "from": "1990"}
    )
    assert request.address() == "/?q=a+%26+b&move=RESULTS&move=PURPOSE&from=1990"
    assert (
        request.address("/export/csv", page=3, move=[]) == "/export/csv?q=a+%26+b&from=1990&page=3"
    )
    assert SearchRequest().address() == "/"
    request = SearchRequest.model_validate(
        {"from": "", "to": "", "type": ["", "Review"], "journal": [""]}
    )
    assert request == SearchRequest(type=["Review"])
    assert address("/abstract", [("id", "a/b#c?d&e")], "s 1") == (
        "/abstract?id=a%2Fb%23c%3Fd%26e#s%201"
    )
    assert AbstractRequest(id="é.1", at=0).address() == "/abstract?id=%C3%A9.1&at=0"
    for bad in ({"q": "x" * 1001}, {"page": 101}, {"move": ["X"]}, {"journal": ["x"] * 21}):
        with pytest.raises(ValidationError):
            SearchRequest.model_validate(bad)
    assert NamesRequest.model_validate({"a": "x", "b": "y", "literal": "true"}).literal


def test_filters() -> None:
    """Abstracts have no moves to filter by; years may be open."""
    given = {"q": "x", "move": ["RESULTS"], "to": 1999, "journal": ["J"]}
    found = SearchRequest.model_validate(given).filters()
    assert (found.moves, found.years, found.journals) == (("RESULTS",), (None, 1999), ("J",))
    assert (
        SearchRequest.model_validate({**given, "unit": "abstracts"}).filters("abstracts").moves
        == ()
    )
    with pytest.raises(UsageError, match="no year"):
        SearchRequest.model_validate({"from": 2000, "to": 1990}).filters()


def test_parameters_of_methods() -> None:
    """They are those that the methods declare, with their ranges; none names a file."""
    for request, kind in ((QuestionRequest, Answers), (NamesRequest, Relations),
                          (SimilarRequest, Similar)):  # fmt: skip
        told = request.model_json_schema()["properties"]
        declared = {one.name: one for one in parameters(kind)}
        assert "model" not in told
        for name in declared.keys() & told.keys():
            assert told[name]["description"] == declared[name].help
        assert {n for n, one in declared.items() if one.kind in (bool, int, float)} <= told.keys()
    asked = QuestionRequest.model_validate({"q": "x", "b": "0.5", "slot": "finding"})
    assert asked.settings(Answers) == Answers(b=0.5, slot="finding")
    assert asked.address() == "/question?q=x&b=0.5&slot=finding"
    assert QuestionRequest.model_validate({"slot": "", "sentences": ""}) == QuestionRequest()
    for bad in ({"b": 2}, {"slot": "other"}, {"sentences": 0}):
        with pytest.raises(ValidationError):
            QuestionRequest.model_validate(bad)


def test_pipelines() -> None:
    """An address has the text form of methods that open no file; the schema has what they take."""
    told = SearchRequest.model_json_schema()["properties"]["method"]["x-methods"]
    assert told["RM3"] == {one.name: one.schema() for one in parameters(RM3)}
    assert told.keys() == STAGES.keys()
    request = SearchRequest.model_validate({"q": "x", "method": "BM25(k1=1.2) >> RM3(fb_terms=5)"})
    assert str(request.pipeline) == request.method
    assert str(SearchRequest().pipeline) == str(BM25())
    for bad in ('Rerank("/etc")', "RM3(fb_terms=0)", "RM3 >> RM3", "import os", "Ranker"):
        with pytest.raises((ValidationError, UsageError)):
            SearchRequest.model_validate({"q": "x", "method": bad})
