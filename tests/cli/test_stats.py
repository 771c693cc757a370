"""``relsent-ir stats``, against counts made by hand."""

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from relsent_ir.lucene.analyzers import Analysis
from relsent_ir.lucene.documents import abstract_document
from relsent_ir.records import read_records


def test_json_counts(relsent: Callable[..., object], here: Path, sample_indexes: Path):
    """Documents, postings and tokens of both indexes are those of the analysed texts."""
    told = json.loads(relsent("stats", "--index", sample_indexes, "--json").out)
    terms = Analysis.choose().terms
    records = list(read_records("sample.xml"))
    texts = {
        "abstracts": [abstract_document(record)[1] for record in records],
        "sentences": [s.text for record in records for s in record.sentences()],
    }
    for unit, bags in ((unit, [Counter(terms(t)) for t in texts[unit]]) for unit in texts):
        assert told[unit] == {
            "unit": unit,
            "documents": len(bags),
            "deleted_documents": 0,
            "segments": 1,
            "non_empty_documents": sum(map(bool, bags)),
            "unique_terms": len(set().union(*bags)),
            "postings": sum(map(len, bags)),
            "total_terms": sum(bag.total() for bag in bags),
        }
    assert told["index"] == str(sample_indexes)
    assert (told["stemmer"], told["stopwords"], told["sources"]) == ("porter", 33, 1)
    assert (told["finished"], told["skipped"]) == (True, 0)
    assert told["without_year"] == sum(not record.year for record in records)


def test_text_says_the_same(relsent: Callable[..., object], sample_indexes: Path):
    """Names and values in two columns, the two indexes one after the other."""
    told = json.loads(relsent("stats", "--index", sample_indexes, "--json").out)
    ran = relsent("stats", "--index", sample_indexes)
    assert (ran.code, ran.err) == (0, "")
    lines = [line.split() for line in ran.out.splitlines()]
    assert ["documents", str(told["sentences"]["documents"])] in lines
    assert lines.index(["abstracts"]) < lines.index(["sentences"])


def test_an_unfinished_index_says_so(relsent: Callable[..., object], here: Path):
    """A build that met a bad file has its first files, and is not finished."""
    Path("bad.xml").write_text("<PubmedArticleSet><PubmedArticle></PubmedArticleSet>")
    ran = relsent("index", "--input", "sample.xml", "bad.xml", "--index", "idx")
    assert ran.code == 4
    told = json.loads(relsent("stats", "--index", "idx", "--json").out)
    assert (told["finished"], told["sources"]) == (False, 1)
    assert told["abstracts"]["documents"] == 58


def test_copies_do_not_keep_an_index_unfinished(relsent: Callable[..., object], here: Path):
    """The same content under two names is read once, and that is all there is to do."""
    Path("copy.xml").write_bytes(Path("sample.xml").read_bytes())
    assert relsent("index", "--input", "sample.xml", "copy.xml", "--index", "idx").code == 0
    told = json.loads(relsent("stats", "--index", "idx", "--json").out)
    assert told["finished"] is True
    assert told["abstracts"]["documents"] == 58


def test_half_of_an_index_is_named(relsent: Callable[..., object], sample_indexes: Path):
    """Naming DIR/abstracts in the place of DIR is recognised."""
    ran = relsent("stats", "--index", sample_indexes / "abstracts")
    assert (ran.code, ran.out) == (4, "")
    assert "this is one Lucene index, not a collection's two" in ran.err
    assert ran.err.count("\n") == 1
