"""Disks of forty sizes under six verbs that write: done whole, or refused in a line."""

import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.cli.conftest import ROOT, SAMPLE

SIZES = [4 * (n + round(1.17**n)) for n in range(1, 41)]  # kB: 8 to 2,296
SHARES = 4
WORK = """
import contextlib, io, subprocess, sys
from pathlib import Path

from relsent_ir.cli.main import main
from relsent_ir.lucene.read.index import Index
from relsent_ir.models import check_folder, load_folder

disk, sample, index, topics, qrels, *sizes = sys.argv[1:]
disk, built = Path(disk), ["--index", index, "--cache", f"{disk}/cache"]
queries = ["--topics", topics]
VERBS = {
    "index": ["index", "--input", sample, "--index", f"{disk}/out"],
    "search": ["search", *built, *queries, "--engine", "matrix", "--output", f"{disk}/out"],
    "related": ["related", *built, *queries, "--model", "I1.5", "--output", f"{disk}/out"],
    "features": ["features", *built, *queries, "--output", f"{disk}/out"],
    "train": ["train", "ranker", *built, *queries, "--qrels", qrels, "--output", f"{disk}/out"],
}

def renew(kilobytes):  # what is mapped of the old one stays until Java forgets it
    subprocess.run(["umount", "-l", disk], check=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={kilobytes}k", "tmpfs", disk], check=True)

def widen():
    subprocess.run(["mount", "-o", "remount,size=64m", disk], check=True)

def run(name):
    errors = io.StringIO()
    with contextlib.redirect_stderr(errors), contextlib.redirect_stdout(io.StringIO()):
        code = main(VERBS[name])
    return code, errors.getvalue().splitlines()

def written():
    out = disk / "out"
    if (out / "abstracts").exists():
        found = {}
        for unit in ("abstracts", "sentences"):
            with Index(out, unit) as index:
                found[unit] = index.raw(index.ids())
        return found
    files = [out] if out.is_file() else sorted(out.iterdir())
    return {file.name: file.read_bytes().hex() for file in files}

def problems(name, code, lines, size):
    if code not in (0, 6):
        yield f"code {code}"
    if code and len(lines) != 1:
        yield f"{len(lines)} lines"
    if code and name != "index" and (disk / "out").exists():
        yield "half an output"
    for path in disk.rglob("*"):
        if path.suffix == ".tmp" or path.name.startswith("hs_err"):
            yield f"{path} is left"
        if path.name == "model.json":
            check_folder(load_folder(path.parent, trusted=True))

undisturbed = {}
for name in VERBS:
    renew(1 << 16)
    code, lines = run(name)
    assert code == 0, lines
    undisturbed[name] = written()
refused = 0
for size in sizes:
    for name in VERBS:
        renew(size)
        code, lines = run(name)
        refused += code == 6
        wrong = list(problems(name, code, lines, size))
        widen()
        again, told = run(name)
        if again or written() != undisturbed[name]:
            wrong.append(f"with space: code {again}, {told}")
        for problem in wrong:
            print(f"{name} with {size} kB: {problem}; {lines}")
print("refused", refused)
"""


@pytest.fixture
def disks(tmp_path) -> list[Path]:
    """Empty file systems in memory, which can be given a size."""
    mount, folders = shutil.which("mount"), [tmp_path / f"disk{n}" for n in range(SHARES)]
    mounted = []
    for folder in folders:
        folder.mkdir()
        command = [mount or "", "-t", "tmpfs", "tmpfs", str(folder)]
        if mount is None or subprocess.run(command, check=False, capture_output=True).returncode:
            pytest.skip("no file system of a given size can be made here")
        mounted.append(folder)
    yield folders
    for folder in mounted:
        subprocess.run(["umount", str(folder)], check=True)


@pytest.mark.slow
def test_sizes(relsent, sample_indexes, tmp_path, disks):
    """Code 0 or 6, one line, nothing half written; with space the same bytes as ever."""
    fixed = (
        SAMPLE / "sample.xml",
        sample_indexes,
        ROOT / "topics/sample.tsv",
        ROOT / "qrels/sample.txt",
    )

    def work(share: int) -> "subprocess.CompletedProcess[str]":
        arguments = [disks[share], *fixed, *SIZES[share::SHARES]]
        return subprocess.run(
            [sys.executable, "-c", WORK, *map(str, arguments)],
            cwd=tmp_path, capture_output=True, text=True, check=False,
        )  # fmt: skip

    with ThreadPoolExecutor(2) as pool:
        for ran in pool.map(work, range(SHARES)):
            assert ran.returncode == 0, ran.stderr[-2000:]
            *findings, told = ran.stdout.splitlines()
            assert findings == []
            assert int(told.removeprefix("refused ")) > 10
    assert list(tmp_path.glob("hs_err*")) == []
