"""Evidence Inference: trials as PubMed writes records, and questions with the spans that answer.

Its articles are JATS. The record of an article with a PMID and an abstract has the main abstract,
with titles of sections as labels, and the references; a label's category is that of its move.

References
----------
J. DeYoung, E. Lehman, B. Nye, I. Marshall, B. Wallace. Evidence Inference 2.0: more data, better
models. BioNLP 2020, 123-132.
"""

import csv
import gzip
import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

from lxml import etree

from relsent_ir.answers.questions import letters
from relsent_ir.files import atomic_bytes, atomic_writer
from relsent_ir.moves.labels import CATEGORIES, label_move
from reproduce.sources.members import input_of, members

SPLITS: Final = {"train": "train", "validation": "validation", "test": "test-unlabelled"}
"""Parts of the corpus with their names in our files; the labels of the last may not be read."""

_NLM: Final = {move: category for category, move in CATEGORIES.items() if category != "OBJECTIVE"}
_MARKS: Final = {"italic": "i", "bold": "b", "sup": "sup", "sub": "sub", "underline": "u"}
_OTHER: Final = {"graphical", "short", "key-points", "executive-summary", "web-summary", "toc"}
_IDS: Final = ("pmc", "doi")
_LEFT_OUT: Final = ("xref", "tex-math", "label", "title")


def build(archive: Path, folder: Path) -> None:
    """Write ``collections/rct`` and ``originals/answers`` from the repository's archive.

    Raises
    ------
    InputError
        If the archive is damaged, or lacks a file.
    """
    articles: dict[str, etree._Element] = {}
    texts: dict[str, bytes] = {}
    for name, content in members(archive):
        if name.endswith(".nxml"):
            article = etree.fromstring(content, _parser())
            record = pubmed_record(article)
            if record is not None:
                articles[Path(name).stem.removeprefix("PMC")] = record
        elif name.endswith((".csv", "_article_ids.txt")):
            texts[Path(name).name] = content
    spans = questions(_rows(archive, texts, "v2_annotations.csv"))
    prompts = list(_rows(archive, texts, "prompts_merged.csv"))
    parts = {
        split: set(
            input_of(archive, texts, f"{split}_article_ids.txt").decode().replace("PMC", "").split()
        )
        for split in SPLITS
    }
    parts["train"] |= articles.keys() - set().union(*parts.values())
    for split, name in SPLITS.items():
        there = {number: articles[number] for number in parts[split] & articles.keys()}
        _write_records(folder / "rct" / f"rct-{name}.xml.gz", there.values(), split == "test")
        if split != "test":
            path = folder / "originals" / "answers" / f"answers-{split}.jsonl"
            with atomic_writer(path) as file:
                file.writelines(
                    json.dumps(question, ensure_ascii=False) + "\n"
                    for question in _questions(prompts, spans, there)
                )


def pubmed_record(article: etree._Element) -> etree._Element | None:
    """Return an article's record in PubMed's form; None without a PMID or an abstract."""
    front = article.find("front")
    pmid = _text(article.find("front//article-id[@pub-id-type='pmid']"))
    parts = [] if front is None else list(_sections(front))
    if not pmid or not parts:
        return None
    assert front is not None
    record = etree.Element("PubmedArticle")
    citation = etree.SubElement(record, "MedlineCitation")
    etree.SubElement(citation, "PMID", Version="1").text = pmid
    written = etree.SubElement(citation, "Article")
    journal = etree.SubElement(written, "Journal")
    years = sorted(_text(year) for year in front.iterfind(".//pub-date/year"))
    if years:
        issue = etree.SubElement(journal, "JournalIssue")
        etree.SubElement(etree.SubElement(issue, "PubDate"), "Year").text = years[0]
    etree.SubElement(journal, "Title").text = _text(front.find(".//journal-title"))
    if short := _text(front.find(".//journal-id[@journal-id-type='nlm-ta']")):
        etree.SubElement(journal, "ISOAbbreviation").text = short
    title = etree.SubElement(written, "ArticleTitle")
    if (source := front.find(".//title-group/article-title")) is not None:
        _append(title, source)
    abstract = etree.SubElement(written, "Abstract")
    for label, paragraphs in parts:
        section = etree.SubElement(abstract, "AbstractText")
        if label:
            section.set("Label", label)
            section.set("NlmCategory", _NLM.get(label_move(label), "UNASSIGNED"))
        for paragraph in paragraphs:
            _append(section, paragraph)
    data = etree.SubElement(record, "PubmedData")
    ids = {kind: _text(front.find(f".//article-id[@pub-id-type='{kind}']")) for kind in _IDS}
    _ids(data, {"pubmed": pmid, **ids})
    listed = etree.SubElement(data, "ReferenceList")
    for cited in article.iterfind("back//ref"):
        reference = etree.SubElement(listed, "Reference")
        ids = {"pubmed": _text(cited.find(".//pub-id[@pub-id-type='pmid']"))}
        etree.SubElement(reference, "Citation").text = _citation(cited)
        _ids(reference, ids)
    return record


def _sections(front: etree._Element) -> Iterator[tuple[str, list[etree._Element]]]:
    """Yield title and paragraphs of each section of the main abstract."""
    for abstract in front.iter("abstract"):
        if abstract.get("abstract-type", "") not in _OTHER and _text(abstract):
            titled = [sec for sec in abstract.iter("sec") if sec.find("p") is not None]
            for place in titled or [abstract]:
                label = _text(place.find("title")).rstrip(" .:") if titled else ""
                yield label, place.findall("p") or [place]
            return


