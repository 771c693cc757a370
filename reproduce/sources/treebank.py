"""GENIA's treebank: tokens with their tags, and base noun phrases cut out of its trees.

A noun phrase ends with its head: modifiers before it belong to it, what stands behind it does not.
An approximation of CoNLL-2000's.

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
"""GENIA's names of tags that the Penn Treebank writes otherwise."""

_PHRASES: Final = ("NP", "WHNP")
_MODIFIERS: Final = ("ADJP", "QP", "ADJ", "WHADJP", "UCP")
_JOINING: Final = ("CC", "COMMA", "COLON", "PERIOD")
_HEADS: Final = ("NN", "NNS", "NNP", "NNPS", "CD", "PRP", "FW")

Row = tuple[str, str, str]


def build(archive: Path, splits: dict[str, Path], folder: Path) -> None:
    """Write ``originals/genia`` of the treebank's archive and the lists of PMIDs of its parts.

    Raises
    ------
    InputError
        If the archive is damaged.
    """
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
    """Return the base noun phrases below a node, as places of tokens.

    Of a noun phrase the tokens of its own and of its modifiers are one, as far as their last noun.
    What stands before an inner noun phrase belongs to the first below it, what stands behind it to
    the last.
    """
    whole = node.get("cat") in _PHRASES
    found: list[tuple[int, int]] = []
    run: list[etree._Element] = []

    def close() -> None:
        heads = [n for n, tok in enumerate(run) if tok.get("cat") in _HEADS]
        last = run[: heads[-1] + 1] if heads else run
        if last:
            found.append((place[last[0]], place[last[-1]] + 1))
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
            found += inner
        elif (
            whole
            and tokens
            and child.get("cat") not in _JOINING
            and (child in place or child.get("cat") in _MODIFIERS)
        ):
            if not run and found and found[-1][1] == place[tokens[0]]:
                behind = range(*found.pop())
                run += [tok for tok in node.iter("tok") if place.get(tok, -1) in behind]
            run += tokens
        else:
            close()
            found += [] if child in place else _phrases(child, place)
    close()
    return found
