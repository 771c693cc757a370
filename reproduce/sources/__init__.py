"""Fetch the files of experiments from public sources: ``python -m reproduce NAME --fetch``.

Files that are used as published have a checksum, and other content is refused. For files that are
derived from an archive by rules of ours, the output states whether they equal the copy of
docs/results.

References
----------
A. M. Cohen, W. R. Hersh, K. Peterson, P.-Y. Yen. Reducing workload in systematic review preparation
using automated citation classification. JAMIA 13(2), 2006, 206-219.
"""

import csv
import gzip
import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path, PurePosixPath
from typing import Final

from recipes.data import data_path
from relsent_ir.datasets import eutils
from relsent_ir.datasets import fetch as fetch_collection
from relsent_ir.datasets.download import Check, Checksum, Origin, download
from relsent_ir.datasets.web import web_folder
from relsent_ir.errors import InputError, MissingError
from relsent_ir.files import atomic_bytes, open_bytes
from relsent_ir.records import read_records
from relsent_ir.typing import Progress
from reproduce.sources import interactions, mancon, treebank, trials
from reproduce.sources.members import members

GITHUB: Final = "https://codeload.github.com/"
RAW: Final = "https://raw.githubusercontent.com/"
_GENIA: Final = RAW + "allenai/genia-dependency-trees/a155b14b6e852f57cb1c8ef760d3f23a3ea60e6e/"
_DDI: Final = RAW + "isegura/DDICorpus/819b0fa538ed83ab2a8b4f5417bba3c03249b7f3/"
_ABSTRACTS: Final = "abstracts/"
_PPR: Final = RAW + "DMCB-GIST/PPRcorpus/469811ae0f72c26c6b0282e68ea404ccd564398d/"
_REVIEWS: Final = "https://dmice.ohsu.edu/cohenaa/epc-ir-data/epc-ir.clean.tsv"
_RESERVED: Final = "Statins"
"""A drug review that is reserved for tests elsewhere: our copy lacks it."""
_LEAST: Final = 200  # characters of an abstract


class Whole(Check):
    """Checks that an archive without a published sum can be read to its end."""

    def problem(self, path: Path) -> str | None:
        """Return the problem with an archive, or None."""
        try:
            for _ in members(path):
                pass
        except InputError as error:
            return str(error)
        return None


class Reviews(Whole):
    """Checks that a file is the table of drug reviews (Cohen et al. 2006): five columns."""

    def problem(self, path: Path) -> str | None:
        """Return the problem with a table, or None."""
        rows = [line.split("\t") for line in path.read_text("latin-1").splitlines()]
        fine = rows and all(len(row) == 5 and row[2].strip().isdigit() for row in rows)
        return None if fine else "it is no table of topic, number, PMID and two decisions"


class Text(Whole):
    """Checks that a text is a list of PMIDs, or a corpus whose lines begin with one."""

    def problem(self, path: Path) -> str | None:
        """Return the problem with a text, or None."""
        lines = [line for line in path.read_bytes().split(b"\n") if line.strip()]
        fine = lines and all(line[:1].isdigit() for line in lines)
        return None if fine else "its lines do not begin with PMIDs"


@dataclass(frozen=True)
class Archive:
    """The source of derived files.

    Attributes
    ----------
    makes : tuple of str
        The derived files, or their folders, by their names in `reproduce.data.NEEDS`.
    files : dict of str to str
        Addresses by the names of their files below ``collections/originals/sources``.
    build : callable
        Takes the paths of these files, in order, and the folder for the derived ones.
    """

    makes: tuple[str, ...]
    files: dict[str, str]
    build: Callable[..., None]


SOURCES: Final = (
    Archive(
        ("rct/", "answers/answers-"),
        {
            "evidence-inference.tar.gz": f"{GITHUB}jayded/evidence-inference/tar.gz/"
            "b9831b6c59b52ac2d277f757d413ececf0949a8d"
        },
        trials.build,
    ),
    Archive(
        ("genia/",),
        {
            "genia.tar.gz": f"{_GENIA}original_data/genia_treebank_original.tar.gz",
            "train.pmids": f"{_GENIA}mclosky/train.pmids",
            "dev.pmids": f"{_GENIA}mclosky/dev.pmids",
        },
        treebank.build,
    ),
    Archive(
        ("relations/bionlp-st-2011-ge.tar.gz",),
        {
            "bionlp-st-2011-ge.tar.gz": f"{GITHUB}openbiocorpora/bionlp-st-2011-ge/tar.gz/"
            "8d588346aecbaff4d3400e095ba969d697cdb8a7"
        },
        interactions.build_events,
    ),
    Archive(
        ("relations/ddi-2013/",),
        {"DDICorpus-2013.zip": f"{_DDI}DDICorpus-2013.zip"},
        interactions.build_drugs,
    ),
    Archive(
        ("relations/ppr/",),
        {"PPR_train_corpus.txt": f"{_PPR}corpus/PPR_train_corpus.txt"},
        interactions.build_plants,
    ),
)

_FETCHED: Final = {"cystic-fibrosis/": "cystic-fibrosis", "lists/smart-571.txt": "stop-lists"}
"""Files that `relsent-ir fetch` downloads."""


@cache
def _table(name: str) -> list[dict[str, str]]:
    with (files("reproduce.sources") / name).open(encoding="utf-8") as table:
        return list(csv.DictReader(table, delimiter="\t"))


def published() -> dict[str, tuple[Checksum, str]]:
    """Return checksum and address of each file that is used as published."""
    return {
        row["file"]: (Checksum("sha256", row["sha256"], int(row["bytes"])), row["source"])
        for row in _table("published.tsv")
    }


