"""How sentences state relations: against a cue rule on annotated events, and on minimal pairs."""

from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Final

import numpy as np
from numpy.typing import NDArray

from relsent_ir.relations import Candidate, Ranker, Statements
from relsent_ir.relations.bionlp import Stated
from relsent_ir.relations.describing import Settings, describe
from relsent_ir.relations.manner import agent_rule, polarity_rule, status_rule
from relsent_ir.relations.statements import AGENTS, TASKS, label
from relsent_ir.typing import Floats
from reproduce.page import table
from reproduce.tudor_2012.protocol import article

RESAMPLES: Final = 2000
FIRST, SECOND = "Abc1", "Xyz2"


def against_rules(stated: Sequence[Stated], statements: Statements) -> dict[str, str]:
    """Measure the models and the cue rules: macro F1, its interval, and a test by articles."""
    rows = list(describe([one.candidate for one in stated], statements.parser, Settings()))
    found = [statements.read(row) for row in rows]
    told: dict[str, tuple[list[str], list[str]]] = {
        "status": (
            [one.status for one in found],
            [status_rule(row.structure) for row in rows],
        ),
        "polarity": (
            [one.polarity for one in found],
            [polarity_rule(row.structure) for row in rows],
        ),
        "agent": (
            [AGENTS[one.agent] for one in found],
            [AGENTS[agent_rule(row.structure)] for row in rows],
        ),
    }
    lines, confusions = [], []
    for task, (model, rule) in told.items():
        true = [label(task, one) for one in stated]
        kept = [i for i, name in enumerate(true) if name]
        gold = _codes(task, [true[i] for i in kept])
        ours, cues = (_codes(task, [some[i] for i in kept]) for some in (model, rule))
        groups = [article(stated[i].candidate.group) for i in kept]
        lines.append([task, str(len(kept)), *_compared(gold, ours, cues, groups, len(TASKS[task]))])
        counts = np.zeros((len(TASKS[task]), len(TASKS[task])), dtype=int)
        np.add.at(counts, (gold, ours), 1)
        confusions.append(
            table(
                [f"{task}: true", *TASKS[task]],
                [[name, *map(str, row)] for name, row in zip(TASKS[task], counts, strict=True)],
            )
        )
    asserted = [one for one, true in zip(found, stated, strict=True) if true.status == "asserted"]
    flags = 100 * np.mean([bool(one.flag) for one in asserted])
    header = ["", "sentences", "model, macro F1", "cue rule", "difference", "95 %", "p"]
    return {
        "statements": table(header, lines),
        "confusions": "\n\n".join(confusions),
        "false_flags": f"{flags:.1f}",
        "asserted": str(len(asserted)),
    }


def _codes(task: str, names: Sequence[str]) -> NDArray[np.intp]:
    return np.array([TASKS[task].index(name) for name in names], dtype=np.intp)


def _compared(
    gold: NDArray[np.intp],
    ours: NDArray[np.intp],
    cues: NDArray[np.intp],
    groups: Sequence[str],
    classes: int,
) -> list[str]:
    """Both figures, their difference, its bootstrap interval and p, resampling articles."""
    names = sorted(set(groups))
    place = {name: n for n, name in enumerate(names)}
    home = np.array([place[name] for name in groups])
    # Counts by article: true positives, told and true of each class, of both systems.
    parts = [np.zeros((len(names), 3, classes)) for _ in range(2)]
    for part, told in zip(parts, (ours, cues), strict=True):
        hit = told == gold
        for row, (places, names_of) in enumerate(
            ((home[hit], gold[hit]), (home, told), (home, gold))
        ):
            np.add.at(part[:, row], (places, names_of), 1)
    model, rule = (_macro(part.sum(axis=0)) for part in parts)
    draws = np.random.default_rng(0).integers(0, len(names), (RESAMPLES, len(names)))
    gains = np.array(
        [_macro(parts[0][d].sum(axis=0)) - _macro(parts[1][d].sum(axis=0)) for d in draws]
    )
    low, high = np.percentile(gains, [2.5, 97.5])
    p = min(1.0, 2 * (1 + float((gains <= 0).sum())) / (1 + RESAMPLES))
    figures = [f"{model:.3f}", f"{rule:.3f}", f"{model - rule:+.3f}"]
    return [*figures, f"{low:+.3f} to {high:+.3f}", f"{p:.2g}"]


def _macro(counts: Floats) -> float:
    """Mean F1 over classes, of true positives, told and true; shape (3, classes)."""
    return float(np.mean(2 * counts[0] / np.maximum(counts[1] + counts[2], 1)))


def read_minimal() -> list[tuple[Candidate, Candidate]]:
    """Read the sentences of the project's own that differ in a negation alone."""
    text = (files(__package__) / "minimal_pairs.tsv").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    made = []
    for number, line in enumerate(lines):
        asserted, negated = (_candidate(number, part) for part in line.split("\t"))
        made.append((asserted, negated))
    return made


def _candidate(number: int, marked: str) -> Candidate:
    text = marked.replace("[A]", FIRST).replace("[B]", SECOND)
    one, other = text.index(FIRST), text.index(SECOND)
    e1, e2 = (one, one + len(FIRST)), (other, other + len(SECOND))
    return Candidate(str(number), str(number), text, e1, e2)


def minimal(rankers: Mapping[str, Ranker], statements: Statements) -> dict[str, str]:
    """Count in how many minimal pairs the asserted sentence stands above the negated one."""
    found = read_minimal()
    asserted, negated = ([pair[k] for pair in found] for k in (0, 1))
    rows = []
    for name, ranker in rankers.items():
        right = ranker.score(asserted) > ranker.score(negated)
        rows.append([name, f"{100 * np.mean(right):.0f}"])
    flags = [
        100 * np.mean([bool(statements.read(row).flag) for row in rows_of])
        for rows_of in (
            describe(some, statements.parser, Settings()) for some in (negated, asserted)
        )
    ]
    return {
        "minimal": table(["", "asserted above negated, %"], rows),
        "minimal_pairs": str(len(found)),
        "flagged": f"{flags[0]:.0f}",
        "wrongly_flagged": f"{flags[1]:.0f}",
    }
