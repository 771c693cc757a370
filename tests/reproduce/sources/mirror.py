"""The public sources of experiments, invented: a small one of each, in the form of the real one."""

import io
import random
import tarfile
import zipfile
from collections.abc import Mapping

SUBJECTS = (
    "ant nest queen larva colony soldier",
    "bee hive honey wax swarm drone",
    "wasp sting venom paper stripe comb",
    "fly egg wing eye maggot leg",
)
WORDS = [f"{first}{last}" for first in ("cold", "warm", "old", "late") for last in "abcdefghijklm"]
DRUGS = ("murinol", "ratinol", "catinol", "caninol", "ovinol", "bovinol", "equinol", "apinol")
GENES = ("Abc1", "Bcd2", "Cde3", "Def4", "Efg5", "Fgh6")
RECORDS = 80
PARTS = {"train": range(48), "validation": range(48, 64), "test": range(64, 80)}
EVENTS = (
    ("activates", "E1\tPositive_regulation:T9 Theme:T2 Cause:T1\n"),
    ("blocks", "E1\tNegative_regulation:T9 Theme:T2 Cause:T1\n"),
    ("binds", "E1\tBinding:T9 Theme:T1 Theme2:T2\n"),
    ("may induce", "E1\tPositive_regulation:T9 Theme:T2 Cause:T1\nM1\tSpeculation E1\n"),
    ("is not induced by", "E1\tPositive_regulation:T9 Theme:T1 Cause:T2\nM1\tNegation E1\n"),
    ("is induced by", "E1\tPositive_regulation:T9 Theme:T1 Cause:T2\n"),
)


def said(number: int) -> dict[str, str]:
    """Sections of a record: its subject's words, its drug, and a word of each move."""
    chance = random.Random(number)
    subject, drug = SUBJECTS[number % 4].split(), DRUGS[number % 8]
    four = [" ".join([*chance.sample(subject, 3), *chance.sample(WORDS, 4)]) for _ in range(4)]
    return {
        "Background": f"Little is known of {drug}. We aimed to study {four[0]}.",
        "Methods": f"Forty mice were given {drug} or placebo. Cases were {four[1]}.",
        "Results": f"All mice stayed. Body weight fell with {drug} (P &lt; 0.01). So {four[2]}.",
        "Conclusions": f"We conclude that {drug} may help mice. Thus {four[3]} matters.",
    }


def headings(number: int) -> list[str]:
    """Headings of a record: its subject's words but one."""
    words = SUBJECTS[number % 4].split()
    return [word for place, word in enumerate(words) if place != number % 6]


def cited(number: int) -> list[int]:
    """Works that a record cites: most of its subject's twelve."""
    return random.Random(number).sample(range(12), 9)


def article(number: int) -> str:
    """An article in JATS, with what is to be left out of its record."""
    sections = "".join(
        f"<sec><title>{title}.</title><p>{text.replace('mice', '<italic>mice</italic>')}"
        '<xref ref-type="bibr">1</xref></p></sec>'
        for title, text in said(number).items()
    )
    references = "".join(
        f"<ref><label>{i}</label><mixed-citation>Work {number % 4} {i}. Ants. "
        f'<pub-id pub-id-type="pmid">{5000 + 100 * (number % 4) + i}</pub-id>'
        "</mixed-citation></ref>"
        for i in cited(number)
    )
    named = " ".join(headings(number)[:4])
    pmid = "" if number == 79 else f'<article-id pub-id-type="pmid">{100 + number}</article-id>'
    return (
        '<!DOCTYPE article SYSTEM "archivearticle.dtd"><article article-type="research-article">'
        "<front><journal-meta><journal-title>Journal of Ants</journal-title></journal-meta>"
        f'<article-meta>{pmid}<article-id pub-id-type="pmc">{9000 + number}</article-id>'
        f'<article-id pub-id-type="doi">10.1/{number}</article-id><title-group>'
        f"<article-title>Safety of {DRUGS[number % 8]} for the {named}</article-title>"
        "</title-group>"
        '<pub-date pub-type="collection"><year>2003</year></pub-date><pub-date><year>2002</year>'
        '</pub-date><abstract abstract-type="short"><p>Short.</p></abstract>'
        f"<abstract>{sections}</abstract></article-meta></front><back><ref-list>{references}"
        "</ref-list></back></article>"
    )


def inference() -> dict[str, str]:
    """The files of Evidence Inference: articles, splits, prompts and annotations."""
    prompts = ["PromptID,PMCID,Outcome,Intervention,Comparator"]
    rows = ["UserID,PromptID,PMCID,Valid Label,Valid Reasoning,Label,Annotations"]
    for n in range(RECORDS):
        drug = DRUGS[n % 8]
        prompts.append(f"{n},{9000 + n},body weight,{drug},placebo")
        span = f"Body weight fell with {drug} (P < 0.01)."
        rows.append(f"1,{n},{9000 + n},True,True,significantly decrease,{span}")
        rows.append(f"2,{n},{9000 + n},False,True,significantly increased,{span}")
    prompts.append("900,9000,ears,murinol,placebo")
    rows.append("1,900,9000,True,True,no significant difference,It is not in the abstract.")
    files = {f"xml_files/PMC{9000 + n}.nxml": article(n) for n in range(RECORDS)}
    for part, numbers in PARTS.items():
        named = "".join(f"{9000 + n}\n" for n in numbers if n != 3)  # that one is in no list
        files[f"splits/{part}_article_ids.txt"] = named
    files |= {"prompts_merged.csv": "\n".join(prompts), "v2_annotations.csv": "\n".join(rows)}
    return {f"evidence-inference-b9831b6/annotations/{name}": t for name, t in files.items()}


