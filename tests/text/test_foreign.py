"""Other programs' syntax: what it becomes, written out by hand."""

import random
import re

import pytest

from relsent_ir.errors import StrategyError
from relsent_ir.text.strategy import parse, read_strategy, translated
from relsent_ir.text.terms import Joined


@pytest.mark.parametrize(
    ("text", "became"),
    [
        ("exp Asthma/", "Asthma[mh]"),
        ("*Asthma/", "Asthma[majr:noexp]"),
        ("{heart failure} AND child", '"heart failure"[tw] AND child[tw]'),
        ("exp Stroke/rh [Rehabilitation]", '"Stroke/rehabilitation"[mh]'),
        ("asthma.mp. [mp=title, abstract]", "asthma[tw]"),
        ("AUTH(okafor) AND LANGUAGE(english)", "okafor[au] AND english[la]"),
        ("AK=(asthma) OR KP=(wheeze)", "asthma[ot] OR wheeze[ot]"),
        ("asthma ADJ2 child", "asthma[tw] NEAR/1 child[tw]"),
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
        ("drug therapy.fs.", '"drug therapy"[sh:noexp]'),
        ("exp animals/ not humans.sh.", "animals[mh] NOT humans[mh:noexp]"),
        ("asthma.tw. or zinc.tw. and colds.tw.", "asthma[tw] OR (zinc[tw] AND colds[tw])"),
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
        ("S1 TI asthma\nS2 MH \"Asthma+\"\nS3 S1 OR S2", "asthma[ti] OR Asthma[mh]"),
        ("1. exp Asthma/\n2. zinc.tw.\n3. 1 and 2\n4. remove duplicates from 3",
         "Asthma[mh] AND zinc[tw]"),
        ('TI heart N3 failure OR (MM "Asthma/DT/TH")',
         '(heart[ti] NEAR/3 failure[ti]) OR ("Asthma/drug therapy"[majr:noexp] OR '
         '"Asthma/therapy"[majr:noexp])'),
        ('TI ( asthma OR "heart failure" ) AND PY 2010-2020',
         '(asthma[ti] OR "heart failure"[ti]) AND 2010:2020[dp]'),
        ("AU Okafor AND zinc", "Okafor[au] AND zinc[tw]"),
        ('[mh ^"Asthma"] OR [mh Asthma/DT] OR [mh "Asthma"[mj]] OR [mh /TH]',
         'Asthma[mh:noexp] OR "Asthma/drug therapy"[mh] OR Asthma[majr] OR therapy[sh]'),
        ("MeSH descriptor: [Asthma] this term only and with qualifier(s): [drug therapy - DT]",
         '"Asthma/drug therapy"[mh:noexp]'),
        ("TS=(heart failure) NOT AU=Okafor B",
         '((heart[tiab] OR heart[ot]) AND (failure[tiab] OR failure[ot])) NOT "Okafor B"[au]'),
        ("TI=(heart NEAR/2 fail*)", "heart[ti] NEAR/2 fail*[ti]"),
        ("TITLE ( {heart failure} W/2 risk ) AND PUBYEAR > 2010",
         '("heart failure"[ti] NEAR/2 risk[ti]) AND 2011:3000[dp]'),
        ("PUBYEAR BEF 2000", "1000:1999[dp]"),
        ("(p?ediatric adj3 tumo#r$).tw.", "p?ediatric[tw] NEAR/2 tumo?r*[tw]"),
        ("TS=(behavio$r h*morrhage)",
         "(behavio?r[tiab] OR behavio?r[ot]) AND (h*morrhage[tiab] OR h*morrhage[ot])"),
        ("TI colo#r AND exp Asthma/", "colo?r[ti] AND Asthma[mh]"),
        ('MESH.EXACT.EXPLODE("Asthma") OR ti,ab(zinc N/2 cold)',
         "Asthma[mh] OR (zinc[tiab] NEAR/2 cold[tiab])"),
        ("diabetes and/or obesity", ""),
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
        ("remove duplicates from 5", "not numbered here", 0),
        ("'asthma'/dm_dt", "a field or a slash", 8),
        ('"asthma" in Trials', "a field or a slash", 9),
        ("mesh(asthma)", "the field mesh has no meaning here", 0),
        ("asthma.ab. /freq=2", "a field or a slash", 11),
        ("TI=asthma AND DT=(Article)", "the field DT", 14),
        ("TITLE(asthma) AND DOCTYPE(ar)", "the field DOCTYPE", 18),
        ("exp Asthma/zz", "heading and its slash", 0),
        ("child?.tw.", "a wildcard for a letter stands within a word", 0),
        ("tumo#.ti,ab.", "a wildcard for a letter stands within a word", 0),
        ("zinc.tw. and random$3.tw.", "no number of letters", 13),
        ("(zinc.tw. and copper", "a parenthesis is not closed", 0),
        ("zinc.tw.)", "nothing is open", 8),
        ("zinc.tw. and", "an operator has nothing behind it", 12),
        ("zinc.tw. or/1-2", "a field or a slash", 9),
        (".tw. zinc.tw.", "has no term before it", 0),
        ("(zinc and copper) adj3 colds.tw.", "adj3 stands between", 18),
        ("(heart next/3 failure):ti", "a distance in this order", 7),
        ("TI heart W2 failure", "a distance in this order", 9),
        ("TITLE(heart PRE/2 failure)", "a distance in this order", 12),
        ("TITLE(asthma OR zinc AND cold)", "AND and OR side by side", 21),
        ("SU asthma", "the field SU has no meaning", 0),
        ("TS=zinc AND WC=medicine", "the field WC has no meaning", 12),
        ("zinc.ti,ab,hw.", "the field hw has no meaning", 13),
        ("S1 OR S2", "not numbered here", 0),
        ('MH "a/dt/b"', "there is no qualifier b", 3),
        ("1. zinc.tw.\n2. 1 use ppez", "line 2: databases are not told apart", 15),
        ("1. zinc.tw.\n2. 1 and 3", "line 2: there is no line 3 above", 21),
        ("1. zinc.tw.\n2. limit 1 to abstracts", "line 2: the limit abstracts", 26),
        ("zinc\ncopper\nor/1-", "line 3: these are no lines", 12),
        ("zinc.tw. and ''", "an empty phrase", 13),
        ("zinc\ncopper\nor/1-4", "line 3: there is no line 3 above", 12),
    ],
)
def test_mistakes(text: str, problem: str, place: int) -> None:
    """What means nothing here is told with its line and place."""
    with pytest.raises(StrategyError, match=problem) as caught:
        parse(text)
    assert caught.value.place == place


