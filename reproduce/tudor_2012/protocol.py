"""Systems, corpora, cross-validation and significance of `tudor_2012`.

The interaction corpora have a row for each pair of proteins: document, whether they interact,
sentence. In one file the names of the pair are masked (PROTEIN1, PROTEIN2; other proteins PROTEIN),
in another the same rows have the names; together they locate the names.

References
----------
S. Pyysalo, A. Airola, J. Heimonen, J. Björne, F. Ginter, T. Salakoski. Comparative analysis of five
protein-protein interaction corpora. BMC Bioinformatics 9(Suppl 3):S6 (2008).
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from heapq import heappop, heappush
from importlib.resources import files
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from recipes.data import data_path
from recipes.relations.corpora import Stated
from recipes.relations.learning import COSTS, GradedCorpus
from recipes.statements import label
from relsent_ir.errors import InputError
from relsent_ir.relations import FeatureSettings, RelationRanker
from relsent_ir.relations.candidates import Candidate
from relsent_ir.relations.describing import PAPER_GROUPS, Features, describe
from relsent_ir.relations.ranker import GradedCandidates
from relsent_ir.relations.statements import AGENTS, TASKS, Statements, direction_of, side_of
from relsent_ir.relations.structure import Structure
from relsent_ir.text.cues import HEDGE, NEGATION
from relsent_ir.text.parsing import Parser
from relsent_ir.text.tokens import Span
from relsent_ir.trec.significance import paired_t, randomisation
from relsent_ir.typing import Floats
from reproduce.page import table
from reproduce.tables import table_rows
from reproduce.tudor_2012.measures import RankingScores, evaluate, foremost, shortest


def status_rule(structure: Structure) -> str:
    """Return the status by any cue at most two tokens away from the entities, negation first."""
    first, second = structure.first, structure.second
    if first is None or second is None:
        return "asserted"
    near = {word.lower() for word in structure.words[max(0, first[0] - 2) : second[1] + 2]}
    return "negated" if near & NEGATION else "speculated" if near & HEDGE else "asserted"


def polarity_rule(structure: Structure) -> str:
    """Return the polarity of the first directed verb: between the entities, left, then right."""
    sides = ("between", "left", "right")
    if structure.first is None or structure.second is None:
        return "increases"
    verbs = [
        (sides.index(side), i, direction)
        for i, word in enumerate(structure.words)
        if (side := side_of(structure, i)) in sides and (direction := direction_of(word))
    ]
    return min(verbs)[2] if verbs else "increases"


def agent_rule(structure: Structure) -> int:
    """Return the agent: the first entity, unless "by" or "in response to" stands between."""
    first, second = structure.first, structure.second
    if first is None or second is None:
        return 0
    words = {word.lower() for word in structure.words[first[1] : second[0]]}
    return int("by" in words or {"response", "to"} <= words)


_TOKEN: Final = re.compile(r"\w+|[^\w\s]")
_LONGEST: Final = 15
"""The most tokens of a protein's name."""


def read_pairs(masked: str | Path, named: str | Path) -> Iterator[Candidate]:
    """Yield the pairs of a corpus, graded 1 if they interact, else 0; groups are its documents.

    A pair with a name in several pieces is omitted (38 of BioInfer's 8,908 rows, none elsewhere).

    Parameters
    ----------
    masked, named : str or Path
        The two files, which have the same rows.

    Raises
    ------
    InputError
        If a file cannot be read, or the rows do not fit together.
    """
    rows = zip(table_rows(masked), table_rows(named), strict=False)
    for (_, mask), (place, name) in rows:
        try:
            same = mask["docid"] == name["docid"] and mask["passageid"] == name["passageid"]
            true = {"True": 1.0, "False": 0.0}[mask["isValid"]]
            spans = _align(mask["passage"], name["passage"])
        except (KeyError, TypeError):
            same = False
        if not same:
            raise InputError("the rows do not fit together", where=place)
        if spans is not None:
            yield Candidate(mask["docid"], mask["passageid"], name["passage"], *spans, true)


