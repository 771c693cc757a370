"""Graded candidates from BioNLP-ST event annotations (``.txt``, ``.a1``, ``.a2``).

Two proteins of one sentence are a candidate of their document. Its grade is 2 if an event has one
of them as Theme and the other as Cause, or both as Themes of a Binding, where a nested event stands
for the proteins that are its Themes; 1 if every such event is negated or speculated; else 0.

References
----------
J.-D. Kim, Y. Wang, T. Takagi, A. Yonezawa. Overview of Genia event task in BioNLP Shared Task 2011.
BioNLP Shared Task 2011 Workshop, 7-15.
"""

import re
import tarfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations, product
from pathlib import Path, PurePosixPath
from typing import Final

from relsent_ir.errors import InputError
from relsent_ir.files import input_errors
from relsent_ir.records import split_sentences
from relsent_ir.relations.candidates import Candidate
from relsent_ir.text.tokens import Span

_ROLE: Final = re.compile(r"(Theme|Cause)\d*")
_PARTS: Final = (".txt", ".a1", ".a2")


@dataclass
class Annotated:
    """One document with its annotations.

    Attributes
    ----------
    name : str
        The file's name.
    text : str
    proteins : dict of str to Span
    events : dict of str to (str, list of (str, str))
        Type and arguments (role, id).
    hedged : set of str
        Events that are negated or speculated.
    """

    name: str
    text: str
    proteins: dict[str, Span] = field(default_factory=dict)
    events: dict[str, tuple[str, list[tuple[str, str]]]] = field(default_factory=dict)
    hedged: set[str] = field(default_factory=set)


def read_events(path: str | Path, part: str) -> list[Annotated]:
    """Read the documents of one folder of a tar file, sorted by name.

    Parameters
    ----------
    path : str or Path
        The packed corpus.
    part : str
        The folder, such as ``train``.

    Raises
    ------
    InputError
        If the file cannot be read, has no such folder, or an annotation makes no sense.
    """
    files: dict[str, dict[str, str]] = {}
    with input_errors(path):
        try:
            with tarfile.open(path) as packed:
                for member in packed:
                    name = PurePosixPath(member.name)
                    if member.isfile() and name.parent.name == part and name.suffix in _PARTS:
                        content = packed.extractfile(member)
                        assert content
                        files.setdefault(name.stem, {})[name.suffix] = content.read().decode()
        except (tarfile.TarError, UnicodeDecodeError) as error:
            raise InputError(f"this is no corpus of events ({error})", where=path) from error
    if not files:
        raise InputError(f"holds no folder {part!r} with .txt, .a1 and .a2 files", where=path)
    return [_document(path, name, files[name]) for name in sorted(files)]


def read_corpus(path: str | Path, part: str) -> Iterator[Candidate]:
    """Yield the candidates of all documents of a part; errors as of `read_events`."""
    for document in read_events(path, part):
        yield from candidates(document)


def _document(path: str | Path, name: str, parts: Mapping[str, str]) -> Annotated:
    found = Annotated(name, parts.get(".txt", ""))
    for suffix in (".a1", ".a2"):
        for number, line in enumerate(parts.get(suffix, "").splitlines(), 1):
            try:
                _annotation(found, line)
            except (ValueError, IndexError):
                where = f"{path}, {name}{suffix}:{number}"
                raise InputError("this is no annotation", where=where) from None
    return found


def _annotation(document: Annotated, line: str) -> None:
    key, _, rest = line.partition("\t")
    if key.startswith("T"):
        kind, start, end = rest.split("\t")[0].split()
        if kind == "Protein":
            document.proteins[key] = int(start), int(end)
    elif key.startswith("E"):
        head, *arguments = rest.split()
        pairs = [argument.split(":") for argument in arguments]
        document.events[key] = head.split(":")[0], [(role, target) for role, target in pairs]
    elif key.startswith("M"):
        document.hedged.add(rest.split()[1])


def candidates(document: Annotated) -> Iterator[Candidate]:
    """Yield the pairs of proteins of each sentence, graded; the sentence's id has its number."""
    related = _related(document)
    for number, (start, end) in enumerate(_sentences(document.text)):
        inside = sorted(
            (span, key) for key, span in document.proteins.items() if start <= span[0] < end
        )
        for (first, a), (second, b) in combinations(inside, 2):
            yield Candidate(
                document.name,
                f"{document.name}.{number}",
                document.text[start:end],
                (first[0] - start, first[1] - start),
                (second[0] - start, second[1] - start),
                float(related.get(frozenset((a, b)), 0)),
            )


def _sentences(text: str) -> Iterator[Span]:
    at = 0
    for paragraph in text.split("\n"):
        for start, end in split_sentences(paragraph):
            yield at + start, at + end
        at += len(paragraph) + 1


def _related(document: Annotated) -> dict[frozenset[str], int]:
    """Give the grade of each pair of proteins that an event relates."""
    grades: dict[frozenset[str], int] = {}
    for key, (kind, arguments) in document.events.items():
        themes, causes = (
            [_proteins(document, target) for role, target in arguments if _is(role, wanted)]
            for wanted in ("Theme", "Cause")
        )
        joined = list(product(themes, causes))
        if kind == "Binding":
            joined += combinations(themes, 2)
        pairs = {frozenset(pair) for some in joined for pair in product(*some)}
        grade = 1 if key in document.hedged else 2
        for pair in pairs:
            grades[pair] = max(grade, grades.get(pair, 0))
    return grades


def _is(role: str, wanted: str) -> bool:
    found = _ROLE.fullmatch(role)
    return found is not None and found[1] == wanted


def _proteins(document: Annotated, target: str, seen: frozenset[str] = frozenset()) -> set[str]:
    """Resolve an argument: a protein, or the proteins that are the Themes of a nested event."""
    if target in document.proteins:
        return {target}
    if target in seen or target not in document.events:
        return set()
    return {
        protein
        for role, inner in document.events[target][1]
        if _is(role, "Theme")
        for protein in _proteins(document, inner, seen | {target})
    }
