"""Every field of a record survives every format that has records written and read again."""

import io
import json
import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from relsent_ir.errors import InputError, UsageError
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.lucene.write.indexing import build_index
from relsent_ir.records import Mesh, Record, Section, list_inputs, read_records
from relsent_ir.records.reading import detect_format
from relsent_ir.records.references import to_bibtex, to_ris
from relsent_ir.records.source import read_head
from relsent_ir.records.tables import write_table

WORDS = (
    "mice ran; they slept|then, again (p < 0.05)",
    "x--y ''z'' and ^ ~ \\ {brace} $5 #1 _u_ 50% of a & b",
    'a "quoted" word, a\ttab',
    "β-cells of Müller’s mice",
    "what?` is this!",
)
FIELDS = [name for name in Record.__slots__ if name not in ("vernacular_title", "citations")]


def _records() -> list[Record]:
    """Make up thirty records that have some fields and lack others."""
    chance = random.Random(40)

    def some(*values: object) -> tuple[object, ...]:
        return tuple(chance.sample(values, chance.randint(0, len(values))))

    def text() -> str:
        return " ".join(chance.choice(WORDS).split()).capitalize() + "."

    records = []
    for number in range(30):
        pmid = str(100 + number) if number % 3 else ""
        structured = (
            Section(text(), "BACKGROUND"),
            Section(text() + " " + text(), "METHODS AND RESULTS"),
            Section(text(), "Conclusions"),
        )
        records.append(
            Record(
                id=pmid or f"own/{number}",
                title=text(),
                sections=chance.choice((structured, (Section(text()),), ())),
                mesh=some(
                    Mesh("Lung", ("injuries", "*physiology"), True), Mesh("Mice, Nude"),
                    Mesh("Eye", (), True), Mesh("Heart", ("drug effects",)),
                ),
                chemicals=some("Vitamin D", "1,25-diol"),
                references=some("7", "8"),
                printed_in=chance.choice(("", "J Odd Res 1999; 4:1")),
                year=chance.choice(("1999", "2020", "")),
                journal=chance.choice(("J Odd Res", "Murine & Co", "")),
                authors=some("Okafor B", "Ode-Lim AC", "The Ant Group", "Weiß K Jr", "van Dam J"),
                publication_types=some("Review", "Clinical Trial, Phase II"),
                labels=some("C01", "kept"),
                pmid=pmid,
                doi=chance.choice(("", "10.1000/a_b(1)<2>;3")),
                volume=chance.choice(("", "12")),
                issue=chance.choice(("", "3 Suppl 1")),
                pages=chance.choice(("", "e12", "123-8", "S1-S9")),
                keywords=some("Lung", "mouse model", "a; b"),
                affiliations=some("Ants; Nest 4, Town.", "Dept. of Bees & Co"),
                languages=some("eng", "ger"),
                own=some(("Arm", "B = 2; 3"), ("Dose", "2 mg"), ("Dose", "50% {x}"), ("n*", "5")),
            )
        )  # fmt: skip
    new = {name for name in FIELDS if not any(getattr(record, name) for record in records)}
    return [
        replace(r, **{n: "A b" if getattr(r, n) == "" else some("A b", "C") for n in new})
        for r in records
    ]


def _jsonl(records: list[Record]) -> str:
    return "".join(record.to_json() + "\n" for record in records)


def _csv(records: list[Record]) -> str:
    file = io.StringIO()
    write_table(file, records)
    return file.getvalue()


WRITERS: dict[str, Callable[[list[Record]], str]] = {
    "jsonl": _jsonl,
    "csv": _csv,
    "ris": lambda records: "\n".join(map(to_ris, records)),
    "bibtex": lambda records: "\n".join(map(to_bibtex, records)),
}


