"""Graded candidates from BioNLP-ST event annotations (``.txt``, ``.a1``, ``.a2``).

Two proteins of one sentence are a candidate of their document. Its grade is 2 if an event has one
of them as Theme and the other as Cause, or both as Themes of a Binding, where a nested event stands
for the proteins that are its Themes; 1 if every such event is negated or speculated; else 0.
How the sentence states a relation (`Stated`) comes from the same events.

`PLACES` are corpora that `train relations` knows by name; `licence` has what their licences ask.

References
----------
J.-D. Kim, Y. Wang, T. Takagi, A. Yonezawa. Overview of Genia event task in BioNLP Shared Task 2011.
BioNLP Shared Task 2011 Workshop, 7-15.
"""

import re
import tarfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from itertools import combinations, product
from pathlib import Path, PurePosixPath
from typing import Final

from relsent_ir.errors import InputError
from relsent_ir.files import LARGEST_TEXT, open_bytes
from relsent_ir.records import split_sentences
from relsent_ir.relations.candidates import Candidate, read_candidates
from relsent_ir.text.tokens import Span

_ROLE: Final = re.compile(r"(Theme|Cause)\d*")
_PARTS: Final = (".txt", ".a1", ".a2")
_POLARITY: Final = {
    "Positive_regulation": "increases",
    "Negative_regulation": "decreases",
    "Binding": "binds",
}


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
    modifiers : dict of str to set of str
        Of events: Negation, Speculation.
    """

    name: str
    text: str
    proteins: dict[str, Span] = field(default_factory=dict)
    events: dict[str, tuple[str, list[tuple[str, str]]]] = field(default_factory=dict)
    modifiers: dict[str, set[str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Stated:
    """A candidate whose proteins are related, and how the sentence says so.

    Attributes
    ----------
    candidate : Candidate
        Its `e1` comes first in the text.
    status : str
        asserted, if any event of the two is neither negated nor speculated; else negated, if any
        is negated; else speculated.
    polarity : str
        increases, decreases or binds, if all events of the two are of this type; else "".
    agent : int or None
        Which entity is the Cause: 0 the first, 1 the second, None where there is none or both are.
    """

    candidate: Candidate
    status: str
    polarity: str
    agent: int | None


@dataclass(frozen=True, slots=True)
class _Link:
    """An event that relates two proteins: its type, its modifiers, and the protein that causes."""

    kind: str
    modifiers: frozenset[str]
    cause: str | None


def read_events(path: str | Path, part: str) -> list[Annotated]:
    """Read the documents of one folder of a tar file, sorted by name.

    Parameters
    ----------
    path : str or Path
        The packed corpus: a tar file, gzipped or not.
    part : str
        The folder, such as ``train``.

    Raises
    ------
    InputError
        If the file cannot be read, has no such folder, or an annotation makes no sense.
    """
    files: dict[str, dict[str, str]] = {}
    with open_bytes(path, most=LARGEST_TEXT) as file:
        try:
            with tarfile.open(fileobj=file, mode="r|") as packed:
                for member in packed:
                    name = PurePosixPath(member.name)
                    if member.isfile() and name.parent.name == part and name.suffix in _PARTS:
                        if member.size > LARGEST_TEXT:  # sparse, it need not be in the file
                            raise InputError(f"{member.name} is too large", where=path)
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
    document = Annotated(name, parts.get(".txt", ""))
    for suffix in (".a1", ".a2"):
        for number, line in enumerate(parts.get(suffix, "").splitlines(), 1):
            try:
                _annotation(document, line)
            except (ValueError, IndexError):
                where = f"{path}, {name}{suffix}:{number}"
                raise InputError("this is no annotation", where=where) from None
    return document


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
        kind, event = rest.split()
        document.modifiers.setdefault(event, set()).add(kind)


def read_statements(path: str | Path, part: str, *, unrelated: int = 0) -> Iterator[Stated]:
    """Yield how the sentences of a part state their relations; errors as of `read_events`.

    Of the pairs that no event relates, each `unrelated`-th comes too, without status.
    """
    others = 0
    for document in read_events(path, part):
        links = _links(document)
        for candidate, pair in _pairs(document, links):
            if own := links.get(frozenset(pair)):
                yield _stated(candidate, pair, own)
            elif unrelated:
                others += 1
                if others % unrelated == 0:
                    yield Stated(candidate, "", "", None)


UNRELATED: Final = 4
"""Of so many pairs of proteins that no event relates one teaches what states nothing."""


def candidates(document: Annotated) -> Iterator[Candidate]:
    """Yield the pairs of proteins of each sentence, graded; the sentence's id has its number."""
    return (candidate for candidate, _ in _pairs(document, _links(document)))