def sums() -> dict[str, str]:
    """Return the checksums of derived files in the copy of docs/results."""
    return {row["file"]: row["sha256"] for row in _table("made.tsv")}


def fetch_files(files: Iterable[str], output: Path, tick: Progress, url: str = "") -> list[str]:
    """Fetch files that experiments read; return a line for each.

    Parameters
    ----------
    files : iterable of str
        Files by their names in `reproduce.data.NEEDS`; existing ones are skipped.
    output : Path
        The folder of ``collections/`` and ``collections/originals/``.
    tick : callable
        Gets the number of bytes, or records, so far.
    url : str, optional
        A folder of the web that has all originals by their names.

    Raises
    ------
    MissingError
        If the web cannot be reached, or there is no public source.
    InputError
        If a file is damaged, or a different one.
    """
    lacking = [path for path in files if not _is_here(path)]
    for path in lacking:
        if not has_source(path):
            fix = "docs/data.md says why"
            raise MissingError("has no source that it can be made of", where=path, fix=fix)
    base = web_folder(url) if url else ""
    collections = output / "collections"
    lines: list[str] = []
    for path in lacking:
        if _is_here(path):  # derived together with an earlier one
            pass
        elif name := next((n for start, n in _FETCHED.items() if path.startswith(start)), ""):
            fetch_collection(name, output=output, url=base or None, tick=tick)
        elif path == mancon.CORPUS:
            mancon.fetch(Origin(base or mancon.WEB), output, tick)
        elif path.startswith(_ABSTRACTS):
            _abstracts(collections, tick, base)
        elif source := next((s for s in SOURCES if path.startswith(s.makes)), None):
            originals = collections / "originals" / "sources"
            for name, address in source.files.items():
                check = Text() if name.endswith((".pmids", ".txt")) else Whole()
                download(base + name if base else address, originals / name, check, tick)
            source.build(*(originals / name for name in source.files), collections)
        for place, (checksum, address) in published().items():
            if place.startswith(path):
                under = collections if path == "pubmed-xml" else collections / "originals"
                named = base + PurePosixPath(place).name if base else address
                download(named, under / place, checksum, tick)
        lines.append(f"{path}: {_described(path)}")
    return lines


def has_source(path: str) -> bool:
    """Tell whether `fetch_files` can fetch a file of `reproduce.data.NEEDS`."""
    starts = (
        *_FETCHED,
        mancon.CORPUS,
        _ABSTRACTS,
        *(start for source in SOURCES for start in source.makes),
    )
    return path.startswith(starts) or any(place.startswith(path) for place in published())


def _is_here(path: str) -> bool:
    try:
        data_path(*path.split("/"))
    except MissingError:
        return False
    return True


def _described(path: str) -> str:
    if path not in sums():
        return "as published"
    if content_sum(data_path(*path.split("/"))) == sums()[path]:
        return "made, the copy of docs/results"
    return "made, another copy than that of docs/results"


def content_sum(path: Path) -> str:
    """Return the checksum of a file's unpacked content; for an archive that of its members."""
    total = hashlib.sha256()
    if path.name.endswith(".tar.gz"):
        events = (".txt", ".a1", ".a2")
        parts = {"/".join(PurePosixPath(name).parts[-2:]): text for name, text in members(path)}
        for name in sorted(name for name in parts if name.endswith(events)):
            total.update(name.encode() + b"\n" + parts[name])
    else:
        with open_bytes(path) as file:
            while block := file.read(1 << 20):
                total.update(block)
    return total.hexdigest()


def pmids() -> list[str]:
    """Return the PMIDs of the abstracts that have them."""
    packed = (files("reproduce.sources") / "pmids.txt.gz").read_bytes()
    return gzip.decompress(packed).decode().split()


def _abstracts(collections: Path, tick: Progress, base: str) -> None:
    """Write the abstracts of the records that have a PMID, in PubMed's present versions.

    Sections are joined without their labels, as in the copy of docs/results. A record's labels are
    the decisions of drug reviews, after the abstract and after the full text.
    """
    originals = collections / "originals"
    fetched = eutils.fetch("pubmed", originals, tick, pmids=pmids(), url=base or None)
    table = originals / "sources" / PurePosixPath(_REVIEWS).name
    download(base + table.name if base else _REVIEWS, table, Reviews(), tick)
    labels: dict[str, list[str]] = {}
    for row in table.read_text("latin-1").splitlines():
        topic, _, pmid, *decisions = (column.strip() for column in row.split("\t"))
        if topic != _RESERVED:
            for stage, decision in zip(("abstract", "included"), decisions, strict=True):
                label = f"Cohen:{topic}:{stage}={int(decision == 'I')}"
                labels.setdefault(pmid, []).append(label)
    with atomic_bytes(collections / "abstracts" / "abstracts.jsonl.gz") as file:
        lines = sorted(line for path in fetched.files for line in _lines(path, labels))
        file.write(gzip.compress("".join(lines).encode(), mtime=0))


def _lines(path: Path, labels: Mapping[str, list[str]]) -> Iterator[str]:
    for record in read_records(path):
        if len(record.abstract) >= _LEAST:
            values = {
                "id": record.id,
                "pmid": record.id,
                "title": record.title,
                "abstract": record.abstract,
                "mesh": [heading.heading for heading in record.mesh],
                "labels": labels.get(record.id, []),
                "source": "pubmed",
            }
            yield json.dumps(values, ensure_ascii=False) + "\n"
