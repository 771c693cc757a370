"""Search strategies: their sets are those of an evaluator that knows nothing of Lucene."""

import random
import re
import sys
from collections.abc import Callable
from itertools import islice, product
from pathlib import Path
from typing import Any

import pytest

from relsent_ir.errors import MismatchError, StrategyError
from relsent_ir.lucene.analyzers import Analysis
from relsent_ir.lucene.commits import Facts
from relsent_ir.lucene.jvm import exclusive, java
from relsent_ir.lucene.read import strategy
from relsent_ir.lucene.read.filters import Filters
from relsent_ir.lucene.read.index import Index
from relsent_ir.lucene.read.search import Searcher, complete
from relsent_ir.lucene.read.strategy import Strategy
from relsent_ir.records import Mesh, Record, Section, read_records
from relsent_ir.text.strategy import TERMS, parse, positive_text
from relsent_ir.text.terms import Joined, Node, Term

WORDS = ("lun", "luna", "lunar", "mus", "musk", "ant", "beta", "gam")
AUTHORS = ("Okafor B", "Okafor BC", "Ode A")
KINDS = ("Review", "Clinical Trial, Phase II")
HEADINGS = ("Lung", "Lung Diseases", "Eye")


def _records(count: int) -> list[Record]:
    """Make up short records of few words, so that most queries find some."""
    chance = random.Random(36)

    def text(least: int, most: int) -> str:
        return " ".join(chance.choices(WORDS, k=chance.randint(least, most)))

    return [
        Record(
            id=str(100 + n),
            title=text(1, 5),
            sections=tuple(Section(text(3, 9)) for _ in range(chance.randint(0, 2))),
            mesh=tuple(
                Mesh(
                    name, chance.choice(((), ("injuries",), ("*injuries",))), chance.random() < 0.3
                )
                for name in chance.sample(HEADINGS, chance.randint(0, 2))
            ),
            year=chance.choice(("1999", "2005", "2010", "")),
            journal=chance.choice(("J Odd", "Murine Lett")),
            authors=tuple(chance.sample(AUTHORS, chance.randint(0, 2))),
            publication_types=tuple(chance.sample(KINDS, chance.randint(0, 2))),
            languages=(chance.choice(("eng", "ger")),),
            pmid=str(100 + n),
            own=(("Arm", chance.choice("AB")),),
        )
        for n in range(count)
    ]


def _texts(record: Record, tag: str) -> list[list[str]]:
    """Give the words of a record's texts: no phrase is of two of them."""
    texts = {"ti": [record.title], "ab": [record.abstract]}
    texts["tiab"] = texts["ti"] + texts["ab"]
    headings = [" ".join((mesh.heading, *mesh.qualifiers)) for mesh in record.mesh]
    texts["tw"] = texts["tiab"] + headings
    return [text.lower().replace("*", "").split() for text in texts[tag]]


def _phrase(words: list[str], wanted: list[str], cut: bool = False) -> bool:
    for at in range(len(words) - len(wanted) + 1):
        here = words[at : at + len(wanted)]
        if here[:-1] == wanted[:-1] and (
            here[-1].startswith(wanted[-1]) if cut else here[-1] == wanted[-1]
        ):
            return True
    return False


def _near(words: list[str], wanted: list[str], distance: int) -> bool:
    places = [[i for i, word in enumerate(words) if word == one] for one in wanted]
    return any(
        max(chosen) - min(chosen) + 1 - len(wanted) <= distance for chosen in product(*places)
    )


def _holds(node: Any, record: Record) -> bool:
    """Tell whether a record is in the set of a random query, as the query was made up."""
    kind, *rest = node
    if kind in ("AND", "OR", "NOT"):
        first, second = (_holds(part, record) for part in rest)
        return {
            "AND": first and second, "OR": first or second, "NOT": first and not second
        }[kind]  # fmt: skip
    if kind == "text":
        words, tag, cut = rest
        return any(_phrase(text, words, cut) for text in _texts(record, tag))
    if kind == "near":
        words, tag, distance = rest
        return any(_near(text, words, distance) for text in _texts(record, tag))
    value = rest[0].lower()
    if kind == "dp":
        first, _, last = value.partition(":")
        return bool(record.year) and int(first) <= int(record.year) <= int(last or first)
    qualified = {f"{m.heading}/{q.lstrip('*')}".lower() for m in record.mesh for q in m.qualifiers}
    starred = {
        f"{m.heading}/{q[1:]}".lower() for m in record.mesh for q in m.qualifiers if q[0] == "*"
    }
    values = {
        "mh": {m.heading.lower() for m in record.mesh} | qualified,
        "majr": {m.heading.lower() for m in record.mesh if m.major} | starred,
        "pt": {name.lower() for name in record.publication_types},
        "ta": {record.journal.lower()},
        "la": set(record.languages),
        "pmid": {record.pmid},
        "own": {f"{name}={text}".lower() for name, text in record.own},
        "au": {name.lower() for name in record.authors},
    }[kind]
    if kind == "au":
        return any(
            name == value or name.startswith(value if " " in value else f"{value} ")
            for name in values
        )
    if kind == "la":
        return value[:3] in values
    return (
        any(name.startswith(value[:-1]) for name in values) if value[-1] == "*" else value in values
    )


