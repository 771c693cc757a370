"""What once ended in a traceback is one line and an exit code."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from relsent_ir.errors import RelsentError
from relsent_ir.lucene.read.index import Index

RUN = "1 Q0 a 1 2.5 x\n1 Q0 b 2 1 x\n"
STRANGE = os.fsdecode(b"no\xff.txt")
TUNE = ["tune", "--qrels", "q", "--grid", "k1=1,2"]
LEARN = ["train", "related", "--index", "INDEX", "--output", "x"]
RERANK = ["--run", "r", "--topics", "t", "--index", "INDEX", "--model", "I1.5"]
OF = ["--", "search", "--index", "INDEX", "--topics", "t"]
DEEP = '{"id": "1", "text": ' + "[" * 100_000 + "\n"


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["fuse", "--runs", "r", "s", "--rrf.k", "9" * 400, "--output", "x"], 2, "rrf.k"),
        (["fuse", "--runs", "r", "s", "--weights", "1e308,1e308", "--output", "x"], 2, "weights"),
        (["search", "--index", "INDEX", "--text", "mice", "--k1", "1e308"], 2, "k1"),
        (["search", "--index", "INDEX", "--text", "mice", "--k1", "nan"], 2, "k1"),
        (["fuse", "--runs", "r", "s", "--runtag", STRANGE, "--output", "x"], 2, "run tag"),
        ([*TUNE, "--seed", "-1", *OF], 2, "'--seed'"),
        ([*TUNE, "--random", "9" * 400, *OF], 2, "'--random'"),
        ([*LEARN, "--seed", "-1"], 2, "'--seed'"),
        (["themes", "map", "--index", "INDEX", "--seed", "-1"], 2, "'--seed'"),
        ([*LEARN, "--pairs", "9" * 400], 2, "'--pairs'"),
        ([*LEARN, "--content-share", "nan"], 2, "nan is no number"),
        (["rerank", *RERANK, "--interpolate", "nan", "--output", "x"], 2, "--interpolate nan"),
        (
            [
                "fuse",
                "--runs",
                "r",
                "s",
                "--method",
                "interpolation",
                "--alpha",
                "nan",
                "--output",
                "x",
            ],
            2,
            "--alpha nan",
        ),
        (["evaluate", "q", "r", "-m", "Rprec_mult.1000000000"], 2, "factors"),
        (["evaluate", "grade", "r"], 4, "grade:1"),
        (["search", "--index", "INDEX", "--topics", "t", "--topics-format", "trec"], 4, "t"),
        (["search", "--index", "INDEX", "--topics", "deep"], 4, "deep:1"),
        (["index", "--input", "deep", "--index", "new", "--format", "jsonl"], 4, "deep"),
        (["answer", "--input", "deep"], 4, "deep:1"),
        (["relate", "--input", "deep", "--output", "x"], 4, "deep:1"),
        (["index", "--input", "t", "--index", STRANGE, "--format", "jsonl"], 2, "not UTF-8"),
    ],
)
def test_one_line(arguments, code, words, relsent, here, sample_indexes):
    """A number too large, a format that is not the file's, nesting, a path that is not UTF-8."""
    texts = {"r": RUN, "s": RUN, "q": "1 0 a 1\n", "grade": f"1 0 a {'9' * 5000}\n", "deep": DEEP}
    for name, text in {**texts, "t": "1\tmice\n"}.items():
        Path(name).write_text(text)
    ran = relsent(*[str(sample_indexes) if word == "INDEX" else word for word in arguments])
    lines = [line for line in ran.err.splitlines() if "error" in line]
    assert ran.code == code, ran.err
    assert len(lines) == 1
    assert words in lines[0]
    assert "Traceback" not in ran.err


def test_files_with_strange_names(relsent, here, sample_indexes):
    """A path that is not UTF-8 can be written and read."""
    search = ["search", "--index", sample_indexes, "--topics", "sample", "--output", STRANGE]
    assert relsent(*search).code == 0
    assert relsent("evaluate", "sample", STRANGE, "-m", "map").code == 0
    Path(STRANGE).unlink()
    program = Path(sys.executable).with_name("relsent-ir")
    for arguments in (["evaluate"], ["search", "--text", "mice", "--index"]):
        ran = subprocess.run([program, *arguments, STRANGE], capture_output=True, check=False)
        assert (ran.returncode, ran.stderr.count(b"\n")) in ((4, 1), (2, 1)), ran.stderr


@pytest.mark.parametrize("suffix", [".fdt", ".tim", ".doc", ".nvd", ".si", ".cfs"])
def test_damaged_segments(suffix, sample_indexes, tmp_path):
    """Java's exceptions are ours, whatever is asked of an index with a damaged file."""
    shutil.copytree(sample_indexes, tmp_path / "index")
    for path in (tmp_path / "index" / "abstracts").glob(f"*{suffix}"):
        data = bytearray(path.read_bytes())
        for place in range(len(data) // 4, len(data), max(1, len(data) // 40)):
            data[place] ^= 0xFF
        path.write_bytes(data)
    asked: list[Callable[[Index], object]] = [
        lambda index: index.ids(),
        lambda index: index.documents(["90000001", "90000002"]),
        lambda index: index.frequencies(["mice", "asthma"]),
        lambda index: index.statistics(),
        lambda index: index.raw(["90000001"]),
        lambda index: index.vectors(["90000001"]),
    ]
    for question in asked:
        try:
            with Index(tmp_path / "index") as index:
                question(index)
        except RelsentError as error:
            assert "\n" not in str(error)  # noqa: PT017 (some files are not read)
