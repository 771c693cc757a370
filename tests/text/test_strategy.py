"""The language of search strategies: mistakes have their place; words of sentences are none."""

import pytest

from relsent_ir.errors import StrategyError
from relsent_ir.text.strategy import Joined, Term, looks_like_strategy, parse


@pytest.mark.parametrize(
    ("text", "problem", "place"),
    [
        ("(ant OR mus", "a parenthesis is not closed", 0),
        ("ant OR mus)", "nothing is open that this parenthesis closes", 10),
        ("ant AND ()", "nothing between the parentheses", 9),
        ('ant AND ""', "an empty phrase", 8),
        ('ant AND "mus', "a quotation mark is not closed", 8),
        ("ants AND bee?", "Ovid's .* not heeded: join the word's forms by OR", 9),
        ("ant[tib]", r"no tag \[tib\]: did you mean \[tiab\]\?", 3),
        ("ant[xyzzyx]", "there are tw, ti", 3),
        ("ant] mus", "a bracket that belongs to no tag", 3),
        ("[ti] ant", "a tag stands behind the term", 0),
        ("NOT ant", "only NOT", 0),
        ("mus AND (NOT ant)", "only NOT", 9),
        ("AND ant", "AND has nothing before it", 0),
        ("ant OR", "an operator has nothing behind it", 4),
        ("ant OR AND mus", "AND follows another operator", 7),
        ("ant OR NOT mus", "NOT follows another operator", 7),
        ("*t", "a star stands within a word, or behind one", 0),
        ("B*5701", "a star stands within a word, or behind one", 0),
        ("*", "a star stands within a word, or behind one", 0),
        ("Sm*th[au]", "a star stands at the end", 0),
        ("ant OR x" + "?" * 9 + "y", "more than 8 wildcards in a word", 7),
        ("b" + "#a" * 9, "more than 8 wildcards in a word", 0),
        ('"of a' + "*a" * 9 + '"[ti]', "more than 8 wildcards in a word", 0),
        ("ant AND Sm?th J[au]", r"in words of text, not in \[au\]", 8),
        ("wom#n[mh]", r"in words of text, not in \[mh\]", 0),
        ("199[dp]", "199 is no year", 0),
        ("1999:x[dp]", "is no year", 0),
        ("NEAR/3 ant", "NEAR stands between two terms", 0),
        ("ant[ti] NEAR/3 mus[ab]", "NEAR stands between words", 8),
        ("(ant AND mus) NEAR beta", "NEAR stands between words", 14),
        ("(ant[ti] OR mus[ab]) NEAR beta", "NEAR stands between words", 21),
        ("ant NEAR", "an operator has nothing behind it", 4),
        ("ant : mus", "a colon stands between two dates", 4),
        ('"ant mus"[mh:~3]', "has no distance", 9),
        ('"ant mus"[ti:~x]', "is no number", 9),
        ('"ant"[ti:~2]', "two or more", 0),
        ("", "the query is empty", 0),
        ("(" * 1000 + "ant" + ")" * 1000, "more than 100 parentheses", 100),
        (" OR ".join(["ant"] * 10_000), "more than 5,000 terms", 35_000),
        ("ant" + " AND ant OR ant" * 200, "more than 100 changes", 758),
        ("ant or mus", "or is an operator in capitals: write OR", 4),
        ("ant not mus", "not is an operator in capitals", 4),
        ("1 OR 2 OR 3", "not numbered here", 0),
        ("#1 AND #2", "not numbered here", 0),
        ("ant AND or/1-3", "not numbered here", 8),
        ("ant[ti] OR exp Ants/", r"asthma\[mh\]", 15),
        ("ant adj3 mus[ti]", "adj3 is NEAR/2", 4),
        ("ant NEAR2 mus", "NEAR/2 here", 4),
        ("ant n/3 mus", "NEAR/2 here", 4),
        ("TS=ant AND mus[ti]", r"another program's syntax: fields are as asthma\[tiab\]", 0),
        ("mus[ti] AND title:ant", "another program's syntax", 12),
        ("ant N3 mus", "NEAR/2 here; in", 4),
        ("ant & mus", "operators here are AND, OR, NOT", 4),
        ("+ant -mus", "operators here are AND, OR, NOT", 0),
        ("ant^2", "operators here are AND, OR, NOT", 0),
        ("ant AND hasabstract", "own filter is not heeded", 8),
        ("ant[ti] AND random$", r"a star truncates here: random\*", 12),
        ("zinc[rn]", r"\[rn\] is not heeded: substances", 4),
        ("ant AND 2020[edat]", r"\[edat\] is not heeded: only years", 12),
        ("free full text[sb]", r"\[sb\] is not heeded", 14),
    ],
)
def test_mistakes(text: str, problem: str, place: int) -> None:
    """Each is told with its place."""
    with pytest.raises(StrategyError, match=problem) as caught:
        parse(text)
    assert caught.value.place == place
    first, second = caught.value.pointer().split("\n")
    assert len(first) <= 82
    assert second.strip() == "^"
    if place < len(text):
        assert first[second.index("^")] == text[place]


@pytest.mark.parametrize(
    ("text", "yes"),
    [
        ('"cystic fibrosis" and mucus', True),
        ("asthma AND child", True),
        ("mice[MeSH Terms]", True),
        ("asthm*", True),
        ("randomi?ed trial", True),
        ("wom#n", True),
        ("HLA-B*5701", False),
        ("exp Asthma/", True),
        ('(MH "Asthma+")', True),
        ("TS=asthma", True),
        ("pain and/or fever", False),
        ("salt and water in the lung", False),
        ("interferon (IFN) [corrected]", False),
        ("falls[foo]", True),
        ('"falls"[edat]', True),
        ("Fe[III] and benzo[ghi]perylene, [3H]thymidine", False),
        ("p53* allele? a 5' end", True),
        ("what is the role of CFTR", False),
    ],
)
def test_what_looks_like_one(text: str, yes: bool) -> None:
    """Operators, tags, quoted phrases, stars."""
    assert looks_like_strategy(text) is yes


@pytest.mark.parametrize(
    ("text", "tag", "term"),
    [
        ("10.1016/j.x.2018.05.168[doi]", "doi", "10.1016/j.x.2018.05.168"),
        ("10.1016/j.x.2018.05.168 [AID]", "doi", "10.1016/j.x.2018.05.168"),
        ("2010[pdat]:2020[pdat]", "dp", "2010:2020"),
        ("PMID: 30423607", "pmid", "30423607"),
        ("pmid 30423607", "pmid", "30423607"),
        ("30423607", "tw", "30423607"),
        ("does it help?", "tw", "help?"),
    ],
)
def test_ids(text: str, tag: str, term: str) -> None:
    """A DOI with its tag, PMIDs and years as people write them; a question has its mark."""
    node = parse(text)
    last = node.parts[-1] if isinstance(node, Joined) else node
    assert isinstance(last, Term)
    assert (last.tag, last.text) == (tag, term)


def test_dois_among_others() -> None:
    """Each is one without a tag."""
    node = parse("10.1016/a.1 OR 10.1016/b.2")
    assert [str(part) for part in node.parts] == ['"10.1016/a.1"[doi]', '"10.1016/b.2"[doi]']
