"""What the models see of a candidate: its sentence's structure, patterns and features."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from relsent_ir.errors import UsageError
from relsent_ir.models import digest
from relsent_ir.relations import features as paper
from relsent_ir.relations import verbs
from relsent_ir.relations.candidates import Candidate
from relsent_ir.relations.evidence import Evidence, find_evidence, find_forms
from relsent_ir.relations.features import paper_features
from relsent_ir.relations.lexical import lexical_features
from relsent_ir.relations.structure import Structure, structures
from relsent_ir.text.parsing import Parser
from relsent_ir.typing import Progress

KINDS: Final = ("paper", "lexical")
"""The paper's features alone, or with our lexical ones."""

TICK: Final = 100
Features = dict[str, float]


@dataclass(frozen=True)
class Settings:
    """What a ranker looks at.

    Attributes
    ----------
    kind : str
        One of `KINDS`.
    simplify : bool
        Simplified forms of the sentences too.
    without : tuple of str
        Groups of features that are left out.
    """

    kind: str = "lexical"
    simplify: bool = True
    without: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise UsageError(f"no features {self.kind!r}", fix=f"one of {', '.join(KINDS)}")


@dataclass(frozen=True, slots=True)
class Described:
    """A candidate's sentence as the models see it.

    Attributes
    ----------
    structure : Structure
    found : list of Evidence
        The patterns that it matches.
    features : dict of str to float
    """

    structure: Structure
    found: list[Evidence]
    features: Features


def describe(
    candidates: Sequence[Candidate],
    parser: Parser,
    settings: Settings,
    progress: Progress | None = None,
) -> Iterator[Described]:
    """Yield the structure, the patterns and the features of each candidate."""
    for i, structure in enumerate(structures(parser, candidates)):
        forms = find_forms(structure, settings.simplify)
        found = find_evidence(forms, structure.agent)
        features = paper_features(structure, found, forms)
        if settings.kind == "lexical":
            features.update(dict.fromkeys(lexical_features(structure, found, forms), 1.0))
        if settings.without:
            out = settings.without
            features = {n: x for n, x in features.items() if n.partition(":")[0] not in out}
        yield Described(structure, found, features)
        if progress and i % TICK == 0:
            progress(i, len(candidates))


def _invented(text: str, one: str, other: str) -> Candidate:
    e1, e2 = ((text.index(name), text.index(name) + len(name)) for name in (one, other))
    return Candidate("", "", text, e1, e2)


PROBE: Final = (
    _invented("Abc1 activates Xyz2 in liver cells.", "Abc1", "Xyz2"),
    _invented(
        "Activation of Xyz2 by the kinase Abc1, which may not bind it, was not seen.",
        "Abc1",
        "Xyz2",
    ),
    _invented(
        "Xyz2 was measured in 12 rats, and so was the Abc1-dependent growth factor.",
        "Abc1",
        "Xyz2",
    ),
    _invented("While Def3 was low, Abc1 seemed to suppress Xyz2.", "Abc1", "Xyz2"),
)
"""Sentences whose features tell this version's from another's."""


def columns(parser: Parser, settings: Settings) -> dict[str, str]:
    """Say what the features are, group by group (`relsent_ir.models.columns`)."""
    named: dict[str, list[object]] = {"lists": [paper.CONJECTURE, paper.NEGATION, *verbs.listed()]}
    for place, row in enumerate(describe(PROBE, parser, settings)):
        for name, value in sorted(row.features.items()):
            named.setdefault(name.partition(":")[0], []).append([place, name, round(value, 6)])
    return {group: digest(*values) for group, values in sorted(named.items())}