@pytest.mark.parametrize("form", WRITERS)
def test_thirty_records(tmp_path: Path, form: str) -> None:
    """Written from an index and read again, each field is what it was, also one that is new.

    Own fields of a table stand in the order of its columns; NLM's categories of sections are in
    JSON lines alone.
    """
    if form == "bibtex":
        pytest.importorskip("bibtexparser")
    given = _records()
    (tmp_path / "in.jsonl").write_text(_jsonl(given), encoding="utf-8")
    build_index([(tmp_path / "in.jsonl", "jsonl")], tmp_path / "index")
    with Indexes(tmp_path / "index") as collection:
        stored = collection.records([record.id for record in given])
    path = tmp_path / "written"
    path.write_text(WRITERS[form](stored), encoding="utf-8")
    assert detect_format(read_head(path), read_head(path, text=True)) == form
    found = list(read_records(path))
    table = dict.fromkeys(FIELDS, 0)
    for before, after in zip(given, found, strict=True):
        if form == "csv":
            before, after = (replace(r, own=tuple(sorted(r.own))) for r in (before, after))
        for field in FIELDS:
            assert getattr(after, field) == getattr(before, field), (field, before.id)
            table[field] += 1
    assert table == dict.fromkeys(FIELDS, 30)


@pytest.mark.parametrize("form", ["csv", "bibtex"])
def test_a_name_that_looks_like_several(tmp_path: Path, form: str) -> None:
    """A group whose name has an "and" in it is one author of what we wrote."""
    if form == "bibtex":
        pytest.importorskip("bibtexparser")
    for authors in (("Society of Ants and Bees",), ("Okafor B", "Society of Ants and Bees")):
        (tmp_path / "a").write_text(WRITERS[form]([Record("1", "Ants", authors=authors)]))
        assert [record.authors for record in read_records(tmp_path / "a")] == [authors]


def test_names_in_braces(tmp_path: Path) -> None:
    """Braces hold a name of BibTeX together, whatever program wrote them."""
    pytest.importorskip("bibtexparser")
    path = tmp_path / "a.bib"
    path.write_text(
        '@article{a,\n title = {Ants},\n author = {{Ants and Bees} and M{\\"u}ller, Bola '
        "and {Ode Group}},\n editor = {Weiss, K and Ode, A}\n}\n"
    )
    (record,) = read_records(path)
    assert record.authors == ("Ants and Bees", "Müller B", "Ode Group")
    assert record.own == (("editor", "Weiss, K and Ode, A"),)