def tree(pmid: int) -> str:
    """A document of GENIA's treebank: a title and two sentences."""

    def tok(word: str, tag: str) -> str:
        return f'<tok cat="{tag}">{word}</tok>'

    kinase = f'<cons cat="NP">{tok("The", "DT")} {tok("kinase", "NN")}</cons>'
    binds = f'<cons cat="VP">{tok("binds", "VBZ")} <cons cat="NP">{tok("Abc1", "NN")}</cons></cons>'
    mice = f'<cons cat="PP">{tok("for", "IN")} <cons cat="NP">{tok("mice", "NNS")}</cons></cons>'
    ran = (
        f'<cons cat="NP">{tok("It", "PRP")}</cons> <cons cat="VP">{tok("ran", "VBD")} {mice}</cons>'
    )
    stop = tok(".", "PERIOD")
    return (
        "<Annotation><PubmedArticleSet><PubmedArticle><MedlineCitation>"
        f"<PMID>{pmid}</PMID><Article>"
        f'<ArticleTitle><sentence id="S1"><cons cat="S">{kinase}{stop}</cons></sentence>'
        '</ArticleTitle><Abstract><AbstractText><sentence id="S2"><cons cat="S">'
        f"{kinase} {binds}{stop}</cons></sentence>"
        f'<sentence id="S3"><cons cat="S">{ran}{stop}</cons>'
        "</sentence></AbstractText></Abstract></Article></MedlineCitation></PubmedArticle>"
        "</PubmedArticleSet></Annotation>"
    )


def events() -> dict[str, str]:
    """Documents of BioNLP-ST, whose two proteins are related in the first sentence."""
    files = {}
    for part, genes in (("train", GENES * 2), ("devel", GENES[:4]), ("test", GENES[:1])):
        for n, gene in enumerate(genes):
            verb, stated = EVENTS[GENES.index(gene)]
            first, second = f"{gene} {verb} Xyz9.", f"Old {gene} was lost, and Xyz9 too."
            text = f"{first} {second}"
            spans = [(text.index(w, at), w) for at in (0, len(first)) for w in (gene, "Xyz9")]
            proteins = "".join(
                f"T{k}\tProtein {at} {at + 4}\t{word}\n" for k, (at, word) in enumerate(spans, 1)
            )
            name = f"ge-8d58834/original-data/{part}/{'PMC-1-' if n == 0 else 'PMID-'}{part}{n}"
            files |= {f"{name}.txt": text, f"{name}.a1": proteins}
            files[f"{name}.a2"] = f"T9\tEvent 5 {5 + len(verb)}\t{verb}\n{stated}"
    return files


def drugs() -> dict[str, str]:
    """Documents of the DDI corpus: a pair that interacts, and one that does not."""
    said = (("Abc1 with Xyz9 is toxic.", 10, "true"), ("Abc1 ran, as did Xyz9.", 17, "false"))
    sentences = "".join(
        f'<sentence id="d.s{n}" text="{text}"><entity id="d.s{n}.e0" charOffset="0-3" text="Abc1"/>'
        f'<entity id="d.s{n}.e1" charOffset="{at}-{at + 3};40-44" text="Xyz9"/>'
        f'<pair id="d.s{n}.p0" e1="d.s{n}.e0" e2="d.s{n}.e1" ddi="{true}"/></sentence>'
        for n, (text, at, true) in enumerate(said)
    )
    document = f'<document id="d">{sentences}</document>'
    return {
        "DDICorpus/Train/DrugBank/a.xml": document,
        "DDICorpus/Test/MedLine/b.xml": document.replace("Abc1", "Test"),
    }


PLANTS = (
    "7_1\tAbc1 with Xyz9 is toxic.\n7\t0\t4\tAbc1\tPlant\n7\t10\t14\tXyz9\tNegative_phenotype\n"
    "7\tIncrease\t0\t4\tAbc1\tPlant\t10\t14\tXyz9\tNegative_phenotype\n\n"
    "7_2\tNothing is said of Abc1.\n7\t19\t23\tAbc1\tPlant\n\n"
    "7_3\tAbc1 ran, as did Xyz9.\n7\t0\t4\tAbc1\tPlant\n7\t17\t21\tXyz9\tNeutral_phenotype\n"
)
"""The PPR corpus; no empty line is behind its last sentence."""


