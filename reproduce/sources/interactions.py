"""Corpora of relations as their readers take them: events of BioNLP-ST, drugs of DDI 2013, plants.

References
----------
M. Herrero-Zazo, I. Segura-Bedmar, P. Martínez, T. Declerck. The DDI corpus. Journal of Biomedical
Informatics 46, 2013, 914-920.
H. Cho, B. Kim, W. Choi, D. Lee, H. Lee. Plant phenotype relationship corpus for biomedical
relationships between plants and phenotypes. Scientific Data 9:235, 2022.
"""

import gzip
import io
import json
import tarfile
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path, PurePosixPath

from lxml import etree

from relsent_ir.errors import InputError
from relsent_ir.files import atomic_bytes, open_text
from reproduce.sources.members import members

_EVENTS = (".txt", ".a1", ".a2")


def build_events(archive: Path, folder: Path) -> None:
    """Pack the parts train and devel of BioNLP-ST 2011 GE, out of its repository's archive.

    Raises
    ------
    InputError
        If the archive is damaged, or has none of them.
    """
    kept: dict[str, bytes] = {}
    for name, content in members(archive):
        inside = PurePosixPath(name)
        if inside.suffix in _EVENTS and inside.parent.name in ("train", "devel"):
            kept[f"{inside.parent.name}/{inside.name}"] = content
    if not kept:
        raise InputError("there are no documents of train or devel in it", where=archive)
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as tar:
        for name in sorted(kept):
            member = tarfile.TarInfo(name)
            member.size = len(kept[name])
            tar.addfile(member, io.BytesIO(kept[name]))
    path = folder / "originals" / "relations" / "bionlp-st-2011-ge.tar.gz"
    with atomic_bytes(path) as file:
        file.write(gzip.compress(packed.getvalue(), mtime=0))


def build_drugs(archive: Path, folder: Path) -> None:
    """Write the candidates of the DDI corpus's training part, out of its archive.

    Raises
    ------
    InputError
        If the archive is damaged, or has no document of the part.
    """
    found = [
        line
        for name, content in members(archive)
        if name.endswith(".xml") and "Train" in PurePosixPath(name).parts
        for line in _pairs(etree.fromstring(content, etree.XMLParser(resolve_entities=False)))
    ]
    if not found:
        raise InputError("there is no pair of Train in it", where=archive)
    _write(folder, "ddi-2013", found)


def build_plants(corpus: Path, folder: Path) -> None:
    """Write the candidates of the PPR corpus's training part: each plant with each phenotype.

    Raises
    ------
    InputError
        If a line is of another form; with the line.
    """
    found: list[str] = []
    name = text = ""
    spans: dict[str, list[tuple[int, int]]] = {"Plant": [], "phenotype": []}
    related: set[frozenset[tuple[int, int]]] = set()
    with open_text(corpus) as lines:
        for number, line in enumerate([*lines, "\n"], 1):
            parts = line.rstrip("\n").split("\t")
            try:
                if parts == [""]:
                    found += _plants(name, text, spans, related)
                    spans, related = {"Plant": [], "phenotype": []}, set()
                elif len(parts) == 2:
                    name, text = parts
                elif len(parts) == 5:
                    kind = parts[4].rpartition("_")[2]
                    spans[kind].append((int(parts[1]), int(parts[2])))
                else:
                    first, second = map(int, parts[2:4]), map(int, parts[6:8])
                    related.add(frozenset((tuple(first), tuple(second))))  # type: ignore[arg-type]
            except (KeyError, ValueError):
                where = f"{corpus}:{number}"
                raise InputError("no sentence, name or relation", where=where) from None
    _write(folder, "ppr", found)


def _plants(
    name: str,
    text: str,
    spans: Mapping[str, Sequence[tuple[int, int]]],
    related: Collection[frozenset[tuple[int, int]]],
) -> Iterator[str]:
    for plant, phenotype in product(spans["Plant"], spans["phenotype"]):
        values = {
            "group": name.rpartition("_")[0],
            "id": name,
            "text": text,
            "e1": plant,
            "e2": phenotype,
            "grade": 2 * (frozenset((plant, phenotype)) in related),
        }
        yield json.dumps(values, ensure_ascii=False) + "\n"


def _write(folder: Path, corpus: str, lines: Iterable[str]) -> None:
    path = folder / "originals" / "relations" / corpus / "train.jsonl.gz"
    with atomic_bytes(path) as file:
        file.write(gzip.compress("".join(lines).encode(), mtime=0))


def _pairs(document: etree._Element) -> Iterator[str]:
    """Yield the pairs of a document; of a name in several pieces the first stands for it."""
    for sentence in document.iter("sentence"):
        spans = {}
        for entity in sentence.iter("entity"):
            first, _, last = entity.get("charOffset", "").partition(";")[0].partition("-")
            spans[entity.get("id")] = [int(first), int(last) + 1]
        for pair in sentence.iter("pair"):
            values = {
                "group": document.get("id"),
                "id": sentence.get("id"),
                "text": sentence.get("text"),
                "e1": spans[pair.get("e1")],
                "e2": spans[pair.get("e2")],
                "grade": 2 * (pair.get("ddi") == "true"),
            }
            yield json.dumps(values, ensure_ascii=False) + "\n"
