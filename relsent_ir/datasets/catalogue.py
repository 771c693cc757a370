"""The collections that `fetch` knows, the result of a fetch, and the places of files."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from relsent_ir.trec import Qrels


@dataclass(frozen=True, slots=True)
class Dataset:
    """A collection of MEDLINE records, which may have topics and judgements.

    Attributes
    ----------
    name : str
        The name that `fetch` accepts.
    content, size, licence : str
        Descriptions for users; the licence as stated by the source.
    web : str
        The URL of the folder from which it is fetched.
    """

    name: str
    content: str
    size: str
    web: str
    licence: str


@dataclass(frozen=True, slots=True)
class Fetched:
    """The result of a fetch.

    Attributes
    ----------
    name : str
        The name of the collection.
    folder : Path
        The folder that has only files of records, for ``index --input``.
    files : tuple of Path
        The files with records.
    new : int
        Number of these files that are new or have changed.
    topics, qrels : dict from Path to int
        The files of topics and judgements in TREC formats, each with its number of entries.
    note : str
        Changes since the last fetch of a query: new, revised and withdrawn records.
    """

    name: str
    folder: Path
    files: tuple[Path, ...]
    new: int
    topics: dict[Path, int]
    qrels: dict[Path, int]
    note: str = ""


def write_judged(
    output: Path, name: str, topics: dict[str, str], qrels: "Qrels"
) -> tuple[dict[Path, int], dict[Path, int]]:
    """Write topics and qrels, if there are any; return the files in the form of `Fetched`."""
    from relsent_ir.trec import write_qrels, write_topics

    texts, judged = output / "topics" / f"{name}.tsv", output / "qrels" / f"{name}.txt"
    if topics:
        write_topics(texts, topics)
    if qrels:
        write_qrels(judged, qrels)
    count = sum(map(len, qrels.values()))
    return {texts: len(topics)} if topics else {}, {judged: count} if qrels else {}


COLLECTIONS = {
    collection.name: collection
    for collection in (
        Dataset(
            name="cystic-fibrosis",
            content="1,239 MEDLINE records of 1974-79, 100 topics judged by four readers",
            size="5 MB",
            web="https://raw.githubusercontent.com/brse01/information-retrieval/"
            "80f3552231f437e367c39c6d7ab930a361703417/cfc/",
            licence="none stated; its copyright note says 1989, a small subset of MEDLINE",
        ),
        Dataset(
            name="ohsumed",
            content="348,566 MEDLINE records of 1987-91, 63 + 43 topics, as TREC-9 used them",
            size="139 MB, 400 MB unpacked",
            web="https://trec.nist.gov/data/filtering/",
            licence="for experiments only, not for clinical use; tell users that the data is "
            "incomplete and out of date",
        ),
        Dataset(
            name="pubmed",
            content="the records of a --query or of --pmids; or the two below in one folder: all "
            "of PubMed, up to today",
            size="20 to 100 MB a file, over 1,300 files",
            web="https://ftp.ncbi.nlm.nih.gov/pubmed/",
            licence="NLM's terms and conditions; abstracts may be protected by copyright",
        ),
        Dataset(
            name="pubmed-baseline",
            content="all of PubMed as of last December, in numbered XML files",
            size="20 to 70 MB a file, over 1,300 files",
            web="https://ftp.ncbi.nlm.nih.gov/pubmed/baseline/",
            licence="NLM's terms and conditions; abstracts may be protected by copyright",
        ),
        Dataset(
            name="pubmed-updates",
            content="new, revised and deleted PubMed records since then, one file or more a day",
            size="up to 100 MB a file",
            web="https://ftp.ncbi.nlm.nih.gov/pubmed/updatefiles/",
            licence="NLM's terms and conditions; abstracts may be protected by copyright",
        ),
        Dataset(
            name="europe-pmc",
            content="the records of a --query of Europe PMC",
            size="some 5 kB a record",
            web="https://www.ebi.ac.uk/europepmc/webservices/rest/",
            licence="Europe PMC's terms; abstracts may be protected by copyright",
        ),
        Dataset(
            name="stop-lists",
            content="the SMART system's 571 stop words, which ruch-2006 needs",
            size="4 kB",
            web="https://raw.githubusercontent.com/igorbrigadir/stopwords/"
            "ab85d86c3fac0360020a921b91ccf9d697b54757/en/",
            licence="none stated; the list is public",
        ),
        Dataset(
            name="mesh",
            content="synonyms for relate: MeSH's descriptors, NCBI's list of human genes",
            size="17 MB and 4 MB",
            web="https://nlmpubs.nlm.nih.gov/projects/mesh/MESH_FILES/xmlmesh/",
            licence="NLM's terms and conditions: say that they are the source, and of which year",
        ),
        *(
            Dataset(
                name=f"beir:{name}",
                content=f"{content}, as BEIR has it",
                size=size,
                web="https://public.ukp.informatik.tu-darmstadt.de/thakur/BEIR/datasets/",
                licence=licence,
            )
            for name, content, size, licence in (
                ("nfcorpus", "3,633 records, 323 test topics", "2 MB", "for academic use"),
                (
                    "scifact",
                    "5,183 abstracts, 300 claims to test",
                    "3 MB",
                    "claims CC BY 4.0, abstracts ODC-By 1.0",
                ),
                ("trec-covid", "171,332 abstracts, 50 topics", "74 MB", "as CORD-19 states it"),
            )
        ),
        Dataset(
            name="sample",
            content="58 invented records and 8 topics, for a first try",
            size="0.2 MB",
            web="comes with the package",
            licence="Apache License 2.0",
        ),
    )
}