def _ids(parent: etree._Element, ids: Mapping[str, str]) -> None:
    if any(ids.values()):
        listed = etree.SubElement(parent, "ArticleIdList")
        for kind, value in ids.items():
            if value:
                number = kind == "pmc" and value.isdigit()
                etree.SubElement(listed, "ArticleId", IdType=kind).text = f"{'PMC' * number}{value}"


def _citation(cited: etree._Element) -> str:
    """Return a reference as printed, or composed of its parts, with six authors at most."""
    etree.strip_elements(cited, "pub-id", "label", with_tail=False)
    if cited.find("mixed-citation") is not None:
        return _text(cited)
    names = [
        f"{_text(name.find('surname'))} {_text(name.find('given-names'))}".strip()
        for name in cited.iter("name")
    ]
    pages = "-".join(filter(None, (_text(cited.find(f".//{n}")) for n in ("fpage", "lpage"))))
    year, volume = (_text(cited.find(f".//{name}")) for name in ("year", "volume"))
    place = f"{year};{volume}:{pages}".rstrip(":").rstrip(";")
    title, source = (_text(cited.find(f".//{name}")) for name in ("article-title", "source"))
    parts = (", ".join(names[:6]), title, source, place)
    return " ".join(f"{part.rstrip('.')}." for part in parts if part)


def _append(target: etree._Element, source: etree._Element) -> None:
    """Append a paragraph's text with its marks, behind a space if there is text already."""
    etree.strip_elements(source, *_LEFT_OUT, etree.Comment, with_tail=False)
    for element in list(source.iter()):
        if element is not source and element.tag in _MARKS:
            element.tag = _MARKS[element.tag]
            element.attrib.clear()
    others = [e.tag for e in source.iter() if e is not source and e.tag not in _MARKS.values()]
    etree.strip_tags(source, *{tag for tag in others if isinstance(tag, str)})
    before = " " if len(target) or target.text else ""
    if len(target):
        target[-1].tail = (target[-1].tail or "") + before + (source.text or "")
    else:
        target.text = (target.text or "") + before + (source.text or "")
    target.extend(list(source))


def _text(element: etree._Element | None) -> str:
    return "" if element is None else " ".join("".join(map(str, element.itertext())).split())


def _write_records(path: Path, records: Iterable[etree._Element], unlabelled: bool) -> None:
    """Write records in the order of their PMIDs; unlabelled ones with one text."""
    root = etree.Element("PubmedArticleSet")
    for record in sorted(records, key=lambda record: int(record.findtext(".//PMID") or 0)):
        if unlabelled:
            abstract = record.find(".//Abstract")
            assert abstract is not None
            whole = " ".join(_text(part) for part in abstract)
            for part in list(abstract):
                abstract.remove(part)
            etree.SubElement(abstract, "AbstractText").text = whole
        root.append(record)
    content = etree.tostring(root, xml_declaration=True, encoding="UTF-8", pretty_print=True)
    with atomic_bytes(path) as file:
        file.write(gzip.compress(content, mtime=0))


def questions(rows: Iterable[Mapping[str, str]]) -> dict[str, tuple[list[str], set[str]]]:
    """Return the spans and labels of each prompt from its valid annotations."""
    prompts: dict[str, tuple[list[str], set[str]]] = {}
    for row in rows:
        if row["Valid Label"] == row["Valid Reasoning"] == "True" and row["Annotations"].strip():
            spans, labels = prompts.setdefault(row["PromptID"], ([], set()))
            spans.append(row["Annotations"])
            labels.add(re.sub("crease$", "creased", row["Label"]))
    return prompts


def _questions(
    prompts: Iterable[Mapping[str, str]],
    spans: Mapping[str, tuple[list[str], set[str]]],
    articles: Mapping[str, etree._Element],
) -> Iterator[dict[str, object]]:
    """Yield the questions with an agreed label that have a span in the abstract."""
    for prompt in prompts:
        number = prompt["PMCID"].removeprefix("PMC")
        texts, labels = spans.get(prompt["PromptID"], ((), set()))
        if number not in articles or len(labels) != 1:
            continue
        record = articles[number]
        abstract = " ".join(_text(part) for part in record.iterfind(".//AbstractText"))
        whole = letters(abstract)
        inside = list(dict.fromkeys(text for text in texts if letters(text) in whole))
        if inside:
            first, second = prompt["Intervention"], prompt["Comparator"]
            yield {
                "prompt_id": int(prompt["PromptID"]),
                "pmid": record.findtext(".//PMID"),
                "question": f"Compared with {second}, what is the effect of {first} on "
                f"{prompt['Outcome']}?",
                "evidence": inside,
                "label": next(iter(labels)),
            }


def _rows(archive: Path, texts: Mapping[str, bytes], name: str) -> Iterator[dict[str, str]]:
    text = input_of(archive, texts, name).decode("utf-8")
    yield from csv.DictReader(io.StringIO(text, newline=""))


def _parser() -> etree.XMLParser:
    return etree.XMLParser(resolve_entities=False, no_network=True, remove_pis=True, recover=False)