OVID = """
    exp {A}/|{A}/|*{A}/|exp *{A}/dt|{A}/dt, th|{a}$.tw.|{a}*.ti,ab.|({a} adj3 {b}).ti,ab.|{a}.mp.
    ({a}$ or {b}$).tw.|({a} adj {b}$).ti.|(({a} or {b}) adj2 ({b} or {a})).ab.|{a}.tw. and exp {B}/
    {a}.ti. not {b}.ab.|exp {A}/ or {b}.ti,ab,kw.|{a}.pt.|{a}.fs.|{a}.hw.|{a}$2.tw.|{a}?s.tw.
    limit 1 to humans|or/1-3|1 or 2|exp {A}|{a} adj3 {b}|({a} {b}$).tw.|{a}.au.|{a}.jn.|{a}.xx.
"""
EMBASE = """
    '{a}'/exp|'{a}'/de|'{a}'/mj|'{a}'/exp/mj|{a}:ti,ab|'{a} {b}':ti|({a} NEAR/3 {b}*):ti,ab
    ({a} NEXT/1 {b}):ab|'{a}'/exp OR {b}*:ti,ab,kw|{a}:ti AND [english]/lim|{a}:ti AND [embase]/lim
    {a}:ti NOT {b}:ab|{a}:ti AND [2010-2020]/py|#1 AND #2|MeSH descriptor: [{A}] explode all trees
    {a} NEXT/3 {b}:ti|'{a}'/exp/dm_dt|{a}?:ti
"""
PUBMED = """
    {A}[mh]|{a}*[tiab]|"{a} {b}"[tiab]|{a}[ti] or {b}[ti]|({a}[tiab] and {b}[tiab]) not {b}[pt]
    "{a} {b}"[tiab:~3]|{a}[sh]|{a}[nm]|{a}[ot]|{a}[1au]|{a}[sb]|{a}[filter]|{a}[edat]|{a} or {b}
    {a}[xyz]|{a}[mh:noexp]|2010:2020[dp]|{a} NEAR2 {b}|{a}#n|{a}[ti] adj3 {b}[ti]|{a}[majr] OR {b}$
"""
OTHERS = """
    TI {a}|AB {a} OR TX {b}*|TI ( {a} OR {b}* )|MH "{A}+"|(MM "{A}/DT")|TI {a} N3 {b}|TI {a} W2 {b}
    SU {a}|DE "{A}"|AU {a} AND TI {b}|S1 OR S2|{a} N3 {b}|TI {a} NOT AB {b}|(TI {a}) OR (AB {b})
    TS={a}|TS=({a} OR {b}*)|TI=({a} NEAR/3 {b}) NOT AB={b}|AK={a}|WC={a}|TS=({a} {b})|TI="{a} {b}"
    TITLE-ABS-KEY({a})|TITLE-ABS-KEY ( {a} AND {b}* )|TITLE({a} W/3 {b})|KEY({a}) AND PUBYEAR > 2010
    TITLE({a} PRE/3 {b})|ABS({a} OR {b} AND {a})|LIMIT-TO(LANGUAGE, "{a}")|AUTH({a})|ALL({a})
    ti({a}) AND ab({b}*)|MESH.EXACT.EXPLODE("{A}")|noft({a} N/3 {b})|su({a})|ti,ab({a} {b})
    [mh "{A}"]|[mh ^"{A}"]|[mh "{A}"/DT]|({a} NEXT {b}*):ti,ab,kw|title:{a}|{a} & {b}|+{a} -{b}
"""
PAIRS = (("asthma", "wheez"), ("heart", "failure"), ("zinc", "cold"), ("pain", "opioid"),
         ("stroke", "statin"), ("ulcer", "helicobacter"), ("sepsis", "shock"),
         ("fever", "aspirin"))  # fmt: skip
