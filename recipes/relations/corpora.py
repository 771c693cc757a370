"""Graded candidates from BioNLP-ST event annotations (``.txt``, ``.a1``, ``.a2``).

Two proteins of one sentence are a candidate of their document. Its grade is 2 if an event has one
of them as Theme and the other as Cause, or both as Themes of a Binding, where a nested event stands
for the proteins that are its Themes; 1 if every such event is negated or speculated; else 0.
How the sentence states a relation (`Stated`) comes from the same events.

``python -m recipes relations`` knows the corpora of `PLACES` by name; `licence` returns the texts
that their licences require.

References
----------
J.-D. Kim, Y. Wang, T. Takagi, A. Yonezawa. Overview of Genia event task in BioNLP Shared Task 2011.
BioNLP Shared Task 2011 Workshop, 7-15.
"""

import re
import tarfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
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
        The file's stem.
    text : str
    proteins : dict of str to Span
    events : dict of str to (str, list of (str, str))
        Type and arguments (role, id).
    modifiers : dict of str to set of str
        Negation and Speculation, by event.
    """

    name: str
    text: str
    proteins: dict[str, Span] = field(default_factory=dict)
    events: dict[str, tuple[str, list[tuple[str, str]]]] = field(default_factory=dict)
    modifiers: dict[str, set[str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Stated:
    """A candidate whose proteins are related, and how its sentence states that.

    Attributes
    ----------
    candidate : Candidate
        Its `e1` comes first in the text.
    status : str
        asserted, if any event of the two is neither negated nor speculated; else negated, if any
        is negated; else speculated.
    polarity : str
        increases, decreases or binds, if all events of the two have this type; else "".
    agent : int or None
        The entity that is the Cause: 0 the first, 1 the second, None for neither or both.
    """

    candidate: Candidate
    status: str
    polarity: str
    agent: int | None


@dataclass(frozen=True, slots=True)
class _Link:
    """An event that relates two proteins: its type, its modifiers, and the causing protein."""

    kind: str
    modifiers: frozenset[str]
    cause: str | None


def read_events(path: str | Path, part: str) -> list[Annotated]:
    """Read the documents of one folder of a tar file, sorted by name.

    Parameters
    ----------
    path : str or Path
        The packed corpus: a tar file, plain or gzipped.
    part : str
        The folder, such as ``train``.

    Raises
    ------
    InputError
        If the file cannot be read, has no such folder, or holds an invalid annotation.
    """
    files: dict[str, dict[str, str]] = {}
    with open_bytes(path, most=LARGEST_TEXT) as file:
        try:
            with tarfile.open(fileobj=file, mode="r|") as packed:
                for member in packed:
                    name = PurePosixPath(member.name)
                    if member.isfile() and name.parent.name == part and name.suffix in _PARTS:
                        if member.size > LARGEST_TEXT:  # a sparse member can exceed the file
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
    """Yield the candidates of all documents of a part; raise the errors of `read_events`."""
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
    """Yield how the sentences of a part state their relations; raise as `read_events` does.

    Every `unrelated`-th of the pairs that no event relates is yielded too, without a status.
    """
    others = 0
    for document in read_events(path, part):
        links = _links(document)
        for candidate, pair in _pairs(document, links):
            if events := links.get(frozenset(pair)):
                yield _stated(candidate, pair, events)
            elif unrelated:
                others += 1
                if others % unrelated == 0:
                    yield Stated(candidate, "", "", None)


UNRELATED: Final = 4
"""One of so many unrelated pairs of proteins is an example of a sentence that states nothing."""


def candidates(document: Annotated) -> Iterator[Candidate]:
    """Yield the graded pairs of proteins of each sentence; its id ends in the sentence's number."""
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
            events = links.get(frozenset((a, b)), ())
            candidate = Candidate(
                document.name,
                f"{document.name}.{number}",
                document.text[start:end],
                (first[0] - start, first[1] - start),
                (second[0] - start, second[1] - start),
                float(max((1 if link.modifiers else 2 for link in events), default=0)),
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
        related = [(pair, True) for pair in product(causes, themes)]
        related += [(pair, False) for pair in combinations(themes, 2) if kind == "Binding"]
        for pair, caused in related:
            for first, second in product(*pair):
                link = _Link(kind, modifiers, first if caused else None)
                links.setdefault(frozenset((first, second)), []).append(link)
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
"""Their places in the folder of data: events of BioNLP-ST 2011 GE, and drug interactions."""

SHARES: Final = {"ge": 1.0, "ddi": 0.35}
"""Their weights in the packaged ranker, by cross-validation inside each: the events gain 0.1 points
over events alone (84.95 of pairs in the right order), the drugs 12 (84.2, means of documents). A
larger share of the drugs costs the events."""


def read_named(corpus: str, path: Path) -> Iterator[Candidate]:
    """Yield the candidates of a corpus's training part, by its name among `PLACES`."""
    if corpus == "ge":
        return read_corpus(path, "train")
    return read_candidates(path, graded=True)


def licence(corpora: Sequence[str]) -> str:
    """Return the text that must accompany weights learned from corpora; "" if none is needed."""
    folder = Path(__file__).parent / "licences"
    parts = [(folder / f"{name}.txt").read_text(encoding="utf-8") for name in corpora]
    common = (folder / "common.txt").read_text(encoding="utf-8")
    return "\n".join([*parts, common]) if parts else ""