def _align(masked: str, named: str) -> tuple[Span, Span] | None:
    """Find the names behind PROTEIN1 and PROTEIN2; None if the texts differ elsewhere.

    A mask stands for a few tokens, and may have swallowed a punctuation mark. Among all alignments
    of the texts the one with the fewest dropped marks and the shortest names is used.
    """
    left = _TOKEN.findall(masked)
    tokens = list(_TOKEN.finditer(named))
    right = [token.group() for token in tokens]
    # Dijkstra's algorithm over cost, place in each text, and the names so far.
    queue: list[tuple[int, int, int, tuple[tuple[str, int, int], ...]]] = [(0, 0, 0, ())]
    seen: set[tuple[int, int]] = set()
    while queue:
        cost, i, j, names = heappop(queue)
        if (i, j) in seen:
            continue
        seen.add((i, j))
        if i == len(left) and j == len(right):
            spans = {m: (tokens[a].start(), tokens[b - 1].end()) for m, a, b in names}
            first, second = spans.get("PROTEIN1"), spans.get("PROTEIN2")
            return (first, second) if first and second else None
        if i < len(left) and left[i].startswith("PROTEIN"):
            for end in range(j + 1, min(len(right), j + _LONGEST) + 1):
                if right[j].isalnum() and right[end - 1].isalnum():
                    step = (*names, (left[i], j, end))
                    heappush(queue, (cost + 2 * (end - j - 1), i + 1, end, step))
        elif i < len(left) and j < len(right) and left[i] == right[j]:
            heappush(queue, (cost, i + 1, j + 1, names))
        if j < len(right) and not right[j].isalnum():
            heappush(queue, (cost + 1, i, j + 1, names))
    return None


PPI: Final = ("IEPA", "HPRD50", "LLL", "BioInfer")
B1, B2 = "B1, shortest", "B2, foremost"
PAPER_PLAIN, PAPER = "paper's features, no simplifier", "paper's features, simplifier"
PLAIN, FULL = "+ lexical, no simplifier", "+ lexical, simplifier"
SYSTEMS: Final = {
    PAPER_PLAIN: FeatureSettings("paper", simplify=False),
    PAPER: FeatureSettings("paper"),
    PLAIN: FeatureSettings("lexical", simplify=False),
    FULL: FeatureSettings("lexical"),
}
"""The learned systems."""

ALL: Final = (B1, B2, *SYSTEMS)
COMPARED: Final = (
    *((PAPER, B1), (PAPER, B2), (PAPER, PAPER_PLAIN)),
    *((FULL, B1), (FULL, B2), (FULL, PLAIN), (FULL, PAPER)),
)
"""Pairs of systems that are tested against each other."""

TABLE4: Final = {B1: 65.75, B2: 71.69, PAPER_PLAIN: 72.14, PAPER: 83.10}
"""Pair accuracy, percent of 219 pairs."""

TABLE5: Final = {B1: (58, 30, 12), B2: (61, 24, 15), PAPER_PLAIN: (67, 21, 12), PAPER: (80, 17, 3)}
"""Categories of the first sentences of 100 groups."""

NDCG: Final = {B1: 68.36, B2: 68.32, PAPER_PLAIN: 69.45, PAPER: 77.19}
GAINS: Final = (0, 0.25, 0.5, 0.75, 1)

_ARTICLE: Final = re.compile(r"PMC-?\d+")


@dataclass(frozen=True)
class Set:
    """Graded candidates and their features, with and without simplified forms.

    Attributes
    ----------
    candidates : list of Candidate
    plain, simplified : list of Features
        All features, the paper's and ours.
    baselines : dict of str to ndarray
        RankingScores of B1 and B2.
    """

    candidates: list[Candidate]
    plain: list[Features]
    simplified: list[Features]
    baselines: dict[str, Floats]

    @classmethod
    def of(cls, candidates: Sequence[Candidate], parser: Parser) -> "Set":
        """Extract the features of candidates."""
        candidates = list(candidates)
        plain, simplified = (
            [row.features for row in describe(candidates, parser, FeatureSettings(simplify=some))]
            for some in (False, True)
        )
        baselines = {B1: shortest(candidates), B2: foremost(candidates, parser)}
        return cls(candidates, plain, simplified, baselines)

    def rows(self, settings: FeatureSettings) -> list[Features]:
        """Return the features that a system sees."""
        rows = self.simplified if settings.simplify else self.plain
        if settings.kind == "lexical":
            return rows
        groups = set(PAPER_GROUPS)
        return [{n: x for n, x in row.items() if n.partition(":")[0] in groups} for row in rows]


