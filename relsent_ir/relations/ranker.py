"""The ranker: features of candidates times learned weights; and the two baselines."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from relsent_ir import models
from relsent_ir.errors import InputError, UsageError
from relsent_ir.models import Stored, check_arrays, digest, pack_strings, unpack_strings
from relsent_ir.relations import features as paper
from relsent_ir.relations import lexical, verbs
from relsent_ir.relations.candidates import Candidate
from relsent_ir.relations.evidence import Evidence, find_evidence, find_forms
from relsent_ir.relations.features import MISSING, paper_features, position
from relsent_ir.relations.lexical import lexical_features
from relsent_ir.relations.preferences import preference_pairs, train_svm
from relsent_ir.relations.structure import Structure, structures
from relsent_ir.text.parsing import Parser, default_parser
from relsent_ir.text.tokens import tokenize
from relsent_ir.typing import Progress

if TYPE_CHECKING:
    from scipy.sparse import csr_array

KINDS: Final = ("paper", "lexical")
"""The paper's features alone, or with our lexical ones."""

COSTS: Final = {"paper": 0.01, "lexical": 0.0003}
"""The SVM's C, chosen by cross-validation on BioNLP-ST 2011 GE's training part."""

CAP: Final = 200
"""Of a group's preference pairs, at most so many are learned from."""

LEAST: Final = 2
"""A feature needs so many candidates in training."""

LAST: Final = -1000.0
"""Added to the score of a sentence that lacks an entity, which puts it behind all others."""

PAPER: Final = Path(__file__).parent / "paper"
"""The model of the paper's features alone that comes with the package."""

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


