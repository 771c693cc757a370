"""Other programs' syntax: what it becomes, written out by hand."""

import pytest

from relsent_ir.errors import StrategyError
from relsent_ir.text.strategy import parse, read_strategy, translated


@pytest.mark.parametrize(
    ("text", "became"),
    [
        ("exp Asthma/", "Asthma[mh]"),
        ("*Asthma/", "Asthma[majr:noexp]"),
        ("exp *Asthma/", "Asthma[majr]"),
        ("Asthma/dt, th [Drug Therapy, Therapy]",
         '"Asthma/drug therapy"[mh:noexp] OR "Asthma/therapy"[mh:noexp]'),
        ('exp "Sensitivity and Specificity"/', '"Sensitivity and Specificity"[mh]'),
        ("random$.tw.", "random*[tw]"),
        ("(heart adj3 failure).ti,ab.", "heart[tiab] NEAR/2 failure[tiab]"),
        ("heart adj failure.tw.", '"heart failure"[tw]'),
        ("((heart or cardiac) adj3 fail$).ti.", "(heart[ti] OR cardiac[ti]) NEAR/2 fail*[ti]"),
        ("(heart attack or stroke).ti,ab,kf.",
         '("heart attack"[tiab] OR "heart attack"[ot]) OR (stroke[tiab] OR stroke[ot])'),
        ("drug therapy.fs.", '"drug therapy"[sh]'),
        ("exp animals/ not humans.sh.", "animals[mh] NOT humans[mh:noexp]"),
        ("asthma.tw. or zinc.tw. and colds.tw.", "asthma[tw] OR (zinc[tw] AND colds[tw])"),
        ("asthma.mp. [mp=title, abstract]", "asthma[tw]"),
        ("'heart failure'/exp OR (heart NEAR/3 failure):ti,ab",
         '"heart failure"[mh] OR (heart[tiab] NEAR/2 failure[tiab])'),
        ("'asthma'/mj AND [english]/lim AND [2010-2020]/py",
         "asthma[majr:noexp] AND english[la] AND 2010:2020[dp]"),
        ("'drug therapy':lnk OR zinc:ti", None),
        ("MeSH descriptor: [Asthma] explode all trees", "Asthma[mh]"),
        ("(child* next wheez*):ti,ab", '"child* wheez*"[tiab]'),
        ("1. exp Asthma/\n2. asthma$.tw.\n3. or/1-2\n"
         '4. limit 3 to (english language and yr="2000 -Current")',
         "(Asthma[mh] OR asthma*[tw]) AND english[la] AND 2000:3000[dp]"),
        ("1     exp Asthma/ (12345)\n2     zinc.tw.   234\n3     1 and 2 (3)",
         "Asthma[mh] AND zinc[tw]"),
        ("asthma[mh]\nzinc\n#1 OR #2", "asthma[mh] OR zinc"),
        ("asthma[mh]\nzinc\n1 or 2", "asthma[mh] OR zinc"),
        ("#1 asthma[mh]\n#2 zinc[tiab]\n#3 #1 NOT #2", "asthma[mh] NOT zinc[tiab]"),
        ("(asthma OR\nwheeze)\nAND zinc", ""),
        ("asthma AND zinc*", ""),
    ],
)  # fmt: skip
def test_translated(text: str, became: str | None) -> None:
    """It says the same in PubMed's syntax, and is read so again; nothing where it is PubMed's."""
    if became is None:
        with pytest.raises(StrategyError):
            parse(text)
        return
    assert translated(text) == became
    if became:
        assert str(parse(became)) == became


@pytest.mark.parametrize(
    ("text", "problem", "place"),
    [
        ("exp Asthma", "heading and its slash", 0),
        ("exp Asthma/zz", "heading and its slash", 0),
        ("colo?r.tw.", "no wildcard within a word", 0),
        ("wom#n.ti,ab.", "no wildcard within a word", 0),
        ("zinc.tw. and random$3.tw.", "no number of letters", 13),
        ("(zinc.tw. and copper", "a parenthesis is not closed", 0),
        ("zinc.tw.)", "nothing is open", 8),
        ("zinc.tw. and", "an operator has nothing behind it", 12),
        ("zinc.tw. or/1-2", "a field or a slash", 9),
        (".tw. zinc.tw.", "has no term before it", 0),
        ("(zinc and copper) adj3 colds.tw.", "adj3 stands between", 18),
        ("(heart next/3 failure):ti", "no NEXT with words between", 7),
        ("1. zinc.tw.\n2. 1 and 3", "line 2: there is no line 3 above", 21),
        ("1. zinc.tw.\n2. limit 1 to abstracts", "line 2: the limit abstracts", 26),
        ("zinc\ncopper\nor/1-4", "line 3: there is no line 3 above", 12),
    ],
)
def test_mistakes(text: str, problem: str, place: int) -> None:
    """What means nothing here is told with its line and place."""
    with pytest.raises(StrategyError, match=problem) as caught:
        parse(text)
    assert caught.value.place == place


def test_lines_of_lines() -> None:
    """Terms are counted as they are written out, not as they are named."""
    lines = ["zinc.tw.", *(f"{n} or {n}" for n in range(1, 40))]
    with pytest.raises(StrategyError, match="more than 5,000 terms"):
        parse("\n".join(lines))


def test_a_file(tmp_path) -> None:
    """Its text stands for its name behind an at sign."""
    path = tmp_path / "a.txt"
    path.write_text("zinc.tw.\n")
    assert read_strategy(f"@{path}") == "zinc.tw.\n"
    assert read_strategy("zinc") == "zinc"