def fit(known: Set, settings: FeatureSettings) -> Mapping[str, float]:
    """Learn a system's weights from a whole set."""
    return learn(known.candidates, known.rows(settings), COSTS[settings.kind])


def learn(
    candidates: Sequence[Candidate], rows: list[Features], cost: float
) -> Mapping[str, float]:
    """Learn weights from graded candidates and their features; none if no grades differ."""
    return GradedCorpus.learn(GradedCandidates(candidates, rows, np.ones(len(rows))), cost).weights


def apply(weights: Mapping[str, float], rows: Sequence[Features]) -> Floats:
    """Score features."""
    return np.array([sum(weights.get(n, 0.0) * x for n, x in row.items()) for row in rows])


def article(group: str) -> str:
    """Return the article of a document: the files of a full text share one."""
    match = _ARTICLE.search(group)
    return match.group() if match else group


def by_entities(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Regroup candidates by their two entities, whatever their document."""
    regrouped = []
    for candidate in candidates:
        names = sorted(candidate.text[slice(*e)].lower() for e in (candidate.e1, candidate.e2))
        regrouped.append(replace(candidate, group="\t".join(names)))
    return regrouped


def interactions(corpus: str, parts: Sequence[str] = ("train", "test")) -> list[Candidate]:
    """Read parts of an interaction corpus."""
    folder = data_path("relations", "ppi")
    return [
        candidate
        for part in parts
        for candidate in read_pairs(
            folder / f"{corpus}-{part}.csv", folder / f"wop_{corpus}-{part}.csv"
        )
    ]


def significance(first: RankingScores, second: RankingScores) -> tuple[float, float, float]:
    """Test the difference of two systems' pair accuracies, paired by group.

    Returns
    -------
    (float, float, float)
        p of the difference over all pairs by randomisation (a group's right pairs change sides
        together), and of the mean of the groups' accuracies by randomisation and by Student's t.
    """
    right, accuracy = (
        [[getattr(g, name) for g in scores.groups.values()] for scores in (first, second)]
        for name in ("right", "accuracy")
    )
    return randomisation(*right), randomisation(*accuracy), paired_t(*accuracy)


def interval(first: RankingScores, second: RankingScores) -> tuple[float, float]:
    """Return the 95 % interval of the difference in pair accuracy, by bootstrap over articles."""
    rows: dict[str, list[float]] = {}
    for name, group in first.groups.items():
        row = rows.setdefault(article(name), [0.0, 0.0])
        row[0] += group.right - second.groups[name].right
        row[1] += group.pairs
    values = np.array(list(rows.values()))
    draws = np.random.default_rng(0).integers(0, len(values), (2000, len(values)))
    sums = values[draws].sum(axis=1)
    low, high = np.percentile(sums[:, 0] / sums[:, 1], [2.5, 97.5])
    return float(low), float(high)


def middle_gain(candidates: Sequence[Candidate], scores: Floats, gain: float) -> float:
    """Return the nDCG if grade 1 has the gain `gain` and grade 2 the gain 1: Figure 2."""
    gains = {0.0: 0.0, 1.0: gain, 2.0: 1.0}
    graded = [replace(c, grade=gains[c.grade or 0.0]) for c in candidates]
    return evaluate(graded, scores).mean("ndcg")


RESAMPLES: Final = 2000
FIRST, SECOND = "Abc1", "Xyz2"


def against_rules(stated: Sequence[Stated], statements: Statements) -> dict[str, str]:
    """Measure the models and the cue rules: macro F1, its interval, and a test by articles."""
    candidates = [example.candidate for example in stated]
    rows = list(describe(candidates, statements.parser, FeatureSettings()))
    read = [statements.read(row) for row in rows]
    structures = [row.structure for row in rows]
    predicted: dict[str, tuple[list[str], list[str]]] = {
        "status": ([s.status for s in read], list(map(status_rule, structures))),
        "polarity": ([s.polarity for s in read], list(map(polarity_rule, structures))),
        "agent": ([AGENTS[s.agent] for s in read], [AGENTS[agent_rule(s)] for s in structures]),
    }
    lines = []
    for task, (model, rule) in predicted.items():
        true = [label(task, example) for example in stated]
        classes = [name for name in TASKS[task] if name != "none"]
        labelled = [i for i, name in enumerate(true) if name in classes]
        gold, ours, cues = (
            np.array([TASKS[task].index(names[i]) for i in labelled], dtype=np.intp)
            for names in (true, model, rule)
        )
        groups = [article(stated[i].candidate.group) for i in labelled]
        compared = _compared(gold, ours, cues, groups, len(classes))
        lines.append([task, str(len(labelled)), *compared])
    pairs = zip(read, stated, strict=True)
    asserted = [statement for statement, true in pairs if true.status == "asserted"]
    flags = 100 * np.mean([bool(statement.flag) for statement in asserted])
    header = ["", "sentences", "model, macro F1", "cue rule", "difference", "95 %", "p"]
    return {
        "statements": table(header, lines),
        "false_flags": f"{flags:.1f}",
        "asserted": str(len(asserted)),
    }


def _compared(
    gold: NDArray[np.intp],
    ours: NDArray[np.intp],
    cues: NDArray[np.intp],
    groups: Sequence[str],
    classes: int,
) -> list[str]:
    """Return both figures, their difference, its bootstrap interval and p, over articles."""
    names = sorted(set(groups))
    place = {name: n for n, name in enumerate(names)}
    home = np.array([place[name] for name in groups])
    # For both systems by article and class: counts of true positives, predicted and true.
    parts = [np.zeros((len(names), 3, classes)) for _ in range(2)]
    for part, predicted in zip(parts, (ours, cues), strict=True):
        hit = predicted == gold
        rows = ((home[hit], gold[hit]), (home, predicted), (home, gold))
        for row, places in enumerate(rows):
            np.add.at(part[:, row], places, 1)
    model, rule = (_macro(part.sum(axis=0)) for part in parts)
    draws = np.random.default_rng(0).integers(0, len(names), (RESAMPLES, len(names)))
    gains = np.array(
        [_macro(parts[0][d].sum(axis=0)) - _macro(parts[1][d].sum(axis=0)) for d in draws]
    )
    low, high = np.percentile(gains, [2.5, 97.5])
    figures = [f"{model:.3f}", f"{rule:.3f}", f"{model - rule:+.3f}"]
    return [*figures, f"{low:+.3f} to {high:+.3f}", f"{bootstrap_p(gains):.2g}"]


def bootstrap_p(gains: Floats) -> float:
    """Return the two-sided p of a gain from its bootstrap sample."""
    return min(1.0, 2 * (1 + float((gains <= 0).sum())) / (1 + len(gains)))


def _macro(counts: Floats) -> float:
    """Return the mean F1 of true positives, predicted and true; shape (3, classes)."""
    return float(np.mean(2 * counts[0] / np.maximum(counts[1] + counts[2], 1)))


def read_minimal() -> list[tuple[Candidate, Candidate]]:
    """Read this project's pairs of sentences that differ only in a negation."""
    text = (files(__package__) / "minimal_pairs.tsv").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    rows = (line.split("\t") for line in lines)
    return [(_candidate(n, first), _candidate(n, second)) for n, (first, second) in enumerate(rows)]


def _candidate(number: int, marked: str) -> Candidate:
    text = marked.replace("[A]", FIRST).replace("[B]", SECOND)
    e1, e2 = ((text.index(name), text.index(name) + len(name)) for name in (FIRST, SECOND))
    return Candidate(str(number), str(number), text, e1, e2)


def minimal(rankers: Mapping[str, RelationRanker], statements: Statements) -> dict[str, str]:
    """Count the minimal pairs whose asserted sentence ranks above the negated one."""
    pairs = read_minimal()
    asserted, negated = ([pair[k] for pair in pairs] for k in (0, 1))
    rows = []
    for name, ranker in rankers.items():
        right = ranker.score(asserted) > ranker.score(negated)
        rows.append([name, f"{100 * np.mean(right):.0f}"])
    flags = [
        100 * np.mean([bool(statements.read(row).flag) for row in rows_of])
        for rows_of in (
            describe(some, statements.parser, FeatureSettings()) for some in (negated, asserted)
        )
    ]
    return {
        "minimal": table(["", "asserted above negated, %"], rows),
        "minimal_pairs": str(len(pairs)),
        "flagged": f"{flags[0]:.0f}",
        "wrongly_flagged": f"{flags[1]:.0f}",
    }
