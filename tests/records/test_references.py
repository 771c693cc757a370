"""Records for programs that manage references."""

from relsent_ir.records import Mesh, Record, Section
from relsent_ir.records.references import pmc, to_bibtex, to_ris

FULL = Record(
    "12", "Ants & 5% of {bees}", sections=(Section("Ants run."),), mesh=(Mesh("Ants"),),
    year="2001", journal="J Ants", authors=("Okafor BC", "The Ant Group"), pmid="12",
)  # fmt: skip


def test_ris_and_bibtex():
    """A line a field; TeX's own characters are escaped, also in the key; commas are not doubled."""
    assert to_ris(FULL) == (
        "TY  - JOUR\nAN  - 12\nAU  - Okafor, BC\nAU  - The Ant Group\nTI  - Ants & 5% of {bees}\n"
        "JO  - J Ants\nPY  - 2001\nAB  - Ants run.\nKW  - Ants\n"
        "U1  - record.mesh=Ants\nUR  - https://pubmed.ncbi.nlm.nih.gov/12/\nER  - \n"
    )
    assert to_ris(Record("x")) == "TY  - JOUR\nAN  - x\nER  - \n"
    assert to_bibtex(FULL) == (
        "@article{pmid12,\n  author = {Okafor, BC and The Ant Group},\n  pmid = {12},\n"
        "  title = {Ants \\& 5\\% of \\{bees\\}},\n  abstract = {Ants run.},\n"
        "  journal = {J Ants},\n  year = {2001},\n  mesh = {Ants},\n}\n"
    )
    assert to_bibtex(Record("a b,{1")) == "@article{ida-b--1,\n  recordid = {a b,\\{1},\n}\n"
    record = Record("1", "Ants", authors=("Institute of Ants, AIE", "Okafor B"))
    assert "AU  - Institute of Ants, AIE\nAU  - Okafor, B\n" in to_ris(record)
    assert "author = {Institute of Ants, AIE and Okafor, B}" in to_bibtex(record)


def test_the_full_text() -> None:
    """It is where PubMed Central's id says; what is no such id leads nowhere."""
    known = Record("1", own=(("Arm", "B"), ("pmcid", "PMC012")))
    assert pmc(known) == "https://pmc.ncbi.nlm.nih.gov/articles/PMC012/"
    for own in ((), (("pmcid", "PMC"),), (("pmcid", "PMC1/../2"),), (("Arm", "PMC12"),)):
        assert pmc(Record("1", own=own)) == ""
