"""``relsent-ir themes``."""

import json
from pathlib import Path

import pytest

from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.themes import (
    Selection,
    Terms,
    Theme,
    ThemeFinder,
    ThemeSettings,
    ThemeTopic,
    terms_of_theme,
)
from relsent_ir.trec import read_run
from tests.themes.conftest import invent, write_index


@pytest.fixture(scope="module")
def index(tmp_path_factory) -> Path:
    """Forty invented records on insects, one odd one."""
    return write_index(invent(40), tmp_path_factory.mktemp("themes"))


def test_readable(relsent, index):
    """Records with the kernel starred, then what they share in words; numbers if asked."""
    ran = relsent("themes", "--index", index, "--pmid", "i0", "--max-df", 0.3, "--hits", 3)
    assert (ran.code, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert lines[0].endswith("10 records expected on theme")
    assert sum("*" in line for line in lines[2:5]) == 1
    assert "λ" not in ran.out
    ask = ("themes", "--index", index, "--pmid", "i0", "--max-df", 0.3, "--numbers", "--size", 10)
    numbers = relsent(*ask, "--max-iterations", 1).out
    assert numbers.startswith("10 records expected on theme; not settled after 1 iterations: ")
    assert ["records", "lift", "p", "q", "λ"] in [line.split() for line in numbers.splitlines()]
    again = relsent("themes", "--index", index, "--pmid", "i0", "--max-df", 0.3, "--hits", 3)
    assert again.out == ran.out


def test_published(relsent, index):
    """The paper's theme: P is fixed, the kernel is not held, and its rule chooses the terms."""
    ask = ("themes", "--index", index, "--pmid", "i0", "--max-df", 0.3, "--json")
    found = json.loads(relsent(*ask, "--published").out)
    with Indexes(index) as collection:
        finder = ThemeFinder(collection, ThemeSettings(), Terms(selection=Selection(2, 0.3)))
        topics = {"": ThemeTopic(("i0",))}
        (names,) = finder.find(topics, lambda _, theme: _terms(finder, theme)).values()
    assert [term["term"] for term in found["terms"]] == names
    assert found["size"] != pytest.approx(json.loads(relsent(*ask).out)["size"], abs=0.01)


def _terms(finder: ThemeFinder, theme: Theme) -> list[str]:
    return [term.term for term in terms_of_theme(finder.matrix, theme)]


def test_json(relsent, index):
    """Several kernels give one theme; everything is there, also with ours on."""
    ran = relsent(
        "themes", "--index", index, "--pmid", "i0", "i4", "--max-df", 0.3,
        "--size", 5, "--fields", "title", "abstract", "--terms", 2, "--json",
    )  # fmt: skip
    assert ran.code == 0
    found = json.loads(ran.out)
    assert found["kernels"] == ["i0", "i4"]
    assert found["size"] == pytest.approx(5, abs=2)
    assert [row["kernel"] for row in found["hits"]].count(True) == 2
    assert found["hits"][0].keys() >= {"rank", "id", "score", "pr", "kernel", "text", "journal"}
    assert len(found["terms"]) == 2
    assert set(found["terms"][0]) == {"term", "p", "q", "lambda", "db", "records", "lift"}
    assert -1 <= found["coherence"] <= 1
    assert all(phrase["share"] <= 1 for phrase in found["phrases"])


def test_text(relsent, index):
    """The first hits of a query are the kernels."""
    ran = relsent(
        "themes", "--index", index, "--text", "honey", "--max-df", 0.3, "--from-hits", 2, "--json"
    )
    found = json.loads(ran.out)
    assert len(found["kernels"]) == 2
    assert all(int(kernel[1:]) % 4 == 1 for kernel in found["kernels"])
    ran = relsent("themes", "--index", index, "--text", "zebra", "--max-df", 0.3)
    assert ran.code == 4
    assert "nothing was found that could be a kernel" in ran.err


def test_run(relsent, index, tmp_path):
    """A topics file of kernels gives a run without them, or with them."""
    topics, output = tmp_path / "topics.tsv", tmp_path / "run.txt"
    topics.write_text("1\ti0\n2\ti1 i5\n3\todd\n", encoding="utf-8")
    ask = ("themes", "--index", index, "--topics", topics, "--hits", 7, "--output", output)
    ran = relsent(*ask, "--max-df", 0.3, "--json")
    assert ran.code == 0
    assert json.loads(ran.out) == {"output": str(output), "topics": 2, "hits": 14}
    assert "topic 3: record odd" in ran.err
    run = read_run(output)
    assert list(run) == ["1", "2"]
    assert "i0" not in run["1"].ids
    assert not {"i1", "i5"} & set(run["2"].ids)
    relsent(*ask, "--max-df", 0.3, "--keep-kernel", "--runtag", "mine", "--threads", 2)
    assert "i0" in read_run(output)["1"].ids
    assert output.read_text().splitlines()[0].endswith(" mine")


def test_queries_file(relsent, index, tmp_path):
    """With --from-hits the topics are queries, and their kernels stay in the run."""
    topics, output = tmp_path / "topics.tsv", tmp_path / "run.txt"
    topics.write_text("q\tvenom sting\n", encoding="utf-8")
    ran = relsent(
        "themes", "--index", index, "--topics", topics, "--from-hits", 2,
        "--max-df", 0.3, "--output", output,
    )  # fmt: skip
    assert (ran.code, ran.out) == (0, "")
    assert int(read_run(output)["q"].ids[0][1:]) % 4 == 2


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ((), 2, "give one of --pmid"),
        (("--pmid", "i0", "--text", "x"), 2, "--pmid and --text exclude"),
        (("--pmid", "i0", "--from-hits", "3"), 2, "--pmid and --from-hits exclude"),
        (("--pmid", "i0", "--terms", "3", "--output", "r"), 2, "--terms and --output exclude"),
        (("--pmid", "i0", "--keep-kernel"), 2, "--keep-kernel needs --output"),
        (("--pmid", "i0", "--topics-format", "tsv"), 2, "--topics-format needs --topics"),
        (("--pmid", "i0", "--max-iterations", "0"), 2, "max_iterations 0"),
        (("--pmid", "i0", "--fields", "body"), 2, "no field 'body'"),
        (("--pmid", "i0", "--max-df", "7"), 2, "a share above 0"),
        (("--pmid", "i99"), 4, "no record 'i99'"),
        (("--pmid", "odd"), 4, "record odd has no term"),
        (("--pmid", "i0", "--max-df", "0.001"), 4, "take a larger --max-df"),
        (("--pmid", "i0", "--stopwords", "no.txt"), 4, "no.txt"),
        (("--topics", "unknown.tsv", "--output", "r"), 4, "unknown.tsv: topic 2: no record 'i99'"),
        (("--topics", "empty.tsv", "--output", "r"), 4, "empty.tsv: topic 1 has no kernel"),
        (("--topics", "kernels.tsv", "--output", "folder"), 6, "folder"),
    ],
)
def test_mistakes(arguments, code, message, relsent, index, tmp_path, monkeypatch):
    """One line that names the mistake, and the exit code of its kind."""
    monkeypatch.chdir(tmp_path)
    Path("kernels.tsv").write_text("1\ti0\n")
    Path("unknown.tsv").write_text("1\ti0\n2\ti99\n")
    Path("empty.tsv").write_text("1\t\n")
    Path("folder").mkdir()
    wide = () if "--max-df" in arguments else ("--max-df", "0.3")
    ran = relsent("themes", "--index", index, *arguments, *wide)
    assert (ran.code, "Traceback" in ran.err, Path("r").exists()) == (code, False, False)
    assert message in ran.err


