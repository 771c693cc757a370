"""Addresses, read and made."""

import pytest
from pydantic import ValidationError

from relsent_ir.errors import UsageError
from relsent_ir.web.requests import AbstractRequest, NamesRequest, SearchRequest, address


def test_only_what_differs() -> None:
    """An address has no defaults in it, repeats lists, and can be changed."""
    request = SearchRequest.model_validate(
        {"q": "a & b", "move": ["RESULTS", "PURPOSE"], "from": "1990"}
    )
    assert request.address() == "/?q=a+%26+b&move=RESULTS&move=PURPOSE&from=1990"
    assert (
        request.address("/export/csv", page=3, move=[]) == "/export/csv?q=a+%26+b&from=1990&page=3"
    )
    assert SearchRequest().address() == "/"


def test_what_a_form_sends() -> None:
    """Empty fields are none."""
    request = SearchRequest.model_validate(
        {"from": "", "to": "", "type": ["", "Review"], "journal": [""]}
    )
    assert request == SearchRequest(type=["Review"])


def test_filters() -> None:
    """Abstracts have no moves to filter by; years may be open."""
    given = {"q": "x", "move": ["RESULTS"], "to": 1999, "journal": ["J"]}
    found = SearchRequest.model_validate(given).filters()
    assert (found.moves, found.years, found.journals) == (("RESULTS",), (None, 1999), ("J",))
    assert SearchRequest.model_validate({**given, "unit": "abstracts"}).filters().moves == ()
    with pytest.raises(UsageError, match="no year"):
        SearchRequest.model_validate({"from": 2000, "to": 1990}).filters()


def test_marks_and_ids() -> None:
    """Any id can be in an address."""
    assert address("/abstract", [("id", "a/b#c?d&e")], "s 1") == (
        "/abstract?id=a%2Fb%23c%3Fd%26e#s%201"
    )
    assert AbstractRequest(id="é.1", at=0).address() == "/abstract?id=%C3%A9.1&at=0"


def test_limits() -> None:
    """What is too much is refused."""
    for bad in ({"q": "x" * 1001}, {"page": 101}, {"move": ["X"]}, {"journal": ["x"] * 21}):
        with pytest.raises(ValidationError):
            SearchRequest.model_validate(bad)
    assert NamesRequest.model_validate({"a": "x", "b": "y", "literal": "true"}).literal
