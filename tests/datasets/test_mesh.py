"""Synonyms from NLM's files; those here are invented."""

import gzip
from pathlib import Path

import pytest

from relsent_ir.datasets import fetch
from relsent_ir.errors import InputError, MissingError
from relsent_ir.text.names import read_synonyms
from tests.datasets.conftest import Site

HEADER = "#tax_id\tGeneID\tSymbol\tSynonyms\tFull_name_from_nomenclature_authority"
GENES = """
9606\t1\tABC1\tAB-one|QX|SHARED|abc-1\tabc protein 1
9606\t2\tXYZ2\tShared|ABC1|-\t-
9606\t3\t-\tlost\t-
"""


def concept(*terms: str) -> str:
    """Write a concept as MeSH has it, its preferred term first."""
    inside = "".join(f"<Term><String>{term}</String></Term>" for term in terms)
    name = f"<ConceptName><String>{terms[0]}</String></ConceptName>"
    return f"<Concept>{name}<TermList>{inside}</TermList></Concept>"


def descriptors(*concepts: str) -> bytes:
    """Write a descriptor as MeSH has it, gzipped."""
    listed = f"<ConceptList>{''.join(concepts)}</ConceptList>"
    record = f"<DescriptorRecord><DescriptorUI>D1</DescriptorUI>{listed}</DescriptorRecord>"
    return gzip.compress(f"<DescriptorRecordSet>{record}</DescriptorRecordSet>".encode())


MESH = descriptors(
    concept("Odd Fever", "Fever, Odd", "Oddity &amp; Fever", "odd-fever", "Odd  Ague"),
    concept("Mild Odd Fever", "Half Fever"),
)
INFO = gzip.compress((HEADER + GENES).encode())


@pytest.fixture(autouse=True)
def no_data(monkeypatch: pytest.MonkeyPatch) -> None:
    """No folder of data on this machine."""
    monkeypatch.delenv("RELSENT_DATA", raising=False)


def folder(path: Path, **files: bytes) -> Path:
    """Write a folder of original files; of a name only what is before the underscore counts."""
    path.mkdir()
    for name, content in files.items():
        (path / f"{name.replace('__', '.')}.gz").write_bytes(content)
    return path


def test_from_a_mirror(tmp_path: Path, site: Site) -> None:
    """The newest year's descriptors and the genes, once; two columns that relate reads."""
    site.pages["/"] = b'<a href="desc2024.gz">desc2024.gz</a> <a href="desc2025.gz">desc2025.gz</a>'
    site.pages["/desc2025.gz"] = MESH
    site.pages["/Homo_sapiens.gene_info.gz"] = INFO
    for new in (2, 0):
        fetched = fetch("mesh", url=site.url, output=tmp_path)
        assert (fetched.new, fetched.folder) == (new, tmp_path / "synonyms")
    mesh, genes = fetched.files
    assert mesh.read_text().splitlines() == [
        "Odd Fever\tOddity & Fever",
        "Odd Fever\tOdd Ague",
        "Mild Odd Fever\tHalf Fever",
    ]
    assert genes.read_text().splitlines() == ["ABC1\tAB-one", "ABC1\tabc protein 1"]
    known = read_synonyms(mesh, genes)
    assert known["halffever"] == ["Mild Odd Fever", "Half Fever"]
    assert known["abone"] == ["ABC1", "AB-one", "abc protein 1"]


def test_trees(tmp_path: Path) -> None:
    """Where descriptors have places in the trees, these are a file of their own."""
    places = "".join(f"<TreeNumber>{n}</TreeNumber>" for n in ("C01.2", "F03"))
    record = (
        "<DescriptorRecord><DescriptorName><String>Odd  Fever</String></DescriptorName>"
        f"<TreeNumberList>{places}</TreeNumberList>"
        f"<ConceptList>{concept('Odd Fever', 'Odd Ague')}</ConceptList></DescriptorRecord>"
    )
    content = gzip.compress(f"<DescriptorRecordSet>{record}</DescriptorRecordSet>".encode())
    source = folder(tmp_path / "from", desc2025=content)
    names, trees = fetch("mesh", source=source, output=tmp_path).files
    assert (names.name, trees.name) == ("mesh.tsv", "mesh-trees.tsv")
    assert trees.read_text() == "Odd Fever\tC01.2\nOdd Fever\tF03\n"


def test_from_a_folder(tmp_path: Path) -> None:
    """One of the two is enough; the newest of several years is taken."""
    source = folder(tmp_path / "a", desc2024=b"", desc2025=MESH)
    (path,) = fetch("mesh", source=source, output=tmp_path).files
    assert path.name == "mesh.tsv"
    source = folder(tmp_path / "b", Homo_sapiens__gene_info=INFO)
    (path,) = fetch("mesh", source=source, output=tmp_path).files
    assert path.name == "genes.tsv"


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("other", MESH, "neither desc2026.gz"),
        ("desc2025", MESH[:-20], "cannot be unpacked to its end"),
        ("desc2025", b"plain", "cannot be unpacked to its end"),
        ("desc2025", gzip.compress(b"no xml"), "malformed|no XML|well-formed|not"),
        ("desc2025", gzip.compress(b"<a/>"), "no descriptor in it"),
        ("Homo_sapiens__gene_info", gzip.compress(b"#Symbol\tb\n"), "no column Synonyms"),
        ("Homo_sapiens__gene_info", gzip.compress(f"{HEADER}\n1\t2\n".encode()), "2 columns, 5"),
        ("Homo_sapiens__gene_info", gzip.compress(HEADER.encode()), "no gene in it"),
    ],
)
def test_faults(tmp_path: Path, name: str, content: bytes, problem: str) -> None:
    """What is missing, cut or something else is named, in one line."""
    source = folder(tmp_path / "from", **{name: content})
    with pytest.raises(InputError, match=problem) as caught:
        fetch("mesh", source=source, output=tmp_path)
    assert "\n" not in str(caught.value)
    assert not list(tmp_path.glob("synonyms/*"))


def test_nothing_listed(tmp_path: Path, site: Site) -> None:
    """A mirror without descriptors, and a folder that is not there."""
    site.pages["/"] = b"nothing"
    with pytest.raises(MissingError, match="no files such as desc2026"):
        fetch("mesh", url=site.url, output=tmp_path)
    with pytest.raises(InputError, match="no such folder"):
        fetch("mesh", source=tmp_path / "none", output=tmp_path)