def _random(chance: random.Random, depth: int) -> tuple[str, Any]:
    """Make up a query: its text, and what it means."""
    if depth and chance.random() < 0.75:
        text, node = _random(chance, depth - 1)
        for _ in range(chance.randint(1, 3)):
            operator = chance.choice(("AND", "AND", "OR", "OR", "NOT"))
            more, other = _random(chance, depth - 1)
            sign = f" {operator} " if operator != "AND" or chance.random() < 0.8 else " "
            if text[-1].isalnum() or text[-1] == "*":  # words side by side share a tag
                sign = f" {operator} "
            text, node = f"{text}{sign}{more}", (operator, node, other)
        return f"({text})", node
    kind = chance.randrange(10)
    tag = chance.choice(("tw", "ti", "ab", "tiab"))
    if kind < 4:
        words = chance.choices(WORDS, k=chance.choice((1, 1, 2, 3)))
        cut = chance.random() < 0.3
        shown = f'"{" ".join(words)}{"*" * cut}"'
        if len(words) == 1 and chance.random() < 0.5:
            shown = f"{words[0]}{'*' * cut}"
        return shown + (f"[{tag}]" if tag != "tw" or chance.random() < 0.5 else ""), (
            *("text", words, tag, cut),
        )
    if kind < 6:
        words = chance.sample(WORDS, 2)
        distance = chance.randint(0, 4)
        if chance.random() < 0.5:
            return f'"{" ".join(words)}"[{tag}:~{distance}]', ("near", words, tag, distance)
        return f"{words[0]} NEAR/{distance} {words[1]}[{tag}]", ("near", words, tag, distance)
    if kind == 6:
        years = chance.choice(("1999", "1999:2005", "2005:3000"))
        first, _, last = years.partition(":")
        if last and chance.random() < 0.5:
            return f'"{first}/01/01"[dp] : "{last}/12/31"[pdat]', ("dp", years)
        return f"{years}[dp]", ("dp", years)
    name, value = chance.choice(
        [
            *(("mh", heading) for heading in (*HEADINGS, "Lung/injuries", "lun*")),
            *(("majr", heading) for heading in (*HEADINGS, "Eye/injuries")),
            *(("au", author) for author in (*AUTHORS, "Okafor", "ode")),
            *(("pt", one) for one in KINDS),
            *[("ta", "j odd"), ("la", "german"), ("la", "eng"), ("pmid", "107"), ("own", "Arm=A")],
        ]
    )
    shown = value if chance.random() < 0.5 and "*" not in value else f'"{value}"'
    return f"{shown}[{name}]", (name, value)


@pytest.fixture(scope="module")
def records() -> list[Record]:
    """Two hundred records."""
    return _records(200)


@pytest.fixture(scope="module")
def folder(build: Callable[..., Path], records: list[Record]) -> Path:
    """Their index in two segments: words as they are written."""
    return build(records[:130], records[130:], analysis=Analysis.choose("none", keep=True))


def _found(text: str, index: Index) -> set[str]:
    passing = Filters(strategy=text).passing(index)
    return {name for name, yes in zip(index.ids(), passing, strict=True) if yes}


@pytest.mark.parametrize("count", [100, pytest.param(1000, marks=pytest.mark.slow)])
def test_random_queries(folder: Path, records: list[Record], count: int) -> None:
    """Each set is that of the evaluator."""
    chance = random.Random(3)
    sizes = []
    with Index(folder) as index:
        for _ in range(count):
            text, node = _random(chance, 3)
            expected = {record.id for record in records if _holds(node, record)}
            assert _found(text, index) == expected, text
            sizes.append(len(expected))
    assert sum(0 < size < len(records) for size in sizes) > count / 2


