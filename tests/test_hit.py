"""Hits as a person reads them."""

from io import StringIO

import pytest

from relsent_ir.api import Collection
from relsent_ir.errors import MismatchError
from relsent_ir.hit import COLUMNS, Hit, WordEvidence, read_hits, write_csv
from relsent_ir.hits import Hits
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.rank import Evidence, Span
from relsent_ir.records import Record, Section
from tests.invented import index_of

RECORDS = (
    Record("7", "Ants of the moor", sections=(
        Section("Red ants were counted. Bees were left out. The ants of the moor are red."),
    ), pmid="7", year="1999"),
    Record("8", "Bees", sections=(Section("Bees hum."),)),
    Record("9", "Moor without abstract"),
)  # fmt: skip


@pytest.fixture(scope="module")
def collection(tmp_path_factory: pytest.TempPathFactory) -> Indexes:
    """Three invented records."""
    folder = tmp_path_factory.mktemp("shown")
    index_of(folder, RECORDS)
    return Indexes(folder / "index")


def test_words(collection: Indexes) -> None:
    """Words are compared as the index's terms; no hits give nothing, a stranger is refused."""
    words = WordEvidence(collection.facts.analysis)
    assert words.spans("ant", "Ants and the Red ant") == (
        Span(0, 4, "ant"), Span(17, 20, "ant"),
    )  # fmt: skip
    assert words.spans("", "Ants") == ()
    assert words.spans("the", "the ants") == ()
    words = WordEvidence(collection.facts.analysis)
    assert read_hits(collection, Hits.ranked([], []), "ants", words) == []
    with pytest.raises(MismatchError, match="10 is neither"):
        read_hits(collection, Hits.ranked(["10"], [1.0]), "ants", words)


def test_the_sentence_that_decides(collection: Indexes) -> None:
    """The rarer words weigh more, of equals the last wins; a sentence is its own."""
    words = WordEvidence(collection.facts.analysis)
    red, bees, own, none = words.evidence(
        Collection(collection), "red bees", Hits.ranked(["7", "8", "7.2", "9"], [4, 3, 2, 1])
    )
    # red is in one record of three, bees in two: log(4) is more than log(2.5).
    assert red == Evidence("7.3", "The ants of the moor are red.", (Span(25, 28, "red"),))
    assert bees == Evidence("8.1", "Bees hum.", (Span(0, 4, "bee"),))
    assert own == Evidence("7.2", "Bees were left out.", (Span(0, 4, "bee"),))
    assert none == Evidence()


def test_describe(collection: Indexes) -> None:
    """A hit has its record, its words marked, and what the method says of it."""
    words = WordEvidence(collection.facts.analysis)
    hits = Hits.ranked(["7", "8.1"], [2.0, 1.0])
    values = {"7": {"star": True, "pr": 0.5}}
    record, sentence = read_hits(collection, hits, "ants", words, values=values)
    assert (record.text, record.marks) == ("Ants of the moor", (Span(0, 4, "ant"),))
    assert (record.star, record.is_sentence, sentence.is_sentence) == (True, False, True)
    assert (sentence.record.id, sentence.text, sentence.star) == ("8", "Bees hum.", False)
    told = record.to_dict()
    assert told["sentence"]["id"] == "7.3"
    assert told["sentence"]["marks"] == [[4, 8, "ant"]]
    assert told["link"] == "https://pubmed.ncbi.nlm.nih.gov/7/"
    assert (told["pr"], told["rank"], told["year"]) == (0.5, 1, "1999")
    assert sentence.to_dict()["link"] == ""


def test_row(collection: Indexes) -> None:
    """A row has the text that decides; without evidence a sentence is its own."""
    words = WordEvidence(collection.facts.analysis)
    (hit,) = read_hits(collection, Hits.ranked(["7"], [2.0]), "red bees", words)
    row = dict(zip(COLUMNS, hit.to_row(), strict=True))
    assert (row["id"], row["record"], row["year"]) == ("7", "7", "1999")
    assert row["text"] == "The ants of the moor are red."
    assert row["publication_types"] == ""
    sentence, record = read_hits(collection, Hits.ranked(["7.1", "9"], [2.0, 1.0]))
    assert (sentence.text, sentence.evidence.sentence) == ("Red ants were counted.", "7.1")
    assert (record.text, record.sentence, record.move) == ("Moor without abstract", None, "")
    assert (sentence.marks, record.evidence) == ((), Evidence())


def test_values_of_the_method() -> None:
    """Those that a hit has itself are the hit's."""
    values = {"rank": "1 of 9", "score": 5.0, "lacks": ["cat"]}
    hit = Hit(3, "a", 2.0, Record("a", "A title."), values=values)
    told = hit.to_dict()
    assert (told["rank"], told["score"], told["lacks"]) == (3, 2.0, ["cat"])


def test_text_of_a_record() -> None:
    """A record's text is its title in whatever language, else its first sentence."""
    section = Section("PURPOSE Bees fly.")
    assert Hit(1, "1", 0.0, Record("1", "METHODS of ants", sections=(section,))).text == (
        "METHODS of ants"
    )
    assert Hit(1, "1", 0.0, Record("1", vernacular_title="Ameisen.")).text == "Ameisen."
    assert Hit(1, "1", 0.0, Record("1", sections=(section,))).text == "Bees fly."


def test_a_record_is_parsed_once(monkeypatch: pytest.MonkeyPatch, collection: Indexes) -> None:
    """Hits of one record, with evidence and moves, parse it once."""
    parsed = []
    original = Record.from_json

    def counted(line: str) -> Record:
        parsed.append(line)
        return original(line)

    monkeypatch.setattr(Record, "from_json", counted)
    with Indexes(collection.folder) as opened:
        words = WordEvidence(opened.facts.analysis)
        hits = Hits.ranked(["7", "7.2", "8", "7.3"], [4.0, 3.0, 2.0, 1.0])
        read = read_hits(opened, hits, "red bees", words)
        assert [hit.record.id for hit in read] == ["7", "7", "8", "7"]
        assert len(parsed) == 2


def test_write_csv() -> None:
    """A text that begins as a formula is marked, a full-width sign too; numbers stay."""
    file = StringIO()
    write_csv(file, [["=1+1", "＝1", "-x", "@x", "a=b", -1.5, None], ['a "b", c']])
    assert file.getvalue() == "'=1+1,'＝1,'-x,'@x,a=b,-1.5,\n" + '"a ""b"", c"\n'
