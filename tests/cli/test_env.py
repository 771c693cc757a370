"""``relsent-ir env``, and what Pyserini's habits expect of other verbs."""

import shlex
from pathlib import Path


def test_env(relsent, monkeypatch):
    """A shell's exports: Java, both jars, no jar for Pyserini to add by itself."""
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    lines = [shlex.split(line) for line in relsent("env").out.splitlines()]
    assert all(words[0] == "export" for words in lines)
    told = dict(words[1].split("=", 1) for words in lines)
    assert list(told) == ["JAVA_HOME", "CLASSPATH", "ANSERINI_CLASSPATH", "OPENAI_API_KEY"]
    assert all(Path(jar).is_file() for jar in told["CLASSPATH"].split(":"))
    assert not list(Path(told["ANSERINI_CLASSPATH"]).glob("*.jar"))
    monkeypatch.setenv("OPENAI_API_KEY", "mine")
    assert "OPENAI" not in relsent("env").out


def test_flags_of_pyserini(relsent, here):
    """What we always do is accepted, what we never do is one line."""
    index = ["index", "--input", "sample.xml", "--index", "ix"]
    flags = ["--storePositions", "--storeDocvectors", "--storeRaw", "--generator"]
    assert relsent(*index, *flags, "DefaultLuceneDocumentGenerator").code == 0
    ran = relsent(*index, *flags, "CoreGenerator")
    assert (ran.code, ran.err.count("\n")) == (2, 1)


def test_collections_of_anserini(relsent, here):
    """JsonCollection is our jsonl; others are one line, and so are both names at once."""
    Path("docs.jsonl").write_text(
        '{"id": "d1#0", "contents": "mice"}\n{"id": "d1#1", "contents": "mice"}\n'
    )
    index = ["index", "--input", "docs.jsonl", "--index", "ix", "--collection"]
    ran = relsent(*index, "TrecCollection")
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert relsent(*index, "JsonCollection", "--format", "jsonl").code == 2
    assert relsent(*index, "JsonCollection").code == 0


def test_passages_of_anserini(relsent, here):
    """Documents that are passages, parted from their document's id by a delimiter."""
    lines = ('{"id": "d1#0", "contents": "mice"}', '{"id": "d1#1", "contents": "mice"}')
    Path("docs.jsonl").write_text("\n".join((*lines, '{"id": "d2#7", "contents": "old mice"}', "")))
    relsent("index", "--input", "docs.jsonl", "--index", "ix")
    Path("topics.tsv").write_text("1\tmice\n")
    search = ["search", "--index", "ix", "--topics", "topics.tsv", "--output", "run.txt"]
    flags = ["--max-passage", "--max-passage-delimiter", "#", "--remove-duplicates"]
    assert relsent(*search, *flags).code == 0
    assert [line.split()[2] for line in Path("run.txt").read_text().splitlines()] == ["d1", "d2"]
    for wrong in (flags[:1], flags[1:3], ["--max-passage", "--max-passage-delimiter", ""]):
        ran = relsent(*search, *wrong)
        assert (ran.code, ran.err.count("\n")) == (2, 1)


def test_names_that_fetch_wrote(relsent, here, sample_indexes):
    """Topics and qrels by their collection's name; a file of that name comes first."""
    search = ["search", "--index", sample_indexes, "--topics", "sample", "--output"]
    assert relsent(*search, "run.txt").code == 0
    assert relsent("evaluate", "sample", "run.txt", "-m", "map").code == 0
    assert relsent("compare", "sample", "run.txt", "run.txt", "-m", "map").code == 0
    Path("sample").write_text("x\tasthma\n")
    assert relsent(*search, "other.txt").code == 0
    assert Path("other.txt").read_text().startswith("x Q0 ")
