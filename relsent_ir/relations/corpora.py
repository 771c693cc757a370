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

SHARES: Final = {"ge": 1.0, "ddi": 0.5}
"""What they weigh in the package's ranker. By cross-validation inside each: half of the drugs costs
the events 0.15 points (84.45 of pairs in the right order) and brings the drugs from 71.9 to 81.4
(means of documents); as much as the events, 1.65 points for 3.6."""


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