def test_no_index(refused, tmp_path):
    """An index that is not there."""
    refused(4, "there is no index", "themes", "--index", tmp_path / "none", "--pmid", "1")


def test_map(relsent, index, tmp_path):
    """A theme a line, with its figures; the picture; the same as JSON."""
    ask = ("themes", "map", "--index", index, "--count", 4, "--max-df", 0.3)
    ran = relsent(*ask, "--output", tmp_path / "map.svg")
    assert (ran.code, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert lines[0].startswith("4 themes, ")
    assert lines[2].split() == ["kernel", "own", "likely", "NPMI", "held", "out"]
    assert [line[:2] for line in lines[3:7]] == [" 1", " 2", " 3", " 4"]
    assert lines[-1].startswith("overlaps: ")
    assert (tmp_path / "map.svg").read_text(encoding="utf-8").startswith("<svg ")
    found = json.loads(relsent(*ask, "--json").out)
    assert found.keys() == {
        "records", "coverage", "coherence", "diversity", "held_out", "themes", "overlaps",
    }  # fmt: skip
    assert [theme["size"] for theme in found["themes"]] == pytest.approx([41 / 4] * 4, abs=0.5)
    sized = json.loads(relsent(*ask, "--size", 5, "--terms", 2, "--json").out)
    assert sized["themes"][0]["size"] == pytest.approx(5, abs=0.5)
    assert len(sized["themes"][0]["terms"]) == 2


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("--count", "1"), 2, "--count"),
        (("--size", "-1"), 2, "size -1"),
        (("--output", "."), 6, "."),
        (("--max-df", "0.001"), 4, "take a larger --max-df"),
    ],
)
def test_mistakes_of_map(arguments, code, message, refused, index):
    """One line, and the exit code of its kind."""
    wide = () if "--max-df" in arguments else ("--max-df", "0.3")
    refused(code, message, "themes", "map", "--index", index, "--count", 4, *wide, *arguments)
