"""``search --query`` and what goes with it."""

import json

import pytest


def test_a_strategy(relsent, sample_indexes):
    """Its set, ranked; how many there are; how it is read."""
    query = "(asthma OR lung*) NOT review[pt]"
    search = ("search", "--index", sample_indexes, "--query", query, "--json")
    hits = json.loads(relsent(*search, "--hits", "1000").out)["hits"]
    count = json.loads(relsent(*search, "--count").out)
    assert count == {"query": query, "count": len(hits)}
    assert hits
    plain = relsent("search", "--index", sample_indexes, "--query", query, "--count")
    assert plain.out == f"{len(hits)}\n"
    ran = relsent("explain", "--index", sample_indexes, "--query", query)
    assert ran.out.splitlines()[0] == f"NOT: {len(hits)}"
    assert ran.out.splitlines()[-1] == "ranked by: asthma lung"


def test_one_record(relsent, sample_indexes):
    """A PMID alone is found; warned of once; a caret under the place; syntax in a text is words."""
    ran = relsent("search", "--index", sample_indexes, "--query", "90000031", "--json")
    assert [hit["id"] for hit in json.loads(ran.out)["hits"]] == ["90000031"]
    query = ("--query", "asthma OR lung*", "--journal", "J Odd")
    ran = relsent("search", "--index", sample_indexes, *query)
    assert ran.err == f"relsent-ir: warning: no journal 'J Odd' in {sample_indexes}\n"
    ran = relsent("search", "--index", sample_indexes, "--query", "asthma AND (lung")
    assert ran.code == 2
    assert ran.err.splitlines() == [
        "relsent-ir: error: a parenthesis is not closed, at character 12",
        "  asthma AND (lung",
        "             ^",
    ]
    search = ("search", "--index", sample_indexes, "--json", "--text")
    ran = relsent(*search, '"asthma attack"[tiab] NOT lung')
    (line,) = ran.err.splitlines()
    assert "looks like a query" in line
    assert "--query" in line
    assert relsent(*search, "asthma attack tiab not lung").err == ""


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("search", "--query", "a", "--text", "b"), "give either --topics or --text or --query"),
        (("search", "--text", "a", "--count"), "--count"),
        (("search", "--query", "a", "--output", "x"), "--query and --output exclude each other"),
        (("explain", "--query", "a", "--id", "1"), "--query is explained by itself"),
        (("explain", "--id", "1"), "explain needs --id and --text, or --query"),
    ],
)
def test_mistakes(refused, sample_indexes, arguments, said):
    """Flags that do not go together."""
    refused(2, said, *arguments, "--index", sample_indexes)


def test_another_program(relsent, sample_indexes, tmp_path):
    """What its strategy, here of a file, became is told; stdout has the count alone."""
    path = tmp_path / "lines.txt"
    path.write_text("1. exp Asthma/\n2. wheez$.tw.\n3. or/1-2\n")
    ran = relsent("search", "--index", sample_indexes, "--query", f"@{path}", "--count")
    assert ran.out.strip().isdecimal()
    assert ran.err.endswith("the query is searched as: Asthma[mh] OR wheez*[tw]\n")
    told = json.loads(
        relsent("explain", "--index", sample_indexes, "--query", f"@{path}", "--json").out
    )
    assert told["read_as"] == "Asthma[mh] OR wheez*[tw]"
