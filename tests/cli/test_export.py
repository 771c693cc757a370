"""``relsent-ir export``."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest


def test_export(relsent: Callable[..., object], here: Path, sample_indexes: Path):
    """All sentences, for OpenSearch and packed for Solr, with how they are analysed."""
    told = json.loads(relsent("stats", "--index", sample_indexes, "--json").out)
    some = "--index", sample_indexes, "--unit", "sentences"
    ran = relsent("export", *some, "--output", "o.jsonl", "--mapping", "m.json", "--name", "x")
    count = told["sentences"]["documents"]
    assert ran.out == f"o.jsonl: {count} sentences for opensearch\n"
    lines = [json.loads(line) for line in Path("o.jsonl").read_text().splitlines()]
    assert len(lines) == 2 * count
    assert [line["index"]["_id"] for line in lines[::2]] == [line["id"] for line in lines[1::2]]
    assert "analysis" in json.loads(Path("m.json").read_text())["settings"]
    relsent("export", *some, "--to", "solr", "--output", "s.jsonl.gz")
    with gzip.open("s.jsonl.gz", "rt") as file:
        assert [json.loads(line) for line in file] == lines[1::2]
    assert relsent("export", *some).code == 2


@pytest.mark.parametrize("flags", [["--name", ""], ["--name", "A b"], ["--mapping", "./o.jsonl"]])
def test_bad_names(relsent: Callable[..., object], here: Path, sample_indexes: Path, flags):
    """No index could have the name; two files are one. Nothing is written."""
    ran = relsent("export", "--index", sample_indexes, "--output", "o.jsonl", *flags)
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert not Path("o.jsonl").exists()
