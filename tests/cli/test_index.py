"""``relsent-ir index`` and ``stats``."""

import gzip
import json
from pathlib import Path

import pytest

SAMPLE_LINE = "58 records, 469 sentences, 0 deleted, 0 skipped\n"


def test_index_and_again(relsent, here):
    """Built, finished, updated, finished."""
    index = ["index", "--index", "idx", "--input"]
    assert relsent(*index, "sample.xml").out == f"idx: 1 file, {SAMPLE_LINE}"
    again = relsent(*index, "sample.xml")
    assert (again.code, again.out) == (0, "idx is finished: all of the inputs are in it\n")
    other = relsent(*index, "update.xml")
    assert other.code == 5
    assert "--append" in other.err
    ran = relsent(*index, "update.xml", "--append")
    assert ran.out == "idx: 1 file, 1 records, 9 sentences, 1 deleted, 0 skipped\n"
    described = json.loads(relsent("stats", "--index", "idx", "--json").out)
    assert described["sources"] == 2
    assert described["finished"] is True
    assert described["abstracts"]["documents"] == 57
    assert described["abstracts"]["deleted_documents"] == 2  # which still count
    assert relsent(*index, "sample.xml", "update.xml", "--optimize").code == 0
    described = json.loads(relsent("stats", "--index", "idx", "--json").out)
    assert described["abstracts"]["deleted_documents"] == 0


def test_finished_after_a_deletion(relsent, here):
    """A, an update that deletes, and A again: what A brought is not all in the index."""
    index = ["index", "--index", "idx", "--append", "--input"]
    for name in ("sample.xml", "update.xml"):
        assert relsent(*index, name).code == 0
    assert relsent(*index, "update.xml").out == "idx is finished: all of the inputs are in it\n"
    ran = relsent(*index, "sample.xml")
    assert ran.out.startswith("idx is finished: all of the inputs have been read, and files after")
    assert ran.out.endswith(" deleted 1 records\n")
    assert json.loads(relsent(*index, "sample.xml", "--json").out)["deleted_since"] == 1


def test_folders_and_several_files(relsent, here):
    """Folders and files mix; what holds no records in a folder is passed over with a warning."""
    Path("in").mkdir()
    Path("in/a.jsonl").write_text('{"id": "001", "title": "Mice", "abstract": "Ran. Slept."}\n')
    Path("in/README").write_text("nothing\n")
    Path("b.jsonl").write_text('{"id": "2", "contents": "Rats ran."}\n')
    ran = relsent("index", "--input", "in", "b.jsonl", "--index", "idx", "--json")
    assert ran.code == 0
    assert "skipped 1 files that hold no records: in/README" in ran.err
    read = json.loads(ran.out)["read"]
    assert [(Path(s["path"]).name, s["records"]) for s in read] == [("a.jsonl", 1), ("b.jsonl", 1)]


def test_formats_mix_and_can_be_forced(relsent, here):
    """Each file is read by its own format; a format that is named holds for all."""
    Path("a.txt").write_text("PMID- 9\nTI  - Mice ran.\n\n")
    ran = relsent("index", "--index", "idx", "--input", "sample.xml", "a.txt")
    assert ran.out.startswith("idx: 2 files, 59 records, ")
    forced = ["index", "--format", "medline", "--index"]
    assert relsent(*forced, "medline", "--input", "a.txt").code == 0
    assert relsent(*forced, "both", "--input", "a.txt", "sample.xml").code == 4


def test_odd_inputs(relsent, here):
    """A folder without records is an error; skipped records are told, ten one by one."""
    ran = relsent("index", "--input", "topics", "--index", "idx")
    assert (ran.code, ran.out) == (4, "")
    assert "topics: no file in this folder holds records" in ran.err
    assert not Path("idx").exists()
    lines = ['{"id": "1", "title": "Mice"}', *['{"title": "Rats"}'] * 12]
    Path("in.jsonl").write_text("\n".join(lines))
    ran = relsent("index", "--input", "in.jsonl", "--index", "idx")
    assert ran.out == "idx: 1 file, 1 records, 1 sentences, 0 deleted, 12 skipped\n"
    assert ran.err.count("warning: skipped: in.jsonl:") == 10
    assert ran.err.endswith("warning: skipped 12 records in all\n")


def test_stop_list_and_optimize(relsent, here):
    """The words of the file are the index's stop words; merging leaves one segment each."""
    Path("stop").write_text("# ours\nASTHMA\nchildren\n")
    flags = ["--input", "sample.xml", "--index", "idx", "--stopwords", "stop", "--optimize"]
    assert relsent("index", *flags).code == 0
    told = json.loads(relsent("stats", "--index", "idx", "--json").out)
    assert told["stopwords"] == 2
    assert (told["abstracts"]["segments"], told["sentences"]["segments"]) == (1, 1)
    hits = json.loads(relsent("search", "--index", "idx", "--text", "asthma", "--json").out)
    assert hits == {"query": "asthma", "hits": []}


def test_analysis_is_chosen_once(relsent, here):
    """Another stemmer for the same index is refused, and changes nothing."""
    index = ["index", "--input", "sample.xml", "--index", "idx"]
    assert relsent(*index, "--stemmer", "s", "--keep-stopwords").code == 0
    ran = relsent(*index, "--stemmer", "porter")
    assert ran.code == 5
    assert "stemmer s and 0 stop words" in ran.err
    out = relsent("stats", "--index", "idx").out
    assert "stemmer               s\n" in out
    assert "stopwords             0\n" in out


