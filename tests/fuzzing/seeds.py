"""Every reader of files from outside, and small invented files for it to read, whole and sound."""

import io
import re
import tarfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from recipes.relations.corpora import read_corpus
from recipes.treebank import read_treebank
from relsent_ir.answers.questions import read_questions
from relsent_ir.datasets import pubmed
from relsent_ir.errors import InputError
from relsent_ir.lucene.commits import Facts
from relsent_ir.moves.labelled import read_abstracts
from relsent_ir.records import read_entries
from relsent_ir.records.reading import FORMATS, detect_format
from relsent_ir.records.source import read_head
from relsent_ir.related.pairs import read_pairs
from relsent_ir.relations.candidates import read_candidates
from relsent_ir.text.names import read_names, read_synonyms
from relsent_ir.text.words import read_stopwords
from relsent_ir.trec.cystic_fibrosis import read_cystic_fibrosis_qrels
from relsent_ir.trec.qrels import read_qrels
from relsent_ir.trec.runs import read_run
from relsent_ir.trec.topics import TOPIC_FORMATS, read_topics
from reproduce.tbahriti_2004.thesaurus import Thesaurus
from reproduce.tudor_2012 import protocol as ppi

Reader = Callable[[Path], object]


def _packed(**files: str) -> bytes:
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w") as archive:
        for name, text in files.items():
            member = tarfile.TarInfo(f"train/1.{name}")
            member.size = len(text)
            archive.addfile(member, io.BytesIO(text.encode()))
    return data.getvalue()


def _mirror(path: Path) -> object:
    """A mirror's page, read as if it came from the web."""
    return pubmed._links(path.read_bytes())


EXPORTS: Final = sorted((Path(__file__).parents[1] / "records/exports/programs").iterdir())
STARTS: Final = {
    "ris": rb"^(?:\xef\xbb\xbf)*(?:TY  ?-(?: |$)|(?i:TY)  -)",
    "medline": rb"^PMID-(?: |$)",
    "web-of-science": rb"^PT(?: |$)",
    "endnote": rb"<record>",
    "pubmed-xml": rb"<PubmedArticle>",
    "bibtex": rb"^\s*@article\{",
}
"""Where a record begins, counted without reading it."""


def _kept(path: Path) -> None:
    """Read records, and see that each that begins is one, or is told of."""
    told: list[InputError] = []
    form = detect_format(read_head(path), read_head(path, text=True)) or ""
    records = list(read_entries(path, on_skip=told.append))
    data = path.read_bytes().replace(b"\r", b"\n")
    starts = len(re.findall(STARTS[form], data, re.MULTILINE)) if form in STARTS else 0
    assert starts <= len(records) + len(told), (
        f"{starts} begin, {len(records)} read, {len(told)} told"
    )


RECORDS: Final = {
    "medline": b"PMID- 1\nOWN - NLM\nTI  - Mice ran.\nAB  - They\n      slept.\nMH  - *Mice/ge\n\n"
    b"PMID- 2\nTI  - Rats.\n\n",
    "ohsumed": b".I 1\n.U\n87001\n.S\nAm J 8703; 4:1\n.T\nMice.\n.W\nThey ran.\n"
    b".I 2\n.U\n87002\n.T\nA\n",
    "cystic-fibrosis": b"PN 74001\nRN 00001\nAU A-B.\nTI Mice.\nSO J. 1974.\nMJ MICE: ge.\n"
    b"AB They ran.\nRF 001   A  B  1  2  70\n\n",
    "jsonl": b'{"id": "1", "title": "Mice", "mesh": ["*Mice/ge"], "sections": '
    b'[{"text": "Ran."}]}\n',
    "json": b'[{"PMID": "1", "Title": "Mice", "Abstract": "AIM: Ran. END: Slept."}]',
    "csv": b'id,title,abstract,authors\n1,"Mice, ""x""",Ran.,"A B; C D"\n2,Rats,,\n',
    "ris": b"TY  - JOUR\nAN  - 1\nTI  - Mice\nAU  - A, B\nSP  - 1\nU1  - record.mesh=*Mice\n"
    b"ER  - \n",
    "web-of-science": b"FN Clarivate Analytics Web of Science\nVR 1.0\nPT J\nAU A, B\n   C, D\n"
    b"TI Mice\nUT W:1\nER\n\nPT J\nTI Rats\nUT W:2\nER\n\nEF\n",
    "endnote": b"<xml><records><record><accession-num>1</accession-num><titles><title><style>Mice"
    b"</style></title></titles><keyword>a</keyword></record></records></xml>",
    "bibtex": b'@article{a1, title = {{M}ice \\& rats}, author = "A, B and C, D", year = 2001}\n',
    "pubmed-xml": b"<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>1</PMID><Article>"
    b"<ArticleTitle>Mice <i>ran</i></ArticleTitle><Abstract><AbstractText Label='A'>B."
    b"</AbstractText></Abstract></Article></MedlineCitation></PubmedArticle>"
    b"<DeleteCitation><PMID>2</PMID></DeleteCitation></PubmedArticleSet>",
    "smart": b".I 1\n.T\nMice\n.A\nA. B.\n.B\nJ 1974\n.W\nThey ran.\n.X\n1 5 1\n.I 2\n.T\nRats\n",
}
TOPICS: Final = {
    "tsv": b"1\tmice that run\n2\trats\n",
    "jsonl": b'{"id": "1", "text": "mice"}\n',
    "trec": b"<top>\n<num> Number: 1\n<title> mice\n<desc> Description:\nrun\n</top>\n",
    "ohsumed": b".I 1\n.B\na mouse\n.W\nruns\n",
    "smart": b".I 1\n.W\ndo mice run\n",
    "cystic-fibrosis": b"QN 00001\nQU Do mice run?\nNR 00001\nRD 0001 1222\n",
}
_MESH: Final = (
    b"<DescriptorRecordSet><DescriptorRecord><DescriptorName><String>Mice</String></DescriptorName>"
    b"<ConceptList><Concept><TermList><Term><String>Mouse</String></Term></TermList></Concept>"
    b"</ConceptList></DescriptorRecord></DescriptorRecordSet>",
    b"*NEWRECORD\nRECTYPE = D\nMH = Mice\nENTRY = Mouse|T1\nPRINT ENTRY = Mus\n\n",
)
_PAIRS: Final = (
    b"docid,passageid,isValid,passage\nd,d.1,True,PROTEIN1 binds PROTEIN2 in mice\n",
    b"docid,passageid,isValid,passage\nd,d.1,True,abc-1 binds (xyz 2) in mice\n",
)
_SPANS: Final = b"T1\tProtein 0 3\tabc\nT2\tProtein 10 13\txyz\n"
_EVENTS: Final = b"T3\tBinding 4 9\tbinds\nE1\tBinding:T3 Theme:T1 Theme2:T2\nM1\tNegation E1\n"
_EVENT_FILES: Final = {"txt": "abc binds xyz.\n", "a1": _SPANS.decode(), "a2": _EVENTS.decode()}


