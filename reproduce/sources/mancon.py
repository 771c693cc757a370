"""ManConCorpus: review questions, each with the abstracts that make a claim about it.

The corpus lists PMIDs of abstracts; the records are fetched from PubMed by NCBI's E-utilities.

References
----------
A. Alamri, M. Stevenson. A corpus of potentially contradictory research claims from cardiovascular
research abstracts. Journal of Biomedical Semantics 7:36, 2016.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from lxml import etree

from relsent_ir.datasets.catalogue import Fetched, write_judged
from relsent_ir.datasets.download import Checksum, Origin, part_of
from relsent_ir.datasets.eutils import EUTILS
from relsent_ir.datasets.web import get
from relsent_ir.errors import InputError
from relsent_ir.files import atomic_bytes, open_bytes
from relsent_ir.records import read_records
from relsent_ir.typing import Progress

NAME: Final = "mancon"
WEB: Final = (
    "https://raw.githubusercontent.com/CoronaWhy/drug-lit-contradictory-claims/"
    "23b585056146509f4024dafc18d19576157038ba/tests/data/resources/"
)
FILE: Final = "sample_mancon_xml.xml"
CORPUS: Final = "answers/mancon.xml"
"""The corpus below the originals, as `reproduce.data.NEEDS` names it."""
SUM = Checksum("sha256", "c6925524b0117e877e64782af048d18a851bf0127361abe29587858238a180f4", 99_375)
BATCH: Final = 100  # PMIDs in a request; a URL of E-utilities can have about 200


def fetch(origin: Origin, output: Path, tick: Progress) -> Fetched:
    """Fetch the corpus and its records; write its questions as topics and its PMIDs as qrels.

    Raises
    ------
    InputError
        If the corpus is not XML, or a file of records has no records, or others than requested.
    """
    folder = output / "collections" / NAME
    corpus = output / "collections" / "originals" / CORPUS
    origin.bring(FILE, corpus, SUM, part_of(tick, 0, None))
    claims = read_claims(corpus)
    pmids = list(dict.fromkeys(pmid for _, pmid in claims))
    new = done = 0
    files = []
    for number, start in enumerate(range(0, len(pmids), BATCH), 1):
        path = folder / f"{NAME}-{number}.xml"
        new += _bring(origin, path, pmids[start : start + BATCH])
        done += path.stat().st_size
        tick(done, None)
        files.append(path)
    topics: dict[str, str] = {}
    qrels: dict[str, dict[str, int]] = {}
    for question, pmid in claims:
        topic = topics.setdefault(question, str(len(topics) + 1))
        qrels.setdefault(topic, {})[pmid] = 1
    texts = {topic: question for question, topic in topics.items()}
    return Fetched(NAME, folder, tuple(files), new, *write_judged(output, NAME, texts, qrels))


def read_claims(path: Path) -> list[tuple[str, str]]:
    """Read the question and the PMID of each claim, in the order of the file."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True)
    try:
        with open_bytes(path) as file:
            claims = list(etree.parse(file, parser).iter("CLAIM"))
    except etree.XMLSyntaxError as error:
        raise InputError(f"no XML ({error})", where=path) from error
    return [(" ".join(c.get("QUESTION", "").split()), c.get("PMID", "").strip()) for c in claims]


def _bring(origin: Origin, path: Path, pmids: Sequence[str]) -> bool:
    """Fetch the records of a request unless they exist."""
    if path.is_file() and not _problem(path, pmids):
        return False
    if origin.folder is not None:
        try:
            content = (origin.folder / path.name).read_bytes()
        except OSError as error:
            raise InputError(
                f"cannot read: {error.strerror or error}",
                where=origin.folder / path.name,
                fix="save there what PubMed gives for these PMIDs as XML",
            ) from error
    else:
        mirrored = origin.web != WEB
        base = origin.web if mirrored else EUTILS
        content = get(f"{base}efetch.fcgi?db=pubmed&retmode=xml&id={','.join(pmids)}")
    with atomic_bytes(path) as file:
        file.write(content)
    if problem := _problem(path, pmids):
        path.unlink()
        raise InputError(problem, where=path, fix="try again later")
    return True


def _problem(path: Path, pmids: Sequence[str]) -> str:
    """Return the problem with a file of records, or ""; PubMed may have fewer than requested."""
    try:
        ids = {record.id for record in read_records(path, "pubmed-xml")}
    except InputError as error:
        return f"no records of PubMed ({error})"
    if not ids:
        return "there is no record in it"
    unrequested = ids - set(pmids)
    return f"record {min(unrequested)} was not asked for" if unrequested else ""