@pytest.mark.parametrize(
    ("name", "content", "line"),
    [
        ("cut.xml.gz", "cut", "cut.xml.gz: the gzip data end too early"),
        ("bad.xml", b"<PubmedArticleSet><PubmedArticle></PubmedArticleSet>", "malformed XML"),
        ("empty", b"", "empty: is empty"),
        ("noid.jsonl", b'{"title": "Mice"}\n', "is JSON without records"),
        ("latin.txt", b"PMID- 1\nTI  - na\xefve\n\n", "latin.txt:2: byte 0xEF is not UTF-8"),
        (
            "laughs.xml",
            b'<!DOCTYPE a [<!ENTITY b "ha"><!ENTITY c "&b;&b;">]><PubmedArticleSet/>',
            "declares entities",
        ),
        ("what.bin", bytes(range(200)), "holds no records of a known format"),
    ],
)
def test_bad_input(relsent, here, name, content, line):
    """One line, exit code 4, and no index where there was none."""
    if content == "cut":
        packed = gzip.compress(Path("sample.xml").read_bytes())
        content = packed[: len(packed) // 2]
    Path(name).write_bytes(content)
    ran = relsent("index", "--input", name, "--index", "idx")
    assert (ran.code, ran.out) == (4, "")
    last = ran.err.splitlines()[-1]
    assert last.startswith("relsent-ir: error: ")
    assert line in last
    assert not Path("idx").exists()


@pytest.mark.parametrize(
    ("arguments", "code", "line"),
    [
        (["--index", "idx"], 2, "index needs --input"),
        (["--input", "sample.xml"], 2, "Missing option '--index'"),
        (["--input", "nowhere", "--index", "idx"], 4, "nowhere: there is no such file"),
        (["--input", "sample.xml", "--index", "sample.xml/idx"], 6, "cannot make the folder"),
        (["--input", "sample.xml", "--index", "idx", "--format", "x"], 2, "no format 'x'"),
        (["--input", "sample.xml", "--index", "idx", "--stemmer", "x"], 2, "no stemmer 'x'"),
        (["--input", "sample.xml", "--index", "idx", "--heap", "2x"], 2, "no heap size"),
        (
            ["--input", "sample.xml", "--index", "i", "--stopwords", "s", "--keep-stopwords"],
            2,
            "exclude each other",
        ),
    ],
)
def test_bad_arguments(refused, here, arguments, code, line):
    """One line, the code of its kind, nothing written."""
    before = sorted(here.iterdir())
    refused(code, line, "index", *arguments)
    assert sorted(here.iterdir()) == before


def test_shards(relsent, here):
    """Two indexes are searched as one; what does not go with it is a usage error."""
    Path("b.jsonl").write_text('{"id": "2", "contents": "Rats ran."}\n')
    relsent("index", "--input", "sample.xml", "--index", "a")
    relsent("index", "--input", "b.jsonl", "--index", "b")
    ran = relsent("index", "--shards", "a", "b", "--index", "all")
    assert (ran.code, ran.out) == (0, "all: 2 shards of 2 files, searched as one\n")
    assert (
        json.loads(relsent("stats", "--index", "all", "--json").out)["abstracts"]["documents"] == 59
    )
    again = relsent("index", "--shards", "b", "--index", "all", "--json")
    assert json.loads(again.out) == {"index": "all", "shards": ["b"]}
    assert (
        "--shards and --input exclude"
        in relsent("index", "--shards", "a", "--input", "b.jsonl", "--index", "c").err
    )
    relsent("index", "--input", "b.jsonl", "--append", "--index", "a")
    both = relsent("index", "--shards", "a", "b", "--index", "all")
    assert both.code == 5
    assert "record 2 is in this shard and in a" in both.err


def test_a_damaged_file_in_a_folder(relsent, tmp_path):
    """What stands before the damage is indexed, and all other files; --strict stops."""
    folder = tmp_path / "records"
    folder.mkdir()
    ris = "".join(f"TY  - JOUR\nAN  - {n}\nTI  - A {n * n}\nER  - \n" for n in range(9000))
    packed = gzip.compress(ris.encode())
    (folder / "a.ris.gz").write_bytes(packed[: len(packed) // 2])
    (folder / "b.ris").write_text("TY  - JOUR\nAN  - b\nTI  - Bees\nER  - \n")
    ran = relsent("index", "--input", folder, "--index", tmp_path / "index")
    assert ran.code == 0
    assert "2 files" in ran.out
    assert "1 skipped" in ran.out
    assert ran.err.count("a.ris.gz: the gzip data end too early, after record") == 1
    ran = relsent("search", "--index", tmp_path / "index", "--query", "bees", "--count")
    assert ran.out == "1\n"
    ran = relsent("index", "--strict", "--input", folder, "--index", tmp_path / "strict")
    assert ran.code == 4


def test_texts_that_are_not_searched(relsent, here):
    """Texts under names that are no field's are told once, with their records; facts are not."""
    text = "in ants that ran over a hill the bees were seen"
    lines = [{"id": str(n), "title": "Ants", "claims": text, "arm": "B"} for n in range(3)]
    lines[0] |= {"w": text, "x": text, "y": [text, text], "journal_title": text}
    Path("a.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    told = "kept, but not searched as text: claims (3 records), w (1 record), x (1 record), 1 more"
    for more in ((), ("--parts", 2)):
        folder = f"i{len(more)}"
        ran = relsent("index", "--input", "a.jsonl", "--index", folder, *more)
        assert told in ran.out
        assert "not searched" not in relsent("index", "--input", "a.jsonl", "--index", "i0").out
        ran = relsent("index", "--input", "a.jsonl", "--index", f"j{folder}", "--json", *more)
        assert json.loads(ran.out)["unsearched"] == {"claims": 3, "w": 1, "x": 1, "y": 1}