ENGLISH = (
    *("random", "randomized", "randomization", "complicated", "complication", "complications"),
    *("the", "a", "of", "vitamin", "vitamins", "effective", "effectively", "effectiveness"),
)


def _loose(node: Node) -> bool:
    parts = node.parts if isinstance(node, Joined) else ()
    return any(map(_loose, parts)) or (isinstance(node, Term) and node.loose)


@pytest.mark.parametrize("count", [100, pytest.param(1000, marks=pytest.mark.slow)])
def test_english_words(build, monkeypatch, count):
    """The evaluator stems nothing and leaves nothing out, the index does both."""
    monkeypatch.setattr(sys.modules[__name__], "WORDS", ENGLISH)
    records = _records(200)
    chance = random.Random(55)
    with Index(build(records)) as index:
        while count:
            text, node = _random(chance, 2)
            if _loose(parse(text)):
                continue
            count -= 1
            assert _found(text, index) == {r.id for r in records if _holds(node, r)}, text


# Of filters for trials, diagnosis and prognosis; the collection decides nothing of them.
STARS = """
    random randomi allocat blind mask placebo trial crossover factorial volunteer assign prospectiv
    cohort retrospectiv longitudinal follow prevalen inciden screen diagnos sensitiv specific
    predict prognos mortalit surviv complicat advers efficac effectiv benefi prevent vaccinat immuni
    infect hepat cancer neoplas tumo metasta chemotherap surg transplant anesthe analges
    cardi hypertensi ischem thromb depressi schizophren obes diabet pregnan infan child pediatr
    elder asthma renal
"""
PHRASES = (
    *("vitamin a", "vitamin d", "hepatitis a", "protein c", "group a", "type 2", "phase iii"),
    *("the elderly", "quality of life", "in vitro", "risk of", "follow up", "double blind"),
    *("meta analysis", "case control", "intention to treat", "an increase", "x ray", "of life"),
)


def test_real_abstracts(build_real: Path) -> None:
    """Counts are those of a regular expression over titles and abstracts."""
    with Index(build_real) as index:
        texts = [(record.title, record.abstract) for record in index.records(list(index.ids()))]
        asked = [(f"{star}*[tiab]", rf"\b{star}[^\W_]*") for star in STARS.split()]
        asked += [(f'"{p}"[tiab]', r"\b" + r"[\W_]+".join(p.split()) + r"\b") for p in PHRASES]
        for query, pattern in asked:
            wanted = re.compile(pattern, re.IGNORECASE)
            count = sum(any(map(wanted.search, both)) for both in texts)
            assert len(_found(query, index)) == count, query


@pytest.fixture(scope="module")
def build_real(data: Path, build: Callable[..., Path]) -> Path:
    """Two thousand real abstracts."""
    records = read_records(data / "abstracts" / "abstracts.jsonl.gz")
    return build(list(islice(records, 2000)))


def test_underscores_and_sentences(build: Callable[..., Path]) -> None:
    """Underscores belong to words; a title is sentence 0, which has its record's headings."""
    records = [Record("1", "Ruminal_bacterium_28"), Record("2", "Bacterium 28")]
    with Index(build(records)) as index:
        assert _found("bacteri*[tiab]", index) == {"2"}
        assert _found("ruminal_bact*[tiab]", index) == {"1"}
    record = Record(
        "1", "Ants run.", sections=(Section("Mice ran. Ants slept."),), mesh=(Mesh("Eye"),)
    )
    with Index(build([record]), "sentences") as index:
        assert _found("ants[ti]", index) == {"1.0"}
        assert _found("ants[ab]", index) == {"1.2"}
        assert _found("ants[tiab] AND eye[mh]", index) == {"1.0", "1.2"}
        assert _found("ant* NOT slep*", index) == {"1.0"}


