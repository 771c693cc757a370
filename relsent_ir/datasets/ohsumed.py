"""The OHSUMED collection, as used by the TREC-9 filtering track.

References
----------
Hersh, Buckley, Leone, Hickam. OHSUMED: an interactive retrieval evaluation and new large test
collection for research. SIGIR 1994, 192-201.
Robertson, Hull. The TREC-9 filtering track final report. TREC-9, 2000.
https://trec.nist.gov/data/filtering/README.t9.filtering
"""

from pathlib import Path

from relsent_ir.datasets.catalogue import Fetched, write_judged
from relsent_ir.datasets.download import Checksum, Origin, download
from relsent_ir.datasets.extract import extract
from relsent_ir.errors import InputError
from relsent_ir.files import input_errors
from relsent_ir.trec import Qrels, read_qrels, read_topics
from relsent_ir.typing import Progress

NAME = "ohsumed"
ARCHIVE = "t9.filtering.tar.gz"
CHECKSUM = Checksum(
    "sha256", "39184391aab6d080699882dbfd87de4cbcb24cce8a0cffd611debf18914481b0", 139_454_017
)
"""The checksum that Hugging Face's `datasets` recorded for NIST's file."""

RECORDS = ("ohsumed.87", "ohsumed.88-91")

TOPICS = {"ohsumed": "query.ohsu.1-63", "ohsumed-pretest": "query.ohsu.test.1-43"}

QRELS = {
    "ohsumed": ("qrels.ohsu.batch.87", "qrels.ohsu.88-91"),
    "ohsumed-87": ("qrels.ohsu.batch.87",),
    "ohsumed-88-91": ("qrels.ohsu.88-91",),
    "ohsumed-pretest": ("qrels.ohsu.test.87",),
}
"""The judgement files from which ours are made: 1 is possibly, 2 definitely relevant."""

PRETEST = ("query.ohsu.test.1-43", "qrels.ohsu.test.87")
"""Topics that the track rejected, judged on 1987 only; some copies lack them."""


def fetch(origin: Origin, output: Path, tick: Progress) -> Fetched:
    """Fetch the two files of records, and write topics and qrels."""
    folder = output / "collections" / NAME
    originals = output / "collections" / "originals" / NAME
    names = {*TOPICS.values(), *(name for parts in QRELS.values() for name in parts)}
    places = {name: folder / name for name in RECORDS}
    places |= {name: originals / name for name in sorted(names)}
    changed = extract(_source(origin, originals, tick), originals, places, optional=PRETEST)

    topics: dict[Path, int] = {}
    for name, original in TOPICS.items():
        if places[original] in changed:
            texts = read_topics(places[original], format=NAME, field="title+desc")
            topics |= write_judged(output, name, texts, {})[0]
    qrels: dict[Path, int] = {}
    for name, parts in QRELS.items():
        if all(places[part] in changed for part in parts):
            grades: Qrels = {}
            for part in parts:  # they judge different records
                for topic, judged in read_qrels(places[part]).items():
                    grades.setdefault(topic, {}).update(judged)
            qrels |= write_judged(output, name, {}, grades)[1]
    files = tuple(places[name] for name in RECORDS)
    return Fetched(NAME, folder, files, sum(changed[file] for file in files), topics, qrels)


def _source(origin: Origin, originals: Path, tick: Progress) -> Path:
    """Return the archive, downloaded if necessary, or the folder with the extracted files."""
    if origin.folder is None:
        archive = originals / ARCHIVE
        download(origin.web + ARCHIVE, archive, CHECKSUM, tick)
        return archive
    archive = origin.folder / ARCHIVE if origin.folder.is_dir() else origin.folder
    if not archive.is_file():
        return origin.folder
    with input_errors(archive):
        problem = CHECKSUM.problem(archive)
    if problem:
        raise InputError(problem, where=archive, fix="unpack it and name the folder of its files")
    return archive
