"""``relsent-ir plan``."""

import json
import shutil
from pathlib import Path


def test_what_is_said(relsent, here, monkeypatch):
    """The sample's numbers, as lines and as JSON; a disk that is too small is told."""
    before = sorted(here.iterdir())
    ran = relsent("plan", "--input", "sample.xml", "--index", "idx", "--json")
    told = json.loads(ran.out)
    assert (ran.code, told["records"], told["sentences"], told["fits"]) == (0, 58, 469, True)
    assert set(told["seconds"]) == {"reading", "splitting", "Lucene"}
    monkeypatch.setattr(shutil, "disk_usage", lambda _: shutil._ntuple_diskusage(9, 8, 1))
    ran = relsent("plan", "--input", "sample.xml", "--threads", "2", "--moves")
    lines = ran.out.splitlines()
    assert lines[1:4] == ["sample          58 records", "records         58", "sentences       469"]
    assert lines[4].endswith("0.0 MB are free: TOO LITTLE")
    assert lines[6].endswith(" for each copy, --shards 1")
    assert " with --threads 2, of " in lines[8]
    assert [line.split()[0] for line in lines[9:]] == ["reading", "splitting", "tagging", "Lucene"]
    assert sorted(here.iterdir()) == before


def test_files_that_hold_nothing(refused, here):
    """One line and the code of bad input."""
    Path("empty.txt").write_text("nothing\n")
    refused(4, "", "plan", "--input", "empty.txt")