def proteins(masked: bool) -> str:
    """A table of pairs of proteins."""
    names = ("PROTEIN1", "PROTEIN2") if masked else ("Abc1", "Xyz9")
    rows = (("True", "{} binds {}"), ("False", "We saw {} with old {}"))
    lines = [f"{n},d,{true},{text.format(*names)},s{n}\n" for n, (true, text) in enumerate(rows)]
    return ",docid,isValid,passage,passageid\n" + "".join(lines)


def records(pmids: list[str], *, labelled: bool = False) -> str:
    """PubMed's records; half of the titles ask, and a third of the abstracts have headings."""
    made = []
    for pmid in pmids:
        number = int(pmid)
        named = " ".join(headings(number)[:4])
        asks = f"Does {DRUGS[number % 8]} help mice?" if number % 2 else f"On the {named}"
        heads = number % 3 == 0
        text = " ".join(
            f"{head.upper()}: {part}" if heads else part for head, part in said(number).items()
        )
        parts = said(number).items() if labelled else (("", text),)
        abstract = "".join(f'<AbstractText Label="{h}">{t}</AbstractText>' for h, t in parts)
        listed = "".join(
            f"<MeshHeading><DescriptorName>{word.capitalize()}</DescriptorName></MeshHeading>"
            for word in headings(number)
        )
        made.append(
            f"<PubmedArticle><MedlineCitation><PMID>{pmid}</PMID><Article><ArticleTitle>{asks}"
            f"</ArticleTitle><Abstract>{abstract}</Abstract></Article>"
            f"<MeshHeadingList>{listed}</MeshHeadingList></MedlineCitation></PubmedArticle>"
        )
    return f"<PubmedArticleSet>{''.join(made)}</PubmedArticleSet>"


def reviews() -> str:
    """The decisions of three drug reviews, of which one is reserved."""
    rows = []
    for topic, name in enumerate(("ACEInhibitors", "Triptans ", "Statins")):
        rows += [
            f"{name}\t{n}\t{n}\t{'EI'[n % 2]}\t{'I' if n % 4 == 1 else '3'}\n"
            for n in range(201, 281)
            if n % 3 == topic
        ]
    return "".join(rows)


def cystic_fibrosis() -> dict[str, str]:
    """The files of the cystic fibrosis collection."""
    files = {}
    for year in range(74, 80):
        lines = []
        for n in range(1 + year - 74, 61, 6):
            abstract = " ".join(said(n).values()).replace("&lt;", "<")
            rest = "".join(f"   {i:03}   WORK {n % 4} {i}\n" for i in cited(n)[1:])
            heads = ".  ".join(word.upper() for word in headings(n))
            lines.append(
                f"PN {year}{n:03}\nRN {n:05}\nTI On {' '.join(headings(n)[:4])}.\n"
                f"MJ {heads}.\nAB {abstract}\nRF 000   WORK {n % 4} {cited(n)[0]}\n{rest}\n"
            )
        files[f"cf{year}"] = "".join(lines)
    queries = []
    for query in range(8):
        relevant = [n for n in range(1, 61) if n % 4 == query % 4]
        words = " ".join(SUBJECTS[query % 4].split()[query // 4 : query // 4 + 2])
        pairs = " ".join(f"{n} 1000" for n in relevant)
        queries.append(f"QN {query + 1:05}\nQU {words}\nNR {len(relevant):05}\nRD {pairs}\n\n")
    return files | {"cfquery": "".join(queries)}


CLAIMS = (
    '<CORPUS><REVIEW><CLAIM PMID="201" QUESTION="Does ratinol help mice?">We conclude that ratinol '
    'may help mice.</CLAIM><CLAIM PMID="999" QUESTION="Else?">No.</CLAIM></REVIEW></CORPUS>'
)


def packed(files: Mapping[str, str]) -> bytes:
    """Pack files into a gzipped tar archive."""
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w:gz") as tar:
        for name, text in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(text.encode())
            tar.addfile(member, io.BytesIO(text.encode()))
    return made.getvalue()


def zipped(files: Mapping[str, str]) -> bytes:
    """Pack files into a zip archive."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return made.getvalue()


def everything(tables: list[str]) -> dict[str, bytes]:
    """All files by their names on a mirror; `tables` are the names of those of proteins."""
    trees = {f"GENIA_treebank_v1/{pmid}.xml": tree(pmid) for pmid in range(70, 77)}
    files = {
        **cystic_fibrosis(),
        "smart.txt": "a\nthe\nof\nwas\nin\n",
        "sample_mancon_xml.xml": CLAIMS,
        "epc-ir.clean.tsv": reviews(),
        "PPR_train_corpus.txt": PLANTS,
        "train.pmids": "00000070\n00000071\n00000072\n",
        "dev.pmids": "00000073\n00000074\n00000075\n",
        **{name: proteins(not name.startswith("wop_")) for name in tables},
        "p1m-ortho.xml": records(["301", "302"], labelled=True),
    }
    return {name: text.encode() for name, text in files.items()} | {
        "evidence-inference.tar.gz": packed(inference()),
        "genia.tar.gz": packed(trees),
        "bionlp-st-2011-ge.tar.gz": packed(events()),
        "DDICorpus-2013.zip": zipped(drugs()),
    }