def test_left_to_right(folder: Path, records: list[Record]) -> None:
    """`a OR b AND c` is (a OR b) AND c, as in PubMed; side by side is AND; so is AND NOT as NOT."""
    with Index(folder) as index:
        for text, same in (
            ("ant OR mus AND beta", "(ant OR mus) AND beta"),
            ("ant mus", "ant AND mus"),
            ("ant AND NOT mus", "ant NOT mus"),
            ("ant mus[ti]", '"ant mus"[ti]'),
            ("ant and mus", "ant AND mus"),
            ("(ant[ti] or mus[ti]) and (beta[ab] not gam[ab])",
             "(ant[ti] OR mus[ti]) AND (beta[ab] NOT gam[ab])"),
            ("Okafor, B[au]", "Okafor B[au]"),
            ("Diseases, Lung[mh]", "Lung Diseases[mh]"),
            ("lung-diseases/injuries[mh]", "Lung Diseases/injuries[mh]"),
            ("Lung Diseases[Mesh: NoExp]", "Lung Diseases[mh:noexp]"),
            ("Okafor B[Author]", '"okafor b"[au]'),
            ("Lung Diseases[MeSH Terms]", '"lung diseases"[mh]'),
        ):  # fmt: skip
            assert _found(text, index) == _found(same, index)
    assert len(records) == 200


def test_stems_and_words_as_written(build: Callable[..., Path]) -> None:
    """Words alone match by their stems, all others as they are written, stop words too."""
    record = Record("1", "The infections of the lung, by Asthmatic's vitamin-A trial.")
    with Index(build([record])) as index:
        for text in (
            *("infected", "the AND infection", '"infections of the lung"', "asthma*", "infect*"),
            *('"infections of the lun*"', "infections NEAR/2 lung", "infections[ti]", '"the"'),
            *("infection* NEAR/2 (lung OR liver)", '"vitamin A"[tiab]', '"infect* of the lung"'),
            *('"vitamin a trial"[ti]', "vitamin-a[ti]", "asthmatic's[ti]", "(infect* NEAR/3 by)"),
        ):
            assert _found(text, index) == {"1"}, text
        for text in (
            *('"infections lung"', "infections NEAR/1 lung", "infection[ti]", '"infection"'),
            *("infection NEAR/2 lung", '"infection of the lung"', "asthmatics*", '"vitamin b"'),
        ):
            assert _found(text, index) == set(), text
        for text in ("the OR of", '"-"', "(- NEAR/2 lung)"):
            with pytest.raises(StrategyError, match="only words that the index leaves out"):
                _found(text, index)


def test_letters_that_may_differ(build: Callable[..., Path]) -> None:
    """A question mark is a letter or none, a star any; as an independent pattern has them."""
    words = ("color", "colour", "colouur", "colr", "woman", "women", "hemorrhage", "haemorrhages")
    records = [Record(str(n), f"The {word} of life") for n, word in enumerate(words)]
    with Index(build(records)) as index:
        for text in ("colo?r", "colo??r", "wom?n", "h?emorrhage", "h?emor?hage*", "c*r", "col*r*"):
            pattern = text.replace("?", ".?").replace("*", ".*")
            found = {str(n) for n, word in enumerate(words) if re.fullmatch(pattern, word)}
            for form in (text, f"{text}[ti]", f'"the {text} of"[tiab]', f"{text} NEAR/1 life"):
                assert _found(form, index) == found, form
        assert _found('"of life?"[ti]', index) == {str(n) for n in range(len(words))}
        assert _found("wom#n.ti. or colo?r?s.ti.", index) == {"4", "5"}


def test_fields_of_records(build: Callable[..., Path]) -> None:
    """Qualifiers, substances, keywords, affiliations, first and last authors, full journals."""
    record = Record(
        "1",
        "Ants",
        mesh=(Mesh("Lung", ("*drug therapy",)),),
        chemicals=("Vitamin A",),
        keywords=("zinc deficiency", "colds"),
        affiliations=("Mayo Clinic, Rochester",),
        authors=("Okafor B", "Ode A", "Wang Y"),
        journal="N Engl J Med",
        own=(("journal_title", "The New England journal of medicine"), ("registry", "NCT1")),
    )
    with Index(build([record])) as index:
        for text in (
            *("drug therapy[sh]", '"vitamin a"[nm]', "zinc[ot]", '"zinc defic*"[ot]', "NCT1[si]"),
            *('"Mayo Clinic"[ad]', "okafor[1au]", "Wang, Y[lastau]", '"vitamin A"', "lung[tw]"),
            *('"The New England Journal of Medicine"[ta]', "N. Engl. J. Med.[ta]"),
            *('"New England journal of medicine"[ta]', "New Engl*[ta] OR ants"),
        ):
            assert _found(text, index) == {"1"}, text
        for text in (
            *(
                "therapy[sh:noexp]",
                "vitamin[nm]",
                '"deficiency colds"[ot]',
                "wang[1au]",
                "ode[lastau]",
            ),
            *("clinic*[tiab]", "zinc*"),
        ):
            assert _found(text, index) == set(), text
    with Index(build([record]), "sentences") as index:
        assert _found("zinc[ot] AND okafor[1au] AND ant*", index) == {"1.0"}
        with pytest.raises(StrategyError, match="sentences have no affiliations"):
            _found("Mayo[ad]", index)


