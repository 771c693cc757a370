"""The ranker: features of candidates times learned weights; and the two baselines."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Final

import numpy as np

from relsent_ir import models
from relsent_ir.errors import InputError
from relsent_ir.models import Stored, check_arrays, pack_strings, unpack_strings
from relsent_ir.relations.candidates import Candidate
from relsent_ir.relations.describing import KINDS, FeatureSettings, columns, position
from relsent_ir.relations.describing import LEXICAL_GROUPS as LEXICAL_GROUPS
from relsent_ir.relations.describing import PAPER_GROUPS as PAPER_GROUPS
from relsent_ir.relations.learning import COSTS, Graded, GradedCorpus, Learned, calibrate, combine
from relsent_ir.relations.patterns import PatternEvidence, find_evidence, find_forms
from relsent_ir.relations.statements import Statements, packaged_statements
from relsent_ir.relations.structure import BATCH, Structure, structures
from relsent_ir.text.parsing import Parser, default_parser
from relsent_ir.text.tokens import tokenize
from relsent_ir.typing import Floats, NDArray, Progress

PACKAGED: Final = ("paper", "events")
"""The models beside the default one: the paper's features alone, and ours from events alone."""


@dataclass(frozen=True)
class RelationRanker:
    """A model that scores candidates: the higher, the more clearly a relation is stated.

    Attributes
    ----------
    parser : Parser
    settings : FeatureSettings
    learned : Learned
    """

    family: ClassVar[str] = "relations"
    kind: ClassVar[str] = "relations"

    parser: Parser
    settings: FeatureSettings
    learned: Learned = field(repr=False)

    def score(self, candidates: Sequence[Candidate], progress: Progress | None = None) -> Floats:
        """Score candidates; shape (candidates,). Features of a batch of them are kept at a time."""
        parts = [np.empty(0)]
        for start in range(0, len(candidates), BATCH):
            if progress:
                progress(start, len(candidates))
            parts.append(self.learned.scores(self.describe(candidates[start : start + BATCH])))
        return np.concatenate(parts)

    def describe(self, candidates: Sequence[Candidate], progress: Progress | None = None) -> Graded:
        """Return candidates with their features, for learning."""
        statements = _statements(self.settings)
        return Graded.of(candidates, self.parser, self.settings, statements, progress)

    def explain(
        self, candidates: Sequence[Candidate]
    ) -> list[tuple[Structure, list[PatternEvidence]]]:
        """Return the structure of candidates' sentences and the patterns that they match."""
        simplify = self.settings.simplify
        return [
            (structure, find_evidence(find_forms(structure, simplify), structure.agent))
            for structure in structures(self.parser, candidates)
        ]

    @classmethod
    def train(
        cls,
        corpora: Sequence[Sequence[Candidate]],
        parser: Parser,
        settings: FeatureSettings | None = None,
        progress: Progress | None = None,
        *,
        shares: Sequence[float] | None = None,
        where: Path | None = None,
    ) -> "RelationRanker":
        """Learn from graded candidates.

        Parameters
        ----------
        corpora : sequence of sequence of Candidate
        shares : sequence of float, optional
            What each corpus weighs (`relsent_ir.relations.learning.combine`).
        where : Path, optional
            Where the candidates come from, for the error.

        Raises
        ------
        InputError
            If no group has two sentences with different grades.
        """
        settings = settings or FeatureSettings()
        statements = _statements(settings)
        cost = COSTS[settings.kind]
        graded = [Graded.of(corpus, parser, settings, statements, progress) for corpus in corpora]
        known = [GradedCorpus.learn(corpus, cost) for corpus in graded]
        try:
            learned = combine(known, shares)
        except ValueError as error:
            raise InputError(str(error), where=where) from error
        meaning = calibrate(known, cost)
        return cls(parser, settings, Learned(learned.weights, learned.spread, meaning))

    def to_stored(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """Return the facts and the arrays to save; the parser is not saved."""
        settings, weights = self.settings, self.learned.weights
        names = sorted(weights)
        described = {
            "features": settings.kind,
            "simplify": settings.simplify,
            "without": list(settings.without),
            "spread": self.learned.spread,
            "calibration": list(self.learned.calibration),
            "columns": columns(self.parser, settings),
        }
        values = np.array([weights[name] for name in names], dtype=np.float32)
        return described, {"names": pack_strings(names), "weights": values}

    @classmethod
    def from_stored(cls, stored: Stored) -> "RelationRanker":
        """Read what `to_stored` gave; it tags with the package's tagger and chunker."""
        facts = stored.facts
        without = tuple(facts["without"])
        names = unpack_strings(stored.arrays["names"])
        check_arrays(stored.arrays, {"weights": "float names"}, names=len(names))
        weights = stored.arrays["weights"].astype(np.float64)
        kind = facts["features"]
        slope, intercept = (float(value) for value in facts["calibration"])
        spread = float(facts["spread"])
        sound = bool(names) and bool(np.isfinite(weights).all())
        sound = sound and bool(np.isfinite([spread, slope, intercept]).all()) and spread > 0
        if not sound or kind not in KINDS or not set(without) <= {*PAPER_GROUPS, *LEXICAL_GROUPS}:
            raise ValueError("names and weights that do not fit together")
        settings = FeatureSettings(kind, bool(facts["simplify"]), without)
        parser = default_parser()
        models.check_columns(stored, columns(parser, settings))
        by_name = dict(zip(names, weights.tolist(), strict=True))
        return cls(parser, settings, Learned(by_name, spread, (slope, intercept)))


def _statements(settings: FeatureSettings) -> Statements | None:
    """Return the model of asserted relations; the paper's ranker does without."""
    return packaged_statements() if settings.kind == "lexical" else None


def open_ranker(model: str | Path | None) -> RelationRanker:
    """Read a ranker: a folder, one of `PACKAGED` by name, or the default one.

    Raises
    ------
    InputError, MismatchError
        As `relsent_ir.models.load`.
    """
    if model is not None and str(model) in PACKAGED and not Path(model).exists():
        model = Path(__file__).parent / str(model)
    ranker: RelationRanker = models.load(model, "relations")
    return ranker


def default_ranker() -> RelationRanker:
    """Return the ranker that comes with the package, read once."""
    ranker: RelationRanker = models.default("relations")
    return ranker


def shortest(candidates: Sequence[Candidate]) -> Floats:
    """Score by the first baseline: the sentence with the fewest tokens is best."""
    return np.array([-len(tokenize(candidate.text)) for candidate in candidates], dtype=np.float64)


def foremost(candidates: Sequence[Candidate], parser: Parser) -> Floats:
    """Score by the second baseline: the entities near the beginning, and near each other."""
    return np.array([-position(structure) for structure in structures(parser, candidates)])


MOST: Final = 10
"""Features that are named."""

ASSERTED: Final = "status:asserted or not"
"""The score's loss where the relation may be negated or hedged."""


def reasons(ranker: RelationRanker, candidate: Candidate) -> list[tuple[str, float]]:
    """Return the summands of the score of a pair of mentions, the weightiest first."""
    graded = ranker.describe([candidate])
    weights_of = ranker.learned.weights
    parts = [(name, weights_of.get(name, 0.0) * value) for name, value in graded.rows[0].items()]
    parts.append((ASSERTED, float(ranker.learned.hedges(graded.asserted)[0])))
    return sorted((part for part in parts if part[1]), key=lambda one: -abs(one[1]))[:MOST]
