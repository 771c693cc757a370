"""Records a second, from raw files to both committed indexes, beside Anserini's IndexCollection.

- *relsent-ir*: the whole process ``relsent-ir index``: it starts Python and Java, reads the raw
  file, splits sentences, and commits ``abstracts`` and ``sentences``.
- *IndexCollection*: Anserini's, from Pyserini's jar and with the same Java and heap, on two
  threads, with positions, document vectors and raw documents; one process for the abstracts and
  one for the sentences, their times added up. It gets the texts ready-made as JSONL, in several
  files (it gives a thread a file): no record is read, no sentence split. Our abstract index also
  has the fields title, abstract and mesh, which IndexCollection's has not.

The two take turns; the figures are medians. Both must come out with the same documents and
terms. "CPU s" adds up all threads of a process: where other work keeps the machine busy, it tells
more than the clock. Below: what the Python side takes of it, measured by itself, without Lucene.

Run ``RELSENT_DATA=<data folder> python -m benchmarks.indexing``.
"""

import json
import shutil
import subprocess
import time
from functools import partial
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.common import data_file, medians, print_table, relsent_ir_command
from relsent_ir.lucene.commits import open_directory
from relsent_ir.lucene.documents import UNITS, abstract_document, sentence_documents
from relsent_ir.lucene.jvm import DEFAULT_HEAP, anserini_jar, find_java, java
from relsent_ir.records import Record, read_records
from relsent_ir.records.reading import detect_format
from relsent_ir.records.source import read_head

ROUNDS = 3
FILES = 4
"""The files that IndexCollection gets of each kind."""


def write_jsonl(records: list[Record], folder: Path) -> None:
    """Write what both indexes have as ``contents``, as Anserini's JsonCollection wants it."""
    for unit in UNITS:
        (folder / unit).mkdir(parents=True)
    for part in range(FILES):
        name = f"part{part}.jsonl"
        with (
            (folder / "abstracts" / name).open("w") as abstracts,
            (folder / "sentences" / name).open("w") as parts,
        ):
            for record in records[part::FILES]:
                abstracts.write(jsonl(*abstract_document(record)[:2]))
                parts.writelines(jsonl(*fields[:2]) for fields in sentence_documents(record))


def jsonl(name: str, contents: str) -> str:
    """Write a document as Anserini reads it."""
    return json.dumps({"id": name, "contents": contents}, ensure_ascii=False) + "\n"


def relsent_ir_index(source: Path, index: Path) -> None:
    """Build both indexes with our command."""
    shutil.rmtree(index, ignore_errors=True)
    command = relsent_ir_command("index", "--input", source, "--index", index)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def index_collection(folder: Path, index: Path, units: tuple[str, ...] = tuple(UNITS)) -> None:
    """Build the indexes with Anserini, one after the other."""
    shutil.rmtree(index, ignore_errors=True)
    command = [find_java().home / "bin" / "java", f"-Xmx{DEFAULT_HEAP}", "-cp", anserini_jar()]
    command += ["io.anserini.index.IndexCollection", "-collection", "JsonCollection"]
    command += ["-generator", "DefaultLuceneDocumentGenerator", "-threads", "2"]
    command += ["-storePositions", "-storeDocvectors", "-storeRaw"]
    command += ["-memoryBuffer", "256"]  # as our two writers have; its default is above the heap
    for unit in units:
        paths = ["-input", folder / unit, "-index", index / unit]
        subprocess.run([*command, *paths], check=True, capture_output=True)


def contents_of(index: Path) -> list[tuple[int, int]]:
    """Return documents and terms of each index."""
    found = []
    for unit in UNITS:
        directory = open_directory(index / unit)
        reader = java("org.apache.lucene.index.DirectoryReader").open(directory)
        found.append((reader.numDocs(), reader.getSumTotalTermFreq("contents")))
        reader.close()
    return found


def python_side(source: Path) -> dict[str, float]:
    """Return the processor's seconds for what our process does before Lucene gets the documents."""
    times = [time.process_time()]
    records = list(read_records(source))
    times.append(time.process_time())
    for record in records:
        for _ in record.sentences():
            pass
    times.append(time.process_time())
    for record in records:
        json.dumps([abstract_document(record), sentence_documents(record)], ensure_ascii=False)
    times.append(time.process_time())
    reading, splitting, documents = (b - a for a, b in pairwise(times))
    return {"reading": reading, "splitting": splitting, "documents": documents - splitting}


def compare(source: Path, temporary: Path) -> None:
    """Time both on one collection, and print the table."""
    records = list(read_records(source))
    texts, ours, theirs = temporary / "texts", temporary / "ours", temporary / "theirs"
    write_jsonl(records, texts)
    peers = {
        "relsent-ir": partial(relsent_ir_index, source, ours),
        "IndexCollection": partial(index_collection, texts, theirs),
    }
    seconds = medians(peers, ROUNDS)
    found = contents_of(ours)
    assert found == contents_of(theirs), "the indexes differ"
    megabytes = source.stat().st_size / 1e6
    form = detect_format(read_head(source), read_head(source, text=True))
    print(
        f"{source.name} ({form}, {megabytes:.1f} MB): "
        f"{len(records):,} records, {found[1][0]:,} sentences"
    )
    whole = seconds["relsent-ir"]
    rows = [
        [
            name,
            f"{taken.clock:.1f}",
            f"{taken.cpu:.1f}",
            f"{len(records) / taken.clock:,.0f}",
            f"{taken.clock / whole.clock:.2f}",
        ]
        for name, taken in seconds.items()
    ]
    print_table(["", "s", "CPU s", "records/s", "relsent-ir is x times as fast"], rows)
    parts = [
        f"{name} {taken:.1f} s ({taken / whole.cpu:.0%})"
        for name, taken in python_side(source).items()
    ]
    print(f"Of the CPU time, the Python side: {', '.join(parts)}\n", flush=True)


def main() -> None:
    """Compare on raw PubMed XML, and on JSONL."""
    sources = [data_file("rct/rct-train.xml.gz"), data_file("abstracts/abstracts.jsonl.gz")]
    for source in sources:
        with TemporaryDirectory() as temporary:
            compare(source, Path(temporary))


if __name__ == "__main__":
    main()
