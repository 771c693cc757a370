"""Corpora of relations as their readers take them: BioNLP-ST's events, the drugs of DDI 2013.

References
----------
M. Herrero-Zazo, I. Segura-Bedmar, P. Martínez, T. Declerck. The DDI corpus. Journal of Biomedical
Informatics 46, 2013, 914-920.
"""

import gzip
import io
import json
import tarfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from lxml import etree

from relsent_ir.errors import InputError
from relsent_ir.files import atomic_bytes
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
    path = folder / "originals" / "relations" / "ddi-2013" / "train.jsonl.gz"
    with atomic_bytes(path) as file:
        file.write(gzip.compress("".join(found).encode(), mtime=0))


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