@dataclass(frozen=True)
class Ranker:
    """Scores candidates: the higher, the more clearly a relation is stated.

    Attributes
    ----------
    parser : Parser
    settings : Settings
    weights : dict of str to float
        By the feature's name.
    """

    family: ClassVar[str] = "relations"
    kind: ClassVar[str] = "relations"

    parser: Parser
    settings: Settings
    weights: dict[str, float] = field(repr=False)

    def score(
        self, candidates: Sequence[Candidate], progress: Progress | None = None
    ) -> NDArray[np.float64]:
        """Score candidates; shape (candidates,)."""
        scores = np.empty(len(candidates))
        weight = self.weights.get
        for i, features in enumerate(extract(candidates, self.parser, self.settings)):
            scores[i] = sum([weight(name, 0.0) * value for name, value in features.items()])
            if MISSING in features:
                scores[i] += LAST
            if progress and i % TICK == 0:
                progress(i, len(candidates))
        return scores

    def explain(self, candidates: Sequence[Candidate]) -> list[tuple[Structure, list[Evidence]]]:
        """Give the structure of candidates' sentences and the patterns that they match."""
        simplify = self.settings.simplify
        return [
            (structure, find_evidence(find_forms(structure, simplify)))
            for structure in structures(self.parser, candidates)
        ]

    @classmethod
    def train(
        cls,
        candidates: Sequence[Candidate],
        parser: Parser,
        settings: Settings | None = None,
        progress: Progress | None = None,
        where: Path | None = None,
    ) -> "Ranker":
        """Learn from graded candidates.

        Parameters
        ----------
        where : Path, optional
            Where the candidates come from, for the error.

        Raises
        ------
        InputError
            If no group has two sentences with different grades.
        """
        settings = settings or Settings()
        rows = []
        for i, features in enumerate(extract(candidates, parser, settings)):
            rows.append(features)
            if progress and i % TICK == 0:
                progress(i, len(candidates))
        pairs = preference_pairs(candidates, CAP)
        if not len(pairs):
            raise InputError("no group has two sentences with different grades", where=where)
        return cls(parser, settings, learn(rows, pairs, COSTS[settings.kind]))

    def to_stored(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """Give the facts and the arrays to save; the parser is not saved."""
        settings, names = self.settings, sorted(self.weights)
        described = {
            "features": settings.kind,
            "simplify": settings.simplify,
            "without": list(settings.without),
            "columns": columns(self.parser, settings),
        }
        weights = np.array([self.weights[name] for name in names], dtype=np.float32)
        return described, {"names": pack_strings(names), "weights": weights}

    @classmethod
    def from_stored(cls, stored: Stored) -> "Ranker":
        """Read what `to_stored` gave; it tags with the package's tagger and chunker."""
        without = tuple(stored.facts["without"])
        names = unpack_strings(stored.arrays["names"])
        check_arrays(stored.arrays, {"weights": "float names"}, names=len(names))
        weights = stored.arrays["weights"].astype(np.float64)
        kind = stored.facts["features"]
        sound = bool(names) and bool(np.isfinite(weights).all())
        if not sound or kind not in KINDS or not set(without) <= {*paper.GROUPS, *lexical.GROUPS}:
            raise ValueError("names and weights that do not fit together")
        settings = Settings(kind, bool(stored.facts["simplify"]), without)
        parser = default_parser()
        models.check_columns(stored, columns(parser, settings))
        return cls(parser, settings, dict(zip(names, weights.tolist(), strict=True)))


def default_ranker() -> Ranker:
    """The ranker that comes with the package, read once."""
    ranker: Ranker = models.default("relations")
    return ranker


def extract(
    candidates: Sequence[Candidate], parser: Parser, settings: Settings
) -> Iterator[Features]:
    """Yield the features of each candidate, by name."""
    for structure in structures(parser, candidates):
        forms = find_forms(structure, settings.simplify)
        found = find_evidence(forms)
        features = paper_features(structure, found, forms[0])
        if settings.kind == "lexical":
            features.update(dict.fromkeys(lexical_features(structure, found, forms), 1.0))
        if settings.without:
            out = settings.without
            features = {n: x for n, x in features.items() if n.partition(":")[0] not in out}
        yield features


_PROBE: Final = (
    ("Abc1 activates Xyz2 in liver cells.", "Abc1", "Xyz2"),
    ("Activation of Xyz2 by the kinase Abc1, which may not bind it, was not seen.", "Abc1", "Xyz2"),
    ("Xyz2 was measured in 12 rats, and so was the Abc1-dependent growth factor.", "Abc1", "Xyz2"),
)


def columns(parser: Parser, settings: Settings) -> dict[str, str]:
    """Say what the features are, group by group (`relsent_ir.models.columns`)."""
    rows = []
    for text, one, other in _PROBE:
        e1, e2 = ((text.index(name), text.index(name) + len(name)) for name in (one, other))
        rows.append(Candidate("", "", text, e1, e2))
    named: dict[str, list[object]] = {"lists": [paper.CONJECTURE, paper.NEGATION, *verbs.listed()]}
    for place, row in enumerate(extract(rows, parser, settings)):
        for name, value in sorted(row.items()):
            named.setdefault(name.partition(":")[0], []).append([place, name, round(value, 6)])
    return {group: digest(*values) for group, values in sorted(named.items())}


def learn(rows: Sequence[Features], pairs: NDArray[np.intp], cost: float) -> Features:
    """Learn the weights of features from preferences.

    Parameters
    ----------
    rows : sequence of Features
        Those of each candidate.
    pairs : ndarray of int, shape (pairs, 2)
        Better, worse.
    cost : float
        The SVM's C.
    """
    counts = Counter(name for row in rows for name in row)
    names = sorted(name for name, count in counts.items() if count >= LEAST)
    weights = train_svm(_matrix(rows, names), pairs, cost)
    return dict(zip(names, weights.tolist(), strict=True))


def _matrix(rows: Sequence[Features], names: Sequence[str]) -> "csr_array":
    from scipy.sparse import csr_array

    columns = {name: i for i, name in enumerate(names)}
    data: list[float] = []
    indices: list[int] = []
    starts = [0]
    for row in rows:
        known = [(columns[name], value) for name, value in row.items() if name in columns]
        indices += [column for column, _ in known]
        data += [value for _, value in known]
        starts.append(len(indices))
    parts = np.array(data), np.array(indices, np.int32), np.array(starts, np.int32)
    return csr_array(parts, shape=(len(rows), len(names)))


def shortest(candidates: Sequence[Candidate]) -> NDArray[np.float64]:
    """Score by the first baseline: the sentence with the fewest tokens is best."""
    return np.array([-len(tokenize(candidate.text)) for candidate in candidates], dtype=np.float64)


def foremost(candidates: Sequence[Candidate], parser: Parser) -> NDArray[np.float64]:
    """Score by the second baseline: the entities near the beginning, and near each other."""
    return np.array([-position(structure) for structure in structures(parser, candidates)])
