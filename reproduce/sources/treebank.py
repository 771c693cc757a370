"""GENIA's treebank: tokens with their tags, and base noun phrases cut out of its trees.

A noun phrase ends with its head: it includes the modifiers before the head, and nothing behind it.
This approximates the phrases of CoNLL-2000.

References
----------
Y. Tateisi, A. Yakushiji, T. Ohta, J. Tsujii. Syntax annotation for the GENIA corpus. IJCNLP 2005.
"""

import gzip
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from lxml import etree

from relsent_ir.files import atomic_bytes
from reproduce.sources.members import members

TAGS: Final = {
    "PERIOD": ".", "COMMA": ",", "COLON": ":", "LRB": "-LRB-", "RRB": "-RRB-", "LQT": "``",
    "RQT": "''", "PRPP": "PRP$", "WPP": "WP$",
}  # fmt: skip
"""GENIA's names of tags that the Penn Treebank writes differently."""

_PHRASES: Final = ("NP", "WHNP")
_MODIFIERS: Final = ("ADJP", "QP", "ADJ", "WHADJP", "UCP")
_JOINING: Final = ("CC", "COMMA", "COLON", "PERIOD")
_HEADS: Final = ("NN", "NNS", "NNP", "NNPS", "CD", "PRP", "FW")

Row = tuple[str, str, str]


def build(archive: Path, train: Path, dev: Path, folder: Path) -> None:
    """Write ``originals/genia`` from the treebank's archive and the lists of its parts' PMIDs.

    Raises
    ------
    InputError
        If the archive is damaged.
    """
    splits = {"train": train, "dev": dev}
    part_of = {
        pmid.lstrip("0"): part for part, path in splits.items() for pmid in path.read_text().split()
    }
    lines: dict[str, dict[int, str]] = {part: {} for part in splits}
    for name, content in members(archive):
        pmid = Path(name).stem.lstrip("0")
        if name.endswith(".xml") and pmid in part_of:
            tree = etree.fromstring(content, etree.XMLParser(resolve_entities=False))
            lines[part_of[pmid]][int(pmid)] = "".join(_written(pmid, tree))
    for part, texts in lines.items():
        with atomic_bytes(folder / "originals" / "genia" / f"{part}.pos_basenp.tsv.gz") as file:
            text = "".join(texts[pmid] for pmid in sorted(texts))
            file.write(gzip.compress(text.encode(), mtime=0))


def _written(pmid: str, tree: etree._Element) -> Iterator[str]:
    for letter, part in (("T", "ArticleTitle"), ("A", "AbstractText")):
        for sentence in tree.iterfind(f".//{part}/sentence"):
            yield f"# {pmid} {letter} {sentence.get('id')}\n"
            yield from ("\t".join(row) + "\n" for row in chunked(sentence))
            yield "\n"


def chunked(sentence: etree._Element) -> list[Row]:
    """Return token, tag and B-NP, I-NP or O of each token of a sentence's tree."""
    tokens = [tok for tok in sentence.iter("tok") if (tok.text or "").strip()]
    place = {tok: number for number, tok in enumerate(tokens)}
    chunks = ["O"] * len(tokens)
    for start, end in _phrases(sentence, place):
        chunks[start:end] = ["B-NP", *["I-NP"] * (end - start - 1)]
    return [
        ((tok.text or "").strip(), TAGS.get(tok.get("cat", ""), tok.get("cat", "")), chunk)
        for tok, chunk in zip(tokens, chunks, strict=True)
    ]


def _phrases(node: etree._Element, place: dict[etree._Element, int]) -> list[tuple[int, int]]:
    """Return the base noun phrases below a node, as ranges of tokens.

    A noun phrase's own tokens and those of its modifiers make one, up to their last noun. Tokens
    before an inner noun phrase belong to the first phrase inside it, tokens behind it to the last.
    """
    whole = node.get("cat") in _PHRASES
    phrases: list[tuple[int, int]] = []
    run: list[etree._Element] = []

    def close() -> None:
        heads = [n for n, tok in enumerate(run) if tok.get("cat") in _HEADS]
        last = run[: heads[-1] + 1] if heads else run
        if last:
            phrases.append((place[last[0]], place[last[-1]] + 1))
        run.clear()

    for child in node:
        tokens = [tok for tok in child.iter("tok") if tok in place]
        if whole and child.get("cat") in _PHRASES and tokens:
            inner = _phrases(child, place)
            if any(tok.get("cat") in _HEADS for tok in run):
                close()
            elif run and inner:
                inner[0] = (place[run[0]], inner[0][1])
                run.clear()
            close()
            phrases += inner
        elif (
            whole
            and tokens
            and child.get("cat") not in _JOINING
            and (child in place or child.get("cat") in _MODIFIERS)
        ):
            if not run and phrases and phrases[-1][1] == place[tokens[0]]:
                behind = range(*phrases.pop())
                run += [tok for tok in node.iter("tok") if place.get(tok, -1) in behind]
            run += tokens
        else:
            close()
            phrases += [] if child in place else _phrases(child, place)
    close()
    return phrases