def test_one_record(build: Callable[..., Path]) -> None:
    """A PMID or a DOI alone is the record that has it."""
    record = Record("x1", "Ants", pmid="123", doi="10.1000/(a)b")
    with Index(build([record, Record("2", "Bees")])) as index:
        for text in (
            "123",
            "123[pmid]",
            "x1[pmid]",
            "10.1000/(a)b",
            "https://doi.org/10.1000/(A)b",
        ):
            assert _found(text, index) == {"x1"}, text


def test_thousands_of_terms(folder: Path) -> None:
    """As many as a strategy may have are searched: Lucene's own limit of 1,024 is lifted."""
    with Index(folder) as index, exclusive():
        searcher = java("org.apache.lucene.search.IndexSearcher")
        before = searcher.getMaxClauseCount()
        searcher.setMaxClauseCount(1024)
        try:
            for mark in ("[ti]", ""):
                many = [f"none{n}{mark}" for n in range(TERMS - 1)]
                assert _found(" OR ".join([*many, "ant"]), index) == _found("ant", index)
        finally:
            searcher.setMaxClauseCount(before)


def test_too_many_expansions(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The number of them is told."""
    monkeypatch.setattr(strategy, "EXPANSIONS", 2)
    with Index(folder) as index:
        assert _found("lu*", index)
        assert _found('"ant mu*"', index)
        for pattern in ("lu*", "l?n*"):
            problem = f"{re.escape(pattern)} stands for 3 words, and 2 are the most"
            with pytest.raises(StrategyError, match=problem) as caught:
                _found(f'mu* AND "ant {pattern}"', index)
            assert caught.value.place == 8


def test_an_older_index(build: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """Words in any form and years are found; headings and words as written are refused."""
    monkeypatch.setattr(
        "relsent_ir.lucene.write.indexing.begun",
        lambda analysis, moves: Facts(analysis, moves=moves, build="1", facets=False, words=False),
    )
    with Index(build([Record("1", "Ants", year="1999")])) as index:
        assert _found("ants AND 1999[dp]", index) == {"1"}
        for text in ("ants[mh]", '"ants"', "ant*", "ants[ti]", "ants NEAR bees", "ants[1au]"):
            with pytest.raises(MismatchError, match="older than the field"):
                _found(text, index)


def test_order(folder: Path, records: list[Record]) -> None:
    """Hits are ranked by the words outside NOT; what has none of them comes behind, by id."""
    text = "(ant[ti] OR 1999[dp]) NOT mus[ti]"
    assert positive_text(parse(text)) == "ant"
    with Index(folder) as index:
        searcher = Searcher(index, filters=Filters(strategy=text))
        hits = complete(index, searcher.search({"": "ant"})[""], Filters(strategy=text), 1000)
        assert set(hits.ids) == _found(text, index)
        unfiltered = dict(Searcher(index).search({"": "ant"}, 1000)[""])
        assert [unfiltered.get(name, 0.0) for name in hits.ids] == pytest.approx(list(hits.scores))
        assert list(hits.scores) == sorted(hits.scores, reverse=True)
        assert len(complete(index, hits, Filters(strategy=text), 5)) == 5
    assert len(records) == 200


def test_described(folder: Path) -> None:
    """A line a part, with its number of documents."""
    with Index(folder) as index:
        text = "(ant* OR mus NEAR/2 beta) NOT lung[mh]"
        lines = Strategy(text, index).described()
        assert [line.rpartition(":")[0] for line in lines] == [
            "NOT", "  OR", "    ant*[tw]", "    mus[tw] NEAR/2 beta[tw]", "  lung[mh]",
        ]  # fmt: skip
        assert int(lines[0].rpartition(": ")[2]) == len(
            _found("(ant* OR mus NEAR/2 beta) NOT lung[mh]", index)
        )


def test_trees_of_mesh(folder, records, caplog):
    """Beside an index with MeSH's trees a heading stands for those below it, unless told not to."""
    trees = folder / "synonyms" / "mesh-trees.tsv"
    trees.parent.mkdir()
    trees.write_text("Lung\tA1\nLung Diseases\tA1.1\nEye\tA1.1.7\n")

    def having(*headings: str, main: bool = False) -> set[str]:
        return {
            record.id
            for record in records
            if any(m.heading in headings and (m.major or not main) for m in record.mesh)
        }

    with Index(folder) as index:
        assert _found("lung[mh]", index) == having(*HEADINGS) > having("Lung")
        assert _found('"lung diseases"[MeSH Terms]', index) == having("Lung Diseases", "Eye")
        assert _found("lung[mh:noexp]", index) == having("Lung")
        assert _found("eye[mh]", index) == having("Eye")
        assert _found("lung[majr]", index) > _found("lung[majr:noexp]", index)
        assert _found("lung/injuries[mh]", index) == {
            record.id
            for record in records
            if any("injuries" in str(m.qualifiers) for m in record.mesh)
        }
        names = trees.with_name("mesh.tsv")
        names.write_text("Lung Diseases\tLung Disorder\n")
        assert _found("lung disorders[mh]", index) == set()
        assert _found("LUNG DISORDER[mh]", index) == having("Lung Diseases", "Eye")
        assert _found("lung disorder[mh:noexp]", index) == having("Lung Diseases")
        asked = "(lung disorder[mh] OR elbow[majr] OR ear*[mh]) NOT ell/injuries[mh]"
        assert Strategy(asked, index).unknown() == ["elbow", "ell/injuries"]
        Filters(strategy="elbow[mh]").query(index)
        names.unlink()
        Filters(strategy="elbow[mh]").query(index)
        _, first, second = caplog.messages
        assert first.startswith(f"no heading 'elbow' in {folder}")
        assert second == f"{first}; entry terms need MeSH: fetch mesh"
        lines = Strategy("lung[mh] NOT lung[mh:noexp]", index).described()
    assert lines[1].startswith("  lung[mh] with 2 narrower: ")
    assert lines[2].startswith("  lung[mh:noexp]: ")
    trees.unlink()
    assert positive_text(parse("lung[mh:noexp]")) == "lung"


def test_trees_of_qualifiers(build: Callable[..., Path]) -> None:
    """A qualifier stands for those below it, by its name or letters; a heading with it too."""
    named = ("diet therapy", "*transplantation", "poisoning", "blood", "virology", "mortality")
    folder = build(
        Record(str(n), "Ants.", mesh=(Mesh("Lung", (name,)),)) for n, name in enumerate(named)
    )
    with Index(folder) as index:
        for asked, found in {
            "therapy[sh]": "01", "th[sh]": "01", "lung/th[mh]": "01", "lung/therapy[majr]": "1",
            "surgery[Subheading]": "1", "therapy[sh:noexp]": "", "dh[sh:noexp]": "0",
            "lung/therapy[mh:noexp]": "", "therapeutic use[sh]": "2", "analysis[sh]": "3",
            "metabolism[sh]": "3", "etiology[sh]": "4", "etiolog*[sh]": "", "physiology[sh]": "3",
            '"statistics and numerical data"[sh]': "5", "lung/blood[mh]": "3", "exp lung/th": "01",
            "th.fs.": "", "th.xs.": "01", "education[sh]": "",
        }.items():  # fmt: skip
            assert _found(asked, index) == set(found), asked
        assert Strategy("therapy[sh]", index).described() == ["therapy[sh] with 8 narrower: 2"]
    heading = "LUNG-DISEASES"  # a collection with hyphens, and qualifiers by their letters
    folder = build(
        Record(str(n), "Ants.", mesh=(Mesh(heading, (letters,)),))
        for n, letters in enumerate(("dh", "th", "us"))
    )
    with Index(folder) as index:
        for asked, found in {
            "therapy[sh]": "01", "th[sh]": "01", "therapy[sh:noexp]": "1", "diagnosis[sh]": "2",
            "lung diseases/therapy[mh]": "01", "lung diseases/th[majr]": "",
            "lung diseases/therapy[mh:noexp]": "1", "lung diseases[mh]": "012",
        }.items():  # fmt: skip
            assert _found(asked, index) == set(found), asked


STRATEGIES = Path(__file__).with_name("strategies.txt")


def test_strategies_in_the_style_of_reviews(folder: Path) -> None:
    """Fifty of our own are read, and found by."""
    texts = [line for line in STRATEGIES.read_text("utf-8").splitlines() if line]
    assert len(texts) == 50
    with Index(folder) as index:
        for text in texts:
            assert isinstance(_found(text, index), set)
            assert positive_text(parse(text))