SYNTAX = re.compile(
    r"(?:^|\W)(?:exp|limit|adj\d?|next|near\d?|and|or|not|[NW]\d|pre|title|abs|key)(?:\W|$)"
    r"|[$#/=+&]\w*$|\?$|[.:](?:ti|ab|tw|mp)\b|^(?:TI|AB|TX|SU|MH|MM|DE|AU|TS|AK|WC|ALL|su|noft|mesh)$"
)


def test_lines_of_filters() -> None:
    """Each of eight hundred is read, or refused; no mark of its syntax is searched as a word."""
    forms = [
        form for of in (OVID, EMBASE, PUBMED, OTHERS) for form in re.split(r"[|\n]", of.strip())
    ]
    lines = [
        form.strip().format(a=a, b=b, A=a.title(), B=b.title()) for form in forms for a, b in PAIRS
    ]
    refused = 0
    assert len(lines) > 800
    for line in lines:
        try:
            pending = [parse(line)]
        except StrategyError:
            refused += 1
            continue
        while pending:
            node = pending.pop()
            if isinstance(node, Joined):
                pending += node.parts
            elif node.tag not in ("mh", "mh:noexp", "majr", "majr:noexp"):
                texts = [text for of in node.near for text in of] or [node.text]
                assert not any(map(SYNTAX.search, texts)), line
    assert refused == 32 * len(PAIRS)  # forms of which each is refused, whatever its words


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


PIECES = (
    *("exp ", "Asthma", "/", "/dt", " and ", " or ", " NOT ", "(", ")", "[tiab]", "[mh]", '"', "'"),
    *("zinc", " adj3 ", " adj ", " NEAR/3 ", " next/1 ", "$", "*", "?", "#1", "1", "or/1-2", "\n"),
    *(".ti,ab.", ":ti", "1. ", "2. ", "limit 1 to humans", "[english]/lim", " : ", "2010", "[dp]"),
    *("TI ", 'MH "', "+", " N3 ", "TS=", "TITLE(", "[mh ", "PUBYEAR > 2010", "S1", "{", "}", "^"),
    *("[tiab:~3]", "[mp=a]", "\t", "é", "\u2028", "²", "-", "/exp", "10.1000/x", "PMID: 3"),
)


def test_pieces_in_any_order() -> None:
    """They are refused at a place, or read; what they become is read as the same."""
    chance = random.Random(9)
    read, places = 0, []
    for _ in range(20_000):
        text = "".join(chance.choices(PIECES, k=chance.randint(1, 12)))
        try:
            became = translated(text)
        except StrategyError as error:
            places.append(0 <= error.place <= len(error.query))
            continue
        read += 1
        assert not became or str(parse(became)) == became, text
    assert all(places)
    assert read > 1000
