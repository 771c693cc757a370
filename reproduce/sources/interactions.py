"""Corpora of relations in the form of their readers: BioNLP-ST events, DDI 2013 drugs, PPR plants.

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
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path, PurePosixPath
from typing import Any

from lxml import etree

from relsent_ir.errors import InputError
from relsent_ir.files import atomic_bytes, open_text
from reproduce.sources.members import members

_EVENTS = (".txt", ".a1", ".a2")


def build_events(archive: Path, folder: Path) -> None:
    """Pack the parts train and devel of BioNLP-ST 2011 GE from its repository's archive.

    Raises
    ------
    InputError
        If the archive is damaged, or has none of them.
    """
    files: dict[str, bytes] = {}
    for name, content in members(archive):
        inside = PurePosixPath(name)
        if inside.suffix in _EVENTS and inside.parent.name in ("train", "devel"):
            files[f"{inside.parent.name}/{inside.name}"] = content
    if not files:
        raise InputError("there are no documents of train or devel in it", where=archive)
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as tar:
        for name in sorted(files):
            member = tarfile.TarInfo(name)
            member.size = len(files[name])
            tar.addfile(member, io.BytesIO(files[name]))
    _write(folder, "bionlp-st-2011-ge.tar.gz", packed.getvalue())


def build_drugs(archive: Path, folder: Path) -> None:
    """Write the candidates of the DDI corpus's training part from its archive.

    Raises
    ------
    InputError
        If the archive is damaged, or has no document of the part.
    """
    lines = [
        line
        for name, content in members(archive)
        if name.endswith(".xml") and "Train" in PurePosixPath(name).parts
        for line in _pairs(etree.fromstring(content, etree.XMLParser(resolve_entities=False)))
    ]
    if not lines:
        raise InputError("there is no pair of Train in it", where=archive)
    _write(folder, "ddi-2013/train.jsonl.gz", "".join(lines).encode())


def build_plants(corpus: Path, folder: Path) -> None:
    """Write the candidates of the PPR corpus's training part: each plant with each phenotype.

    Raises
    ------
    InputError
        If a line has another form; names the line.
    """
    candidates: list[str] = []
    name = text = ""
    spans: dict[str, list[tuple[int, int]]] = {"Plant": [], "phenotype": []}
    related: set[frozenset[tuple[int, int]]] = set()
    with open_text(corpus) as lines:
        for number, line in enumerate([*lines, "\n"], 1):
            parts = line.rstrip("\n").split("\t")
            try:
                if parts == [""]:
                    candidates += _plants(name, text, spans, related)
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
    _write(folder, "ppr/train.jsonl.gz", "".join(candidates).encode())


def _plants(
    name: str,
    text: str,
    spans: Mapping[str, Sequence[tuple[int, int]]],
    related: Collection[frozenset[tuple[int, int]]],
) -> Iterator[str]:
    for plant, phenotype in product(spans["Plant"], spans["phenotype"]):
        stated = frozenset((plant, phenotype)) in related
        yield _line(name.rpartition("_")[0], name, text, (plant, phenotype), stated)


def _line(
    group: str | None, name: str | None, text: str | None, spans: Sequence[Any], related: bool
) -> str:
    values = {"group": group, "id": name, "text": text, "e1": spans[0], "e2": spans[1]}
    return json.dumps({**values, "grade": 2 * related}, ensure_ascii=False) + "\n"


def _write(folder: Path, name: str, content: bytes) -> None:
    with atomic_bytes(folder / "originals" / "relations" / name) as file:
        file.write(gzip.compress(content, mtime=0))


def _pairs(document: etree._Element) -> Iterator[str]:
    """Yield the pairs of a document; the first piece stands for a name in several pieces."""
    for sentence in document.iter("sentence"):
        spans = {}
        for entity in sentence.iter("entity"):
            first, _, last = entity.get("charOffset", "").partition(";")[0].partition("-")
            spans[entity.get("id")] = [int(first), int(last) + 1]
        for pair in sentence.iter("pair"):
            both = spans[pair.get("e1")], spans[pair.get("e2")]
            ids = document.get("id"), sentence.get("id")
            yield _line(*ids, sentence.get("text"), both, pair.get("ddi") == "true")