TSV = "PMID\tTitle\tSource title\tAuthor Keywords\tArm\n7\tAnts\tJ Ants\tnest; sun\tB\n\n"
PUBMED = (
    "PMID,Title,Authors,Citation,Journal/Book,Publication Year,DOI\r\n"
    '9,"Ants, again","Okafor B, Ode AC.","J Ants. 2001",J Ants,2001,https://doi.org/10.1/x\r\n'
)
RIS = (
    "TY  - JOUR\r\nAU  - Okafor, Bola Chi\r\nA1  - Ode, A.C.\r\nT1  - Ants\r\nT2  - J Ants\r\n"
    "PY  - 2001/05//\r\nAB  - BACKGROUND: Ants ran.\r\n METHODS: We looked. CONCLUSION "
    "CONCLUSIONS: They ran.\r\nN1  - mine\r\nUR  - https://pubmed.ncbi.nlm.nih.gov/12/\r\n"
    "ER  - \r\n"
)
ENDNOTE = (
    '<?xml version="1.0"?><xml><records><record><titles><title><style face="n">Ants</style></title>'
    "<secondary-title><style>J Ants</style></secondary-title></titles><contributors><authors>"
    "<author><style>Okafor, Bola</style></author></authors></contributors><dates><year>"
    "<style>2001</style></year></dates><keywords><keyword>nest</keyword></keywords><accession-num>"
    "<style>11</style></accession-num><custom1>B</custom1></record></records></xml>"
)
BIBTEX = (
    '% mine\n@string{ja = "J Ants"}\n@Article{okafor01,\n title = {{A}nts},\n author = '
    '"M{\\"u}ller, Bola and Ode, A. C.",\n journal = ja,'
    " year = 2001, pages = {1--9}, arm = {B}\n}\n"
)
EUROPE = json.dumps(
    {
        "version": "6",
        "hitCount": 1,
        "resultList": {
            "result": [
                {
                    "id": "5", "source": "MED", "pmid": "5", "doi": "10.1/x", "title": "Ants",
                    "authorString": "Okafor B, Ode AC.", "pubYear": "2001", "pageInfo": "1-9",
                    "journalInfo": {"volume": "3", "journal": {"medlineAbbreviation": "J Ants"}},
                    "abstractText": "<h4>Background</h4>Ants ran.<h4>Methods</h4>We looked.",
                    "meshHeadingList": {"meshHeading": [{
                        "majorTopic_YN": "N", "descriptorName": "Ants",
                        "meshQualifierList": {"meshQualifier": [
                            {"qualifierName": "physiology", "majorTopic_YN": "Y"}]}}]},
                    "keywordList": {"keyword": ["nest"]}, "language": "eng",
                }
            ]
        },
    }
)  # fmt: skip
OPENALEX = json.dumps(
    {
        "meta": {"count": 1},
        "results": [
            {
                "id": "https://openalex.org/W5", "title": "Ants", "publication_year": 2001,
                "doi": "https://doi.org/10.1/x",
                "ids": {"pmid": "https://pubmed.ncbi.nlm.nih.gov/5"},
                "abstract_inverted_index": {"Ants": [0], "ran.": [1]},
                "biblio": {"volume": "3", "first_page": "1", "last_page": "9"},
                "authorships": [{"author": {"display_name": "Bola Okafor"},
                                 "raw_affiliation_strings": ["Nest 4"]}],
                "primary_location": {"source": {"display_name": "J Ants"}},
            }
        ],
    }
)  # fmt: skip
ANTS = (Section("Ants ran.", "Background"), Section("We looked.", "Methods"))
EXPECTED = {
    "csv": (
        TSV,
        Record(
            "7", "Ants", journal="J Ants", keywords=("nest", "sun"), pmid="7", own=(("Arm", "B"),)
        ),
    ),
    "csv-pubmed": (
        PUBMED,
        Record(
            "9", "Ants, again", journal="J Ants", year="2001", authors=("Okafor B", "Ode AC"),
            doi="10.1/x", pmid="9", own=(("Citation", "J Ants. 2001"),),
        ),
    ),
    "ris": (
        RIS,
        Record(
            "12", "Ants", year="2001", journal="J Ants", authors=("Okafor BC", "Ode AC"),
            sections=(
                Section("Ants ran.", "BACKGROUND"), Section("We looked.", "METHODS"),
                Section("They ran.", "CONCLUSIONS"),
            ),
            pmid="12", own=(("N1", "mine"),),
        ),
    ),
    "endnote": (
        ENDNOTE,
        Record(
            "11", "Ants", year="2001", journal="J Ants", authors=("Okafor B",), keywords=("nest",),
            own=(("custom1", "B"),),
        ),
    ),
    "bibtex": (
        BIBTEX,
        Record(
            "okafor01", "Ants", year="2001", journal="J Ants", authors=("Müller B", "Ode AC"),
            pages="1-9", own=(("arm", "B"),),
        ),
    ),
    "json": (
        EUROPE,
        Record(
            "5", "Ants", sections=ANTS, mesh=(Mesh("Ants", ("*physiology",), True),),
            year="2001", journal="J Ants", authors=("Okafor B", "Ode AC"), pmid="5",
            doi="10.1/x", volume="3", pages="1-9", keywords=("nest",), languages=("eng",),
        ),
    ),
    "csv-trials": (
        "NCT Number,Study Title,Study URL,Brief Summary\nNCT5,Ants,http://x,Ants ran.\n",
        Record("NCT5", "Ants", sections=(Section("Ants ran."),), own=(("Study URL", "http://x"),)),
    ),
    "json-openalex": (
        OPENALEX,
        Record(
            "W5", "Ants", sections=(Section("Ants ran."),), year="2001", journal="J Ants",
            authors=("Bola Okafor",), pmid="5", doi="10.1/x", volume="3", pages="1-9",
            affiliations=("Nest 4",),
        ),
    ),
    "json-array": (
        '[\n {"PMID": 8, "Title": "Ants", "Abstract": "They ran.", "Arm": ["A", "B"]}]',
        Record(
            "8", "Ants", sections=(Section("They ran."),), pmid="8",
            own=(("Arm", "A"), ("Arm", "B")),
        ),
    ),
    "jsonl": (
        '{"PMID": 8, "Title": "Ants", "Abstract": "They ran.", "Arm": {"a": 1}}\n',
        Record(
            "8", "Ants", sections=(Section("They ran."),), pmid="8", own=(("Arm", '{"a": "1"}'),)
        ),
    ),
    "jsonl-own": (
        '{"id": 8, "title": "Ants", "abstract": "They ran.", "arm": "B", "empty": null}\n',
        Record("8", "Ants", sections=(Section("They ran."),), own=(("arm", "B"),)),
    ),
}  # fmt: skip


