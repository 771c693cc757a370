"""Synonyms: MeSH's descriptors and NCBI's list of human genes, as published by NLM.

Each becomes a file of two columns, a name and a synonym; a second file of the descriptors has the
places of each heading in MeSH's trees.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from relsent_ir.datasets.catalogue import COLLECTIONS, Fetched
from relsent_ir.datasets.download import Gzipped, Origin, part_of
from relsent_ir.datasets.web import get
from relsent_ir.errors import InputError, MissingError
from relsent_ir.files import atomic_writer, input_errors, open_text
from relsent_ir.records.pubmed_fields import text_of
from relsent_ir.records.pubmed_xml import elements
from relsent_ir.text.names import FOLDER, MESH, TREES, normal_form
from relsent_ir.typing import Progress

NAME: Final = "mesh"
DESCRIPTORS: Final = re.compile(r"\bdesc(\d{4})\.gz\b")
GENES: Final = "Homo_sapiens.gene_info.gz"
GENE_INFO: Final = "https://ftp.ncbi.nlm.nih.gov/gene/DATA/GENE_INFO/Mammalia/"
COLUMNS: Final = ("Symbol", "Synonyms", "Full_name_from_nomenclature_authority")
LEAST: Final = 3
"""Synonyms of genes with fewer letters and digits are left out, as they are too ambiguous."""

Synonym = tuple[str, str]


def fetch(origin: Origin, output: Path, tick: Progress) -> Fetched:
    """Fetch the newest descriptors and the list of genes, and write their synonyms.

    A local folder needs only one of the two.

    Raises
    ------
    InputError
        If a folder has neither, or a file has an unexpected content.
    MissingError
        If the web server cannot be reached, or lists no descriptors.
    """
    originals = output / "collections" / "originals" / NAME
    written: list[Path] = []
    new = done = 0
    for part, name in _names(origin):
        path = originals / name
        new += part.bring(name, path, Gzipped(), part_of(tick, done, None))
        done += path.stat().st_size
        tick(done, None)
        rows = {"genes.tsv": read_genes} if name == GENES else _OF_DESCRIPTORS
        for target, read in rows.items():
            if lines := [f"{one}\t{other}\n" for one, other in read(path)]:
                with atomic_writer(output / FOLDER / target) as file:
                    file.writelines(lines)
                written.append(output / FOLDER / target)
    return Fetched(NAME, output / FOLDER, tuple(written), new, {}, {})


def _names(origin: Origin) -> list[tuple[Origin, str]]:
    """Return the files that exist, with their places."""
    if origin.folder is not None:
        with input_errors(origin.folder):
            listed = sorted(path.name for path in origin.folder.iterdir())
        years = [name for name in listed if DESCRIPTORS.fullmatch(name)]
        names = [*years[-1:], *(name for name in listed if name == GENES)]
        if not names:
            raise InputError(
                f"there is neither desc2026.gz, of some year, nor {GENES}", where=origin.folder
            )
        return [(origin, name) for name in names]
    years = [match[0] for match in DESCRIPTORS.finditer(get(origin.web).decode("latin-1"))]
    if not years:
        raise MissingError(
            "there are no files such as desc2026.gz",
            where=origin.web,
            fix="name another folder with --url",
        )
    mirrored = origin.web != COLLECTIONS[NAME].web
    return [(origin, max(years)), (origin if mirrored else Origin(GENE_INFO), GENES)]


def read_descriptors(path: Path) -> Iterator[Synonym]:
    """Yield the preferred term of each concept with its other terms.

    The further concepts of a descriptor are narrower or only related, so each is listed by itself.
    Inverted terms ("Neoplasms, Breast") are left out.

    Raises
    ------
    InputError
        If the file is not MeSH's XML, or has no synonyms.
    """
    count = 0
    for record in elements(path, ("DescriptorRecord",)):
        for concept in record.iterfind("ConceptList/Concept"):
            names = [_clean(text_of(e)) for e in concept.iterfind("TermList/Term/String")]
            preferred = _clean(" ".join(map(text_of, concept.iterfind("ConceptName/String"))))
            for name in dict.fromkeys(names):
                if name != preferred and ", " not in name and _is_other(preferred, name):
                    count += 1
                    yield preferred, name
    if not count:
        raise InputError("no descriptor in it has two names", where=path, fix="fetch it from NLM")


def read_trees(path: Path) -> Iterator[Synonym]:
    """Yield each heading with each of its places in the trees."""
    for record in elements(path, ("DescriptorRecord",)):
        heading = _clean(" ".join(map(text_of, record.iterfind("DescriptorName/String"))))
        for place in record.iterfind("TreeNumberList/TreeNumber"):
            yield heading, _clean(text_of(place))


_OF_DESCRIPTORS: Final[dict[str, Callable[[Path], Iterator[Synonym]]]] = {
    MESH: read_descriptors,
    TREES: read_trees,
}


def read_genes(path: Path) -> Iterator[Synonym]:
    """Yield the symbol of each gene with its synonyms and its full name.

    Left out are synonyms that two genes share or that are another gene's symbol, and those shorter
    than `LEAST`.

    Raises
    ------
    InputError
        If the file is not NCBI's list, or has no synonyms.
    """
    genes = list(_genes(path))
    owners = Counter(key for names in genes for key in {normal_form(name) for name in names})
    count = 0
    for symbol, *synonyms in genes:
        for name in dict.fromkeys(synonyms):
            key = normal_form(name)
            if len(key) >= LEAST and owners[key] == 1 and _is_other(symbol, name):
                count += 1
                yield symbol, name
    if not count:
        raise InputError("no gene in it has two names", where=path, fix="fetch it from NCBI")


def _genes(path: Path) -> Iterator[list[str]]:
    """Yield the names of each gene, its symbol first."""
    with open_text(path) as lines:
        header = next(lines, "").lstrip("#").rstrip("\n").split("\t")
        if missing := [name for name in COLUMNS if name not in header]:
            raise InputError(
                f"there is no column {missing[0]}", where=path, fix="fetch it from NCBI"
            )
        places = [header.index(name) for name in COLUMNS]
        for number, line in enumerate(lines, 2):
            cells = line.rstrip("\n").split("\t")
            if len(cells) != len(header):
                raise InputError(
                    f"{len(cells)} columns, {len(header)} in the first line",
                    where=f"{path}:{number}",
                )
            symbol, synonyms, full = (cells[place] for place in places)
            names = map(_clean, (symbol, *synonyms.split("|"), full))
            if normal_form(symbol):
                yield [name for name in names if normal_form(name)]


def _clean(name: str) -> str:
    return " ".join(name.split())


def _is_other(one: str, other: str) -> bool:
    """Return whether two texts are valid names, and not two spellings of one name."""
    first, second = normal_form(one), normal_form(other)
    return bool(first and second) and first != second
