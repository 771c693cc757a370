"""How hits are shown, and ``relsent-ir show``."""

import csv
import io
import json
from dataclasses import replace

import click
import pytest

from relsent_ir.cli.output import Display, Screen
from relsent_ir.hit import Hit
from relsent_ir.rank import Evidence, Span
from relsent_ir.records import Record, Section, Sentence

RECORD = Record("12", "Ants of the moor", journal="J Ants", year="2001", pmid="12",
                publication_types=("Journal Article", "Review"))  # fmt: skip
HIT = Hit(
    1, "12", 3.5, RECORD, Sentence("12", 3, "We saw that the ants are red", "RESULTS"),
    Evidence("12.3", "We saw that the ants are red", (Span(16, 20, "ant"),)),
    {"p_red": 0.25}, (Span(0, 4, "ant"),), star=True,
)  # fmt: skip


def test_plain(capsys):
    """Lines without marks, values in brackets; a sentence stands for a title."""
    Screen().show(HIT)
    assert capsys.readouterr().out == (
        "   1* 12               3.5000  Ants of the moor\n"
        "      J Ants, 2001, Review  [p red 0.25]\n"
        "      RESULTS     We saw that the ants are red\n"
    )
    record = Record("1", sections=(Section("Ants work. " + "They are many. " * 99),))
    first = Sentence("1", 1, "Ants work.", "PURPOSE")
    Screen().show(Hit(1, "1", 3.5, record, first, Evidence(first.id, first.text)))
    assert capsys.readouterr().out == "   1  1                3.5000  Ants work.\n"
    record = replace(RECORD, title="Ants \u202eerom eht fo\u202c \u2066or\u2069 \u200fnot")
    Screen().show(Hit(1, "1\u202e2", 3.5, record))
    assert capsys.readouterr().out.splitlines()[0].split()[1:] == [
        "12", "3.5000", "Ants", "erom", "eht", "fo", "or", "not",
    ]  # fmt: skip


def test_several_sentences(capsys):
    """They stand in the place of the one that decides, each with its label and values."""
    ants, bite = (
        Hit(n, sentence.id, 1.0, RECORD, sentence, Evidence(sentence.id, sentence.text, spans),
            values, spans)
        for n, sentence, spans, values in (
            (1, Sentence("12", 3, "Ants are red", "RESULTS"), (Span(0, 4, "ant"),),
             {"slot": "finding"}),
            (2, Sentence("12", 4, "They bite", "CONCLUSION"), (), {}),
        )
    )  # fmt: skip
    hit = replace(HIT, sentences=(("* 0.9", ants), ("no", bite)))
    Screen().show(hit)
    assert capsys.readouterr().out.splitlines()[2:] == [
        "      * 0.9  RESULTS     Ants are red",
        "      no  CONCLUSION  They bite",
    ]
    found = hit.to_dict()["sentences"]
    assert found[0] == {
        "id": "12.3", "move": "RESULTS", "text": "Ants are red", "marks": [[0, 4, "ant"]],
        "slot": "finding",
    }  # fmt: skip
    assert found[1]["id"] == "12.4"


def test_colours_and_links(capsys):
    """Marks do not count as columns; a link leads to the record."""
    Screen(40, color=True, links=True).show(HIT)
    out = capsys.readouterr().out
    assert "\x1b]8;;https://pubmed.ncbi.nlm.nih.gov/12/\x1b\\12\x1b]8;;\x1b\\" in out
    assert click.style("Ants", bold=True, underline=True) in out
    plain = click.unstyle(out).replace("\x1b]8;;https://pubmed.ncbi.nlm.nih.gov/12/\x1b\\", "")
    assert plain.replace("\x1b]8;;\x1b\\", "") == (
        "   1* 12               3.5000  Ants of\n      the moor\n"
        "      J Ants, 2001, Review  [p red 0.25]\n"
        "      RESULTS     We saw that the ants\n      are red\n"
    )


def test_where_it_goes(monkeypatch):
    """A pipe gets no colours unless they are forced; NO_COLOR and --no-color have their way."""
    for name in ("NO_COLOR", "FORCE_COLOR", "FORCE_HYPERLINK"):
        monkeypatch.delenv(name, raising=False)
    assert Display(width=None, color=True).screen == Screen()
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("FORCE_HYPERLINK", "1")
    assert Display(width=50, color=True).screen == Screen(50, color=True, links=True)
    assert Display(width=50, color=False).screen == Screen(50)
    monkeypatch.setenv("NO_COLOR", "1")
    assert Display(width=5, color=True).screen == Screen(40)


def test_formats(relsent, here, sample_indexes):
    """CSV is a line a hit, RIS and BibTeX a record once."""
    search = ["search", "--index", sample_indexes, "--text", "vitamin D asthma", "--hits", 3]
    rows = list(csv.DictReader(io.StringIO(relsent(*search, "--format", "csv").out)))
    assert [row["rank"] for row in rows] == ["1", "2", "3"]
    assert rows[0]["record"] == "90000031"
    assert rows[0]["move"] == "CONCLUSION"
    sentences = (*search, "--unit", "sentences")
    assert relsent(*sentences, "--format", "ris").out.count("TY  - JOUR") == 1
    assert relsent(*search, "--format", "bibtex").out.count("@article{pmid9") == 3


def test_a_record(relsent, sample_indexes):
    """Title, authors, source, link, sentences with their moves, MeSH."""
    show = ("show", "--index", sample_indexes, "--text", "asthma")
    ran = relsent(*show, "90000031")
    lines = ran.out.splitlines()
    assert (ran.code, lines[0].split()[0]) == (0, "90000031")
    assert lines[3].strip() == "https://pubmed.ncbi.nlm.nih.gov/90000031/"
    assert lines[4].strip() == "doi:10.5555/relsent.90000031"
    assert lines[6].split()[:3] == ["1", "PURPOSE", "Low"]
    assert lines[-2].strip().startswith("MeSH: Asthma*; ")
    assert lines[-1].strip() == "journal_title: Journal of Northern Respiratory Studies"
    told = json.loads(relsent(*show, "90000031", "--json").out)
    assert (told["id"], told["sentences"][1]["move"]) == ("90000031", "PURPOSE")
    assert "sentence" not in told


def test_a_sentence(relsent, sample_indexes, monkeypatch):
    """An arrow points at it in its abstract; ids come from standard input too."""
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"90000031.6\n90000003\n")))
    out = relsent("show", "-", "--index", sample_indexes).out
    (arrow,) = [line for line in out.splitlines() if line.startswith(">")]
    assert arrow.split()[:3] == [">", "6", "CONCLUSION"]
    assert "\n\n90000003  Vitamin D" in out
    told = json.loads(relsent("show", "90000031.6", "--index", sample_indexes, "--json").out)
    assert told["sentence"] == "90000031.6"
    assert relsent("show", "90000031.6", "--index", sample_indexes, "--format", "ris").code == 0


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [(("nobody",), 4, "no document 'nobody'"), (("-",), 4, "no ids"), ((), 2, "Missing argument")],
)
def test_mistakes(refused, sample_indexes, monkeypatch, arguments, code, said):
    """One line and the code."""
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"")))
    refused(code, said, "show", *arguments, "--index", sample_indexes)