EXPECTED["jsonl-openalex"] = (
    json.dumps(json.loads(OPENALEX)["results"][0]) + "\n",
    EXPECTED["json-openalex"][1],
)


@pytest.mark.parametrize("case", EXPECTED)
def test_files_of_other_programs(tmp_path: Path, case: str) -> None:
    """As they write them: recognised by content, every field in its place."""
    if case == "bibtex":
        pytest.importorskip("bibtexparser")
    content, expected = EXPECTED[case]
    path = tmp_path / "file"
    path.write_bytes(content.encode())
    assert detect_format(read_head(path), read_head(path, text=True)) == case.partition("-")[0]
    assert list(read_records(path)) == [expected]


def test_a_map(tmp_path: Path) -> None:
    """Names that nobody can guess are given; a format that has its own names refuses them."""
    table, lines = tmp_path / "a.csv", tmp_path / "b.jsonl"
    table.write_text("No,Heading,Body\n1,Ants,They ran.\n")
    lines.write_text('{"No": "2", "Heading": "Bees", "Body": "They flew."}\n')
    files, skipped = list_inputs([tmp_path], ":id=No,title=Heading,abstract=Body")
    assert [name.partition(":")[0] for _, name in files] == ["csv", "jsonl"]
    assert not skipped
    records = [record for path, name in files for record in read_records(path, name)]
    assert [(r.id, r.title, r.abstract) for r in records] == [
        ("1", "Ants", "They ran."),
        ("2", "Bees", "They flew."),
    ]
    with pytest.raises(UsageError, match="--map is for jsonl, json, csv"):
        list_inputs([table], "ris:id=No")
    with pytest.raises(UsageError, match=r"cannot read --map idd=No .*one of id, pmid"):
        list_inputs([table], ":idd=No")


def test_tables_without_names(tmp_path: Path) -> None:
    """Columns go by number, quotation marks are letters there."""
    path = tmp_path / "a.tsv"
    path.write_text('d1\tAnts, "at" work.\nd2\tBees "fly.\n')
    ((_, name),) = list_inputs([path], ":id=1,abstract=2")[0]
    read = [(r.id, r.abstract) for r in read_records(path, name)]
    assert read == [("d1", 'Ants, "at" work.'), ("d2", 'Bees "fly.')]
    path.write_text("d1\tAnts.\nd2\tBees.\tToo many.\n")
    skipped: list[InputError] = []
    assert [r.id for r in read_entries(path, skipped, name)] == ["d1"]
    assert [str(error.where).rpartition(":")[2] for error in skipped] == ["2"]
    path = tmp_path / "a.csv"
    path.write_text("No,Heading\n1,Ants\n")
    with pytest.raises(InputError, match=r"a.csv:1: no header .*No, Heading .*--map id=COLUMN"):
        list(read_records(path, "csv"))
    path.write_text('id,title\n1,Ants\n2,Bees,flew\n\n3,"Two\nlines"\n,Moths\n , \n4,Flies\n')
    entries = []
    records = [r.title for r in read_entries(path, entries)]
    assert records == ["Ants", "Two lines", "Moths", "Flies"]  # whose id is of its words
    assert [str(error.where).rpartition(":")[2] for error in entries] == ["3"]