def _pairs(
    document: Annotated, links: Mapping[frozenset[str], Sequence[_Link]]
) -> Iterator[tuple[Candidate, tuple[str, str]]]:
    """Yield the candidates, each with its proteins in the order of the text."""
    for number, (start, end) in enumerate(_sentences(document.text)):
        inside = sorted(
            (span, key) for key, span in document.proteins.items() if start <= span[0] < end
        )
        for (first, a), (second, b) in combinations(inside, 2):
            own = links.get(frozenset((a, b)), ())
            candidate = Candidate(
                document.name,
                f"{document.name}.{number}",
                document.text[start:end],
                (first[0] - start, first[1] - start),
                (second[0] - start, second[1] - start),
                float(max((1 if link.modifiers else 2 for link in own), default=0)),
            )
            yield candidate, (a, b)


def _stated(candidate: Candidate, pair: tuple[str, str], links: Sequence[_Link]) -> Stated:
    modifiers = [link.modifiers for link in links]
    if not all(modifiers):
        status = "asserted"
    else:
        status = "negated" if any("Negation" in kinds for kinds in modifiers) else "speculated"
    polarities = {_POLARITY.get(link.kind, "") for link in links}
    causes = {link.cause for link in links if link.cause}
    return Stated(
        candidate,
        status,
        polarities.pop() if len(polarities) == 1 else "",
        pair.index(causes.pop()) if len(causes) == 1 else None,
    )


def _sentences(text: str) -> Iterator[Span]:
    at = 0
    for paragraph in text.split("\n"):
        for start, end in split_sentences(paragraph):
            yield at + start, at + end
        at += len(paragraph) + 1


def _links(document: Annotated) -> dict[frozenset[str], list[_Link]]:
    """Return the events that relate each pair of proteins."""
    links: dict[frozenset[str], list[_Link]] = {}
    for key, (kind, arguments) in document.events.items():
        themes, causes = (
            [_proteins(document, target) for role, target in arguments if _is(role, wanted)]
            for wanted in ("Theme", "Cause")
        )
        modifiers = frozenset(document.modifiers.get(key, ()))
        found: list[tuple[str, str, str | None]] = [
            (one, other, one)
            for cause, theme in product(causes, themes)
            for one, other in product(cause, theme)
        ]
        if kind == "Binding":
            found += [
                (one, other, None)
                for pair in combinations(themes, 2)
                for one, other in product(*pair)
            ]
        for one, other, cause in found:
            links.setdefault(frozenset((one, other)), []).append(_Link(kind, modifiers, cause))
    return links


def _is(role: str, wanted: str) -> bool:
    match = _ROLE.fullmatch(role)
    return match is not None and match[1] == wanted


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


PLACES: Final = {
    "ge": ("relations", "bionlp-st-2011-ge.tar.gz"),
    "ddi": ("relations", "ddi-2013", "train.jsonl.gz"),
}
"""Where the folder of data has them: events of BioNLP-ST 2011 GE, and drug interactions."""

SHARES: Final = {"ge": 1.0, "ddi": 0.35}
"""What they weigh in the package's ranker, by cross-validation inside each: the events gain 0.1
points over events alone (84.95 of pairs in the right order), the drugs 12 (84.2, means of
documents). More of the drugs costs the events."""


def read_named(corpus: str, path: Path) -> Iterator[Candidate]:
    """Yield the candidates of a corpus's training part, by its name among `PLACES`."""
    if corpus == "ge":
        return read_corpus(path, "train")
    return read_candidates(path, graded=True)


def licence(corpora: Sequence[str]) -> str:
    """Return the text that goes beside weights learned from corpora; "" if it needs none."""
    folder = files("relsent_ir") / "relations" / "licences"
    parts = [(folder / f"{name}.txt").read_text(encoding="utf-8") for name in corpora]
    common = (folder / "common.txt").read_text(encoding="utf-8")
    return "\n".join([*parts, common]) if parts else ""
