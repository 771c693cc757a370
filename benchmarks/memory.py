"""Peak memory while a PubMed XML file of 1 GB is indexed.

The file repeats the real records of ``pubmed-xml`` and ``rct`` under new PMIDs, so that none
replaces another. ``relsent-ir index`` runs with its default heap in a process of its own, which
Python and Java share; every half second its resident memory is read from /proc (Linux only). The
limit is 2 GB in all, and it should not grow with what has been read: the table gives the memory
at each tenth of the time, besides the peak.

Run ``RELSENT_DATA=<data folder> python -m benchmarks.memory`` (it needs 5 GB of temporary space).
"""

import gzip
import re
import subprocess
import sys
import time
from itertools import cycle
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.common import data_file, print_table, relsent_ir_command

SIZE = 10**9
SAMPLE = 0.5
"""Seconds between two looks at the process."""

LIMIT = 2 * 10**9
ARTICLE = re.compile(rb"<PubmedArticle[ >].*?</PubmedArticle>", re.DOTALL)
PMID = re.compile(rb"(<PMID[^>]*>)\d+(</PMID>)")


def write_records(path: Path) -> int:
    """Write real records under PMIDs from 1 on until the file has its size; give their number."""
    files = sorted(data_file("pubmed-xml").glob("*.xml.gz"))
    files += sorted(data_file("rct").glob("*.xml.gz"))
    articles = [
        PMID.split(article, maxsplit=1)
        for file in files
        for article in ARTICLE.findall(gzip.decompress(file.read_bytes()))
    ]
    size = records = 0
    with path.open("wb") as out:
        out.write(b'<?xml version="1.0" encoding="UTF-8"?>\n<PubmedArticleSet>\n')
        for before, opening, closing, after in cycle(articles):
            records += 1
            size += out.write(b"%b%b%d%b%b\n" % (before, opening, records, closing, after))
            if size >= SIZE:
                break
        out.write(b"</PubmedArticleSet>\n")
    return records


def resident(pid: int) -> int:
    """Read the resident memory of a process, in bytes; 0 when it has ended."""
    status = Path(f"/proc/{pid}/status").read_text()
    found = re.search(r"^VmRSS:\s+(\d+) kB", status, re.MULTILINE)
    return int(found[1]) * 1024 if found else 0


def watch(process: subprocess.Popen[str]) -> list[int]:
    """Return the resident memory of a process, at regular times, until it ends."""
    sizes = []
    while process.poll() is None:
        if size := resident(process.pid):
            sizes.append(size)
        time.sleep(SAMPLE)
    return sizes


def main() -> None:
    """Build the file and its index, and print the table."""
    if not Path("/proc/self/status").exists():
        sys.exit("memory: needs Linux's /proc")
    with TemporaryDirectory() as temporary:
        source = Path(temporary, "records.xml")
        records = write_records(source)
        command = relsent_ir_command(
            "index", "--input", source, "--index", Path(temporary, "index")
        )
        begun = time.perf_counter()
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            sizes = watch(process)
            assert process.stdout
            said = process.stdout.read()
        seconds = time.perf_counter() - begun
        assert process.returncode == 0, f"relsent-ir index ended with {process.returncode}"
        assert f" {records} records" in said, f"not {records} records: {said}"
        size = source.stat().st_size
    print(
        f"PubMed XML, {size / 1e9:.2f} GB, {records:,} records: {said.partition(': ')[2].strip()}"
    )
    print(f"{seconds:.0f} s, {records / seconds:,.0f} records/s, {size / seconds / 1e6:.1f} MB/s")
    tenths = [sizes[len(sizes) * n // 10 - 1] for n in range(1, 11)]
    header = ["of the time", *(f"{n}0%" for n in range(1, 11)), "peak"]
    print_table(header, [["MB in memory", *(f"{b / 1e6:.0f}" for b in [*tenths, max(sizes)])]])
    met = "under" if max(sizes) < LIMIT else "NOT under"
    print(f"The peak is {met} {LIMIT / 1e9:.0f} GB\n")


if __name__ == "__main__":
    main()