def _masked(path: Path) -> object:
    named = path.with_name("named.csv")
    named.write_bytes(_PAIRS[1])
    return list(ppi.read_pairs(path, named))


def _named(path: Path) -> object:
    masked = path.with_name("masked.csv")
    masked.write_bytes(_PAIRS[0])
    return list(ppi.read_pairs(masked, path))


READERS: Final[Mapping[str, tuple[Reader, tuple[bytes, ...]]]] = {
    "records": (lambda path: list(read_entries(path)), tuple(RECORDS.values())),
    **{
        f"records-{form}": (lambda path, form=form: list(read_entries(path, form)), (seed,))
        for form, seed in RECORDS.items()
    },
    "programs": (_kept, tuple(path.read_bytes() for path in EXPORTS)),
    "abstracts": (lambda path: read_abstracts([path]), tuple(RECORDS.values())),
    "topics": (read_topics, tuple(TOPICS.values())),
    **{
        f"topics-{form}": (lambda path, form=form: read_topics(path, form), (seed,))
        for form, seed in TOPICS.items()
    },
    "qrels": (read_qrels, (b"1 0 a 1\n1 0 b 0\n2 0 a -1\n", b"1 a 1\n")),
    "cf-qrels": (read_cystic_fibrosis_qrels, (TOPICS["cystic-fibrosis"],)),
    "run": (read_run, (b"1 Q0 a 1 2.5 x\n1 Q0 b 2 1e-3 x\n2 Q0 a 1 0 x\n",)),
    "questions": (
        read_questions,
        (
            b'{"id": "1", "question": "Do mice run?", "pmid": "2", "abstract": "They ran.", '
            b'"evidence": ["They ran."]}\n',
        ),
    ),
    "stopwords": (read_stopwords, (b"the\n# not\nof\n",)),
    "treebank": (lambda path: list(read_treebank(path)), (b"Mice\tNNS\tB-NP\nrun\tVBP\tO\n\n",)),
    "mesh": (Thesaurus.read, _MESH),
    "pairs": (read_pairs, (b"Mice run.\tRats run.\nA\tB\n",)),
    "candidates": (
        lambda path: list(read_candidates(path)),
        (b'{"group": "g", "id": "1", "text": "a b", "e1": [0, 1], "e2": [2, 3], "grade": 1}\n',),
    ),
    "synonyms": (read_synonyms, (b"# names\nabc-1\tABC1\nxyz\tXyz kinase\n",)),
    "names": (lambda path: read_names(path, 1), (b"abc-1\nxyz\n",)),
    "events": (lambda path: list(read_corpus(path, "train")), (_packed(**_EVENT_FILES),)),
    "masked": (_masked, (_PAIRS[0],)),
    "named": (_named, (_PAIRS[1],)),
    "mirror": (
        _mirror,
        (b'<a href="pubmed26n0001.xml.gz">x</a>  2026-01-29 14:48   19M \n<a href="..">up</a>',),
    ),
    "commit": (
        lambda path: Facts.from_json(path.read_text("latin-1"), path),
        (
            b'{"format": 1, "analysis": {"stemmer": "porter", "stopwords": ["a"]}, "sources": '
            b'[{"path": "p", "sha256": "0", "records": 1, "sentences": 2, "deleted": 0, '
            b'"skipped": 0}], "plan": ["p"], "moves": "", "filters": true, "build": "b"}',
        ),
    ),
}
"""Each reader by a name: what reads a file to its end, and files that it takes."""

assert set(RECORDS) == set(FORMATS), "a format of records is not tried"
assert set(TOPICS) <= set(TOPIC_FORMATS), "no such format of topics"
