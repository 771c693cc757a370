"""Corpora that `train relations` knows by name, and what their licences ask."""

from collections.abc import Iterator, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Final

from relsent_ir.relations.bionlp import read_corpus
from relsent_ir.relations.candidates import Candidate, read_candidates

PLACES: Final = {
    "ge": ("relations", "bionlp-st-2011-ge.tar.gz"),
    "ddi": ("relations", "ddi-2013", "train.jsonl.gz"),
}
"""Where the folder of data has them: events of BioNLP-ST 2011 GE, and drug interactions."""

SHARES: Final = {"ge": 1.0, "ddi": 0.35}
"""What they weigh in the package's ranker, by cross-validation inside each: the events gain 0.1
points over events alone (84.95 of pairs in the right order), the drugs 12 (84.2, means of
documents). More of the drugs costs the events."""


def read_named(corpus: str, path: Path) -> Iterator[Candidate]:
    """Yield the candidates of a corpus's training part, by its name among `PLACES`."""
    if corpus == "ge":
        return read_corpus(path, "train")
    return read_candidates(path, graded=True)


def licence(corpora: Sequence[str]) -> str:
    """Give the text that goes beside weights learned from corpora; "" if it needs none."""
    folder = files("relsent_ir") / "relations" / "licences"
    parts = [(folder / f"{name}.txt").read_text(encoding="utf-8") for name in corpora]
    common = (folder / "common.txt").read_text(encoding="utf-8")
    return "\n".join([*parts, common]) if parts else ""
