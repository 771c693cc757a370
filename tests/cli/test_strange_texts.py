"""Texts of 20,000 letters of one fragment, at four places of an abstract, through every verb."""

import json
from pathlib import Path

import pytest

LETTERS = 20_000
FRAGMENTS = (
    *(
        "1,",
        "a-",
        "S ",
        "P",
        "aspirin ",
        "aspirin, ",
        "aspirin and ",
        "not ",
        "no ",
        "(",
        "((",
        "[",
    ),
    *(
        "< ",
        "<",
        "> ",
        "%",
        "% ",
        "= ",
        "p < ",
        "p = 0.05, ",
        "0.",
        "1 ",
        "12 of ",
        "of ",
        "of the ",
    ),
    *("to ", "and/or ", "α", "α-", "é", "Aa", "aA", "a1", "A-1", "-", "--", "—", "'", '"', "’s "),
    *("; ", ": ", ". ", ".", "e.g. ", "i.e., ", "vs. ", "et al. ", "(A) ", "(ASP) "),
    *("aspirin (ASP) ", "ASP (aspirin) ", "mg/kg ", "10(3) ", "RESULTS: ", "the effect of the "),
    *("increased ", "which ", "aspirin-induced ", "clearly ", "\t", "\u00a0", "\u200b", "x="),
    *("http://a.b/", "10.1/", "a@b.", "½ ", "more than ", "reduced or ", "aspirin/pain "),
)
SENTENCES = (
    "Aspirin reduced pain in 120 patients.",
    "We studied aspirin (ASP) and pain.",
    "Pain was not reduced by placebo.",
    "Aspirin may be used for pain.",
)


def records() -> list[dict[str, object]]:
    """Each fragment four times: before, inside and behind the sentences, and in one of them."""
    made = []
    for fragment in FRAGMENTS:
        text = (fragment * LETTERS)[:LETTERS]
        for place in (0, 2, 4, None):
            body = list(SENTENCES)
            if place is None:
                body[0] = f"Aspirin reduced pain in {text} patients."
            else:
                body.insert(place, f"Aspirin {text} pain.")
            made.append({"title": "Aspirin and pain", "abstract": " ".join(body), "year": 2001})
    return [{"id": str(number), **record} for number, record in enumerate(made, 1)]


@pytest.fixture(scope="module")
def index(tmp_path_factory) -> Path:
    """All of them in one index, with moves."""
    from relsent_ir.cli.main import main

    folder = tmp_path_factory.mktemp("strange")
    lines = "".join(json.dumps(record) + "\n" for record in records())
    (folder / "records.jsonl").write_text(lines, encoding="utf-8")
    index = folder / "index"
    arguments = ["index", "--input", str(folder / "records.jsonl"), "--index", str(index)]
    assert main([*arguments, "--moves"]) == 0
    return index


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments",
    [
        ("answer", "--question", "Does aspirin reduce pain?", "--hits", 300),
        ("relate", "--entity", "aspirin", "--entity", "pain"),
        ("entity", "aspirin"),
        ("similar", "--pmid", "4"),
        ("themes", "--pmid", "4", "--max-df", 1),
        ("related", "--pmid", "4"),
        ("search", "--text", "aspirin pain", "--ranker", "ranker", "--hits", 300),
    ],
)
def test_verbs(relsent, index, arguments):
    """Each ends, and says something."""
    verb, *rest = arguments
    ran = relsent(verb, "--index", index, *rest)
    assert ran.code == 0, ran.err
    assert ran.out