@pytest.mark.parametrize(
    ("content", "path", "value"),
    [
        (EUROPE, ("resultList", "result", 0, "meshHeadingList", "meshHeading"), ["Ants"]),
        (EUROPE, ("resultList", "result", 0, "meshHeadingList", "meshHeading", 0), [None]),
        (OPENALEX, ("results", 0, "abstract_inverted_index"), "Ants ran."),
        (OPENALEX, ("results", 0, "abstract_inverted_index", "Ants"), ["first"]),
        (OPENALEX, ("results", 0, "abstract_inverted_index", "Ants"), [None]),
        (OPENALEX, ("results", 0, "abstract_inverted_index", "Ants"), True),
    ],
)
def test_a_bad_record_of_a_service(tmp_path, content, path, value):
    """It is skipped with its number, and the others of the file are read."""
    answer, sound = json.loads(content), json.loads(content)
    part = answer
    for name in path[:-1]:
        part = part[name]
    part[path[-1]] = value
    damaged, whole = (
        one["results"] if "results" in one else one["resultList"]["result"]
        for one in (answer, sound)
    )
    damaged.extend(whole)
    file = tmp_path / "a.json"
    file.write_text(json.dumps(answer))
    skipped: list[InputError] = []
    assert [record.pmid for record in read_entries(file, skipped)] == ["5"]
    assert [str(error.where) for error in skipped] == [f"{file}, record 1"]
    assert "not as" in skipped[0].problem


@pytest.mark.parametrize("mark", [",", "\t"])
def test_a_quotation_mark_that_is_not_closed(tmp_path: Path, mark: str) -> None:
    """The rows behind it are not swallowed in silence: the file is refused, with its row."""
    path = tmp_path / "a.csv"
    rows = ("id,title,abstract", '1,"Ants","a ""b"""', '2,"Bees,They flew.', "3,Flies,They", "")
    path.write_text("\n".join(rows).replace(",", mark))
    entries: list[InputError] = []
    with pytest.raises(InputError, match=r"a.csv:3: a quotation mark .* not closed.*record 1"):
        read_entries(path, entries)
    for end in ('"They ran."', '"They\nran."\n', "They ran.\n\n"):  # sound ones, also without end
        path.write_text(f"id,title,abstract\n1,Ants,{end}".replace(",", mark))
        assert [record.abstract for record in read_entries(path, entries)] == ["They ran."]
    assert not entries


def read_entries(path: Path, skipped: list[InputError], form: str | None = None) -> list[Record]:
    """Read records, and gather what was skipped."""
    from relsent_ir.records import read_entries as read

    return [
        entry for entry in read(path, form, on_skip=skipped.append) if isinstance(entry, Record)
    ]


def test_references_without_an_id(tmp_path: Path) -> None:
    """The same title and year give the same id, whatever program wrote them."""
    path = tmp_path / "a.ris"
    path.write_text("TY  - JOUR\nTI  - Ants: again!\nPY  - 2001\nER  - \nTY  - JOUR\nER  - \n")
    skipped: list[InputError] = []
    (first,) = read_entries(path, skipped)
    path.write_text(ENDNOTE.replace("<style>11</style>", "").replace(">Ants<", ">Ants, again<"))
    (second,) = read_entries(path, skipped)
    assert first.id == second.id
    assert len(first.id) == 13
    assert "without an id" in str(skipped[0])


def test_what_is_skipped_in_a_folder(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Each file with its reason."""
    (tmp_path / "a.csv").write_text("id,title\n1,Ants\n")
    (tmp_path / "b.json").write_text('{"qid": "1"}')
    (tmp_path / "c.txt").write_text("")
    list_inputs([tmp_path])
    assert "b.json is JSON without records" in caplog.text
    assert "c.txt is empty" in caplog.text
