"""A thesaurus: MeSH headings and their synonyms as features, from the files that NLM publishes.

In a descriptor file, XML (``desc2026.xml``, also gzipped) or ASCII (``d2026.bin``), each descriptor
is a concept, and its terms are the phrases that mean it. Without a file, the headings of the
records themselves make a thesaurus without synonyms.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final, cast

from relsent_ir.citation.candidates import bag_vectors
from relsent_ir.errors import InputError
from relsent_ir.feedback import TermMatrix
from relsent_ir.files import open_bytes
from relsent_ir.lucene.analyzers import Analysis
from relsent_ir.records import Record

if TYPE_CHECKING:
    from lxml.etree import _Element

_WORD: Final = re.compile(r"[^\W_]+")
PREFIX: Final = "mesh:"
"""Prefix of a concept's name among the terms of a matrix; no analysed word has a colon."""
_PEEK: Final = 4096

Phrase = tuple[str, ...]


class Thesaurus:
    """Phrases and the concepts that they mean.

    Parameters
    ----------
    terms : iterable of (str, str)
        A concept's name and one of its terms. A term of two concepts means the first. A term with
        one comma, such as "Fibrosis, Cystic", also counts in the order without it.
    """

    def __init__(self, terms: Iterable[tuple[str, str]]) -> None:
        self.phrases: dict[Phrase, str] = {}
        turned = []
        for concept, term in terms:
            self.phrases.setdefault(phrase(term), concept)
            last, comma, first = term.partition(", ")
            if comma and "," not in first:
                turned.append((phrase(f"{first} {last}"), concept))
        for words, concept in turned:
            self.phrases.setdefault(words, concept)
        self.phrases.pop((), None)
        self.longest = max(map(len, self.phrases), default=0)

    @classmethod
    def read(cls, path: str | Path) -> "Thesaurus":
        """Read NLM's file of descriptors, XML or ASCII, gzipped or plain.

        Raises
        ------
        InputError
            If it cannot be read, or holds no descriptor.
        """
        with open_bytes(path) as file:
            xml = file.peek(_PEEK)[:_PEEK].lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<")
            thesaurus = cls(_xml_terms(file, path) if xml else _ascii_terms(file, path))
        if not thesaurus.phrases:
            raise InputError(
                "there are no MeSH descriptors in this file",
                where=path,
                fix="take NLM's desc2026.xml or d2026.bin",
            )
        return thesaurus

    @classmethod
    def of_headings(cls, records: Iterable[Record]) -> "Thesaurus":
        """Make a thesaurus of the MeSH headings of records, each a concept with one term."""
        return cls((mesh.heading, mesh.heading) for record in records for mesh in record.mesh)

    def concepts(self, text: str) -> Counter[str]:
        """Count the concepts that a text names: the longest phrase at each place, left to right."""
        words = phrase(text)
        concepts: Counter[str] = Counter()
        start = 0
        while start < len(words):
            for size in range(min(self.longest, len(words) - start), 0, -1):
                concept = self.phrases.get(words[start : start + size])
                if concept is not None:
                    concepts[concept] += 1
                    start += size
                    break
            else:
                start += 1
        return concepts

    def features(self, record: Record) -> Counter[str]:
        """Count the concepts of a record: those in its title and abstract, and its headings."""
        counts = Counter[str]()
        for text in (record.title, record.vernacular_title, *(s.text for s in record.sections)):
            counts += self.concepts(text)
        headings = (self.phrases.get(phrase(mesh.heading)) for mesh in record.mesh)
        counts.update(concept for concept in headings if concept is not None)
        return counts


@dataclass(frozen=True)
class ConceptAnalysis(Analysis):
    """An analysis that adds the concepts of a text to its terms."""

    thesaurus: Thesaurus

    def terms(self, text: str) -> list[str]:
        """Return the analysed terms of a text, then its concepts."""
        concepts = self.thesaurus.concepts(text).elements()
        return [*super().terms(text), *(PREFIX + name for name in concepts)]


def phrase(text: str) -> Phrase:
    """Return the words of a text, in small letters."""
    return tuple(_WORD.findall(text.lower()))


def with_concepts(matrix: TermMatrix, concepts: Sequence[Counter[str]]) -> TermMatrix:
    """Add the concepts of documents to their terms.

    Parameters
    ----------
    matrix : TermMatrix
        n documents.
    concepts : sequence of Counter, length n
        From `Thesaurus.features`.
    """
    from scipy.sparse import csr_array, hstack

    vectors = bag_vectors(concepts)
    counts = csr_array(hstack([matrix.counts, vectors.counts], format="csr"))
    counts.sort_indices()
    terms = [*matrix.terms, *(PREFIX + name for name in vectors.terms)]
    return TermMatrix(matrix.ids, terms, counts)


def _xml_terms(file: BinaryIO, path: str | Path) -> Iterator[tuple[str, str]]:
    """Read DescriptorRecord elements one by one; no entity is resolved, no DTD is loaded."""
    from lxml import etree

    try:
        for _, element in etree.iterparse(
            file,
            tag="DescriptorRecord",
            resolve_entities=False,
            no_network=True,
            load_dtd=False,
            huge_tree=False,
        ):
            record = cast("_Element", element)
            name = record.findtext("DescriptorName/String")
            if name:
                yield name, name
                terms = record.iterfind("ConceptList/Concept/TermList/Term/String")
                yield from ((name, term.text) for term in terms if term.text)
            parent = record.getparent()
            record.clear()
            if parent is not None:  # free the elements that were read: the file is large
                del parent[: parent.index(record)]
    except etree.XMLSyntaxError as error:
        raise InputError(
            f"no well-formed XML: {error.msg}", where=f"{path}:{error.lineno}"
        ) from error


def _ascii_terms(file: BinaryIO, path: str | Path) -> Iterator[tuple[str, str]]:
    """Read ``MH``, ``PRINT ENTRY`` and ``ENTRY`` lines; an entry ends at its first bar."""
    name = ""
    for number, line in enumerate(file, 1):
        try:
            text = line.decode().strip()
        except UnicodeDecodeError as error:
            raise InputError("not UTF-8", where=f"{path}:{number}") from error
        field, equals, value = text.partition(" = ")
        if text == "*NEWRECORD":
            name = ""
        elif equals and field == "MH":
            name = value
            yield name, name
        elif equals and field in ("ENTRY", "PRINT ENTRY") and name:
            yield name, value.partition("|")[0]
