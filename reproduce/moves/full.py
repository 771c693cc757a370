"""What takes long: sources that a model never saw, and the CRF without some of its features."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from relsent_ir.datasets.catalogue import data_path
from relsent_ir.files import open_text
from relsent_ir.moves import Abstract
from relsent_ir.moves.crf import CRF, Settings
from relsent_ir.moves.evaluation import MoveScores, evaluate, held_out
from relsent_ir.moves.features import DEFAULT
from reproduce.page import Steps, table

ABSTRACTS: Final = "abstracts.jsonl.gz"
LEAST: Final = 90
"""Abstracts that a source must have to be left out by name; the smaller ones go together."""

FOLDS: Final = 3
"""Sources are left out in so many groups, a model each."""

SHORT: Final = replace(Settings(), thinned=0, iterations=40)
"""A third of the work that the package's model takes; alike for all that is compared here."""

LESS: Final = ("neighbours", "similarity", "position place", "tense", "opening numbers length")
"""Groups of features that are left out, some together."""


def sources(train: Sequence[Abstract], headed: Sequence[Abstract], steps: Steps) -> str:
    """Leave whole sources of the abstracts with headings out in turn."""
    trials = CRF.train(train, SHORT)
    steps()
    source = _sources()
    sizes = Counter(source[abstract.id] for abstract in headed)
    named = {name if n >= LEAST else "" for name, n in sizes.items()}
    groups: list[list[str]] = [[] for _ in range(FOLDS)]
    for name in sorted(named, key=lambda name: (-sizes[name], name)):
        min(groups, key=lambda group: sum(sizes[other] for other in group)).append(name)
    found: dict[str, list[str]] = {}

    def name_of(abstract: Abstract) -> str:
        name = source[abstract.id]
        return name if name in named else ""

    for group in filter(None, groups):
        rest = [a for a in headed if name_of(a) not in group and not held_out(a.id)]
        model = CRF.train([*train, *rest], SHORT)
        steps()
        for name in group:
            left = [abstract for abstract in headed if name_of(abstract) == name]
            scores = evaluate(model, left)
            low, high = scores.interval()
            found[name] = [
                name or "the others",
                str(len(left)),
                f"{evaluate(trials, left).macro_f1:.4f}",
                f"{scores.macro_f1:.4f}",
                f"{low:.3f} to {high:.3f}",
            ]
    order = sorted(found, key=lambda name: (not name, -sizes[name], name))
    header = ["source", "abstracts", "trials alone", "all other sources", "95 %"]
    return table(header, [found[name] for name in order])


def _sources() -> dict[str, str]:
    """The source of each abstract of the collection."""
    with open_text(data_path("abstracts", ABSTRACTS)) as lines:
        return {line["id"]: line.get("source", "") for line in map(json.loads, lines)}


def ablation(
    train: Sequence[Abstract],
    tests: Mapping[str, Sequence[Abstract]],
    scores: Mapping[tuple[str, str], MoveScores],
    whole: str,
    steps: Steps,
) -> str:
    """Train the CRF `whole`, that of trials, without its parts, or with others."""
    variants = {"each abstract once": SHORT, "one label a move": replace(SHORT, openings=False)}
    for left in LESS:
        groups = tuple(group for group in DEFAULT if group not in left.split())
        variants[f"− {', '.join(left.split())}"] = replace(SHORT, groups=groups)
    variants["+ title"] = replace(SHORT, groups=(*DEFAULT, "title"))
    variants["only sentence"] = replace(SHORT, groups=("sentence",))
    rows = [["the CRF as it is", *(f"{scores[whole, test].macro_f1:.4f}" for test in tests)]]
    for name, settings in variants.items():
        model = CRF.train(train, settings)
        steps()
        found = (evaluate(model, abstracts).macro_f1 for abstracts in tests.values())
        rows.append([name, *(f"{f1:.4f}" for f1 in found)])
    header = ["", *(f"{test}: macro F1" for test in tests)]
    return table(header, rows)
