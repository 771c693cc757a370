"""Invented records that are revised, deleted and made, and the update files that say so."""

import random
from pathlib import Path

SEED = 20240229
WORDS = [a + b + c for a in ("mur", "rat", "cat") for b in "aeiou" for c in ("nol", "lin", "tex")]


class Collection:
    """The records that are live, and the update files that make them so.

    Parameters
    ----------
    folder : Path
        Where the files go.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.chance = random.Random(SEED)
        self.live: dict[str, int] = {}
        self.texts: dict[str, str] = {}
        self.made = self.files = 0

    def update(self, revised: int, new: int, deleted: int) -> Path:
        """Write the next file."""
        names = self.chance.sample(sorted(self.live), revised + deleted)
        gone = names[revised:]
        fresh = [str(self.made + n) for n in range(new)]
        self.made += new
        self.files += 1
        self.live |= dict.fromkeys((*names[:revised], *fresh), self.files)
        for name in gone:
            del self.live[name], self.texts[name]
        records = [self._record(name) for name in (*names[:revised], *fresh)]
        self.texts |= zip((*names[:revised], *fresh), records, strict=True)
        deletions = "".join(f"<PMID>{name}</PMID>" for name in gone)
        path = self.folder / f"update{self.files:05}.xml"
        path.write_text(
            f"<PubmedArticleSet>{''.join(records)}<DeleteCitation>{deletions}</DeleteCitation>"
            "</PubmedArticleSet>",
            encoding="utf-8",
        )
        return path

    def whole(self) -> Path:
        """Write a file of all live records."""
        path = self.folder / "whole.xml"
        path.write_text(f"<PubmedArticleSet>{''.join(self.texts.values())}</PubmedArticleSet>")
        return path

    def _record(self, name: str) -> str:
        texts = [" ".join(self.chance.choices(WORDS, k=8)).capitalize() + "." for _ in range(5)]
        text = f"Record{name} revision{self.live[name]}. {' '.join(texts)}"
        return (
            f"<PubmedArticle><MedlineCitation><PMID>{name}</PMID><Article><ArticleTitle>{texts[0]}"
            f"</ArticleTitle><Abstract><AbstractText>{text}</AbstractText></Abstract></Article>"
            "</MedlineCitation></PubmedArticle>"
        )
